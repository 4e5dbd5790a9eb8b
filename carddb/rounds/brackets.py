"""Pairings that follow a plan: the round robin by the circle method, and eliminations with seeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from carddb.rounds.model import Cut, Match, Result, Round, Tournament, needed
from carddb.rounds.pairing import seated


def round_robin(tournament: Tournament) -> tuple[Match, ...]:
    """Returns the next round in which each plays each once; nothing if all have met. Who dropped out is a bye.

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
    why = f"Round {number + 1} of {len(circle) - 1}, in which each plays each."
    return _matches(tournament, pairs, why)


def elimination(tournament: Tournament) -> tuple[Match, ...]:
    """Returns the next round of the cut; nothing if it is decided.

    Who has not lost is in a bracket by seeds: 1 and 2 can meet in the final only. In a double elimination those who
    lost once play each other, the best seed against the worst, and who is left of them meets the winner of the bracket,
    a second time after winning the first.
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


def _cut(tournament: Tournament) -> Cut:
    assert tournament.cut is not None
    return tournament.cut


def _rounds(tournament: Tournament) -> tuple[Round, ...]:
    return tournament.rounds[_cut(tournament).after :]


def _bracket(tournament: Tournament) -> list[int | None]:
    """Returns who has not lost, in the order of the bracket; None is an empty place. One who is left stands alone."""
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
    """Returns pairs of the best against the worst who have not met in the cut, if there are such; one may be a bye."""
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
    """Returns the pairs as matches at the tables after the first `taken`; whoever has no opponent has a bye."""
    entrants, matches, byes = tournament.entrants, [], []
    for pair in pairs:
        here = [player for player in pair if player is not None and entrants[player].is_active]
        if len(here) == 2:
            matches.append(Match(0, here[0], here[1], why))
        elif here:
            result = Result(needed(tournament.rules), 0)
            byes.append(Match(0, here[0], None, "A bye: nobody is opposite in this round.", result))
    return (*seated(matches, entrants, taken), *byes)
