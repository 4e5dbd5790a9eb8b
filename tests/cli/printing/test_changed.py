"""Sheets of what changed, of what is missing, and of decks that are not legal."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pikepdf
import pypdfium2
import pytest

from carddb.catalog.store import Catalog
from carddb.core import assets
from carddb.core.errors import CatalogError
from carddb.games import Game
from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]

HEAD = "ref,name,type,rarity,strength,life,text\n"
ROWS = ["M-1,Rider,soldier,common,3,3,Fast.\n", "M-2,Archer,soldier,common,2,2,\n", "M-3,Scout,soldier,common,1,1,\n"]


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """A project with three cards of its own."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    call("init", "--bare")
    cards(call, *ROWS)
    return call


@pytest.fixture
def decks(folder: Path, call: Call, game: Game) -> Call:
    """A project with the sample cards and the two decks of the demo."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    shutil.copytree(game.folder.path / "decks" / "demo", folder, dirs_exist_ok=True)
    return call


def cards(call: Call, *rows: str) -> None:
    Path("cards.csv").write_text(HEAD + "".join(rows), "utf-8")
    assert call("load", "cards.csv", "--set", "mine", "--prune").code == 0


def told(call: Call, *arguments: str) -> tuple[dict[str, int], dict[str, tuple[int, str]]]:
    """What was printed and what is to be pulled, by name."""
    said = call("sheets", *arguments, "-o", "x.pdf", "--json").json()
    printed = {card["name"]: card["count"] for card in said["cards"]}
    return printed, {pull["name"]: (pull["copies"], pull["why"]) for pull in said["pull"]}


def page_texts(path: str) -> list[str]:
    """The text of every page as a reader copies it, on one line."""
    with pypdfium2.PdfDocument(path) as file:
        return [" ".join(page.get_textpage().get_text_bounded().split()) for page in file]


def test_one_changed_field_gives_one_card_and_one_pull_line(carddb: Call) -> None:
    """After one field of one card was changed, that card is printed and its old one is to be thrown away."""
    assert carddb("sheets", "set:mine", "-o", "a.pdf").code == 0
    cards(carddb, ROWS[0].replace("Fast", "Faster"), *ROWS[1:])
    said = carddb("sheets", "set:mine", "-o", "b.pdf", "--since", "last", "--pull-list", "pull.txt")
    assert "1 card on 1 sheet" in said.err
    assert said.out.splitlines() == ["Throw away 1 card of set:mine:", "1 Rider [M-1]  # changed"]
    assert Path("pull.txt").read_text("utf-8") == said.out
    assert "Faster" in page_texts("b.pdf")[0] and "Archer" not in page_texts("b.pdf")[0]


def test_nothing_changed_writes_nothing(carddb: Call) -> None:
    """The same selection again is told to be as it was: no file, exit code 0."""
    carddb("sheets", "set:mine", "-o", "a.pdf")
    said = carddb(
        "sheets", "set:mine", "-o", "b.pdf", "--since", "last", "--pull-list", "p.txt", "--manifest", "m.json"
    )
    assert (said.code, said.out) == (0, "") and "nothing changed since the last print" in said.err
    assert not any(Path(name).exists() for name in ("b.pdf", "p.txt", "m.json"))


@pytest.mark.full
def test_a_renamed_card_is_pulled_under_its_old_name(carddb: Call) -> None:
    """What lies in the box has the old name on it."""
    carddb("sheets", "set:mine", "-o", "a.pdf")
    cards(carddb, ROWS[0].replace("Rider", "Horseman"), *ROWS[1:])
    assert told(carddb, "set:mine", "--since", "last") == ({"Horseman": 1}, {"Rider": (1, "changed")})
    assert told(carddb, "set:mine", "--since", "last") == ({}, {})


def test_new_and_retired_cards(carddb: Call) -> None:
    """A new card is printed; one that the selection lost is pulled, and not again the next time."""
    carddb("sheets", "set:mine", "-o", "a.pdf")
    cards(carddb, *ROWS[:2], ROWS[2].replace("M-3,Scout", "M-4,Spy"))
    gone = {"Scout": (1, "no longer in the selection")}
    assert told(carddb, "set:mine", "--since", "last") == ({"Spy": 1}, gone)
    cards(carddb, *ROWS[:2])
    assert told(carddb, "set:mine", "--since", "last") == ({}, {"Spy": (1, "no longer in the selection")})
    assert told(carddb, "set:mine", "--since", "last") == ({}, {})


@pytest.mark.full
def test_what_was_never_printed_is_printed_whole(carddb: Call) -> None:
    """Without a memory, at another size or before the first print all is new; another title knows each card's look."""
    assert told(carddb, "set:mine", "--since", "last")[0] == {"Rider": 1, "Archer": 1, "Scout": 1}
    assert len(told(carddb, "set:mine", "--since", "2020-01-01")[0]) == 3
    assert len(told(carddb, "set:mine", "--since", "last", "--card-size", "poker")[0]) == 3
    assert told(carddb, "M-1", "--since", "last") == ({}, {})
    assert "no earlier print of cards of" in carddb("sheets", "M-1", "-o", "x.pdf", "--since", "2020-01-01").err


@pytest.mark.full
def test_what_is_not_to_be_remembered_is_not(carddb: Call) -> None:
    """--no-remember prints and leaves the memory alone."""
    carddb("sheets", "set:mine", "-o", "a.pdf", "--no-remember")
    assert len(told(carddb, "set:mine", "--since", "last", "--no-remember")[0]) == 3


@pytest.mark.full
def test_a_manifest_serves_where_there_is_no_memory(carddb: Call, folder: Path) -> None:
    """On another machine the manifest of a print does what the memory does here; its schema is checked in."""
    carddb("sheets", "set:mine", "-o", "a.pdf", "--manifest", "m.json", "--no-remember")
    manifest = json.loads(Path("m.json").read_text("utf-8"))
    schema = json.loads((assets.schema() / "printed.schema.json").read_text("utf-8"))
    jsonschema.validate(manifest, schema)
    assert [card["name"] for card in manifest["cards"]] == ["Rider", "Archer", "Scout"]
    cards(carddb, *ROWS[:2], ROWS[2].replace("1,1,", "1,2,"))
    assert told(carddb, "set:mine", "--since", "m.json", "--manifest", "m.json")[0] == {"Scout": 1}
    assert told(carddb, "set:mine", "--since", "m.json") == ({}, {})


@usually(
    ("arguments", "code", "says"),
    [
        (("-o", "x.pdf", "--since", "yesterday"), 2, "neither `last`, nor a day"),
        (("-o", "x.pdf", "--since", "cards.csv"), 3, "cards.csv"),
        (("-o", "x.pdf", "--since", "other.json"), 3, "is not a manifest: cards"),
        (("-o", "x.pdf", "--pull-list", "p.txt"), 2, "Add --since with"),
        (("-o", "x.pdf", "--manifest", "x.pdf"), 2, "to the same file"),
        (("--png", "x", "--since", "last"), 2, "-o FILE.pdf"),
        (("-o", "-", "--json"), 2, "--json and -o -"),
        (("-o", "x.pdf", "--format", "classic"), 2, "only a deck can be checked"),
        (("-o", "x.pdf", "--missing", "gone.csv"), 3, "gone.csv"),
        (("-o", "cards.csv", "--missing", "cards.csv"), 2, "PDF"),
    ],
)
def test_misuse_is_answered(carddb: Call, arguments: tuple[str, ...], code: int, says: str) -> None:
    """Options that do not go together and files that are none are told so, and nothing is printed."""
    Path("other.json").write_text('{"schema": "carddb.printed/1", "game": "g", "title": "t", "size": "s", "on": "d"}')
    said = carddb("sheets", "set:mine", *arguments)
    assert (said.code, says in said.err) == (code, True), said.err
    assert not Path("x.pdf").exists()


@pytest.mark.full
def test_a_manifest_of_other_cards_is_refused(carddb: Call) -> None:
    """Another game or another size cannot be compared."""
    carddb("sheets", "set:mine", "-o", "a.pdf", "--manifest", "m.json")
    assert (
        "cards of 76.2" in carddb("sheets", "set:mine", "-o", "x.pdf", "--card-size", "poker", "--since", "m.json").err
    )
    Path("m.json").write_text(Path("m.json").read_text("utf-8").replace("empires-and-generals", "guarda"), "utf-8")
    assert "lists a print of guarda" in carddb("sheets", "set:mine", "-o", "x.pdf", "--since", "m.json").err


@pytest.mark.full
def test_a_catalogue_that_cannot_be_written_costs_a_sentence(carddb: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sheets are printed all the same and say that they are not remembered."""

    def refuse(*_: object, **__: object) -> None:
        raise CatalogError("carddb.db is in use by another program")

    monkeypatch.setattr(Catalog, "add_print_job", refuse)
    said = carddb("sheets", "set:mine", "-o", "a.pdf")
    assert said.code == 0 and Path("a.pdf").exists()
    assert "this print is not recorded: carddb.db is in use" in said.err


@pytest.mark.full
def test_one_more_copy_in_a_deck_is_one_card(decks: Call) -> None:
    """A deck with one more copy of an unchanged card prints that copy; with one less, tells to take it out."""
    decks("sheets", "legal.deck", "-o", "a.pdf")
    deck = Path("legal.deck").read_text("utf-8")
    Path("legal.deck").write_text(
        deck.replace("2 Libyan Spearmen", "3 Libyan Spearmen").replace("2 Double Env", "1 Double Env"), "utf-8"
    )
    assert told(decks, "legal.deck", "--since", "last") == (
        {"Libyan Spearmen": 1},
        {"Double Envelopment": (1, "fewer are needed")},
    )


@pytest.mark.full
def test_missing_prints_what_is_not_owned(decks: Call) -> None:
    """Of each card as many are printed as the deck needs and the player has not; unknown rows are told with line."""
    Path("owned.csv").write_text(
        "Name,Condition,Owned\nLibyan Spearmen,good,1\nhannibal barca,,4\nNobody,,2\nMaharbal,,\n", "utf-8"
    )
    said = decks("sheets", "legal.deck", "-o", "a.pdf", "--missing", "owned.csv", "--json")
    assert "owned.csv:4: warning owned_unknown" in said.err
    assert "48 cards needed, 2 of them owned, 46 missing" in said.err
    report = said.json()
    assert report["missing"] == {"needed": 48, "owned": 2, "missing": 46}
    printed = {card["name"]: card["count"] for card in report["cards"]}
    assert printed["Libyan Spearmen"] == 1 and "Hannibal Barca" not in printed and "Maharbal" in printed
    full = decks("sheets", "legal.deck", "-o", "b.pdf", "--missing", "legal.deck")
    assert full.code == 0 and "0 missing" in full.err and not Path("b.pdf").exists()


@pytest.mark.full
def test_missing_comes_before_since(decks: Call) -> None:
    """What is owned needs no print; of the rest only what changed or is new is printed."""
    Path("owned.json").write_text('[{"ref": "EG-CAR-001", "count": 1}]', "utf-8")
    decks("sheets", "legal.deck", "-o", "a.pdf", "--missing", "owned.json")
    assert told(decks, "legal.deck", "--missing", "owned.json", "--since", "last") == ({}, {})
    assert told(decks, "legal.deck", "--since", "last")[0] == {"Hannibal Barca": 1}


def test_a_faulty_collection_prints_nothing(decks: Call) -> None:
    """A count that is no number is an error with its line."""
    Path("owned.csv").write_text("ref,count\nEG-CAR-001,many\n", "utf-8")
    said = decks("sheets", "legal.deck", "-o", "a.pdf", "--missing", "owned.csv")
    assert said.code == 1 and "owned.csv:2: error bad_count" in said.err and not Path("a.pdf").exists()


def test_an_illegal_deck_is_refused_with_its_findings(decks: Call) -> None:
    """A deck is checked as `check` checks it, and nothing is written of one that is not legal."""
    said = decks("sheets", "illegal.deck", "-o", "a.pdf")
    assert said.code == 1 and "common_copies: Libyan Spearmen: 6 copies" in said.err and "E-21" in said.err
    assert not Path("a.pdf").exists()
    assert decks("sheets", "legal.deck", "-o", "a.pdf", "--format", "knights_of_valor").code == 1
    assert decks("sheets", "legal.deck", "-o", "a.pdf", "--format", "clasic").code == 2
    refused = decks("sheets", "illegal.deck", "-o", "a.pdf", "--json")
    assert refused.json()["verdict"] == "illegal" and refused.json()["file"] is None
    assert not Path("a.pdf").exists()


@usually("options", [(), ("--card-size", "poker"), ("--stock", "avery-5388"), ("--flip", "none")])
@pytest.mark.full
def test_every_page_of_an_illegal_deck_says_so(decks: Call, options: tuple[str, ...]) -> None:
    """With --allow-illegal fronts and backs carry the verdict, the day, the first reason and how many follow."""
    said = decks("sheets", "illegal.deck", "-o", "a.pdf", "--allow-illegal", "--on", "2026-11-22", *options)
    assert said.code == 0
    stamp = "NOT LEGAL on 2026-11-22: Playing deck: 22 cards, at least 25 are needed (E-14, E-15), and 8 more"
    texts = page_texts("a.pdf")
    assert len(texts) >= 4 and all(stamp in text for text in texts)


def test_a_stamp_needs_a_margin(decks: Call) -> None:
    """Where pages are cards there is no place to say it, and nothing is printed."""
    said = decks("sheets", "illegal.deck", "-o", "a.pdf", "--allow-illegal", "--stock", "index-3x5")
    assert said.code == 2 and "no room for the stamp" in said.err and not Path("a.pdf").exists()


@pytest.mark.full
def test_a_legal_deck_has_no_stamp(decks: Call) -> None:
    """--allow-illegal changes nothing about a deck that is legal."""
    decks("sheets", "legal.deck", "-o", "a.pdf")
    decks("sheets", "legal.deck", "-o", "b.pdf", "--allow-illegal")
    assert Path("a.pdf").read_bytes() == Path("b.pdf").read_bytes()
    assert "LEGAL" not in "".join(page_texts("a.pdf"))


def test_a_spreadsheet_of_owned_cards_is_the_export_with_counts(decks: Call) -> None:
    """An exported card file with a column for counts is a collection."""
    decks("export", "-o", "all.csv")
    rows = list(csv.DictReader(io.StringIO(Path("all.csv").read_text("utf-8"))))
    with Path("owned.tsv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "count"], delimiter="\t")
        writer.writeheader()
        writer.writerows({**row, "count": 5} for row in rows)
    assert "48 of them owned" in decks("sheets", "legal.deck", "-o", "a.pdf", "--missing", "owned.tsv").err


@pytest.mark.full
def test_each_sheet_names_itself_by_its_own_hash(decks: Call) -> None:
    """Every page carries a hash of what is on its sheet; fronts of different cards have different ones."""
    assert decks("sheets", "EG-CAR-001", "EG-CAR-002", "-o", "x.pdf", "--stock", "plain", "--flip", "none").code == 0
    decks("sheets", "type:soldier", "--game", "empires-and-generals", "-o", "y.pdf", "--flip", "none")
    hashes = [
        re.findall(r"of\s+\d+\s+·\s+([0-9a-f]{6})", text) for path in ("x.pdf", "y.pdf") for text in page_texts(path)
    ]
    assert all(len(found) == 1 for found in hashes)
    assert len({found[0] for found in hashes}) == len(hashes)


@pytest.mark.full
def test_a_deck_is_bookmarked_by_section_and_type(decks: Call) -> None:
    """The sections of a deck stand in the outline, and under each the types of its cards."""
    assert decks("sheets", "legal.deck", "-o", "x.pdf").code == 0
    with pikepdf.open("x.pdf") as file, file.open_outline() as outline:
        titles = {item.title: [child.title for child in item.children] for item in outline.root}
    assert list(titles) == ["Playing deck", "Resource deck", "Reference cards"][: len(titles)]
    assert "Soldiers" in titles["Playing deck"] or "Soldier" in titles["Playing deck"]
