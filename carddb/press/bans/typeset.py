"""Words of an edition broken to lines, before a template puts them on paper: what is measured is what is drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from carddb.core.units import mm, points, to_mm
from carddb.layout.text.scripts import JOINERS, clusters, may_break_anywhere
from carddb.layout.text.text_setting import Setter, Style
from carddb.press.bans.word_forms import one_line

TEXT, LABEL = "Spectral", "IBM Plex Sans Condensed"
_LOST = "◊"
"""What stands for a letter that no font has."""
PT = 25.4 / 72
"""A point in millimetres."""


@dataclass(frozen=True, slots=True)
class Look:
    """How words are set; `size` and `leading` in points."""

    family: str
    size: float
    leading: float
    weight: int = 400


@dataclass(frozen=True, slots=True)
class Typesetter:
    """Measures words in millimetres."""

    setter: Setter
    lost: dict[str, None] = field(default_factory=dict)
    """Characters that no font has, in the order in which they were met."""

    def plain(self, text: str) -> str:
        """A text as one line of letters that the fonts have; a lozenge for each that none has."""
        line = one_line("".join(char for char in text if unicodedata.category(char) != "Cf" or char in JOINERS))
        for family in (TEXT, LABEL):
            missing = self.setter.words(line, Style(family, points(10))).missing
            self.lost.update(dict.fromkeys(missing))
            line = line.translate({ord(char): "" if unicodedata.combining(char) else _LOST for char in missing})
        return line

    def width(self, text: str, look: Look) -> float:
        """How wide a line is."""
        return to_mm(self.setter.width(text, Style(look.family, points(look.size), look.weight)))

    def lines(self, text: str, look: Look, measure: float, most: int = 0) -> list[str]:
        """A text in lines no wider than `measure`; where it has more than `most`, the last ends in an ellipsis."""
        style = Style(look.family, points(look.size), look.weight)
        wide = mm(measure)
        out: list[str] = []
        for word in self.plain(text).split():
            tried = f"{out[-1]} {word}" if out else word
            if out and self.setter.width(tried, style) <= wide:
                out[-1] = tried
            else:
                out += self._broken(word, style, wide)
        if most and len(out) > most:
            out = [*out[: most - 1], self._ending(out[most - 1], style, wide)]
        return out

    def fitted(self, text: str, look: Look, measure: float, least: float = 7.0) -> tuple[str, float]:
        """A text on one line and its size: as asked, else smaller, at the least cut short."""
        text = self.plain(text)
        width = self.width(text, look)
        if width <= measure:
            return text, look.size
        size = max(least, look.size * measure / width * 0.995)
        if size > least:
            return text, size
        style = Style(look.family, points(least), look.weight)
        if self.setter.width(text, style) <= mm(measure):
            return text, least
        while text and self.setter.width(f"{text}…", style) > mm(measure):
            text = text[:-1].rstrip()
        return f"{text}…", least

    def _broken(self, word: str, style: Style, wide: int) -> list[str]:
        """A word that is wider than the measure in pieces."""
        out = [""]
        parts = clusters(word) if may_break_anywhere(word) else iter(word)
        for part in parts if self.setter.width(word, style) > wide else (word,):
            if out[-1] and self.setter.width(out[-1] + part, style) > wide:
                out.append("")
            out[-1] += part
        return out

    def _ending(self, line: str, style: Style, wide: int) -> str:
        while line and self.setter.width(f"{line} …", style) > wide:
            line = line.rpartition(" ")[0] if " " in line else line[:-1]
        return f"{line} …"


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands together on a page: `kind` is how the template draws it, `before` the air above it, in mm.

    `keep` says that what follows stands on the same page, `under` is the heading that is set again where it begins one.
    """

    kind: str
    height: float
    data: Any
    before: float = 0.0
    keep: bool = False
    under: Unit | None = None


@dataclass(frozen=True, slots=True)
class PlacedUnit:
    """A unit at its place, `y` from the top of the page in mm."""

    unit: Unit
    y: float


def paged(units: Sequence[Unit], first: float, later: float, bottom: float) -> list[list[PlacedUnit]]:
    """Units on pages one below the other; `first` and `later` are where pages begin, `bottom` where all end."""
    pages: list[list[PlacedUnit]] = [[]]
    y, at = first, 0
    while at < len(units):
        end = at
        while units[end].keep and end + 1 < len(units):
            end += 1
        chain = units[at : end + 1]
        tall = sum(unit.height for unit in chain) + sum(unit.before for unit in chain[1:])
        gap = chain[0].before if pages[-1] else 0.0
        if pages[-1] and y + gap + tall > bottom + 1e-6:
            pages.append([])
            y, gap = later, 0.0
            if chain[0].under:
                pages[-1].append(PlacedUnit(chain[0].under, y))
                y += chain[0].under.height
        for number, unit in enumerate(chain):
            y += unit.before if number else gap
            pages[-1].append(PlacedUnit(unit, y))
            y += unit.height
        at = end + 1
    return pages
