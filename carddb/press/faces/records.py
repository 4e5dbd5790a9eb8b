"""Faces that were drawn as plain values, which marshal and pickle write and read quickly.

So they go from a process to another, and from a run to the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from carddb.core.units import Box, Size
from carddb.layout.display_list import Cluster, Glyph, Picture
from carddb.paint.pdf.content_stream import (
    ContentStream,
    GlyphText,
    Letters,
    StreamItem,
    StreamItems,
    TransparentGroup,
)

PlainItem = str | tuple[Any, ...]
"""Operators, or a word that says what follows."""


class FaceRecord(NamedTuple):
    """A face: its measures, its items, the letters that they show, its digest, and the length of its operators."""

    width: int
    height: int
    items: list[PlainItem]
    letters: Letters
    digest: str
    length: int


def record_of(stream: ContentStream) -> FaceRecord:
    """Makes the record of a face."""
    return FaceRecord(*stream.size, _plain(stream.items), stream.letters, stream.digest, _length(stream.items))


def stream_of(record: FaceRecord) -> ContentStream:
    """Makes the face of a record."""
    return ContentStream(Size(record.width, record.height), _items(record.items), record.letters)


def _plain(items: StreamItems) -> list[PlainItem]:
    plain: list[PlainItem] = []
    for item in items:
        if isinstance(item, str):
            plain.append(item)
        elif isinstance(item, TransparentGroup):
            plain.append(("group", item.opacity, _plain(item.items)))
        elif isinstance(item, Picture):
            plain.append(("picture", item.key, tuple(item.box), tuple(item.clip), item.angle, item.field))
        else:
            clusters = [
                (text, [(tuple(glyph), advance) for glyph, advance in glyphs]) for text, glyphs in item.clusters
            ]
            plain.append(("glyphs", item.matrix, item.is_invisible, item.font, item.size, clusters))
    return plain


def _length(items: StreamItems) -> int:
    """Counts the characters of operators."""
    return sum(
        len(item) if isinstance(item, str) else _length(item.items) if isinstance(item, TransparentGroup) else 0
        for item in items
    )


def _items(items: Iterable[PlainItem]) -> StreamItems:
    return tuple([item if isinstance(item, str) else _item(*item) for item in items])


def _item(kind: str, *values: Any) -> StreamItem:
    if kind == "group":
        opacity, items = values
        return TransparentGroup(_items(items), opacity)
    if kind == "picture":
        key, box, clip, angle, field = values
        return Picture(key, Box(*box), Box(*clip), angle, field)
    matrix, is_invisible, font, size, clusters = values
    return GlyphText(matrix, is_invisible, font, size, tuple([_cluster(*cluster) for cluster in clusters]))


def _cluster(text: str, glyphs: Iterable[tuple[tuple[int, int, int, int], int]]) -> Cluster:
    return Cluster(text, tuple([(Glyph(*glyph), advance) for glyph, advance in glyphs]))
