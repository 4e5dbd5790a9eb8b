"""The log of a tournament, in which every change is an act; the state is computed from the acts, oldest first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from carddb.core.errors import UsageError
from carddb.core.plain_text import amount, listed
from carddb.rounds.model import Entrant, Match, MatchResult, Round, System, TopCut, Tournament, possible_results
from carddb.rounds.pairing import Swiss, elimination, round_robin
from carddb.rounds.standings import Standings


@dataclass(frozen=True, slots=True)
class Act:
    """A recorded change of a tournament: the kind of change (`what`) and its details.

    The ids ascend in the log. `at` is an ISO time in UTC, `by` names the organiser's desk or a player. An act `undo`
    revokes the act whose id its details name; it can be revoked itself.
    """

    id: int
    at: str
    by: str
    what: str
    details: Mapping[str, Any]


def undone(acts: Sequence[Act]) -> set[int]:
    """Returns the ids of the acts that have been revoked."""
    ids: set[int] = set()
    for act in reversed(acts):
        if act.what == "undo" and act.id not in ids:
            ids.add(act.details["act"])
    return ids


def replay(start: Tournament, acts: Sequence[Act], names: Mapping[int, str]) -> Replay:
    """Returns the state of a tournament after `acts`, without those revoked. `names` maps players' ids to names.

    Raises UsageError if an act is not possible after the acts before it.
    """
    state, gone = Replay(start, names), undone(acts)
    for act in acts:
        if act.what != "undo" and act.id not in gone:
            state.take(act)
    return state


def pairing(drawn: Round) -> dict[str, Any]:
    """Returns the details of the act `pair`, by which the log records a round."""
    matches = [[each.table, each.first, each.second, each.why, each.result] for each in drawn.matches]
    return {"number": drawn.number, "system": drawn.system, "matches": matches}


def next_round(tournament: Tournament) -> Round:
    """Returns the next round. Raises UsageError for fewer than two players, during a round and after the last one."""
    _refuse_unfinished(tournament.present)
    number = len(tournament.rounds) + 1
    system = tournament.cut.system if tournament.cut else tournament.system
    if len(tournament.active) < 2:
        raise UsageError("there are fewer than two players", "Check them in first.")
    if system == "swiss":
        return Round(number, system, Swiss(tournament).matches())
    matches = round_robin(tournament) if system == "round-robin" else elimination(tournament)
    if not matches:
        raise UsageError("every match has been played", "Look at the standings.")
    return Round(number, system, matches)


def consequences(before: Tournament, after: Tournament, number: int) -> list[str]:
    """Returns sentences on what a correction in round `number` changes: points, places, the next Swiss pairing."""
    old, new = ({row.entrant.id: row for row in Standings(each).rows} for each in (before, after))
    moved = [
        f"{row.entrant.name}: {amount(old[player].record.points, 'point')}, place {old[player].place}; "
        f"now {amount(row.record.points, 'point')}, place {row.place}."
        for player, row in new.items()
        if player in old and (old[player].place, old[player].record.points) != (row.place, row.record.points)
    ]
    later = next((each for each in after.rounds[number:] if each.system == "swiss"), None)
    if later:
        again = Swiss(replace(after, rounds=after.rounds[: later.number - 1], cut=None)).pairs()
        paired = {frozenset(match.players) for match in later.matches}
        others = sum(frozenset({first, second} - {None}) not in paired for first, second in again)
        if others:
            tables = amount(others, "table")
            moved.append(f"Round {later.number} was paired before: {tables} would now be paired differently.")
    return moved


def _refuse_unfinished(present: Round | None) -> None:
    if present and not present.is_over:
        tables = [str(match.table) for match in present.matches if not match.result]
        at = f"{'table' if len(tables) == 1 else 'tables'} {listed(tables)}"
        raise UsageError(f"round {present.number} has no result yet at {at}", "Enter the results first.")


class Replay:
    """A tournament to which acts are applied one by one; each kind of act has a private method of its name.

    Its parameters are the details of the act; it raises UsageError if the act is not possible.
    """

    def __init__(self, start: Tournament, names: Mapping[int, str]) -> None:
        self._start = start
        self._names = names
        self._entrants: dict[int, Entrant] = {}
        self._rounds: list[Round] = []
        self._matches: list[dict[int, Match]] = []
        """The matches of each round by table; byes are under negative numbers."""
        self._stage: TopCut | None = None
        self._results = [possible_results(start.rules, is_elimination) for is_elimination in (False, True)]

    def take(self, act: Act) -> None:
        """Applies an act that is not an `undo`."""
        getattr(self, f"_{act.what}")(**act.details)

    def tournament(self) -> Tournament:
        """Returns the tournament after the applied acts."""
        pairs = zip(self._rounds, self._matches, strict=True)
        rounds = tuple(replace(each, matches=tuple(matches.values())) for each, matches in pairs)
        return replace(self._start, entrants={**self._entrants}, rounds=rounds, cut=self._stage)

    def _enter(self, player: int) -> None:
        if player in self._entrants:
            raise UsageError(f"{self._entrants[player].name} is checked in already", "There is nothing to do.")
        if self._rounds and (self._stage or self._start.system != "swiss"):
            raise UsageError("the tournament has begun, so nobody can join", "Only a Swiss before its cut takes more.")
        name = self._names.get(player, f"Player {player} (removed)")
        self._entrants[player] = Entrant(player, name, len(self._entrants) + 1)

    def _drop(self, player: int) -> None:
        entrant = self._entrant(player)
        if not entrant.is_active:
            raise UsageError(f"{entrant.name} has dropped out already", "There is nothing to do.")
        self._entrants[player] = replace(entrant, is_active=False, asks_bye=False)

    def _rejoin(self, player: int) -> None:
        entrant = self._entrant(player)
        if entrant.is_active:
            raise UsageError(f"{entrant.name} has not dropped out", "There is nothing to do.")
        self._entrants[player] = replace(entrant, is_active=True)

    def _bye(self, player: int, given: bool) -> None:
        if given and (self._stage or self._start.system != "swiss"):
            raise UsageError("a bye can be given only in a Swiss round", "Enter the result of the match instead.")
        self._entrants[player] = replace(self._entrant(player), asks_bye=given)

    def _table(self, player: int, table: int) -> None:
        self._entrants[player] = replace(self._entrant(player), table=table)

    def _pair(self, number: int, system: System, matches: Sequence[Sequence[Any]]) -> None:
        if number != len(self._rounds) + 1:
            raise UsageError(f"round {number} is paired already", "Look at its pairings.")
        _refuse_unfinished(self.tournament().present)
        by_table: dict[int, Match] = {}
        for at, (table, first, second, why, result) in enumerate(matches):
            match = by_table[table or -1 - at] = Match(table, first, second, why, result and MatchResult(*result))
            for player in match.players:
                self._entrant(player)
        if self._stage and system != self._stage.system:
            raise UsageError("the cut was made after this pairing", "Take back the cut first.")
        self._rounds.append(Round(number, system, ()))
        self._matches.append(by_table)
        self._entrants = {player: replace(each, asks_bye=False) for player, each in self._entrants.items()}

    def _cut(self, system: System, seeds: Sequence[int]) -> None:
        if self._stage:
            raise UsageError("the cut has been made already", "Take back that cut first.")
        for player in seeds:
            self._entrant(player)
        self._stage = TopCut(system, tuple(seeds), len(self._rounds))

    def _result(self, number: int, table: int, first: int, second: int) -> None:
        match, result = self._match(number, table), self._possible(number, first, second)
        if self._is_in_cut(number) and number < len(self._rounds):
            raise UsageError(f"round {number + 1} was paired with this result", f"Take back round {number + 1} first.")
        self._matches[number - 1][table] = replace(match, result=result)

    def _claim(self, number: int, table: int, player: int, first: int, second: int) -> None:
        match = self._match(number, table)
        if match.result:
            raise UsageError("this match has its result already", "Ask at the desk if it is wrong.")
        if number != len(self._rounds):
            raise UsageError(f"round {number} is over", "Ask at the desk if its result is wrong.")
        claims = {**match.claims, player: self._possible(number, first, second)}
        self._matches[number - 1][table] = replace(match, claims=claims)
        if len(claims) == len(match.players) and len({*claims.values()}) == 1:
            self._result(number, table, first, second)

    def _timer(self, number: int, minutes: int, at: str) -> None:
        if not self._rounds:
            raise UsageError("no round has been paired yet", "Pair the first round.")
        if not 0 < number <= len(self._rounds):
            raise UsageError(f"there is no round {number}", "Pair it first.")
        self._rounds[number - 1] = replace(self._rounds[number - 1], timer=(at, minutes) if minutes else None)

    def _recheck(self, day: str, changed: Sequence[int]) -> None:
        """Accepts a check of the locked decks on a later day, which does not change the tournament."""

    def _is_in_cut(self, number: int) -> bool:
        return self._stage is not None and number > self._stage.after

    def _possible(self, number: int, first: int, second: int) -> MatchResult:
        result, possible = MatchResult(first, second), self._results[self._is_in_cut(number)]
        if result not in possible:
            raise UsageError(f"a match cannot end {result}", f"Possible results: {listed([*map(str, possible)], 20)}.")
        return result

    def _entrant(self, player: int) -> Entrant:
        if player not in self._entrants:
            name = self._names.get(player, f"player {player}")
            raise UsageError(f"{name} is not checked in", "Check the player in first.")
        return self._entrants[player]

    def _match(self, number: int, table: int) -> Match:
        match = self._matches[number - 1].get(table) if 0 < number <= len(self._matches) else None
        if match is None or match.second is None:
            raise UsageError(f"round {number} has no table {table}", "Look at the pairings.")
        return match
