"""Words and figures that several printed components share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module.module import Module, Readings, module_of
from carddb.games.printed_words import with_signs

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
