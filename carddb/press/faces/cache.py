"""A cache of the content streams of faces, kept between runs."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from carddb.core import cache
from carddb.paint.pdf.content_stream import ContentStream
from carddb.press.faces.workshop import Workshop

_KIND = "faces"
_MOST = 24_000_000
"""The most characters of content streams in one entry. Further faces are not cached."""
_PICTURES = frozenset({".png", ".webp", ".jpg", ".jpeg"})

_CachedFace = tuple[ContentStream, Mapping[str, str], Mapping[str, str]]
"""The content stream of a face, the names of its fonts by key, and the keys of its pictures by file name."""


class FaceCache:
    """The faces of a workshop in one ink mode that earlier runs and this one have drawn."""

    def __init__(self, workshop: Workshop, ink: str) -> None:
        self._fonts = workshop.kit.book.fonts
        self._images = workshop.images
        self._key = _job_key(workshop, ink)
        self._faces: dict[str, _CachedFace] = {}
        if entry := cache.fetch(_KIND, self._key):
            with suppress(pickle.UnpicklingError, EOFError, AttributeError, ImportError, TypeError, ValueError):
                self._faces = dict(pickle.loads(entry))
        self._length = sum(stream.length for stream, _, _ in self._faces.values())
        self._grown = False

    def face(self, key: str) -> ContentStream | None:
        """Returns the content stream for this key; None if it is not cached, or if a font or picture has changed."""
        cached = self._faces.get(key)
        if cached is None:
            return None
        stream, fonts, pictures = cached
        if not all(font in self._fonts and self._fonts[font].name == name for font, name in fonts.items()):
            return None
        return stream if self._images.unchanged(pictures) else None

    def add(self, key: str, stream: ContentStream, pictures: Mapping[str, str]) -> None:
        """Adds a face drawn in this run. `pictures` are the keys of its pictures by file name."""
        if key and self._key and self._length < _MOST:
            self._faces[key] = stream, {font: self._fonts[font].name for font in stream.letters}, dict(pictures)
            self._length += stream.length
            self._grown = True

    def save(self) -> None:
        """Writes the faces added in this run, if there are any."""
        if self._grown:
            cache.keep(_KIND, self._key, pickle.dumps(self._faces))
            self._grown = False


def _job_key(workshop: Workshop, ink: str) -> str:
    """Returns a key that depends on everything that a workshop's faces share; empty if that cannot be determined."""
    sources = workshop.kit.templates.sources
    try:
        if any("<image" in sources[name] for name in sources if name.split("/")[1].startswith("symbols")):
            return ""
        # A game's program may read any file to draw a face. Pictures are compared separately.
        files = cache.folder_stamps(workshop.game.folder.path, lambda name: Path(name).suffix.lower() not in _PICTURES)
        stamps = [*cache.program_stamps(), *files]
    except OSError:
        return ""
    fonts = sorted(workshop.kit.book.fonts)
    templates = (part for name in sorted(sources) for part in (name, sources[name]))
    return cache.key_of([workshop.prefix, workshop.lang, ink, *fonts, *stamps, *templates])
