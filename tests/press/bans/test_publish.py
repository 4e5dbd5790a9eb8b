"""A ban list in all its forms: they agree, they are harmless, and they are the same every time."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

import jsonschema
import pypdfium2
import pytest

from carddb.bans.log import Announcement, Change, GroupSpec, LevelSpec, ListSpec, Log
from carddb.cards.cards import Card
from carddb.core.assets import schema
from carddb.games import Game, folders, load
from carddb.layout.templates.template import Templates
from carddb.press.bans.discord import LONGEST, discord, escaped, length
from carddb.press.bans.issue import Issue, collect, file_names
from carddb.press.bans.pictures import CardPicture, card_pictures
from carddb.press.bans.publish import Published, publish
from carddb.press.bans.site import stable_id
from carddb.press.bans.wording import Publication, headline, one_line
from carddb.press.faces.workshop import Workshop, open_workshop
from tests.conftest import Calls
from tests.press.bans import readers, samples
from tests.rows import every, usually

ON = date(2026, 5, 15)


@cache
def game() -> Game:
    found, _ = load(folders()["cahrd"])
    assert found
    return found


@cache
def workshop() -> Workshop:
    return open_workshop(game())


def issue(log: Log, *keys: str, on: date = ON, known_at: datetime | None = None) -> Issue:
    return collect(log, keys or ("short", "long"), samples.NAMES, Publication(game().spec, True), on, known_at)


@cache
def pictures() -> Mapping[str, CardPicture]:
    return card_pictures(workshop(), (card for card in game().own_cards if card.ref in samples.NAMES))


@cache
def published() -> Published:
    return publish(workshop(), replace(issue(samples.log()), pictures=pictures()))


@cache
def crowded() -> Log:
    """A list of two hundred cards, announced at once."""
    steps = tuple(samples.step(f"X-{at:03}", 0, 1 + at % 3, f"Reason {at} " * 9) for at in range(200))
    return samples.log()._replace(announcements=(samples.told("2026-05-01-a", 6, steps),))


REFS = (*samples.NAMES, *(f"X-{at:03}" for at in range(200)))


@pytest.mark.full
def test_every_form_of_an_announcement_lists_the_same_cards() -> None:
    """Notice on both papers, page, data, feed and messages have the same cards at the same levels."""
    files = published().files
    edition = issue(samples.log()).lists[0].newest
    assert edition and edition.news
    name = edition.news.announcement.id
    parts = [data.decode() for path, data in files.items() if path.startswith(f"short/discord/{name}-")]
    wanted = {(row.ref, row.level) for row in edition.rows}
    assert len(wanted) > 8
    assert readers.json_pairs(files[f"short/announcements/{name}.json"]) == wanted
    assert readers.html_pairs(files[f"short/{name}.html"]) == wanted
    assert readers.feed_pairs(files["short/feed.xml"], headline(edition)) == wanted
    assert readers.discord_pairs(parts) == wanted
    for paper in ("letter", "a4"):
        assert readers.pdf_pairs(files[f"short/notice-{paper}.pdf"], REFS) == wanted


@pytest.mark.full
def test_every_form_of_the_list_has_the_same_cards() -> None:
    """Sheet, card, page, current data and the last of the history agree on the list of a day."""
    files = published().files
    wanted = {(row.ref, row.level) for row in issue(samples.log()).lists[0].current.rows}
    last = max(path for path in files if path.startswith("short/history/"))
    assert wanted
    assert readers.json_pairs(files["short/current.json"]) == wanted
    assert readers.json_pairs(files[last]) == wanted
    assert readers.html_pairs(files["short/index.html"]) == wanted
    for paper in ("letter", "a4"):
        assert readers.pdf_pairs(files[f"short/list-{paper}.pdf"], REFS) == wanted
        assert readers.pdf_pairs(files[f"short/card-{paper}.pdf"], REFS) == wanted


def test_a_card_that_only_a_group_restricts_is_on_a_list() -> None:
    """The index of cards names the group of each of its members, and the start page counts and shows them."""
    files = published().files
    current = issue(samples.log()).lists[0].current
    alone = {member.ref for group in current.in_force for member in group.members} - {row.ref for row in current.rows}
    assert alone
    cards, index = (files[name].decode() for name in ("cards/index.html", "index.html"))
    for ref in alone:
        entry = cards.partition(f"<bdi>{ref}</bdi>")[2].partition("</li>")[0]
        assert ": group " in entry and "on no list" not in entry, ref
        assert index.count(f'href="cards/{ref}.html"')
    assert f"{len(current.rows) + len(alone)} cards," in index


@pytest.mark.full
def test_a_long_list_goes_over_several_pages_whole() -> None:
    """Two hundred cards with their reasons lose none on paper, on cards or in messages."""
    found = publish(workshop(), issue(crowded(), "short"), ("letter",))
    wanted = {(f"X-{at:03}", 1 + at % 3) for at in range(200)}
    assert readers.pdf_pairs(found.files["short/notice-letter.pdf"], REFS) == wanted
    assert readers.pdf_pairs(found.files["short/card-letter.pdf"], REFS) == wanted
    assert len(readers.pdf_pages(found.files["short/notice-letter.pdf"])) > 1
    assert [finding for finding in found.findings if finding.code != "glyph_missing"] == []


def test_the_notice_of_a_usual_announcement_is_one_page() -> None:
    """Notice and sheet of a dozen cards stand on one page of either paper."""
    for path, data in published().files.items():
        if "notice" in path or "list-" in path:
            assert len(readers.pdf_pages(data)) == 1, path


@pytest.mark.full
@pytest.mark.door
def test_the_same_input_gives_the_same_bytes() -> None:
    """A second publication, made anew, is equal to the first in every file."""
    again = open_workshop(game())
    own = card_pictures(again, (card for card in game().own_cards if card.ref in samples.NAMES))
    assert publish(again, replace(issue(samples.log()), pictures=own)).files == published().files


def test_the_data_follows_its_schema() -> None:
    """Every edition written as JSON is valid by the published schema."""
    files = published().files
    rules, ahead = (json.loads(files[name]) for name in ("bans.schema.json", "bans-upcoming.schema.json"))
    assert files["bans.schema.json"] == (schema() / "bans.schema.json").read_bytes()
    for path in ("short/upcoming.json", "long/upcoming.json"):
        jsonschema.validate(json.loads(files[path]), ahead)
    editions = [path for path in files if path.endswith(".json") and "schema" not in path and "upcoming" not in path]
    for path in editions:
        jsonschema.validate(json.loads(files[path]), rules)
    assert len(editions) > 10


def test_the_pages_hold_nothing_that_runs() -> None:
    """No script, no handler, no address but of the web or of the folder; the words of others are words."""
    allowed = {"href", "class", "lang", "charset", "name", "content", "rel", "type", "title", "scope", "id",
               "aria-label", "aria-current", "viewbox", "role", "d", "fill", "stroke", "stroke-width"}  # fmt: skip
    pictures = {"src", "alt", "width", "height", "loading", "decoding"}
    for path, data in published().files.items():
        if path.endswith(".html"):
            page = readers.Page(data.decode())
            assert not {tag for tag, _ in page.elements} & {"script", "iframe", "b2", "style"}, path
            others = (given for tag, given in page.elements if tag != "img")
            assert {name for given in others for name in given} <= allowed, path
            for given in (given for tag, given in page.elements if tag == "img"):
                assert given.keys() <= pictures, path
                folder = posixpath.normpath(posixpath.join(posixpath.dirname(path), str(given["src"])))
                assert folder.startswith(("faces/", "thumbnails/")), path
    shown = "".join(readers.Page(published().files["short/index.html"].decode()).words)
    assert '<script>alert("1")</script> & Sons' in shown
    assert samples.REASON.splitlines()[0] in shown


def test_pages_show_the_cards() -> None:
    """A card's page has its face with what it shows in words; wherever else it is named, a small one stands beside."""
    files = published().files
    assert len(pictures()) > 4
    names = issue(samples.log()).cards
    names_of = {card.ref: card.name for card in game().own_cards}
    for ref, picture in pictures().items():
        images = [given for tag, given in readers.Page(files[f"cards/{names[ref]}.html"].decode()).elements
                  if tag == "img"]  # fmt: skip
        assert [image["alt"] for image in images] == [picture.words]
        assert picture.words.startswith(f"{names_of[ref]}, ")
    listed = {ref for ref, _ in readers.html_pairs(files["short/index.html"])} & pictures().keys()
    shown = {image["src"] for tag, image in readers.Page(files["short/index.html"].decode()).elements if tag == "img"}
    assert listed and {f"../thumbnails/{names[ref]}.webp" for ref in listed} <= shown


def test_notices_and_lists_show_the_cards_where_there_is_room() -> None:
    """On paper a face stands beside the change of its card; no page more is taken for it, and a file stays light."""
    seen = 0
    for path, data in published().files.items():
        if path.endswith(".pdf") and ("notice" in path or "list-" in path):
            assert len(data) < 400_000, path
            document = pypdfium2.PdfDocument(data)
            assert len(document) == 1, path
            seen += sum(1 for each in document[0].get_objects() if each.type == pypdfium2.raw.FPDF_PAGEOBJ_IMAGE)
    assert seen >= 4


@pytest.mark.full
@pytest.mark.parametrize("key", ["cahrd", "cdg-solo", "empires-and-generals", "guarda", "rishar"])
def test_the_pictures_of_cards_are_light(key: str) -> None:
    """In every game the face of a page has at most 60 kB and 480 pixels across, the one beside a name 12 kB."""
    one, _ = load(folders()[key])
    assert one
    for picture in card_pictures(open_workshop(one), list(one.own_cards)[:2]).values():
        assert len(picture.data) < 60_000 and len(picture.small) < 12_000
        assert picture.size[0] == 480
        assert picture.data[8:12] == picture.small[8:12] == b"WEBP"


def test_many_cards_have_narrower_faces_and_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pictures of a publication stay light in all: the more cards, the narrower, and from a number on none."""
    from carddb.press.bans import pictures as module

    monkeypatch.setattr(module, "_WIDTHS", ((1, 480, 144), (2, 320, 96)))
    monkeypatch.setattr(module, "MOST", 2)
    cards = list(game().own_cards)[:3]
    drawn = card_pictures(workshop(), cards)
    assert list(drawn) == [card.ref for card in cards[:2]]
    assert {picture.size[0] for picture in drawn.values()} == {320}


@pytest.mark.full
def test_pictures_of_faces_serve_the_next_publication(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls_to: Calls
) -> None:
    """Only a face that looks otherwise is made into a picture again, and all pictures are those of a run without."""
    from carddb.press.bans import pictures as module

    monkeypatch.setenv("CARDDB_CACHE", str(tmp_path / "cache"))
    made = calls_to(module, "pngs")
    first, second = list(game().own_cards)[:2]
    changed = Card(second.game, second.ref, {**second.values, "name": "Otherwise"}, second.aliases)
    before = card_pictures(workshop(), [first, second])
    assert card_pictures(workshop(), [first, second]) == before and numbers(made) == [2]
    after = card_pictures(workshop(), [first, changed])
    assert numbers(made) == [2, 1] and after[first.ref] == before[first.ref]
    assert after[second.ref].data != before[second.ref].data
    assert card_pictures(workshop(), [second, first]) == before and numbers(made) == [2, 1]
    monkeypatch.setenv("CARDDB_CACHE", "")
    assert card_pictures(workshop(), [first, changed]) == after and numbers(made) == [2, 1, 2]


def numbers(calls: list[tuple[Any, ...]]) -> list[int]:
    """How many faces each call made into pictures."""
    return [len(faces) for faces, *_ in calls]


@pytest.mark.parametrize("part", ["made by another version", "no room"])
@pytest.mark.full
def test_pictures_that_do_not_hold_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, calls_to: Calls, part: str
) -> None:
    """Pictures of another version of the program serve nobody, and those beyond the room of the cache are not there."""
    from carddb.press.bans import pictures as picture_cache

    monkeypatch.setenv("CARDDB_CACHE", str(tmp_path / "cache"))
    made = calls_to(picture_cache, "pngs")
    if part == "no room":
        monkeypatch.setattr(picture_cache, "_MOST_BYTES", 1)
    cards = list(game().own_cards)[:2]
    before = card_pictures(workshop(), cards)
    if part != "no room":
        monkeypatch.setattr(picture_cache, "PDFIUM_INFO", "another")
    assert card_pictures(workshop(), cards) == before and numbers(made) == [2, 1 if part == "no room" else 2]


def test_a_face_that_cannot_be_drawn_stops_no_publication() -> None:
    """Its card is listed without a picture."""
    broken = replace(workshop(), kit=replace(workshop().kit, templates=Templates({})))
    assert card_pictures(broken, list(game().own_cards)[:1]) == {}


def test_every_page_says_that_it_has_no_icon() -> None:
    """No browser looks for one at the root of the server that has the pages."""
    pages = [data for path, data in published().files.items() if path.endswith(".html")]
    assert pages and all(b'<link rel="icon" href="data:,">' in data for data in pages)


@usually("keys", [("short", "long"), ("long",)])
def test_every_link_within_the_pages_leads_somewhere(keys: tuple[str, ...]) -> None:
    """Links are relative, and each names a file of the publication."""
    files = published().files if len(keys) > 1 else publish(workshop(), issue(samples.log(), *keys)).files
    for path, data in files.items():
        if path.endswith(".html"):
            for link in readers.Page(data.decode()).links:
                if not link.startswith(("https://example.org/", "data:")):
                    target = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(link)))
                    assert target in files, f"{path}: {link}"


def test_no_part_of_a_message_is_too_long() -> None:
    """Every part is within Discord's limit, and an entry is never cut."""
    edition = issue(crowded(), "short").lists[0].newest
    assert edition
    parts = discord(edition, Publication(game().spec, True))
    assert len(parts) > 4
    assert all(length(part) <= LONGEST for part in parts)
    assert all(part.rstrip().splitlines()[-1].endswith(f"{at} of {len(parts)}") for at, part in enumerate(parts, 1))
    assert readers.discord_pairs(parts) == {(row.ref, row.level) for row in edition.rows}
    assert all(line.startswith("- X-") for part in parts for line in part.splitlines() if "Reason" in line)


@every("text", [*samples.HOSTILE.values(), samples.REASON, "<@&1> :smile: <:a:1> https://x.example"])
def test_a_message_calls_on_nobody(text: str) -> None:
    """No mention, mark or link of somebody's words is left; taken apart again they are the same words."""
    safe = escaped(text)
    assert "@everyone" not in safe and "@here" not in safe and "://" not in safe
    assert not any(f" {mark}" in f" {safe}" for mark in ("*", "_", "~", "`", "|", "#", "<"))
    bare = readers._ESCAPED.sub(r"\1", safe)
    for mark in "\u200b\u2068\u2069":
        bare = bare.replace(mark, "")
    assert bare == one_line(text)


@every("text, safe", [("- a", "\\- a"), ("> a", "\\> a"), ("1. a", "1\\. a"), ("12) a", "12\\) a"), ("3 a", "3 a")])
def test_no_words_begin_a_list_in_a_message(text: str, safe: str) -> None:
    """What would make a list or a quotation of a line that it begins is taken as it stands."""
    assert escaped(text) == safe


def test_marks_that_turn_words_do_not_reach_the_next_ones() -> None:
    """The overrides of direction in a name are in the data alone."""
    for path, data in published().files.items():
        if not path.endswith((".pdf", ".ttf", ".webp")):
            assert not {"\u202e", "\u2066"} & set(data.decode()), path
    current = json.loads(published().files["short/current.json"])
    assert "\u202e" in json.dumps(current, ensure_ascii=False)


def test_the_feed_is_sound() -> None:
    """Ids are distinct and stable, every entry has its times, an answer makes its target newer."""
    root = ET.fromstring(published().files["short/feed.xml"])
    a = readers.ATOM
    entries = {entry.findtext(f"{a}id"): entry for entry in root.findall(f"{a}entry")}
    assert len(entries) == 8
    withdrawn = entries[stable_id("cahrd", "short", "2026-03-03-a")]
    assert withdrawn.findtext(f"{a}published") == "2026-03-03T18:00:00Z"
    assert withdrawn.findtext(f"{a}updated") == "2026-03-22T18:00:00Z"
    assert root.findtext(f"{a}updated") == "2026-05-10T18:00:00Z"
    assert all(entry.find(f"{a}link") is not None for entry in entries.values())
    assert stable_id("cahrd", "short", "2026-03-03-a") == "urn:uuid:0dcfed8a-18b2-5b90-bd1f-5bce77b19015"


def test_a_list_that_nobody_touched_is_published_too() -> None:
    """Without announcements there are pages, a sheet, cards, a feed and data; no notice."""
    found = publish(workshop(), issue(samples.log()._replace(announcements=())), ("a4",)).files
    assert "short/list-a4.pdf" in found and "short/notice-a4.pdf" not in found
    assert readers.json_pairs(found["short/current.json"]) == set()
    assert ET.fromstring(found["short/feed.xml"]).findtext(f"{readers.ATOM}updated") == "2026-05-15T00:00:00Z"


@pytest.mark.full
def test_an_earlier_moment_knows_nothing_of_what_came_later() -> None:
    """What was announced after `known_at` is in no file."""
    made = datetime.fromisoformat("2026-03-10T00:00:00+00:00")
    found = publish(workshop(), issue(samples.log(), "short", known_at=made), ("a4",)).files
    assert not any("2026-05-10-a" in data.decode("utf-8", "replace") for data in found.values())


def test_letters_that_no_font_has_are_told() -> None:
    """A name in a script or with signs that cannot be printed is a warning, never an error."""
    found = published().findings
    assert {(finding.code, str(finding.severity.value)) for finding in found} == {("glyph_missing", "warning")}


@pytest.mark.full
def test_letters_that_no_font_has_are_seen_to_be_missing() -> None:
    """On paper a sign stands for every letter that cannot be printed, so that no name is taken for another."""
    name = "ᎤᏬᏚᎯᎢ"
    found = collect(samples.log(), ("short",), {**samples.NAMES, "H-1": name}, Publication(game().spec, True), ON)
    shown = " ".join(readers.pdf_pages(publish(workshop(), found, ("a4",)).files["short/list-a4.pdf"])[0].split())
    assert "◊" * len(name) in shown and "Fire ◊ Ship" in shown


def test_a_hebrew_name_is_read_on_paper() -> None:
    """A name from right to left stands among others, and is found in the PDF as it was written."""
    if not any(font.family == "Frank Ruhl Libre" for font in workshop().kit.book.fonts.values()):
        pytest.skip("the scripts extra is not installed")
    assert samples.HOSTILE["H-8"] in " ".join(readers.pdf_pages(published().files["short/list-a4.pdf"]))


@pytest.mark.full
def test_pages_bring_the_letters_of_other_scripts() -> None:
    """What the two families lack and the book has comes along as a font, and the style names its letters."""
    log = samples.log()
    names = {**samples.NAMES, "CAH-089": "日本語"}
    found = collect(log, ("short",), names, Publication(game().spec, True), ON)
    files = publish(workshop(), found, ()).files
    assert {f"U+{ord(char):X}" for char in "日本語"} <= set(re.split("[:,}]", files["style.css"].decode()))
    assert b"fonts/more-1.ttf" in files["style.css"] and files["fonts/more-1.ttf"][:4] == b"\0\1\0\0"
    latin = collect(log, ("short",), {**samples.NAMES, "H-8": "Hotel"}, Publication(game().spec, True), ON)
    assert "fonts/more-1.ttf" not in publish(workshop(), latin, ()).files


@pytest.mark.parametrize("note", ["Lists of <nobody>, made up for @everyone & this test."])
@pytest.mark.full
def test_whose_lists_they_are_is_said_everywhere(note: str) -> None:
    """The note of a log stands on every page, on notice and sheet, in the data, the feed and the messages."""
    files = publish(workshop(), replace(issue(samples.log()), publication=Publication(game().spec, True, note))).files
    for path, data in files.items():
        if path.endswith(".html"):
            assert note in "".join(readers.Page(data.decode()).words), path
        if "notice" in path or "list-" in path:
            assert note in " ".join(" ".join(readers.pdf_pages(data)).split()), path
    assert json.loads(files["short/current.json"])["note"] == note
    assert note in (ET.fromstring(files["long/feed.xml"]).findtext(f"{readers.ATOM}subtitle") or "")
    assert "made up for @\u200beveryone" in files["long/discord/2026-01-05-a-1.txt"].decode()


@usually("copies", [None, 1])
@pytest.mark.full
def test_a_level_that_nobody_defined_is_called_so_everywhere(copies: int | None) -> None:
    """C-150: a level of unknown status allows nothing that may be counted on, and every form says so."""
    found = {**samples.levels(), 2: LevelSpec(2, copies, "unknown")}
    log = samples.log()._replace(levels=found)
    files = publish(workshop(), issue(log, "short"), ("a4",)).files
    page = "".join(readers.Page(files["short/index.html"].decode()).words)
    assert "Level 2: not defined (unknown)." in page and "Level 1: at most 2 copies (a proposal, not official)." in page
    for name in ("notice", "list"):
        shown = " ".join(" ".join(readers.pdf_pages(files[f"short/{name}-a4.pdf"])).split())
        assert "Level 2: what it allows is not known" in shown and "Level 2: not defined (unknown)." in shown
    card = readers.pdf_pages(files["short/card-a4.pdf"])[0]
    assert "Level 2: not defined" in card and "Levels: 1, 3 proposal; 2 unknown." in card
    assert "level 2: not defined" in files["short/feed.xml"].decode()
    assert "__Level 2: what it allows is not known__" in files["short/discord/2026-05-10-a-1.txt"].decode()


def test_file_names_are_safe() -> None:
    """Whatever a key is, its file stays in its folder, and no two are one where case does not count."""
    names = file_names(["a", "A", "../x", "x", "con/1", "ü", "ö", "index"], ("index",))
    assert len({name.casefold() for name in names.values()}) == len(names)
    assert all(name and not set(name) & set("/\\:<>|?*") and not name.startswith(".") for name in names.values())
    assert names["index"] != "index" and names["A"] == "A"


def test_a_list_has_a_folder_of_its_own() -> None:
    """A list that is called as a file or folder of the publication stands in another folder."""
    spec = ListSpec("style.css", "Style", "UTC", "war")
    log = samples.log()._replace(lists={"style.css": spec, "cards": spec._replace(key="cards")}, announcements=())
    files = publish(workshop(), issue(log, "style.css", "cards"), ()).files
    folders_ = {path.partition("/")[0] for path in files if path.endswith("current.json")}
    assert len(folders_) == 2 and not folders_ & {"style.css", "cards"}


@every("key", ["CON", "nul.txt", "com1", "Lpt9.a"])
def test_no_file_is_called_after_a_device(key: str) -> None:
    """Names that Windows keeps for devices, whatever their ending, are not those of files."""
    assert file_names([key])[key].startswith("x-")
    assert file_names(["console", "common"]) == {"console": "console", "common": "common"}


def told(kind: str = "change", **rest: str) -> Announcement:
    return samples.told("2026-05-01-a", 2, (Change("short", "CAH-089", "", 0, 1, ""),), kind=kind, **rest)


@usually(
    ("given", "words"),
    [
        (told(), "Not valid: a notice of 2 days is not allowed"),
        (told(waiver="The final is on Sunday"), "Notice waived: The final is on Sunday"),
        (told("correction", target="x"), "Correction of x"),
    ],
)
def test_what_is_unusual_is_said_everywhere(given: Announcement, words: str) -> None:
    """A waiver, a correction, and a notice that is not allowed stand on page, paper, in the feed and in the message."""
    log = samples.log()._replace(announcements=(given,))
    found = publish(workshop(), issue(log, "short"), ("letter",)).files
    assert words in " ".join(readers.pdf_pages(found["short/notice-letter.pdf"])[0].split())
    assert words in "".join(readers.Page(found["short/2026-05-01-a.html"].decode()).words)
    assert words in found["short/discord/2026-05-01-a-1.txt"].decode()
    assert words in found["short/feed.xml"].decode()


def test_a_page_links_to_what_bears_on_it() -> None:
    """An announcement's page leads to those it names, and to those that took it back or crossed it."""
    files = published().files
    links = {
        name: readers.Page(files[f"short/{name}.html"].decode()).links for name in ("2026-03-03-a", "2026-03-22-a")
    }
    assert "2026-03-22-a.html" in links["2026-03-03-a"] and "2026-03-03-a.html" in links["2026-03-22-a"]
    slow, quick = (
        samples.told(id_, days, (samples.step(ref, 0, 1),))
        for id_, days, ref in (("2026-05-01-a", 14, "CAH-114"), ("2026-05-05-a", 4, "CAH-111"))
    )
    crossed = publish(workshop(), issue(samples.log()._replace(announcements=(slow, quick)), "short"), ()).files
    page = readers.Page(crossed["short/2026-05-01-a.html"].decode())
    assert "2026-05-05-a.html" in page.links and "Overtaken by 2026-05-05-a" in "".join(page.words)
    assert "Overtakes 2026-05-01-a" in crossed["short/discord/2026-05-05-a-1.txt"].decode()
    assert json.loads(crossed["short/announcements/2026-05-05-a.json"])["announcement"]["overtakes"] == [slow.id]


@pytest.mark.full
def test_a_group_larger_than_a_page_stands_on_paper_whole() -> None:
    """Every member of a group of a hundred is on the notice, the sheet and the cards, none beyond an edge."""
    log = samples.log()
    group = GroupSpec("crowd", tuple(f"X-{at:03}" for at in range(100)), at_most_different=2)
    switched = samples.told("2026-05-01-a", 6, (Change("short", "", "crowd", 0, 1, samples.REASON),))
    log = log._replace(groups={"crowd": group}, announcements=(switched,))
    found = publish(workshop(), issue(log, "short"), ("a4",))
    for name in ("notice", "list", "card"):
        shown = " ".join(readers.pdf_pages(found.files[f"short/{name}-a4.pdf"]))
        assert all(ref in shown for ref in group.members), name
    assert not found.findings


def test_a_list_says_when_it_changes() -> None:
    """Sheet, card, page and data name the next day for which a change is announced."""
    files = published().files
    assert json.loads(files["short/current.json"])["until"] == "2026-05-22"
    for name in ("list", "card"):
        assert "Changes on Fri 22 May 2026" in readers.pdf_pages(files[f"short/{name}-a4.pdf"])[0]
    assert "Changes on Fri 22 May 2026" in "".join(readers.Page(files["short/index.html"].decode()).words)


def test_a_source_is_a_link_only_where_it_is_an_address() -> None:
    """A source that would run something is text, and one with a mention calls on nobody."""
    steps = (samples.step("CAH-114", 0, 1),)
    for source in ("javascript:alert(1)", 'https://x.example/"onclick="a', "https://x.example/@everyone"):
        log = samples.log()._replace(announcements=(samples.told("2026-05-01-a", 5, steps, source=source),))
        files = publish(workshop(), issue(log, "short"), ()).files
        page = readers.Page(files["short/2026-05-01-a.html"].decode())
        assert (source in page.links) == source.startswith("https")
        assert "onclick" not in {name for _, given in page.elements for name in given}
        assert "@everyone" not in files["short/discord/2026-05-01-a-1.txt"].decode()
