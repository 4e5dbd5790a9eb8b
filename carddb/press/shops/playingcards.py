"""Rooms for playingcards.io, whose files virtualtabletop.io reads too: a ZIP archive of `widgets.json` and pictures.

A widget has a type, an id, and a position in pixels in a room of 1600 by 1000. Cards belong to a deck, which says how
both sides look, and lie on a pile. A picture is named by its path in the archive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any

from carddb.core.units import Box, Size
from carddb.press.shops.table import MOST_COPIES, OnlineTable, Stack, Thing, is_board

FOLDER = "userassets"
"""The folder of the pictures in the archive."""
LARGEST = 2 * 1024 * 1024
"""The size in bytes from which on a picture is rejected."""
_WIDTH, _HEIGHT, _HAND = 1600, 1000, 180
ROOM = Size(_WIDTH, _HEIGHT - _HAND)
"""The width and height, in pixels, that a room has for the table, above the hand."""

Pictures = Mapping[int, str]
"""The file name of each picture in `FOLDER`, by the number of the face."""


class RoomWriter:
    """Writes the widgets of one room."""

    def __init__(self, table: OnlineTable, pictures: Pictures) -> None:
        self._table, self._pictures = table, pictures
        self._scale = min(ROOM.width / table.size.width, ROOM.height / table.size.height)
        self._z = count(1)
        self._left = round((_WIDTH - table.size.width * self._scale) / 2)

    def widgets(self, fronts: Mapping[str, int], backs: Mapping[str, int | None]) -> Iterator[dict[str, Any]]:
        """Yields the widgets. `fronts` and `backs` have the numbers of the faces of cards, by the card's reference."""
        yield {"id": "hand", "type": "hand", "x": 50, "y": _HEIGHT - _HAND, "z": next(self._z),
               "width": _WIDTH - 100, "height": _HAND}  # fmt: skip
        for number, stack in enumerate(self._table.stacks, 1):
            pile = f"pile{number}"
            yield self._pile(pile, stack.box, self._table.name_of(stack), shuffles=stack.order == "pile")
            if stack.cards:
                faces = {card.ref: (fronts[card.ref], backs[card.ref]) for card, _ in stack.cards}
                names = {card.ref: card.name for card, _ in stack.cards}
                copies = [(card.ref, stack.box) for card, count in stack.cards for _ in range(count)]
                if stack.order == "grid":
                    copies = [(card.ref, box) for card, box in stack.spots(self._table.card)]
                yield from self._cards(pile, stack, faces, names, copies)
        for number, thing in enumerate(self._table.things, 1):
            yield from self._thing(f"thing{number}", thing)
        for number, die in enumerate(self._table.dice, 1):
            options = list(range(1, die.sides + 1))
            yield {**self._at(f"die{number}", "spinner", die.box), "options": options, "value": die.sides}
        for seat in range(1, len(self._table.seats) + 1):
            yield {"id": f"counter{seat}", "type": "counter", "x": 10, "y": 10 + 70 * (seat - 1), "z": next(self._z),
                   "width": 140, "height": 44, "counterValue": 0, "label": self._table.owner(seat)}  # fmt: skip

    def _at(self, key: str, kind: str, box: Box) -> dict[str, Any]:
        """Returns the keys of every widget: the id `key`, the type `kind`, the place and size of `box` in pixels."""
        x, y, width, height = (round(length * self._scale) for length in box)
        return {"id": key, "type": kind, "x": x + self._left, "y": y, "z": next(self._z), "width": width,
                "height": height}  # fmt: skip

    def _pile(self, key: str, box: Box, label: str, shuffles: bool) -> dict[str, Any]:
        return {**self._at(key, "cardPile", box), "label": label, "hasShuffleButton": shuffles}

    def _thing(self, key: str, thing: Thing) -> Iterator[dict[str, Any]]:
        """Yields an immovable board for a single large component; for others, movable cards on a pile."""
        if is_board(Size(thing.box.width, thing.box.height), self._table.card) and thing.copies == 1:
            yield {**self._at(key, "board", thing.box), "boardImage": self._picture(thing.pieces[0].front)}
            return
        yield self._pile(f"{key}pile", thing.box, thing.label, shuffles=False)
        pieces = {f"{key}-{at}": piece for at, piece in enumerate(thing.pieces, 1)}
        faces = {ref: (piece.front, piece.back) for ref, piece in pieces.items()}
        copies = [(ref, thing.box) for ref, piece in pieces.items() for _ in range(min(piece.copies, MOST_COPIES))]
        yield from self._cards(f"{key}pile", thing, faces, dict.fromkeys(pieces, thing.label), copies)

    def _cards(
        self, pile: str, part: Stack | Thing, faces: Mapping[str, tuple[int, int | None]], names: Mapping[str, str],
        copies: Sequence[tuple[str, Box]],
    ) -> Iterator[dict[str, Any]]:  # fmt: skip
        """Yields a deck with the faces of its cards, and the cards on a pile. Without a back, both sides are fronts."""
        at = self._at(f"{pile}deck", "cardDeck", part.box)
        size = self._table.card if isinstance(part, Stack) else part.box
        wide, high = round(size.width * self._scale), round(size.height * self._scale)
        looks = {
            ref: {
                "label": names[ref],
                "image": self._picture(front),
                "back": self._picture(front if back is None else back),
            }
            for ref, (front, back) in faces.items()
        }
        sides = {"faceTemplate": _template("image", wide, high), "backTemplate": _template("back", wide, high)}
        yield {**at, "parent": pile, "cardWidth": wide, "cardHeight": high, "cardTypes": looks, **sides}
        is_up = isinstance(part, Thing) or part.faces == "up"
        for number, (ref, box) in enumerate(copies, 1):
            card = {**self._at(f"{pile}card{number}", "card", box), "deck": at["id"], "cardType": ref}
            yield {**card, "width": wide, "height": high, "parent": pile, "faceup": is_up}

    def _picture(self, number: int) -> str:
        return f"package://{FOLDER}/{self._pictures[number]}"


def _template(field: str, width: int, height: int) -> dict[str, Any]:
    """Returns the template for a side of cards, which shows the picture in this field of a card's type."""
    image = {"type": "image", "x": 0, "y": 0, "w": width, "h": height, "color": "transparent", "valueType": "dynamic",
             "value": field}  # fmt: skip
    return {"includeBorder": False, "includeRadius": True, "objects": [image]}
