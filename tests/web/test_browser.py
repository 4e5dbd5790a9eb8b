"""The pages in a real Chromium: what is typed is checked, remedies mend it, nothing comes from elsewhere."""

from __future__ import annotations

import re
import shlex
import stat
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from carddb.cli.main import run
from carddb.cli.serve import page_to
from carddb.findings import VERDICTS
from carddb.games import folders
from tests.rows import usually
from tests.web.chromium import IN_CHROMIUM, LOOKS, PHONE, TABLET, WIDE, assert_readable, playwright, watched_page
from tests.web.front import Server, serving

pytestmark = IN_CHROMIUM

DECK = "Name: Roads\nGame: cahrd\n\n## Main\n2 Scaling Ladders\n4 Trebuchet\n1 Hanibal Barca\n1 Siege in Depth\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("project")) as running:
        yield running


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """A page of the owner's; a message of the console, an error or a request elsewhere fails its test."""
    with watched_page(browser, server) as opened:
        opened.goto(f"{server.address}/check?token={server.front.entry()}")
        yield opened


def typed(page: Any, text: str) -> None:
    """Types a deck, and waits for its verdict."""
    page.fill("#text", text)
    page.wait_for_selector("#word")


@pytest.mark.full
def test_the_browser_is_opened_by_a_page_that_only_its_owner_reads(browser: Any, server: Server) -> None:
    """The file that the browser opens has no rights for others, leads in once, and is gone afterwards."""
    context = browser.new_context()
    page = context.new_page()
    with page_to(f"{server.address}/?token={server.front.entry()}") as name:
        assert stat.S_IMODE(Path(name).stat().st_mode) == 0o600
        page.goto(Path(name).as_uri())
        page.wait_for_url(f"{server.address}/check")
        page.wait_for_selector("#text")
    context.close()
    assert not Path(name).exists()


def test_a_fault_is_shown_beside_its_line_as_one_types(page: Any) -> None:
    """A misspelt card has its note at its own line, in words with the nearest name."""
    typed(page, DECK)
    line = page.locator("#lines li").nth(6)
    assert "Hanibal Barca" in line.locator(".t").inner_text()
    assert "Hannibal Barca" in line.locator(".note").inner_text()


def test_a_checked_deck_shows_its_verdict_in_the_window(page: Any) -> None:
    """After the button that checks a long deck, the verdict stands in the window."""
    typed(page, DECK + "1 Forged Orders\n" * 40)
    page.click("#check")
    playwright.expect(page.locator("#word")).to_be_in_viewport()


def test_a_remedy_edits_the_text_and_its_note_goes(page: Any) -> None:
    """Pressing a remedy changes the one line, and the next check has the finding no more."""
    typed(page, DECK)
    page.get_by_role("button", name="Write “Hannibal Barca”").click()
    playwright.expect(page.locator("body")).not_to_contain_text("card_unknown")
    assert page.input_value("#text").splitlines()[6] == "1 Hannibal Barca"
    page.get_by_role("button", name="Take out 1 Trebuchet").click()
    playwright.expect(page.locator("#text")).to_have_value(re.compile("^3 Trebuchet$", re.M))


@pytest.mark.full
def test_a_remedy_is_undone_as_one_step(page: Any) -> None:
    """The button and Ctrl+Z bring back the text before a remedy; focus stays with the remedies, scroll where it was."""
    typed(page, DECK)
    for is_pressed in (True, False):
        page.get_by_role("button", name="Take out 1 Trebuchet").click()
        playwright.expect(page.locator("#text")).to_have_value(re.compile("^3 Trebuchet$", re.M))
        playwright.expect(page.locator("#deck-form")).not_to_have_attribute("aria-busy", "true")
        assert page.evaluate("document.activeElement.name") == "fix"
        if is_pressed:
            page.get_by_role("button", name="Undo").click()
        else:
            page.keyboard.press("Control+z")
        playwright.expect(page.locator("#text")).to_have_value(DECK)
        playwright.expect(page.get_by_role("button", name="Undo")).to_be_hidden()
        playwright.expect(page.get_by_role("button", name="Take out 1 Trebuchet")).to_be_visible()


@pytest.mark.full
def test_making_it_legal_lists_its_steps_first(page: Any) -> None:
    """Nothing changes before the steps are seen; a name that is not known stays unless its box is ticked."""
    text = Path("carddb/games/cahrd/decks/grain-roads.deck").read_text("utf-8")
    typed(page, text.replace("## Main", "## Main\n5 Trebuchet\n2 Nobody At All", 1))
    before = page.input_value("#text")
    page.get_by_role("button", name="Make it legal").click()
    steps = page.locator("#steps")
    playwright.expect(steps.get_by_role("heading")).to_be_focused()
    playwright.expect(steps).to_contain_text("Trebuchet")
    assert page.input_value("#text") == before
    assert_readable(page, [(PHONE, "light"), (TABLET, "dark"), (WIDE, "light")])
    page.get_by_role("button", name="Make these changes").click()
    playwright.expect(steps).to_be_empty()
    assert "Nobody At All" in page.input_value("#text") and page.input_value("#text") != before
    page.get_by_role("button", name="Undo").click()
    assert page.input_value("#text") == before
    page.get_by_role("button", name="Make it legal").click()
    page.get_by_label("Take out what is not known too").check()
    page.get_by_role("button", name="Make these changes").click()
    playwright.expect(page.locator("#word")).to_have_text("Legal")
    assert "Nobody At All" not in page.input_value("#text")


@pytest.mark.full
def test_the_first_page_says_what_can_be_done(page: Any, server: Server) -> None:
    """There is a bordered field, a deck of each game to try, the day in words, and no link that is refused."""
    page.goto(f"{server.address}/check")
    assert page.locator("#text").evaluate("field => getComputedStyle(field).borderTopWidth") == "1px"
    assert page.locator(".games li").count() == 5
    page.get_by_text(re.compile(r"^today, \d+ \w+$")).click()
    assert page.get_by_label("Day").is_visible()
    assert_readable(page, LOOKS)
    links = page.locator("a[href^='/']").evaluate_all("links => links.map(link => link.getAttribute('href'))")
    assert {link for link in links if server.ask(link).status >= 400} == set()
    for button in range(5):
        page.goto(f"{server.address}/check")
        page.locator(".games [name=sample]").nth(button).click()
        assert page.inner_text("#word") == "Legal" and page.input_value("#text")


@pytest.mark.full
def test_a_misspelt_format_is_a_button(page: Any) -> None:
    """A header with an unknown format offers the nearest one."""
    typed(page, DECK.replace("Game: cahrd", "Game: cahrd\nFormat: batle"))
    page.get_by_role("button", name="Write “battle”").click()
    playwright.expect(page.locator("#text")).to_have_value(re.compile("^Format: battle$", re.M))


def test_the_page_without_script_says_the_same(browser: Any, server: Server) -> None:
    """A form sent without script gets the same verdict, and its remedy buttons mend the text."""
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{server.address}/check?token={server.front.entry()}")
    plain.fill("#text", DECK)
    plain.get_by_role("button", name="Check the deck").click()
    assert plain.inner_text("#word") == "Not legal"
    plain.get_by_role("button", name="Write “Hannibal Barca”").click()
    assert "1 Hannibal Barca" in plain.input_value("#text")
    plain.get_by_role("button", name="Undo").click()
    assert plain.input_value("#text") == DECK and not plain.get_by_role("button", name="Undo").is_visible()
    plain.get_by_role("button", name="Make it legal").click()
    assert plain.input_value("#text") == DECK and plain.locator("#steps li").count()
    plain.get_by_role("button", name="Make these changes").click()
    assert plain.inner_text("#word") == "Legal"
    context.close()


@pytest.mark.full
def test_the_verdict_is_that_of_the_api(page: Any, server: Server) -> None:
    """For every bundled example deck the page says what `check --json` says."""
    decks: list[Path | None] = [*sorted(Path("tests/games").glob("*/decks/*.deck"))[:6]] or [None]
    for path in decks:
        text = path.read_text("utf-8") if path else DECK
        report = server.ask("/api/v1/check", {"deck": text}).json()
        page.goto(f"{server.address}/check")
        typed(page, text)
        assert page.inner_text("#word") == VERDICTS[report["verdict"]]
        assert report["deck"]["fingerprint"] in page.inner_text("#sum")


def test_a_link_carries_the_deck_without_sending_it(page: Any, server: Server) -> None:
    """The deck stands in the fragment of the link: opened, it is there again."""
    typed(page, DECK)
    page.evaluate("() => { navigator.clipboard.writeText = async text => { document.body.dataset.copied = text; }; }")
    page.get_by_role("button", name="copy a link").click()
    playwright.expect(page.get_by_role("button", name="copied")).to_be_visible()
    playwright.expect(page.locator("#link-says")).to_have_text(
        "The link works only on this computer, while this server runs."
    )
    link = page.get_attribute("body", "data-copied")
    assert "#deck=" in link
    page.goto("about:blank")
    page.goto(link)
    page.wait_for_selector("#word")
    assert page.input_value("#text") == DECK


@pytest.mark.full
def test_a_link_is_copied_without_a_secure_origin_too(page: Any, server: Server) -> None:
    """Where the browser gives no clipboard to a script, the link is copied all the same."""
    page.context.grant_permissions(["clipboard-read"])
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', { get: () => false });")
    page.goto(f"{server.address}/check")
    typed(page, DECK)
    page.get_by_role("button", name="copy a link").click()
    playwright.expect(page.get_by_role("button", name="copied")).to_be_visible()
    assert page.evaluate("() => navigator.clipboard.readText()").startswith(f"{server.address}/check#deck=")


def test_a_file_is_dropped(page: Any) -> None:
    """A file that is dropped on the deck is the deck."""
    page.evaluate(
        """text => {
            const data = new DataTransfer();
            data.items.add(new File([text], "roads.deck"));
            document.getElementById("text").dispatchEvent(
                new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        DECK,
    )
    page.wait_for_selector("#word")
    assert page.input_value("#text") == DECK


@pytest.mark.full
def test_an_answer_to_what_stands_there_no_more_is_dropped(page: Any, server: Server) -> None:
    """One check runs at a time; what was typed meanwhile is checked after it, and only its answer is shown."""
    page.goto(f"{server.address}/check")
    names: list[str] = []

    def hold(route: Any) -> None:
        names.append(re.findall("Name: (.*)", route.request.post_data)[0].strip())
        if len(names) == 1:
            page.fill("#text", DECK.replace("Roads", "Second"))
            page.fill("#text", DECK.replace("Roads", "Third"))
        route.continue_()

    page.route("**/check", hold)
    typed(page, DECK)
    playwright.expect(page.locator("#name")).to_have_text("Third")
    assert names == ["Roads", "Third"]


@pytest.mark.full
def test_a_deck_of_ten_thousand_lines_stays_usable(page: Any) -> None:
    """A very long deck is a plain field: a letter shows at once, and the findings name their lines."""
    text = "Game: cahrd\n\n## Main\n" + "1 Trebuchet\n" * 5_000 + "1 Hanibal Barca\n" + "1 Trebuchet\n" * 4_990
    page.evaluate(
        """text => {
            const area = document.getElementById("text");
            area.value = text;
            area.dispatchEvent(new Event("input", { bubbles: true }));
        }""",
        text,
    )
    page.wait_for_selector("#word")
    assert page.locator("#lines li").count() < 10
    assert "No card is called 'Hanibal Barca'" in page.locator("[data-line='5004'] + .note").inner_text()
    page.focus("#text")
    page.keyboard.type("x")
    assert page.input_value("#text").count("x") == text.count("x") + 1


def test_the_deck_list_is_saved_as_pdf(page: Any) -> None:
    """The button gives the validated list as a file."""
    typed(page, DECK)
    with page.expect_download() as download:
        page.get_by_role("button", name="Deck list as PDF").click()
    assert download.value.suggested_filename == "Roads.pdf"
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")


def test_the_checker_can_be_read_by_everybody(page: Any) -> None:
    """No violation of accessibility in three widths, light and dark, and nothing is wider than the window."""
    typed(page, DECK)
    assert_readable(page, LOOKS)


def test_names_of_cards_and_players_are_text(page: Any) -> None:
    """Markup in a deck is shown as it was typed, and runs nothing."""
    typed(page, "Name: <img src=x onerror=alert(1)>\nGame: cahrd\n\n1 <script>alert(1)</script>\n")
    assert page.inner_text("#name") == "<img src=x onerror=alert(1)>"
    assert "<script>" in page.inner_text("#lines")


def test_the_gallery_follows_the_query_as_it_is_typed(page: Any, server: Server) -> None:
    """A query that is typed shows its cards without a click, and its address can be opened again."""
    page.goto(f"{server.address}/cards?game=cahrd")
    page.fill("#q", "type:officer war>=5")
    playwright.expect(page.locator("#h-res")).to_have_text(re.compile(r"^[1-9]\d* cards$"))
    wanted = server.ask("/api/v1/cards?q=type:officer%20war%3E%3D5&game=cahrd").json()["cards"]
    playwright.expect(page.locator(".grid .name")).to_have_text([card["name"] for card in wanted])
    playwright.expect(page).to_have_url(re.compile("war%3E%3D5"))


@pytest.mark.full
def test_a_fault_of_a_query_stands_at_its_place_and_the_cards_stay(page: Any, server: Server) -> None:
    """An unknown field is told under the query with the nearest; the cards and their number stay, offers are below."""
    page.goto(f"{server.address}/cards?game=cahrd&q=war>=5")
    count, facts = page.locator(".grid .name").count(), page.inner_text("#facts")
    page.fill("#q", "wra>=5")
    playwright.expect(page.locator("#tip")).to_contain_text("war")
    assert page.locator(".grid .name").count() == count and page.inner_text("#facts") == facts
    page.focus("#q")
    page.keyboard.press("End")
    page.keyboard.type(" reg")
    tip, offers = page.locator("#tip").bounding_box(), page.locator("#offers").bounding_box()
    assert tip and offers and offers["y"] >= tip["y"] + tip["height"]
    page.goto(f"{server.address}/cards?q=wra>=5")
    assert page.inner_text("#h-res") == "The query cannot be read" and "0 cards" not in page.inner_text("main")


@usually(
    "query, word, corrected",
    [
        ("type:officer wra>=5", "war", "type:officer war>=5"),
        ("region:afrika war>=4", "africa", "region:africa war>=4"),
        ("treboochet type:item", "trebuchet type:item", "trebuchet type:item"),
    ],
)
@pytest.mark.full
def test_a_remedy_of_a_query_edits_it(page: Any, server: Server, query: str, word: str, corrected: str) -> None:
    """The nearest field, value or word stands with the fault; pressed, the query has it in the place of the fault."""
    page.goto(f"{server.address}/cards?game=cahrd")
    page.fill("#q", query)
    page.get_by_role("link", name=word, exact=True).click()
    playwright.expect(page.locator("#q")).to_have_value(corrected)
    playwright.expect(page.locator("#h-res")).to_have_text(re.compile(r"^[1-9]\d* cards?$"))


@pytest.mark.full
def test_completion_offers_fields_and_values(page: Any, server: Server) -> None:
    """The beginning of a field is completed by the keyboard, then its values."""
    page.goto(f"{server.address}/cards?game=cahrd")
    page.focus("#q")
    page.keyboard.type("reg")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.input_value("#q") == "region:"
    page.keyboard.type("afr")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    assert page.input_value("#q") == "region:africa "


@pytest.mark.full
def test_a_facet_narrows_and_widens(page: Any, server: Server) -> None:
    """A facet adds its term to the query, and takes it out again."""
    page.goto(f"{server.address}/cards?game=cahrd&q=war>=4")
    page.get_by_role("link", name=re.compile("^Africa")).click()
    assert page.input_value("#q") == "war>=4 region:africa"
    page.get_by_role("link", name=re.compile("^Africa")).click()
    assert page.input_value("#q") == "war>=4"


def test_a_card_page_shows_faces_fields_bans_and_history(page: Any, server: Server) -> None:
    """The page of a card has both faces drawn, its fields, what lists say of it, and its states."""
    page.goto(f"{server.address}/cards/cahrd/CAH-089")
    page.wait_for_load_state("networkidle")
    assert page.eval_on_selector_all(".face", "faces => faces.every(face => face.naturalWidth > 100)")
    for words in ("One enemy lieutenant", "at most 2 copies", "Fri 13 Nov 2026", "loaded from"):
        assert words in page.inner_text("main")


@pytest.mark.full
def test_a_card_page_shows_its_level_through_the_years(page: Any, server: Server) -> None:
    """The chart has a turn for each change, in words too, and no label of it is cut off."""
    page.goto(f"{server.address}/cards/cahrd/CAH-089")
    chart = page.locator(".chart.steps")
    assert chart.get_attribute("aria-label").startswith("Greek Fire: free until 25 January 2025, from 25 January 2025")
    assert chart.locator(".step").get_attribute("d").count("V") == chart.locator("xpath=..").locator(".past li").count()
    box = chart.bounding_box()
    for text in chart.locator("text").all():
        place = text.bounding_box()
        assert box["x"] <= place["x"] and place["x"] + place["width"] <= box["x"] + box["width"] + 1


def test_a_card_page_shows_the_printings_of_its_card(browser: Any, tmp_path: Path) -> None:
    """A printing stands with its set, its place, its code and its day."""
    (tmp_path / "cards.csv").write_text("ref,name,type,effect,reserve_cost\nP-1,Ram,item,Draw a card.,1000\n", "utf-8")
    (tmp_path / "core.printings.csv").write_text(
        "code,card,set,position,released\n01012,P-1,core,12,2026-01-05\n", "utf-8"
    )
    files = [str(tmp_path / name) for name in ("cards.csv", "core.printings.csv")]
    assert run(["-q", "--catalog", str(tmp_path / "carddb.db"), "load", *files, "--game", "cahrd"]) == 0
    with serving(tmp_path) as server, watched_page(browser, server) as page:
        page.goto(f"{server.address}/cards/cahrd/P-1?token={server.front.entry()}")
        assert "core 12" in page.inner_text("main") and "01012, 2026-01-05" in page.inner_text("main")


CHANGES = "/changes?game=guarda&from=2026-01-01&q=ref=1-A"
PAGES = [
    "/cards?game=cahrd&q=war>4&build=1",
    "/cards?game=cahrd&q=war>4",
    "/cards?view=list",
    "/cards/cahrd/CAH-089",
    CHANGES,
    "/print?q=CAH-089",
    "/print/components?game=guarda&part.mode-card=1",
    "/print/printers",
    "/print/table?game=guarda",
    "/referee?q=hand+size",
    "/referee/rishar.odds?off.strength=2&off.role=aggressor&def.strength=1&def.role=guardian",
    "/bans",
    "/bans/cahrd:short",
    "/bans/draft",
    "/rules",
    "/rules?q=hand+size",
]


@usually("looks", [[(PHONE, "light"), (TABLET, "dark"), (WIDE, "light")], LOOKS])
@usually("path", PAGES, "/print?q=CAH-089", "/bans")
def test_every_other_page_can_be_read_by_everybody(
    page: Any, server: Server, path: str, looks: list[tuple[int, str]]
) -> None:
    """No violation of accessibility in three widths, light and dark, and nothing is wider than the window."""
    page.goto(server.address + path)
    assert_readable(page, looks)


@pytest.mark.full
def test_what_many_decks_say_can_be_read_by_everybody(browser: Any, tmp_path: Path) -> None:
    """The report of decks has the head of all rooms; with a draft, too, no violation, and its tables scroll inside."""
    copytree(folders()["cahrd"].path / "decks", tmp_path / "decks")
    (tmp_path / "draft.yaml").write_text("announcements: []\n", "utf-8")
    with serving(tmp_path) as own, watched_page(browser, own) as page:
        page.goto(f"{own.address}/check/meta/?token={own.front.entry()}")
        assert page.locator("nav [aria-current]").inner_text() == "Check"
        assert_readable(page, [(PHONE, "light"), (WIDE, "dark")])
        page.set_input_files("#draft", tmp_path / "draft.yaml")
        page.get_by_role("button", name="Show what it would do").click()
        playwright.expect(page.get_by_role("heading", name="The draft would forbid")).to_be_visible()
        assert_readable(page, [(PHONE, "dark")])


def test_the_file_of_the_print_room_is_that_of_its_command(page: Any, server: Server, tmp_path: Path) -> None:
    """What is downloaded is byte for byte what the command line writes that the page shows."""
    page.goto(f"{server.address}/print?q=CAH-089+&game=cahrd")
    page.locator("#paper").select_option("a4")
    playwright.expect(page.locator("#cmd")).to_contain_text("--paper a4")
    words = shlex.split(page.inner_text("#cmd"))
    with page.expect_download() as download:
        page.get_by_role("button", name="Make the PDF").click()
    catalogue = str(server.front.project().catalog_path)
    assert run(["-q", "--catalog", catalogue, *words[1:-1], str(tmp_path / "sheets.pdf")]) == 0
    assert Path(download.value.path()).read_bytes() == (tmp_path / "sheets.pdf").read_bytes()


@pytest.mark.full
def test_an_illegal_deck_is_printed_only_where_that_is_said(page: Any) -> None:
    """A deck comes from the checker with its faults; its sheets show once it is allowed, and say so."""
    typed(page, DECK)
    page.get_by_role("button", name="Print its cards").click()
    playwright.expect(page.locator("#result .state")).to_contain_text("Not legal")
    assert page.locator("#make").is_disabled()
    page.get_by_label("Print it all the same").check()
    playwright.expect(page.locator("#result canvas")).to_have_count(2, timeout=20_000)
    assert page.locator("#make").is_enabled()


def test_a_question_in_a_form_is_answered_as_by_judge(page: Any, server: Server) -> None:
    """What is filled in is the question, its address the link to it, and the answer the referee's."""
    page.goto(f"{server.address}/referee/eg.hand_discard")
    page.get_by_label("Number of cards in hand").fill("9")
    page.get_by_role("button", name="Ask").click()
    assert page.url.endswith("/referee/eg.hand_discard?hand=9")
    answer = server.ask("/api/v1/judge/eg.hand_discard?why", {"hand": 9}).json()
    shown = page.inner_text("main")
    assert f"iscard\t{answer['discard']}" in shown.replace("\n", "\t") and answer["rules"][0]["text"] in shown


@pytest.mark.full
def test_an_answer_is_a_sentence_above_its_figures(page: Any, server: Server) -> None:
    """The question has a title, its figures number fields, its answer a sentence; the JSON is folded away."""
    page.goto(f"{server.address}/referee")
    page.get_by_text("C.A.H.R.D. 2").click()
    page.get_by_role("link", name="Officer against officer").click()
    assert page.inner_text("h1") == "Officer against officer"
    for side, war, men in (("attacks", "5", "2"), ("defends", "1", "1")):
        page.get_by_label(f"{side}: The current WAR").fill(war)
        page.get_by_label(f"{side}: Points of men left").fill(men)
        assert page.get_by_label(f"{side}: Points of men left").get_attribute("type") == "number"
    page.get_by_label("attacks: The post of the officer").select_option("commander")
    page.get_by_label("defends: The post of the officer").select_option("lieutenant")
    page.get_by_role("button", name="Ask").click()
    assert page.inner_text(".spoken").startswith("The attacker's officer wins. The defending lieutenant is defeated.")
    assert not page.locator(".cmd").is_visible()
    page.get_by_text("Ask it in a terminal").click()
    assert "carddb judge cahrd.resolve_officer_battle" in page.inner_text(".cmd")
    assert_readable(page, [(PHONE, "dark"), (WIDE, "light")])


@pytest.mark.full
def test_a_draft_says_which_decks_it_makes_illegal(page: Any, server: Server) -> None:
    """An announcement that is only drafted shows its changes and the decks of a folder that it hurts."""
    folder = server.front.project().folder / "decks"
    folder.mkdir(exist_ok=True)
    (folder / "roads.deck").write_text(DECK, "utf-8")
    page.goto(f"{server.address}/bans/draft")
    page.get_by_label("The announcement").fill(
        "- {id: draft, made: 2099-01-01T12:00:00Z, effective: 2099-01-10, kind: change,"
        " changes: [{list: short, card: CAH-091, from: 0, to: 3, why: Tried.}]}"
    )
    page.get_by_label("Folder").fill("decks")
    page.get_by_role("button", name="Show what it does").click()
    shown = page.inner_text("main")
    assert "Trebuchet" in shown and "not on the list" in shown and "From 10 January 2099" in shown and "Roads" in shown


def test_pages_print_whole(page: Any, server: Server) -> None:
    """A wide window has every picture of a gallery, and on paper levels keep their squares and no bar hides a form."""
    page.set_viewport_size({"width": 1280, "height": 900})
    page.goto(f"{server.address}/cards?game=cahrd")
    page.wait_for_load_state("networkidle")
    widths = page.locator(".grid img").evaluate_all("all => all.map(each => each.naturalWidth)")
    assert len(widths) > 20 and all(widths)
    page.emulate_media(media="print")
    page.goto(f"{server.address}/bans/cahrd:long")
    squares = page.locator(".lvl .y").evaluate_all("all => all.map(each => getComputedStyle(each).printColorAdjust)")
    assert squares and {*squares} == {"exact"}
    page.goto(f"{server.address}/print?q=type:officer")
    assert not page.locator(".opts > .go").is_visible()
    page.goto(f"{server.address}/tables")
    assert not page.get_by_role("heading", name="From a save").is_visible()


@pytest.mark.parametrize(
    "path", ["/print?q=type:officer", "/print/components?game=cahrd", "/build?game=cahrd", "/studio"]
)
def test_controls_do_not_print(page: Any, server: Server, path: str) -> None:
    """On paper a page has no button, box to tick or field for text; the print room says its paper in words."""
    page.goto(f"{server.address}{path}")
    page.emulate_media(media="print")
    controls = page.locator("button, .btn, textarea, input:is([type=radio], [type=checkbox], [type=file])")
    assert not [
        each for each in controls.all() if each.is_visible() and not each.evaluate("it => it.closest('.only-read')")
    ]
    assert not path.startswith("/print") or page.locator("#paper").is_visible()


def test_a_change_is_drafted_in_a_form(page: Any, server: Server) -> None:
    """List, card, level, day and reason become YAML with the level of before; a change of the YAML fills the form.

    A card is called by its reference or its name; what is wrong with it is told in its column, with the nearest name as
    a button. A reason that is too long is told at its field, and changes nothing in the announcement.
    """
    page.goto(f"{server.address}/bans/draft")
    assert page.locator("#cards option[value='CAH-089']").text_content() == "Greek Fire"
    page.get_by_label("The announcement").fill(
        "- {id: draft, made: 2099-01-01T12:00:00Z, effective: 2099-01-10, kind: change,"
        " changes: [{list: short, card: CAH-091, from: 0, to: 3, why: Tried.}]}"
    )
    page.get_by_label("List", exact=True).select_option("cahrd:short")
    page.get_by_label("Card", exact=True).fill("Greek Fyre")
    page.get_by_label("Level").select_option("3")
    page.get_by_label("In force from").fill("2099-01-10")
    page.get_by_label("Reason").fill("Tried.")
    page.get_by_role("button", name="Put it into the announcement").click()
    assert page.locator("#card[aria-invalid]").is_visible()
    assert page.inner_text("[role=alert]").endswith("Did you mean Greek Fire?")
    page.get_by_role("button", name="Greek Fire").click()
    text = page.input_value("#draft")
    assert "card: CAH-089" in text and "to: 3" in text and "effective: '2099-01-10'" in text.replace('"', "'")
    assert "card: CAH-091" in text and text.count("id:") == 1
    assert "Greek Fire" in page.inner_text("main") and "none" in page.inner_text("main")
    page.get_by_label("The announcement").fill(text.replace("to: 3", "to: 2").replace("Tried.", "Tried again."))
    page.get_by_role("button", name="Show what it does").click()
    assert page.input_value("#level") == "2" and page.input_value("#why") == "Tried again."
    assert page.input_value("#card") == "Greek Fire"
    page.get_by_label("Reason").fill("Tried. " * 100)
    page.get_by_role("button", name="Put it into the announcement").click()
    assert page.inner_text("#why-said").startswith("The reason has ") and not page.locator(".whole .note").count()
    assert "Tried again." in page.input_value("#draft") and page.input_value("#why") == "Tried. " * 100


def test_a_draft_with_a_wrong_notice_shows_what_it_would_change(page: Any, server: Server) -> None:
    """Beside the finding about the notice stands what the announcement would change with an allowed one."""
    page.goto(f"{server.address}/bans/draft")
    page.get_by_label("The announcement").fill(
        "- {id: draft, made: 2099-01-01T12:00:00Z, effective: 2099-03-10, kind: change,"
        " changes: [{list: short, card: CAH-091, from: 0, to: 3, why: Tried.}]}"
    )
    page.get_by_role("button", name="Show what it does").click()
    shown = page.inner_text("main")
    assert "3 to 14 days are allowed" in shown and "What would change, with an allowed notice" in shown
    assert "Trebuchet" in shown and "not on the list" in shown
    assert_readable(page, [(PHONE, "dark"), (WIDE, "light")])


@usually("path", ["/rules/guarda", "/handbook/decks.html", CHANGES])
@pytest.mark.full
def test_documents_are_set_with_their_own_style_and_nothing_else(page: Any, server: Server, path: str) -> None:
    """Rules, a chapter and changes show in their fonts; the policy lets in their style and nothing from elsewhere."""
    page.goto(server.address + path)
    assert page.evaluate("getComputedStyle(document.body).fontFamily")
    assert page.evaluate("document.fonts.ready.then(() => [...document.fonts].some(font => font.status === 'loaded'))")


def test_a_deck_is_built_by_clicking(page: Any, server: Server) -> None:
    """Plus and minus change the text of the deck, and the verdict beside it follows."""
    page.goto(f"{server.address}/cards?game=cahrd&q=siege&build=1")
    page.get_by_role("button", name="One Siege Train more").click()
    playwright.expect(page.locator("#deck-text")).to_have_value(re.compile("^1 Siege Train$", re.M))
    playwright.expect(page.locator("#word")).to_have_text("Not legal")
    page.get_by_role("button", name="One Siege Train more").click()
    playwright.expect(page.locator("#deck-text")).to_have_value(re.compile("^2 Siege Train$", re.M))
    page.get_by_role("button", name="One Siege Train fewer").click()
    page.get_by_role("button", name="One Siege Train fewer").click()
    playwright.expect(page.locator("#deck-text")).not_to_have_value(re.compile("Siege Train"))


@pytest.mark.full
def test_tiles_and_list_show_copies_and_limits_and_a_bar_stays_in_view(page: Any, server: Server) -> None:
    """Each card has the number of its copies and its limit; on a phone a bar with total and verdict is always seen."""
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.goto(f"{server.address}/cards?q=game:cahrd+siege")
    page.get_by_role("link", name="Build a deck of them").click()
    page.get_by_role("button", name="One Siege Train more").click()
    for view in ("pictures", "list"):
        own = page.locator("li").filter(has_text="Siege Train")
        playwright.expect(own.locator(".copies")).to_have_text(re.compile(r"1\s*of 3"))
        playwright.expect(page.locator(".deck-bar")).to_contain_text(re.compile("1 in the deck.*Not legal"))
        playwright.expect(page.locator(".deck-bar")).to_be_in_viewport()
        if view == "pictures":
            page.get_by_role("link", name="as a list").click()
    assert_readable(page, [(PHONE, "light"), (WIDE, "dark")])


@pytest.mark.full
def test_the_builder_is_entered_from_every_game_and_from_a_deck(page: Any, server: Server) -> None:
    """All cards offer every game, the checker offers them too, and a checked deck goes on in the builder."""
    for path, link in (("/cards", "Rishar"), ("/check", "Build one by clicking: Rishar")):
        page.goto(server.address + path)
        page.get_by_role("link", name=link, exact=True).click()
        assert page.input_value("#deck-text") == "Game: rishar\n"
    page.goto(f"{server.address}/check")
    typed(page, DECK)
    page.get_by_role("button", name="Add cards by clicking").click()
    assert page.input_value("#deck-text").strip() == DECK.strip()
    assert page.locator(".deck-bar [data-of=count]").text_content() == "8"
    page.goto(f"{server.address}/build?game=cahrd")
    page.get_by_label("Begin with a deck").select_option(label="Roads to the Granary")
    page.get_by_role("button", name="Open it").click()
    playwright.expect(page.locator("#word")).to_have_text("Legal")


@pytest.mark.full
def test_a_deck_is_built_without_script(browser: Any, server: Server) -> None:
    """Plus, minus and another search keep the deck where no script runs."""
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{server.address}/check?token={server.front.token}")
    plain.goto(f"{server.address}/build?game=cahrd&q=siege")
    plain.get_by_role("button", name="One Siege Train more").click()
    assert "1 Siege Train" in plain.input_value("#deck-text") and plain.inner_text("#word") == "Not legal"
    plain.get_by_label("Look for other cards").fill("Trebuchet")
    plain.get_by_role("button", name="Search").click()
    plain.get_by_role("button", name="One Trebuchet more").click()
    assert "1 Siege Train" in plain.input_value("#deck-text") and "1 Trebuchet" in plain.input_value("#deck-text")
    context.close()


def test_decks_are_kept_in_the_browser(page: Any, server: Server) -> None:
    """A deck is kept under a name, opened in the checker and in the builder of its game, and deleted."""
    typed(page, DECK)
    page.get_by_label("Name", exact=True).fill("Roads, first")
    page.get_by_role("button", name="Keep this deck").click()
    playwright.expect(page.locator("#kept-says")).to_have_text("Roads, first is kept.")
    for path, area in (("/check", "#text"), ("/build?game=cahrd", "#deck-text")):
        page.goto(server.address + path)
        page.get_by_role("button", name="Open Roads, first").click()
        playwright.expect(page.locator(area)).to_have_value(DECK)
        playwright.expect(page.locator("#word")).to_have_text("Not legal")
    page.goto(f"{server.address}/build?game=rishar")
    playwright.expect(page.locator("#kept-list li")).to_have_count(0)
    page.goto(f"{server.address}/check")
    page.get_by_role("button", name="Delete Roads, first").click()
    playwright.expect(page.locator("#kept-list li")).to_have_count(0)


@pytest.mark.full
def test_a_hand_is_dealt_and_two_decks_are_compared(page: Any) -> None:
    """A trial hand shows as many faces as the game deals; another deck beside this one shows where they differ."""
    typed(page, DECK.replace("Hanibal", "Hannibal"))
    page.get_by_role("button", name="Deal 7").click()
    playwright.expect(page.locator(".dealt .face")).to_have_count(7)
    playwright.expect(page.locator("#deal")).to_be_focused()
    page.get_by_text("Compare with another deck").click()
    page.get_by_label("The other deck").fill(DECK.replace("4 Trebuchet", "2 Trebuchet").replace("Hanibal", "Hannibal"))
    page.get_by_role("button", name="Compare").click()
    playwright.expect(page.locator("#difference tbody tr")).to_have_text(re.compile(r"Trebuchet.*4\s*2"))


_CONTROLS = """() => {
    const shown = [...document.querySelectorAll("a[href],button,input,select,textarea,summary")].filter(control =>
        !control.disabled && control.tabIndex >= 0 && control.checkVisibility() && control.type !== "hidden");
    const walked = shown.filter(control => control.type !== "radio" || control.checked);
    walked.forEach((control, number) => { control.dataset.walk = number; });
    return walked.length;
}"""
_FOCUSED = """() => {
    const at = document.activeElement;
    const bearers = [at, at.closest("label"), at.closest(".lines")].filter(Boolean).map(each => getComputedStyle(each));
    const seen = bearers.some(style => style.outlineStyle !== "none" || style.boxShadow !== "none");
    return [at.dataset.walk ?? null, seen];
}"""


_WALKED_IN_FULL = (
    "/cards?game=cahrd&q=war>5", "/cards/cahrd/CAH-089", "/print/printers", "/referee", "/bans/draft", "/rules",
)  # fmt: skip


@usually("path", ["/check", "/bans/cahrd:short", *_WALKED_IN_FULL])
def test_a_page_is_walked_by_the_keyboard_alone(page: Any, server: Server, path: str) -> None:
    """Tab reaches every control that is shown, in the order of the page, each with a sign of the focus, and goes on."""
    page.goto(server.address + path)
    count = page.evaluate(_CONTROLS)
    reached: list[int] = []
    for _ in range(3 * count + 5):  # a field for a day has a stop for each of its parts
        page.keyboard.press("Tab")
        number, is_seen = page.evaluate(_FOCUSED)
        if number is None:
            continue
        assert is_seen, f"no sign of focus on control {number}"
        if int(number) not in reached:
            reached.append(int(number))
        if len(reached) == count:
            break
    assert reached == list(range(count))
