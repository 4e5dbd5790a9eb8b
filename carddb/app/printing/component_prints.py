"""Printing what a game needs besides its cards: components (on sheets, or as a spreadsheet), score sheets and boxes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from carddb.app.cards.translations import cards_in_language
from carddb.app.decks.check import CheckRequest, read_deck
from carddb.app.printing.options import PaperOptions, PrintOption, sheet_length, sheet_options
from carddb.app.printing.selection import Selection, is_deck_file, select_cards, select_deck
from carddb.app.printing.sheet_job import coarser, refuse_for_press
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import with_options
from carddb.app.workspace.published_folder import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError, check_kind
from carddb.core.files import read_file, unreadable
from carddb.core.groups import totals
from carddb.core.options import HouseReadings, Option
from carddb.core.plain_text import amount
from carddb.core.units import Size, mm
from carddb.findings import has_errors
from carddb.game.frozen import replaced
from carddb.games import Game
from carddb.layout.box import Style
from carddb.layout.documents.blocks import plain
from carddb.layout.stock import card_size, paper_label, paper_size
from carddb.press.components.box import PieceCount, Pile, PilePart, print_box, with_components
from carddb.press.components.components import deck_facts, print_components
from carddb.press.components.selection import (
    EVERY_MODULE,
    ComponentChoice,
    default_module,
    form_xlsx,
    module_advice,
    modules_of,
    select_components,
)
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import printed_type_sizes
from carddb.press.sheets.options import SheetOptions, target_size
from carddb.press.sheets.sheets import within_budget
from carddb.read.documents.located_document import json_value
from carddb.read.tables.grid import csv_table
from carddb.read.tables.xlsx_writer import write_workbook

if TYPE_CHECKING:
    from carddb.play.table.front import FilledSheets, Sheets


@dataclass(frozen=True, slots=True)
class ComponentRequest:
    """The components to print: those in `names`, those of a module, or all of a game.

    `deck` is a deck file, the text of a deck (with a newline), or a name for a title card. Without `module`, the module
    for the deck's format is used. With `contents`, the first page lists the components, unless `names` are given.
    """

    # fmt: off
    game: str
    names: Sequence[str] = ()
    players: Annotated[int | None, Option(
        "Number of players (default: the fewest that can play; one with --deck).",
        least=1, most=20)] = None
    deck: Annotated[str, Option(
        "A deck file, whose module is used too; or a deck's name for a title card.", "")] = ""
    module: Annotated[str, Option(
        "Only the components for this module: its id, or a file with your own module; or `all`.", "",
        metavar="ID")] = ""
    values: Annotated[Mapping[str, str], Option(
        "The components for this value of KEY, as n=6; see `carddb games`.",
        flag="--set", metavar="KEY=VALUE")] = field(default_factory=dict)
    contents: bool = True
    options: HouseReadings = field(default_factory=dict)
    # fmt: on


def print_game_components(
    project: Workspace, request: ComponentRequest, on: date | None, paper: PaperOptions
) -> PrintedFile:
    """Returns sheets with components of a game; see `Project.components`."""
    day = on or today()
    with project.recording() as notices:
        game, module = _game_and_module(project, request)
        game, changed = with_options(project, game, request.options)
        most = game.spec.players[1]
        if request.players is not None and request.players > most:
            sentence = f"{game.spec.name} is written for {amount(most, 'player')}, not {request.players}."
            more = game.spec.data.get("more_players")
            project.notify("more_players", f"{sentence} {more}." if more else sentence)
        options = sheet_options(project, paper, day)
        facts = {"name": request.deck}
        if "\n" in request.deck or is_deck_file(request.deck):
            read = read_deck(project, request.deck, request.game, day).deck
            facts = deck_facts(read, game.spec)
            format_ = read.headers.get("format", "")
            module = module or (format_ if format_ in modules_of(game.spec) else "")
        choice = ComponentChoice(request.names, module, request.values)
        if advice := module_advice(game.spec, choice):
            project.notify("one_module", advice)
        module = "" if module == EVERY_MODULE else module or default_module(game.spec, choice)
        workshop = open_workshop(game, art_folder=project.art_folder, lang=options.lang)
        own_cards = None
        each_card = any(part.each for part in game.spec.components.values())
        if game.spec.is_foreign(options.lang) and each_card and project.has_catalog():
            own_cards = cards_in_language(project, game, list(game.own_cards), options.lang, day)
        with project.working("drawing"):
            printed = within_budget(
                options,
                lambda o: print_components(
                    workshop, request.names, o, request.players, facts,
                    module=module, values=request.values, contents=request.contents, readings=changed,
                    own_cards=own_cards,
                ),
            )  # fmt: skip
    refuse_for_press(options, printed)
    summary = f"{amount(printed.cards, 'piece')} on {amount(printed.sheets, 'sheet')}"
    summary += (f"; {printed.label}" if printed.label else "") + coarser(options, printed)
    return PrintedFile(
        printed.data, printed.pages, printed.sheets, printed.cards, printed.findings, tuple(notices), summary,
        printed.runs, printed.ink, project, printed.cut_files,
    )  # fmt: skip


def component_spreadsheet(project: Workspace, request: ComponentRequest) -> PrintedFile:
    """Returns a component to fill in, such as a form, as XLSX. Raises UsageError if it cannot be a spreadsheet."""
    game, _ = _game_and_module(project, request)
    keys = list(dict.fromkeys(part.key for part in select_components(game.spec, ComponentChoice(request.names))))
    data = form_xlsx(game, keys)
    return PrintedFile(data, cards=1, summary=game.spec.components[keys[0]].label, project=project)


def _game_and_module(project: Workspace, request: ComponentRequest) -> tuple[Game, str]:
    game = project.game(request.game)
    path = Path(request.module)
    return with_module(project, game, path) if path.suffix else (game, request.module)


def with_module(project: Workspace, game: Game, path: Path) -> tuple[Game, str]:
    """Returns the game with the module in a file added to it, and the module's id.

    Raises UsageError if the game has no modules, InputError with every fault of the file.
    """
    from carddb.play.question import BadInput  # Pydantic, 40 ms, only for a module in a file

    make = game.hook("own_module")
    if make is None:
        raise UsageError(f"{game.spec.name} has no modules", "Leave --module out.")
    project.protect(path)
    try:
        document = json_value(read_file(path))
        if not isinstance(document, dict):
            raise ValueError("the file is not a JSON object")
        spec, key, findings = make(game.spec, document, str(path))
    except OSError as fault:
        raise unreadable(str(path), fault) from None
    except BadInput as refusal:
        field = refusal.details.get("field") or refusal.path or "a field"
        raise InputError(f"{path} is not a module: {field} has a wrong value", _AS_MODULE) from None
    except ValueError as fault:
        raise InputError(f"{path} is not a module: {fault}", _AS_MODULE) from None
    codes = game.rule_book.codes
    findings = [finding._replace(fix=finding.fix or codes[finding.code].fix) for finding in findings]
    if has_errors(findings):
        raise InputError(f"the module {path} has errors", "Correct the errors listed above.", findings)
    if findings:
        project.notify("module_remarks", "", findings)
    return Game(game.folder, spec), key


_AS_MODULE = "Write a bundled module to a file, and change what is different in your game."
SCORE_SHEET_KINDS = ("pdf", "xlsx", "csv")


def print_score_sheets(
    project: Workspace, game: Game, form: Sheets[Any], filled: FilledSheets, kind: str, paper: PaperOptions
) -> PrintedFile:
    """Returns score sheets that are filled in from sessions at a table as `pdf`, or their rows as `xlsx` or `csv`.

    A PDF has as many pages as the rows need. Raises UsageError for another kind.
    """
    check_kind(f"a {form.name} sheet is", kind, SCORE_SHEET_KINDS)
    if kind == "xlsx":
        return PrintedFile(write_workbook(form.name, form.columns, filled.rows), project=project)
    if kind == "csv":
        return PrintedFile(csv_table(form.columns, filled.rows), project=project)
    rows = tuple({"filled": page} for page in filled.pages)
    component = replaced(game.spec.components[form.component], rows=rows)
    spec = replaced(game.spec, components={**game.spec.components, form.component: component})
    options = sheet_options(project, paper, today())
    workshop = open_workshop(Game(game.folder, spec), art_folder=project.art_folder, lang=options.lang)
    printed = print_components(workshop, [form.component], options, players=1)
    return PrintedFile(
        printed.data, printed.pages, printed.sheets, printed.cards, printed.findings, project=project,
        summary=filled.title,
    )  # fmt: skip


_AS_LENGTH = "Write a length as 0.3mm or 0.01in."


@dataclass(frozen=True, slots=True)
class BoxRequest:
    """The box to print. `subject` is a deck file, the text of a deck (with a newline), a game's key, or a query."""

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
    """Returns the net of a box to cut out and fold, or dividers; see `Project.box`."""
    day = on or today()
    options = sheet_options(project, paper, day)
    subject = request.subject
    if "\n" in subject or is_deck_file(subject):
        selection = select_deck(project, subject, CheckRequest(on=day))
    else:
        query, key = ("", subject) if subject in project.folders else (subject, None)
        selection = select_cards(project, query, key, day)
    return box_for(project, selection, request, options)


def box_for(project: Workspace, selection: Selection, request: BoxRequest, options: SheetOptions) -> PrintedFile:
    """Returns the net of a box for cards, or dividers. Raises UsageError without cards, or parts to divide."""
    with project.recording() as notices:
        spec, copies = selection.game.spec, selection.copies
        if not copies:
            raise UsageError(f"{selection.title or spec.name} has no cards", "Name a deck file, or a game with cards.")
        usual, own = target_size(card_size(spec.card_size), options), printed_type_sizes(spec, options)
        sizes = [sorted(own.get(card.type, usual)) for card, _ in copies]
        largest = Size(max(short for short, _ in sizes), max(long for _, long in sizes))
        title = selection.title if selection.sections else spec.name  # a query is no title for a box
        counts = totals((selection.sections.get(card.ref, "Cards"), count) for card, count in copies)
        contents = [PieceCount(*part) for part in counts.items()]
        sections = {spec.section_label(key): key for key in spec.sections}
        parts = [PilePart(label, count, section=sections.get(label, "")) for label, count in counts.items()]
        if len(parts) < 2:
            kinds = totals((spec.shown_type(card), count) for card, count in copies)
            parts = [PilePart(spec.plural_of(kind), count, type=kind) for kind, count in kinds.items()]
        if len(parts) < 2 and (decks := spec.data.get("box", {}).get("decks")):
            piles = totals((str(card.get(decks)), count) for card, count in copies)
            parts = [PilePart(spec.section_label(key), count, section=key) for key, count in piles.items()]
        if request.style == "dividers" and len(parts) < 2:
            problem = f"all cards of {title} are of one kind, so there is nothing for dividers to divide"
            raise UsageError(problem, "Name a deck with several sections, or a game with several types of card.")
        about = ""
        if selection.game.folder.guide_in(options.lang, summary=True).is_file():
            # Rule sheets take as long to import (0.25 s) as all that components need.
            from carddb.press.documents.guide import guide_document

            about = plain(guide_document(selection.game, options.lang, voice="summary")[0].lead)
        pile = Pile(
            request.title or title, largest, sum(count for _, count in copies), sheet_length(request.stock_thickness),
            sheet_length(request.play), request.sleeved, parts, contents, about=about,
        )  # fmt: skip
        if request.cards:
            pile = pile._replace(contents=[PieceCount("Cards", request.cards)], cards=request.cards)
        elif request.subject == spec.key:
            pile = with_components(pile, selection.game)
        workshop = open_workshop(selection.game, (), project.art_folder, options.lang)
        with project.working("drawing"):
            printed = within_budget(options, lambda o: print_box(workshop, pile, request.style, o))
        if request.style == "tuck" and not printed.label.startswith("tuck"):
            paper = paper_label(paper_size(options.paper))
            project.notify("box_form", f"a tuck box does not fit on {paper}; a base and a lid are printed instead")
    refuse_for_press(options, printed)
    summary = f"{printed.label}, {pile.room}{coarser(options, printed)}"
    return PrintedFile(
        printed.data, printed.pages, printed.sheets, pile.cards, printed.findings, tuple(notices), summary,
        project=project, cut_files=printed.cut_files,
    )  # fmt: skip
