"""A tournament as plain values: its players and rounds, the results of matches, and the points for them."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

from carddb.game.parts import RoundsSpec

System = Literal["swiss", "round-robin", "single", "double"]
SYSTEMS: Mapping[System, str] = {
    "swiss": "Swiss", "round-robin": "Round robin", "single": "Single elimination", "double": "Double elimination",
}  # fmt: skip
"""The ways to pair a tournament or its cut, with their names."""
ELIMINATIONS: Collection[System] = ("single", "double")
"""The systems in which losses put a player out; a cut uses one of them."""


class MatchResult(NamedTuple):
    """The games that the first and the second player of a match have won."""

    first: int
    second: int

    def __str__(self) -> str:
        return f"{self.first}-{self.second}"

    @property
    def turned(self) -> MatchResult:
        """The result as the second player sees it."""
        return MatchResult(self.second, self.first)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player of a tournament.

    `rank` is the place in the order of entry, from 1. `is_active` is False for a player who has dropped out. `table` is
    where the player always sits, or 0. If `asks_bye`, the player gets a bye in the next round.
    """

    id: int
    name: str
    rank: int
    is_active: bool = True
    table: int = 0
    asks_bye: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """A match at a table; if `second` is None, it is a bye, and the table is 0.

    `why` is the reason for the pairing, as a sentence. `claims` are the results that the players sent, by player id; if
    both sent the same, it becomes the `result`.
    """

    table: int
    first: int
    second: int | None
    why: str = ""
    result: MatchResult | None = None
    claims: Mapping[int, MatchResult] = field(default_factory=dict)

    @property
    def players(self) -> tuple[int, ...]:
        return (self.first,) if self.second is None else (self.first, self.second)

    @property
    def is_disputed(self) -> bool:
        """True if the two players sent different results, and the organiser's desk has not decided."""
        return self.result is None and len(set(self.claims.values())) > 1

    @property
    def winner(self) -> int | None:
        """The id of the winner; None if there is no winner, or no result yet."""
        if self.result is None or self.result.first == self.result.second:
            return None
        return self.first if self.result.first > self.result.second else self.second

    def other(self, player: int) -> int | None:
        """Returns the id of the opponent of `player`; None in a bye."""
        return self.second if player == self.first else self.first


@dataclass(frozen=True, slots=True)
class Round:
    """A round. `timer` is when it began (an ISO time in UTC), and its length in minutes; None if it is not timed."""

    number: int
    system: System
    matches: tuple[Match, ...]
    timer: tuple[str, int] | None = None

    @property
    def is_elimination(self) -> bool:
        return self.system in ELIMINATIONS

    @property
    def is_over(self) -> bool:
        return all(match.result for match in self.matches)

    def match_of(self, player: int) -> Match | None:
        """Returns the match of a player in this round, or None."""
        return next((match for match in self.matches if player in match.players), None)

    def at(self, table: int) -> Match | None:
        """Returns the match at a table, or None."""
        return next((match for match in self.matches if match.table == table and match.second is not None), None)


@dataclass(frozen=True, slots=True)
class TopCut:
    """The elimination after round number `after`; `seeds` are the ids of its players, best seed first."""

    system: System
    seeds: tuple[int, ...]
    after: int


@dataclass(frozen=True)
class Tournament:
    """The state of a tournament. `entrants` maps the ids of its players to them, in the order of entry.

    `seed` decides everything that is random. With `is_accelerated`, the first half of the entrants is paired in the
    first two rounds as if each had won once more.
    """

    rules: RoundsSpec
    entrants: Mapping[int, Entrant] = field(default_factory=dict)
    rounds: tuple[Round, ...] = ()
    system: System = "swiss"
    seed: int = 0
    is_accelerated: bool = False
    cut: TopCut | None = None

    @property
    def active(self) -> list[Entrant]:
        return [each for each in self.entrants.values() if each.is_active]

    @property
    def present(self) -> Round | None:
        """The latest round, or None."""
        return self.rounds[-1] if self.rounds else None

    @property
    def qualifying(self) -> tuple[Round, ...]:
        """The rounds before the cut, which count for the points."""
        return self.rounds[: self.cut.after] if self.cut else self.rounds

    @cached_property
    def records(self) -> Mapping[int, PlayerRecord]:
        """The record of each player in the rounds before the cut; the keys are players' ids."""
        records = {player: PlayerRecord() for player in self.entrants}
        for match in (match for each in self.qualifying for match in each.matches):
            for player in match.players:
                records[player].add(player, match, self.rules)
        return records

    def drawn(self, *words: object) -> bytes:
        """Returns 32 bytes for drawing lots, which depend only on `seed` and `words`."""
        return hashlib.sha256(" ".join(map(str, (self.seed, *words))).encode()).digest()


@dataclass(slots=True)
class PlayerRecord:
    """The points, games won, opponents and seats of a player in matches with a result, of which there are `rounds`.

    `seats` is the number of matches as the first player minus those as the second; `last_seat` is 1 or -1 accordingly.
    """

    points: int = 0
    games: int = 0
    rounds: int = 0
    opponents: list[int] = field(default_factory=list)
    won_against: dict[int, int] = field(default_factory=dict)
    """The points won against each opponent."""
    byes: int = 0
    seats: int = 0
    last_seat: int = 0

    def add(self, player: int, match: Match, rules: RoundsSpec) -> None:
        """Adds a match of `player`, if it has a result."""
        if match.result is None:
            return
        own, others = match.result if player == match.first else match.result.turned
        win, draw, loss = rules.points
        # If matches cannot be drawn, both players lose a match with equal games.
        points = win if own > others else draw if own == others and rules.draws else loss
        self.points, self.games, self.rounds = self.points + points, self.games + own, self.rounds + 1
        other = match.other(player)
        if other is None:
            self.byes += 1
            return
        self.opponents.append(other)
        self.won_against[other] = self.won_against.get(other, 0) + points
        self.last_seat = 1 if player == match.first else -1
        self.seats += self.last_seat


def needed(rules: RoundsSpec) -> int:
    """Returns the number of games that win a match."""
    return rules.best_of // 2 + 1


def possible_results(rules: RoundsSpec, is_elimination: bool = False) -> list[MatchResult]:
    """Returns the results that a match can have, the best for the first player first.

    A match may end before one player has won enough games, when time is called. `0-0` without draws is a match that
    both lose. In an elimination one player wins, or both go out.
    """
    most = needed(rules)
    pairs = [MatchResult(a, b) for a in range(most + 1) for b in range(most + 1) if a + b <= rules.best_of]
    may_draw = rules.draws and not is_elimination
    results = [r for r in pairs if r.first != r.second or may_draw or r == (0, 0)]
    return sorted(results, key=lambda result: (result.second - result.first, result.second))
