"""Pictures of the cards on ban lists, for web pages and paper, kept between publications."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

import PIL
from pypdfium2 import PDFIUM_INFO

from carddb.cards.cards import Card
from carddb.core import cache
from carddb.core.cache import LruCache
from carddb.core.errors import CarddbError
from carddb.core.units import UM_PER_INCH, Size
from carddb.game.game import GameSpec
from carddb.layout.display_list import Face
from carddb.paint.documents.pieces import NO_FIGURES, Figures
from carddb.paint.rasterizer import jpeg, pngs, webp
from carddb.press.faces.bank import FaceBank, FaceStreams
from carddb.press.faces.cache import FaceCache
from carddb.press.faces.workshop import Workshop, templates_of

_KIND = "facepictures"
_MOST_BYTES = 32_000_000
"""The greatest total size of the pictures in a cache entry. Beyond it, the least recently used are dropped."""


PictureData = tuple[bytes, bytes, bytes]
"""The picture of a face: as WebP in two sizes, the larger first, and as JPEG for print."""


class PictureCache:
    """Pictures of faces, by the digest of the face, including those that earlier runs saved on disk.

    One file has all pictures of the same game, language, picture folders and widths. It is ignored if other versions of
    the programs that draw made it.
    """

    def __init__(self, workshop: Workshop, widths: Sequence[int]) -> None:
        self._key = cache.key_of([workshop.prefix, workshop.lang, *map(str, (*workshop.picture_folders, *widths))])
        self._made_by = ""
        """A key for the versions of all programs that make pictures; empty if they cannot be determined."""
        with suppress(OSError):
            self._made_by = cache.key_of([PIL.__version__, str(PDFIUM_INFO), *cache.program_stamps()])
        self.pictures: LruCache[str, PictureData] = LruCache(_MOST_BYTES, lambda picture: sum(map(len, picture)))
        entry = cache.fetch_value(_KIND, self._key)
        if isinstance(entry, dict) and entry.get("made_by") == self._made_by:
            for digest, picture in entry["pictures"].items():
                self.pictures.put(digest, picture)

    def save(self) -> None:
        """Writes all pictures to disk for the next run."""
        if self._made_by:
            pictures = {digest: self.pictures.find(digest) for digest in [*self.pictures]}
            cache.keep_value(_KIND, self._key, {"made_by": self._made_by, "pictures": pictures})


_WIDTHS = ((250, 480, 144), (1_000, 320, 96))
"""The most cards for which each row applies, then the widths of a picture in pixels: on the card's page, beside a name.

A face needs about 40 kB in both sizes, a narrower one 26 kB, so that all faces together need less than 30 MB.
"""
MOST = _WIDTHS[-1][0]
"""The most cards that get a picture."""
_TEXTS, SIGN = ("text", "effect", "special"), "sign"


class CardPicture(NamedTuple):
    """A card's face as WebP in two sizes and as JPEG for print, the sizes in pixels, and a description in words."""

    data: bytes
    small: bytes
    printed: bytes
    size: tuple[int, int]
    small_size: tuple[int, int]
    words: str


def card_pictures(workshop: Workshop, cards: Iterable[Card]) -> dict[str, CardPicture]:
    """Returns pictures of the fronts of the first `MOST` cards, by the card's reference; narrower for many cards.

    A card that has no face, or whose face cannot be drawn, is left out.
    """
    cards = list(islice(cards, MOST))
    widths = next((wide, small) for most, wide, small in _WIDTHS if len(cards) <= most)
    bank, stored = FaceBank(workshop, cache=FaceCache(workshop, "full")), PictureCache(workshop, widths)
    streams = FaceStreams(bank, with_digests=True)
    faces: list[tuple[Card, Size, str]] = []
    """Each card with the size and the digest of its front."""
    pictures: dict[str, PictureData] = {}
    missing: dict[Size, dict[str, Face]] = defaultdict(dict)
    for card in cards:
        if templates_of(workshop.game, card)[0]:
            with suppress(CarddbError):  # the list can be published without the face
                number = bank.front(card)
                size, digest = streams[number].size, streams.digest(number)
                if picture := stored.pictures.find(digest):
                    pictures[digest] = picture
                else:
                    missing[size][digest] = bank[number]
                faces.append((card, size, digest))
    for size, drawings in missing.items():
        dpi = round(widths[0] * UM_PER_INCH / size.width)
        images = pngs([*drawings.values()], workshop.kit.book, workshop.images, dpi)
        for digest, png in zip(drawings, images, strict=True):
            pictures[digest] = webp(png, widths[0]), webp(png, widths[1]), jpeg(png)
            stored.pictures.put(digest, pictures[digest])
    bank.save_cache()
    if missing:
        stored.save()
    out = {}
    for card, size, digest in faces:
        large, small = ((width, round(width * size.height / size.width)) for width in widths)
        out[card.ref] = CardPicture(*pictures[digest], large, small, face_words(workshop.game.spec, card))
    return out


def sign_figures(workshop: Workshop) -> Figures:
    """Returns the sign on a game's box, a square of 10 mm, as the picture SIGN; no picture if it cannot be drawn."""
    bank, sign = FaceBank(workshop), {"panel": "sign", "width": 10, "height": 10, "title": workshop.game.spec.name}
    with suppress(CarddbError):  # as with faces, the list can be published without it
        return Figures.of({SIGN: bank[bank.panel(sign)]}, workshop.kit.book, workshop.images)
    return NO_FIGURES


def face_words(spec: GameSpec, card: Card) -> str:
    """Returns the card's name, type and text, for readers who cannot see its face."""
    text = next((str(card.get(name)) for name in _TEXTS if card.get(name)), "")
    return ". ".join(filter(None, (f"{card.name}, {spec.kind_of(card)}", " ".join(text.split()))))
