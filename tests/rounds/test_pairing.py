"""Swiss pairing: no rematch or second bye while avoidable, near points, even sides, the same by the same seed."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

import pytest

from carddb.core.errors import UsageError
from carddb.game.parts import RoundsSpec
from carddb.rounds.log import next_round
from carddb.rounds.model import Entrant, Match, MatchResult, Round, TopCut, Tournament
from carddb.rounds.pairing import Swiss, bracket_order, elimination, losses, round_robin, seated
from carddb.rounds.standings import Standings
from tests.rounds.samples import PLAIN, SIDED, entrants, finished, knocked_out, played, tournament
from tests.rows import every

Pairs = Sequence[tuple[int, int | None]]


def harm(state: Tournament, pairs: Pairs) -> tuple[int, ...]:
    """A second reckoning of what is wrong with a pairing, from the rounds alone, the gravest first."""
    rematches = byes = breaches = bye_points = distance = uneven = 0
    met = Counter(frozenset(m.players) for each in state.rounds for m in each.matches if m.second is not None)
    had_bye = {m.first for each in state.rounds for m in each.matches if m.second is None}
    seats: Counter[int] = Counter()
    for match in (m for each in state.rounds for m in each.matches if m.second is not None):
        seats[match.first] += 1
        seats[match.players[1]] -= 1
    points = {player: state.records[player].points for pair in pairs for player in pair if player is not None}
    for first, second in pairs:
        if second is None:
            byes += first in had_bye
            bye_points += points[first] - min(points.values())
            continue
        rematches += met[frozenset((first, second))]
        distance += (points[first] - points[second]) ** 2
        if state.rules.sides:
            low, high = sorted((seats[first], seats[second]))
            breaches += max(0, abs(low + 1) - 1) + max(0, abs(high - 1) - 1)
            uneven += min(3, abs(low + 1) + abs(high - 1))
    return byes, rematches, breaches, bye_points, distance, uneven


def every_pairing(players: Sequence[int | None]) -> Iterator[Pairs]:
    """All pairings of an even number of players, the last of whom may be None for the bye."""
    if not players:
        yield []
        return
    first, *rest = players
    assert first is not None
    for at, second in enumerate(rest):
        for others in every_pairing([*rest[:at], *rest[at + 1 :]]):
            yield [(first, second), *others]


def compared(tournaments: int) -> int:
    """Compares small rounds with the best of all their pairings, and returns the number of rounds."""
    rounds = 0
    for number in range(tournaments):
        dice = Random(number)
        rules = SIDED if number % 2 else PLAIN
        for state in played(dice.randrange(3, 8), dice.randrange(2, 6), dice, rules, 0.1):
            players: list[int | None] = [each.id for each in state.active]
            if len(players) > 8 or len(players) < 2:
                break
            best = min(harm(state, pairs) for pairs in every_pairing(players + [None] * (len(players) % 2)))
            assert harm(state, Swiss(state).pairs()) == best, number
            rounds += 1
    return rounds


def test_small_rounds_are_the_best_of_all_pairings() -> None:
    """A round does the least harm that any pairing of its players can do, found by trying them all."""
    assert compared(50) > 100


@pytest.mark.full
def test_a_thousand_tournaments_are_the_best_of_all_pairings() -> None:
    """The same in 1,000 tournaments."""
    assert compared(1000) > 2500


def _keeps(count: int, rounds: int, dice: Random) -> None:
    """Plays a tournament, and holds each of its rounds against what can be proved of it."""
    rules = SIDED if dice.random() < 0.5 else PLAIN
    for state in played(count, rounds, dice, rules, dice.choice((0.0, 0.05))):
        players = [each.id for each in state.active]
        pairs = Swiss(state).pairs()
        assert sorted(player for pair in pairs for player in pair if player is not None) == sorted(players)
        byes, rematches, breaches, _, distance, _ = harm(state, pairs)
        assert byes == 0 or all(state.records[player].byes for player in players)
        met = [len(set(state.records[player].opponents)) for player in players]
        if len(players) - 2 - max(met, default=0) >= len(players) / 2:
            assert rematches == 0  # by Dirac's theorem it can be avoided
            if not rules.sides:
                assert distance <= _in_order(state, players)
        seats = Counter(state.records[player].seats for player in players)
        if rules.sides and set(seats) <= {-1, 0, 1} and max(met, default=0) <= len(players) / 4 - 2:
            same = abs(seats[1] - seats[-1]) - seats[0]
            assert breaches <= max(0, same + 1) // 2 + 1


def _in_order(state: Tournament, players: list[int]) -> int:
    """The squared distances of the first pairing without a rematch that a walk down the standings finds, or a bound."""
    left = sorted(players, key=lambda player: -state.records[player].points)
    total = 0
    if len(left) % 2:
        return 1 << 40
    while left:
        first = left.pop(0)
        second = next((each for each in left if each not in state.records[first].opponents), None)
        if second is None:
            return 1 << 40
        left.remove(second)
        total += (state.records[first].points - state.records[second].points) ** 2
    return total


def test_random_tournaments_keep_the_rules() -> None:
    """With drops, late entries and draws: no avoidable rematch, no second bye, near points, even sides."""
    for number in range(20):
        dice = Random(number)
        _keeps(dice.randrange(4, 65), dice.randrange(3, 8), dice)


@pytest.mark.full
def test_large_random_tournaments_keep_the_rules() -> None:
    """The same up to 512 players."""
    for number in range(60):
        dice = Random(1000 + number)
        _keeps(dice.randrange(4, 513), dice.randrange(3, 10), dice)


def test_whole_score_groups_are_kept() -> None:
    """Of 64 players without draws, all pairs of the first six rounds have equal points."""
    for state in played(64, 6, Random(4), RoundsSpec()):
        assert harm(state, Swiss(state).pairs())[4] == 0


def test_sides_differ_by_at_most_one() -> None:
    """Of 40 players without drops nobody has a side more than once too often after any round."""
    dice = Random(5)
    for state in played(40, 8, dice, SIDED):
        assert max(abs(each.seats) for each in state.records.values()) <= 1


@pytest.mark.door
def test_the_same_seed_pairs_the_same_in_any_process() -> None:
    """A round depends on its tournament and seed alone; another seed pairs other players."""
    program = (
        "from tests.rounds.samples import tournament; from carddb.rounds.pairing import Swiss;"
        "print([(m.first, m.second) for m in Swiss(tournament(41, seed=7)).matches()])"
    )
    texts = {str([(m.first, m.second) for m in Swiss(tournament(41, seed=7)).matches()])}
    texts |= {
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()
    }
    assert len(texts) == 1
    assert str([(m.first, m.second) for m in Swiss(tournament(41, seed=8)).matches()]) not in texts


def test_an_accelerated_round_lets_the_first_half_meet() -> None:
    """In the first round of an accelerated Swiss the first half of the list plays itself."""
    state = replace(tournament(16), is_accelerated=True)
    assert all((first <= 8) == (second is not None and second <= 8) for first, second in Swiss(state).pairs())


def test_a_bye_on_request_counts_as_one() -> None:
    """A player whom the organiser gives a bye has it, and is not given another while others had none."""
    state = replace(tournament(6), entrants={**entrants(6), 6: Entrant(6, "P6", 6, asks_bye=True)})
    asked, drawn = [match for match in Swiss(state).matches() if match.second is None]
    assert (asked.first, asked.why, asked.result) == (6, "The organiser gave this bye.", MatchResult(1, 0))
    after = replace(finished(state, Random(0)), entrants=entrants(6))
    assert not {asked.first, drawn.first} & {match.first for match in Swiss(after).matches() if match.second is None}


def test_players_keep_their_own_tables() -> None:
    """A match is at the table of a player who has one; the others fill the rest in order."""
    own = {**entrants(8), 5: Entrant(5, "P5", 5, table=2), 7: Entrant(7, "P7", 7, table=2)}
    matches = seated([Match(0, 1, 2), Match(0, 3, 4), Match(0, 5, 6), Match(0, 7, 8)], own)
    assert [(m.table, m.first) for m in matches] == [(1, 1), (2, 5), (3, 3), (4, 7)]


def test_each_pair_says_why() -> None:
    """The reason of a pair tells the points of both, and that they have met if they had to again."""
    dice = Random(1)
    *_, state = played(4, 5, dice, PLAIN)
    words = [match.why for match in Swiss(state).matches()]
    assert all("They have met before" in each for each in words)
    assert all("Both have" in each or "points meet" in each for each in words)
    assert {match.why for match in Swiss(tournament(4)).matches()} == {"Drawn by lot."}


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
    with pytest.raises(UsageError, match="every match has been played"):
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
    state = replace(tournament(6), cut=TopCut("single", (1, 2, 3, 4, 5, 6), 0))
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
    state = replace(tournament(8), cut=TopCut("single", tuple(range(1, 9)), 0))
    for gone in (None, 1, 2):
        if gone:
            state = replace(state, entrants={**state.entrants, gone: replace(state.entrants[gone], is_active=False)})
        if matches := elimination(state):
            won = tuple(replace(match, result=MatchResult(1, 0)) for match in matches)
            state = finished(state, Random(0), Round(len(state.rounds) + 1, "single", won))
    assert [row.entrant.id for row in Standings(state).rows][:1] == [4]
