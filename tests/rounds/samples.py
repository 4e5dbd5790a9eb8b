"""Random tournaments for tests, with results, drops, late entries and draws."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from carddb.game.parts import RoundsSpec
from carddb.rounds.log import next_round
from carddb.rounds.model import Entrant, MatchResult, Round, System, TopCut, Tournament, possible_results
from carddb.rounds.pairing import elimination

PLAIN = RoundsSpec(draws=True)
SIDED = RoundsSpec(draws=True, sides=("Attacker", "Defender"))


def entrants(count: int, first: int = 1) -> dict[int, Entrant]:
    """Entrants called P1, P2, ..."""
    return {each: Entrant(each, f"P{each}", each) for each in range(first, first + count)}


def tournament(count: int, rules: RoundsSpec = PLAIN, system: System = "swiss", seed: int = 0) -> Tournament:
    """A tournament that has not begun."""
    return Tournament(rules, entrants(count), system=system, seed=seed)


def finished(state: Tournament, dice: Random, further: Round | None = None) -> Tournament:
    """The tournament after a further round, or the one given, with results by chance."""
    further = further or next_round(state)
    is_elimination = state.cut is not None
    results = possible_results(state.rules, is_elimination)
    if is_elimination or not state.rules.draws:
        results.remove(MatchResult(0, 0))
    matches = tuple(each if each.result else replace(each, result=dice.choice(results)) for each in further.matches)
    return replace(state, rounds=(*state.rounds, replace(further, matches=matches)))


def played(count: int, rounds: int, dice: Random, rules: RoundsSpec, moves: float = 0.0) -> Iterator[Tournament]:
    """The tournament before each round; between rounds about `moves` of the players drop out, and as many come late."""
    state = tournament(count, rules, seed=dice.randrange(1000))
    for _ in range(rounds):
        yield state
        state = finished(state, dice)
        players = {
            key: replace(each, is_active=each.is_active and dice.random() >= moves)
            for key, each in state.entrants.items()
        }
        late = sum(dice.random() < moves for _ in range(count))
        state = replace(state, entrants={**players, **entrants(late, len(players) + 1)})


def knocked_out(count: int, system: System, dice: Random) -> Tournament:
    """A cut of `count` players that is played to its end."""
    state = replace(tournament(count), cut=TopCut(system, tuple(range(1, count + 1)), 0))
    while matches := elimination(state):
        state = finished(state, dice, Round(len(state.rounds) + 1, system, matches))
    return state
