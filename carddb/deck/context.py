"""The circumstances of a check: format, day, house options, and the deck owner's choices."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from carddb.bans.log import Log
from carddb.cards.cards import Deck, Pool
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.findings import Finding
from carddb.game.game import GameSpec


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of a check.

    `format` is a key named by the user (None means the deck's header, else the game's default). `custom` is a user's
    own format, as filter names with values. `on` is the day for which the deck is checked. `options` may be incomplete;
    defaults complete them. `chosen` holds lists such as `{"editions": ("Antiquity",)}`; for missing ones the deck's
    headers are used. `bans` are the game's ban lists.
    """

    on: date
    format: str | None = None
    custom: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bans: Log | None = None


Check = Callable[[Deck, GameSpec, Pool, Context], list[Finding]]
"""A rule that `game.yaml` cannot express, listed in `CHECKS` of the game's `rules.py`."""


def options(spec: GameSpec, texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the value of every option of the game.

    Each of `texts` is parsed as JSON, or is a plain text if that fails. Raises UsageError for an unknown option,
    listing those that exist, and for a value that the option does not accept.
    """
    return {**spec.option_defaults, **option_values(spec, texts)}


def option_values(spec: GameSpec, texts: Mapping[str, str]) -> dict[str, Any]:
    """Returns the values of the options in `texts`, by key. Raises UsageError as `options` does."""
    values: dict[str, Any] = {}
    for name, text in texts.items():
        key = spec.option_words.find(name)
        option = spec.options[key] if key else None
        if key is None or option is None:
            near = did_you_mean(name, spec.options)
            known = f"Accepted: {', '.join(spec.options)}." if spec.options else "It has none."
            remedy = f"{near} {known}" if near.startswith("Did") else known
            raise UsageError(f"{spec.name} has no option {name}", remedy)
        try:
            values[key] = option.value_of(json_or_text(text))
        except ValueError:
            raise UsageError(f"the option {name} cannot be {text}", f"Accepted: {option.accepted}.") from None
    return values


def json_or_text(text: str) -> Any:
    """Returns a typed value: parsed as JSON, or the text itself if that fails."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def as_typed(options: Mapping[str, Any]) -> dict[str, str]:
    """Returns options with their values as a user would type them."""
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in options.items()}
