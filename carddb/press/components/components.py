"""The things a game prints that are not cards: reference cards, tracks, mats, counters, sheets to write on."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from carddb.cards.cards import Card, Deck
from carddb.core.errors import UsageError
from carddb.core.plain_text import amount
from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.layout.calibration.registration import corrected
from carddb.layout.sheets.furniture import Caption
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Page, impose, renumber
from carddb.layout.stock import paper_size
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.press.components.contents import CONTENTS, ContentsLine, contents_pages, run_lines
from carddb.press.components.selection import Choice, SelectedComponent, select_components
from carddb.press.components.sheets import PrintedPiece, PrintRun, component_pieces, print_runs, spares
from carddb.press.faces.art import undrawn
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.workshop import Workshop
from carddb.press.sheet_endings import own_reading_values, own_readings_line
from carddb.press.sheets.card_sheets import estimate
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PageFurniture, PrintedSheets


def deck_facts(deck: Deck, spec: GameSpec) -> dict[str, str]:
    """What a component may show of a deck: name, header, the commonest value of each text or choice of its cards."""
    facts = {}
    for name, field in spec.all_fields().items():
        if field.type not in ("text", "choice"):
            continue
        values = Counter(e.card.get(name) for e in deck.entries if e.card and e.card.get(name) for _ in range(e.count))
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
    """Every chosen component in the number that `players` need; names, `module` and `values` choose.

    `readings` are the options that have a value of the table's own; the sheets say so. `own_cards` are the game's own,
    where they have words in another language.
    Without `players` they are as many as a game needs at least, and one where a `deck` is given. Where none is named,
    a list of what is printed comes first, unless `contents` is False. Raises UsageError, TemplateError.
    """
    bank = FaceBank(workshop, ink=options.ink)
    spec, choice = workshop.game.spec, Choice(names, module, values)
    players = players or (1 if deck and deck.get("name") else spec.players[0])
    own = own_readings_line(spec, readings)
    picked = _picked(workshop.game, choice, own_cards)
    pieces = [piece for part in picked for piece in component_pieces(bank, part, players, deck or {}, options)]
    runs = print_runs(bank, pieces, options)
    drawn = [page for run in runs for page in run.pages]
    cover: list[Page] = []
    if contents and not names:
        selection = ", ".join([amount(players, "player"), *choice.in_words(spec)])
        own_values = own_reading_values(spec, readings)
        cover = _contents(bank, pieces, runs, selection, choice, options, own_values)
    pages = corrected(renumber([*cover, *drawn]), options.printer)
    caption = Caption(spec.name, "components", own or spec.footer)
    furniture = PageFurniture(workshop, options)
    pages = [furniture.around(page, caption, own) if page.filled else page for page in pages]
    album = PdfImages(workshop.images, options.art_dpi, tight=options.tight)
    data = sheets_pdf(
        map(FaceStreams(bank).drawn, pages), workshop.kit.book, album,
        title=f"{spec.name}: components", lang=workshop.lang, duplex=_duplex(pages, options.flip),
        two_sided=any(page.side == "back" for page in pages), creation=options.creation,
    )  # fmt: skip
    sheets = sum(page.side == "front" for page in pages)
    faces = [n for piece in pieces for _ in range(piece.copies) for n in (piece.front, piece.back) if n is not None]
    ink = partial(estimate, bank, faces, paper_size(options.paper), len(pages))
    findings = (*bank.findings, *undrawn(album, workshop.images))
    regroup = workshop.game.hook("component_findings")
    findings = tuple(regroup(findings)) if regroup else findings
    count = sum(piece.copies for piece in pieces)
    return PrintedSheets(
        data, len(pages), sheets, count, findings, "", ink, album.size, options.art_dpi, album.finest,
        tuple(map(str, run_lines(runs, len(cover)))),
    )  # fmt: skip


def _duplex(pages: Sequence[Page], flip: str) -> str:
    """How a printer is asked to turn the sheets: not at all where some of them are to be printed on one side."""
    sides = [page.side for page in pages]
    return flip if sides == ["front", "back"] * (len(sides) // 2) else "none"


def _picked(game: Game, choice: Choice, own_cards: Sequence[Card] | None) -> list[SelectedComponent]:
    """The components of a choice that are drawn. Raises UsageError where one is named that is not, or where none is."""
    has_cards = any(part.each for part in game.spec.components.values())
    cards = game.in_print(game.own_cards if own_cards is None else own_cards) if has_cards else ()
    every = select_components(game.spec, choice, cards)
    drawn = [part for part in every if part.component.drawn]
    lacking = [part.component.label for part in every if not part.component.drawn]
    if not drawn or (lacking and choice.names):
        raise UsageError(
            f"{game.spec.name} has no drawing of {', '.join(lacking) or 'any component'}",
            "A deck list is made by `carddb decklist`; see `carddb games KEY`.",
        )
    return drawn


def _contents(
    bank: FaceBank,
    pieces: Sequence[PrintedPiece],
    runs: Sequence[PrintRun],
    selection: str,
    choice: Choice,
    options: SheetOptions,
    readings: Sequence[tuple[str, str]],
) -> list[Page]:
    """The pages that say what is printed; none on paper that is too small for them."""
    numbered = renumber([page for run in runs for page in run.pages])
    extra = spares(runs, pieces)
    sheets: defaultdict[int, set[int]] = defaultdict(set)
    for page in numbered:
        for placed in page.placed:
            sheets[placed.face].add(page.number)
    lines = []
    for key, group in groupby(pieces, key=attrgetter("key")):
        same = list(group)
        on = frozenset().union(*(sheets[piece.front] for piece in same))
        count = sum(piece.copies for piece in same)
        over = sum(extra[face] for face in {piece.front for piece in same})
        lines.append(ContentsLine(key, same[0].component, bank.size_of(same[0].front), count, on, over))
    paper = paper_size(options.paper)
    pages = contents_pages(bank.workshop, lines, runs, selection, paper, choice, readings)
    return impose([(bank.page(CONTENTS, context), None) for context in pages], whole_page(paper), options.flip)
