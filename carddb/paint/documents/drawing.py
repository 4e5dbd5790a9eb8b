"""Shaped words drawn into a ReportLab document, in fonts of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from carddb.core.units import Size, to_points
from carddb.layout.display_list import Run
from carddb.layout.text.fonts import FontBook
from carddb.paint.pdf.content import PdfContent
from carddb.paint.pdf.operators import number
from carddb.paint.pdf.stream_builder import StreamBuilder
from carddb.paint.pdf.writer import PdfWriter

_BEYOND_ASCII = re.compile(r"[\x80-\xff]")
"""Codes in strings, which ReportLab would take for letters."""


class DocumentDrawing:
    """Draws runs into one document, once that is open."""

    def __init__(self, book: FontBook) -> None:
        self._book = book
        self._builder = StreamBuilder(book)
        self._painter: PdfContent | None = None

    def open(self, writer: PdfWriter) -> None:
        """From now on runs are drawn into the document of that writer."""
        self._painter = PdfContent(writer, self._book, {})

    def close(self) -> None:
        """Names the characters that were drawn, before the fonts are embedded."""
        if self._painter:
            self._painter.add_characters()

    def draw(self, canvas: Any, height: float, runs: Sequence[tuple[Run, str]], leading: float) -> None:
        """Draws runs, each with the place that it leads to; their y goes down from `height` points."""
        assert self._painter
        stream = self._builder.stream(Size(1, 1), tuple(run for run, _ in runs))
        code = _BEYOND_ASCII.sub(lambda char: f"\\{ord(char[0]):03o}", self._painter.content(stream).code)
        canvas._code.append(f"q 0.0028346457 0 0 -0.0028346457 0 {number(height)} cm\n{code}Q")
        for run, target in runs:
            if target:
                left, foot = to_points(run.x), height - to_points(run.y + run.size // 8)
                area = (left, foot, left + to_points(run.width), foot + leading)
                canvas.linkRect("", target.removeprefix("#"), area, relative=1, thickness=0)
