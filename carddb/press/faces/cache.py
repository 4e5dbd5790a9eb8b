"""A cache of the content streams of faces, kept between runs as plain values that are fast to read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from carddb.core import cache
from carddb.core.units import Box, Size
from carddb.layout.display_list import Cluster, Glyph, Gradient, Picture, Stop
from carddb.paint.pdf.content_stream import (
    ContentStream,
    GlyphText,
    GradientFill,
    Letters,
    StreamItem,
    StreamItems,
    TransparentGroup,
)
from carddb.press.faces.workshop import Workshop

PlainItem = str | tuple[Any, ...]
"""Operators as text, or a tuple whose first value names its kind."""


class FaceRecord(NamedTuple):
    """A face in plain values: its size, items, characters by font, digest, and the length of its operators."""

    width: int
    height: int
    items: list[PlainItem]
    letters: Letters
    digest: str
    length: int


def record_of(stream: ContentStream) -> FaceRecord:
    """Returns a face as a record."""
    return FaceRecord(*stream.size, _plain(stream.items), stream.letters, stream.digest, _length(stream.items))


def stream_of(record: FaceRecord) -> ContentStream:
    """Returns the face of a record."""
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
        elif isinstance(item, GradientFill):
            line, matrix, stops = item.gradient
            plain.append(("gradient", item.window, line, matrix, [tuple(stop) for stop in stops]))
        else:
            clusters = [(text, [(tuple(glyph), advance) for glyph, advance in row]) for text, row in item.clusters]
            plain.append(("glyphs", item.matrix, item.is_invisible, item.font, item.size, clusters))
    return plain


def _length(items: StreamItems) -> int:
    """Returns the number of characters of all operators."""
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
    if kind == "gradient":
        window, line, matrix, stops = values
        return GradientFill(window, Gradient(tuple(line), tuple(matrix), tuple([Stop(*stop) for stop in stops])))
    matrix, is_invisible, font, size, clusters = values
    rows = [Cluster(text, tuple([(Glyph(*glyph), advance) for glyph, advance in row])) for text, row in clusters]
    return GlyphText(matrix, is_invisible, font, size, tuple(rows))


_KIND = "faces"
_MOST = 24_000_000
"""The most characters of content streams in one entry. Further faces are not cached."""
_PICTURES = frozenset({".png", ".webp", ".jpg", ".jpeg"})

_CachedFace = tuple[tuple[Any, ...], Mapping[str, str], Mapping[str, str]]
"""The values of a record, the names of its fonts by key, and the keys of its pictures by file name."""


class FaceCache:
    """A cache of the faces of a workshop with one ink mode, from earlier runs and from this one."""

    def __init__(self, workshop: Workshop, ink: str) -> None:
        self._fonts = workshop.kit.book.fonts
        self._images = workshop.images
        self._key = _job_key(workshop, ink)
        entry = cache.fetch_value(_KIND, self._key)
        if not isinstance(entry, dict) or entry.keys() != {"faces", "length"}:
            entry = {"faces": {}, "length": 0}
        self._faces: dict[str, _CachedFace] = entry["faces"]
        self._length: int = entry["length"]
        self._font_names: dict[tuple[str, ...], Mapping[str, str]] = {}
        """Shared mappings of font names, by font keys, because most faces have the same fonts."""
        self._grown = False

    def __contains__(self, key: str) -> bool:
        return bool(key) and key in self._faces

    def face(self, key: str) -> FaceRecord | None:
        """Returns the face with this key; None if it is not cached, or if a font or picture has changed."""
        cached = self._faces.get(key) if key else None
        if cached is None:
            return None
        values, fonts, pictures = cached
        if not all(font in self._fonts and self._fonts[font].name == name for font, name in fonts.items()):
            return None
        return FaceRecord(*values) if self._images.are(pictures) else None

    def add(self, key: str, record: FaceRecord, pictures: Mapping[str, str]) -> None:
        """Adds a face drawn in this run. `pictures` are the keys of its pictures by file name."""
        if key and self._key and self._length < _MOST:
            fonts = tuple(record.letters)
            if fonts not in self._font_names:
                self._font_names[fonts] = {font: self._fonts[font].name for font in fonts}
            self._faces[key] = tuple(record), self._font_names[fonts], dict(pictures)
            self._length += record.length
            self._grown = True

    def save(self) -> None:
        """Writes the faces added in this run, if there are any."""
        if self._grown:
            cache.keep_value(_KIND, self._key, {"faces": self._faces, "length": self._length})
            self._grown = False


def _job_key(workshop: Workshop, ink: str) -> str:
    """Returns a key for everything that the faces of a workshop share; empty if it cannot be determined."""
    sources = workshop.kit.templates.sources
    try:
        if any("<image" in sources[name] for name in sources if name.split("/")[1].startswith("symbols")):
            return ""
        stamps = [*cache.program_stamps(), *cache.folder_stamps(workshop.game.folder.path, _is_read)]
    except OSError:
        return ""
    fonts = sorted(workshop.kit.book.fonts)
    templates = (part for name in sorted(sources) for part in (name, sources[name]))
    return cache.key_of([workshop.prefix, workshop.lang, ink, *fonts, *stamps, *templates])


def _is_read(name: str) -> bool:
    """Returns True if a game's program may read this file to draw a face. Pictures are compared separately."""
    return Path(name).suffix.lower() not in _PICTURES
