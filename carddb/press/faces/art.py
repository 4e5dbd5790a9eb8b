"""Finds the pictures of cards in the folders of a project, and reads each when a face first shows it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from carddb.cards.cards import Card
from carddb.core.cache import LruCache
from carddb.core.errors import DataFault, InputError
from carddb.core.plain_text import first_of
from carddb.findings import CardCount, Finding, error, warning
from carddb.game.game import GameSpec
from carddb.game.parts import NO_PICTURE, PICTURES, PLACEHOLDER
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.art import MISSING, Artwork, Flaw, read_vector
from carddb.paint.pdf.images import PdfImages
from carddb.read.pictures import drawing_text, find_picture, is_drawing, measured

_ENDINGS = (".png", ".webp", ".jpg", ".jpeg", ".svg")
_NOT_IN_NAMES = re.compile(r'[\\/:*?"<>|\x00-\x1f]')
"""Characters that a file name cannot have on some system, or that separate folders."""
_MOST_NAMED = 12


def art_names(spec: GameSpec, card: Card) -> list[str]:
    """Returns the file names that a card's picture may have by the game's pattern.

    The first is as in the pattern; the others have other endings. There are none if the game has no pattern, or if the
    card lacks a field in the pattern.
    """
    fields = PLACEHOLDER.findall(spec.art)
    if not spec.art or any(_value(card, name) == "" for name in fields):
        return []
    name = PLACEHOLDER.sub(lambda match: _NOT_IN_NAMES.sub("-", _value(card, match[1])), spec.art)
    stem, point, ending = name.rpartition(".")
    if not point or f".{ending.lower()}" not in _ENDINGS:
        return [f"{name}{other}" for other in _ENDINGS]
    return list(dict.fromkeys([name, *(f"{stem}{other}" for other in _ENDINGS)]))


def art_name(spec: GameSpec, card: Card, folders: Sequence[Path]) -> str:
    """Returns the name of a card's picture: its `art` field, or the first of `art_names` in a folder; empty if none."""
    if card.get("art"):
        return "" if card.get("art") == NO_PICTURE else str(card.get("art"))
    return next((name for name in art_names(spec, card) for root in folders if (root / name).is_file()), "")


def picture_paths(spec: GameSpec, cards: Iterable[Card], folders: Sequence[Path]) -> list[Path]:
    """Returns the paths of files and folders whose state shows whether pictures of cards have changed."""
    names = {str(card.get(field)) for card in cards for field in PICTURES if card.get(field)}
    if spec.art:
        for card in cards:
            if not card.get("art") and (expected := art_names(spec, card)):
                name = art_name(spec, card, folders) or expected[0]
                names |= {name, Path(name).parent.as_posix()}
    return [folder / name for folder in folders for name in sorted(names)]


def pictures_missing(spec: GameSpec, cards: Sequence[Card], folders: Sequence[Path]) -> list[Finding]:
    """Returns a warning about all cards that lack a picture, if the game has a pattern for pictures."""
    if not spec.art:
        return []
    cards = [card for card in cards if card.get("art") != NO_PICTURE]
    lacking = [card for card in cards if not art_name(spec, card, folders)]
    if not lacking:
        return []
    refs = first_of([card.ref for card in lacking], _MOST_NAMED)
    expected = next(iter(art_names(spec, lacking[0])), spec.art)
    return [
        warning(
            "pictures_missing", f"{len(lacking)} of {len(cards)} cards have no picture: {refs}",
            cards=tuple(CardCount(card.ref, card.name) for card in lacking), data={"pattern": spec.art},
            fix=f"Add them as PNG, WebP, JPEG or SVG: {expected} in {' or '.join(map(str, folders))}.",
        )
    ]  # fmt: skip


def _value(card: Card, field: str) -> str:
    value = card.ref if field == "ref" else card.get(field)
    return "" if value is None else str(value)


_MOST_BYTES, _MOST_PICTURES = 64_000_000, 500
"""The most bytes of picture files, and the most pictures, kept in memory. Others are read again when needed."""


class PictureFiles(Mapping[str, bytes]):
    """Picture files by key (the SHA-256 of their bytes). A file is looked for in the folders `roots` in order."""

    def __init__(self, roots: Sequence[Path] = ()) -> None:
        self._roots = roots
        self._names: dict[str, dict[str, None]] = {}
        self._keys: dict[str, str] = {}
        self._recent: LruCache[str, bytes] = LruCache(_MOST_BYTES, len)

    def add(self, name: str, data: bytes) -> str:
        """Adds a file and returns its key. Its bytes stay in memory while there is room."""
        key = hashlib.sha256(data).hexdigest()
        self.learn({name: key})
        self._recent.put(key, data)
        return key

    def learn(self, keys: Mapping[str, str]) -> None:
        """Adds files that another process has read; `keys` has their keys by file name."""
        for name, key in keys.items():
            self._names.setdefault(key, {})[name] = None

    def unchanged(self, keys: Mapping[str, str]) -> bool:
        """Returns True if every file still has its key in `keys`, by file name. Each file is read at most once."""
        return all(self._key(name) == key for name, key in keys.items())

    def _key(self, name: str) -> str:
        """Returns the key that a file had when it was first read; empty if it cannot be read."""
        if name not in self._keys:
            self._keys[name] = ""
            with suppress(DataFault):
                self._keys[name] = self.add(name, find_picture(self._roots, name)) if self._roots else ""
        return self._keys[name]

    def name_of(self, key: str) -> str:
        """Returns the name of the file with this key, the first of several in alphabetical order; empty if unknown."""
        return min(self._names.get(key, ("",)))

    def __getitem__(self, key: str) -> bytes:
        return self._recent.get(key, lambda: self._read(key))

    def _read(self, key: str) -> bytes:
        """Returns the bytes of a file as they were when it was first read. Raises InputError if they have changed."""
        name = next(iter(self._names[key]))
        try:
            data = find_picture(self._roots, name)
        except DataFault as fault:
            raise InputError(fault.finding.message, fault.finding.fix) from fault
        if hashlib.sha256(data).hexdigest() != key:
            raise InputError(f"the picture {name} changed while it was printed", "Print again.")
        return data

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class ArtFolder(Mapping[str, Artwork]):
    """Pictures by name, each as an image, a drawing, or the reason why it cannot be shown.

    A picture is looked for in the folders in order; folders given as None are ignored.
    """

    def __init__(self, *folders: Path | None) -> None:
        self.roots = tuple(dict.fromkeys(folder.resolve() for folder in folders if folder))
        self.files = PictureFiles(self.roots)
        self._shown: LruCache[str, Artwork] = LruCache(_MOST_PICTURES)

    def __getitem__(self, name: str) -> Artwork:
        return self._shown.get(name, lambda: self._read(name))

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def __len__(self) -> int:
        return len(self._shown)

    def _read(self, name: str) -> Artwork:
        if not self.roots:
            return MISSING
        try:
            data = find_picture(self.roots, name)
            if is_drawing(data):
                return read_vector(hashlib.sha256(data).hexdigest(), drawing_text(name, data))
            size = measured(name, data).upright
            return svg_parser.Art(self.files.add(name, data), *size)
        except DataFault as fault:
            return Flaw(fault.finding.code, {"reason": fault.finding.message, "fix": fault.finding.fix})
        except svg_parser.DrawingError as fault:
            return Flaw("art_unsupported", {"reason": fault.message, "fix": fault.remedy})


def undrawn(album: PdfImages, files: PictureFiles) -> list[Finding]:
    """Returns a finding for each picture that could not be decoded for printing."""
    return [
        error(
            "image_invalid",
            f"the picture {files.name_of(key) or key[:12]} {reason}; it is left out",
            data={"picture": files.name_of(key)},
            fix="Save it again, as PNG or JPEG.",
        )
        for key, reason in album.faults.items()
    ]
