"""Paragraphs of a document as Platypus flows them, and their looks."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

from reportlab.lib.enums import TA_CENTER, TA_LEFT
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import Paragraph

from carddb.core.units import points, to_points
from carddb.layout.text.mixed_paragraph import MixedParagraph
from carddb.paint.documents.drawing import DocumentDrawing
from carddb.paint.documents.tags import Tag, artifact

INK, MID, LINE = "#1a1a1c", "#5e6064", "#b4b6b8"
APART = 1.2
"""From one square to the next, in sides of a square."""
_FEWEST = 2
"""Lines that a paragraph leaves on a page, and takes to the next."""


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """How words are set: the voice's role, size and leading in points, weight, slant, colour."""

    role: str
    size: float
    leading: float
    weight: int = 400
    italic: bool = False
    colour: str = INK
    link: str = ""
    """The colour of links; empty: that of other words."""


@dataclass(frozen=True, slots=True)
class ItemLabel:
    """What stands before a paragraph that is indented: a number, or squares where there is none."""

    indent: float
    at: float = 0.0
    """Where it stands, from the left."""
    text: str = ""
    style: TypeStyle | None = None
    colour: str = ""
    """Of squares."""
    squares: tuple[int, int] = (1, 1)
    """How many there are, and how many of them are filled."""
    side: float = 0.34
    """Of a square, in ems."""


class TaggedParagraph(Paragraph):
    """A paragraph that is tagged, with a square in place of a bullet."""

    tag: Tag | None = None
    square: ItemLabel | None = None
    terms: tuple[str, ...] = ()
    """What it says to the index of a book."""

    def split(self, width: float, height: float) -> list[Any]:
        parts: list[Any] = super().split(width, height)
        for part in parts:
            part.tag = self.tag
        if parts:
            parts[0].square, parts[0].terms = self.square, self.terms
        return parts

    def draw(self) -> None:
        canvas: Any = self.canv
        if self.square:
            with artifact(canvas):
                self._draw_squares(canvas, self.square)
        with self.tag.marked(canvas) if self.tag else nullcontext():
            self._draw_words()

    def _draw_squares(self, canvas: Any, label: ItemLabel) -> None:
        side = self.style.fontSize * label.side
        hair = side * 0.1
        canvas.setFillColor(label.colour)
        y = self.height - self.style.fontSize * 0.66 - side / 2
        count, filled = label.squares
        for number in range(count):
            x = self._square_left(label.at + number * side * APART, side)
            if number < filled:
                canvas.rect(x, y, side, side, stroke=0, fill=1)
            else:
                canvas.setStrokeColor(label.colour)
                canvas.setLineWidth(hair)
                canvas.rect(x + hair / 2, y + hair / 2, side - hair, side - hair, stroke=1, fill=0)

    def _square_left(self, at: float, side: float) -> float:
        """Where a square so wide begins, from the left, that stands `at` from where lines begin."""
        return at

    def _draw_words(self) -> None:
        broken: Any = vars(self)["blPara"]
        if broken.kind == 1 and broken.lines:
            broken.lines[0].ascent = self.style.fontSize  # the first line's place is that of all others
        # Small words stand on the line of those in the next cell.
        lower = self.style.fontSize - broken.fontSize if broken.kind == 0 and broken.lines else 0
        if lower:
            self.canv.translate(0, -lower)
        super().draw()
        if lower:
            self.canv.translate(0, lower)

    def spare(self) -> float:
        """What its last line leaves free at its end, in points."""
        broken: Any = vars(self)["blPara"]
        last = broken.lines[-1]
        return float(last[0] if isinstance(last, tuple) else last.extraSpace)


class ShapedParagraph(TaggedParagraph):
    """A paragraph with letters that are shaped, which ReportLab cannot set."""

    def __init__(
        self, style: ParagraphStyle, content: MixedParagraph, label: MixedParagraph | None, drawing: DocumentDrawing
    ) -> None:
        super().__init__("", style, frags=[])
        self._content, self._label, self._drawing = content, label, drawing

    def wrap(self, availWidth: float, availHeight: float) -> tuple[float, float]:
        self.width = availWidth
        self._rows = self._content.rows(points(availWidth - self.style.leftIndent))
        self.height = len(self._rows) * self.style.leading
        return availWidth, self.height

    def minWidth(self) -> float:
        return to_points(self._content.longest()) + float(self.style.leftIndent)

    def split(self, width: float, height: float) -> list[Any]:
        self.wrap(width, height)
        fitting = int((height + 0.01) / self.style.leading)
        if fitting >= len(self._rows):
            return [self]
        fitting = min(fitting, len(self._rows) - _FEWEST)
        if fitting < _FEWEST:
            return []
        parts: list[Any] = []
        for rows in (self._rows[:fitting], self._rows[fitting:]):
            content = self._content.part(rows[0].start, rows[-1].end)
            parts.append(ShapedParagraph(self.style, content, None if parts else self._label, self._drawing))
            parts[-1].tag = self.tag
        parts[0].square, parts[0].terms = self.square, self.terms
        return parts

    def spare(self) -> float:
        return float(self.width - self.style.leftIndent) - to_points(self._rows[-1].width)

    def _square_left(self, at: float, side: float) -> float:
        return float(self.width - at - side) if self._content.is_right_to_left else at

    def _draw_words(self) -> None:
        backward = self._content.is_right_to_left
        style = self.style
        lines = [(self._content, row, self._left(row.width, backward)) for row in self._rows]
        runs = [
            pair
            for number, (content, row, x) in enumerate(lines)
            for pair in content.runs(row, x, points(style.fontSize + number * style.leading))
        ]
        if self._label:
            [row] = self._label.rows(points(self.width) * 9)
            at = points(style.bulletIndent)
            x = points(self.width) - at - row.width if backward else at
            runs += self._label.runs(row, x, points(style.fontSize))
        self._drawing.draw(self.canv, self.height, runs, style.leading)

    def _left(self, width: int, backward: bool) -> int:
        """Where a line begins, from the left, in micrometres."""
        indent = points(self.style.leftIndent)
        room = points(self.width) - indent - width
        alignment: Any = self.style.alignment
        halves = {TA_LEFT: 0, TA_CENTER: 1}.get(alignment, 2)
        return (0 if backward else indent) + room * halves // 2
