"""The commands `decklist` and `decks convert`."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest, check_deck
from carddb.app.decks.check_many import check_decks
from carddb.app.decks.lists import DECK_KINDS, KINDS, TABLETOP, convert_deck, deck_list, deck_list_book, kind_of
from carddb.cli import show
from carddb.cli.decks.check import check_request, deck_options
from carddb.cli.options import FILE, LANG, declared_options, paper_option, verb
from carddb.cli.session import Session
from carddb.core.errors import UsageError
from carddb.findings import exit_code


@verb()
@click.argument("decks", nargs=-1, required=True, type=FILE, metavar="DECK...")
@show.output_option("PDF, text or JSON by its ending.")
@paper_option
@click.option("--only", type=click.Choice(["illegal"]), help="For many decks: only the lists of these.")
@LANG
@deck_options
def decklist(
    session: Session, /, decks: tuple[Path, ...], output: Path, paper: str, only: str | None, lang: str, **options: Any
) -> int:
    """Write the validated deck list: verdict, findings, tick boxes, fingerprint; for a folder of decks, one PDF."""
    kind = output.suffix.lower().removeprefix(".") or "txt"
    if kind not in KINDS:
        raise UsageError(f"a deck list is not written as {kind!r}", f"Known: {', '.join(KINDS)}.")
    request = check_request(options)
    if len(decks) > 1 or decks[0].is_dir():
        reports = check_decks(session.project, decks, request)
        book = deck_list_book(session.project, reports, kind, paper, only == "illegal", lang=lang)
        return max(reports.exit_code, session.write_printed(output, book))
    if only:
        raise UsageError("--only is about many decks", "Name a folder, or several deck files.")
    report = check_deck(session.project, decks[0], request)
    printed = deck_list(session.project, report, kind, paper, lang)
    session.write(output, printed.data)
    session.say(f"{output}: {show.verdict(printed.summary, report.verdict)}")
    show.findings(printed.page_findings, err=True)
    return exit_code(printed.findings)


@verb()
@click.argument("deck", type=FILE)
@show.output_option("The file for the deck; its suffix chooses the format.")
@click.option("--to", "kind", type=click.Choice([*DECK_KINDS, TABLETOP]), help="The format, whatever the suffix.")
@declared_options(CheckRequest, ("game", "on"), {"on": "The day whose cards apply (default: today)."})
@click.option(
    "--url", default="", metavar="PREFIX", help="The address at which Tabletop Simulator will find the pictures."
)
def convert(
    session: Session, /, deck: Path, output: Path, kind: str | None, game: str | None, on: date | None, url: str
) -> int:
    """Write a deck in another format, with every card that it has, and say what that format cannot hold.

    NAME.tts.json is for Tabletop Simulator; the pictures of its cards are written beside it.
    """
    kind = kind or kind_of(output)
    if kind == TABLETOP:
        from carddb.app.printing.card_images import tabletop_deck_file  # drawing, which a text does not need

        converted = tabletop_deck_file(session.project, deck, output, game, on, url)
    else:
        converted = convert_deck(session.project, deck, kind, game, on)
    session.write(output, converted.data)
    session.say(f"{output}: {converted.summary}")
    if converted.pictures:
        session.say(f"beside it: {', '.join(converted.pictures)}")
    show.findings(converted.findings, err=True)
    return exit_code(converted.findings)
