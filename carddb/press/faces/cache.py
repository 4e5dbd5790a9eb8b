"""The content streams of faces from one run to the next: who prints again after a change draws what changed.

A face is found again by what it was drawn from: the card, the templates and files of its game, the language, the size,
the ink, the fonts and the source of this program; its pictures must have the same bytes. One that has a finding is
drawn each time: a finding has more to say than a stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.core import cache
from carddb.press.faces.records import FaceRecord

if TYPE_CHECKING:
    from carddb.press.faces.workshop import Workshop

_KIND = "faces"
_MOST = 24_000_000
"""Characters of the streams in one entry; further faces are not cached."""
_PICTURES = frozenset({".png", ".webp", ".jpg", ".jpeg"})

_CachedFace = tuple[tuple[Any, ...], Mapping[str, str], Mapping[str, str]]
"""The values of a record, the names of its fonts, and the keys of its pictures by name."""


class FaceCache:
    """The faces of a workshop at one ink: those of earlier runs, and those that are added in this one."""

    def __init__(self, workshop: Workshop, ink: str) -> None:
        self._fonts = workshop.studio.book.fonts
        self._images = workshop.images
        self._key = _job_key(workshop, ink)
        entry = _read(self._key)
        self._faces: dict[str, _CachedFace] = entry["faces"]
        self._length: int = entry["length"]
        self._font_names: dict[tuple[str, ...], Mapping[str, str]] = {}
        """By keys of fonts: most faces have the same fonts, and one mapping serves them all."""
        self._grown = False

    def __contains__(self, key: str) -> bool:
        return bool(key) and key in self._faces

    def face(self, key: str) -> FaceRecord | None:
        """The face of a key; None where it was not drawn before, or with another font or picture."""
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
            entry = {"faces": self._faces, "length": self._length}
            cache.keep_value(_KIND, self._key, entry)
            self._grown = False


def _read(key: str) -> Mapping[str, Any]:
    """The entry of a key; empty where there is none."""
    entry = cache.fetch_value(_KIND, key)
    if isinstance(entry, dict) and entry.keys() == {"faces", "length"}:
        return entry
    return {"faces": {}, "length": 0}


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
