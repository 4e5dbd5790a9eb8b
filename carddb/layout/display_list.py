"""The display list: every shape at its exact position, in whole micrometres, with y downwards.

All painters draw these shapes and nothing else, so that two output formats cannot differ. Tests compare their text form
(`paint.dump`) with stored copies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from carddb.core.units import Box, Size

OPAQUE = 1000
"""Full opacity, in thousandths."""
Op = tuple[str, tuple[int, ...]]
"""One path segment in absolute micrometres: M x y, L x y, C x1 y1 x2 y2 x y, Z."""


class Stroke(NamedTuple):
    """The style of a line: width and dash lengths are in micrometres; cap and join have their SVG names."""

    colour: str
    width: int
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[int, ...] = ()


class Stop(NamedTuple):
    """A colour of a gradient at `offset`, its place from 0 (start) to 1 (end); `opacity` is in thousandths."""

    offset: float
    colour: str
    opacity: int = OPAQUE


class Gradient(NamedTuple):
    """Colours along a line, or from an inner to an outer circle; beyond both ends, the last colour there continues.

    `line` is (x1, y1, x2, y2) of a linear gradient, or (x, y, radius) of the inner and then of the outer circle of a
    radial one, in the gradient's own units, which `matrix` converts to micrometres.
    """

    line: tuple[float, ...]
    matrix: tuple[float, float, float, float, float, float]
    stops: tuple[Stop, ...]

    @property
    def is_radial(self) -> bool:
        return len(self.line) == 6

    def own(self, x: float, y: float) -> tuple[float, float]:
        """Returns a point, given in micrometres, converted to the gradient's own units."""
        a, b, c, d, e, f = self.matrix
        size = a * d - b * c
        return (d * (x - e) - c * (y - f)) / size, (a * (y - f) - b * (x - e)) / size

    def padded(self) -> tuple[Stop, ...]:
        """Returns the stops, with a copy of the first before them at offset 0 and of the last after them at 1."""
        first, last = self.stops[0], self.stops[-1]
        return (first._replace(offset=0.0), *self.stops, last._replace(offset=1.0))


class Path(NamedTuple):
    """An outline with colours as `#rrggbb`. A `gradient` fills it in place of `fill`, which is then its mean colour."""

    ops: tuple[Op, ...]
    fill: str | None = None
    stroke: Stroke | None = None
    evenodd: bool = False
    gradient: Gradient | None = None


class Glyph(NamedTuple):
    """A glyph chosen by HarfBuzz: its index in the font, its offset, and the index of its first character.

    `dx` (to the right) and `dy` (upwards) are in micrometres; `cluster` is an index in the text of the word. Glyphs
    with the same `cluster` together stand for its characters, for example a letter with its marks, or a ligature.
    """

    id: int
    dx: int
    dy: int
    cluster: int


class Word(NamedTuple):
    """Characters in one font and size; all lines that contain the same word share one object.

    `size` is the em. `advances` has one entry per character (including kerning and tracking, and 0 for a combining
    mark); `width` is their sum, and `tracking` is the part of each advance that is letter-spacing. In a script that
    needs shaping, `glyphs` are drawn from left to right and `advances` has one entry per glyph, while `text` is in
    reading order.
    """

    text: str
    font: str
    size: int
    advances: tuple[int, ...]
    width: int
    tracking: int = 0
    glyphs: tuple[Glyph, ...] = ()

    def clusters(self) -> Iterator[Cluster]:
        """Yields the clusters from left to right, each with its characters and its glyphs with their advances."""
        starts = sorted({glyph.cluster for glyph in self.glyphs})
        ends = dict(zip(starts, [*starts[1:], len(self.text)], strict=True))
        pairs = zip(self.glyphs, self.advances, strict=True)
        for start, group in groupby(pairs, key=lambda pair: pair[0].cluster):
            yield Cluster(self.text[start : ends[start]], tuple(group))


class Cluster(NamedTuple):
    """Characters in reading order, and the glyphs that stand for them as (glyph, advance)."""

    text: str
    glyphs: tuple[tuple[Glyph, int], ...]


UNSEEN = ""
"""The colour of invisible text, which can still be read aloud, searched and copied."""


class Run(NamedTuple):
    """One or more words of one font and size on one baseline, each starting where the previous one ends.

    (`x`, `y`) is the start of the baseline, `angle` is in degrees clockwise, and `field` is the card field that the
    text comes from. Either every word has `glyphs`, or none has.
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


class PlacedImage(NamedTuple):
    """An image, whose `key` is the SHA-256 of its bytes; `box` is where all of it would be, `clip` what is visible."""

    key: str
    box: Box
    clip: Box
    angle: int = 0
    field: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes that belong together, such as an icon, or shapes that have a common clipping outline or opacity.

    `opacity` is in thousandths. A `shared` group is the same object on all faces that show it at the same position.
    """

    shapes: tuple[Shape, ...]
    clip: tuple[Op, ...] = ()
    evenodd: bool = False
    opacity: int = OPAQUE
    shared: bool = field(default=False, compare=False)

    @property
    def is_plain(self) -> bool:
        """True if the shapes look the same without the group."""
        return not self.clip and self.opacity == OPAQUE


Shape = Path | Run | PlacedImage | Group


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a card or component: its size when cut, its shapes, a title, and its drawing's scale, 1 or more."""

    size: Size
    shapes: tuple[Shape, ...]
    title: str = ""
    scale: float = 1.0


def rectangle(box: Box) -> tuple[Op, ...]:
    """Returns the outline of `box`."""
    first, *others = (box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)
    return (("M", first), *(("L", corner) for corner in others), ("Z", ()))


def line(x1: int, y1: int, x2: int, y2: int, stroke: Stroke) -> Path:
    """Returns a straight line from (`x1`, `y1`) to (`x2`, `y2`)."""
    return Path((("M", (x1, y1)), ("L", (x2, y2))), stroke=stroke)


def walk(shapes: tuple[Shape, ...]) -> list[Path | Run | PlacedImage]:
    """Returns the shapes, also those inside groups, without the groups themselves, in drawing order."""
    out: list[Path | Run | PlacedImage] = []
    for shape in shapes:
        if isinstance(shape, Group):
            out.extend(walk(shape.shapes))
        else:
            out.append(shape)
    return out
