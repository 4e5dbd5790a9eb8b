"""Prints components such as reference cards, tracks, mats and counters, with a list of contents in front."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.cards.cards import Card, Deck
from carddb.core.errors import UsageError
from carddb.core.groups import totals
from carddb.core.names import capital
from carddb.core.plain_text import amount, as_ranges
from carddb.core.units import Box, Size, mm, to_mm
from carddb.game.game import GameSpec
from carddb.game.parts import ComponentSpec
from carddb.games import Game
from carddb.games.opening.folder import COVER
from carddb.layout.calibration import corrected
from carddb.layout.display_list import Path, Stroke, rectangle
from carddb.layout.sheets.furniture import Caption
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Page, Placed, face_matrix, impose, renumber
from carddb.layout.stock import describe, paper_label, paper_size
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.press.components.selection import (
    ComponentChoice,
    SelectedComponent,
    modules_of,
    only_when_named,
    select_components,
)
from carddb.press.components.sheets import PrintedPiece, PrintRun, component_pieces, material_of, print_runs, spares
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.workshop import Workshop, families_of
from carddb.press.sheet_endings import own_reading_values, own_readings_line
from carddb.press.sheets.card_sheets import estimate, prepress_for
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PageFurniture, PrintedSheets, cut_files

CONTENTS = "contents.svg"
BLANK = "This side stays blank."
"""The text on an empty back, inserted so that a double-sided printer keeps the sides of later sheets together."""

LEAST_PAPER = Size(mm(140), mm(180))
# Lengths on the page in millimetres. All others are in the template.
_SIDE, _TOP, _LATER_TOP, _FOOT = 18.0, 44.0, 28.0, 24.5
_HEADING = 6.0
_PARTS = range(30, 10, -1)
"""The possible heights in millimetres of a line with a component's picture. A lower one is used if it saves a page."""
_FRAME = "#85878b"
_LINE = 80
"""The least width, in micrometres, of lines in a component's picture that keep their full colour; others are paler."""
_TWO_COLUMNS = 190
"""The least width of paper, in millimetres, on which two components are listed beside each other."""
_GAP, _TICK = 8.0, 7.0
"""The distance between two columns, and the width of the box to tick off before a picture, in millimetres."""
_COVER = Size(mm(45), mm(27))
"""The size of a game's cover picture, in the upper right corner."""


class ComponentLine(NamedTuple):
    """A line about a printed component: the size, number and fronts of its pieces, and the number of spares besides."""

    key: str
    component: ComponentSpec
    size: Size
    pieces: int
    fronts: Sequence[int]
    spares: int = 0


class RunLine(NamedTuple):
    """A line about sheets that are printed in one go.

    `pages` is the range of their pages in the file, `first` the first of these, and `on` the material. `edge` is the
    edge over which sheets printed on both sides are turned; empty for others.
    """

    pages: str
    sheets: int
    on: str
    sides: str
    edge: str
    first: int

    def __str__(self) -> str:
        """Returns the line as text, such as `pages 9–10: 1 sheet of card, both sides, turned over the long edge`."""
        pages = f"page{'' if self.pages.isdigit() else 's'} {self.pages}"
        sheets = f"{amount(self.sheets, 'sheet')} of {self.on}"
        turned = f"turned over the {self.edge}" if self.edge else ""
        return f"{pages}: {', '.join(filter(None, (sheets, self.sides, turned)))}"


def contents_pages(
    workshop: Workshop,
    lines: Sequence[ComponentLine],
    runs: Sequence[PrintRun],
    selection: str,
    paper: Size,
    choice: ComponentChoice,
    readings: Sequence[str],
) -> list[dict[str, Any]]:
    """Returns the template's data for each page of the list of contents; empty if the paper is too small.

    `runs` are the sheets with the components, and `selection` is the choice of components as text. `readings` are the
    names of the house options whose values differ from the default.
    """
    if paper.width < LEAST_PAPER.width or paper.height < LEAST_PAPER.height:
        return []
    spec = workshop.game.spec

    reading_lines = [
        {"kind": "reading", "value": value, "text": label} for value, label in own_reading_values(spec, readings)
    ]
    brought = [
        {"kind": "bring", "text": f"{part.count} × {part.what}" if part.count else capital(part.what), "per": part.per}
        for part in spec.brought
    ]
    apart = list(_apart(workshop.game, choice))

    def parts(shift: int) -> list[tuple[str, list[dict[str, Any]]]]:
        """Returns each heading with the lines below it; their page numbers count `shift` pages before the sheets."""
        to_print = [{"kind": "run", **line._asdict()} for line in run_lines(runs, shift)]
        here = [_part(line, runs, shift) for line in lines]
        headings = ("To print", "Printed here", spec.sheet_words.printed_with, "To bring", "Printed apart")
        return list(zip(headings, (to_print, here, reading_lines, brought, apart), strict=True))

    counts = {height: len(_placed(parts(0), height, paper)) for height in _PARTS}
    height = min(counts, key=lambda height: counts[height])
    shift = counts[height]
    common = {
        "game": {"name": spec.name, "key": spec.key, "by": spec.by},
        "label": workshop.family("label"),
        "heading": families_of(spec).heading,
        "wanted": selection,
        "pieces": sum(line.pieces for line in lines),
        "sheets": sum(run.sheets for run in runs) + shift,
        "cover": to_mm(_COVER.width) if workshop.game.folder.has_cover else 0,
        "thick": any(run.material == "thick card" for run in runs),
    }
    page = {"width": to_mm(paper.width), "height": to_mm(paper.height), "total": shift, "paper": paper_label(paper)}
    return [
        {**common, "page": {**page, "number": number}, "items": items}
        for number, items in enumerate(_placed(parts(shift), height, paper), start=1)
    ]


def _apart(game: Game, choice: ComponentChoice) -> Iterator[dict[str, str]]:
    """Yields lines about what else can be printed for the game, each with the command that prints it."""

    def apart(label: str, id_: str, command: str) -> dict[str, str]:
        return {"kind": "apart", "label": label, "id": id_, "command": command}

    spec = game.spec
    if game.folder.guide_file.is_file():
        yield apart("Rule sheet", "", f"carddb guide {spec.key}")
    if spec.sections and not any(part.each for part in spec.components.values()):
        yield apart("Cards of a deck", "", "carddb sheets DECK")
    if game.folder.cards_file:
        dividers = ", or dividers with --style dividers" if len(spec.types) > 1 else ""
        yield apart(f"Box{dividers}", "", f"carddb box {spec.key}")
    for key, part in spec.components.items():
        if not part.drawn:
            yield apart(part.label or key, part.id, "carddb decklist DECK")
    for key, part in only_when_named(spec, choice).items():
        yield apart(part.label or key, part.id, f"carddb components {spec.key} {key}")
    if len(modules := modules_of(spec)) > 1:
        yield apart(f"For one of all {len(modules)} modules", "", f"carddb components {spec.key} --module MODULE")


def run_lines(runs: Iterable[PrintRun], shift: int) -> list[RunLine]:
    """Returns a line for each run; the first begins after `shift` pages, and two-sided runs begin on an odd page."""
    lines: list[RunLine] = []
    last = shift
    for run in runs:
        first = last + 1 + (last % 2 if run.sides == "both sides" else 0)
        last = first + len(run.pages) - 1
        edge = run.pages[0].flip.replace("-", " ") if run.sides == "both sides" else ""
        pages = as_ranges(range(first, last + 1))
        lines.append(RunLine(pages, run.sheets, run.material, run.sides, edge, first))
    return lines


def _placed(
    parts: Iterable[tuple[str, Sequence[dict[str, Any]]]], part_height: float, paper: Size
) -> list[list[dict[str, Any]]]:
    """Returns the headings and lines of each page. Their places, and `part_height`, are in millimetres.

    A heading is always followed by a line on the same page, and is repeated if its lines continue on another page.
    """
    pages: list[list[dict[str, Any]]] = [[]]
    room, columns = to_mm(paper.width) - 2 * _SIDE, 2 if to_mm(paper.width) >= _TWO_COLUMNS else 1
    wide = (room - (columns - 1) * _GAP) / columns
    y, heading_height = _TOP, _HEADING + 2 + part_height / 9
    for heading, lines in parts:
        in_row, row = (columns, part_height) if lines and lines[0]["kind"] == "part" else (1, 3.6 + part_height / 9)
        for start in range(0, len(lines), in_row):
            above = heading_height if start == 0 else 0
            if y + above + row > to_mm(paper.height) - _FOOT:
                pages.append([])
                y, above = _LATER_TOP, heading_height
            if above:
                pages[-1].append({"kind": "heading", "y": y, "height": above, "text": heading})
            for column, line in enumerate(lines[start : start + in_row]):
                x = _SIDE + column * (wide + _GAP)
                pages[-1].append({**line, "x": x, "y": y + above, "width": wide, "height": row})
            y += above + row
    return pages


def _part(line: ComponentLine, runs: Sequence[PrintRun], shift: int) -> dict[str, Any]:
    numbers = {
        number
        for run, told in zip(runs, run_lines(runs, shift), strict=True)
        for number, page in enumerate(run.pages, told.first)
        if page.side == "front" and any(placed.face in line.fronts for placed in page.placed)
        for number in ((number, number + 1) if run.sides == "both sides" else (number,))
    }
    return {
        "kind": "part",
        "text": line.component.label or line.key,
        "id": line.component.id,
        "pieces": line.pieces,
        "spares": line.spares,
        "size": describe(line.size),
        "on": material_of(line.component, line.size),
        "pages": as_ranges(numbers),
        "face": line.fronts[0],
    }


def _picture(bank: FaceBank, item: Mapping[str, Any]) -> tuple[Placed, Path]:
    """Returns the picture of a listed component and its frame, as large as its line has room for but not enlarged."""
    face, outline = item["face"], bank.outline_of(item["face"])
    size, height = bank.size_of(face), mm(item["height"] - 2)
    width = min(mm(26), height * 6 // 5)
    across, down = min(width, size.width), min(height, size.height)
    x, y = mm(item["x"] + _TICK) + (width - across) // 2, mm(item["y"] + 1) + (height - down) // 2
    matrix = face_matrix(size, Placed(face, Box(x, y, across, down), Box(x, y, across, down), 0))
    scale, _, _, _, left, top = matrix
    box = Box(round(left), round(top), round(scale * size.width), round(scale * size.height))
    a, b, c, d, e, f = map(float, matrix)
    edge = outline.moved((a, b, c, d, e, f)).path if outline else rectangle(box)
    face = bank.small(face, round(_LINE / abs(scale)))
    return Placed(face, box, box, 0, edge if outline else ()), Path(edge, stroke=Stroke(_FRAME, 150))


def deck_facts(deck: Deck, spec: GameSpec) -> dict[str, str]:
    """Returns, by name, what components show about a deck: its name, its headers, and each field's commonest value."""
    facts = {}
    for name, field in spec.all_fields().items():
        if field.type not in ("text", "choice"):
            continue
        values = totals((value, e.count) for e in deck.entries if e.card and (value := e.card.get(name)))
        if values:
            facts[name] = str(min(values, key=lambda value: (-values[value], str(value))))
    return {**facts, **deck.headers, "name": deck.name}


def print_components(
    workshop: Workshop,
    names: Sequence[str],
    options: SheetOptions,
    players: int | None = None,
    deck: Mapping[str, Any] | None = None,
    *,
    module: str = "",
    values: Mapping[str, str] = MappingProxyType({}),
    contents: bool = True,
    readings: Sequence[str] = (),
    own_cards: Sequence[Card] | None = None,
) -> PrintedSheets:
    """Prints the components that `names`, `module` and `values` select, as many as `players` players need.

    If `players` is None, there are enough for one player if `deck` has a name, otherwise for the smallest number of
    players. `deck` has the facts about a deck that components show. If `names` is empty, a list of contents comes first
    unless `contents` is False. `readings` are the names of the house options whose values differ from the default; the
    sheets mention them. `own_cards` replace the game's own cards, for example by translated ones. Raises UsageError if
    nothing can be printed for the choice or a piece does not fit, TemplateError if one cannot be drawn.
    """
    prepress = prepress_for(workshop.game.spec, options)
    bank = FaceBank(workshop, ink=options.ink, prepress=prepress)
    spec, choice = workshop.game.spec, ComponentChoice(names, module, values)
    players = players or (1 if deck and deck.get("name") else spec.players[0])
    own = own_readings_line(spec, readings)
    picked = _picked(workshop.game, choice, own_cards)
    pieces = [piece for part in picked for piece in component_pieces(bank, part, players, deck or {}, options)]
    runs = print_runs(bank, pieces, options)
    drawn = [page for run in runs for page in run.pages]
    cover: list[Page] = []
    if contents and not names:
        who = amount(players, "player") if spec.players[1] > 1 else "solo play"
        selection = ", ".join([who, *choice.in_words(spec)])
        cover = _contents(bank, pieces, runs, selection, choice, options, readings)
    pages = corrected(renumber([*cover, *drawn]), options.printer)
    pages = [page._replace(number=number, total=len(pages)) for number, page in enumerate(pages, start=1)]
    sides = [page.side for page in pages]
    duplex = options.flip if sides == ["front", "back"] * (len(sides) // 2) else "none"
    caption = Caption(spec.name, "components", own or spec.footer, counted="page")
    furniture = PageFurniture(workshop, options)
    pages = [page if page.filled else page._replace(grid=whole_page(page.size)) for page in pages]
    pages = [furniture.around(page, caption, own if page.filled else BLANK) for page in pages]
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight, prepress=prepress)
    data = sheets_pdf(
        map(FaceStreams(bank).drawn, pages), workshop.kit.book, album,
        title=f"{spec.name}: components", lang=workshop.lang, duplex=duplex,
        two_sided="back" in sides, creation=options.creation, prepress=prepress,
    )  # fmt: skip
    faces = [n for piece in pieces for _ in range(piece.copies) for n in (piece.front, piece.back) if n is not None]
    ink = partial(estimate, bank, faces, paper_size(options.paper), len(pages))
    findings = (*bank.findings, *undrawn(album, workshop.images))
    regroup = workshop.game.hook("component_findings")
    findings = tuple(regroup(findings)) if regroup else findings
    count = sum(piece.copies for piece in pieces)
    label = prepress.label if prepress else ""
    return PrintedSheets(
        data, len(pages), sides.count("front"), count, findings, label, ink, album.size, options.art_dpi, album.finest,
        tuple(map(str, run_lines(runs, len(cover)))), cut_files(pages, options.cutter),
    )  # fmt: skip


def _picked(game: Game, choice: ComponentChoice, own_cards: Sequence[Card] | None) -> list[SelectedComponent]:
    """Returns the chosen components that have a drawing. Raises UsageError if a named one has none, or if none has."""
    has_cards = any(part.each for part in game.spec.components.values())
    cards = game.in_print(game.own_cards if own_cards is None else own_cards) if has_cards else ()
    every = select_components(game.spec, choice, cards)
    drawn = [part for part in every if part.component.drawn]
    lacking = [part.component.label for part in every if not part.component.drawn]
    if not drawn or (lacking and choice.names):
        raise UsageError(
            f"{game.spec.name} has no drawing of {', '.join(lacking) or 'any component'}",
            f"Choose one that `carddb games {game.key}` lists; `carddb decklist` prints the cards of a deck.",
        )
    return drawn


def _contents(
    bank: FaceBank,
    pieces: Sequence[PrintedPiece],
    runs: Sequence[PrintRun],
    selection: str,
    choice: ComponentChoice,
    options: SheetOptions,
    readings: Sequence[str],
) -> list[Page]:
    """Returns the pages of the list of contents; empty if the paper is too small."""
    extra = spares(runs, pieces)
    lines = []
    for key, group in groupby(pieces, key=attrgetter("key")):
        same = list(group)
        count = sum(piece.copies for piece in same)
        fronts = list(dict.fromkeys(piece.front for piece in same))
        over = sum(extra[face] for face in fronts)
        lines.append(ComponentLine(key, same[0].component, bank.size_of(fronts[0]), count, fronts, over))
    paper = paper_size(options.paper)
    contexts = contents_pages(bank.workshop, lines, runs, selection, paper, choice, readings)
    pages = impose([(bank.page(CONTENTS, context), None) for context in contexts], whole_page(paper), options.flip)
    for number, (page, context) in enumerate(zip(pages, contexts, strict=True)):
        pictures = [_picture(bank, item) for item in context["items"] if item["kind"] == "part"]
        placed, frames = [picture for picture, _ in pictures], tuple(frame for _, frame in pictures)
        if number == 0 and context["cover"] and options.ink != "text":  # text only would leave empty frames
            place = Box(paper.width - mm(_SIDE) - _COVER.width, mm(12), *_COVER)
            placed.append(Placed(bank.plain(COVER), place, place, 0))
        pages[number] = page._replace(placed=(*page.placed, *placed), furniture=frames)
    return pages
