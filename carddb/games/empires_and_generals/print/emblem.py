"""The emblem of a card without art: pure, per card, the same for the same card."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from carddb.cards.cards import Card
from carddb.core.names import fold_space
from carddb.games.printed_words import first_match


@dataclass(frozen=True, slots=True)
class Emblem:
    """What to draw: ids of the frame, the division and the charge, two tinctures, the rarity's border, the blazon."""

    frame: str
    colour: str
    metal: str
    division: str
    swapped: bool
    charge: str
    rarity: str
    blazon: str


def frame_of(card: Card) -> str:
    """The frame: a flag before the type."""
    if card.get("act_of_god"):
        return "act_of_god"
    return "great_mystery" if card.get("great_mystery") else card.type


def tinctures(card: Card, table: Mapping[str, Any]) -> tuple[str, str]:
    """Colour and metal of the card's empire; an empire that has no pair of its own gets one from its name."""
    empire = card.get("empire")
    if not empire or card.get("unaffiliated"):
        pairs = table["unaffiliated"]
        colour, metal = pairs.get(frame_of(card), pairs["other"])
    elif empire in table["empires"]:
        colour, metal = table["empires"][empire]
    else:
        digest = _digest("eg-empire-1", fold_space(str(empire)))
        colour, metal = _pick(table["other_colours"], digest[0]), _pick(table["other_metals"], digest[1])
    return str(colour), str(metal)


def compose(card: Card, table: Mapping[str, Any]) -> Emblem:
    """The emblem of a card; `table` is the game's `emblem.yaml`."""
    digest = _digest("eg-emblem-1", card.ref)
    frame = frame_of(card)
    colour, metal = tinctures(card, table)
    rarity = str(card.get("rarity") or "common")
    division = _pick(table["divisions"][rarity], digest[0])
    swapped = bool(digest[1] % 2) and division != "plain"
    charge = first_match(table["words"], card.name) or first_match(table["words"], str(card.get("emblem") or ""))
    charge = charge or _pick(table["pool"][frame], digest[2])
    blazon = _blazon(table["blazon"], colour, metal, division, swapped, charge)
    return Emblem(frame, colour, metal, division, swapped, charge, rarity, blazon)


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("|".join(parts).encode()).digest()


def _pick(choices: Sequence[str], number: int) -> str:
    return str(choices[number % len(choices)])


def _blazon(table: Mapping[str, Any], colour: str, metal: str, division: str, swapped: bool, charge: str) -> str:
    charge = table["charges"].get(charge, f"a {charge}")
    name = table["divisions"].get(division, division.replace("_", " "))
    first, second = (metal, colour) if swapped else (colour, metal)
    if division == "plain":
        text = f"{colour}, {charge} {metal}"
    elif division in table["pieces"]:
        text = f"{second}, a {name} {first}, {charge}"
    else:
        text = f"{name} {first} and {second}, {charge}"
    return text[0].upper() + text[1:]
