"""Round robin and eliminations: everybody meets once, seeds meet late, and as many losses as lives put a player out."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from carddb.core.errors import UsageError
from carddb.rounds.brackets import bracket_order, elimination, losses, round_robin
from carddb.rounds.log import next_round
from carddb.rounds.model import Cut, Result, Round
from carddb.rounds.standings import Standings
from tests.rounds.samples import SIDED, finished, knocked_out, tournament
from tests.rows import every


@every("count", [2, 3, 4, 7, 8, 13])
def test_in_a_round_robin_everybody_meets_once(count: int) -> None:
    """All pairs meet exactly once, nobody has two byes, and sides differ by at most one."""
    state, dice = tournament(count, SIDED, "round-robin"), Random(count)
    while round_robin(state):
        state = finished(state, dice)
    met = Counter(frozenset(m.players) for each in state.rounds for m in each.matches if m.second)
    assert len(met) == count * (count - 1) // 2 and set(met.values()) == {1}
    assert max(each.byes for each in state.records.values()) <= 1
    assert max(abs(each.seats) for each in state.records.values()) <= 1
    with pytest.raises(UsageError, match="every match is played"):
        next_round(state)


def test_who_drops_out_of_a_round_robin_leaves_byes() -> None:
    """After a drop the plan stays, and each further opponent has a bye."""
    state = finished(tournament(6, system="round-robin"), Random(1))
    state = replace(state, entrants={**state.entrants, 3: replace(state.entrants[3], is_active=False)})
    matches = round_robin(state)
    assert sorted(len(match.players) for match in matches) == [1, 2, 2]
    assert 3 not in {player for match in matches for player in match.players}


def test_the_best_seeds_meet_last() -> None:
    """In the bracket of eight 1 meets 8, and 2 can meet 1 in the final only; byes go to the best."""
    assert bracket_order(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    state = replace(tournament(6), cut=Cut("single", (1, 2, 3, 4, 5, 6), 0))
    assert [match.players for match in elimination(state)] == [(4, 5), (3, 6), (1,), (2,)]


@every("count, lives", [(count, lives) for count in (2, 3, 5, 8, 13, 16) for lives in (1, 2)])
def test_an_elimination_leaves_one(count: int, lives: int) -> None:
    """Everybody but the winner has lost as often as allowed, and nobody more often; the winner is first."""
    for number in range(5):
        state = knocked_out(count, "double" if lives == 2 else "single", Random(number))
        lost = losses(state)
        first, *others = Standings(state).rows
        assert lost[first.entrant.id] < lives and first.lost is None and Standings(state).winner == first.entrant
        assert {lost[row.entrant.id] for row in others} == {lives}
        assert len(state.rounds) <= (count - 1).bit_length() * lives + 2


def test_who_drops_out_of_a_bracket_leaves_a_walkover() -> None:
    """The opponent of a player who dropped out goes on, and the bracket ends with one winner."""
    state = replace(tournament(8), cut=Cut("single", tuple(range(1, 9)), 0))
    for gone in (None, 1, 2):
        if gone:
            state = replace(state, entrants={**state.entrants, gone: replace(state.entrants[gone], is_active=False)})
        if matches := elimination(state):
            won = tuple(replace(match, result=Result(1, 0)) for match in matches)
            state = finished(state, Random(0), Round(len(state.rounds) + 1, "single", won))
    assert [row.entrant.id for row in Standings(state).rows][:1] == [4]
