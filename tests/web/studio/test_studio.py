"""The studio in a real Chromium: cells are checked and stored, faces follow what is saved, nothing is lost."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from carddb.app.games.new_project import new_project
from carddb.catalog.store import Catalog
from carddb.core.files import NamedBytes, write_file
from carddb.door import Project
from carddb.web import studio as studio_room
from tests.web.chromium import IN_CHROMIUM, LOOKS, PHONE, assert_readable, playwright, watched_page
from tests.web.front import Server, serving

pytestmark = IN_CHROMIUM
LANTERNS = Path(__file__).parents[2] / "outside" / "lanterns"


def own_project(folder: Path) -> Project:
    """A project with a game of its own, and its cards in a CSV."""
    shutil.copytree(LANTERNS, folder / "lanterns")
    project = Project(folder, games=[folder / "lanterns"])
    new_project(project, folder, "lanterns", bare=False)
    return project


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studio")
    own_project(folder)
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with serving(folder) as running:
        yield running


@pytest.fixture
def page(browser: Any, server: Server) -> Iterator[Any]:
    """The studio of the owner; a message of the console, an error or a request elsewhere fails its test."""
    with watched_page(browser, server) as opened:
        opened.goto(f"{server.address}/studio?token={server.front.entry()}")
        opened.wait_for_selector("#looked:not(:empty)")
        yield opened


def save(path: Path, text: str) -> None:
    """Saves a file as editors do: whole, so that the studio never looks at a half of it."""
    write_file(path, text.encode())


def cell(page: Any, ref: str, field: str) -> Any:
    return page.locator(f'tr[data-ref="{ref}"] td[data-f="{field}"]')


def typed(page: Any, ref: str, field: str, text: str) -> None:
    """Edits a cell by keys alone, and waits for the server."""
    cell(page, ref, field).click()
    page.keyboard.press("Enter")
    page.keyboard.type(text)
    with page.expect_response("**/studio/edit"):
        page.keyboard.press("Enter")


def shows(page: Any, *words: str) -> None:
    """Waits until the face on the bench, as the server draws it, has some words or colours."""
    holds = """async words => { const source = document.querySelector("#after img").src;
        const text = await (await fetch(source)).text(); return words.every(word => text.includes(word)); }"""
    page.wait_for_function(holds, arg=list(words))


def test_a_cell_is_checked_as_it_is_left_and_stored_into_its_file(page: Any, folder: Path) -> None:
    """A refused cell says why and holds nothing up; the others go into the CSV and the history, once."""
    typed(page, "L-02", "light", "bright")
    assert page.evaluate("document.activeElement.closest('tr').dataset.ref") == "L-03", "Enter goes down"
    playwright.expect(cell(page, "L-02", "light")).to_have_attribute("aria-invalid", "true")
    assert "whole number" in page.inner_text("#said") and "(was 4)" in page.inner_text("#said")
    typed(page, "L-01", "text", "Shines, slowly.")
    playwright.expect(page.locator("#counts")).to_have_text("2 drafts, 1 cell to mend")
    cell(page, "L-01", "text").click()
    playwright.expect(page.locator("#before")).to_be_visible()
    playwright.expect(page.locator("#diff ins")).to_have_text([", slowly"])
    shows(page, "slowly")
    page.keyboard.press("Alt+s")
    playwright.expect(page.locator("#said")).to_have_text("1 card stored, cards.csv written")
    assert 'L-01,Red Lamp,lamp,,3,red,"Shines, slowly."' in (folder / "cards.csv").read_text("utf-8")
    with Catalog.open(folder / "carddb.db", must_exist=True) as catalog:
        assert [revision.kind for revision in catalog.history("lanterns", "L-01")] == ["added", "changed"]
    cell(page, "L-02", "light").click()
    page.keyboard.press("Escape")
    playwright.expect(page.locator("#counts")).to_have_text("0 drafts")
    assert cell(page, "L-02", "light").inner_text() == "4"
    again = Project(folder).load(folder / "cards.csv", dry_run=True)
    assert not again.cards[0].result.changed and again.ok


def test_a_saved_template_is_seen_at_once_and_a_broken_one_leaves_the_last_good_face(page: Any, folder: Path) -> None:
    """The face is swapped in place without moving the focus; the banner says where and what to do."""
    template = folder / "lanterns" / "templates" / "card.svg"
    good = template.read_text("utf-8")
    cell(page, "L-03", "name").click()
    playwright.expect(page.locator("#bench-title")).to_have_text("Harbour Light")
    page.evaluate("() => { window.mark = document.querySelector('#after img'); }")
    playwright.expect(page.locator("#after img")).to_have_attribute("src", re.compile("L-03"))
    source = page.get_attribute("#after img", "src")
    save(template, good.replace('fill="#ffffff"', 'fill="#fffff0"'))
    playwright.expect(page.locator("#after img")).not_to_have_attribute("src", source)
    shows(page, "#fffff0")
    assert page.evaluate("window.mark === document.querySelector('#after img')")
    assert page.evaluate("document.activeElement.dataset.f") == "name"
    source = page.get_attribute("#after img", "src")
    save(template, good.replace("<use", "{% if card.light %}{% endfi %}<use"))
    banner = page.locator("#faults .fault")
    playwright.expect(banner).to_contain_text("card.svg")
    playwright.expect(banner.locator("mark")).to_contain_text("endfi")
    assert "Write {% endif %} in line 5." in banner.inner_text()
    assert page.get_attribute("#after img", "src") == source and page.evaluate("window.mark.naturalWidth") > 0
    save(template, good)
    playwright.expect(banner).to_have_count(0)
    playwright.expect(page.locator("#after img")).not_to_have_attribute("src", source)
    shows(page, "#ffffff")


def test_a_saved_guide_is_set_again_in_place(page: Any, server: Server, folder: Path) -> None:
    """Only the part that has another text is swapped; a faulty guide leaves the last good one under a banner."""
    path = folder / "lanterns" / "guide.md"
    good = path.read_text("utf-8")
    page.goto(f"{server.address}/studio/guide/lanterns")
    save(path, good + "\n## Storms\n\nNo lamp shines in a zephyr.\n")
    playwright.expect(page.locator("main")).to_contain_text("zephyr")
    page.evaluate("() => { window.part = document.querySelector('main section:last-of-type'); }")
    save(path, good + "\n## Storms\n\nNo lamp shines in a squall.\n")
    playwright.expect(page.locator("main")).to_contain_text("squall")
    assert page.evaluate("window.part.isConnected && !window.part.textContent.includes('squall')")
    save(path, good + "\n## Storms\n\n{{ nothing }}\n")
    playwright.expect(page.locator("#faults .fault")).to_contain_text("guide.md")
    playwright.expect(page.locator("main")).to_contain_text("squall")
    save(path, good)
    playwright.expect(page.locator("#faults .fault")).to_have_count(0)
    playwright.expect(page.locator("main")).not_to_contain_text("squall")


def test_only_the_faces_that_depend_on_a_file_are_drawn_again(page: Any, folder: Path) -> None:
    """A row saved by another program changes its own face and no other; the template of the backs changes none."""
    addresses = "() => [...document.querySelectorAll('#strip img')].map(image => image.src)"
    playwright.expect(page.locator("#looked")).to_have_text("no error")
    before = page.evaluate(addresses)
    path = folder / "cards.csv"
    save(path, path.read_text("utf-8").replace("Seen from afar.", "Seen from very far."))
    playwright.expect(cell(page, "L-03", "text")).to_have_text("Seen from very far.")
    playwright.expect(page.locator("#counts")).to_have_text("0 drafts, 1 card changed in files")
    playwright.expect(page.locator("#strip .drafted span")).to_have_text(["L-03 changed"])
    playwright.expect(page.locator("#looked")).to_have_text("no error")
    after = page.evaluate(addresses)
    assert [old != new for old, new in zip(before, after, strict=True)] == [False, False, True, False]
    back = folder / "lanterns" / "templates" / "back.svg"
    with page.expect_response("**/studio/state*"):
        save(back, back.read_text("utf-8").replace("0.5", "0.6"))
    assert page.evaluate(addresses) == after


def test_several_cells_are_pasted_at_once(page: Any) -> None:
    """What a spreadsheet program copies goes into the cells from the active one on, each as a draft."""
    cell(page, "L-01", "light").click()
    paste = """text => { const data = new DataTransfer(); data.setData("text/plain", text);
        document.activeElement.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true})); }"""
    with page.expect_response("**/studio/edit"):
        page.evaluate(paste, '5\tblue\n6\t"white; blue"\r\n')
    playwright.expect(page.locator("#counts")).to_have_text(re.compile("^4 drafts"))
    assert cell(page, "L-02", "colours").inner_text() == "white; blue"
    for ref, field in (("L-02", "light"), ("L-02", "colours"), ("L-01", "colours"), ("L-01", "light")):
        cell(page, ref, field).click()
        with page.expect_response("**/studio/choose"):
            page.keyboard.press("Escape")
    playwright.expect(page.locator("#counts")).to_have_text(re.compile("^0 drafts"))


def test_a_new_card_is_a_draft_until_it_is_stored(page: Any, folder: Path) -> None:
    """It stands at the end of the table, is edited like any other, and is a line of its file once it is stored."""
    page.get_by_text("Add a card").click()
    page.fill("#add [name='field.name']", "Night Lamp")
    page.get_by_role("button", name="Add as draft").click()
    playwright.expect(page.locator("#bench-title")).to_have_text("Night Lamp")
    ref = page.input_value("#looks [name=card]")
    typed(page, ref, "light", "2")
    typed(page, ref, "text", "Shines.")
    page.keyboard.press("Alt+s")
    playwright.expect(page.locator("#said")).to_contain_text("cards.csv written")
    assert (folder / "cards.csv").read_text("utf-8").splitlines()[-1] == f"{ref},Night Lamp,lamp,,2,,Shines."


def test_a_cell_that_changed_on_disk_is_settled_by_the_designer(page: Any, folder: Path) -> None:
    """The draft and the file's text stand beside each other; neither is stored before one is chosen."""
    path = folder / "cards.csv"
    typed(page, "L-04", "text", "Puts out two lamps.")
    save(path, path.read_text("utf-8").replace("Puts out one lamp.", "Puts out all lamps."))
    cell(page, "L-04", "text").click()
    conflict = page.locator("#conflicts .conflict")
    playwright.expect(conflict).to_contain_text("Puts out all lamps.")
    page.get_by_role("button", name="Store").click()
    playwright.expect(page.locator("#said")).to_contain_text("another program has changed")
    page.get_by_role("button", name="Take theirs").click()
    playwright.expect(conflict).to_have_count(0)
    playwright.expect(cell(page, "L-04", "text")).to_have_text("Puts out all lamps.")


@pytest.mark.full
def test_overlays_sizes_and_ink_are_those_of_the_layout(page: Any) -> None:
    """The lines are drawn where the layout has them, with their measures in words, at every size and ink."""
    for name in ("trim", "bleed", "safe", "text"):
        page.check(f"#looks [name={name}]")
    playwright.expect(page.locator("#measures")).to_contain_text("text 53.5 × 24.0 mm")
    playwright.expect(page.locator("#after img")).to_have_attribute("src", re.compile("over=trim"))
    shows(page, "#0b7a75", "#b0137f", "#b3540a", "#1d58c9", 'viewBox="-1.5 -1.5 66.5 91.9"')
    page.select_option("#looks [name=size]", "tarot")
    playwright.expect(page.locator("#measures")).to_contain_text("trim 69.8 × 120.7 mm")
    page.select_option("#looks [name=ink]", "text")
    playwright.expect(page.locator("#after img")).to_have_attribute("src", re.compile("ink=text"))


@pytest.mark.parametrize(
    ("width", "look"),
    [(PHONE, "dark"), *(pytest.param(*rest, marks=pytest.mark.full) for rest in LOOKS if rest != (PHONE, "dark"))],
)
def test_the_studio_is_readable_everywhere(page: Any, width: int, look: str) -> None:
    """No violation of accessibility in three widths, light and dark, with a faulty cell; nothing is too wide."""
    typed(page, "L-02", "light", "dim")
    assert_readable(page, [(width, look)])
    cell(page, "L-02", "light").click()
    with page.expect_response("**/studio/choose"):
        page.keyboard.press("Escape")


@pytest.mark.full
def test_without_script_a_card_is_a_form(browser: Any, server: Server, folder: Path) -> None:
    """The form of a card makes drafts, says what is wrong with a field, and the button stores."""
    context = browser.new_context(java_script_enabled=False)
    plain = context.new_page()
    plain.goto(f"{server.address}/studio?token={server.front.entry()}&q=type:lamp&card=L-02")
    plain.fill("#field-light", "dim")
    plain.get_by_role("button", name="Keep as draft").click()
    assert "whole number" in plain.inner_text("#fault-light")
    plain.fill("#field-light", "5")
    plain.get_by_role("button", name="Keep as draft").click()
    assert plain.inner_text("#counts").startswith("1 draft")
    plain.get_by_role("button", name="Store").click()
    assert "stored, cards.csv written" in plain.inner_text("#said")
    assert "L-02,Blue Lamp,lamp,,5," in (folder / "cards.csv").read_text("utf-8")
    context.close()


@pytest.mark.full
def test_a_public_front_has_no_studio(folder: Path) -> None:
    """Its head does not name it, and its addresses are refused."""
    with serving(folder, public=True) as running:
        assert running.ask("/studio", owner=False).status == 403
        assert running.ask("/studio/state", owner=False).status == 403
        assert b'href="/studio"' not in running.ask("/check", owner=False).body


def test_an_edit_without_the_forms_token_is_refused(server: Server) -> None:
    """A form from another page changes nothing."""
    cells = json.dumps([["L-01", "text", "x"]])
    body = f"cells={cells}&game=lanterns".encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    assert server.ask("/studio/edit", body, headers=headers).status == 403


@pytest.mark.parametrize("count", [300, pytest.param(2000, marks=pytest.mark.full)])
def test_every_card_of_a_large_set_is_reached(browser: Any, tmp_path: Path, count: int) -> None:
    """Only the rows that are seen are drawn; keys, scrolling and edits reach all, and no script pages through them."""
    project = own_project(tmp_path)
    rows = [f"M-{number:04},Lamp {number},lamp,3,red,Shines." for number in range(count)]
    cards = tmp_path / "cards.csv"
    save(cards, "\n".join(["ref,name,type,light,colours,text", *rows]) + "\n")
    assert project.load(cards, game="lanterns", prune=True).ok
    with serving(tmp_path) as server, watched_page(browser, server) as page:
        page.goto(f"{server.address}/studio?token={server.front.entry()}")
        playwright.expect(page.locator("#grid")).to_have_attribute("aria-rowcount", re.compile(r"^\d{3,}$"))
        drawn = page.locator("#grid tbody tr")
        playwright.expect(drawn.first).to_have_attribute("aria-rowindex", "2")
        playwright.expect(drawn.nth(99)).to_have_count(0)  # the script has the grid
        cell(page, "M-0000", "name").click()
        page.keyboard.press("Control+End")
        active = "document.activeElement.closest('tr')?.ariaRowIndex"
        most = page.get_attribute("#grid", "aria-rowcount")
        assert int(most) > count and page.evaluate(active) == most
        playwright.expect(cell(page, f"M-{count - 1:04}", "name")).to_be_in_viewport()
        assert drawn.count() < 100
        page.locator(".scroll").evaluate("box => { box.scrollTop = 0; }")
        playwright.expect(cell(page, "M-0000", "name")).to_be_in_viewport()
        page.keyboard.press("ArrowUp")
        assert page.evaluate(active) == str(int(most) - 1), "the keys go on where they were"
        typed(page, f"M-{count - 2:04}", "light", "8")
        playwright.expect(page.locator("#counts")).to_have_text(re.compile("^1 draft"))
        plain = server.ask("/studio?card=M-0150").body.decode()
        assert plain.count('<tr data-ref="') == 100 and "201 to 300" in plain


@pytest.mark.full
def test_enter_keeps_the_face_of_the_edited_card(page: Any) -> None:
    """Enter goes down for the next text, and the face stays until another card is chosen."""
    typed(page, "L-02", "name", "Storm Lamp")
    assert page.evaluate("document.activeElement.closest('tr').dataset.ref") == "L-03"
    playwright.expect(page.locator("#bench-title")).to_have_text("Storm Lamp")
    page.keyboard.press("ArrowDown")
    playwright.expect(page.locator("#bench-title")).not_to_have_text("Storm Lamp")
    cell(page, "L-02", "name").click()
    with page.expect_response("**/studio/choose"):
        page.keyboard.press("Escape")


def test_a_text_is_edited_within_and_esc_brings_back_what_was_typed_over(page: Any) -> None:
    """F2 and a second click set the caret behind the text; typing replaces it, and Esc leaves it as it was."""
    target = cell(page, "L-03", "name")
    before = target.inner_text()
    for begin in (lambda: page.keyboard.press("F2"), target.click):
        target.click()
        begin()
        page.keyboard.type("!")
        assert target.locator("input, textarea").input_value() == before + "!"
        page.keyboard.press("Escape")
        assert target.inner_text() == before
        cell(page, "L-01", "name").click()
    target.click()
    page.keyboard.type("New")
    assert target.locator("input, textarea").input_value() == "New"
    page.keyboard.press("Escape")
    assert target.inner_text() == before and "1 draft" not in page.inner_text("#counts")


@pytest.mark.full
def test_the_face_stands_beside_the_table_on_a_small_screen(page: Any) -> None:
    """At 800 pixels table and face are side by side, and the example of a query is one of this game."""
    page.set_viewport_size({"width": 800, "height": 900})
    table, face = page.locator(".scroll").bounding_box(), page.locator("#after img").bounding_box()
    assert face["x"] >= table["x"] + table["width"] and face["y"] < table["y"] + table["height"]
    assert face["x"] + face["width"] <= 800
    assert "Carthage" not in page.locator("#q").get_attribute("placeholder")


@pytest.mark.full
def test_a_sheet_on_the_web_is_asked_again(page: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What differs from the stored cards is shown, again when the page is looked at again; nothing is stored by it."""
    text = (folder / "cards.csv").read_text("utf-8")
    told = page.locator("#sheet-told")
    rows = {"now": text}
    monkeypatch.setattr(studio_room, "fetch", lambda address: NamedBytes(rows["now"].encode(), "cards.csv"))
    page.locator("summary", has_text="Watch a sheet").click()
    page.fill("#sheet input[name=url]", "https://example.org/sheet")
    page.click("#sheet button")
    told.get_by_text("has the same cards as the catalogue").wait_for()
    rows["now"] = text.replace("Red Lamp", "Crimson Lamp")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    told.get_by_text("1 card changed, 0 new, 0 missing from the sheet").wait_for()
    assert "name: Red Lamp Crimson Lamp" in " ".join(told.inner_text().split())
    assert told.locator("form[action='/import'] input[name=url]").get_attribute("value") == "https://example.org/sheet"
    with page.expect_response(re.compile("/studio/sheet")):
        page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert "Red Lamp" in (folder / "cards.csv").read_text("utf-8")
