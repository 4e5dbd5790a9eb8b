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
from carddb.press.shops.table import BESIDE, GAP, HEAD, Die, OnlineTable, Part, Stack

_TEMPLATE = "table-plan.svg"
_MARGIN, _TOP = mm(10), mm(19)
_COLUMNS, _LINE = 3, mm(4.2)
"""The columns of the legend, and the height of its lines."""
_LETTER = mm(1.25)
"""The width of a letter of a label, on average."""
_NAME, _LABEL = mm(2.6), mm(5)
"""The least distance of a player's name from the area above, and its distance from the first places below."""
_DPI = 200
"""The resolution of pictures on the small cards of a plan."""


def plan_pdf(streams: FaceStreams, table: OnlineTable, paper: str, creation: int = 0) -> bytes:
    """Returns the plan as one page of `paper`, lying if the table is wider than high.

    Raises UsageError for an unknown paper, TemplateError, FontError.
    """
    bank, page = streams.bank, paper_size(paper)
    if (table.size.width > table.size.height) != (page.width > page.height):
        page = page.turned
    width, most = page.width - 2 * _MARGIN, page.height - _TOP - _MARGIN
    plan = _Plan(table, width, most)
    for _ in range(2):  # the legend takes room, and with less room more places have a number
        plan = _Plan(table, width, most - plan.legend_height)
    faces = list(plan.faces(streams))
    fonts = fonts_of(bank.workshop.game, bank.workshop.lang)
    words = {"title": table.title, "heading": fonts.heading, "label": fonts.label, "left": to_mm(_MARGIN)}
    over = bank.page(_TEMPLATE, {**words, **plan.context(page, {placed.box for placed in faces})})
    (sheet,) = impose([(over, None)], whole_page(page), "none")
    drawn = streams.drawn(sheet._replace(placed=(*sheet.placed, *faces)))
    workshop = bank.workshop
    album = PdfImages(workshop.images, _DPI)
    return sheets_pdf(
        [drawn], workshop.kit.book, album, title=table.title, lang=workshop.lang, duplex="none", two_sided=False,
        creation=creation,
    )  # fmt: skip


class _Plan:
    """Places on a page at a scale."""

    def __init__(self, table: OnlineTable, width: int, height: int) -> None:
        self._table = table
        self._scale = min(width / table.size.width, height / table.size.height)
        self._left = _MARGIN + round((width - table.size.width * self._scale) / 2)
        parts: list[Part] = [*table.stacks, *table.things, *table.dice]
        self._labels = [(self._box(part.box), _label(part)) for part in parts]
        self._tops = {seat: min(part.box.y for part in parts if part.seat == seat) for seat in {p.seat for p in parts}}
        long = (label for box, label in self._labels if len(label) * _LETTER > box.width)
        self._numbers = {label: at for at, label in enumerate(dict.fromkeys(long), 1)}

    @property
    def legend_height(self) -> int:
        """The height of the list of the places that have a number, because their label is too long for them."""
        return -(-len(self._numbers) // _COLUMNS) * _LINE + mm(3)

    def _box(self, box: Box) -> Box:
        x, y, width, height = (round(length * self._scale) for length in box)
        return Box(x + self._left, y + _TOP, width, height)

    def faces(self, streams: FaceStreams) -> Iterator[Placed]:
        """Yields the faces to show: the first card of a pile as it lies, the first cards of a row, and components."""
        for stack in self._table.stacks:
            for at, (card, _) in enumerate(stack.cards):
                wide = self._table.card.width
                box = stack.box._replace(x=stack.box.x + at * (wide + BESIDE), width=wide)
                if box.right > stack.box.right:
                    break
                back = streams.bank.back(card) if stack.faces == "down" else None
                yield self._placed(streams.bank.front(card) if back is None else back, box, streams)
        for thing in self._table.things:
            yield self._placed(thing.front, thing.box, streams)

    def _placed(self, number: int, box: Box, streams: FaceStreams) -> Placed:
        """Returns a face in a box; one that lies while the box stands is turned by a quarter."""
        size, shown = streams.bank.size_of(number), self._box(box)
        turned = (size.width > size.height) != (box.width > box.height) and size.width != size.height
        return Placed(number, shown, shown, 90 if turned else 0)

    def context(self, page: Size, shown: set[Box]) -> dict[str, Any]:
        """Returns the template's data: places with labels, and the heading of each player."""
        rows = -(-len(self._numbers) // _COLUMNS)
        return {
            "page": {"width": to_mm(page.width), "height": to_mm(page.height)},
            "places": [
                {"x": to_mm(box.x), "y": to_mm(box.y), "width": to_mm(box.width), "height": to_mm(box.height),
                 "label": label, "number": self._numbers.get(label, 0), "empty": box not in shown}
                for box, label in self._labels
            ],
            "seats": [
                {"y": to_mm(max(self._box(Box(0, top - HEAD - GAP, 0, 0)).y + _NAME,
                                self._box(Box(0, top, 0, 0)).y - _LABEL)),
                 "name": self._table.owner(seat) if seat else "Shared"}
                for seat, top in sorted(self._tops.items()) if len(self._tops) > 1
            ],
            "legend": list(self._numbers), "columns": _COLUMNS,
            "legend_top": to_mm(page.height - _MARGIN - rows * _LINE),
        }  # fmt: skip


def _label(part: Part) -> str:
    """Returns the label of a place with the number of its cards or copies."""
    if isinstance(part, Die):
        return part.label
    copies = sum(number for _, number in part.cards) if isinstance(part, Stack) else part.copies
    return f"{part.label} ({copies})" if copies > 1 else part.label
