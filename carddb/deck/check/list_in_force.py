"""A ban list as decks are checked against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from carddb.bans.log import GroupSpec, LevelSpec
from carddb.bans.state import Standing, State
from carddb.cards.cards import Entry


class BanCodes(NamedTuple):
    """The first word of a game's codes for ban lists, and the rules behind levels, groups and unknown levels."""

    prefix: str = "ban"
    level_rules: tuple[str, ...] = ()
    group_rules: tuple[str, ...] = ()
    unknown_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListInForce:
    """A ban list as decks are checked against it: its state, and under which `key` of the state an entry stands.

    `level_of` is the meaning of a standing; `groups` are those of the state. Findings name the announcement behind them
    only `with_source`. `budget` is what the points of a deck may be in all (None: no bound), `surcharge_of` the field
    whose budgets in the game's limits the surcharges of levels add to.
    """

    state: State
    key: Callable[[Entry], str]
    level_of: Callable[[Standing], LevelSpec]
    groups: Mapping[str, GroupSpec]
    codes: BanCodes
    with_source: bool = True
    budget: int | None = None
    surcharge_of: str = ""

    def standing(self, entry: Entry) -> Standing | None:
        """The standing of the card of an entry; None where it is not on the list."""
        standing = self.state.cards.get(self.key(entry))
        return standing if standing and standing.level else None

    def source(self, standing: Standing) -> dict[str, Any]:
        """The announcement behind a standing, and its day, as data of a finding."""
        if not self.with_source:
            return {}
        return {"announcement": standing.announcement, "since": standing.since.isoformat()}
