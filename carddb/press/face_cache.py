"""The content streams of faces from one run to the next: who prints again after a change draws what changed.

A face is found again by what it was drawn from: the card, the templates and files of its game, the language, the size,
the ink, the fonts and the source of this program; its pictures must have the same bytes. One that has a finding is
drawn each time: a finding has more to say than a stream.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from carddb import cache
from carddb.layout.display_list import Picture
from carddb.paint.content_stream import (
    ContentStream,
    GlyphText,
    SharedStream,
    StreamItem,
    StreamItems,
    TransparentGroup,
)
from carddb.units import Box, Size

if TYPE_CHECKING:
    from carddb.press.workshop import Workshop

_KIND = "faces"
_MOST = 24_000_000
"""Characters of the streams in one entry; further faces are not cached."""
_PICTURES = frozenset({".png", ".webp", ".jpg", ".jpeg"})
_TEXT = re.compile(r"/(F\d+)\+0 \d+ Tf|\(((?:[^\\()]|\\.)*)\)", re.DOTALL)
"""In operators: a font being chosen, and a string."""
_KERNING = re.compile(r"\)-?\d+\(")
"""Between the parts of a string; without it there is a quarter of the strings to look at."""
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

_PlainItem = str | tuple[Any, ...]
"""An item as the cache has it: operators, or a word that says what follows."""
_Characters = Mapping[str, set[str]]
"""Characters of ASCII by the name of their font."""


class FaceCache:
    """The faces of a workshop at one ink: those of earlier runs, and those that are added in this one."""

    def __init__(self, workshop: Workshop, ink: str) -> None:
        self._fonts = workshop.studio.book.fonts
        self._images = workshop.images
        self._key = _job_key(workshop, ink)
        entry = _read(self._key)
        self._faces: dict[str, tuple[Any, ...]] = entry["faces"]
        self._shared: dict[str, list[_PlainItem]] = entry["shared"]
        self._size: int = entry["size"]
        self._shared_streams: dict[str, SharedStream] = {}
        self._shared_characters: dict[str, _Characters] = {}
        self._grown = False

    def __contains__(self, key: str) -> bool:
        return bool(key) and key in self._faces

    def stream(self, key: str) -> ContentStream | None:
        """The face of a key; None where it was not drawn before, or with another font or picture."""
        face = self._faces.get(key)
        if not key or face is None:
            return None
        width, height, items, fonts, pictures = face
        if not all(font in self._fonts and self._fonts[font].name == name for font, (name, _) in fonts.items()):
            return None
        if not self._images.are(pictures):
            return None
        letters = {font: set(characters) for font, (_, characters) in fonts.items()}
        return ContentStream(Size(width, height), tuple(self._items(items)), letters)

    def add(self, key: str, stream: ContentStream, pictures: Mapping[str, str]) -> None:
        """Adds a face that was drawn in this run with these pictures, their keys by name.

        One that has glyphs which are set by the rules of their script is not cached.
        """
        if not key or not self._key or self._size >= _MOST or self._has_glyphs(stream.items):
            return
        names = {self._fonts[font].name: font for font in stream.letters}
        shown = self._characters(stream.items)
        fonts = {names[name]: (name, "".join(sorted(characters))) for name, characters in shown.items()}
        items = [*self._plain(stream.items)]
        self._faces[key] = (stream.size.width, stream.size.height, items, fonts, dict(pictures))
        self._grown = True

    def save(self) -> None:
        """Writes what was added, for the next run."""
        if self._grown:
            entry = {"faces": self._faces, "shared": self._shared, "size": self._size}
            cache.keep_value(_KIND, self._key, entry)
            self._grown = False

    def _has_glyphs(self, items: StreamItems) -> bool:
        """Whether items have glyphs that are set by the rules of their script; those that are cached have none."""
        for item in items:
            if isinstance(item, GlyphText):
                return True
            if isinstance(item, SharedStream) and item.digest in self._shared:
                continue
            if isinstance(item, SharedStream | TransparentGroup) and self._has_glyphs(item.items):
                return True
        return False

    def _plain(self, items: StreamItems) -> Iterator[_PlainItem]:
        """Items as the cache has them; what several faces share stands apart, by its digest."""
        for item in items:
            if isinstance(item, SharedStream):
                if item.digest not in self._shared:
                    self._shared[item.digest] = [*self._plain(item.items)]
                yield "shared", item.digest
            elif isinstance(item, TransparentGroup):
                yield "group", item.opacity, [*self._plain(item.items)]
            elif isinstance(item, Picture):
                yield "picture", item.key, tuple(item.box), tuple(item.clip), item.angle, item.field
            else:
                operators = cast(str, item)
                self._size += len(operators)
                yield operators

    def _items(self, items: Iterable[_PlainItem]) -> Iterator[StreamItem]:
        for item in items:
            if isinstance(item, str):
                yield item
            elif item[0] == "shared":
                yield self._shared_stream(item[1])
            elif item[0] == "group":
                yield TransparentGroup(tuple(self._items(item[2])), item[1])
            else:
                _, key, box, clip, angle, field = item
                yield Picture(key, Box(*box), Box(*clip), angle, field)

    def _shared_stream(self, digest: str) -> SharedStream:
        stream = self._shared_streams.get(digest)
        if stream is None:
            items = tuple(self._items(self._shared[digest]))
            stream = self._shared_streams[digest] = SharedStream(items, digest)
        return stream

    def _characters(self, items: StreamItems) -> _Characters:
        """The characters that operators show; what several faces share is looked at once."""
        shown: dict[str, set[str]] = {}
        for font, characters in _shown("".join([item for item in items if isinstance(item, str) and "TJ" in item])):
            shown.setdefault(font, set()).update(characters)
        for item in items:
            if isinstance(item, SharedStream | TransparentGroup):
                for font, inner in self._characters_within(item).items():
                    shown.setdefault(font, set()).update(inner)
        return shown

    def _characters_within(self, item: SharedStream | TransparentGroup) -> _Characters:
        if isinstance(item, TransparentGroup):
            return self._characters(item.items)
        characters = self._shared_characters.get(item.digest)
        if characters is None:
            characters = self._shared_characters[item.digest] = self._characters(item.items)
        return characters


def _read(key: str) -> Mapping[str, Any]:
    """The entry of a key; empty where there is none."""
    entry = cache.fetch_value(_KIND, key)
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
    """Whether a game's program may read a file to draw a face; the bytes of its pictures are compared."""
    return Path(name).suffix.lower() not in _PICTURES


def _shown(operators: str) -> Iterator[tuple[str, str]]:
    """The strings that operators show, each with the name of the font that is chosen then; those of ASCII alone."""
    font = ""
    for match in _TEXT.finditer(_KERNING.sub("", operators)):
        if match[1]:
            font = match[1]
        else:
            text = _ESCAPE.sub(r"\1", match[2]) if "\\" in match[2] else match[2]
            yield font, text if text.isascii() else "".join(filter(str.isascii, text))
