"""The variables of a card's face, also for cards that their owner enters; a woodcut is found for each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from carddb.cards.cards import SAMPLE, Card
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.play.cards import printed_number
from carddb.games.cdg_solo.print.words import millimetres, sides, title_of
from carddb.games.printed_words import first_match


class Plate(NamedTuple):
    """A drawing of the template folder, without its height; `mirrored` is drawn from right to left.

    Only what has no other composition is mirrored: each drawing and each of its mirrors takes time and room in a file.
    """

    name: str
    mirrored: bool


def plate_of(title: str, kinds: Iterable[str], table: Mapping[str, Any]) -> Plate:
    """Returns the plate of a card; `table` is the game's `plates.yaml`. Cards of one title have the same."""
    digest = hashlib.sha256(f"cdg-plate {title}".encode()).digest()
    motif = first_match(table["words"], title) or next(
        (table["kinds"][kind] for kind in kinds if kind in table["kinds"]), ""
    )
    motif = motif or table["others"][digest[0] % len(table["others"])]
    count = table["compositions"][motif]
    return Plate(f"{motif}-{digest[1] % count + 1}", count == 1 and bool(digest[2] % 2))


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns a face's variables: `card`, its title, its side with mark and colour, its kinds and remarks in words.

    `plate` is its woodcut. The module is the first part of the reference, before its colon; a card of no known module
    or of both sides has a neutral mark.
    """
    words = spec.data["print"]
    key = card.ref.partition(":")[0]
    both = {side["id"]: side for side in sides(spec, key)} if key in spec.data["modules"] else {}
    side = str(card.get("side", ""))
    neutral = {"id": side, "name": words["card"]["both"], "round": None, "colour": words["palette"]["mid"]}
    title = card.get("title") or card.name
    kinds = card.get("kinds") or ()
    return {
        "print": words,
        "c": words["palette"],
        "mm": millimetres(words["sizes"]),
        "card": {"ref": card.ref, **card.values},
        "title": title,
        "game": _game(card, spec, key),
        "side": both.get(side, neutral),
        "number": printed_number(card.get("deck") or None, card.get("number", "")),
        "kinds": [
            {"sign": kind, "words": words["card"]["kinds"][kind], "forced": kind in words["card"]["forced"]}
            for kind in kinds
            if kind in words["card"]["kinds"]
        ],
        "remarks": _remarks(card, words["card"]),
        "plate": plate_of(title, kinds, spec.data["plates"]),
    }


def _game(card: Card, spec: GameSpec, key: str) -> str:
    """Returns what stands at the foot: the card's game, or that it is one of our samples."""
    if card.set == SAMPLE:
        return str(spec.data["print"]["card"]["sample"])
    return title_of(spec, key)[0] if key in spec.data["modules"] else str(spec.data["print"]["method"])


def _remarks(card: Card, words: Any) -> list[dict[str, str]]:
    """Returns what further happens to the card, each with `words` and its `sign`."""
    removed = card.get("remove_after", "never")
    remarks = [{"sign": "removed", "words": words["removed"][removed]}] if removed != "never" else []
    remarks += [{"sign": flag, "words": words[flag]} for flag in ("no_discard", "draws_card") if card.get(flag)]
    if card.get("order_max") is not None:
        remarks.append({"sign": "order_max", "words": words["order_max"].format(number=card.get("order_max"))})
    return remarks
