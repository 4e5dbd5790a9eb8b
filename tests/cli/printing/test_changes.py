"""What changed: the same in every form, replayed to the later export, and in the words of `sheets --since`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from carddb.app.printing.changes import watched
from carddb.app.workspace.workspace import Workspace
from carddb.games import folders
from tests.cards.samples import replay
from tests.conftest import Told

Call = Callable[..., Told]
CARDS = """\
ref,name,type,rarity,strength,life,text,set
A-1,Archer,soldier,uncommon,3,1,Shoots at *two* fields.,own
A-2,Rider,soldier,rare,3,3,Swift as the wind,own
A-3,Guard,soldier,common,2,4,,own
A-5,Slinger,soldier,common,1,2,,own
"""
LATER = CARDS.replace("two", "three").replace("Rider,soldier,rare,3", "Lancer,soldier,rare,4")
LATER = LATER.replace("A-5", "A-4").replace("uncommon", "ultra_rare")


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project whose cards were exported as old.json and old.csv, and have changed since."""
    Path("carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    Path("cards.csv").write_text(CARDS, "utf-8")
    for words in (("load", "cards.csv"), ("export", "-o", "old.json"), ("export", "-o", "old.csv")):
        assert call(*words).code == 0
    assert call("-q", "sheets", "type:soldier", "-o", "first.pdf").code == 0
    Path("cards.csv").write_text(LATER, "utf-8")
    assert call("load", "cards.csv", "--prune").code == 0
    return call


@pytest.mark.full
def test_the_json_replayed_over_the_earlier_export_is_the_later_one(carddb: Call) -> None:
    """The export of today has the same cards and values."""
    found = json.loads(carddb("changes", "--from", "old.csv", "--json").out)
    assert carddb("export", "-o", "new.json").code == 0
    exports = (json.loads(Path(name).read_text("utf-8")) for name in ("old.json", "new.json"))
    before, after = ({card.pop("ref"): card for card in cards} for cards in exports)
    assert replay(before, found["cards"]) == after
    kinds = [(change["ref"], change["kind"]) for change in found["cards"]]
    assert kinds == [("A-4", "added"), ("A-1", "changed"), ("A-2", "renamed"), ("A-5", "retired")]


@pytest.mark.full
def test_what_to_print_and_throw_away_is_in_the_words_of_sheets(carddb: Call) -> None:
    """Compared with a file or with the recorded print, cards and reasons are those of `sheets --since`."""
    options = ("--flip", "none", "--since", "last", "--no-remember", "-o", "b.pdf", "--json")
    since = json.loads(carddb("sheets", "type:soldier", *options).out)
    of_print = json.loads(carddb("changes", "type:soldier", "--json").out)
    of_file = json.loads(carddb("changes", "--from", "old.csv", "--json").out)
    refs = {card["ref"] for card in since["cards"]}
    for found in (of_print, of_file):
        assert {card["ref"] for card in found["print"]} == refs == {"A-1", "A-2", "A-4"}
        assert sorted(map(str, found["pull"])) == sorted(map(str, since["pull"]))


@pytest.mark.full
def test_every_form_of_the_changes(carddb: Call) -> None:
    """Text and Markdown mark the words, the page has both faces, errata are sheets, the feed has a day's entry.

    Values are in the words of a card's page.
    """
    text = carddb("changes", "--from", "old.csv").out
    assert "    Rarity: [-Uncommon-] {+Ultra rare+}\n" in text
    assert "fields" in text and "[-two-] {+three+}" in text and "Name: [-Rider-] {+Lancer+}" in text
    for name in ("notes.md", "page.html", "errata.pdf", "feed.xml"):
        since = "2026-01-01" if name == "feed.xml" else "old.csv"
        assert carddb("changes", "--from", since, "-o", name).code == 0
    assert "~~two~~ **three**" in Path("notes.md").read_text("utf-8")
    page = Path("page.html").read_text("utf-8")
    assert "<del>two</del><ins>three</ins>" in page and page.count("data:image/svg+xml") == 6
    assert Path("errata.pdf").read_bytes().startswith(b"%PDF")
    entries = ElementTree.parse("feed.xml").findall("{http://www.w3.org/2005/Atom}entry")
    assert len(entries) == 1


@pytest.mark.full
def test_a_query_counts_cards_that_it_finds_before_or_after(carddb: Call) -> None:
    """A card that leaves the query has changed; it is not retired."""
    found = json.loads(carddb("changes", "strength=3", "--from", "old.csv", "--json").out)
    assert [(change["ref"], change["kind"]) for change in found["cards"]] == [("A-1", "changed"), ("A-2", "renamed")]


@pytest.mark.full
def test_sections_of_an_earlier_rule_sheet_are_compared(carddb: Call) -> None:
    """A changed section is named, an equal one is not."""
    guide = folders()["empires-and-generals"].guide_file.read_text("utf-8")
    head, *parts = guide.split("\n## ")
    Path("old.md").write_text("\n## ".join([head, parts[0] + "\nOnce more.", *parts[1:]]), "utf-8")
    found = json.loads(carddb("changes", "--from", "old.csv", "--guide", "old.md", "--json").out)["rules"]
    assert [(each["name"], each["kind"]) for each in found] == [(parts[0].splitlines()[0].strip(), "changed")]


@pytest.mark.full
def test_two_exports_and_two_prints_are_compared(carddb: Call) -> None:
    """Either end may be an exported file or a print by its number; `last` is the last print."""
    assert carddb("export", "-o", "new.csv").code == 0
    of_files = json.loads(carddb("changes", "--from", "old.csv", "--to", "new.csv", "--json").out)
    today = json.loads(carddb("changes", "--from", "old.csv", "--json").out)
    assert of_files["to"] == "new.csv" and of_files["cards"] == today["cards"] and of_files["print"] == today["print"]
    back = json.loads(carddb("changes", "--from", "new.csv", "--to", "old.csv", "--json").out)
    assert ("A-5", "added") in [(change["ref"], change["kind"]) for change in back["cards"]]
    of_number, of_last = (carddb("changes", "--from", name, "--json").json() for name in ("print:1", "last"))
    assert {card["ref"] for card in of_number["print"]} >= {"A-1", "A-2", "A-4"}
    assert of_number["pull"] == of_last["pull"] != []
    assert carddb("-q", "sheets", "type:soldier", "-o", "second.pdf").code == 0
    assert carddb("changes", "--from", "print:1", "--to", "print:2").code == 0
    told = carddb("changes", "--from", "print:3")
    assert told.code == 2 and "no print 3" in told.err
    assert carddb("changes", "--from", "print:1", "--card-size", "tarot").code == 2


@pytest.mark.parametrize(("since", "words"), [("2026-13-01", "neither"), ("none.csv", "neither"), ("cards.xyz", "")])
@pytest.mark.full
def test_an_unknown_state_is_misuse(carddb: Call, since: str, words: str) -> None:
    """It is answered with what may be written."""
    Path("cards.xyz").write_text("", "utf-8")
    told = carddb("changes", "--from", since)
    assert told.code == 2 and words in told.err


@pytest.mark.full
def test_a_watched_file_tells_what_each_saving_changed(carddb: Call) -> None:
    """First since it was loaded, then since last time; an untouched file says nothing, a faulty one what is amiss."""

    def savings() -> Iterator[None]:
        yield
        yield
        Path("cards.csv").write_text(LATER.replace("wind", "storm"), "utf-8")
        yield
        Path("cards.csv").write_text(LATER.replace("soldier,rare", "sailor,rare"), "utf-8")
        yield
        Path("cards.csv").write_text(LATER.replace("Ox", "Cow").replace("common,2", "common,22"), "utf-8")
        yield

    project = Workspace()
    sums = [[change.ref for change in notes.cards] for notes in watched(project, Path("cards.csv"), None, savings())]
    assert sums == [[], ["A-2"], ["A-2", "A-3"]]
    assert [notice.code for notice in project.notices] == ["file_faulty"]
