"""The validated deck list: verdict, findings, cards with tick boxes, fingerprint; as pages or as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carddb.cards import Entry
from carddb.errors import UsageError
from carddb.findings import CardCount, Finding, Severity
from carddb.game import GameSpec
from carddb.games import Game
from carddb.layout.column_flow import Block, Item, Measures, flow
from carddb.layout.display_list import Face
from carddb.layout.face import draw
from carddb.layout.fonts import FontBook
from carddb.layout.stock import paper_label, paper_size
from carddb.paint.sheets_pdf import faces_pdf
from carddb.press.decklist_text import (
    LONGEST_NAME,
    CheckedDeck,
    clipped,
    deck_words,
    finding_words,
    own_sums,
    verdict_words,
)
from carddb.press.workshop import BASE, Workshop
from carddb.rule_parts import SectionSpec
from carddb.units import Size, mm, to_mm

_TEMPLATE = f"{BASE}/deck-list.svg"

# Measures of the page in millimetres; those within its boxes stand in the template.
_BOX_TOP, _FINDING, _FOOT, _LATER_TOP = 46.4, 11.4, 42.6, 30.0
_CALM_BOX, _LEAST_BOX = 17.0, 27.0
_ROWS = (5.62, 5.3, 5.0, 4.6, 4.1)
"""Heights of a row, the best first."""
_HEADINGS = ((5.2, 8.4, 3.4), (4.5, 7.2, 2.4), (0.0, 6.4, 1.9))
"""From which row on, the height of a heading and the air before it."""
_LEAST_PAPER = Size(mm(190), mm(240))

_SHOWN, _MOST, _ON_A_BACK = 3, 9, 17
"""Findings on page 1 at least and at most, and on each page after the list."""
_LONG = 36
"""A finding of more lines than this marks none of them."""


@dataclass(frozen=True, slots=True)
class DeckListRow:
    """One card of the list: `numbers` are those of the findings it is guilty of."""

    name: str
    count: int
    numbers: tuple[int, ...] = ()


def deck_list_pdf(
    workshop: Workshop, checked: CheckedDeck, paper: str = "letter", lang: str = "en", creation: int = 0
) -> tuple[bytes, list[Finding]]:
    """The deck list as PDF, and what is wrong with its pages. Raises UsageError for a paper it does not fit."""
    faces, findings = deck_list_faces(workshop, checked, paper)
    title = f"Deck list: {checked.deck.name or 'unnamed'}"
    data = faces_pdf(faces, workshop.studio.book, workshop.images, title=title, lang=lang, creation=creation)
    return data, findings


def deck_lists_pdf(
    lists: Iterable[tuple[Workshop, CheckedDeck]], paper: str = "letter", lang: str = "en", creation: int = 0
) -> tuple[bytes, int, list[Finding]]:
    """The lists of many decks one after the other in one PDF, its pages, and what is wrong with them.

    Raises UsageError for a paper that a list does not fit.
    """
    pages: list[Face] = []
    findings: list[Finding] = []
    workshops: list[Workshop] = []
    for workshop, checked in lists:
        faces, faults = deck_list_faces(workshop, checked, paper)
        pages += faces
        findings += faults
        workshops.append(workshop)
    book = FontBook(font for workshop in workshops for font in workshop.studio.book.fonts.values())
    data = faces_pdf(pages, book, {}, title=f"{len(workshops)} deck lists", lang=lang, creation=creation)
    return data, len(pages), findings


def deck_list_faces(workshop: Workshop, checked: CheckedDeck, paper: str) -> tuple[list[Face], list[Finding]]:
    """The pages of the list, and what is wrong with them."""
    size = paper_size(paper)
    if size.width < _LEAST_PAPER.width or size.height < _LEAST_PAPER.height:
        raise UsageError(f"a deck list needs paper of {_LEAST_PAPER} or more, not {size}", "Use letter or a4.")
    spec = workshop.game.spec
    height = to_mm(size.height)
    grave = _grave(checked.findings)
    plan = _planned(checked, spec, grave, height)
    rest = [grave[at : at + _ON_A_BACK] for at in range(plan.shown, len(grave), _ON_A_BACK)]
    common = {
        "game": {"name": spec.name},
        "deck": deck_words(checked, workshop.game, plan.box),
        "verdict": verdict_words(checked, grave, plan.shown),
    }
    page = {
        "width": to_mm(size.width),
        "height": height,
        "total": len(plan.pages) + len(rest),
        "lists": len(plan.pages),
        "paper": paper_label(size),
        "row": plan.row,
        "head": to_mm(_measures(plan.row).heading),
    }
    pages: list[dict[str, Any]] = [
        {"items": _listed(items), "top": plan.top if number == 0 else _LATER_TOP, "rest": []}
        for number, items in enumerate(plan.pages)
    ]
    first = plan.shown + 1
    for group in rest:
        numbered = [{"number": first + at, **finding_words(finding, 400)} for at, finding in enumerate(group)]
        pages.append({"items": [], "top": _LATER_TOP, "rest": numbered})
        first += len(group)
    drawn = [
        draw(
            workshop.studio, _TEMPLATE, {**common, "page": {**page, "number": number, "top": own["top"]}, **own},
            CardCount("", f"deck list, page {number}"),
        )
        for number, own in enumerate(pages, start=1)
    ]  # fmt: skip
    return [each.face for each in drawn], [finding for each in drawn for finding in each.findings]


def _listed(items: Sequence[Item]) -> list[dict[str, Any]]:
    return [{"kind": i.kind, "column": i.column, "y": to_mm(i.y), "value": i.value} for i in items]


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a list is laid out: findings shown on page 1, height of their box, top of the columns, height of a row."""

    shown: int
    box: float
    top: float
    row: float
    pages: list[list[Item]]


def _planned(checked: CheckedDeck, spec: GameSpec, grave: Sequence[Finding], height: float) -> _Plan:
    """One page with as many findings as it holds; where even three do not fit, narrow rows over several pages."""
    ends = height - _FOOT - 3
    plan: _Plan | None = None
    for shown in range(min(len(grave), _MOST), min(len(grave), _SHOWN) - 1, -1):
        box = max(_LEAST_BOX, shown * _FINDING + 3.2) + (4.2 if len(grave) > shown else 0)
        top = _BOX_TOP + (box if grave else _CALM_BOX) + 14
        blocks = _blocks(checked, spec, grave[:shown])
        for row in _ROWS:
            heights = [mm(height - 22 - top), mm(height - 22 - _LATER_TOP)]
            pages = flow(blocks, heights, mm(ends - top), _measures(row))
            plan = _Plan(shown, box if grave else _CALM_BOX, top, row, pages)
            if len(pages) == 1 and _bottom(pages[0]) <= mm(ends - top):
                return plan
    assert plan is not None
    last_top = plan.top if len(plan.pages) == 1 else _LATER_TOP
    if _bottom(plan.pages[-1]) > mm(ends - last_top):
        plan.pages.append([])
    return plan


def _measures(row: float) -> Measures:
    """Wide rows have wide headings."""
    heading, gap = next(pair for least, *pair in _HEADINGS if row >= least)
    return Measures(mm(row), mm(heading), mm(gap))


def _bottom(items: Sequence[Item]) -> int:
    return max((item.bottom for item in items), default=0)


def _grave(findings: Sequence[Finding]) -> list[Finding]:
    """What a judge must see, the gravest first."""
    order = list(Severity)
    return sorted((f for f in findings if f.severity is not Severity.INFO), key=lambda f: order.index(f.severity))


def _blocks(checked: CheckedDeck, spec: GameSpec, shown: Sequence[Finding]) -> list[Block]:
    """The cards by section and type; a section of one type carries the section's name."""
    numbers: dict[int, list[int]] = {}
    for number, finding in enumerate(shown, start=1):
        for place in finding.where if len(finding.where) < _LONG else ():
            if place.line and number not in numbers.setdefault(place.line, []):
                numbers[place.line].append(number)
    blocks: list[Block] = []
    for section, part in spec.sections.items():
        groups: dict[str, list[Entry]] = {kind: [] for kind in spec.types}
        for entry in checked.deck.entries:
            if entry.section == section:
                groups.setdefault(entry.card.type if entry.card else "", []).append(entry)
        for kind, entries in groups.items():
            if entries:
                blocks.append(_block(_heading(section, part, kind, spec), entries, numbers))
    return blocks


def _block(heading: str, entries: Sequence[Entry], numbers: Mapping[int, Sequence[int]]) -> Block:
    rows = tuple(
        DeckListRow(
            clipped(e.card.name if e.card else f"{e.name} (unknown)", LONGEST_NAME), e.count, _numbers(e, numbers)
        )
        for e in entries
    )
    return Block(heading, sum(row.count for row in rows), rows)


def _numbers(entry: Entry, numbers: Mapping[int, Sequence[int]]) -> tuple[int, ...]:
    """The findings a line is guilty of, as many as there is room for."""
    return tuple(numbers.get(entry.place.line, ()))[:4]


def _heading(section: str, part: SectionSpec, kind: str, spec: GameSpec) -> str:
    if kind not in spec.types:
        return "Unknown cards"
    name = spec.types[kind].plural or spec.label_of(kind)
    return name if kind in part.types else f"{name} in {part.label or section}"


def deck_list_json(checked: CheckedDeck, game: Game, report: Mapping[str, Any]) -> dict[str, Any]:
    """The report of `check --json` with the full digest, the game's own sums and the cards.

    A sum has figure, label and note; a card section, reference, name, type and count.
    """
    sums = [{"label": label, "figure": figure, "note": note} for figure, label, note in own_sums(checked.deck, game)]
    cards = [
        {"section": e.section, "ref": e.card.ref if e.card else None, "name": e.card.name if e.card else e.name,
         "type": e.card.type if e.card else None, "count": e.count}
        for e in checked.deck.entries
    ]  # fmt: skip
    head = {**report, "schema": "carddb.decklist/1", "digest": checked.deck.digest()}
    return {**head, **({"sums": sums} if sums else {}), "cards": cards}
