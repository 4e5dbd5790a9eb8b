"""Decks in the formats of other programs: decks convert."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.convert import TABLETOP, convert_deck, kind_of
from carddb.cli import show
from carddb.cli.decks.check import DECK
from carddb.cli.options.arguments import declared_options
from carddb.cli.session import Session
from carddb.findings import exit_code


@click.command()
@click.argument("deck", type=DECK)
@show.output_option("The deck in the format of this ending.")
@declared_options(CheckRequest, ("game", "on"), {"on": "The day whose cards are meant (default: today)."})
@click.option("--url", default="", metavar="PREFIX", help="Where Tabletop Simulator will find the pictures.")
@click.pass_obj
def convert(session: Session, /, deck: Path, output: Path, game: str | None, on: date | None, url: str) -> int:
    """Write a deck in another format, with every card that it has, and say what that format cannot hold.

    NAME.tts.json is for Tabletop Simulator; the pictures of its cards are written beside it.
    """
    if kind_of(output) == TABLETOP:
        from carddb.app.decks.tabletop_deck import tabletop_deck_file  # all that draws cards, which a text does without

        converted = tabletop_deck_file(session.project, deck, output, game, on, url)
    else:
        converted = convert_deck(session.project, deck, kind_of(output), game, on)
    session.write(output, converted.data)
    session.say(f"{output}: {converted.summary}")
    if converted.pictures:
        session.say(f"beside it: {', '.join(converted.pictures)}")
    show.findings(converted.findings, err=True)
    return exit_code(converted.findings)
