"""The variables of a card's face, also of cards that their owner enters, and words that other components share."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from carddb.cards.cards import SAMPLE, Card
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.module import Module, Readings, module_of
from carddb.games.cdg_solo.play.cards import printed_number
from carddb.games.printed_words import first_match, with_signs

_MM = 25.4


def signed_words(spec: GameSpec, key: str) -> dict[str, Any]:
    """Returns words, measures and colours of print for a module, with the sign where words rest on a ruling."""
    words: dict[str, Any] = with_signs(as_read(spec.data["print"], module_of(spec, key).options), spec)
    return words


def as_read(words: Any, readings: Readings) -> Any:
    """Returns words as the options have them.

    A table with `option` and `usual` stands for one of its texts: that of the option's value, else that under `other`,
    else, and where the module's own rule holds, the usual one.
    """
    if isinstance(words, Mapping):
        if "option" not in words:
            return {key: as_read(part, readings) for key, part in words.items()}
        value = getattr(readings, words["option"])
        text = value if isinstance(value, str) else json.dumps(value)
        other = words["usual"] if value is None else words.get("other", words["usual"])
        return as_read(words.get(text, other), readings)
    return [as_read(part, readings) for part in words] if isinstance(words, list | tuple) else words


def millimetres(inches: Any) -> Any:
    """Returns lengths in inches, alone or in lists and tables, in millimetres."""
    if isinstance(inches, Mapping):
        return {key: millimetres(value) for key, value in inches.items()}
    if isinstance(inches, list):
        return [millimetres(value) for value in inches]
    return round(inches * _MM, 4)


def sides(spec: GameSpec, key: str) -> list[dict[str, Any]]:
    """Returns both sides of a module with id, name, mark (square for the first, round for the second) and colour."""
    colours = spec.data["print"]["sides"]
    own = colours.get(key, colours["default"])
    listed = module_of(spec, key).sides
    return [{"id": side.id, "name": side.name, "round": bool(at), "colour": own[at]} for at, side in enumerate(listed)]


def typeset(text: str) -> str:
    """Returns a text from data with the apostrophes that print has."""
    return text.replace("'", "’")


def title_of(spec: GameSpec, key: str) -> tuple[str, str]:
    """Returns the title of a module and its imprint, which may stand in brackets after the title.

    A template is for a game of the player's own.
    """
    raw = spec.data["modules"][key]
    if raw["publisher"] is None:
        return str(spec.data["print"]["own_game"]), ""
    title, _, bracketed = typeset(raw["title"]).partition(" (")
    return title, raw.get("imprint") or bracketed.removesuffix(")")


def side_name(spec: GameSpec, key: str, side: str) -> str:
    """Returns the name of a side, its id where it has none."""
    return next((one.name or one.id for one in module_of(spec, key).sides if one.id == side), side)


def phase_name(spec: GameSpec, key: str) -> str:
    """Returns what the game calls its phase, as it stands within a sentence; `phase` where it has none."""
    name = str(spec.data["modules"][key]["phase_name"] or "phase")
    return name if " " in name else name.lower()


def alternatives(spec: GameSpec, key: str) -> list[str]:
    """Returns what a side may do instead of rolling, in words."""
    return [spec.data["print"]["alternatives"][name] for name in module_of(spec, key).alternatives]


def largest_hand(module: Module, most: int) -> int:
    """Returns the most chits that a side may have at the start of a phase: `most` where the module sets no limit."""
    sizes = [size for size in module.hand.default.values() if size is not None]
    return module.hand.max or max(sizes, default=most)


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
