"""The lines typed at a table: what each means, and what is said of a wrong one."""

from __future__ import annotations

import shlex
import textwrap
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.table.terminal import Terminal
from carddb.cli.table.words import typed
from carddb.errors import CarddbError, UsageError
from carddb.names import nearest

if TYPE_CHECKING:
    from carddb.play.table.session import TableSession

ALWAYS = ("status", "log", "undo", "quit")
"""What may be typed at any step."""

_HELP = ("?", "help")

WIDTH = 79
"""Columns of a line of the help, on a terminal of 80."""

INDENT = " " * 6


def prompt(terminal: Terminal[Any]) -> str:
    """What stands before the line that is typed: what Enter does, where it does anything."""
    usual = terminal.file.table.usual(terminal.file.load())
    return f"[Enter: {usual}] > " if usual else "> "


def run_line(ctx: click.Context, terminal: Terminal[Any], line: str) -> None:
    """One line typed at the table; whatever is wrong with it is shown, and the table stays."""
    assert ctx.parent is not None and isinstance(ctx.parent.command, click.Group)
    group = ctx.parent.command
    try:
        session = terminal.file.load()
        words = shlex.split(line) or shlex.split(terminal.file.table.usual(session)) or ["status"]
        if words[0] in _HELP:
            _help(terminal, session, group, ctx)
            return
        words = terminal.front.line(session, words)
        command = group.get_command(ctx, words[0])
        at_table = terminal.front.action(words[0]) is not None or words[0] in ALWAYS
        if command is None or not at_table:
            raise UsageError(f"there is no action {words[0]!r} at this table", _right_ones(terminal, session, words[0]))
        with command.make_context(words[0], words[1:], parent=ctx) as inner:
            command.invoke(inner)
    except click.exceptions.Exit:
        return
    except click.ClickException as error:
        show.echo(error.format_message(), err=True)
    except (CarddbError, ValueError) as error:
        show.echo(str(error), err=True)


def _right_ones(terminal: Terminal[Any], session: TableSession[Any], word: str) -> str:
    """What was probably meant, and what may be typed now."""
    from carddb.play.table.engine import offered

    names = [action.name.replace("_", "-") for action in offered(terminal.file.table, session)]
    near = nearest(word, [*names, *ALWAYS], 1)
    meant = f"Did you mean {near[0]}? " if near else ""
    return f"{meant}Now: {', '.join([*names, *ALWAYS])}; ? explains them."


def _help(terminal: Terminal[Any], session: TableSession[Any], group: click.Group, ctx: click.Context) -> None:
    """What may be done now, and how it is typed."""
    from carddb.play.table.engine import offered

    game = terminal.file.table
    show.echo(f"Now: {game.steps[session.step]}")
    if usual := game.usual(session):
        show.echo(f"  {show.style('Enter', bold=True)}\n      {usual}")
    for action in offered(game, session):
        command = group.get_command(ctx, action.name)
        assert command is not None
        show.echo(show.style(f"  {' '.join([action.name.replace('_', '-'), *typed(command, ctx)])}", bold=True))
        for text in (action.about, *terminal.front.usages(action, session)):
            show.echo(textwrap.fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT))
    show.echo("  status, log, undo [COUNT], quit")
