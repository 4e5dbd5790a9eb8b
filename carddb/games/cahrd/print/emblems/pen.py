"""What a picture is made of, for a face template to paint in its order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class Stroke:
    """A painted outline; `width` in millimetres, none where it is 0."""

    d: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0
    dash: str = "none"
    cap: str = "butt"
    kind: ClassVar[str] = "path"


@dataclass(frozen=True, slots=True)
class Stamp:
    """A shared drawing, by its id: a square of `size` with this corner."""

    name: str
    x: float
    y: float
    size: float
    fill: str
    kind: ClassVar[str] = "use"


@dataclass(frozen=True, slots=True)
class Title:
    """Words on a slip of paper, with their lower corner at the side of `anchor`: start or end."""

    text: str
    x: float
    y: float
    anchor: str
    kind: ClassVar[str] = "title"


@dataclass(frozen=True, slots=True)
class Cut:
    """What is drawn within an outline only; `name` is the id of the clip."""

    name: str
    d: str
    parts: list[Stroke | Stamp | Title | Cut] = field(default_factory=list)
    kind: ClassVar[str] = "clip"


Part = Stroke | Stamp | Title | Cut


class Pen:
    """Collects what is drawn. A colour is a name of the palette, or itself: `#1e1b18`, `none`."""

    def __init__(self, palette: Mapping[str, str]) -> None:
        self.parts: list[Part] = []
        self._palette = palette
        self._cuts = 0

    def path(
        self, d: str, fill: str = "none", stroke: str = "none", width: float = 0, dash: str = "none", cap: str = "butt"
    ) -> None:
        """An outline, filled, stroked or both."""
        if d:
            self.parts.append(Stroke(d, self._colour(fill), self._colour(stroke), width, dash, cap))

    def strokes(self, d: str, *strokes: tuple[str, float]) -> None:
        """An outline stroked in several colours and widths, one over the other."""
        for colour, width in strokes:
            self.path(d, stroke=colour, width=width)

    def stamp(self, name: str, centre: tuple[float, float], size: float, fill: str) -> None:
        """A shared drawing about its middle."""
        x, y = round(centre[0] - size / 2, 2), round(centre[1] - size / 2, 2)
        self.parts.append(Stamp(name, x, y, round(size, 2), self._colour(fill)))

    def title(self, text: str, x: float, y: float, anchor: str) -> None:
        """Words that name what is drawn; they stand over no outline that cuts."""
        self.parts.append(Title(text, round(x, 2), round(y, 2), anchor))

    def _colour(self, name: str) -> str:
        return self._palette.get(name, name)

    @contextmanager
    def within(self, d: str) -> Iterator[None]:
        """What is drawn meanwhile is cut to an outline."""
        self._cuts += 1
        outer, cut = self.parts, Cut(f"cut-{self._cuts}", d)
        outer.append(cut)
        self.parts = cut.parts
        try:
            yield
        finally:
            self.parts = outer
