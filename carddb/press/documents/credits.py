"""The credits (artist, source and licence) of the pictures that cards show, and the pictures that lack any of them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from carddb.cards.cards import Card
from carddb.core.groups import grouped
from carddb.core.names import capital
from carddb.core.plain_text import amount, first_of, listed
from carddb.findings import CardCount, Finding, warning
from carddb.game.game import GameSpec
from carddb.layout.documents.blocks import Document, Picture, Span, Table
from carddb.press.documents.guide import fingerprint
from carddb.press.faces.art import art_name

CREDITS = {"artist": ("artist", "illustrator"), "source": ("source",), "licence": ("licence", "license")}
"""The parts of a picture's credit, each with the keys or labels of the card fields that may contain it."""
_JOINT = re.compile(r"(?<=[^/][/_?&=])(?=\w)")
"""The places in an address or in the name of a file at which it may be broken, such as after a stroke."""
_UNKNOWN = Span("not known", bold=True, italic=True)
_MOST = 8
"""The most pictures that a finding names."""


class PictureCredit(NamedTuple):
    """A picture, the parts of its credit (empty if unknown), and the cards that show it."""

    picture: str
    artist: str
    source: str
    licence: str
    cards: tuple[Card, ...]

    @property
    def lacking(self) -> tuple[str, ...]:
        """The names of the parts that are unknown."""
        return tuple(name for name in CREDITS if not getattr(self, name))


def picture_credits(spec: GameSpec, cards: Iterable[Card], folders: Sequence[Path] = ()) -> list[PictureCredit]:
    """Returns the credit of each picture, sorted by the picture's name.

    Each part is taken from the first card that has it. If a card does not name its picture, the picture is looked for
    in `folders`, by the game's pattern of file names.
    """
    by_picture = grouped(
        (str(picture), card)
        for card in cards
        for picture in filter(None, (art_name(spec, card, folders), card.get("face_image")))
    )
    credits = []
    for picture, showing in sorted(by_picture.items()):
        first = {}
        for name, words in CREDITS.items():
            fields = [field for word in words if (field := spec.field_words.find(word))]
            own = (card.get(field) for card in showing for field in fields)
            printed = (printing.artist for card in showing for printing in card.printings if name == "artist")
            first[name] = next((str(text) for text in (*own, *printed) if text), "")
        credits.append(PictureCredit(picture, cards=tuple(showing), **first))
    return credits


def uncredited(credits: Iterable[PictureCredit]) -> list[Finding]:
    """Returns a warning for each combination of parts that the credits of pictures lack."""
    by_lack = grouped((credit.lacking, credit) for credit in credits if credit.lacking)
    return [
        warning(
            "picture_uncredited",
            f"{amount(len(group), 'picture')} without {listed(lacking)}: {first_of([c.picture for c in group], _MOST)}",
            cards=tuple(CardCount(card.ref, card.name) for credit in group for card in credit.cards[:1]),
            fix=f"Fill in {listed(lacking)} of these cards; each is a field of type text in game.yaml.",
        )
        for lacking, group in by_lack.items()
    ]


def credits_document(spec: GameSpec, credits: Sequence[PictureCredit], drawn: Container[str] = ()) -> Document:
    """Returns the credits as a document with one table, with the pictures of the cards whose references are `drawn`."""
    rows = []
    for credit in credits:
        first, names = credit.cards[0], ", ".join(dict.fromkeys(card.name or card.ref for card in credit.cards))
        texts = [*(getattr(credit, name) for name in CREDITS), Path(credit.picture).name]
        parts = [Span(_JOINT.sub("\u200b", text)) if text else _UNKNOWN for text in texts]
        face = Picture(first.ref, first.name) if first.ref in drawn else ()
        rows.append((face, (Span(names, bold=True),), *((part,) for part in parts)))
    head = tuple((Span(text),) for text in ("", "Cards", *map(capital, CREDITS), "File"))
    table = Table(head, tuple(rows), ("left",) * len(head), wide=True)
    return Document(
        spec.name, (table,), facts=("Picture credits",), numbered=False, columns=1, lang=spec.language,
        accent=spec.accent, ground=spec.ground, fingerprint=fingerprint(*map(str, rows)),
    )  # fmt: skip
