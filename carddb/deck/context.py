"""What a check gets besides the deck: format, day, options, and what the deck's owner chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from carddb.bans.log import Log
from carddb.cards.cards import Deck, Pool
from carddb.findings import Finding
from carddb.game.game import GameSpec


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of a check.

    `format` is a key named by the user (None: the deck's header, else the game's default), `custom` a format of the
    user's own as filter names with values. `on` is the day that the deck is checked for. `options` may be incomplete:
    defaults fill it up. `chosen` holds lists such as `{"editions": ("Antiquity",)}`; the deck's headers stand in for
    the rest. `bans` are the game's ban lists.
    """

    on: date
    format: str | None = None
    custom: Mapping[str, Any] | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bans: Log | None = None


Check = Callable[[Deck, GameSpec, Pool, Context], list[Finding]]
"""A rule that data cannot say: what a game's `rules.py` lists in `CHECKS`."""
