"""The display list: every shape at its exact place, in whole micrometres, y downwards.

All painters draw these shapes and nothing else, so no two outputs can disagree; their text form
(`paint.dump`) is the golden that tests compare.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from carddb.core.units import Box, Size

Op = tuple[str, tuple[int, ...]]
"""One path segment in absolute micrometres: M x y, L x y, C x1 y1 x2 y2 x y, Z."""


class Stroke(NamedTuple):
    """A line: width and dash in micrometres, caps and joins by their SVG names."""

    colour: str
    width: int
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[int, ...] = ()


class Path(NamedTuple):
    """A filled or stroked outline; colours are `#rrggbb`."""

    ops: tuple[Op, ...]
    fill: str | None = None
    stroke: Stroke | None = None
    evenodd: bool = False


class Glyph(NamedTuple):
    """A glyph that HarfBuzz chose: its number in the font, how far it is moved, and where its characters begin.

    `dx` goes right, `dy` up, in micrometres; `cluster` is a place in the text of the word. Glyphs of one cluster stand
    for its characters together: a letter, its marks and what it has become one with.
    """

    id: int
    dx: int
    dy: int
    cluster: int


class Word(NamedTuple):
    """Characters of one font at one size, made once and shared by every line that has them.

    `size` is the em; `advances` are one per character (kerning and tracking included, 0 for a combining mark), `width`
    is their sum, `tracking` is what of each advance was added to it. Of a script that is shaped, `glyphs` are what is
    drawn from left to right, the advances theirs, and the text as it is read.
    """

    text: str
    font: str
    size: int
    advances: tuple[int, ...]
    width: int
    tracking: int = 0
    glyphs: tuple[Glyph, ...] = ()

    def clusters(self) -> Iterator[Cluster]:
        """Yields the glyphs with their advances and characters, cluster by cluster, from left to right."""
        starts = sorted({glyph.cluster for glyph in self.glyphs})
        ends = dict(zip(starts, [*starts[1:], len(self.text)], strict=True))
        pairs = zip(self.glyphs, self.advances, strict=True)
        for start, group in groupby(pairs, key=lambda pair: pair[0].cluster):
            yield Cluster(self.text[start : ends[start]], tuple(group))


class Cluster(NamedTuple):
    """Characters as they are read, and the glyphs that stand for them, each with its advance."""

    text: str
    glyphs: tuple[tuple[Glyph, int], ...]


def word(text: str, font: str, size: int, advances: tuple[int, ...], tracking: int = 0) -> Word:
    """Returns a word as wide as its advances."""
    return Word(text, font, size, advances, sum(advances), tracking)


UNSEEN = ""
"""The colour of invisible words, which are read aloud, searched and copied."""


class Run(NamedTuple):
    """Words of one font and size on one baseline, each going straight on from the one before; never empty.

    `x`, `y` the start of the baseline, `angle` in degrees clockwise, `field` the card field it tells. All words have
    glyphs, or none.
    """

    x: int
    y: int
    words: tuple[Word, ...]
    colour: str = "#000000"
    angle: int = 0
    field: str = ""

    @property
    def text(self) -> str:
        return "".join([word.text for word in self.words])

    @property
    def font(self) -> str:
        return self.words[0].font

    @property
    def size(self) -> int:
        return self.words[0].size

    @property
    def advances(self) -> tuple[int, ...]:
        return tuple(advance for word in self.words for advance in word.advances)

    @property
    def width(self) -> int:
        return sum([word.width for word in self.words])


class Picture(NamedTuple):
    """An image by key (the SHA-256 of its bytes): `box` is where the whole image would lie, `clip` what shows of it."""

    key: str
    box: Box
    clip: Box
    angle: int = 0
    field: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together: a sign, or what is clipped to an outline or see-through as a whole.

    `opacity` is in thousandths. A sign that is `shared` is the same object on all faces that have it at the same place.
    """

    shapes: tuple[Shape, ...]
    clip: tuple[Op, ...] = ()
    evenodd: bool = False
    opacity: int = 1000
    shared: bool = field(default=False, compare=False)

    @property
    def is_plain(self) -> bool:
        """Says whether its shapes look as they would without it."""
        return not self.clip and self.opacity == 1000


Shape = Path | Run | Picture | Group


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a card or component: its trim size, its shapes, and what it is in words."""

    size: Size
    shapes: tuple[Shape, ...]
    title: str = ""
    fields: dict[str, str] = field(default_factory=dict, compare=False)


def rectangle(box: Box) -> tuple[Op, ...]:
    """Returns the outline of a box."""
    return (
        ("M", (box.x, box.y)),
        ("L", (box.right, box.y)),
        ("L", (box.right, box.bottom)),
        ("L", (box.x, box.bottom)),
        ("Z", ()),
    )


def line(x1: int, y1: int, x2: int, y2: int, stroke: Stroke) -> Path:
    """Returns a straight stroke."""
    return Path((("M", (x1, y1)), ("L", (x2, y2))), stroke=stroke)


def walk(shapes: tuple[Shape, ...]) -> list[Path | Run | Picture]:
    """Returns every shape that is not a group, in drawing order."""
    out: list[Path | Run | Picture] = []
    for shape in shapes:
        if isinstance(shape, Group):
            out.extend(walk(shape.shapes))
        else:
            out.append(shape)
    return out
