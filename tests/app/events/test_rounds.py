"""The rounds of an event survive two desks, a phone that sends twice, and a wrong result."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from carddb.app.events import rounds
from carddb.app.events.entries import PlayerDeck, submit_all
from carddb.app.events.player_table import export_json
from carddb.app.events.tournament import (
    Closed,
    OpenEvent,
    Overtaken,
    event_called,
    forget,
    new_event,
    open_event,
    open_events,
    player_called,
    register,
)
from carddb.app.workspace.clock import Moment, now, standing_at
from carddb.core.errors import UsageError
from carddb.door import Project
from carddb.events.store import RoundTerms
from carddb.rounds.model import MatchResult
from tests.app.events.samples import LEGAL, terms


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


@contextmanager
def swiss(project: Project, players: int = 6, **own: Any) -> Iterator[OpenEvent]:
    """An event without lists, whose players are checked in."""
    with open_events(project) as events:
        own = {"lists": False, "seed": 5, **own}
        event = new_event(project, events, terms(), "cup", rounds=RoundTerms(**own))
        rounds.check_in(event, [f"P{number}" for number in range(1, players + 1)])
        yield event


def test_a_name_that_is_not_known_is_registered_at_check_in(project: Project) -> None:
    """Check-in registers new names with a link, takes known ones once, and says whose deck is missing."""
    with swiss(project, 2, lists=True) as event:
        first, again = (rounds.check_in(event, names) for names in (["Ada"], ["ada", "P1"]))
        assert first[0].link and not first[0].has_list
        assert [each.player.name for each in again] == ["Ada", "P1"] and not any(each.link for each in again)
        assert len(rounds.tournament_of(event).entrants) == 3


def test_without_lists_players_register_on_the_day(project: Project) -> None:
    """The deadline for lists closes registration only where lists are asked for."""
    past = terms(datetime(2020, 1, 1, tzinfo=UTC))
    with open_events(project) as events:
        own = {name: RoundTerms(lists=name == "asked") for name in ("asked", "free")}
        both = {name: new_event(project, events, past, name, rounds=each) for name, each in own.items()}
        assert register(both["free"], "Ada").player.name == "Ada"
        with pytest.raises(Closed, match="registration is over"):
            register(both["asked"], "Ada")
        with pytest.raises(UsageError, match="is not a prize"):
            new_event(project, events, past, "prized", rounds=RoundTerms(prizes=("a cup",)))


def test_matches_are_as_the_game_or_the_event_says(project: Project) -> None:
    """C.A.H.R.D. plays a War of three Battles that may be drawn; an event may play single ones without draws."""
    with swiss(project) as event:
        rules = rounds.tournament_of(event).rules
        assert (rules.best_of, rules.draws) == (3, True)
        rounds.change_rounds(event, best_of=1, draws=False)
        rules = rounds.tournament_of(event_called(project, event.store, "cup")).rules
        assert (rules.best_of, rules.draws) == (1, False)
        with pytest.raises(UsageError, match="no player can win more than half"):
            rounds.change_rounds(event, best_of=2)
        rounds.change_rounds(event, best_of=3)
        rounds.pair(event_called(project, event.store, "cup"))
        rounds.enter_result(event_called(project, event.store, "cup"), 1, MatchResult(2, 1))
        with pytest.raises(UsageError, match="cannot end 2-1"):
            rounds.change_rounds(event, best_of=1)
        with pytest.raises(UsageError, match="which cannot change after the first round"):
            rounds.change_rounds(event, system="single")


def test_two_desks_do_not_pair_twice_nor_overwrite(project: Project) -> None:
    """A round that another desk has paired is not paired again, and a result is not replaced unseen."""
    with swiss(project) as event, open_event(project, "cup") as other:
        rounds.pair(event, 1)
        with pytest.raises(UsageError, match="round 1 cannot be paired now; the next round is 2"):
            rounds.pair(other, 1)
        rounds.enter_result(event, 1, MatchResult(2, 0), 1, "")
        with pytest.raises(Overtaken, match="table 1 was changed in the meantime; now it is 2-0"):
            rounds.enter_result(other, 1, MatchResult(0, 2), 1, "")
        assert rounds.enter_result(other, 1, MatchResult(2, 0), 1, "") == []


def test_a_phone_may_send_twice(project: Project) -> None:
    """The same result once more adds nothing to the log; one for a round that is over is refused."""
    with swiss(project, 2) as event:
        rounds.pair(event)
        first, second = (player_called(event, name) for name in ("P1", "P2"))
        for _ in range(3):
            assert rounds.report(event, first, 1, MatchResult(2, 1)).result is None
        for _ in range(2):
            assert rounds.report(event, second, 1, MatchResult(1, 2)).result in (MatchResult(2, 1), MatchResult(1, 2))
        rounds.report(event, first, 1, MatchResult(2, 1))
        assert [act.what for act in event.store.acts(event)].count("claim") == 2
        with pytest.raises(UsageError, match="has its result already"):
            rounds.report(event, first, 1, MatchResult(0, 2))
        with pytest.raises(UsageError, match="no match in round 2"):
            rounds.report(event, first, 2, MatchResult(2, 0))
        own = rounds.own_match(rounds.tournament_of(event), second)
        assert own and (own.opponent, own.result) == ("P1", MatchResult(1, 2))


def test_a_phone_does_not_fill_the_log(project: Project) -> None:
    """A player who sends ever other results is sent to the desk after a number of them."""
    with swiss(project, 2) as event:
        rounds.pair(event)
        player = player_called(event, "P1")
        for number in range(rounds.MOST_CLAIMS):
            rounds.report(event, player, 1, MatchResult(2, number % 2))
        with pytest.raises(UsageError, match="you have sent 10 results, the most allowed"):
            rounds.report(event, player, 1, MatchResult(1, 1))


def test_a_round_is_repaired_after_a_wrong_result(project: Project) -> None:
    """A correction tells that the next round would be other pairs, which is paired again; all stays in the log."""
    with swiss(project, 8) as event:
        rounds.pair(event)
        for table in range(1, 5):
            rounds.enter_result(event, table, MatchResult(2, 0))
        rounds.pair(event)
        changes = rounds.enter_result(event, 1, MatchResult(0, 2), 1)
        assert changes[-1].startswith("Round 2 was paired before")
        rounds.pair(event, again=True)
        present = rounds.tournament_of(event).present
        assert present and {match.why for match in present.matches} <= {"Both have 3 points.", "Both have 0 points."}
        lines = rounds.log_of(event)
        assert [line.words for line in lines if line.is_undone] == ["Round 2 is paired"]
        rounds.enter_result(event, 1, MatchResult(2, 0))
        with pytest.raises(UsageError, match="cannot be taken back, because later changes depend on it"):
            rounds.pair(event, again=True)
        assert rounds.undo(event).what == "result"


def test_locked_decks_are_checked_at_the_start_of_each_day(project: Project) -> None:
    """The first pairing of a day checks all decks again, the second does not, and the first of the next day does."""
    with swiss(project, 2, lists=True) as event:
        submit_all(event, [PlayerDeck(name, LEGAL) for name in ("P1", "P2")])
        assert rounds.pair(event).recheck
        rounds.enter_result(event, 1, MatchResult(2, 0))
        assert rounds.pair(event).recheck is None
        rounds.enter_result(event, 1, MatchResult(2, 0))
        later = now() + timedelta(days=1)
        with standing_at(Moment(later.date(), later)):
            assert rounds.pair(event).recheck


def test_papers_standings_and_export(project: Project) -> None:
    """The papers name every player, standings are one shape in all files, and the export has every change."""
    prizes = ("1: a cup", "2-3: a booster")
    with swiss(project, 5, prizes=prizes) as event:
        rounds.pair(event)
        for table in (1, 2):
            rounds.enter_result(event, table, MatchResult(2, 1))
        state = rounds.tournament_of(event)
        papers = rounds.print_round(event, state, [*rounds.PAPERS])
        text = " ".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(papers.data))
        assert all(f"P{number}" in text for number in range(1, 6)) and papers.pages == 4 and not papers.findings
        assert papers.data == rounds.print_round(event, state, [*rounds.PAPERS]).data
        data = json.loads(rounds.standings_file(event, state, ".json"))
        assert [row["rank"] for row in data["standings"]] == [1, 2, 3, 4, 5]
        assert [row["prize"] for row in data["standings"]] == ["a cup", "a booster", "a booster", "", ""]
        assert data == project.standings("cup")
        lines = rounds.standings_file(event, state, ".csv").decode("utf-8-sig").splitlines()
        assert lines[0].startswith("place,player,points,opponents") and len(lines) == 6
        log = export_json(event)["log"]
        assert [act["what"] for act in log] == ["enter"] * 5 + ["pair", "result", "result"]
        with pytest.raises(UsageError, match="is not a prize"):
            rounds.change_rounds(event, prizes=("first a cup",))


def test_who_is_forgotten_leaves_a_number(project: Project) -> None:
    """A player who is removed for good stays in the rounds without a name, and the file does not contain it."""
    with swiss(project, 4) as event:
        rounds.check_in(event, ["Oyelaran"])
        rounds.pair(event)
        forget(event.store, player_called(event, "Oyelaran"))
        names = [each.name for each in rounds.tournament_of(event).entrants.values()]
        assert names[-1].endswith("(removed)")
        path = event.store.path
    assert b"Oyelaran" not in path.read_bytes()
