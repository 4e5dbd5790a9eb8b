"""A site without a server: whole, linked, the same bytes, and nobody else's files touched."""

from __future__ import annotations

import json
import os
import re
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest

from carddb.cli.main import run
from carddb.core.plain_text import plural
from carddb.door import Project
from carddb.game.parts import PageWords
from carddb.web.http.pages import environment
from carddb.web.site import PageLanguage
from tests.conftest import OUTSIDE, Told

Call = Callable[..., Told]

CARDS = (
    "ref,name,type,effect,reserve_cost\n"
    "T-1,Žižka's Wagon,item,Draw a card.,1000\n"
    "T-2,<b>Ram</b>,item,Draw two cards.,2000\n"
    "con,Aux,item,Draw three cards.,3000\n"
)


DOCUMENTS = 6
"""The cards that the game's own documents name stay beside those of one's own."""
OTHERS = 7
"""The other pages: two start pages, two of rules, all decks, the one deck, and what changed."""
DECK = "Game: cahrd\nName: Own\n\n2 Žižka's Wagon [T-1]\n1 Aux [con]\n"
BANS = (
    "lists: {long: {title: War, zone: UTC, format: war}}\n"
    "levels: {1: {max_copies: 2, status: official}}\n"
    "announcements:\n"
    "- {id: first, made: 2026-01-01T12:00:00Z, effective: 2026-01-10, kind: change,"
    " changes: [{list: long, card: T-2, from: 0, to: 1, why: Tried.}]}\n"
)
COMMAND = ("site", "-o", "web", "--game", "cahrd", "--on", "2026-06-20", "--url", "https://example.org/c",
           "--since", "2026-01-01")  # fmt: skip


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with the site of three cards of one's own, made once."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    (folder / "bans.yaml").write_text(BANS, "utf-8")
    (folder / "decks").mkdir()
    (folder / "decks" / "own.deck").write_text(DECK, "utf-8")
    before = Path.cwd()
    os.chdir(folder)
    try:
        assert run(["-q", "load", "cards.csv", "--game", "cahrd"]) == 0
        assert run(["-q", "bans", "announce", "bans.yaml", "--game", "cahrd"]) == 0
        assert run(["-q", *COMMAND, "--jobs", "1"]) == 0
    finally:
        os.chdir(before)
    return folder


@pytest.fixture
def site(written: Path, folder: Path) -> Path:
    """That site, in a project of this test."""
    shutil.copytree(written, folder, dirs_exist_ok=True)
    return folder / "web"


@pytest.mark.door
def test_every_link_of_a_site_leads_to_a_file(site: Path) -> None:
    """Pages, faces, styles, scripts and PDFs that a page names are there, with no address elsewhere but sources."""
    pages = [page for page in site.rglob("*.html") if "bans" not in page.parts]
    assert len(pages) == 3 + DOCUMENTS + OTHERS
    for page in pages:
        for link in re.findall(r'(?:href|src)="([^"]+)"', page.read_text("utf-8")):
            parts = urlsplit(link)
            if not (parts.scheme or link.startswith("#")):
                assert (page.parent / unquote(parts.path)).is_file(), f"{page}: {link}"


@pytest.mark.door
def test_every_page_of_a_site_names_an_icon(site: Path) -> None:
    """No page makes a browser look for an icon at the root of its server, where there may be none."""
    pages = list(site.rglob("*.html"))
    assert pages and all('<link rel="icon" href="' in page.read_text("utf-8") for page in pages)


@pytest.mark.full
def test_a_site_written_again_changes_nothing_and_keeps_what_is_foreign(site: Path, call: Call) -> None:
    """The same input leaves every file untouched, whoever draws and prints; a file of somebody else's stays."""
    (site / "CNAME").write_text("cards.example.org\n")
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    assert call(*COMMAND, "--jobs", "2").code == 0
    after = {path: path.stat().st_mtime_ns for path in site.rglob("*") if path.is_file()}
    assert sorted(path for path, _ in before.items() ^ after.items()) == []


@pytest.mark.full
def test_a_card_that_is_gone_loses_its_page(site: Path, folder: Path, call: Call) -> None:
    """What the site itself wrote and no longer has is removed."""
    (folder / "cards.csv").write_text(CARDS.rpartition("con,")[0], "utf-8")
    assert call("load", "cards.csv", "--game", "cahrd", "--prune", "--from", "2026-06-01").code == 0
    assert call("site", "-o", "web", "--game", "cahrd", "--on", "2026-06-20").code == 0
    assert len(list((site / "cahrd" / "cards").glob("*.html"))) == 2 + DOCUMENTS


@pytest.mark.full
def test_the_sheets_of_a_site_are_those_of_the_command(site: Path, call: Call, folder: Path) -> None:
    """The PDF to print is byte for byte that of `carddb sheets`."""
    command = ("sheets", "game:cahrd", "--game", "cahrd", "--on", "2026-06-20", "-o", "sheets.pdf", "--allow-faults")
    assert call(*command).code == 0
    assert (site / "cahrd" / "cards.pdf").read_bytes() == (folder / "sheets.pdf").read_bytes()


@pytest.mark.door
def test_the_index_has_every_card_and_names_are_escaped(site: Path) -> None:
    """The search has a line a card in the order of the page; markup in a name is text."""
    script = (site / "cahrd" / "cards.js").read_text("utf-8")
    index = json.loads(script.removeprefix("window.CARDS = ").rstrip().rstrip(";"))
    page = (site / "cahrd" / "index.html").read_text("utf-8")
    assert len(index) == page.count('class="face"') == 3 + DOCUMENTS
    assert "<b>Ram</b>" not in page and "&lt;b&gt;Ram&lt;/b&gt;" in page


@pytest.mark.door
def test_a_gallery_is_in_sections_by_kind(site: Path) -> None:
    """Each kind of card has a link with its number, which leads to its section."""
    page = (site / "cahrd" / "index.html").read_text("utf-8")
    kinds = re.findall(r'<a href="#(kind-\d)">(\w+) <small>(\d+)</small>', page)
    sections = page.split('<section id="')[1:]
    assert len(kinds) > 1
    for (anchor, kind, count), section in zip(kinds, sections, strict=False):
        labels = re.findall(r"<small>([^<]+)</small>", section)
        assert section.startswith(f'{anchor}"') and labels == labels[:1] * int(count)
        assert kind == plural(labels[0])


@pytest.mark.door
def test_a_deck_is_a_page_with_its_cards(site: Path) -> None:
    """The page of a deck has each of its cards that the site has, with the number of copies and a link."""
    page = (site / "cahrd" / "decks" / "own.html").read_text("utf-8")
    shown = re.findall(r'href="\.\./cards/([\w-]+)\.html">.*?class="times">(\d+) ×', page)
    assert sorted(shown) == [("T-1", "2"), ("x-con", "1")]


@pytest.mark.door
def test_every_page_has_the_head_of_the_site(site: Path) -> None:
    """From the rules as from every other page, a link leads to the game's start page."""
    bans = [str(path.relative_to(site)) for path in (site / "cahrd" / "bans").rglob("*.html")]
    assert bans
    for path in ("cahrd/rules.html", "cahrd/reference.html", "cahrd/decks/own.html", *bans):
        page = site / path
        links = re.findall(r'href="([^"]+)"', page.read_text("utf-8").partition("</header>")[0])
        assert (site / "cahrd" / "index.html").resolve() in {(page.parent / link).resolve() for link in links}, path


@pytest.mark.door
def test_the_sitemap_names_every_page(site: Path) -> None:
    """With an address there is a sitemap of all pages, as XML."""
    tree = ElementTree.fromstring((site / "sitemap.xml").read_text("utf-8"))
    places = {element.text for element in tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")}
    assert places == {f"https://example.org/c/{page.relative_to(site).as_posix()}" for page in site.rglob("*.html")}


ARABIC = "ref,name,effect\nT-1,عربة جيجكا,اسحب ورقة.\nT-2,<b>كبش</b>,\n"


@pytest.mark.full
def test_a_site_is_written_in_a_language(site: Path, folder: Path, call: Call) -> None:
    """Cards, faces, sheets and search have the words of the language, what has none is marked, and told once."""
    (folder / "cards.ar.csv").write_text(ARABIC, "utf-8")
    assert call("load", "cards.ar.csv", "--game", "cahrd", "--from", "2026-06-01").code == 0
    told = call(*COMMAND, "--lang", "ar")
    assert told.code == 0, told.err
    assert told.err.count("not translated into ar") == told.err.count("there is no rule sheet in ar") == 1
    page = (site / "cahrd" / "index.html").read_text("utf-8")
    assert page.startswith('<!doctype html>\n<html lang="ar" dir="rtl">')
    assert '<span class="name">عربة جيجكا</span>' in page and "&lt;b&gt;كبش&lt;/b&gt;" in page
    assert '<span class="name"><span lang="en" dir="ltr">Aux</span></span>' in page
    index = json.loads((site / "cahrd" / "cards.js").read_text("utf-8").removeprefix("window.CARDS = ").rstrip(";\n"))
    assert any("اسحب ورقه" in card["words"] or "اسحب ورقة" in card["words"] for card in index)
    assert any('lang="ar"' in face.read_text("utf-8") for face in (site / "cahrd" / "faces").glob("*.svg"))
    assert '<html lang="en">' in (site / "cahrd" / "rules.html").read_text("utf-8")[:200], "its sheet is English"
    sheets = ("sheets", "game:cahrd", "--game", "cahrd", "--on", "2026-06-20", "-o", "ar.pdf", "--allow-faults")
    assert call(*sheets, "--lang", "ar").code == 0
    assert (site / "cahrd" / "cards.pdf").read_bytes() == (folder / "ar.pdf").read_bytes()


@pytest.mark.full
def test_each_double_faced_card_has_its_own_back(folder: Path, call: Call) -> None:
    """The page of a double-faced card shows its other face, and a game without a rule sheet has a site without one."""
    game = Path(shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns"))
    (game / "guide.md").unlink()
    spec = (game / "game.yaml").read_text("utf-8")
    reverse = "face: card.svg, back: back.svg, reverse: {name: other}}\n  wind"
    spec = spec.replace("face: card.svg, back: back.svg}\n  wind", reverse).replace("  text:", "  other: {}\n  text:")
    (game / "game.yaml").write_text(spec, "utf-8")
    (folder / "carddb.toml").write_text('game = "lanterns"\ngames = ["lanterns"]\n', "utf-8")
    cards = "ref,name,type,light,other\nL-1,One,lamp,1,First\nL-2,Two,lamp,2,Second\nL-3,Three,lamp,3,\n"
    (folder / "own.csv").write_text(cards, "utf-8")
    assert call("load", "own.csv").code == 0
    told = call("site", "-o", "web", "--game", "lanterns", "--on", "2030-01-01")
    assert told.code == 0, told.err
    site = folder / "web" / "lanterns"
    pages = [(site / "cards" / f"L-{number}.html").read_text("utf-8") for number in (1, 2, 3)]
    backs = [re.findall(r"faces/(back-\w+\.svg)", page)[0] for page in pages]
    assert len(set(backs)) == 3, "and the third the back of all others"
    assert "rules.html" not in pages[0] + (site / "index.html").read_text("utf-8")
    assert not (site / "rules.pdf").exists()


def test_words_of_a_page_are_the_games_in_its_language_else_english() -> None:
    """A word that a game has is plain, one that it lacks is marked as English; in English nothing is marked."""

    def words(lang: str, of_game: PageWords) -> Any:
        page = PageLanguage(lang, "en", of_game)
        return environment().get_template("site/_words.html").make_module({"page": page})

    german = words("de", PageWords(cards="Karten", several_cards="{count} Karten"))
    assert (german.say("cards"), german.amount(3)) == ("Karten", "3 Karten")
    assert german.say("decks") == '<span lang="en">Decks</span>'
    assert german.marked("<Ram>", {"<Ram>"}) == '<span lang="en">&lt;Ram&gt;</span>'
    assert german.attributes("ar").strip() == 'lang="ar" dir="rtl"'
    english = words("en", PageWords())
    assert (english.say("decks"), english.attributes("en").strip()) == ("Decks", "")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture(scope="module")
def place(written: Path) -> Iterator[str]:
    """Where a plain server of files has the site."""
    handler = partial(_Quiet, directory=str(written / "web"))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def _faults(browser: Any, address: str) -> list[str]:
    """What a page logs in a browser of its own, and what it wants from elsewhere or in vain."""
    faults: list[str] = []
    asked: list[str] = []
    answers: list[tuple[bool, str]] = []
    with closing(browser.new_context()) as context:
        page = context.new_page()
        page.on("console", lambda message: faults.append(f"{address}: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"{address}: {error}"))
        page.on("request", lambda request: asked.append(request.url))
        page.on("response", lambda answer: answers.append((answer.ok, f"{answer.status} {answer.url}")))
        page.goto(address)
        page.wait_for_load_state("networkidle")
    faults += [words for is_good, words in answers if not is_good]
    return faults + [url for url in asked if not url.startswith(("http://127.0.0.1", "data:"))]


def _pages(written: Path) -> list[str]:
    tree = ElementTree.parse(written / "web" / "sitemap.xml")
    places = tree.iter("{http://www.sitemaps.org/schemas/sitemap/0.9}loc")
    return [(element.text or "").removeprefix("https://example.org/c/") for element in places]


@pytest.mark.door
@pytest.mark.full
def test_a_page_of_each_folder_is_quiet(browser: Any, written: Path, place: str) -> None:
    """The first page, a gallery, a card: they log nothing, and want nothing that is not there or elsewhere."""
    kinds = {PurePosixPath(path).parent: path for path in _pages(written)}
    assert len(kinds) >= 3
    assert [fault for path in kinds.values() for fault in _faults(browser, place + path)] == []


@pytest.mark.door
@pytest.mark.full
def test_every_page_of_the_sitemap_is_quiet(browser: Any, written: Path, place: str) -> None:
    """No page that the sitemap names logs anything, or asks for what is not there or elsewhere."""
    assert [fault for path in _pages(written) for fault in _faults(browser, place + path)] == []


@pytest.mark.door
def test_the_search_of_a_gallery_works_from_a_disk(browser: Any, written: Path) -> None:
    """Opened as a file, words narrow the gallery, whatever their accents or a slip; what stays leads to its page."""
    with closing(browser.new_context()) as context:
        page = context.new_page()
        faults: list[str] = []
        page.on("console", lambda message: faults.append(message.text))
        page.goto((written / "web" / "cahrd" / "index.html").as_uri())
        page.get_by_label("Find cards").fill("zizka draw")
        assert [name.inner_text() for name in page.locator("#cards li:visible .name").all()] == ["Žižka's Wagon"]
        assert page.inner_text("#count") == f"1 of {3 + DOCUMENTS} cards"
        project = Project(written)
        for query in (
            '"draw two"',
            "two draw",
            '"two draw"',
            "dra",
            "raw",
            "draw -two",
            'wagon or "two cards"',
            "ŽIŽKA’S",
        ):
            page.get_by_label("Find cards").fill(query)
            names = {name.inner_text() for name in page.locator("#cards li:visible .name").all()}
            assert names == {card.name for card in project.cards(query, game="cahrd", on=date(2026, 6, 20))}, query
        page.get_by_label("Find cards").fill("zikza drwa")
        assert [name.inner_text() for name in page.locator("#cards li:visible .name").all()] == ["Žižka's Wagon"]
        page.get_by_label("Find cards").fill("")
        page.locator("#cards nav a", has_text="Item").click()
        assert {label.inner_text() for label in page.locator("#cards li:visible small").all()} == {"Item"}
        page.get_by_label("Find cards").fill("no such words")
        assert page.locator("#none").is_visible()
        page.get_by_label("Find cards").fill("wagon")
        page.get_by_role("link", name="Žižka's Wagon").click()
        assert page.inner_text("h1") == "Žižka's Wagon"
        assert faults == []


@pytest.mark.door
def test_changes_are_a_page_and_a_feed(site: Path) -> None:
    """With a day to begin with, the game's page links to both, and the page leads back to the game's."""
    folder = site / "cahrd"
    page = (folder / "index.html").read_text("utf-8")
    assert 'href="changes.html"' in page and 'href="changes.xml"' in page
    told = (folder / "changes.html").read_text("utf-8")
    assert "from 1 January 2026 to 20 June 2026" in told and 'href="index.html" aria-current="page"' in told
    assert ElementTree.parse(folder / "changes.xml").getroot().tag.endswith("feed")
