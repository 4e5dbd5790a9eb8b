"""The list of contents on the pages of a book."""

from __future__ import annotations

from typing import Any

from reportlab.platypus import Flowable

from carddb.layout.documents.blocks import ContentsLine
from carddb.paint.documents.paragraph import MID, TaggedParagraph
from carddb.paint.documents.tags import artifact


class ContentsEntry(Flowable):
    """A line of the contents: words at the left, the page at the right, dots between."""

    _number = 24.0

    def __init__(self, line: ContentsLine, words: TaggedParagraph, page: TaggedParagraph) -> None:
        super().__init__()
        self.line, self.words, self.page = line, words, page
        page.style.alignment = 2

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        self.width = width
        self.height = self.words.wrap(width - self._number, height)[1]
        self.page.wrap(self._number, height)
        return width, self.height

    def draw(self) -> None:
        canvas: Any = self.canv
        self.words.drawOn(canvas, 0, 0)
        self.page.drawOn(canvas, self.width - self._number, 0)
        start = self.width - self._number - self.words.spare() + 4
        end = self.width - self._number + 8
        if self.line.depth and end > start:
            with artifact(canvas):
                canvas.setStrokeColor(MID)
                canvas.setLineWidth(0.5)
                canvas.setDash(0.5, 3)
                canvas.line(start, 2.6, end, 2.6)
                canvas.setDash()
