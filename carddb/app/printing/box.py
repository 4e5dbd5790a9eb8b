"""Printing a box for a deck or for all cards of a game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated

from carddb.app.decks.check import CheckRequest
from carddb.app.printing.options import PaperOptions, PrintOption, sheet_length, sheet_options
from carddb.app.printing.selection import Selection, is_deck_file, select_cards, select_deck
from carddb.app.printing.sheet_job import coarser, refuse_for_press
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.options import Option
from carddb.core.units import Size, mm
from carddb.layout.box import Style
from carddb.layout.stock import card_size
from carddb.press.components.box import Pile, print_box
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import printed_type_sizes
from carddb.press.sheets.options import SheetOptions, target_size
from carddb.press.sheets.sheets import within_budget

_AS_LENGTH = "Write a length as 0.3mm or 0.01in."


@dataclass(frozen=True, slots=True)
class BoxRequest:
    """The box to print: for the deck in a file or a text with a newline, for all cards of a game, or for a query."""

    # fmt: off
    subject: str
    style: Annotated[Style, Option(
        "A box with a lid to tuck in, a base with a lid, or dividers for the parts of the deck.", "tuck")] = "tuck"
    stock_thickness: Annotated[int | str, PrintOption(
        "The thickness of a card, and of the paper of the box.", "0.30mm",
        read=sheet_length, metavar="LENGTH", remedy=_AS_LENGTH, label="A card’s thickness", hint="0.30mm")] = mm(0.3)
    sleeved: Annotated[bool, PrintOption("The cards are in sleeves.", label="Cards in sleeves")] = False
    play: Annotated[int | str, PrintOption(
        "The room around the cards, in each direction.", "1mm",
        read=sheet_length, metavar="LENGTH", remedy=_AS_LENGTH, label="Room around them", hint="1mm")] = mm(1)
    cards: Annotated[int | None, PrintOption(
        "The number of cards (default: those of the deck or the game).", least=1, most=2000,
        label="Number of cards", hint="all")] = None
    title: Annotated[str, PrintOption(
        "The title on the box (default: that of the deck or the game).", "", label="Title", hint="its own")] = ""
    # fmt: on


def print_game_box(project: Workspace, request: BoxRequest, on: date | None, paper: PaperOptions) -> PrintedFile:
    """Returns the net of a box, or dividers.

    Raises UsageError if the request is invalid, if there are no cards, or if the box does not fit the paper.
    """
    day = on or today()
    options = sheet_options(project, paper, day)
    return box_for(project, _selection(project, request.subject, day), request, options)


def box_for(project: Workspace, selection: Selection, request: BoxRequest, options: SheetOptions) -> PrintedFile:
    """Returns the net of a box for selected cards, or dividers. Raises UsageError as `print_game_box`."""
    with project.recording() as notices:
        spec, copies = selection.game.spec, selection.copies
        if not copies:
            raise UsageError(
                f"{selection.title or spec.name} has no cards", "Name a deck file, or the key of a game with cards."
            )
        usual, own = target_size(card_size(spec.card_size), options), printed_type_sizes(spec, options)
        sizes = [sorted(own.get(card.type, usual)) for card, _ in copies]
        largest = Size(max(short for short, _ in sizes), max(long for _, long in sizes))
        title = selection.title if selection.sections else spec.name  # that of a query is no title
        parts = dict.fromkeys(selection.sections.get(card.ref) or spec.label_of(card.type) for card, _ in copies)
        pile = Pile(
            request.title or title, largest, request.cards or sum(count for _, count in copies),
            sheet_length(request.stock_thickness), sheet_length(request.play), request.sleeved, tuple(parts),
        )  # fmt: skip
        workshop = open_workshop(selection.game, (), project.art_folder, options.lang)
        with project.working("drawing"):
            printed = within_budget(options, lambda o: print_box(workshop, pile, request.style, o))
    refuse_for_press(options, printed)
    summary = f"{printed.label}, for {pile.cards} cards{coarser(options, printed)}"
    return PrintedFile(
        printed.data, printed.pages, printed.sheets, pile.cards, printed.findings, tuple(notices), summary,
        project=project, cut_files=printed.cut_files,
    )  # fmt: skip


def _selection(project: Workspace, subject: str, day: date) -> Selection:
    """Returns the cards of a deck, or one of each card of a query or of a game, under its name."""
    if "\n" in subject or is_deck_file(subject):
        return select_deck(project, subject if "\n" in subject else Path(subject), CheckRequest(on=day))
    game = next((game for game in project.all_games() if game.key == subject), None)
    if game is None:
        return select_cards(project, subject, None, day)
    return select_cards(project, "", game.key, day)
