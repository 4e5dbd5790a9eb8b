"""Faces that were drawn as plain values, which marshal and pickle write and read quickly.

So they go from a process to another, and from a run to the next. What several faces share stands once, apart from them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from carddb.layout.display_list import Cluster, Glyph, Picture
from carddb.paint.content_stream import (
    ContentStream,
    GlyphText,
    Letters,
    SharedStream,
    StreamItem,
    StreamItems,
    TransparentGroup,
)
from carddb.units import Box, Size

PlainItem = str | tuple[Any, ...]
"""Operators, or a word that says what follows."""
SharedItems = dict[str, list[PlainItem]]
"""What several faces share, by its digest."""


class FaceRecord(NamedTuple):
    """A face: its measures, its items, the letters that they show, and its digest.

    `length` counts the characters of its operators, with those that it was the first to share.
    """

    width: int
    height: int
    items: list[PlainItem]
    letters: Letters
    digest: str
    length: int


class FaceRecords:
    """Makes records of faces, and faces of records; `shared` are the items that some of them share."""

    def __init__(self, shared: SharedItems | None = None) -> None:
        self.shared: SharedItems = {} if shared is None else shared
        self._length = 0
        self._streams: dict[str, SharedStream] = {}
        self._new: SharedItems = {}

    def record(self, stream: ContentStream) -> FaceRecord:
        """The record of a face; what it shares with others is in `shared`."""
        self._length = 0
        items = self._plain(stream.items)
        return FaceRecord(*stream.size, items, stream.letters, stream.digest, self._length)

    def stream(self, record: FaceRecord) -> ContentStream:
        """The face of a record."""
        return ContentStream(Size(record.width, record.height), self._items(record.items), record.letters)

    def new_shared(self) -> SharedItems:
        """What has come to be shared since this was last asked."""
        new, self._new = self._new, {}
        return new

    def _plain(self, items: StreamItems) -> list[PlainItem]:
        plain: list[PlainItem] = []
        for item in items:
            if isinstance(item, str):
                self._length += len(item)
                plain.append(item)
            elif isinstance(item, SharedStream):
                if item.digest not in self.shared:
                    self._new[item.digest] = self.shared[item.digest] = self._plain(item.items)
                plain.append(("shared", item.digest))
            elif isinstance(item, TransparentGroup):
                plain.append(("group", item.opacity, self._plain(item.items)))
            elif isinstance(item, Picture):
                plain.append(("picture", item.key, tuple(item.box), tuple(item.clip), item.angle, item.field))
            else:
                clusters = [
                    (text, [(tuple(glyph), advance) for glyph, advance in glyphs]) for text, glyphs in item.clusters
                ]
                plain.append(("glyphs", item.matrix, item.is_invisible, item.font, item.size, clusters))
        return plain

    def _items(self, items: Iterable[PlainItem]) -> StreamItems:
        return tuple([item if isinstance(item, str) else self._item(*item) for item in items])

    def _item(self, kind: str, *values: Any) -> StreamItem:
        if kind == "shared":
            return self._shared_stream(*values)
        if kind == "group":
            opacity, items = values
            return TransparentGroup(self._items(items), opacity)
        if kind == "picture":
            key, box, clip, angle, field = values
            return Picture(key, Box(*box), Box(*clip), angle, field)
        matrix, is_invisible, font, size, clusters = values
        return GlyphText(matrix, is_invisible, font, size, tuple([_cluster(*cluster) for cluster in clusters]))

    def _shared_stream(self, digest: str) -> SharedStream:
        stream = self._streams.get(digest)
        if stream is None:
            stream = self._streams[digest] = SharedStream(self._items(self.shared[digest]), digest)
        return stream


def _cluster(text: str, glyphs: Iterable[tuple[tuple[int, int, int, int], int]]) -> Cluster:
    return Cluster(text, tuple([(Glyph(*glyph), advance) for glyph, advance in glyphs]))
