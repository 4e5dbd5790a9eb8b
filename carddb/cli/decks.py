"""Work on deck files: decks convert, fix, fill, new, diff, stats."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from carddb.app.deck_convert import convert_deck
from carddb.cli import show
from carddb.cli.check import DECK
from carddb.cli.day import DAY
from carddb.cli.deck_help import diff, fill, fix, new, stats
from carddb.cli.session import Session
from carddb.findings import exit_code


@click.group()
def decks() -> None:
    """Work on deck files: bring them into another format, make them legal, compare and count them."""


@decks.command()
@click.argument("deck", type=DECK)
@show.output_option("The deck in the format of this ending.")
@click.option("--game", "game", metavar="G", help="The game, where the deck does not say.")
@click.option("--on", "on", type=DAY, help="The day whose cards are meant (default: today).")
@click.pass_obj
def convert(session: Session, /, deck: Path, output: Path, game: str | None, on: date | None) -> int:
    """Write a deck in another format, with every card that it has, and say what that format cannot hold."""
    kind = output.suffix.lower().removeprefix(".") or "deck"
    converted = convert_deck(session.project, deck, kind, game, on)
    session.write(output, converted.data)
    session.say(f"{output}: {converted.summary}")
    show.findings(converted.findings, err=True)
    return exit_code(converted.findings)


for command in (fix, fill, new, diff, stats):
    decks.add_command(command)
