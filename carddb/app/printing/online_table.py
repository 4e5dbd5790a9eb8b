"""A game on an online table: its decks and components laid out, as a file for several programs or as a picture."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

from carddb.app.decks.check import ReadDeck, read_deck
from carddb.app.documents import PAPERS, print_rule_sheet
from carddb.app.printing.selection import is_deck_file
from carddb.app.workspace.clock import creation, today
from carddb.app.workspace.published_folder import PrintedFile, checked_address, zip_folder
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck
from carddb.core.errors import UsageError
from carddb.core.executors import InProcess
from carddb.core.groups import grouped
from carddb.core.names import did_you_mean
from carddb.core.options import Option
from carddb.core.plain_text import amount, json_bytes
from carddb.core.units import Box, Size
from carddb.findings import Finding, has_errors
from carddb.games import Game
from carddb.layout.documents.blocks import contents, plain
from carddb.layout.stock import card_size
from carddb.paint.rasterizer import page_png
from carddb.press.components.components import deck_facts
from carddb.press.components.selection import ComponentChoice, modules_of, select_components
from carddb.press.components.sheets import component_pieces
from carddb.press.documents.guide import guide_document
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.card_pictures import MOST_AT_ONCE, Pages, draw_files
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.options import SheetOptions
from carddb.press.shops.playingcards import FOLDER, ROOM, RoomWriter
from carddb.press.shops.table import (
    OnlineTable,
    Seat,
    TablePiece,
    Thing,
    is_board,
    lay_out,
    plan_pdf,
    plan_size,
    table_area,
)
from carddb.press.shops.tabletop import UPLOAD, address, file_stem, rules_book, tabletop_deck
from carddb.read.decks.programs import OBJECTS
from carddb.read.decks.text import open_deck

Program = Literal["tts", "pcio", "plan"]
_ENDINGS: Mapping[str, Sequence[str]] = {"tts": (".json", ".zip"), "pcio": (".pcio", ".zip"), "plan": (".png", ".pdf")}
_DPI, _ROOM_DPI, _PLAN_DPI = 200, 150, 200


@dataclass(frozen=True, slots=True)
class TableRequest:
    """A request for an online table: `names` are a game, or the deck files of its players."""

    # fmt: off
    names: Sequence[str] = ()
    program: Annotated[Program, Option(
        "tts: Tabletop Simulator; pcio: playingcards.io and virtualtabletop.io; plan: a picture of the table.",
        "plan", flag="--for")] = "plan"
    game: Annotated[str | None, Option("The game of the decks, if they do not name it.", metavar="G")] = None
    paper: Annotated[str, Option("The paper of a plan.", "a4")] = "a4"
    url: Annotated[str, Option("The address at which Tabletop Simulator will find the pictures.", "")] = ""
    on: Annotated[date | None, Option("The cards as of this day (default: today).", metavar="DAY")] = None
    # fmt: on


@dataclass(frozen=True)
class GameTable:
    """A game laid out on a table, the faces that the table names by their index, and the findings about the decks."""

    game: Game
    table: OnlineTable
    streams: FaceStreams
    findings: Sequence[Finding]


def game_table(project: Workspace, request: TableRequest) -> GameTable:
    """Returns the table with the decks of a request, one for each player, or with a game's example decks.

    Raises UsageError for an unknown game or decks of several games, InputError if a deck cannot be read.
    """
    game, read = _game_and_decks(project, request)
    decks = [each.deck for each in read]
    findings = [finding for at, each in enumerate(read) if each not in read[:at] for finding in each.findings]
    spec = game.spec
    seats = [_seat(deck) for deck in decks] or [Seat("", {})] * spec.players[0]
    cards = [entry.card for deck in decks for entry in deck.entries if entry.card]
    streams = FaceStreams(FaceBank(open_workshop(game, cards, project.art_folder), lenient=True))
    format_ = decks[0].headers.get("format", "") if decks else ""
    modules = modules_of(spec)
    module = format_ if format_ in modules else next(iter(modules), "")
    card = card_size(spec.card_size)
    area = ROOM if request.program == "pcio" else table_area(plan_size(request.paper))
    things = _things(game, streams.bank, decks, ComponentChoice(module=module), len(seats), card)
    table = lay_out(spec, f"{spec.name}: the table", seats, things, card, area.width / area.height)
    return GameTable(game, table, streams, findings)


def _game_and_decks(project: Workspace, request: TableRequest) -> tuple[Game, list[ReadDeck]]:
    """Returns the game, and a deck for each player; no decks if the request names a game without example decks."""
    day, names = request.on or today(), request.names
    if len(names) == 1 and not is_deck_file(names[0]):
        if project.game_called(names[0]) is None:
            raise UsageError(f"{names[0]} is neither a game nor a deck file", did_you_mean(names[0], project.folders))
        game = project.game(names[0])
        examples = [read_deck(project, open_deck(game.folder.source(file)), game.key, day)
                    for file in game.folder.decks]  # fmt: skip
        whole = [each for each in examples if not has_errors(each.findings)]
        if len(whole) < len(examples):
            project.notify("decks_left_out", "example decks with cards that the catalogue lacks are left out")
        fitting = [each for each in whole if each.deck.headers.get("format") == whole[0].deck.headers.get("format")]
        return game, [fitting[at % len(fitting)] for at in range(game.spec.players[0])] if fitting else []
    if not names:
        raise UsageError("neither a game nor a deck is named", "Name a game, or a deck file for each player.")
    read = [read_deck(project, Path(name), request.game, day) for name in names]
    keys = {each.game.key for each in read}
    if len(keys) > 1:
        raise UsageError(f"the decks are of several games: {', '.join(sorted(keys))}", "Name decks of one game.")
    return read[0].game, read


def _seat(deck: Deck) -> Seat:
    sections = grouped((entry.section, (entry.card, entry.count)) for entry in deck.entries if entry.card)
    return Seat(deck.name or Path(deck.file).stem, sections)


def _things(
    game: Game, bank: FaceBank, decks: Sequence[Deck], choice: ComponentChoice, players: int, card: Size
) -> list[Thing]:
    """Returns the game's components; what is printed on a player's components depends on the player's deck.

    A component's pieces are in one pile, except boards. Documents, and components of cards (decks have them), are out.
    """
    things = list[Thing]()
    for part in select_components(game.spec, choice):
        if part.component.each or not part.component.drawn:
            continue
        own = part.component.per == "player"
        for seat in range(1, players + 1) if own else (0,):
            facts = deck_facts(decks[max(seat, 1) - 1], game.spec) if decks else {"name": ""}
            pieces = component_pieces(bank, part, 1 if own else players, facts, SheetOptions())
            apart = [TablePiece(each.front, each.back, each.copies, part.component.shape) for each in pieces]
            size = bank.size_of(apart[0].front)
            lying = [[piece] for piece in apart] if is_board(size, card) else [apart]
            label = part.component.label or part.key
            things += [Thing(label, seat, together, Box(0, 0, *size)) for together in lying]
    return things


def table_file(project: Workspace, request: TableRequest, output: Path) -> PrintedFile:
    """Returns the bytes of the file `output` with the table; for Tabletop Simulator, pictures are written beside it.

    A ZIP has its pictures. Raises UsageError for an ending that does not suit the program, TemplateError, FontError.
    """
    checked_address(request.url)
    if output.suffix.lower() not in _ENDINGS[request.program]:
        known = " or ".join(_ENDINGS[request.program])
        raise UsageError(f"{output.name} is no file for --for {request.program}", f"Name a file that ends in {known}.")
    with project.recording() as notices, project.working("laying the table"):
        made = game_table(project, request)
        writers: Mapping[str, Callable[[], bytes]] = {
            "tts": lambda: _tabletop(project, made, request, output),
            "pcio": lambda: _room(made),
            "plan": lambda: plan_pdf(made.streams, made.table, plan_size(request.paper), creation(request.on)),
        }
        data = writers[request.program]()
        if output.suffix.lower() == ".png":
            data = page_png(data, 0, _PLAN_DPI)
    table = made.table
    sums = f"{amount(len(table.seats), 'player')}, {amount(len(table.stacks), 'place')}, "
    dice = amount(len(table.dice), "die").replace("dies", "dice")
    sums += f"{amount(sum(thing.copies for thing in table.things), 'component')}, {dice}"
    findings = (*made.findings, *made.streams.bank.findings)
    return PrintedFile(data, 1, findings=findings, notices=tuple(notices), summary=sums, project=project)


def _tabletop(project: Workspace, made: GameTable, request: TableRequest, output: Path) -> bytes:
    """Returns a saved object, and writes its files beside `output`; if that is a ZIP, returns a ZIP of all files."""
    if output.suffix.lower() == ".zip":
        with TemporaryDirectory() as name:
            inside = Path(name) / output.with_suffix(".json").name
            inside.write_bytes(_tabletop(project, made, request, inside))
            return zip_folder(Path(name))
    table, url, stem = made.table, request.url, file_stem(output.stem)
    piles = {name: copies for name, (copies, _, _) in table.piles.items()}
    pages = Pages(made.streams, _DPI)
    value, _ = tabletop_deck(pages, piles, output.parent, stem, InProcess(), url, table=table)
    if text := _rules(made.game):
        rules = print_rule_sheet(project, made.game.key, "pdf", PAPERS[0], "", on=request.on, voice="rulebook")
        project.write(output.parent / f"{stem}-rules.pdf", rules.data)
        value[OBJECTS].append(rules_book(table, address(url, f"{stem}-rules.pdf")))
        value["TabStates"] = {"0": {"title": "Rules", "body": text, "color": "Grey", "id": 0}}
    if not url:
        project.notify("upload_needed", UPLOAD)
    return json_bytes(value)


def _rules(game: Game) -> str:
    """Returns the rule sheet as plain text, for the notebook of Tabletop Simulator; empty if the game has none."""
    if not game.folder.guide_file.is_file():
        return ""
    document, _ = guide_document(game, voice="rulebook")
    lines = (line for each in document.sections for line in (each.title.upper(), *map(plain, contents(each.blocks))))
    return "\n".join(filter(None, lines))


def _room(made: GameTable) -> bytes:
    bank, table = made.streams.bank, made.table
    cards = {card.ref: card for stack in table.stacks for card, _ in stack.cards}
    fronts = {ref: bank.front(card) for ref, card in cards.items()}
    backs = {ref: bank.back(card) for ref, card in cards.items()}
    numbers = dict.fromkeys(
        [*fronts.values(), *(back for back in backs.values() if back is not None), *table.thing_faces]
    )
    pictures = {number: f"{at}.png" for at, number in enumerate(numbers, 1)}
    with TemporaryDirectory() as name:
        folder = Path(name)
        files = [folder / FOLDER / file for file in pictures.values()]
        for _ in draw_files(InProcess(), Pages(made.streams, _ROOM_DPI).jobs(pictures, files, MOST_AT_ONCE)):
            pass
        (folder / "widgets.json").write_bytes(json_bytes([*RoomWriter(table, pictures).widgets(fronts, backs)]))
        return zip_folder(folder)
