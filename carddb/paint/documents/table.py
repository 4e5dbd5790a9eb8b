"""Tables and notes of a document, as Platypus tables: no vertical lines, rows whole, the head again on every page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

from reportlab.platypus import Table as Grid

from carddb.layout.documents.blocks import Inline, Picture, Table, names_rows
from carddb.layout.documents.fonts import BOLD
from carddb.paint.documents.paragraph import INK, LINE, MID, TaggedParagraph, TypeStyle
from carddb.paint.documents.tags import Tag, artifact
from carddb.paint.documents.typography import Typesetter

_HEAD = TypeStyle("label", 8.2, 9.8, weight=BOLD, colour=MID)
_FIRST = TypeStyle("label", 8.8, 10.8, weight=BOLD)
_CELL = TypeStyle("label", 8.8, 10.8)
_TITLE = TypeStyle("label", 9.8, 12, weight=BOLD)
"""Of the head of a table that is its title."""
_GUTTER = 9.0
"""Between two columns of a table, in points."""
_ROUNDING = 0.01
"""A word as wide as its column still stands on one line, whatever the sums of widths lose."""
PAD, CLOSE = 2.4, 0.7
"""Over and under the words of a row, and the same in a compact document."""
_WHOLE = 170.0
"""The height up to which a table or a note is never cut: about ten rows."""
_THICK, _APART = 2.6, 10.0
BESIDE = 18.0
"""Between columns that stand beside each other."""
BAR = _THICK + _APART
"""What the bar of a note takes from its column."""
_STEPS = 20
_WORDY = 2.4
"""A table whose words would fill this many columns of the page, each on one line, is set across all of them."""
_ALIGN: dict[str, Literal[0, 1, 2]] = {"left": 0, "center": 1, "right": 2}
_MIRRORED: dict[str, Literal[0, 1, 2]] = {"left": 2, "center": 1, "right": 0}
"""The same where a table begins on the right."""


class Ruled(Grid):
    """A table whose lines are furniture to those who have it read aloud; a low one stays whole."""

    def split(self, availWidth: float, availHeight: float) -> list[Any]:
        return [] if self.wrap(availWidth, availHeight)[1] <= _WHOLE else super().split(availWidth, availHeight)

    def _drawLines(self) -> None:
        with artifact(self.canv):
            super()._drawLines()  # type: ignore[misc]

    def _drawBkgrnd(self) -> None:
        with artifact(self.canv):
            super()._drawBkgrnd()  # type: ignore[misc]


def grid(
    table: Table, setter: Typesetter, column: float, whole: float, tag: Tag, drawn: Callable[[Picture, Tag], Any],
    pad: float,
) -> tuple[Ruled, bool]:  # fmt: skip
    """A table and whether it goes across the page; `column` and `whole` are the widths there are.

    `drawn` makes a flowable of a picture, with its `width` in points; `pad` is the air over and under words.
    """
    head, first, cell_ = (
        replace(style, size=style.size * table.scale, leading=style.leading * table.scale)
        for style in (_TITLE if table.titled else _HEAD, _FIRST if names_rows(table) else _CELL, _CELL)
    )
    styles = [[head] * len(table.head), *([first] + [cell_] * (len(row) - 1) for row in table.rows)]
    rows = [table.head, *table.rows]
    cells = [
        [
            [drawn(content, tag_) if isinstance(content, Picture) else _cell(content, style, align, setter, tag_)]
            for content, style, align, tag_ in zip(row, styles_, table.align, _tags(tag, len(row), not at), strict=True)
        ]
        for at, (row, styles_) in enumerate(zip(rows, styles, strict=True))
    ]
    sizes = [
        [
            (cell[0].width, cell[0].width) if isinstance(content, Picture) else setter.width(content, style)
            for content, cell, style in zip(row, cells_, styles_, strict=True)
        ]
        for row, cells_, styles_ in list(zip(rows, cells, styles, strict=True))[table.titled :]
    ]
    best = [max(size[0] for size in sizes_) + _ROUNDING + _GUTTER for sizes_ in zip(*sizes, strict=True)]
    least = [max(size[1] for size in sizes_) + _ROUNDING + _GUTTER for sizes_ in zip(*sizes, strict=True)]
    best[-1], least[-1] = best[-1] - _GUTTER, least[-1] - _GUTTER
    wide = table.wide or sum(least) > column or sum(best) > _WORDY * column
    pictured = [any(isinstance(row[at], Picture) for row in table.rows) for at in range(len(best))]
    widths = _column_widths(best, least, whole if wide else column, pictured)
    outer, inner = ("LEFTPADDING", "RIGHTPADDING"), (-1, -1)
    if setter.is_right_to_left:
        cells, widths = [row[::-1] for row in cells], widths[::-1]
        outer, inner = ("RIGHTPADDING", "LEFTPADDING"), (0, 0)
    ruled = Ruled(cells, widths, repeatRows=1, hAlign="LEFT")
    ruled.setStyle(
        [
            _no_other_font(setter),
            (outer[0], (0, 0), (-1, -1), 0),
            (outer[1], (0, 0), (-1, -1), _GUTTER),
            (outer[1], (inner[0], 0), (inner[1], -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), pad - 0.6),
            ("BOTTOMPADDING", (0, 0), (-1, -1), pad + 0.8),
            ("VALIGN", (0, 0), (-1, -1), "MIDDLE" if table.titled else "TOP"),
            ("VALIGN", (0, 0), (-1, 0), "BOTTOM"),
            *([("SPAN", (0, 0), (-1, 0))] if table.titled else []),
            ("NOSPLIT", (0, 0), (-1, 2)),
            ("NOSPLIT", (0, -2), (-1, -1)),
            ("LINEBELOW", (0, 0), (-1, 0), 1, INK, "butt"),
            ("LINEBELOW", (0, 1), (-1, -1), 0.57, LINE, "butt"),
        ]
    )
    return ruled, wide


def aside(blocks: list[Any], setter: Typesetter, width: float, accent: str) -> Ruled:
    """Flowables under each other with a bar at the side where they begin."""
    rows, widths = [["", block] for block in blocks], [_THICK, width - _THICK]
    bar, padding = 0, [("LEFTPADDING", (1, 0), (1, -1), _APART), ("RIGHTPADDING", (0, 0), (-1, -1), 0)]
    if setter.is_right_to_left:
        rows, widths = [row[::-1] for row in rows], widths[::-1]
        bar, padding = 1, [("RIGHTPADDING", (0, 0), (0, -1), _APART), ("LEFTPADDING", (0, 0), (-1, -1), 0)]
    ruled = Ruled(rows, widths, hAlign="LEFT")
    ruled.setStyle(
        [
            _no_other_font(setter),
            ("NOSPLIT", (0, 0), (-1, 1)),
            ("BACKGROUND", (bar, 0), (bar, -1), accent),
            *padding,
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 2.4),
        ]
    )
    return ruled


def beside(columns: list[list[Any]], setter: Typesetter, width: float, *, ruled: bool) -> Ruled:
    """Flowables in columns of the same width, between lines where they are `ruled`."""
    room = (width + BESIDE) / len(columns)
    cells, widths = [columns], [room] * (len(columns) - 1) + [room - BESIDE]
    if setter.is_right_to_left:
        cells, widths = [columns[::-1]], widths[::-1]
    lines: list[tuple[Any, ...]] = [
        ("LINEBELOW", (0, 0), (-1, -1), 1, INK, "butt"),
        ("LINEBEFORE", (1, 0), (-1, -1), 0.57, LINE, "butt"),
    ]
    table = Ruled(cells, widths, hAlign="LEFT")
    table.setStyle(
        [
            _no_other_font(setter),
            ("VALIGN", (0, 0), (-1, -1), "TOP"),
            ("LEFTPADDING", (0, 0), (-1, -1), 0),
            ("LEFTPADDING", (1, 0), (-1, -1), BESIDE / 2 if ruled else 0),
            ("RIGHTPADDING", (0, 0), (-1, -1), BESIDE / 2 if ruled else BESIDE),
            ("RIGHTPADDING", (-1, 0), (-1, -1), 0),
            ("TOPPADDING", (0, 0), (-1, -1), 0),
            ("BOTTOMPADDING", (0, 0), (-1, -1), 5 if ruled else 0),
            *(lines if ruled else []),
        ]
    )
    return table


def _no_other_font(setter: Typesetter) -> tuple[Any, ...]:
    """Cells hold paragraphs, and yet Platypus selects a font for each."""
    return ("FONTNAME", (0, 0), (-1, -1), setter.name(_CELL))


def _tags(table: Tag, count: int, head: bool) -> list[Tag]:
    row = table.tag("TR")
    if head:
        return [row.tag("TH", "Column") for _ in range(count)]
    return [row.tag("TD") if number else row.tag("TH", "Row") for number in range(count)]


def _cell(content: Inline, style: TypeStyle, align: str, setter: Typesetter, tag: Tag) -> TaggedParagraph:
    words = setter.words(content, style, tag)
    words.style.alignment = (_MIRRORED if setter.is_right_to_left else _ALIGN)[align]
    return words


def _column_widths(best: list[float], least: list[float], width: float, pictured: list[bool]) -> list[float]:
    """Widths of columns that together have `width`: what each would like, else the widest give way, to their least.

    What is left over goes to those without pictures.
    """
    spare = width - sum(best)
    if spare >= 0:
        shares = [0.0 if fixed else want for want, fixed in zip(best, pictured, strict=True)]
        return [want + spare * share / sum(shares) for want, share in zip(best, shares, strict=True)]
    if sum(least) >= width:
        return [need * width / sum(least) for need in least]
    low, high = 0.0, max(best)
    for _ in range(_STEPS):
        middle = (low + high) / 2
        widths = [max(need, min(want, middle)) for want, need in zip(best, least, strict=True)]
        low, high = (low, middle) if sum(widths) > width else (middle, high)
    return [max(need, min(want, low)) for want, need in zip(best, least, strict=True)]
