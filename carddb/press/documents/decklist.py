"""The pages of a validated deck list: its verdict, findings, cards with tick boxes, and fingerprint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carddb.cards.cards import Entry
from carddb.core.errors import UsageError
from carddb.core.units import Size, mm, points, to_mm
from carddb.findings import CardCount, Finding, gravest_first
from carddb.game.game import GameSpec
from carddb.game.rule_parts import SectionSpec
from carddb.layout.display_list import Face
from carddb.layout.documents.blocks import BOLD, HEAVY
from carddb.layout.documents.flow import Columns, FlowItem, FlowPage, flow
from carddb.layout.drawing.face import draw
from carddb.layout.stock import paper_label, paper_size
from carddb.layout.templates.template import BASE
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.text_setting import Setter, Style
from carddb.paint.pdf.sheets import faces_pdf
from carddb.press.documents.decklist_text import (
    LONGEST_NAME,
    CheckedDeck,
    clipped,
    deck_words,
    finding_words,
    verdict_words,
)
from carddb.press.faces.workshop import Families, Workshop, families_of

# Lengths on the page in millimetres. Those inside its boxes are in the template.
WIDTH, BOX_TOP, LATER_TOP = 177.9, 46.4, 30.0
_FOOT, _PAGE_END = 42.6, 22.0
_CALM_BOX, _LEAST_BOX = 19.0, 31.0
_STRIP, _STRIP_GAP = 11.4, 3.0
_PANEL, _NARROW_PANEL, _BOX_EDGE, _NUMBER = 56.0, 38.0, 4.0, 6.5
"""Widths of the verdict's panel, of a narrow panel, of the space around findings, and of a finding's number."""
_STACKED = 4
"""The number of findings from which the box is so high that the verdict is put under its sign, in a narrow panel."""
_SOURCE_GAP, _FINDING_GAP, _BOX_PADDING, _MORE = 4.0, 2.0, 2.2, 5.0
_ROWS = (7.4, 6.6, 6.0, 5.62, 5.3, 5.0, 4.6)
"""The heights of a row, the most readable first; the least is 13 points."""
_HEADINGS = ((5.2, 8.4, 3.4), (4.5, 7.2, 2.4), (0.0, 6.0, 1.5))
"""From a row of the first height on, a heading has the second height, with the third as space above it."""
CELLS = 6
"""The number of totals side by side."""

_SHOWN, _MOST = 3, 9
"""The fewest and the most findings shown on page 1."""
_FEW = 3
"""The fewest findings that a further page is made for, if there are as many."""
_MOST_PRINTED = 100
"""The most findings that are printed."""
_DEEPEST = 0.6
"""The share of page 1's height within which its columns must begin if the list needs several pages."""
_MOST_NUMBERS = 4
"""The most numbers of findings shown beside a card."""
_LONG = 36
"""A finding about at least so many lines is not shown beside any of them."""
_MESSAGE, _FIX, _SOURCE = 9.6, 9.2, 7.5
"""Type sizes in points, as in the template."""
_LEADING = 1.24


_COLUMNS = Columns(2, 1, 0)
"""Columns whose x position is their index."""


@dataclass(frozen=True, slots=True)
class Block:
    """A heading with its rows. If `continued`, the heading is a repetition above further rows of the same block.

    `aside` is shown beside the heading, such as the section to which several headings belong.
    """

    heading: str
    count: int
    rows: tuple[DeckListRow, ...]
    continued: bool = False
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A `heading` or a `row` as it flows into columns, with its height in micrometres. It is never split."""

    kind: str
    height: int
    value: Block | DeckListRow

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        return width, self.height

    def split(self, _width: float, _height: float) -> list[Line]:
        return []


@dataclass(frozen=True, slots=True)
class DeckListRow:
    """One card of the list, with the `numbers` of the findings about it."""

    name: str
    count: int
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A finding as text with its place. Lengths are in millimetres; `y` and `fix_y` are the tops of its two texts.

    `wide` is the width of both texts, `message_height` and `fix_height` are their heights.
    """

    number: int
    message: str
    fix: str
    rules: str
    y: float
    wide: float
    message_height: float
    fix_height: float

    @property
    def fix_y(self) -> float:
        return self.y + self.message_height

    @property
    def bottom(self) -> float:
        return self.fix_y + self.fix_height


@dataclass(frozen=True, slots=True)
class Plan:
    """The layout of a list. Lengths are in millimetres.

    `findings` are those on page 1, `box` the height of their box, `panel` the width of the verdict's panel, `top` the
    top of the columns on page 1, and `row` the height of a row. `rest` are the remaining findings for each page after
    the list.
    """

    findings: tuple[PlacedFinding, ...]
    box: float
    panel: float
    top: float
    row: float
    pages: list[FlowPage]
    rest: list[list[PlacedFinding]]

    @property
    def total(self) -> int:
        """The number of pages."""
        return len(self.pages) + len(self.rest)


def planned(
    checked: CheckedDeck, spec: GameSpec, grave: Sequence[Finding], height: float, totals: int, setter: Setter,
    family: str,
) -> Plan:  # fmt: skip
    """Returns a plan of one page with as many findings as fit, or else of as few pages as with the fewest.

    `height` is the paper's height in millimetres, `totals` the number of totals, and `family` the font family of
    labels.
    """
    layout = _PageLayout(checked, spec, grave, height, totals, _FindingSetter(setter, family))
    tops = {shown: layout.top_of(shown) for shown in range(min(len(grave), _MOST), min(len(grave), _SHOWN) - 1, -1)}
    highest = layout.plan(min(tops, key=lambda shown: tops[shown]))
    if len(highest.pages) == 1:
        # A further page for one or two findings would be nearly empty.
        fitting = (layout.plan(shown) for shown in tops if len(grave) - shown not in range(1, _FEW))
        if plan := next((plan for plan in fitting if len(plan.pages) == 1), None):
            return plan
    roomy = (layout.plan(shown) for shown, top in tops.items() if top < height * _DEEPEST)
    return next((plan for plan in roomy if plan.total <= highest.total), highest)


@dataclass(frozen=True, slots=True)
class _PageLayout:
    """The input for a plan. `height` is the height of the paper in millimetres."""

    checked: CheckedDeck
    spec: GameSpec
    grave: Sequence[Finding]
    height: float
    totals: int
    lines: _FindingSetter

    def top_of(self, shown: int) -> float:
        """Returns the top of the columns on page 1 below `shown` findings, in millimetres."""
        return self._front(shown)[-1]

    def _front(self, shown: int) -> tuple[list[PlacedFinding], float, float, float]:
        """Returns the findings on page 1, the height of their box, the panel's width and the top of the columns."""
        grave = self.grave
        panel = _NARROW_PANEL if shown >= _STACKED else _PANEL
        findings = self.lines.placed(grave[:shown], 1, BOX_TOP + _BOX_PADDING, WIDTH - panel - 2 * _BOX_EDGE)
        more = _MORE if len(grave) > shown else 0
        bottom = findings[-1].bottom + _BOX_PADDING + more if findings else 0
        box = max(_LEAST_BOX, bottom - BOX_TOP) if grave else _CALM_BOX
        return findings, box, panel, BOX_TOP + box + _STRIP_GAP + -(-self.totals // CELLS) * _STRIP + 1

    def plan(self, shown: int) -> Plan:
        """Returns the plan with `shown` findings on page 1."""
        findings, box, panel, top = self._front(shown)
        ends = self.height - _FOOT - 3
        blocks = _blocks(self.checked, self.spec, self.grave[:shown])
        heights = mm(self.height - _PAGE_END - top), mm(self.height - _PAGE_END - LATER_TOP)
        row, pages = _columns(blocks, heights, (mm(ends - top), mm(ends - LATER_TOP)))
        rest = _on_later_pages(self.lines, self.grave[shown:], shown + 1, self.height)
        return Plan(tuple(findings), box, panel, top, row, pages, rest)


def heading_of(row: float) -> tuple[float, float]:
    """Returns the height of a heading and the space above it, for rows of this height."""
    return next((heading, gap) for least, heading, gap in _HEADINGS if row >= least)


def type_of(row: float) -> float:
    """Returns the type size of a card's name in points."""
    return max(9.6, min(11.6, row * 1.708))


def _columns(blocks: Sequence[Block], heights: tuple[int, int], last: tuple[int, int]) -> tuple[float, list[FlowPage]]:
    """Returns the greatest row height that needs no more pages than the least, and the pages laid out with it.

    `heights` are those available on the first page and on later ones; `last` are the same for a last page, which has
    the foot.
    """
    least = _laid_out(blocks, _ROWS[-1], heights, last)
    room = _COLUMNS.count * (last[0] if len(least) == 1 else heights[0] + (len(least) - 1) * heights[1])
    for row in _ROWS[:-1]:
        needed = sum(mm(heading_of(row)[0]) + len(block.rows) * mm(row) for block in blocks)
        if needed <= room and len(pages := _laid_out(blocks, row, heights, last)) == len(least):
            return row, pages
    return _ROWS[-1], least


def _laid_out(blocks: Sequence[Block], row: float, heights: tuple[int, int], last: tuple[int, int]) -> list[FlowPage]:
    """Returns the pages with rows of this height, in millimetres."""
    pieces = list(_pieces(blocks, row))
    pages = flow(pieces, _COLUMNS, *heights)
    if len(pages) == 1 and len(only := flow(pieces, _COLUMNS, *last)) == 1:
        pages = only
    if any(band.bottom > last[min(1, len(pages) - 1)] for band in pages[-1].bands):
        pages.append(FlowPage((), ()))
    return pages


def _pieces(blocks: Sequence[Block], row: float) -> Iterator[FlowItem]:
    """Yields the headings and rows of all blocks. A heading stays with at least two of its rows, if it has as many."""
    heading, gap = heading_of(row)
    for block in blocks:
        title, again = (
            FlowItem(Line("heading", mm(heading), each), mm(gap), keep=True)
            for each in (block, replace(block, continued=True))
        )
        yield title
        for at, each in enumerate(block.rows):
            keep = not at and len(block.rows) > 1
            yield FlowItem(Line("row", mm(row), each), keep=keep, under=again if at else None)


@dataclass(frozen=True, slots=True)
class _FindingSetter:
    """Measures the texts of findings, which are set in the label's font family."""

    setter: Setter
    family: str

    def placed(self, findings: Sequence[Finding], first: int, top: float, wide: float) -> list[PlacedFinding]:
        """Places findings below each other from `top` on and numbers them from `first`.

        Each has its source at the right.
        """
        words = [finding_words(finding) for finding in findings]
        line = to_mm(points(_MESSAGE * _LEADING))
        out: list[PlacedFinding] = []
        for number, each in enumerate(words, start=first):
            measure = wide - _NUMBER - _SOURCE_GAP - self._width(each["rules"])
            message = max(line, self._height(each["message"], _MESSAGE, 600, measure))
            fix = self._height(each["fix"], _FIX, 400, measure) if each["fix"] else 0.0
            placed = PlacedFinding(number, each["message"], each["fix"], each["rules"], top, measure, message, fix)
            out.append(placed)
            top = placed.bottom + _FINDING_GAP
        return out

    def _width(self, text: str) -> float:
        return to_mm(self.setter.width(text, Style(self.family, points(_SOURCE), tabular=True)))

    def _height(self, text: str, size: float, weight: int, measure: float) -> float:
        lines = self.setter.count_lines(text, Style(self.family, points(size), weight, tabular=True), mm(measure))
        return to_mm(lines * points(size * _LEADING)) + 0.1


def _on_later_pages(
    lines: _FindingSetter, findings: Sequence[Finding], first: int, height: float
) -> list[list[PlacedFinding]]:
    """Places findings on as many pages as they need."""
    pages: list[list[PlacedFinding]] = []
    while findings:
        placed = lines.placed(findings, first, LATER_TOP + 10, WIDTH)
        page = [each for each in placed if each.bottom <= height - _PAGE_END] or placed[:1]
        pages.append(page)
        findings, first = findings[len(page) :], first + len(page)
    return pages


def _blocks(checked: CheckedDeck, spec: GameSpec, shown: Sequence[Finding]) -> list[Block]:
    """Returns the cards in blocks by section and type.

    `aside` is the section, if the type alone does not identify it.
    """
    numbers: dict[int, list[int]] = {}
    for number, finding in enumerate(shown, start=1):
        for place in finding.where if len(finding.where) < _LONG else ():
            if place.line and number not in numbers.setdefault(place.line, []):
                numbers[place.line].append(number)
    used = dict.fromkeys(entry.section for entry in checked.deck.entries)
    blocks: list[Block] = []
    for section, part in spec.sections.items():
        groups: dict[str, list[Entry]] = {kind: [] for kind in spec.types}
        for entry in checked.deck.entries:
            if entry.section == section:
                groups.setdefault(entry.card.type if entry.card else "", []).append(entry)
        aside = (part.label or section) if len(used) > 1 and len(part.types) != 1 else ""
        for kind, entries in groups.items():
            if not entries:
                continue
            heading, beside = _heading(section, part, kind, spec, aside)
            rows = tuple(
                DeckListRow(
                    clipped(e.card.name if e.card else f"{e.name} (unknown)", LONGEST_NAME),
                    e.count,
                    tuple(numbers.get(e.place.line, ()))[:_MOST_NUMBERS],
                )
                for e in entries
            )
            blocks.append(Block(heading, sum(row.count for row in rows), rows, aside=beside))
    return blocks


def _heading(section: str, part: SectionSpec, kind: str, spec: GameSpec, aside: str) -> tuple[str, str]:
    """Returns the heading for cards of a type in a section, and the section to show beside it.

    A section for one type only has its own name as heading. For cards of a type that does not belong there, the heading
    says so.
    """
    label = part.label or section
    if kind not in spec.types:
        return "Unknown cards", aside or label
    name = spec.types[kind].plural or spec.label_of(kind)
    if kind not in part.types:
        return f"{name} in {label}", ""
    return (label, "") if len(part.types) == 1 else (name, aside)


_TEMPLATE = f"{BASE}/deck-list.svg"
_LEAST_PAPER = Size(mm(190), mm(240))


def deck_list_pdf(
    workshop: Workshop, checked: CheckedDeck, paper: str = "letter", lang: str = "en", creation: int = 0
) -> tuple[bytes, list[Finding]]:
    """Returns the deck list as PDF, and the findings about its pages. Raises UsageError if the paper is too small."""
    faces, findings = deck_list_faces(workshop, checked, paper)
    title = f"Deck list: {checked.deck.name or 'unnamed'}"
    data = faces_pdf(faces, workshop.kit.book, workshop.images, title=title, lang=lang, creation=creation)
    return data, findings


def deck_lists_pdf(
    lists: Iterable[tuple[Workshop, CheckedDeck]], paper: str = "letter", lang: str = "en", creation: int = 0
) -> tuple[bytes, int, list[Finding]]:
    """Returns the lists of many decks in one PDF, its number of pages, and the findings about them.

    Raises UsageError if the paper is too small.
    """
    pages: list[Face] = []
    findings: list[Finding] = []
    workshops: list[Workshop] = []
    for workshop, checked in lists:
        faces, faults = deck_list_faces(workshop, checked, paper)
        pages += faces
        findings += faults
        workshops.append(workshop)
    book = FontBook(font for workshop in workshops for font in workshop.kit.book.fonts.values())
    data = faces_pdf(pages, book, {}, title=f"{len(workshops)} deck lists", lang=lang, creation=creation)
    return data, len(pages), findings


def deck_list_faces(workshop: Workshop, checked: CheckedDeck, paper: str) -> tuple[list[Face], list[Finding]]:
    """Returns the pages of the deck list, and the findings about them. Raises UsageError if the paper is too small."""
    size = paper_size(paper)
    if size.width < _LEAST_PAPER.width or size.height < _LEAST_PAPER.height:
        raise UsageError(f"a deck list needs paper of {_LEAST_PAPER} or more, not {size}", "Use letter or a4.")
    game = workshop.game
    height = to_mm(size.height)
    grave = gravest_first(checked.findings)
    printed = grave[:_MOST_PRINTED]
    words = deck_words(checked, game)
    families = families_of(game.spec)
    plan = planned(checked, game.spec, printed, height, len(words["totals"]), workshop.kit.setter, families.label)
    rows = [words["totals"][at : at + CELLS] for at in range(0, len(words["totals"]), CELLS)]
    common = {
        "game": {"name": game.spec.name, "accent": game.spec.accent},
        "fonts": {**families._asdict(), "verdict": _verdict_family(workshop, families)},
        "deck": {**words, "box": plan.box, "panel": plan.panel, "rows": rows},
        "verdict": {
            **verdict_words(checked, grave),
            "findings": plan.findings,
            "more": len(grave) - len(plan.findings),
            "unprinted": len(grave) - len(printed),
        },
    }
    page = {
        "width": to_mm(size.width),
        "height": height,
        "total": plan.total,
        "lists": len(plan.pages),
        "paper": paper_label(size),
        "row": plan.row,
        "type": type_of(plan.row),
        "head": heading_of(plan.row)[0],
    }
    pages: list[dict[str, Any]] = []
    for flowed in plan.pages:
        items = [
            {"kind": each.piece.flowable.kind, "column": int(each.x), "y": to_mm(round(each.y)),
             "value": each.piece.flowable.value}
            for each in flowed.placed
        ]  # fmt: skip
        pages.append({"items": items, "top": LATER_TOP if pages else plan.top, "rest": []})
    pages += [{"items": [], "top": LATER_TOP, "rest": findings} for findings in plan.rest]
    drawn = [
        draw(
            workshop.kit, _TEMPLATE, {**common, "page": {**page, "number": number, "top": own["top"]}, **own},
            CardCount("", f"deck list, page {number}"),
        )
        for number, own in enumerate(pages, start=1)
    ]  # fmt: skip
    return [each.face for each in drawn], [finding for each in drawn for finding in each.findings]


def _verdict_family(workshop: Workshop, families: Families) -> str:
    """Returns the family for the verdict, which must be readable from a metre away: that of headings if it is bold."""
    bold = workshop.kit.book.pick(families.heading, HEAVY, False)
    return families.heading if bold.weight >= BOLD else families.label
