"""The plan of a table: a page on which every place has its label, and the cards and components that begin there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from carddb.core.units import Box, Size, mm, to_mm
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Placed, impose
from carddb.layout.stock import paper_size
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.sheets import sheets_pdf
from carddb.press.faces.bank import FaceStreams
from carddb.press.faces.workshop import fonts_of
from carddb.press.shops.table import GAP, HEAD, Die, OnlineTable, Part, Stack, Thing

_TEMPLATE = "table-plan.svg"
_MARGIN, _TOP = mm(10), mm(19)
_LEGEND, _LINE = mm(54), mm(5)
"""The width of the legend, and the height of its lines."""
_APART = mm(6)
"""The distance of the legend from the table."""
_SMALL = mm(4)
"""The greatest side of places on which a pile is not drawn as one."""
_LETTER = mm(1.25)
"""The width of a letter of a label, on average."""
_NAME, _LABEL = mm(2.6), mm(5)
"""The least distance of a player's name from the area above, and its distance from the first places below."""
_DPI = 200
"""The resolution of pictures on the small cards of a plan."""


def plan_size(paper: str) -> Size:
    """Returns the size of the lying page of a plan. Raises UsageError for an unknown paper."""
    page = paper_size(paper)
    return page.turned if page.height > page.width else page


def table_area(page: Size) -> Size:
    """Returns the size of the area that a plan has for the table, beside the legend."""
    return Size(page.width - 2 * _MARGIN - _LEGEND, page.height - _TOP - _MARGIN)


def plan_pdf(streams: FaceStreams, table: OnlineTable, page: Size, creation: int = 0) -> bytes:
    """Returns the plan as one page of this size. Raises TemplateError, FontError."""
    bank, workshop = streams.bank, streams.bank.workshop
    plan = _Plan(table, table_area(page))
    faces = list(plan.faces(streams))
    fonts = fonts_of(workshop.game, workshop.lang)
    words = {"title": table.title, "heading": fonts.heading, "label": fonts.label, "left": to_mm(_MARGIN)}
    over = bank.page(_TEMPLATE, {**words, **plan.context(page, {placed.box for placed in faces})})
    (sheet,) = impose([(over, None)], whole_page(page), "none")
    drawn = streams.drawn(sheet._replace(placed=(*sheet.placed, *faces)))
    album = PdfImages(workshop.images, _DPI)
    return sheets_pdf(
        [drawn], workshop.kit.book, album, title=table.title, lang=workshop.lang, duplex="none", two_sided=False,
        creation=creation,
    )  # fmt: skip


class _Plan:
    """Places on a page at a scale."""

    def __init__(self, table: OnlineTable, area: Size) -> None:
        self._table = table
        self._scale = min(area.width / (table.size.width - 2 * GAP), area.height / table.size.height)
        self._left = _MARGIN - round(GAP * self._scale)
        parts: list[Part] = [*table.stacks, *table.things, *table.dice]
        self._places = [(self._box(part.box), _label(part), part) for part in parts]
        self._tops = {seat: min(part.box.y for part in parts if part.seat == seat) for seat in {p.seat for p in parts}}
        room = round(GAP * self._scale)
        long = (label for box, label, _ in self._places if len(label) * _LETTER > box.width + room)
        self._numbers = {label: at for at, label in enumerate(dict.fromkeys(long), 1)}

    def _box(self, box: Box) -> Box:
        x, y, width, height = (round(length * self._scale) for length in box)
        return Box(x + self._left, y + _TOP, width, height)

    def faces(self, streams: FaceStreams) -> Iterator[Placed]:
        """Yields the faces to show: the first card of a pile as it lies, the first cards of a row, and components."""
        for stack in self._table.stacks:
            for card, box in stack.spots(self._table.card):
                back = streams.bank.back(card) if stack.faces == "down" else None
                yield self._placed(streams.bank.front(card) if back is None else back, box, streams)
        for thing in self._table.things:
            yield self._placed(thing.pieces[0].front, thing.box, streams)

    def _placed(self, number: int, box: Box, streams: FaceStreams) -> Placed:
        """Returns a face in a box; one that lies while the box stands is turned by a quarter."""
        size, shown = streams.bank.size_of(number), self._box(box)
        turned = (size.width > size.height) != (box.width > box.height) and size.width != size.height
        return Placed(number, shown, shown, 90 if turned else 0)

    def context(self, page: Size, shown: set[Box]) -> dict[str, Any]:
        """Returns the template's data: places with labels, and the heading of each player."""
        return {
            "page": {"width": to_mm(page.width), "height": to_mm(page.height)},
            "places": [
                {"x": to_mm(box.x), "y": to_mm(box.y), "width": to_mm(box.width), "height": to_mm(box.height),
                 "label": label, "number": self._numbers.get(label, 0), "empty": box not in shown,
                 "sides": part.sides if isinstance(part, Die) else 0,
                 "shaped": isinstance(part, Thing) and bool(part.pieces[0].shape),
                 "pile": label.endswith(")") and min(box.width, box.height) > _SMALL}
                for box, label, part in self._places
            ],
            "seats": [
                {"y": to_mm(max(self._box(Box(0, top - HEAD - GAP, 0, 0)).y + _NAME,
                                self._box(Box(0, top, 0, 0)).y - _LABEL)),
                 "name": self._table.owner(seat) if seat else "Shared"}
                for seat, top in sorted(self._tops.items()) if len(self._tops) > 1
            ],
            "legend": list(self._numbers), "line": to_mm(_LINE),
            "legend_left": to_mm(page.width - _MARGIN - _LEGEND + _APART), "legend_width": to_mm(_LEGEND - _APART),
            "legend_top": to_mm(_TOP + mm(9)),
        }  # fmt: skip


def _label(part: Part) -> str:
    """Returns the label of a place with the number of its cards or copies."""
    if isinstance(part, Die):
        return part.label
    copies = sum(number for _, number in part.cards) if isinstance(part, Stack) else part.copies
    return f"{part.label} ({copies})" if copies > 1 else part.label
