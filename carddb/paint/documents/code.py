"""Blocks of code on the pages of a document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reportlab.platypus import Flowable

from carddb.layout.documents.blocks import Code
from carddb.layout.documents.fonts import BOLD
from carddb.paint.documents.paragraph import INK, LINE, TypeStyle
from carddb.paint.documents.tags import Tag, artifact
from carddb.paint.documents.typography import Typesetter

_CODE = TypeStyle("code", 7.5, 10.2)
_GROUND, _PAD, _BAR = "#f4f4f1", 6.0, 1.6
_LEAST_LINES, _WHOLE = 3, 12
"""A block of code is not cut before or behind fewer lines, and one of a few lines not at all."""
_CONTINUED = "    "
"""Before the rest of a line that is longer than its place."""


class CodeLines(Flowable):
    """Lines as they are typed, on a ground of their own; a long one goes on below."""

    def __init__(self, code: Code, setter: Typesetter, tag: Tag, lines: Sequence[str] = ()) -> None:
        super().__init__()
        self.code, self.setter, self.tag = code, setter, tag
        self.lines = tuple(lines or code.lines)
        self.set: list[tuple[str, bool]] = []

    def is_wide(self, column: float) -> bool:
        """Whether it is too wide for a column; words without columns of their own may be broken."""
        fits = max(map(len, self.lines)) * self._advance <= column - 2 * _PAD - _BAR
        return not fits and self.code.kind != "text"

    @property
    def _advance(self) -> float:
        return self.setter.width("0", _CODE)[0]

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        most = max(20, int((width - 2 * _PAD - _BAR) / self._advance))
        self.set = [piece for line in self.lines for piece in self._broken(line, most)]
        self.height = len(self.set) * _CODE.leading + 2 * _PAD
        return width, self.height

    def _broken(self, line: str, most: int) -> list[tuple[str, bool]]:
        typed = self.code.is_typed(line)
        out = []
        while len(line) > most:
            end = line.rfind(" ", len(_CONTINUED) + 1, most + 1)
            out.append((line[: end if end > 0 else most], typed))
            line = _CONTINUED + line[end if end > 0 else most :].lstrip()
        return [*out, (line, typed)]

    def split(self, width: float, height: float) -> list[Any]:
        self.wrap(width, height)
        if len(self.set) <= _WHOLE:
            return []
        room = int((height - 2 * _PAD) / _CODE.leading)
        taken = at = 0
        most = max(20, int((width - 2 * _PAD - _BAR) / self._advance))
        for line in self.lines:
            taken += len(self._broken(line, most))
            if taken > room:
                break
            at += 1
        at = min(at, len(self.lines) - _LEAST_LINES)
        if at < _LEAST_LINES:
            return []
        return [CodeLines(self.code, self.setter, self.tag, part) for part in (self.lines[:at], self.lines[at:])]

    def draw(self) -> None:
        canvas: Any = self.canv
        with artifact(canvas):
            canvas.setFillColor(_GROUND)
            canvas.rect(0, 0, self.width, self.height, stroke=0, fill=1)
            canvas.setFillColor(LINE)
            canvas.rect(0, 0, _BAR, self.height, stroke=0, fill=1)
        y = self.height - _PAD - _CODE.size
        with self.tag.marked(canvas):
            canvas.setFillColor(INK)
            for line, typed in self.set:
                style = replace(_CODE, weight=BOLD) if typed else _CODE
                x = _BAR + _PAD
                for frag in self.setter.frags(line, style):
                    canvas.setFont(frag.fontName, frag.fontSize)
                    canvas.drawString(x, y, frag.text)
                    x += self.setter.width(frag.text, style)[0]
                y -= _CODE.leading
