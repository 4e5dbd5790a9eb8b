"""The content streams of faces from one run to the next, as plain values that are read quickly."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from carddb.core import cache
from carddb.core.units import Box, Size
from carddb.layout.display_list import Cluster, Glyph, Picture
from carddb.paint.pdf.content_stream import ContentStream, GlyphText, Letters, StreamItem, StreamItems, TransparentGroup
from carddb.press.faces.workshop import Workshop

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
            clusters = [(text, [(tuple(glyph), advance) for glyph, advance in row]) for text, row in item.clusters]
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
    rows = [Cluster(text, tuple([(Glyph(*glyph), advance) for glyph, advance in row])) for text, row in clusters]
    return GlyphText(matrix, is_invisible, font, size, tuple(rows))


_KIND = "faces"
_MOST = 24_000_000
"""Characters of the streams in one entry; further faces are not cached."""
_PICTURES = frozenset({".png", ".webp", ".jpg", ".jpeg"})

_CachedFace = tuple[tuple[Any, ...], Mapping[str, str], Mapping[str, str]]
"""The values of a record, the names of its fonts, and the keys of its pictures by name."""


class FaceCache:
    """The faces of a workshop at one ink: those of earlier runs, and those that are added in this one."""

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
        """By keys of fonts: most faces have the same fonts, and one mapping serves them all."""
        self._grown = False

    def __contains__(self, key: str) -> bool:
        return bool(key) and key in self._faces

    def face(self, key: str) -> FaceRecord | None:
        """Returns the face of a key; None where it was not drawn before, or with another font or picture."""
        cached = self._faces.get(key) if key else None
        if cached is None:
            return None
        values, fonts, pictures = cached
        if not all(font in self._fonts and self._fonts[font].name == name for font, name in fonts.items()):
            return None
        return FaceRecord(*values) if self._images.are(pictures) else None

    def add(self, key: str, record: FaceRecord, pictures: Mapping[str, str]) -> None:
        """Adds a face that was drawn in this run with these pictures, their keys by name."""
        if key and self._key and self._length < _MOST:
            fonts = tuple(record.letters)
            if fonts not in self._font_names:
                self._font_names[fonts] = {font: self._fonts[font].name for font in fonts}
            self._faces[key] = tuple(record), self._font_names[fonts], dict(pictures)
            self._length += record.length
            self._grown = True

    def save(self) -> None:
        """Writes what was added, for the next run."""
        if self._grown:
            cache.keep_value(_KIND, self._key, {"faces": self._faces, "length": self._length})
            self._grown = False


def _job_key(workshop: Workshop, ink: str) -> str:
    """Returns the key of all that the faces of a workshop have in common; empty where it cannot be known."""
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
    """Checks whether a game's program may read a file to draw a face; the bytes of its pictures are compared."""
    return Path(name).suffix.lower() not in _PICTURES
