"""Pictures of the cards on ban lists, for web pages and paper, kept between publications."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import PIL
from pypdfium2 import PDFIUM_INFO

from carddb.cards.cards import Card
from carddb.core import cache
from carddb.core.errors import CarddbError
from carddb.core.units import UM_PER_INCH, Size
from carddb.game.game import GameSpec
from carddb.layout.display_list import Face
from carddb.paint.rasterizer import jpeg, pngs, webp
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.cache import FaceCache
from carddb.press.faces.workshop import Workshop, templates_of

_KIND = "facepictures"
_MOST_BYTES = 32_000_000
"""The greatest total size of the pictures in a cache entry. Those unused for longest are dropped."""


class PictureData(NamedTuple):
    """A face as WebP in two sizes, and as JPEG for print."""

    data: bytes
    small: bytes
    printed: bytes


class PictureCache:
    """A cache of pictures of the given widths, by the digest of the face, which keeps those of earlier runs.

    There is one entry for each game, language and set of picture folders. It is valid only for the versions of the
    programs that made it. A face that changes gets another digest.
    """

    def __init__(self, workshop: Workshop, widths: Sequence[int]) -> None:
        folders = (str(folder) for folder in workshop.picture_folders)
        self._key = cache.key_of([workshop.prefix, workshop.lang, *folders])
        self._widths = " ".join(map(str, widths))
        self._made_by = ""
        """A key for the versions of all programs that make pictures; empty if they cannot be determined."""
        with suppress(OSError):
            self._made_by = cache.key_of([PIL.__version__, str(PDFIUM_INFO), *cache.program_stamps()])
        entry = cache.fetch_value(_KIND, self._key)
        is_ours = isinstance(entry, dict) and entry.get("made_by") == self._made_by
        self._pictures: dict[str, tuple[bytes, bytes, bytes]] = dict(entry["pictures"]) if is_ours else {}
        self._has_new = False

    def get(self, digest: str) -> PictureData | None:
        """Returns the pictures of the face with this digest; None if there are none yet."""
        name = self._name(digest)
        picture = self._pictures.pop(name, None)
        if picture is None:
            return None
        self._pictures[name] = picture
        return PictureData(*picture)

    def add(self, digest: str, picture: PictureData) -> None:
        """Adds the pictures of the face with this digest."""
        self._pictures[self._name(digest)] = (*picture,)
        self._has_new = True

    def save(self) -> None:
        """Writes the pictures for the next run, if there are new ones."""
        if not self._has_new or not self._made_by:
            return
        size, latest = 0, []
        for name, picture in reversed(self._pictures.items()):
            size += sum(map(len, picture))
            if size > _MOST_BYTES:
                break
            latest.append((name, picture))
        cache.keep_value(_KIND, self._key, {"made_by": self._made_by, "pictures": dict(reversed(latest))})

    def _name(self, digest: str) -> str:
        return f"{digest} {self._widths}"


_WIDTHS = ((250, 480, 144), (1_000, 320, 96))
"""Rows of (number of cards, width on the card's page, width beside a name): widths in pixels for up to so many cards.

A face needs about 40 kB in both sizes, a narrower one 26 kB, so that all faces together need less than 30 MB. Cards
beyond the last number get no picture.
"""
MOST = _WIDTHS[-1][0]
_TEXTS = ("text", "effect", "special")


class CardPicture(NamedTuple):
    """A face as WebP in two sizes and as JPEG for print, with the sizes in pixels, and a description as text."""

    data: bytes
    small: bytes
    size: tuple[int, int]
    small_size: tuple[int, int]
    words: str
    printed: bytes

    @property
    def ratio(self) -> float:
        """The height divided by the width."""
        return self.size[1] / self.size[0]


def card_pictures(workshop: Workshop, cards: Iterable[Card]) -> dict[str, CardPicture]:
    """Returns the front of each of the first `MOST` cards, by its reference. The more cards, the narrower they are.

    A card without a face, or whose face cannot be drawn, is missing.
    """
    cards = list(islice(cards, MOST))
    widths = next((wide, small) for most, wide, small in _WIDTHS if len(cards) <= most)
    streams = FaceStreams(FaceBank(workshop, cache=FaceCache(workshop, "full")), digesting=True)
    pictures = PictureCache(workshop, widths)
    by_size: dict[Size, list[_CardFace]] = defaultdict(list)
    for card in cards:
        if face := _card_face(streams, pictures, card):
            by_size[face.size].append(face)
    out: dict[str, CardPicture] = {}
    for size, group in by_size.items():
        large, small = ((width, round(width * size.height / size.width)) for width in widths)
        for face, data in zip(group, _picture_data(workshop, pictures, group, widths), strict=True):
            words = face_words(workshop.game.spec, face.card)
            out[face.card.ref] = CardPicture(data.data, data.small, large, small, words, data.printed)
    streams.bank.save_cache()
    pictures.save()
    return out


class _CardFace(NamedTuple):
    """The face of a card with its digest and, if known, its pictures; otherwise its drawing."""

    card: Card
    size: Size
    digest: str
    data: PictureData | None
    drawing: Face | None


def _card_face(streams: FaceStreams, pictures: PictureCache, card: Card) -> _CardFace | None:
    if not templates_of(streams.bank.workshop.game, card)[0]:
        return None
    try:
        number = streams.bank.front(card)
        size, digest = streams[number].size, streams.digest(number)
        data = pictures.get(digest)
        return _CardFace(card, size, digest, data, None if data else streams.bank[number])
    except CarddbError:  # the list can be published without the face
        return None


def _picture_data(
    workshop: Workshop, pictures: PictureCache, group: Sequence[_CardFace], widths: tuple[int, int]
) -> Iterator[PictureData]:
    """Yields the pictures of faces of one size, in order. Makes the missing ones and adds them to the cache."""
    dpi = round(widths[0] * UM_PER_INCH / group[0].size.width)
    drawings = [face.drawing for face in group if face.drawing]
    images = pngs(drawings, workshop.kit.book, workshop.images, dpi) if drawings else iter(())
    for face in group:
        data = face.data
        if data is None:
            png = next(images)
            data = PictureData(webp(png, widths[0]), webp(png, widths[1]), jpeg(png))
            pictures.add(face.digest, data)
        yield data


def face_words(spec: GameSpec, card: Card) -> str:
    """Describes a face for readers who cannot see it, by the card's name, type and text."""
    text = next((str(card.get(name)) for name in _TEXTS if card.get(name)), "")
    return ". ".join(filter(None, (f"{card.name}, {spec.kind_of(card)}", " ".join(text.split()))))
