"""The import in a real Chromium: a file dropped, its columns chosen by keyboard, loaded; the page without script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.cards.test_import import FAULTY, GAME, PLAIN, ROWS, UNDERSTOOD, csv_of
from tests.web.chromium import IN_CHROMIUM, LOOKS, assert_readable, playwright, watched_page
from tests.web.front import Server, serving

pytestmark = IN_CHROMIUM


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("project")
    (folder / "carddb.toml").write_text(f'game = "{GAME}"\n', "utf-8")
    with serving(folder) as running:
        yield running


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """The room, opened by its owner."""
    with watched_page(browser, server) as opened:
        opened.goto(f"{server.address}/import?token={server.front.entry()}")
        yield opened


def chosen(page: Any, data: bytes, name: str = "own.csv") -> None:
    page.set_input_files("#file", {"name": name, "mimeType": "text/csv", "buffer": data})
    page.get_by_role("button", name="Look at it").click()


@pytest.mark.full
def test_a_dropped_file_is_looked_at(page: Any) -> None:
    """A file that is dropped anywhere on the page leads to its preview."""
    page.evaluate(
        """text => {
          const data = new DataTransfer();
          data.items.add(new File([text], "dropped.csv", {type: "text/csv"}));
          document.body.dispatchEvent(new DragEvent("drop", {dataTransfer: data, bubbles: true, cancelable: true}));
        }""",
        csv_of(ROWS).decode(),
    )
    page.wait_for_selector("text=without a field: Artist")
    assert page.locator("h1").inner_text() == "dropped.csv"


def test_a_file_is_loaded_by_keyboard_alone(page: Any) -> None:
    """The column is chosen, the file looked at again and loaded, without a pointer; the focus can be seen."""
    chosen(page, csv_of(ROWS))
    page.get_by_label("Artist").focus()
    page.keyboard.type("leave")
    page.keyboard.press("Tab")
    focused = "getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(focused) != "none"
    page.get_by_role("button", name="Look again").last.focus()
    page.keyboard.press("Enter")
    load = page.get_by_role("button", name="Load it")
    playwright.expect(load).to_be_enabled()
    load.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("text=It is loaded.")
    assert page.locator("#sums dd").first.inner_text() == "2"


@pytest.mark.full
def test_a_finding_leads_to_its_cell_and_back(page: Any) -> None:
    """The link of a finding moves to its mark in the rows, and the mark's to the finding."""
    chosen(page, csv_of(FAULTY))
    page.locator(".faults a").last.click()
    mark = page.locator(".disc:target")
    assert mark.is_visible()
    mark.click()
    assert page.locator(".faults li:target").count() == 1


@pytest.mark.full
def test_samples_no_longer_used_are_shown_before_anything_is_stored(browser: Any, tmp_path: Path) -> None:
    """The page says how many samples are no longer used, and a checkbox keeps them, in the command too."""
    with serving(tmp_path) as server, watched_page(browser, server) as page:
        page.goto(f"{server.address}/import?game={GAME}&token={server.front.token}")
        chosen(page, csv_of(PLAIN, UNDERSTOOD))
        told = page.get_by_text(re.compile(r"^\d+ sample cards are no longer used, because you have your own\.$"))
        playwright.expect(told).to_be_visible()
        assert_readable(page, LOOKS)
        page.get_by_label("Keep the samples").check()
        page.get_by_role("button", name="Look again").last.click()
        playwright.expect(page.locator("#cmd")).to_contain_text("--keep-samples")
        playwright.expect(told).to_have_count(0)
        page.get_by_role("button", name="Load it").click()
        assert len(server.ask(f"/api/v1/cards?game={GAME}&q=set:sample").json()["cards"]) > 100
        assert len(server.ask(f"/api/v1/cards?game={GAME}&q=").json()["cards"]) > 100
        assert (tmp_path / "carddb.toml").read_text("utf-8") == f'keep_samples = ["{GAME}"]\n'


@pytest.mark.full
@pytest.mark.parametrize("looks", [LOOKS])
def test_the_pages_are_readable(page: Any, looks: list[tuple[int, str]]) -> None:
    """No violation of accessibility on the first page, on one with faults and on one with changes, in every look."""
    assert_readable(page, looks)
    chosen(page, csv_of(FAULTY))
    page.wait_for_selector(".faults")
    assert_readable(page, looks)
    page.goto(page.url.partition("/import")[0] + "/import")
    chosen(page, csv_of([("A-1", "Bull", *PLAIN[0][2:]), ("A-8", *PLAIN[0][1:])], UNDERSTOOD))
    page.wait_for_selector("#sums")
    assert_readable(page, looks)


@pytest.mark.full
def test_the_room_works_without_script(browser: Any, server: Server) -> None:
    """A file is brought, mapped and loaded by forms alone."""
    with watched_page(browser, server, java_script_enabled=False) as page:
        page.goto(f"{server.address}/import?token={server.front.entry()}")
        chosen(page, csv_of([("B-1", *ROWS[0][1:])]))
        page.get_by_label("Leave out all columns").check()
        page.get_by_role("button", name="Look again").last.click()
        page.get_by_role("button", name="Load it").click()
        assert page.locator(".say").first.inner_text() == "It is loaded."
