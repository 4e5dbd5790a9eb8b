"""A Swiss of forty players and its cut to eight, played in a real Chromium by the desk and two players on phones."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from carddb.app.events import rounds
from carddb.app.events.tournament import add_players, event_called, new_secret, open_events
from carddb.door import Project
from carddb.events.store import Event
from carddb.rounds.model import Tournament
from tests.app.events.samples import event_of
from tests.web.chromium import IN_CHROMIUM, LOOKS, PHONE, TABLET, WIDE, assert_readable, playwright, watched_page
from tests.web.events.test_events_browser import sign_in
from tests.web.front import Server, serving

pytestmark = IN_CHROMIUM

ROUNDS, CUT = 6, 8
PLAYERS = [f"Player {number:02}" for number in range(1, 39)]
_SHOTS = os.environ.get("CARDDB_SCREENSHOTS", "")
"""A folder for pictures of the pages, to look at."""


class Club:
    """A running front of an event with forty players, and the links of two of them."""

    def __init__(self, server: Server, folder: Path, event: Event, secret: str, links: dict[str, str]) -> None:
        self.server, self.folder, self.event, self.secret, self.links = server, folder, event, secret, links
        self.here = f"{server.address}/events/{event.key}"

    def state(self) -> Tournament:
        """The tournament as it is stored."""
        project = Project(self.folder)
        with open_events(project) as events:
            return rounds.tournament_of(event_called(project, events, self.event.key))


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    project = Project(tmp_path)
    with event_of(project) as (plain, _):
        own = {"lists": False, "standings": True, "seed": 7, "prizes": ("1: a cup",)}
        event = rounds.change_rounds(plain, **own)
        links = {link.player.name: link.token for link in add_players(event, ["Ada Okonkwo", "Ben Ånd"])}
        secret = new_secret(event)
    with serving(tmp_path, event=event.key) as server:
        yield Club(server, tmp_path, event, secret, links)


def shot(page: Any, name: str) -> None:
    """Keeps a picture of the page if a folder for them is named."""
    if _SHOTS:
        page.screenshot(path=str(Path(_SHOTS) / f"{name}.png"), full_page=True)


def press(page: Any, button: str) -> None:
    """Presses a button and waits for the page that answers: the script asks first if the server is there."""
    with page.expect_navigation():
        page.get_by_role("button", name=button, exact=True).click()


def pair(page: Any, number: int) -> None:
    """Pairs a round, which is shown."""
    press(page, f"Pair round {number}")
    playwright.expect(page.get_by_role("heading", name=f"Round {number}", exact=True)).to_be_visible()


def enter(page: Any, dice: Random) -> None:
    """Enters a result at every table without one, and sends the form."""
    for choice in page.locator(".matches select").all():
        if not choice.input_value():
            choice.select_option(dice.choice(["2-0", "2-1", "1-2", "0-2"]))
    press(page, "Enter the results")
    playwright.expect(page.locator("dd", has_text=re.compile("^0 of"))).to_be_visible()


@pytest.mark.full
def test_an_evening_of_forty(browser: Any, club: Club) -> None:
    """The desk checks forty players in, plays six rounds and a cut; two phones report, dispute and agree."""
    dice = Random(3)
    with (
        watched_page(browser, club.server, WIDE) as desk,
        watched_page(browser, club.server, PHONE, java_script_enabled=False) as ada,
        watched_page(browser, club.server, PHONE) as ben,
    ):
        sign_in(desk, club.server, club.secret)
        desk.goto(f"{club.here}/rounds")
        press(desk, "Check in all 2 who registered")
        desk.fill("[name=names]", "\n".join(PLAYERS))
        press(desk, "Check in")
        shot(desk, "check-in")
        for number in range(1, ROUNDS + 1):
            pair(desk, number)
            if number == 1:
                _reports(club, desk, ada, ben)
            shot(desk, f"round-{number}") if number in (1, 3) else None
            enter(desk, dice)
            if number == 3:
                assert_readable(desk, LOOKS)
                for width in (PHONE, TABLET):
                    desk.set_viewport_size({"width": width, "height": 900})
                    shot(desk, f"results-{width}")
                desk.set_viewport_size({"width": WIDE, "height": 900})
        press(desk, "Start the clock")
        playwright.expect(desk.get_by_role("button", name="Stop it")).to_be_visible()
        for place, words in (("standings", "Standings"), ("timer", f"Round {ROUNDS}")):
            desk.goto(f"{club.here}/{place}")
            playwright.expect(desk.get_by_role("heading", name=words)).to_be_visible()
            assert_readable(desk, [(PHONE, "light"), (TABLET, "dark"), (WIDE, "light")])
            shot(desk, place)
        desk.goto(f"{club.here}/rounds")
        press(desk, "Make the cut")
        for number in range(ROUNDS + 1, ROUNDS + 4):
            pair(desk, number)
            enter(desk, dice)
        playwright.expect(desk.get_by_text("has won.")).to_be_visible()
        shot(desk, "final")
        ada.goto(f"{club.server.address}/standings")
        assert ada.locator("tbody tr").count() == 40 and "a cup" in ada.inner_text("tbody tr >> nth=0")
        assert_readable(ben, [(PHONE, "light"), (WIDE, "dark")])
        shot(ada, "standings-phone")
    state = club.state()
    assert len(state.rounds) == ROUNDS + 3 and state.cut and len(state.cut.seeds) == CUT
    for record in state.records.values():
        assert len(set(record.opponents)) == len(record.opponents) == ROUNDS


def _reports(club: Club, desk: Any, ada: Any, ben: Any) -> None:
    """A player sends a result twice, and counts once; a disputed one is the desk's; nobody else may send one."""
    state = club.state()
    present = state.present
    assert present
    ids = {each.name: each.id for each in state.entrants.values()}
    match = present.match_of(ids["Ada Okonkwo"])
    assert match and match.second
    other = next(each for each in match.players if each != ids["Ada Okonkwo"])
    project = Project(club.folder)
    ada.goto(f"{club.server.address}/p/{club.links['Ada Okonkwo']}")
    shot(ada, "player")
    for _ in range(2):
        ada.select_option("[name=result]", "2-1")
        press(ada, "Send the result")
        assert "You have sent 2-1." in ada.inner_text("#match")
    with open_events(project) as events:
        event = event_called(project, events, club.event.key)
        player = events.player(event, other)
        assert player
        rounds.report(event, player, 1, rounds.to_result("2-0"))
        ada.reload()
        assert "has sent another result" in ada.inner_text("#match")
        desk.reload()
        assert desk.locator(".matches .disputed").count() == 1
        shot(ada, "player-disputed")
        shot(desk, "disputed")
        rounds.report(event, player, 1, rounds.to_result("1-2"))
    ada.reload()
    assert "Result: 2-1" in ada.inner_text("#match")
    desk.reload()
    ben.goto(f"{club.server.address}/p/{club.links['Ben Ånd']}")
    shot(ben, "player-ben")
