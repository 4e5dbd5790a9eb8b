"""The pictures of faces from one publication to the next: only those of faces that look otherwise are made anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

import PIL
from pypdfium2 import PDFIUM_INFO

from carddb.core import cache
from carddb.press.faces.workshop import Workshop

_KIND = "facepictures"
_MOST_BYTES = 32_000_000
"""Of the pictures in one entry; those that were not used for longest go."""


class PictureData(NamedTuple):
    """A face as WebP in two sizes, and as JPEG for paper."""

    data: bytes
    small: bytes
    printed: bytes


class PictureCache:
    """Pictures of these widths, by the digest of the face: those of earlier runs, and those added in this one.

    There is one entry for each game of a project in each language. It holds for one version of everything that makes
    pictures; a face that is printed otherwise has another digest.
    """

    def __init__(self, workshop: Workshop, widths: Sequence[int]) -> None:
        folders = (str(folder) for folder in workshop.picture_folders)
        self._key = cache.key_of([workshop.prefix, workshop.lang, *folders])
        self._widths = " ".join(map(str, widths))
        self._made_by = _made_by()
        self._pictures: dict[str, tuple[bytes, bytes, bytes]] = dict(_read(self._key, self._made_by))
        self._has_new = False

    def get(self, digest: str) -> PictureData | None:
        """The pictures of a face."""
        name = self._name(digest)
        picture = self._pictures.pop(name, None)
        if picture is None:
            return None
        self._pictures[name] = picture
        return PictureData(*picture)

    def add(self, digest: str, picture: PictureData) -> None:
        """Adds the pictures of a face."""
        self._pictures[self._name(digest)] = (*picture,)
        self._has_new = True

    def save(self) -> None:
        """Writes the pictures for the next run, where there are new ones."""
        if not self._has_new or not self._made_by:
            return
        size, latest = 0, []
        for name, picture in reversed(self._pictures.items()):
            size += sum(map(len, picture))
            if size > _MOST_BYTES:
                break
            latest.append((name, picture))
        entry = {"made_by": self._made_by, "pictures": dict(reversed(latest))}
        cache.keep_value(_KIND, self._key, entry)

    def _name(self, digest: str) -> str:
        return f"{digest} {self._widths}"


def _read(key: str, made_by: str) -> Mapping[str, tuple[bytes, bytes, bytes]]:
    """The pictures of an entry; none where it was made by another version."""
    entry = cache.fetch_value(_KIND, key)
    if isinstance(entry, dict) and entry.get("made_by") == made_by:
        return cast(Mapping[str, tuple[bytes, bytes, bytes]], entry["pictures"])
    return {}


def _made_by() -> str:
    """The versions of all that makes pictures; empty where they cannot be known."""
    try:
        return cache.key_of([PIL.__version__, str(PDFIUM_INFO), *cache.program_stamps()])
    except OSError:
        return ""
