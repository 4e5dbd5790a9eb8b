"""Pairings: Swiss rounds as a matching of maximum weight, the round robin by the circle method, and eliminations.

A Swiss round is paired as a whole: of all ways to pair it, the one with the least harm is chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count

from carddb.core.plain_text import amount
from carddb.rounds.model import Entrant, Match, MatchResult, Round, TopCut, Tournament, needed

_BITS = (10, 12, 12, 16, 36, 10)
"""The bits for each harm in the weight of a pair, the gravest harm first; lesser harms never outweigh a graver one.

They are: a second bye, a repeated pairing, the same side too often, the points of the player with the bye, the
squared difference in points, uneven sides. They suffice for 512 players and 100 rounds of 100 points, and fit into the
128 bits with which the matching computes.
"""
_WEIGHT = 1 << sum(_BITS)
_MOST_MET = 15
"""Above this number, more meetings, or more rounds on the same side, make no difference."""

Harms = tuple[int, int, int, int, int, int]


class Swiss:
    """The pairing of a tournament's next Swiss round."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.number = len(tournament.rounds) + 1
        self.players = sorted(
            (each for each in tournament.active if not each.asks_bye),
            key=lambda each: tournament.drawn("round", self.number, each.id),
        )

    @cached_property
    def scores(self) -> Mapping[int, int]:
        """The points by which players are paired, by player id: the points won, and those added by the acceleration."""
        tournament, records = self.tournament, self.tournament.records
        is_faster = tournament.is_accelerated and self.number <= 2
        half = sorted(each.rank for each in self.players)[: -(-len(self.players) // 2)] if is_faster else []
        extra = tournament.rules.points[0]
        return {p.id: records[p.id].points + (extra if p.rank in half else 0) for p in self.players}

    @cached_property
    def _met(self) -> Mapping[int, Counter[int]]:
        return {each.id: Counter(self.tournament.records[each.id].opponents) for each in self.players}

    def harms(self, first: int, second: int | None) -> Harms:
        """Returns the harms of a pair (`second` is None: a bye), a number for each entry of `_BITS`; 0 is no harm."""
        record, score = self.tournament.records[first], self.scores[first]
        if second is None:
            return min(record.byes, 1), 0, 0, score - min(self.scores.values()), 0, 0
        met = min(self._met[first][second], _MOST_MET)
        breach = uneven = 0
        if self.tournament.rules.sides:
            # Whoever has been first less often is first in this match.
            low, high = sorted((record.seats, self.tournament.records[second].seats))
            after = abs(low + 1), abs(high - 1)
            breach, uneven = sum(max(0, each - 1) for each in after), sum(after)
        return 0, met, min(breach, _MOST_MET), 0, (score - self.scores[second]) ** 2, min(uneven, 3)

    def weight(self, first: int, second: int | None) -> int:
        """Returns the weight of a pair, which is greater if there is less harm."""
        total = 0
        for harm, bits in zip(self.harms(first, second), _BITS, strict=True):
            total = (total << bits) + harm
        return _WEIGHT - total

    def pairs(self) -> list[tuple[int, int | None]]:
        """Returns the pairs with the least total harm; with an odd number of players, one pair is a bye, with None."""
        # It takes 40 ms to import with its numpy, and only pairing needs it.
        import rustworkx

        ids: list[int | None] = [each.id for each in self.players]
        if len(ids) % 2:
            ids.append(None)
        edges = [
            (at, to, self.weight(first, second))
            for at, first in enumerate(ids)
            if first is not None
            for to, second in enumerate(ids[at + 1 :], at + 1)
        ]
        graph = rustworkx.PyGraph(multigraph=False)
        graph.add_nodes_from(ids)
        graph.add_edges_from(edges)
        matching = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
        places = sorted((min(pair), max(pair)) for pair in matching)
        return [(first, ids[to]) for at, to in places if (first := ids[at]) is not None]

    def matches(self) -> tuple[Match, ...]:
        """Returns the matches of the round, the highest points first, with tables, seats and reasons."""
        asked = [each.id for each in self.tournament.active if each.asks_bye]
        byes = [self._bye(player, "The organiser gave this bye.") for player in asked]
        matches = []
        for first, second in self.pairs():
            if second is None:
                byes.append(self._bye(first, self._why_bye(first)))
            else:
                matches.append(Match(0, *self._on_sides(first, second), self._why(first, second)))
        points = self.scores
        matches.sort(key=lambda m: sorted(-points[player] for player in m.players))
        return (*seated(matches, self.tournament.entrants), *byes)

    def _bye(self, player: int, why: str) -> Match:
        return Match(0, player, None, why, MatchResult(needed(self.tournament.rules), 0))

    def _on_sides(self, first: int, second: int) -> tuple[int, int]:
        """Returns a pair: first the player who has been first less often or, if equal, was second in the last match."""

        def key(player: int) -> tuple[int, int, bytes]:
            record = self.tournament.records[player]
            return record.seats, record.last_seat, self.tournament.drawn("seat", self.number, player)

        return (first, second) if key(first) <= key(second) else (second, first)

    def _why(self, first: int, second: int) -> str:
        met, scores = self._met[first][second], sorted((self.scores[first], self.scores[second]))
        if self.number == 1 and not self.tournament.is_accelerated:
            words = "Drawn by lot."
        elif scores[0] == scores[1]:
            words = f"Both have {amount(scores[0], 'point')}."
        else:
            words = f"{amount(scores[1], 'point')} meet {scores[0]}: no nearer opponent was left."
        if self.tournament.is_accelerated and self.number <= 2:
            words += " In rounds 1 and 2, the first half of the list counts as having one more win."
        if met:
            words += " They have met before, because the round cannot be paired otherwise."
        if self.harms(first, second)[2]:
            words += " One of them has the same side again, because the round cannot be paired otherwise."
        return words

    def _why_bye(self, player: int) -> str:
        if self.tournament.records[player].byes:
            return "Everybody has had a bye, and the number of players is odd."
        return "The number of players is odd; of those without a bye, nobody has fewer points."


def seated(matches: Sequence[Match], entrants: Mapping[int, Entrant], taken: int = 0) -> list[Match]:
    """Returns the matches by table: at the fixed table of a player, else at the next free table after `taken`."""
    own = [min(filter(None, (entrants[player].table for player in m.players)), default=0) for m in matches]
    kept: set[int] = set()
    for at, table in enumerate(own):
        own[at] = 0 if table in kept else table
        kept.add(table)
    free = (table for table in count(taken + 1) if table not in kept)
    placed = [replace(match, table=table or next(free)) for match, table in zip(matches, own, strict=True)]
    return sorted(placed, key=lambda match: match.table)


def round_robin(tournament: Tournament) -> tuple[Match, ...]:
    """Returns the next matches of a round robin; empty if all have met. An opponent who dropped out means a bye.

    In the circle method one player, or the bye, keeps the first place, and the others move on by one each round. Seats
    alternate, so that no player's sides differ by more than one.
    """
    players = sorted(tournament.entrants, key=lambda each: tournament.drawn("circle", each))
    circle: list[int | None] = [*([None] if len(players) % 2 else []), *players]
    number = len(tournament.qualifying)
    if number >= len(circle) - 1:
        return ()
    turn = number % (len(circle) - 1)
    moved = [circle[0], *circle[len(circle) - turn :], *circle[1 : len(circle) - turn]]
    pairs = []
    for at in range(len(moved) // 2):
        first, second = moved[at], moved[-1 - at]
        is_turned = number % 2 if at == 0 else at % 2
        pairs.append((second, first) if is_turned else (first, second))
    why = f"Round {number + 1} of {len(circle) - 1} of the round robin."
    return _matches(tournament, pairs, why)


def elimination(tournament: Tournament) -> tuple[Match, ...]:
    """Returns the next matches of the cut; empty if it is decided.

    Players who have not lost play in a bracket by seed, in which 1 and 2 can meet only in the final. In a double
    elimination, those who have lost once play each other, best seed against worst. The last of them meets the
    bracket's winner, and must win two matches.
    """
    cut, lost = _cut(tournament), losses(tournament)
    upper = _bracket(tournament)
    unbeaten = [seed for seed in upper if seed is not None]
    lower = [seed for seed in cut.seeds if lost[seed] == 1 and tournament.entrants[seed].is_active]
    if cut.system == "single":
        lower = []
    if len(unbeaten) == 1 == len(lower):
        return _matches(tournament, [(unbeaten[0], lower[0])], "The final: the winner of each bracket.")
    matches: tuple[Match, ...] = ()
    if len(unbeaten) > 1:
        pairs = zip(upper[::2], upper[1::2], strict=True)
        matches = _matches(tournament, pairs, "By seeds, among those who have not lost.")
    if len(lower) > 1:
        matches += _matches(tournament, _folded(tournament, lower), "Both have lost once.", len(matches))
    return matches


def losses(tournament: Tournament) -> Counter[int]:
    """Returns how often each player has lost in the cut; a match without a winner is lost by both."""
    finished = (match for each in _rounds(tournament) for match in each.matches if match.result)
    return Counter(player for match in finished for player in match.players if player != match.winner)


def bracket_order(size: int) -> list[int]:
    """Returns the seeds from 1 to `size`, a power of two, in the order of the bracket, as 1, 4, 2, 3."""
    order = [1]
    while len(order) < size:
        order = [seed for top in order for seed in (top, 2 * len(order) + 1 - top)]
    return order


def _cut(tournament: Tournament) -> TopCut:
    assert tournament.cut is not None
    return tournament.cut


def _rounds(tournament: Tournament) -> tuple[Round, ...]:
    return tournament.rounds[_cut(tournament).after :]


def _bracket(tournament: Tournament) -> list[int | None]:
    """Returns the ids of the players who have not lost, in bracket order, with None for a free place."""
    seeds, entrants = _cut(tournament).seeds, tournament.entrants
    size = 1 << (len(seeds) - 1).bit_length()
    level: list[int | None] = [seeds[seed - 1] if seed <= len(seeds) else None for seed in bracket_order(size)]
    for played in _rounds(tournament):
        lost = {player for match in played.matches for player in match.players if player != match.winner}
        pairs = zip(level[::2], level[1::2], strict=True) if len(level) > 1 else [(level[0], None)]
        stayed = [[player for player in pair if player and player not in lost] for pair in pairs]
        # Two who stayed have not met, because one of them dropped out before.
        level = [min(each, key=lambda p: not entrants[p].is_active, default=None) for each in stayed]
    level = [seed if seed and entrants[seed].is_active else None for seed in level]
    left = [seed for seed in level if seed]
    return level if len(left) > 1 else [*left]


def _folded(tournament: Tournament, players: Sequence[int]) -> list[tuple[int, int | None]]:
    """Returns pairs of ids, best against worst, if possible not met in the cut; an odd player is paired with None."""
    met = {frozenset(match.players) for each in _rounds(tournament) for match in each.matches}
    left = list(players)
    pairs: list[tuple[int, int | None]] = []
    if len(left) % 2:
        byes = Counter(m.first for each in _rounds(tournament) for m in each.matches if m.second is None)
        free = min(left, key=lambda player: byes[player])
        left.remove(free)
        pairs.append((free, None))
    while left:
        best = left.pop(0)
        worst = next((each for each in reversed(left) if frozenset((best, each)) not in met), left[-1])
        left.remove(worst)
        pairs.append((best, worst))
    return pairs


def _matches(
    tournament: Tournament, pairs: Iterable[tuple[int | None, int | None]], why: str, taken: int = 0
) -> tuple[Match, ...]:
    """Returns the matches of the pairs, at tables after the first `taken`; a player without an opponent has a bye."""
    entrants, matches, byes = tournament.entrants, [], []
    for pair in pairs:
        here = [player for player in pair if player is not None and entrants[player].is_active]
        if len(here) == 2:
            matches.append(Match(0, here[0], here[1], why))
        elif here:
            result = MatchResult(needed(tournament.rules), 0)
            byes.append(Match(0, here[0], None, "A bye: there is no opponent in this round.", result))
    return (*seated(matches, entrants, taken), *byes)
