"""The content streams of faces from one run to the next: who prints again after a change draws what changed.

A face is found again by what it was drawn from: the card, the templates and files of its game, the language, the size,
the ink, the fonts and the source of this program. One that has a finding or looks at a picture is drawn each time: a
finding has more to say than a stream, and this cache knows no files of pictures.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb import cache
from carddb.paint.content_stream import ContentStream, SharedStream, StreamItem, StreamItems, TransparentGroup
from carddb.units import Size

if TYPE_CHECKING:
    from carddb.press.workshop import Workshop

_KIND = "faces"
_MOST = 24_000_000
"""Characters of the streams in one entry; further faces are not cached."""
_PICTURES = frozenset({".png", ".webp", ".jpg", ".jpeg"})
_TEXT = re.compile(r"/(F\d+)\+0 \d+ Tf|\(((?:[^\\()]|\\.)*)\)", re.DOTALL)
"""In operators: a font being chosen, and a string."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class FaceCache:
    """The faces of a workshop at one ink: those of earlier runs, and those that are added in this one."""

    def __init__(self, workshop: Workshop, ink: str) -> None:
        self._fonts = workshop.studio.book.fonts
        self._key = _job_key(workshop, ink)
        entry = _read(self._key)
        self._faces: dict[str, list[Any]] = entry["faces"]
        self._shared: dict[str, list[Any]] = entry["shared"]
        self._size: int = entry["size"]
        self._shared_streams: dict[str, SharedStream] = {}
        self._grown = False

    def __contains__(self, key: str) -> bool:
        return bool(key) and key in self._faces

    def stream(self, key: str) -> ContentStream | None:
        """The face of a key; None where it was not drawn before, or with another version of a font."""
        face = self._faces.get(key)
        if not key or face is None:
            return None
        width, height, items, fonts = face
        if not all(font in self._fonts and self._fonts[font].name == name for font, (name, _) in fonts.items()):
            return None
        letters = {font: set(characters) for font, (_, characters) in fonts.items()}
        return ContentStream(Size(width, height), tuple(self._items(items)), (), letters)

    def add(self, key: str, stream: ContentStream) -> None:
        """Adds a face that was drawn in this run, if it is made of operators alone."""
        if not key or not self._key or self._size >= _MOST or not _is_plain(stream.items):
            return
        names = {self._fonts[font].name: font for font in stream.letters}
        shown = _characters(stream.items)
        fonts = {names[name]: [name, "".join(sorted(characters))] for name, characters in shown.items()}
        self._faces[key] = [stream.size.width, stream.size.height, [*self._plain(stream.items)], fonts]
        self._grown = True

    def save(self) -> None:
        """Writes what was added, for the next run."""
        if self._grown:
            entry = {"faces": self._faces, "shared": self._shared, "size": self._size}
            data = json.dumps(entry, separators=(",", ":")).encode()
            cache.keep(_KIND, self._key, zlib.compress(data, 1))
            self._grown = False

    def _plain(self, items: StreamItems) -> Iterator[str | list[Any]]:
        """Items as JSON has them; what several faces share stands apart, by its digest."""
        for item in items:
            if isinstance(item, SharedStream):
                if item.digest not in self._shared:
                    self._shared[item.digest] = [*self._plain(item.items)]
                yield [item.digest]
            elif isinstance(item, TransparentGroup):
                yield [item.opacity, *self._plain(item.items)]
            else:
                assert isinstance(item, str)
                self._size += len(item)
                yield item

    def _items(self, items: list[Any]) -> Iterator[StreamItem]:
        for item in items:
            if isinstance(item, str):
                yield item
            elif isinstance(item[0], str):
                yield self._shared_stream(item[0])
            else:
                yield TransparentGroup(tuple(self._items(item[1:])), item[0])

    def _shared_stream(self, digest: str) -> SharedStream:
        stream = self._shared_streams.get(digest)
        if stream is None:
            items = tuple(self._items(self._shared[digest]))
            stream = self._shared_streams[digest] = SharedStream(items, digest)
        return stream


def _read(key: str) -> Mapping[str, Any]:
    """The entry of a key; empty where there is none."""
    data = cache.fetch(_KIND, key)
    with suppress(ValueError, zlib.error):
        entry = json.loads(zlib.decompress(data)) if data else None
        if isinstance(entry, dict) and entry.keys() == {"faces", "shared", "size"}:
            return entry
    return {"faces": {}, "shared": {}, "size": 0}


def _job_key(workshop: Workshop, ink: str) -> str:
    """The key of all that the faces of a workshop have in common; empty where it cannot be known."""
    sources = workshop.studio.templates.sources
    try:
        if any("<image" in sources[name] for name in sources if name.split("/")[1].startswith("symbols")):
            return ""
        stamps = [*cache.program_stamps(), *cache.folder_stamps(workshop.game.folder.path, _is_read)]
    except OSError:
        return ""
    fonts = sorted(workshop.studio.book.fonts)
    templates = (part for name in sorted(sources) for part in (name, sources[name]))
    return cache.key_of([workshop.prefix, workshop.lang, ink, *fonts, *stamps, *templates])


def _is_read(name: str) -> bool:
    """Whether a game's program may read a file to draw a face: faces that look at pictures are not cached."""
    return Path(name).suffix.lower() not in _PICTURES


def _is_plain(items: StreamItems) -> bool:
    """Whether items have no pictures, and no glyphs that are set by the rules of their script."""
    return all(
        isinstance(item, str) or (isinstance(item, SharedStream | TransparentGroup) and _is_plain(item.items))
        for item in items
    )


def _characters(items: StreamItems) -> dict[str, set[str]]:
    """The characters of ASCII that operators show, by the name of their font."""
    characters: dict[str, set[str]] = {}
    font: set[str] = set()
    for text in _texts(items):
        for match in _TEXT.finditer(text):
            if match[1]:
                font = characters.setdefault(match[1], set())
            else:
                font.update(char for char in _ESCAPE.sub(r"\1", match[2]) if char.isascii())
    return characters


def _texts(items: StreamItems) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            yield item
        elif isinstance(item, SharedStream | TransparentGroup):
            yield from _texts(item.items)
