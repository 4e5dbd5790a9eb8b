"""The variables of the face template, also for cards that users enter, and texts shared with other components."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from carddb.cards.cards import SAMPLE, Card
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import module_of
from carddb.games.cdg_solo.play.cards import printed_number
from carddb.games.printed_words import each, first_match, with_signs

_MM = 25.4


def signed_words(spec: GameSpec, key: str) -> dict[str, Any]:
    """Returns texts, sizes and colours for printing the module `key`, with a sign on texts that rest on a ruling."""
    words: dict[str, Any] = with_signs(as_read(spec.data["print"], module_of(spec, key).options), spec)
    return words


def as_read(words: Any, readings: Mapping[str, Any]) -> Any:
    """Returns texts with the variants for the values of options in `readings`.

    A mapping with `option` and `usual` is replaced by one of its texts: the text for the option's value, else the text
    under `other`, else the text under `usual`, which is also used if the option is not set.
    """
    if isinstance(words, Mapping):
        if "option" not in words:
            return {key: as_read(part, readings) for key, part in words.items()}
        value = readings[words["option"]]
        text = value if isinstance(value, str) else json.dumps(value)
        other = words["usual"] if value is None else words.get("other", words["usual"])
        return as_read(words.get(text, other), readings)
    return [as_read(part, readings) for part in words] if isinstance(words, list | tuple) else words


def millimetres(inches: Any) -> Any:
    """Returns lengths converted from inches to millimetres, even inside lists and mappings."""
    return each(inches, lambda length: round(length * _MM, 4), (int, float))


def sides(spec: GameSpec, key: str) -> list[dict[str, Any]]:
    """Returns both sides of a module: id, name, colour, and whether the mark is `round` (square for the first side)."""
    colours = spec.data["print"]["sides"]
    own = colours.get(key, colours["default"])
    listed = module_of(spec, key).sides
    return [{"id": side.id, "name": side.name, "round": bool(at), "colour": own[at]} for at, side in enumerate(listed)]


def typeset(text: str) -> str:
    """Returns `text` with typographic apostrophes."""
    return text.replace("'", "’")


def title_of(spec: GameSpec, key: str) -> tuple[str, str]:
    """Returns the title and the imprint of a module; for a template, the words for a user's own game and no imprint."""
    raw = spec.data["modules"][key]
    if raw["publisher"] is None:
        return str(spec.data["print"]["own_game"]), ""
    title, _, bracketed = typeset(raw["title"]).partition(" (")
    return title, raw.get("imprint") or bracketed.removesuffix(")")


def side_name(spec: GameSpec, key: str, side: str) -> str:
    """Returns the name of a side, or its id if it has no name."""
    return next((one.name or one.id for one in module_of(spec, key).sides if one.id == side), side)


def phase_name(spec: GameSpec, key: str) -> str:
    """Returns the game's word for its phase, as used within a sentence; by default `phase`."""
    name = str(spec.data["modules"][key]["phase_name"] or "phase")
    return name if " " in name else name.lower()


class Plate(NamedTuple):
    """A drawing in the template folder: its name without extension, and whether left and right are exchanged.

    Only motifs with a single drawing are mirrored, and no scenes, because each further drawing costs time and space in
    a file. A drawing is cut at its sides to fill a tall space: a `focus` of 0 keeps its left side, 1 its right side.
    """

    name: str
    mirrored: bool
    focus: float


def plate_of(title: str, kinds: Iterable[str], table: Mapping[str, Any]) -> Plate:
    """Returns the plate of a card, the same for the same title and kinds; `table` is the game's `plates.yaml`."""
    digest = hashlib.sha256(f"cdg-plate {title}".encode()).digest()
    motif = first_match(table["words"], title) or next(
        (table["kinds"][kind] for kind in kinds if kind in table["kinds"]), ""
    )
    motif = motif or table["others"][digest[0] % len(table["others"])]
    count = table["compositions"].get(motif)
    number = digest[1] % (count or 1) + 1
    name = motif if motif[-1].isdigit() else f"{motif}-{number}"
    mirrored, focus = count == 1 and bool(digest[2] % 2), table["focus"].get(motif, 0.5)
    return Plate(name, mirrored, 1 - focus if mirrored else focus)


def face_data(card: Card, spec: GameSpec) -> dict[str, Any]:
    """Returns the variables of a card's face: the card, its title, its side, its kinds and remarks in words.

    `plate` is the drawing on it. The card's reference begins with its module and a colon; a card of an unknown module,
    or of both sides, has a neutral mark.
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
        "number": printed_number(None, card.get("number", "")),
        "kinds": [
            {"sign": kind, "words": words["card"]["kinds"][kind], "forced": kind in words["card"]["forced"]}
            for kind in kinds
            if kind in words["card"]["kinds"]
        ],
        "remarks": _remarks(card, words["card"]),
        "plate": plate_of(title, kinds, spec.data["plates"]),
    }


def _game(card: Card, spec: GameSpec, key: str) -> str:
    """Returns the text at the foot of a card: the title of its game, or that the card is a sample."""
    if card.set == SAMPLE:
        return str(spec.data["print"]["card"]["sample"])
    return title_of(spec, key)[0] if key in spec.data["modules"] else str(spec.data["print"]["method"])


def _remarks(card: Card, words: Any) -> list[dict[str, str]]:
    """Returns remarks on the card's special treatment, each with `words` and a `sign`."""
    removed = card.get("remove_after", "never")
    remarks = [{"sign": "removed", "words": words["removed"][removed]}] if removed != "never" else []
    remarks += [{"sign": flag, "words": words[flag]} for flag in ("no_discard", "draws_card") if card.get(flag)]
    if card.get("order_max") is not None:
        remarks.append({"sign": "order_max", "words": words["order_max"].format(number=card.get("order_max"))})
    return remarks
