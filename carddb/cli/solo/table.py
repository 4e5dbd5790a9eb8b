"""The friendly loop of a solo session: lines typed at a table."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import click

from carddb.cli import show
from carddb.cli.solo.words import card_id, hook_usages
from carddb.errors import CarddbError, UsageError
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.app.solo_file import SoloFile
    from carddb.games.cdg_solo.session import Session as Solo

_USUAL = {
    "setup": "start-phase",
    "round_ready": "roll",
    "resolving": "next",
    "choose_home": "no-home",
    "phase_over": "end-phase",
    "end_phase": "start-phase",
}
"""What Enter does at a step."""

_NOT_HERE = ("table", "new")


def run_line(ctx: click.Context, file: SoloFile, line: str) -> None:
    """One line typed at the table; whatever is wrong with it is shown, and the table stays."""
    assert ctx.parent is not None and isinstance(ctx.parent.command, click.Group)
    group = ctx.parent.command
    try:
        words = words_of(file.load(), shlex.split(line))
        if words[0] == "help":
            _help(file, group, ctx)
            return
        command = group.get_command(ctx, words[0])
        if command is None or command.name in _NOT_HERE:
            raise UsageError(f"there is no action {words[0]!r}", did_you_mean(words[0], group.list_commands(ctx)))
        with command.make_context(words[0], words[1:], parent=ctx) as inner:
            command.invoke(inner)
    except click.exceptions.Exit:
        return
    except click.ClickException as error:
        show.echo(error.format_message(), err=True)
    except (CarddbError, ValueError) as error:
        show.echo(str(error), err=True)


def words_of(solo: Solo, words: list[str]) -> list[str]:
    """What a short line means at this step: Enter, a number, a place or a card."""
    from carddb.games.cdg_solo.session.phase import fighting

    step = solo.table.step
    if not words:
        return ["combat-end"] if step == "resolving" and fighting(solo) else [_USUAL.get(step, "status")]
    first = words[0]
    place = len(first) <= 2 and first[0].upper() in "ABCDE" and first[1:] in ("", "1", "2")
    if first.isdecimal() and step in ("round_ready", "choose_die"):
        return ["roll" if step == "round_ready" else "pick", *words]
    if place and step == "choose_flip":
        return ["flip", *words]
    is_card = card_id(solo.table, first) in solo.table.cards
    return ["play", *words] if place or is_card else words


def _help(file: SoloFile, group: click.Group, ctx: click.Context) -> None:
    """What may be done now, and how it is typed."""
    from carddb.games.cdg_solo.session.actions import offered

    session = file.load()
    for action in offered(session):
        command = group.get_command(ctx, action.name)
        assert command is not None
        usage = " ".join(part for part in command.collect_usage_pieces(ctx) if part != "[OPTIONS]")
        show.echo(show.style(f"  {action.name.replace('_', '-')} {usage}".rstrip(), bold=True))
        show.echo(f"      {action.about}")
        for line in hook_usages(action, session.module):
            show.echo(f"      {line}")
    show.echo("  status, log, undo [COUNT], quit")
