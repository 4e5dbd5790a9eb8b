"""The faces of the cards that lists speak of, as pictures for pages on the web and on paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from carddb.cards.cards import Card
from carddb.core.errors import CarddbError
from carddb.core.units import UM_PER_INCH, Size
from carddb.game.game import GameSpec
from carddb.layout.display_list import Face
from carddb.paint.png import pngs
from carddb.paint.web_images import jpeg, webp
from carddb.press.bans.picture_cache import PictureCache, PictureData
from carddb.press.faces.bank import FaceBank
from carddb.press.faces.cache import FaceCache
from carddb.press.faces.face_templates import templates_of
from carddb.press.faces.streams import FaceStreams
from carddb.press.faces.workshop import Workshop

_WIDTHS = ((250, 480, 144), (1_000, 320, 96))
"""Up to how many cards faces have which width in pixels, on a card's page and beside a name.

A face has about 40 kB in both sizes, a narrower one 26 kB: all together they stay under 30 MB. Further cards have none.
"""
MOST = _WIDTHS[-1][0]
_TEXTS = ("text", "effect", "special")


class CardPicture(NamedTuple):
    """A face as WebP in both sizes and as JPEG for paper, in the pixels of the larger; in words what it shows."""

    data: bytes
    small: bytes
    size: tuple[int, int]
    small_size: tuple[int, int]
    words: str
    printed: bytes

    @property
    def ratio(self) -> float:
        """How much taller than wide it is."""
        return self.size[1] / self.size[0]


def card_pictures(workshop: Workshop, cards: Iterable[Card]) -> dict[str, CardPicture]:
    """The front of each card by its reference, of the first MOST; the more there are, the narrower.

    A card without a face, or whose face cannot be drawn, has none.
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
    """The face of a card by its digest, and its pictures; where there are none yet, its drawing."""

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
    except CarddbError:  # the list is what is published, the face only beside it
        return None


def _picture_data(
    workshop: Workshop, pictures: PictureCache, group: Sequence[_CardFace], widths: tuple[int, int]
) -> Iterator[PictureData]:
    """The pictures of faces of one size, in their order; those that are made now are added to the cache."""
    dpi = round(widths[0] * UM_PER_INCH / group[0].size.width)
    drawings = [face.drawing for face in group if face.drawing]
    images = pngs(drawings, workshop.studio.book, workshop.images, dpi) if drawings else iter(())
    for face in group:
        data = face.data
        if data is None:
            png = next(images)
            data = PictureData(webp(png, widths[0]), webp(png, widths[1]), jpeg(png))
            pictures.add(face.digest, data)
        yield data


def face_words(spec: GameSpec, card: Card) -> str:
    """What a face shows, for whoever does not see it: name, type, and the text of the card."""
    text = next((str(card.get(name)) for name in _TEXTS if card.get(name)), "")
    return ". ".join(filter(None, (f"{card.name}, {spec.label_of(card.type)}", " ".join(text.split()))))
