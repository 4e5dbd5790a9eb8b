"""An evening in a real Chromium: two players on phones and the organiser at the desk, each in a browser of his own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from carddb.events.store import Event
from tests.app.events.samples import DECKS, ILLEGAL, LEGAL
from tests.web.chromium import IN_CHROMIUM, LOOKS, PHONE, WIDE, assert_readable, playwright, watched_page
from tests.web.events.test_events import opened
from tests.web.front import Server, serving

pytestmark = IN_CHROMIUM

REFUSED = "status of (409|403)"
"""What Chromium itself writes where a list is refused: overtaken (409), or after the deadline (403)."""
person = partial(watched_page, expected=REFUSED)
"""A page in the browser of one person."""


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Event, str]]:
    folder = tmp_path_factory.mktemp("club")
    event, secret = opened(folder)
    with serving(folder, event=event.key) as server:
        yield server, event, secret


def sign_in(page: Any, server: Server, secret: str) -> None:
    page.goto(f"{server.address}/sign-in")
    page.fill("[name=secret]", secret)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_selector("#players")


def register(page: Any, server: Server, event: Event, name: str) -> None:
    page.goto(f"{server.address}/join/{event.join_code}")
    page.fill("[name=name]", name)
    page.get_by_role("button", name="Register").click()
    page.wait_for_url("**/p/*")


def hand_in(page: Any, text: str) -> None:
    page.wait_for_selector("#deck", state="attached")
    if not page.is_visible("#deck"):
        page.get_by_text("Replace my list").click()
    page.fill("#deck", text)
    page.get_by_role("button", name="Hand it in").click()


def test_an_evening(browser: Any, club: tuple[Server, Event, str]) -> None:
    """Two players hand in, the desk corrects one, who objects; nobody overwrites; after the deadline all is refused."""
    server, event, secret = club
    with (
        person(browser, server, PHONE) as ada,
        person(browser, server, PHONE, java_script_enabled=False) as ben,
        person(browser, server, WIDE) as desk,
    ):
        register(ada, server, event, "Ada Okonkwo")
        hand_in(ada, ILLEGAL)
        assert ada.inner_text("#word") == "Not legal"
        ada.get_by_role("button", name="Write “Hannibal Barca”").click()
        playwright.expect(ada.get_by_role("button", name="Write “Hannibal Barca”")).to_have_count(0)
        ada.get_by_role("button", name="Take out 1 Trebuchet").click()
        playwright.expect(ada.locator("#deck")).to_have_value(re.compile("^3 Trebuchet$", re.M))
        assert "1 Hannibal Barca" in ada.input_value("#deck")  # remedies add up: each is made in the text as it stands
        assert "/mend" not in ada.url
        assert_readable(ada, [(PHONE, "light"), (WIDE, "dark")])
        ada.keyboard.press("Control+z")
        playwright.expect(ada.locator("#deck")).to_have_value(re.compile("^4 Trebuchet$", re.M))
        assert "1 Hannibal Barca" in ada.input_value("#deck")
        playwright.expect(ada.get_by_role("button", name="Take out 1 Trebuchet")).to_be_visible()
        register(ben, server, event, "Ben Ånd")
        hand_in(ben, LEGAL)
        assert ben.inner_text("#word") == "Legal"
        sign_in(desk, server, secret)
        assert [row.inner_text() for row in desk.locator("#players tbody th").all()] == ["Ada Okonkwo", "Ben Ånd"]
        desk.get_by_role("link", name="Ada Okonkwo").click()
        assert "Hanibal" in desk.locator(".guilty").filter(has_text="Hanibal").inner_text()
        desk.get_by_text("Correct it").click()
        desk.fill("[name=deck]", ILLEGAL.replace("Hanibal", "Hannibal"))
        desk.get_by_role("button", name="Store as the next version").click()
        assert desk.locator(".versions del").inner_text() == "1 Hanibal Barca"
        # Ben writes from a page that he opened before the desk has corrected his list: it does not replace that.
        desk.goto(f"{server.address}/events/{event.key}")
        desk.get_by_role("link", name="Ben Ånd").click()
        desk.get_by_text("Correct it").click()
        desk.fill("[name=deck]", LEGAL + "\n# counted")
        desk.get_by_role("button", name="Store as the next version").click()
        playwright.expect(desk.locator(".versions > li")).to_have_count(2)
        hand_in(ben, ILLEGAL)
        assert "newer version" in ben.locator("[role=alert]").inner_text()
        ada.goto(ada.url.removesuffix("/mend"))
        assert "1 Hannibal Barca" in ada.locator(".changes ins").inner_text()
        ada.get_by_text("I meant something else").click()
        ada.fill("[name=words]", "I meant Hanno")
        ada.get_by_role("button", name="Tell the desk").click()
        ada.wait_for_selector("text=You wrote: I meant Hanno")
        desk.goto(f"{server.address}/events/{event.key}")
        assert "objects" in desk.locator("#players tbody tr").filter(has_text="Ada").inner_text()
        desk.get_by_role("button", name="Lock all", exact=True).click()
        desk.wait_for_url("**?done=all-lock")
        ada.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        playwright.expect(ada.locator("#changed")).to_be_visible()
        ada.locator("#changed a").click()
        assert "The list is closed" in ada.inner_text("main") and not ada.is_visible("text=Replace my list")
        desk.get_by_role("button", name="Unlock all").click()
        desk.wait_for_url("**?done=all-unlock")
        # The deadline comes while Ben's page is still open.
        ben.goto(ben.url)
        desk.fill("[name=deadline]", "2020-01-01T00:00")
        desk.get_by_role("button", name="Move the deadline").click()
        desk.wait_for_url("**?done=deadline")
        hand_in(ben, ILLEGAL)
        assert "Deck lists were closed at 00:00 on 1 January" in ben.locator("[role=alert]").inner_text()
        desk.fill("[name=deadline]", "2099-06-19T18:00")
        desk.get_by_role("button", name="Move the deadline").click()
        desk.wait_for_selector("text=Lists close in")


@pytest.mark.full
def test_the_table_follows_what_is_typed_and_dropped(browser: Any, club: tuple[Server, Event, str]) -> None:
    """Files are handed in at once; a search narrows the table; keys lead to players, in a panel beside it."""
    server, event, secret = club
    with person(browser, server, WIDE) as desk:
        sign_in(desk, server, secret)
        desk.set_input_files("[name=files]", sorted(DECKS.glob("*.deck")))
        desk.get_by_role("button", name="Hand them in").click()
        playwright.expect(desk.locator("#outcomes tbody tr")).to_have_count(4)
        desk.goto(f"{server.address}/events/{event.key}")
        desk.locator("body").press("/")
        desk.keyboard.type("many ban")
        playwright.expect(desk.locator("#players tbody tr")).to_have_count(1)
        assert "q=many+ban" in desk.url
        desk.fill("#q", "")
        playwright.expect(desk.locator("#players tbody th a").nth(3)).to_be_visible()
        desk.locator("h1").click()
        desk.keyboard.press("j")
        desk.keyboard.press("j")
        second = desk.locator("#players tbody th a").nth(1)
        assert second.evaluate("link => link === document.activeElement")
        desk.keyboard.press("Enter")
        panel = desk.locator("#panel")
        playwright.expect(panel.locator("h1")).to_have_text(second.inner_text())
        desk.keyboard.press("l")
        row = desk.locator("#players tbody tr").nth(1)
        playwright.expect(row.locator("td").last).to_have_text("locked")
        playwright.expect(panel).to_contain_text("The list is locked")
        desk.keyboard.press("k")
        playwright.expect(panel.locator("h1")).to_have_text(desk.locator("#players tbody th a").first.inner_text())
        panel.get_by_role("button", name="Another link").click()
        playwright.expect(panel.locator(".address")).to_contain_text("/p/")
        desk.keyboard.press("Escape")
        playwright.expect(panel).to_be_hidden()
        playwright.expect(desk.locator("#players tbody th a").first).to_be_focused(timeout=5000)
        with desk.expect_download() as download:
            desk.get_by_role("button", name="Print all").click()
        assert Path(download.value.path()).read_bytes().startswith(b"%PDF")


@pytest.mark.full
@pytest.mark.parametrize(("on_phone", "at_desk"), [(LOOKS, LOOKS)])
def test_every_page_can_be_read(
    browser: Any, club: tuple[Server, Event, str], on_phone: list[tuple[int, str]], at_desk: list[tuple[int, str]]
) -> None:
    """Those of players on a phone, those of the desk wide: accessible, and none is wider than its window."""
    server, event, secret = club
    with person(browser, server, WIDE) as page:
        page.goto(f"{server.address}/join/{event.join_code}")
        assert_readable(page, on_phone)
        name = f"Looked At {len(at_desk)}"
        register(page, server, event, name)
        hand_in(page, ILLEGAL)
        page.wait_for_selector("#word")
        assert_readable(page, on_phone)
        sign_in(page, server, secret)
        assert_readable(page, at_desk)
        page.get_by_role("link", name=name).first.click()
        page.wait_for_selector(".correct")
        assert_readable(page, at_desk)
        page.goto(f"{server.address}/events/{event.key}/poster")
        assert_readable(page, at_desk)


def test_what_is_typed_stays_while_the_server_is_away(browser: Any, club: tuple[Server, Event, str]) -> None:
    """A list that cannot be sent stays on the page and is sent later; the desk's other forms keep their texts."""
    server, event, secret = club
    away = partial(watched_page, expected=f"{REFUSED}|ERR_INTERNET_DISCONNECTED")
    with away(browser, server, PHONE) as guest, away(browser, server, WIDE) as desk:
        register(guest, server, event, "Cleo Away")
        guest.context.set_offline(True)
        hand_in(guest, ILLEGAL)
        assert "still here" in guest.locator("[role=alert]").inner_text() and guest.input_value("#deck") == ILLEGAL
        guest.context.set_offline(False)
        guest.get_by_role("button", name="Hand it in").click()
        guest.wait_for_selector("#word")
        sign_in(desk, server, secret)
        desk.get_by_role("link", name="Cleo Away").click()
        panel = desk.locator("#panel")
        panel.get_by_text("Correct it").click()
        panel.locator("[name=words]").fill("asks for a judge")
        panel.locator("[name=deck]").fill(LEGAL)
        desk.context.set_offline(True)
        panel.get_by_role("button", name="Store as the next version").click()
        playwright.expect(panel.locator("[role=alert]")).to_be_visible()
        desk.context.set_offline(False)
        panel.get_by_role("button", name="Store as the next version").click()
        playwright.expect(panel.locator(".word")).to_have_text("Legal")
        playwright.expect(panel.locator("[name=words]")).to_have_value("asks for a judge")
        panel.locator("[name=kind]").select_option("warning")
        panel.get_by_role("button", name="Write it down").click()
        playwright.expect(panel.get_by_text("not read yet")).to_be_visible()
        playwright.expect(panel.get_by_role("button", name="Write it down")).to_be_focused()
        guest.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        guest.get_by_role("button", name="I have read it").click()
        guest.get_by_text("Read before").click()
        assert_readable(guest, [(PHONE, "light")])
        assert "asks for a judge" in guest.inner_text("#from-desk")


@pytest.mark.full
def test_names_of_sixty_letters_and_picking_all(browser: Any, club: tuple[Server, Event, str]) -> None:
    """A name without a space wraps in the table and on its page at every width; one tick picks all that are shown."""
    server, event, secret = club
    name = "W" * 60
    with person(browser, server, PHONE) as guest:
        register(guest, server, event, name)
    for width, look in LOOKS:
        with person(browser, server, width, color_scheme=look) as desk:
            sign_in(desk, server, secret)
            assert desk.evaluate("document.documentElement.scrollWidth") <= width
            desk.check("#pick-all")
            boxes = desk.locator("#players [type=checkbox]")
            assert boxes.count() and all(box.is_checked() for box in boxes.all())
            boxes.first.uncheck()
            assert not desk.is_checked("#pick-all")
            desk.goto(f"{server.address}{desk.get_by_role('link', name=name).get_attribute('href')}")
            assert desk.evaluate("document.documentElement.scrollWidth") <= width
