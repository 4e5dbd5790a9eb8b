"""Tables in a real Chromium: a phase and a Battle played by clicks, two browsers at one table, keys."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Told
from tests.web.chromium import IN_CHROMIUM, LOOKS, PHONE, assert_readable, playwright, watched_page
from tests.web.front import Server, serving
from tests.web.tables.client import begun

pytestmark = IN_CHROMIUM

HEAD = "Game: rishar\nCommander: {}\nPath: steel\nRole: guardian\nKind: pc\nChosen: oathbound\n"
ARMY = f"{HEAD}\n## Army\n1 Soldier\n1 Spearmen\n"


ARMIES = {f"text_{key}": ARMY.format(name) for key, name in (("a", "Ada"), ("b", "Ben"))}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("project")) as running:
        yield running


@pytest.fixture
def opened(browser: Any, server: Server) -> Iterator[Callable[[str], Any]]:
    """Opens pages, each in a browser of its own; a message of the console, an error or a request elsewhere fails."""
    with ExitStack() as pages:

        def page_of(path: str) -> Any:
            page = pages.enter_context(watched_page(browser, server))
            page.goto(f"{server.address}{path}?token={server.front.entry()}")
            return page

        yield page_of


def pressed(page: Any, button: Any) -> None:
    """A button clicked; the table is another one then."""
    mark = page.get_attribute("#table", "data-mark")
    button.click()
    page.wait_for_function("mark => document.querySelector('#table')?.dataset.mark !== mark", arg=mark)
    page.wait_for_load_state()


@pytest.mark.full
def test_a_phase_by_clicks_is_saved_as_the_terminal_saves_it(
    opened: Callable[[str], Any], server: Server, call: Callable[..., Told]
) -> None:
    """A whole phase played by its buttons is byte for byte what the terminal saves for the same actions."""
    page = opened("/tables")
    form = page.locator("section:has(#h-solo)")
    form.get_by_text("Name of the save, seed").click()
    form.locator("[name=seed]").fill("5")
    form.get_by_role("button", name="Sit down alone").click()
    page.wait_for_selector("#table")
    for name in ("S1", "S2"):
        page.locator(f"[name='hands.{name}']").fill("3")
    for _ in range(40):
        if page.locator(".now .main-btn[value='action=end_phase']").count():
            break
        plays = page.locator(".legal .do button")
        turns = page.locator("button[value^='action=choose_flip']")
        first = plays if plays.count() else turns if turns.count() else page.locator(".now .main-btn")
        pressed(page, first.first)
    pressed(page, page.locator(".now .main-btn"))
    save = server.front.project().folder / "solo.json"
    log = json.loads(save.read_text("utf-8"))["log"]
    assert log[-1]["action"] == "end_phase"
    call("solo", "new", "--module", "generic-separate", "--seed", "5")
    for entry in log:
        words = [f"{name}={value}" for name, value in entry["input"].items() if not isinstance(value, dict)]
        words += [f"{side}={size}" for value in entry["input"].values() if isinstance(value, dict)
                  for side, size in value.items()]  # fmt: skip
        assert call("solo", entry["action"].replace("_", "-"), *words).code == 0
    assert Path("solo.json").read_bytes() == save.read_bytes()


@pytest.mark.full
def test_a_battle_by_clicks_of_two_browsers(opened: Callable[[str], Any], server: Server) -> None:
    """Two Commanders play a Battle to its end by their buttons; each sees it go on, and the campaign sheet is there.

    That its save is the terminal's is claimed in test_web_tables.
    """
    watcher = opened("/tables")
    watcher.get_by_text("Paste armies, first turn").click()
    for army, name in (("a", "Ada"), ("b", "Ben")):
        watcher.fill(f"#t{army}", ARMY.format(name))
    watcher.get_by_role("button", name="Begin the Battle").click()
    links = watcher.locator(".links a").evaluate_all("links => links.map(link => new URL(link.href).pathname)")
    seats = [opened(link) for link in links]
    for _ in range(60):
        if "Campaign sheet" in seats[0].inner_text("#table"):
            break
        for seat in seats:
            hand = seat.locator(".hand .do button:not([value*=discard])")
            main = seat.locator(".now .main-btn")
            button = hand if hand.count() else main
            if button.count():
                pressed(seat, button.first)
                mark = seat.get_attribute("#table", "data-mark")
                other = seats[1 - seats.index(seat)]
                other.wait_for_function("mark => document.querySelector('#table').dataset.mark === mark", arg=mark)
                break
    assert "Campaign sheet" in seats[0].inner_text("#table")
    assert server.ask(f"{links[0]}/sheet.csv").body.startswith(b"commander,part,what")


def test_keys_play(opened: Callable[[str], Any]) -> None:
    """D draws, U takes it back; a field that is typed in keeps its letters."""
    page = opened("/tables")
    page.select_option("select[name=deck_1]", "cahrd:grain-roads.deck")
    page.get_by_role("button", name="Lay the cards out").click()
    page.wait_for_selector("#table")
    page.wait_for_load_state()  # its script runs from then on
    page.keyboard.press("d")
    playwright.expect(page.locator("#log")).to_contain_text("draws a card")
    page.keyboard.press("u")
    playwright.expect(page.locator("#log")).to_contain_text("Taken back: draw")
    page.get_by_text("Counters, notes, dice").click()
    page.fill("[name=text]", "")
    page.locator("[name=text]").press_sequentially("dud")
    assert page.input_value("[name=text]") == "dud"


@pytest.mark.full
@pytest.mark.parametrize("looks", [LOOKS])
def test_tables_are_readable(opened: Callable[[str], Any], server: Server, looks: list[tuple[int, str]]) -> None:
    """No violation of accessibility in the room, at a solo table, of a Commander and of a playtest."""
    paths = ["/tables", begun(server, "solo", module="generic-separate", seed="5", save="look-s.json", force="1").path]
    paths += [begun(server, "battle", **ARMIES, seed="5", save="look-b.json", force="1").seats[0].path]
    paths += [begun(server, "playtest", deck_1="cahrd:grain-roads.deck", save="look-p.json", force="1").path]
    page = opened(paths[0])
    for path in paths:
        page.goto(f"{server.address}{path}")
        assert_readable(page, looks)


@pytest.mark.full
def test_a_card_is_enlarged_and_put_back(opened: Callable[[str], Any], server: Server) -> None:
    """A press on a face shows it large, Escape closes it; at a playtest V does, and the card is not chosen by that."""
    page = opened(begun(server, "solo", module="generic-separate", seed="5", save="large.json").path)
    page.set_viewport_size({"width": PHONE, "height": 844})
    page.locator(".now .main-btn").click()
    face = page.locator(".look").first
    small = face.bounding_box()["width"]
    face.click()
    large = page.locator("dialog.large .face")
    assert large.bounding_box()["width"] > 2 * small and page.locator("dialog.large").is_visible()
    page.keyboard.press("Escape")
    playwright.expect(page.locator("dialog.large")).to_have_count(0)
    page.goto(server.address + begun(server, "playtest", deck_1="cahrd:grain-roads.deck", save="large-p.json").path)
    faces = page.locator(".piece:has(.face)")
    before = faces.count()
    page.keyboard.press("d")
    playwright.expect(faces).not_to_have_count(before)
    faces.locator("input").first.focus()
    page.keyboard.press("v")
    playwright.expect(page.locator("dialog.large")).to_be_visible()
    page.get_by_role("button", name="Close").click()
    assert page.locator(".piece input:checked").count() == 0
