"""The verbs that every table has: its state, its log, undo, the table itself, and each of its actions."""

from __future__ import annotations

import sys
from typing import Any

import click

from carddb.app.tables.typed import input_of
from carddb.cli import show
from carddb.cli.tables.loop import read_line, run_line
from carddb.cli.tables.terminal import Front, Terminal
from carddb.cli.tables.words import ActionCommand, help_of, parameters
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.play.question import Refusal
from carddb.play.table import engine
from carddb.play.table.action import Action
from carddb.play.table.engine import public_log, public_view


class TableGroup(click.Group):
    """A group whose commands are the verbs of a table and the actions of its game; `obj` is a Terminal."""

    def __init__(self, *args: Any, front: Front[Any], **attributes: Any) -> None:
        super().__init__(*args, **attributes)
        self.front = front
        for command in (status, log, undo, table):
            self.add_command(command)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *(name.replace("_", "-") for name in self.front.table().actions)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        own = super().get_command(ctx, cmd_name)
        if own is not None:
            return own
        action = self.front.action(cmd_name)
        return None if action is None else command_of(cmd_name, action, self.front)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise UsageError(f"there is no action {args[0]!r}", did_you_mean(args[0], self.list_commands(ctx)))
        return super().resolve_command(ctx, args)


def command_of(name: str, action: Action[Any, Any], front: Front[Any]) -> click.Command:
    """The command of an action, made from what the action wants to be told."""

    @click.pass_obj
    def run(terminal: Terminal[Any], /, **words: Any) -> int:
        return terminal.take(action, input_of(action, words))

    return ActionCommand(
        name, params=parameters(action), callback=run, help=help_of(action, front.usages(action, None))
    )


@click.command()
@click.option("--json", "json_", is_flag=True, help="As JSON, without the hidden cards.")
@click.pass_obj
def status(terminal: Terminal[Any], json_: bool) -> int:
    """Show the table as a player sees it: no hidden card."""
    session = terminal.file.load()
    if json_:
        show.as_json(public_view(terminal.file.table, session))
    else:
        terminal.show(session)
    return 0


@click.command()
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def log(terminal: Terminal[Any], json_: bool) -> int:
    """Show what has happened, in words that give no hidden card away."""
    entries = public_log(terminal.file.load())
    if json_:
        show.as_json({"schema": f"{terminal.front.schema}-log/1", "entries": entries})
    else:
        for number, entry in enumerate(entries, 1):
            terminal.say(f"{number:4}  {entry['told']}", indent=" " * 6)
    return 0


@click.command()
@click.argument("count", type=click.IntRange(1), default=1)
@click.pass_obj
def undo(terminal: Terminal[Any], count: int) -> int:
    """Take the last actions back; the dice fall again as they fell."""
    try:
        with terminal.file.locked():
            before = engine.undo(terminal.file.table, terminal.file.load(), count)
            terminal.file.save(before)
    except Refusal as refusal:
        return terminal.refused(refusal)
    terminal.say(before.message)
    terminal.show(before)
    return 0


@click.command()
@click.pass_context
def table(ctx: click.Context) -> int:
    """Sit down at the table: see what lies there, type what you do, take it back; saved after every action.

    Enter does the usual thing, `?` lists what may be done now and how it is typed, `quit` leaves.
    """
    terminal: Terminal[Any] = ctx.obj
    terminal.show(terminal.file.load())
    while True:
        try:
            line = read_line(terminal)
        except EOFError:
            if sys.stdin.isatty():
                show.echo()
            return 0
        if terminal.file.is_changed():
            terminal.say("The table was played on elsewhere. This is how it lies; your line was not taken.", err=True)
            terminal.show(terminal.file.load())
            continue
        if line.split()[:1] in (["quit"], ["q"], ["exit"]):
            return 0
        run_line(ctx, terminal, line)
