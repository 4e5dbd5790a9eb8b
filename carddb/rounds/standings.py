"""Standings: points, then the tie-breaks that the game names, each with the calculation of its value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from typing import Literal

from carddb.game.parts import Tiebreak
from carddb.rounds.model import Entrant, PlayerRecord, Tournament
from carddb.rounds.pairing import elimination, losses

TIEBREAKS: Mapping[Tiebreak, str] = {
    "strength_of_schedule": "Opponents", "extended_strength_of_schedule": "Their opponents",
    "head_to_head": "Head to head", "game_points": "Games won", "random": "Lot",
}  # fmt: skip
"""The tie-breaks, with the headings of their columns."""
_Key = Tiebreak | Literal["points"]
"""A value by which players are ordered: their points, or a tie-break."""


@dataclass(frozen=True, slots=True)
class TieBreakFigure:
    """The value of a tie-break for one player, and the calculation of it as text (`sum`)."""

    value: Fraction
    sum: str

    def __str__(self) -> str:
        return str(self.value) if self.value.denominator == 1 else f"{float(self.value):.3f}"


@dataclass(frozen=True, slots=True)
class Standing:
    """The place of a player; `figures` are the player's tie-breaks, in the order in which the game counts them.

    `lost` is the round of the cut in which the player went out: None if still in it, 0 if the player was not in it.
    """

    place: int
    entrant: Entrant
    record: PlayerRecord
    figures: Mapping[Tiebreak, TieBreakFigure]
    lost: int | None = 0


class Standings:
    """The standings of a tournament after its finished matches."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.tiebreaks = tournament.rules.tiebreaks
        self._records = tournament.records

    @cached_property
    def rows(self) -> list[Standing]:
        """All players, the best first: those of the cut by how far they came, the others by points and tie-breaks."""
        order = self._split(list(self.tournament.entrants.values()), ("points", *self.tiebreaks))
        out = self._out()
        if self.tournament.cut:
            seeds = self.tournament.cut.seeds
            far = {seed: (-(out[seed] or 1 << 20), at) for at, seed in enumerate(seeds)}
            order.sort(key=lambda each: far.get(each.id, (1, 0)))
        return [
            Standing(place, each, self._records[each.id], self._figures[each.id], out.get(each.id, 0))
            for place, each in enumerate(order, 1)
        ]

    @property
    def winner(self) -> Entrant | None:
        """The winner of the cut; None without a cut, and until it is decided."""
        cut, present = self.tournament.cut, self.tournament.present
        is_decided = cut and present and present.is_over and not elimination(self.tournament)
        return self.rows[0].entrant if is_decided else None

    def top(self, size: int) -> list[int]:
        """Returns the ids of the best `size` players who have not dropped out, best first."""
        return [row.entrant.id for row in self.rows if row.entrant.is_active][:size]

    def _out(self) -> Mapping[int, int | None]:
        """Returns, by player id, the round of the cut in which each player of it went out; None for one still in it."""
        cut = self.tournament.cut
        if cut is None:
            return {}
        lives = 2 if cut.system == "double" else 1
        lost = losses(self.tournament)
        last = {p: each.number for each in self.tournament.rounds[cut.after :] for m in each.matches for p in m.players}
        is_out = {p for p in cut.seeds if lost[p] >= lives or not self.tournament.entrants[p].is_active}
        return {p: last.get(p, cut.after) if p in is_out else None for p in cut.seeds}

    def _split(self, players: Sequence[Entrant], keys: Sequence[_Key]) -> list[Entrant]:
        """Returns players by the first of `keys`, the highest value first; equals are ordered by the other keys."""
        if len(players) < 2 or not keys:
            return sorted(players, key=lambda each: each.rank)
        value = self._value(keys[0], players)
        ordered = sorted(players, key=lambda each: (-value(each), each.rank))
        groups = [list(group) for _, group in groupby(ordered, value)]
        return [each for group in groups for each in self._split(group, keys[1:])]

    def _value(self, key: _Key, tied: Sequence[Entrant]) -> Callable[[Entrant], Fraction]:
        """Returns the function from a player to the value by `key`; head to head counts only matches among `tied`."""
        if key == "points":
            return lambda each: Fraction(self._records[each.id].points)
        if key == "head_to_head":
            ids = {each.id for each in tied}
            won = {p: {o: n for o, n in self._records[p].won_against.items() if o in ids} for p in ids}
            if any(len(each) < len(ids) - 1 for each in won.values()):
                return lambda each: Fraction(0)  # otherwise, who has not met all others would be behind
            return lambda each: Fraction(sum(won[each.id].values()))
        return lambda each: self._figures[each.id][key].value

    @cached_property
    def _figures(self) -> Mapping[int, Mapping[Tiebreak, TieBreakFigure]]:
        """The tie-breaks of each player, by player id."""
        entrants = self.tournament.entrants.values()
        return {each.id: {name: self._figure(each, name) for name in self.tiebreaks} for each in entrants}

    def _figure(self, player: Entrant, name: Tiebreak) -> TieBreakFigure:
        record = self._records[player.id]
        if name == "game_points":
            return TieBreakFigure(Fraction(record.games), f"games won: {record.games}")
        if name == "random":
            lot = int.from_bytes(self.tournament.drawn("lot", player.id)[:3], "big")
            return TieBreakFigure(Fraction(lot), f"drawn with the seed {self.tournament.seed}")
        if name == "head_to_head":
            group = [p for p in record.won_against if self._records[p].points == record.points]
            parts = [(self._name(p), Fraction(record.won_against[p])) for p in group]
            words = ", ".join(f"{value} against {who}" for who, value in parts)
            return TieBreakFigure(
                sum((value for _, value in parts), Fraction()), words or "met nobody with equal points"
            )
        values = self._strengths if name == "extended_strength_of_schedule" else self._shares
        parts = [(self._name(p), values[p]) for p in record.opponents]
        if not parts:
            return TieBreakFigure(Fraction(), "no opponent yet")
        words = " + ".join(f"{name} {TieBreakFigure(part, '')}" for name, part in parts)
        return TieBreakFigure(sum((part for _, part in parts), Fraction()) / len(parts), f"({words}) / {len(parts)}")

    @cached_property
    def _shares(self) -> Mapping[int, Fraction]:
        """The points of each player per round that the player has played, by player id."""
        return {player: Fraction(each.points, each.rounds or 1) for player, each in self._records.items()}

    @cached_property
    def _strengths(self) -> Mapping[int, Fraction]:
        """The mean of the shares of the opponents of each player, by player id."""
        shares = self._shares
        return {
            player: sum((shares[other] for other in each.opponents), Fraction()) / (len(each.opponents) or 1)
            for player, each in self._records.items()
        }

    def _name(self, player: int) -> str:
        return self.tournament.entrants[player].name
