"""The log: what acts come to, which of them are refused, what is taken back, and what a correction changes."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from carddb.core.errors import UsageError
from carddb.game.parts import RoundsSpec
from carddb.rounds.log import Act, consequences, next_round, pairing, replay
from carddb.rounds.model import MatchResult, System, Tournament
from carddb.rounds.standings import Standings

NAMES = {number: f"P{number}" for number in range(1, 100)}


class Log:
    """A log that is written act by act."""

    def __init__(self, players: int = 0, rules: RoundsSpec | None = None, system: System = "swiss") -> None:
        self.start = Tournament(rules or RoundsSpec(draws=True), system=system, seed=3)
        self.acts: list[Act] = []
        self._ids = count(1)
        for player in range(1, players + 1):
            self.add("enter", player=player)

    def add(self, what: str, **details: Any) -> int:
        """Adds an act if it fits, and returns its id."""
        act = Act(next(self._ids), "2099-06-20T10:00:00+00:00", "desk", what, details)
        replay(self.start, [*self.acts, act], NAMES)
        self.acts.append(act)
        return act.id

    @property
    def state(self) -> Tournament:
        return replay(self.start, self.acts, NAMES).tournament()

    def pair(self) -> int:
        """Pairs the next round."""
        return self.add("pair", **pairing(next_round(self.state)))

    def results(self) -> None:
        """Enters a win of the first player at every table."""
        present = self.state.present
        assert present
        for match in present.matches:
            if match.second is not None:
                self.add("result", number=present.number, table=match.table, first=1, second=0)


def test_two_equal_claims_are_a_result_and_two_others_a_dispute() -> None:
    """Both players must say the same; else the desk decides, and a claim after that is refused."""
    log = Log(4)
    log.pair()
    first = log.state.rounds[0].at(1)
    assert first and first.second is not None
    claim = {"number": 1, "table": 1}
    log.add("claim", **claim, player=first.first, first=1, second=0)
    log.add("claim", **claim, player=first.second, first=0, second=1)
    match = log.state.rounds[0].at(1)
    assert match and match.is_disputed and match.result is None
    log.add("claim", **claim, player=first.second, first=1, second=0)
    match = log.state.rounds[0].at(1)
    assert match and match.result == MatchResult(1, 0) and not match.is_disputed
    with pytest.raises(UsageError, match="has its result already"):
        log.add("claim", **claim, player=first.second, first=0, second=1)


def test_acts_that_do_not_fit_are_refused() -> None:
    """Nobody enters twice, no round is paired before the last is over, and no result is impossible."""
    log = Log(5)
    with pytest.raises(UsageError, match="P1 is checked in already"):
        log.add("enter", player=1)
    with pytest.raises(UsageError, match="P9 is not checked in"):
        log.add("drop", player=9)
    with pytest.raises(UsageError, match="no round has been paired yet"):
        log.add("timer", number=0, minutes=50, at="2099-06-20T10:00:00+00:00")
    log.pair()
    with pytest.raises(UsageError, match="no result yet at tables 1 and 2"):
        log.pair()
    with pytest.raises(UsageError, match="cannot end 2-0"):
        log.add("result", number=1, table=1, first=2, second=0)
    with pytest.raises(UsageError, match="cannot end 0-2"):
        log.add("claim", number=1, table=1, player=1, first=0, second=2)
    with pytest.raises(UsageError, match="round 1 has no table 7"):
        log.add("result", number=1, table=7, first=1, second=0)
    log.results()
    log.pair()
    with pytest.raises(UsageError, match="its result already"):
        log.add("claim", number=1, table=1, player=1, first=1, second=0)


def test_late_players_drops_and_byes() -> None:
    """A late player is paired in the next round, one who dropped out is not, and one may come back."""
    log = Log(4)
    log.pair()
    log.results()
    log.add("enter", player=5)
    log.add("drop", player=1)
    log.add("bye", player=2, given=True)
    log.pair()
    present = log.state.rounds[1]
    assert present.match_of(1) is None and present.match_of(5) is not None
    match = present.match_of(2)
    assert match and match.second is None
    log.results()
    log.add("rejoin", player=1)
    log.pair()
    assert log.state.rounds[2].match_of(1) and log.state.rounds[2].match_of(2)


def test_what_is_taken_back_has_not_been() -> None:
    """An undone act counts for nothing, an undo can be undone, and what others rest on is not taken back alone."""
    log = Log(4)
    paired = log.pair()
    before = log.state
    log.results()
    with pytest.raises(UsageError, match=r"has no table"):
        log.add("undo", act=paired)
    last = log.acts[-1].id
    undo = log.add("undo", act=last)
    assert sum(match.result is None for match in log.state.rounds[0].matches) == 1
    log.add("undo", act=undo)
    assert log.state.rounds[0].is_over
    for act in [act for act in log.acts if act.what == "result"]:
        log.add("undo", act=act.id)
    assert log.state == before


def test_a_correction_says_what_it_changes() -> None:
    """Places and points that a correction moves are named, and that a later round was paired before it."""
    log = Log(8)
    log.pair()
    log.results()
    log.pair()
    before = log.state
    log.add("result", number=1, table=1, first=0, second=1)
    changes = consequences(before, log.state, 1)
    assert any("now 0 points" in each for each in changes)
    assert any(each.startswith("Round 2 was paired before: ") for each in changes)


def test_a_cut_is_played_to_its_winner() -> None:
    """The best of the standings play on by seeds; a result that the next round rests on is not changed under it."""
    log = Log(8)
    for _ in range(3):
        log.pair()
        log.results()
    seeds = Standings(log.state).top(4)
    log.add("cut", system="single", seeds=seeds)
    with pytest.raises(UsageError, match="nobody can join"):
        log.add("enter", player=9)
    log.pair()
    assert [match.first for match in log.state.rounds[3].matches] == [seeds[0], seeds[1]]
    log.results()
    log.pair()
    with pytest.raises(UsageError, match="round 5 was paired with this result"):
        log.add("result", number=4, table=1, first=0, second=1)
    log.results()
    with pytest.raises(UsageError, match="every match has been played"):
        log.pair()
    assert [row.entrant.id for row in Standings(log.state).rows][:2] == [seeds[0], seeds[1]]
