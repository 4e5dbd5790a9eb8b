"""Several printings of one card: read, found by each set and code, printed as playsets, and out again."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

import pytest

from carddb.app.decks.check import CheckRequest, Report
from carddb.app.decks.check_many import UnreadableDeck, answers_of
from carddb.app.printing.selection import select, select_deck
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card, Entry, Pool, Printing
from carddb.cards.query import parse
from carddb.core.executors import HERE, ExecutorRequest
from carddb.door import Project
from carddb.findings import Place
from carddb.press import unreported
from carddb.read.cards.file import is_printing_file
from tests.conftest import Told
from tests.deck.samples import game
from tests.rows import usually

Call = Callable[..., Told]
CARDS = (
    "ref,name,type,rarity,strength,life,set\nM-1,Rider,soldier,common,3,3,first\nM-2,Guard,soldier,common,2,4,first\n"
)
PRINTINGS = """\
code,card,set,position,released,quantity
01001,M-1,Core Box,1,2020-05-01,3
,M-1,second,7,2024-05-01,
02001,M-2,second,8,2024-05-01,2
"""
AsRead = tuple[list[tuple[Entry, Place, str]], object]
DECK = "Game: empires-and-generals\n\n## Playing\n2 [{}]\n"


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project with two cards and three printings of them."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    (folder / "core.printings.csv").write_text(PRINTINGS, "utf-8")
    loaded = call("load", "cards.csv", "core.printings.csv")
    assert loaded.code == 0 and "3 printings added, 0 changed, 0 unchanged" in loaded.err
    return call


def test_a_card_shows_its_printings(carddb: Call) -> None:
    """Terminal and JSON name set, position, day and playset; a printing without code has that of set and position."""
    assert "Core Box 1, 2020-05-01, 3 in a playset [01001]" in carddb("show", "M-1").out
    shown = json.loads(carddb("show", "M-1", "--json").out)["printings"]
    assert [each["code"] for each in shown] == ["01001", "second-7"]
    assert "printings" not in json.loads(carddb("show", "EG-CAR-001", "--json").out)


@usually("code", ["01001", "second-7", "SECOND-7"])
def test_a_code_stands_for_the_reference(carddb: Call, folder: Path, code: str) -> None:
    """Cards, histories, queries and decks take the code of any printing; the deck keeps its fingerprint."""
    assert "Rider [M-1]" in carddb("show", code).out
    assert "always: added" in carddb("history", code).out
    assert "M-1" in carddb("cards", f"ref:{code}").out
    fingerprints = set()
    for name in (code, "M-1"):
        (folder / "my.deck").write_text(DECK.format(name), "utf-8")
        report = json.loads(carddb("check", "my.deck", "--json").out)
        assert "card_unknown" not in {finding["code"] for finding in report["findings"]}
        fingerprints.add(report["deck"]["fingerprint"])
    assert len(fingerprints) == 1
    assert "1 card" in carddb("sheets", code, "-o", "one.pdf").err


def test_a_card_is_found_by_each_of_its_sets(carddb: Call) -> None:
    """`set:` takes a part of the name of the card's own set or of any printing's, `set=` the whole."""
    found = {query: carddb("cards", query).out.count("M-") for query in ("set:first", "set:sec", "set:core")}
    assert found == {"set:first": 2, "set:sec": 2, "set:core": 1}
    assert carddb("cards", "set=second", "-set:core").out.count("M-") == 1
    assert carddb("cards", "set=sec").code == 1


@pytest.mark.full
def test_a_playset_is_printed_as_the_printing_says(carddb: Call) -> None:
    """`--playset` takes the quantity of the printing in the set that the query names, else the largest, else one."""
    for query, copies in (("set:core", 3), ("set:second", 5), ("name:guard", 2)):
        printed = json.loads(carddb("sheets", query, "--playset", "-o", "a.pdf", "--json").out)
        assert sum(card["count"] for card in printed["cards"]) == copies


@pytest.mark.full
def test_a_card_is_printed_as_often_as_its_count_says(carddb: Call, folder: Path) -> None:
    """The column `count` of a card file says the copies that a query prints, not those of a deck or a playset."""
    (folder / "more.csv").write_text(
        "ref,name,type,rarity,strength,life,count\nC-1,Pike,soldier,common,1,1,4\n", "utf-8"
    )
    assert carddb("load", "more.csv").code == 0
    for words, copies in ((("set:more",), 4), (("set:more", "--playset"), 1), (("C-1",), 1), (("name:pike,guard",), 5)):
        printed = json.loads(carddb("sheets", *words, "-o", "a.pdf", "--json").out)
        assert sum(card["count"] for card in printed["cards"]) == copies
    (folder / "more.csv").write_text("ref,name,type,count\nC-1,Pike,soldier,0\n", "utf-8")
    told = carddb("load", "more.csv")
    assert told.code == 1 and "count" in told.err


@pytest.mark.parametrize("own", [{"count": {"type": "text"}}, {"people": {"type": "text", "label": "Count"}}])
def test_a_games_own_count_keeps_its_meaning(own: dict[str, object]) -> None:
    """Where a field of the game has this name, by key or label, the column is that field and no number of copies."""
    spec = game(fields={"cost": {"type": "integer"}, **own})
    assert not spec.counts_copies and spec.all_fields()[spec.field_words.find("count") or ""].type == "text"
    assert game().counts_copies


@pytest.mark.full
def test_a_playset_of_a_card_by_reference_is_said(carddb: Call) -> None:
    """`--playset` where no query is: a sentence says that it changes nothing."""
    assert "playset changes nothing here" in carddb("sheets", "M-1", "--playset", "-o", "a.pdf").err
    assert "playset" not in carddb("sheets", "name:guard", "--playset", "-o", "a.pdf").err


def test_ban_lists_take_codes_and_keep_references(carddb: Call, folder: Path) -> None:
    """An announcement that names a printing bans the card: the log has its reference."""
    (folder / "bans.yaml").write_text(
        """\
lists: {short: {title: Short, zone: UTC}}
levels: {3: {max_copies: 0, status: proposal}}
announcements:
  - {id: a, made: 2026-01-01T12:00:00Z, effective: 2026-01-05, kind: change,
     changes: [{list: short, card: "01001", from: 0, to: 3}]}
""",
        "utf-8",
    )
    told = carddb("load", "bans.yaml", "--json")
    project = Project(folder)
    with project.catalog() as catalog:
        log = catalog.ban_log("empires-and-generals")
    assert [change.card for each in log.announcements for change in each.changes] == ["M-1"], told.out


@usually("own", [{}, {"flavor": "Said.\\nAgain", "artist": "Ann"}])
def test_an_export_of_printings_changes_nothing(carddb: Call, folder: Path, own: dict[str, str]) -> None:
    """What `export --printings` writes in any format loads as unchanged, flavour text and artist too if there are."""
    row = {"card": "M-2", "code": "02001", "set": "second", "position": "8", "released": "2024-05-01", "quantity": 2}
    (folder / "own.printings.json").write_text(json.dumps([{**row, **own}]), "utf-8")
    assert f"{1 if own else 0} changed" in carddb("load", "own.printings.json").err
    assert "artist Ann [02001]" in carddb("show", "M-2").out or not own
    for ending in ("csv", "xlsx", "json", "yaml"):
        assert carddb("export", "--printings", "-o", f"all.printings.{ending}").code == 0
        assert "0 printings added, 0 changed, 3 unchanged" in carddb("load", f"all.printings.{ending}").err


def test_a_change_a_dry_run_and_a_prune(carddb: Call, folder: Path) -> None:
    """A code changes its printing, `--dry-run` only says so, and `--prune` retires what its sets lack."""
    (folder / "core.printings.csv").write_text("code,card,set,position\n02001,M-2,second,9\n", "utf-8")
    for options, more in (("--dry-run", "would be: "), ("--prune", "")):
        told = carddb("load", "core.printings.csv", options).err
        assert f"{more}0 printings added, 1 changed, 0 unchanged" in told
    assert "second 9 [02001]" in carddb("show", "M-2").out
    assert carddb("show", "second-7").code == 2 and "Core Box" in carddb("show", "M-1").out
    with sqlite3.connect(folder / "carddb.db") as connection:
        rows = connection.execute("SELECT code, source FROM printing WHERE retired = 1").fetchall()
    assert rows == [("second-7", "core.printings.csv")]


@usually(
    ("rows", "code"),
    [
        ("1,M-9,second,1,,\n", "printing_of_no_card"),
        ("M-2,M-1,second,1,,\n", "printing_is_reference"),
        ("1,M-1,second,1,,\n1,M-2,second,2,,\n", "printing_code_repeated"),
        (",M-1,second,,,\n", "printing_code_missing"),
        ("1,M-1,second,1,soon,\n", "release_invalid"),
        ("1,M-1,second,1,,0\n", "field_range"),
        ("1,,second,1,,\n", "printing_without_card"),
    ],
)
def test_faults_of_a_file_of_printings(carddb: Call, folder: Path, rows: str, code: str) -> None:
    """Every fault has its place, and nothing of the file is stored."""
    (folder / "next.printings.csv").write_text(PRINTINGS.splitlines()[0] + "\n" + rows, "utf-8")
    told = carddb("load", "next.printings.csv")
    assert told.code == 1 and code in told.err and "next.printings.csv" in told.err
    assert len(json.loads(carddb("show", "M-1", "--json").out)["printings"]) == 2


def test_which_files_hold_printings() -> None:
    """They are called so; a set may stand before."""
    names = {name: is_printing_file(Path(name)) for name in ("printings.csv", "a.printings.json", "reprintings.csv")}
    assert names == {"printings.csv": True, "a.printings.json": True, "reprintings.csv": False}


def test_printings_in_a_pool_and_in_a_query() -> None:
    """A pool finds a card by code; a negated comparison holds for a card only where no printing has the value."""
    card = Card("g", "A", {"name": "A", "set": "one"}, (), (Printing("x1", "A", "two"),))
    assert Pool([card]).by_reference("X1") is card
    from carddb.game.game import GameSpec

    fields = GameSpec(key="g", prefix="g", name="G").query_fields()
    for query, hit in (
        ("set:two", True),
        ("set!=two", False),
        ("-set=two", False),
        ("set=one", True),
        ("ref=x1", True),
    ):
        assert parse(query, fields).matches(card) is hit


def test_the_picture_of_the_printing_that_is_chosen(carddb: Call, folder: Path) -> None:
    """A printing named by its code, or by the set of a query, is drawn with its own picture; the card keeps its own."""
    (folder / "new.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"/>', "utf-8")
    (folder / "new.printings.csv").write_text("code,card,set,position,art\n03001,M-1,third,1,new.svg\n", "utf-8")
    assert carddb("load", "new.printings.csv").code == 0
    project = Project(folder)
    chosen = {words: select(project, [words], CheckRequest(on=date(2026, 6, 20))) for words in ("03001", "set:third")}
    arts = {words: str(selection.copies[0][0].get("art")) for words, selection in chosen.items()}
    assert all(art.endswith("new.svg") for art in arts.values())
    for words in ("M-1", "02001", "set:second"):
        copies = select(project, [words], CheckRequest(on=date(2026, 6, 20))).copies
        assert not any(card.get("art") for card, _ in copies)


@pytest.mark.full
def test_a_deck_keeps_the_pictures_of_the_printings_that_it_names(carddb: Call, folder: Path) -> None:
    """A line with the code of a printing, or its set and number, has that picture; the deck stays the same deck."""
    for name, colour in (("new", "#ff0000"), ("old", "#00ff00")):
        rect = f'<rect width="9" height="9" fill="{colour}"/>'
        (folder / f"{name}.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{rect}</svg>')
    (folder / "new.printings.csv").write_text("code,card,set,position,art\n03001,M-1,third,1,new.svg\n", "utf-8")
    (folder / "cards.csv").write_text(CARDS.replace("set\n", "set,art\n").replace("first\nM-2", "first,old.svg\nM-2"))
    assert carddb("load", "cards.csv", "new.printings.csv").code == 0
    project = Project(folder)

    def copies(*lines: str) -> list[tuple[str, str, int]]:
        deck = "\n".join(["Game: empires-and-generals", "", "## Playing", *lines, ""])
        chosen = select_deck(project, deck, CheckRequest())
        return [(card.ref, str(card.get("art")), count) for card, count in chosen.copies]

    assert copies("2 Rider") == [("M-1", "old.svg", 2)]
    assert copies("2 Rider [03001]") == copies("2 [03001]") == copies("2 Rider (third) 1") == [("M-1", "new.svg", 2)]
    assert copies("2 [03001]") == [("M-1", "new.svg", 2)], "a line that was read before keeps its printing"
    both = copies("1 [03001]", "2 Rider")
    assert both == [("M-1", "new.svg", 1), ("M-1", "old.svg", 2)]
    reports = [project.check(f"Game: empires-and-generals\n\n## Playing\n2 {line}\n") for line in ("Rider", "[03001]")]
    marks = [report.deck.fingerprint() for report in reports if isinstance(report, Report)]
    assert marks[0] == marks[1]
    (folder / "both.deck").write_text("Game: empires-and-generals\n\n## Playing\n1 [03001]\n2 Rider\n", "utf-8")
    printed = project.sheets("both.deck", allow_illegal=True)
    assert printed.cards == 3 and len({printed.job.streams.bank.front(card) for card, _ in printed.job.copies}) == 2


@pytest.mark.full
def test_each_picture_of_a_card_is_compared_with_its_last_print(carddb: Call, folder: Path) -> None:
    """Of a deck with a card in two printings, `--since` prints the picture that changed, by memory and by manifest."""

    def draw(name: str, colour: str) -> None:
        rect = f'<rect width="9" height="9" fill="{colour}"/>'
        (folder / f"{name}.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{rect}</svg>')

    def printed(since: str, *options: str) -> tuple[list[int], list[tuple[int, str]]]:
        told = carddb("sheets", "both.deck", "--allow-illegal", "-o", "x.pdf", "--json", "--since", since, *options)
        shown = told.json()
        return [card["count"] for card in shown["cards"]], [(pull["copies"], pull["why"]) for pull in shown["pull"]]

    draw("new", "#ff0000")
    draw("old", "#00ff00")
    (folder / "new.printings.csv").write_text("code,card,set,position,art\n03001,M-1,third,1,new.svg\n", "utf-8")
    (folder / "cards.csv").write_text(CARDS.replace("set\n", "set,art\n").replace("first\nM-2", "first,old.svg\nM-2"))
    assert carddb("load", "cards.csv", "new.printings.csv").code == 0
    deck = folder / "both.deck"
    deck.write_text("Game: empires-and-generals\n\n## Playing\n1 [03001]\n2 Rider\n", "utf-8")
    assert carddb("sheets", "both.deck", "--allow-illegal", "-o", "x.pdf", "--manifest", "m.json").code == 0
    assert [card["copies"] for card in json.loads((folder / "m.json").read_text("utf-8"))["cards"]] == [1, 2]
    assert printed("last") == printed("m.json") == ([], [])
    draw("old", "#0000ff")
    assert printed("m.json", "--no-remember") == printed("last") == ([2], [(2, "changed")])
    deck.write_text("Game: empires-and-generals\n\n## Playing\n2 [03001]\n", "utf-8")
    assert printed("last") == ([1], [(2, "no longer in the selection")])


@pytest.mark.full
def test_another_process_keeps_the_printing_of_a_line(carddb: Call, folder: Path) -> None:
    """A deck that another process checks has the entries, with printings and places, that it has here."""
    decks = [DECK.format("02001") + "1 M-1\n1 Unknown\n"] * 201
    request = CheckRequest(on=date(2026, 6, 20))
    project = Project(folder)
    here, elsewhere = (
        [deck for decks in answers_of(project, decks, request, executor, as_read, unreported) for deck in decks]
        for executor in (HERE, ExecutorRequest(processes=2))
    )
    entries, _ = here[0]
    assert len(here) == 201 and entries[0][0].printing == "02001"
    assert elsewhere == here


def as_read(_: Workspace, reports: Iterable[Report | UnreadableDeck]) -> list[AsRead]:
    """The entries of decks with all that equality leaves out, and their JSON."""
    return [
        ([(entry, entry.place, entry.printing) for entry in report.deck.entries], report.to_json())
        for report in reports
        if isinstance(report, Report)
    ]


PACKS = [{"code": "core", "attributes": {"title": "Core Box", "day": "2020-05-01"}, "size": 3},
         {"code": "sea", "attributes": {"title": "By Sea", "day": "2021-06-02"}, "size": 2}]  # fmt: skip
OF_PACKS = ("--map", "card_id=card", "--map", "attributes.number=position", "--map", "packs.attributes.title=set",
            "--map", "packs.attributes.day=released", "--map", "packs.size=quantity", "--map", "*=-")  # fmt: skip


@pytest.mark.parametrize("kind", ["json", "csv", "folder"])
@pytest.mark.full
def test_printings_name_card_and_pack_by_other_keys(carddb: Call, folder: Path, kind: str) -> None:
    """`--map` means their headings, also nested ones, and `--join` the rows of a second file by its key."""
    (folder / "packs.json").write_text(json.dumps(PACKS), "utf-8")
    rows = [(f"0{number}", f"M-{number}", number, pack) for number, pack in ((1, "core"), (2, "sea"))]
    items = [{"code": code, "card_id": card, "attributes": {"number": n}, "pack": pack} for code, card, n, pack in rows]
    name = "printings" if kind == "folder" else f"v2.printings.{kind}"
    if kind == "folder":
        (folder / name).mkdir()
        for item in items:
            (folder / name / f"{item['code']}.json").write_text(json.dumps(item), "utf-8")
    elif kind == "json":
        (folder / name).write_text(json.dumps(items), "utf-8")
    else:
        lines = ["code,card_id,attributes.number,pack,other", *(f"{','.join(map(str, row))},x" for row in rows)]
        (folder / name).write_text("\n".join(lines), "utf-8")
    told = carddb("load", name, *OF_PACKS, "--join", "packs.json:code=pack")
    assert told.code == 0 and f"{name}: 2 printings added" in told.err
    assert "Core Box 1, 2020-05-01, 3 in a playset [01]" in carddb("show", "M-1").out
    assert "By Sea 2, 2021-06-02, 2 in a playset [02]" in carddb("show", "M-2").out


def test_a_key_without_its_row_is_told(carddb: Call, folder: Path) -> None:
    """A key that the second file lacks is one warning; a key that it never has is misuse, as is half an option."""
    (folder / "packs.csv").write_text("code,name\ncore,Core\n", "utf-8")
    (folder / "x.printings.csv").write_text("code,card,pack\n9,M-1,sea\n8,M-2,core\n", "utf-8")
    words = ("load", "x.printings.csv", "--map", "packs.name=set", "--map", "pack=-")
    told = carddb(*words, "--join", "packs.csv:code=pack")
    assert told.code == 0 and "packs has no row for 1 value of pack: sea" in told.err
    told = carddb(*words, "--join", "packs.csv:cod=pack")
    assert told.code == 2 and "Did you mean code?" in told.err
    assert carddb(*words, "--join", "packs.csv").code == 2
    Path("packs").mkdir()
    for name in ("one.csv", "two.csv"):
        Path("packs", name).write_text("code,name\na,A\n", "utf-8")
    told = carddb(*words, "--join", "packs:code=pack")
    assert told.code == 2 and str(Path("packs/one.csv")) in told.err


def test_cards_and_printings_share_one_line(carddb: Call, folder: Path) -> None:
    """What `--map` says for printings is no fault for cards; `--save-map` keeps it for printings alone."""
    (folder / "x.printings.csv").write_text("id,of,number\n7,M-1,4\n", "utf-8")
    maps = ("--map", "id=code", "--map", "of=card", "--map", "number=position")
    assert carddb("load", "cards.csv", "x.printings.csv", *maps).code == 0
    assert carddb("load", "x.printings.csv", *maps, "--save-map").code == 0
    assert "1 unchanged" in carddb("load", "x.printings.csv").err and carddb("load", "cards.csv").code == 0
