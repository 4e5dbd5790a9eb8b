"""The rounds of an event over HTTP: own results, public standings, two desks, and a server that is killed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from carddb.app.events import rounds
from carddb.app.events.tournament import event_called, new_secret, open_event, open_events
from carddb.door import Project
from tests.app.events.samples import event_of
from tests.web.events.test_events import Desk, killed_amid, own_process
from tests.web.front import serving

pytestmark = pytest.mark.door


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    project = Project(tmp_path)
    with event_of(project) as (event, _):
        secret = new_secret(event)
        rounds.change_rounds(event, seed=3)
    with serving(tmp_path, event=event.key) as server:
        yield Desk(server, tmp_path, event, secret)


def test_a_player_sends_his_own_result_alone(desk: Desk) -> None:
    """A result counts from the two players of a match with their own tokens; a wrong one comes back as a page."""
    pages = {name: desk.register(name) for name in ("Ada", "Ben", "Cleo")}
    cookie = desk.sign_in()
    here = f"{desk.table}/rounds"
    for form in ({"do": "check-in-all"}, {"do": "pair", "round": "1"}, {"do": "timer", "minutes": "50"}):
        token = desk.token(here, cookie=cookie)
        assert desk.ask(here, {"form_token": token, **form}, cookie=cookie).status == 303
    assert desk.ask(here, {"form_token": desk.token(pages["Ada"]), "do": "pair"}).status == 403
    texts = {name: desk.ask(page).body.decode() for name, page in pages.items()}
    (bye,) = (name for name, text in texts.items() if "You have a bye" in text)
    one, two = sorted(set(pages) - {bye})
    assert f"against {two}" in texts[one] and f"against {one}" in texts[two] and "Time left" in texts[one]
    token = desk.token(pages[one])
    form = {"form_token": token, "round": "1", "result": "2-1"}
    assert desk.ask(f"{pages[bye]}/result", form).status == 403
    assert desk.ask(f"{pages[one]}/result", {**form, "result": "7-9"}).status == 400
    assert desk.ask(f"{pages[one]}/result", {**form, "round": "9"}).status == 400
    for _ in range(2):
        assert desk.ask(f"{pages[one]}/result", form).status == 303
    assert (
        desk.ask(f"{pages[two]}/result", {**form, "form_token": desk.token(pages[two]), "result": "1-2"}).status == 303
    )
    assert "Result: 1-2" in desk.ask(pages[two]).body.decode()


def test_standings_open_if_the_event_says_so(desk: Desk) -> None:
    """Standings are closed to others than the desk until the event shows them, as a page and as data."""
    assert desk.ask("/standings").status == desk.ask("/standings.json").status == 403
    project = Project(desk.folder)
    with open_events(project) as events:
        event = event_called(project, events, desk.event.key)
        rounds.check_in(event, ["Ada", "Ben"])
        rounds.change_rounds(event, standings=True)
    assert "Ada" in desk.ask("/standings").body.decode()
    data = json.loads(desk.ask("/standings.json").body)
    assert data["schema"] == "carddb.standings/1" and len(data["standings"]) == 2
    cookie = desk.sign_in()
    files = ("standings.csv", "standings.json", "timer", "standings")
    assert {desk.ask(f"{desk.table}/{each}", None, cookie=cookie).status for each in files} == {200}


def test_two_desks_at_once(desk: Desk) -> None:
    """A page that is older than a result does not replace it, and tells which it did not enter; others count."""
    desk.register("Ada"), desk.register("Ben")
    project, cookie, here = Project(desk.folder), desk.sign_in(), f"{desk.table}/rounds"
    with open_events(project) as events:
        event = event_called(project, events, desk.event.key)
        rounds.check_in(event, ["Ada", "Ben", "Cleo", "Dan"])
        rounds.pair(event)
        rounds.enter_result(event, 1, rounds.to_result("2-0"))
    form = {"form_token": desk.token(here, cookie=cookie), "do": "results", "round": "1"}
    form |= {"table-1": "0-2", "seen-1": "", "table-2": "2-1", "seen-2": ""}
    answer = desk.ask(here, form, cookie=cookie)
    told = "Not entered: the result at table 1 was changed in the meantime; now it is 2-0."
    assert answer.status == 200 and told in answer.body.decode()
    with open_events(project) as events:
        present = rounds.tournament_of(event_called(project, events, desk.event.key)).present
    assert present and [str(match.result) for match in present.matches] == ["2-0", "2-1"]


@pytest.mark.full
def test_a_server_that_is_killed_amid_200_results_loses_none(tmp_path: Path) -> None:
    """Every result that was answered is there after a kill, the rest can be entered, and the log is whole."""
    project = Project(tmp_path)
    with event_of(project) as (plain, _):
        secret = new_secret(plain)
        event = rounds.change_rounds(plain, lists=False, seed=5)
        rounds.check_in(event, [f"P{number}" for number in range(1, 401)])
        rounds.pair(event)
    with own_process(tmp_path, event, secret) as (desk, process):
        here, cookie = f"{desk.table}/rounds", desk.sign_in()
        form = {"form_token": desk.token(f"{desk.table}/timer", cookie=cookie), "do": "results", "round": "1"}
        answered = killed_amid(
            process, lambda at: desk.ask(here, {**form, f"table-{at + 1}": "2-0"}, cookie=cookie), most=200, soon=90
        )
    with open_event(project, event.key) as event:
        with event.store.step():  # the server's other process may still write its last result
            present, log = rounds.tournament_of(event).present, event.store.acts(event)
        assert present
        entered = [match.table for match in present.matches if match.result]
        assert entered == list(range(1, len(entered) + 1)) and answered <= len(entered) <= answered + 1
        assert Counter(act.what for act in log) == {"enter": 400, "pair": 1, "result": len(entered)}
        rounds.enter_result(event, 200, rounds.to_result("0-2"))
        assert len(event.store.acts(event)) == len(log) + 1
