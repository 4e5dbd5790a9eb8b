"""The content stream of a face as a value: operators, and what a file will give its own names to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from carddb.core.units import Size
from carddb.layout.display_list import Cluster, Picture
from carddb.layout.sheets.imposition import Page

DIGITS = 32
"""The length of a digest."""
_BETWEEN = "\f"
"""Between items: no operator has it."""


def characters(letters: int) -> Iterator[str]:
    """Returns the characters of ASCII whose bits are set."""
    return (chr(point) for point in range(128) if letters >> point & 1)


OPAQUE = 1000
"""The opacity of what is not seen through, in thousandths."""


class TransparentGroup(NamedTuple):
    """Operators that are seen through as a whole, `opacity` in thousandths; opaque ones are those of a shared sign."""

    items: StreamItems
    opacity: int


class GlyphText(NamedTuple):
    """Glyphs of one font on one baseline.

    `matrix` brings the start of the baseline to its place, y upwards; `font` is the name that goes with its looks,
    `size` the em in micrometres. Invisible ones are only read. The characters of a cluster are in the order in which
    they stand from left to right, in which readers of a PDF take them.
    """

    matrix: str
    is_invisible: bool
    font: str
    size: int
    clusters: tuple[Cluster, ...]


StreamItem = str | Picture | TransparentGroup | GlyphText
StreamItems = tuple[StreamItem, ...]
Letters = Mapping[str, int]
"""The characters of ASCII that each font shows, by its key: a number with a bit for each of them.

A font that shows others alone has 0. Sets took 25 microseconds more a face, of 650, to collect and write.
"""


class ContentStream(NamedTuple):
    """A face's size, its operators, which leave the graphics state as it was, and what they show of ASCII."""

    size: Size
    items: StreamItems
    letters: Letters

    @property
    def digest(self) -> str:
        """A digest of the look, equal where two faces print the same, whenever and wherever they are drawn.

        How shapes are grouped counts too, so that another version of a template or of this program may give another
        digest for the same look, never the same for another.
        """
        return digest((f"{self.size.width} {self.size.height}", *self.items))


def digest(items: StreamItems) -> str:
    """Returns hex digits of SHA-256 over operators; fonts count by their files, which name them, pictures by key."""
    text = _BETWEEN.join([item if isinstance(item, str) else _summary(item) for item in items])
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def _summary(item: Picture | TransparentGroup | GlyphText) -> str:
    if isinstance(item, TransparentGroup):
        return f"{item.opacity} {digest(item.items)}"
    if isinstance(item, GlyphText):
        return repr((item.matrix, item.is_invisible, item.font, item.size, item.clusters))
    return repr((item.key, *item.box, *item.clip, item.angle))


def pictures(items: StreamItems) -> Iterator[Picture]:
    """Yields the pictures among operators, in the order in which they are drawn."""
    for item in items:
        if isinstance(item, Picture):
            yield item
        elif isinstance(item, TransparentGroup):
            yield from pictures(item.items)


_NO_STREAMS: Mapping[int, ContentStream] = MappingProxyType({})


class DrawnPage(NamedTuple):
    """An imposed page with the content stream of every face on it, by `Placed.face`."""

    page: Page
    streams: Mapping[int, ContentStream] = _NO_STREAMS
