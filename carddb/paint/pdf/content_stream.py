"""The content stream of a face as a value: operators, and placeholders for what has another name in each file."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.display_list import Cluster, Gradient, PlacedImage
from carddb.layout.sheets.imposition import Page

DIGITS = 32
"""The number of hex digits of a digest."""
_BETWEEN = "\f"
"""The separator between items, which occurs in no operator."""


class TransparentGroup(NamedTuple):
    """Operators that are transparent as a whole, with `opacity` in thousandths; an opaque group is a shared icon."""

    items: StreamItems
    opacity: int


class GlyphText(NamedTuple):
    """Glyphs of one font on one baseline.

    `matrix` moves the origin to the start of the baseline, with y upwards; `font` is the font's `name`, and `size` is
    the em in micrometres. Invisible glyphs can only be searched and copied. The characters of a cluster are in visual
    order from left to right, as PDF readers expect them.
    """

    matrix: str
    is_invisible: bool
    font: str
    size: int
    clusters: tuple[Cluster, ...]


class GradientFill(NamedTuple):
    """A gradient that fills an outline, given as the operators that clip to it."""

    window: str
    gradient: Gradient


StreamItem = str | PlacedImage | TransparentGroup | GlyphText | GradientFill
StreamItems = tuple[StreamItem, ...]
Letters = Mapping[str, int]
"""`{key of the font: ASCII characters it shows}`, where the characters are the bits of an integer.

A font that shows only other characters has 0. With sets instead of bits, a face took 25 microseconds more, of 650.
"""


class ContentStream(NamedTuple):
    """The size of a face, its operators (which restore the graphics state), and the ASCII characters that they show."""

    size: Size
    items: StreamItems
    letters: Letters

    @property
    def digest(self) -> str:
        """A digest of the face's appearance, equal for faces that print the same, in every job and on every machine.

        The grouping of shapes is included, so another version of a template or of this program may give another digest
        for the same appearance, but never the same digest for another appearance.
        """
        return digest((f"{self.size.width} {self.size.height}", *self.items))

    @property
    def length(self) -> int:
        """The number of characters of all operators together."""
        return _length(self.items)


def _length(items: StreamItems) -> int:
    return sum(
        len(item) if isinstance(item, str) else _length(item.items) if isinstance(item, TransparentGroup) else 0
        for item in items
    )


def digest(items: StreamItems) -> str:
    """Returns the SHA-256 of operators in hex; fonts are named by digests of their files, pictures by their keys."""
    text = _BETWEEN.join([item if isinstance(item, str) else _summary(item) for item in items])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _summary(item: PlacedImage | TransparentGroup | GlyphText | GradientFill) -> str:
    if isinstance(item, TransparentGroup):
        return f"{item.opacity} {digest(item.items)}"
    if isinstance(item, GradientFill):
        return repr(item)
    if isinstance(item, GlyphText):
        return repr((item.matrix, item.is_invisible, item.font, item.size, item.clusters))
    return repr((item.key, *item.box, *item.clip, item.angle))


def pictures(items: StreamItems) -> Iterator[PlacedImage]:
    """Yields the pictures among the operators, also inside groups, in drawing order."""
    for item in items:
        if isinstance(item, PlacedImage):
            yield item
        elif isinstance(item, TransparentGroup):
            yield from pictures(item.items)


_NO_STREAMS: Mapping[int, ContentStream] = MappingProxyType({})


class DrawnPage(NamedTuple):
    """An imposed page, and the content streams of the faces on it, by the number that `Placed.face` has."""

    page: Page
    streams: Mapping[int, ContentStream] = _NO_STREAMS
