"""Columns: what a file lacks stays as it was, what it leaves empty goes; headings by key, label, alias and map."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import carddb
from carddb.core.errors import UsageError
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec, TypeSpec
from carddb.read.cards.file import CardFile, CardReading, read_cards
from tests.conftest import Told
from tests.rows import every

Call = Callable[..., Told]

SPEC = GameSpec(
    key="trial",
    prefix="tr",
    name="Trial",
    columns={"Men Under Command": "men"},
    fields={
        "men": FieldSpec(type="integer", required=True, label="Men"),
        "flavor": FieldSpec(label="Flavour text"),
        "tags": FieldSpec(type="list"),
        "era": FieldSpec(),
    },
    types={"officer": TypeSpec(fields={"rank": FieldSpec()}), "item": TypeSpec()},
)
STORED: dict[str, dict[str, Any]] = {
    ref: {
        "name": f"Card {ref}",
        "type": "officer",
        "set": "old",
        "men": 5,
        "flavor": "Brave.",
        "tags": ["a", "b"],
        "rank": "Colonel",
    }
    for ref in "XYZ"
}
FIELDS = ("name", "type", "set", "men", "flavor", "tags", "era", "rank")
EMPTIABLE = {"flavor", "tags", "era", "rank"}
CELLS = st.fixed_dictionaries(
    {
        "name": st.sampled_from(["Alpha", "Beta"]),
        "type": st.just("officer"),
        "set": st.sampled_from(["old", "new"]),
        "men": st.sampled_from(["3", "4"]),
        "flavor": st.sampled_from(["", "Bold."]),
        "tags": st.sampled_from(["", "c; d"]),
        "era": st.sampled_from(["", "Antiquity"]),
        "rank": st.sampled_from(["", "Major"]),
    }
)
VALUES: dict[str, Callable[[str], Any]] = {"men": int, "tags": lambda text: text.split("; ")}


def stored(ref: str) -> Mapping[str, Any]:
    return STORED.get(ref, {})


def read(data: str, fmt: str = "csv", columns: Mapping[str, str] | None = None) -> CardFile:
    root = Path("absent")
    return read_cards(
        io.BytesIO(data.encode()), CardReading(SPEC, "old", root, columns=columns or {}, stored=stored), fmt
    )


def table(rows: list[dict[str, str]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]))
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


@given(st.lists(CELLS, min_size=3, max_size=3), st.sets(st.sampled_from(FIELDS)), st.sampled_from(["csv", "json"]))
def test_only_the_columns_of_a_file_change(cells: list[dict[str, str]], columns: set[str], fmt: str) -> None:
    """Of any subset of columns those alone change; their empty cells clear, and all other fields stay."""
    rows = [
        {"ref": ref, **{name: row[name] for name in sorted(columns)}} for ref, row in zip("XYZ", cells, strict=True)
    ]
    found = read(
        json.dumps([{k: v or None for k, v in row.items()} for row in rows]) if fmt == "json" else table(rows), fmt
    )
    assert not found.findings
    for record, row in zip(found.records, cells, strict=True):
        changed = {name: VALUES.get(name, str)(row[name]) if row[name] else None for name in columns}
        expected = {**STORED[record.ref], **changed}
        assert record.values == {name: value for name, value in expected.items() if value is not None}
    absent = set(STORED["X"]) - columns - {"set"}
    assert {name: count for name, count in found.kept.items() if name != "set"} == dict.fromkeys(absent, 3)


def test_a_new_card_lacks_what_its_file_lacks() -> None:
    """A card that is not stored has the fields of its row alone, and must have what every card has."""
    found = read("ref,name,type,men\nX,Alpha,officer,3\nN,New,officer,4\n")
    assert found.records[1].values == {"name": "New", "type": "officer", "men": 4, "set": "old"}
    assert found.kept == {"flavor": 1, "tags": 1, "rank": 1}
    assert [finding.code for finding in read("ref,name,type\nX,Alpha,officer\nN,New,officer\n").findings] == [
        "field_missing"
    ]


def test_an_empty_cell_of_a_needed_field_is_missing() -> None:
    """An empty cell clears, so that a field that every card has is missing then."""
    assert [finding.code for finding in read("ref,men\nX,\n").findings] == ["field_missing"]
    assert [finding.code for finding in read('[{"ref": "X", "name": null}]', "json").findings] == ["name_missing"]


def test_a_table_without_type_is_read_for_stored_cards_alone() -> None:
    """The types and names of stored cards are known; with a new card the missing columns are told once each."""
    assert not read("ref,flavor\nX,Bold.\nY,\n").findings
    found = read("ref,flavor\nX,Bold.\nN,\nM,\n")
    assert [
        (finding.code, finding.where[0].line)
        for finding in sorted(found.findings, key=lambda finding: finding.where[0].line)
    ] == [
        ("header_missing", 1),
        ("header_missing", 1),
        ("field_missing", 3),
        ("field_missing", 4),
    ]
    assert [record.ref for record in found.records] == ["X"]


def test_cards_without_references_keep_by_type_and_name() -> None:
    """A card is found by the reference that is made of its type and name."""
    STORED["officer-alpha"] = {**STORED["X"], "name": "Alpha"}
    try:
        found = read("name,type,flavor\nAlpha,officer,New.\nAlpha,officer,Other.\n")
    finally:
        del STORED["officer-alpha"]
    assert [finding.code for finding in found.findings] == ["field_missing"]
    (record,) = found.records
    assert (record.ref, record.values["flavor"], record.values["rank"]) == ("officer-alpha", "New.", "Colonel")


def test_a_card_whose_reference_another_claims_keeps_nothing_of_it() -> None:
    """A card without a reference beside one that has the reference it would be given is a new card."""
    STORED["officer-alpha"] = {**STORED["X"], "name": "Alpha"}
    try:
        found = read("ref,name,type,men\n,Alpha,officer,3\nofficer-alpha,Alpha,officer,4\n")
    finally:
        del STORED["officer-alpha"]
    new, old = found.records
    assert (new.ref, "flavor" in new.values) == ("officer-alpha-2", False)
    assert (old.ref, old.values["flavor"]) == ("officer-alpha", "Brave.")


def test_a_card_of_another_type_keeps_only_what_that_type_has() -> None:
    """Fields of the type that a card had do not follow it into another."""
    (record,) = read("ref,name,type\nX,Alpha,item\n").records
    assert record.values == {
        "name": "Alpha",
        "type": "item",
        "set": "old",
        "men": 5,
        "flavor": "Brave.",
        "tags": ["a", "b"],
    }


@every("header", ["flavor", "Flavour text", "FLAVOUR-TEXT", "flavour_text", "Flävour Text"])
def test_a_heading_is_a_key_a_label_or_an_alias(header: str) -> None:
    """Headings are compared without case, accents, spaces, hyphens and underscores."""
    (record,) = read(f"ref,{header},men under command\nX,Bold.,7\n").records
    assert (record.values["flavor"], record.values["men"]) == ("Bold.", 7)


def test_headings_may_be_mapped() -> None:
    """A user's own heading goes before the game's; a field is named by any of its words, an unknown one is misuse."""
    columns = {"Saying": "flavor", "Era": "Men Under Command"}
    for data, fmt in (("ref,saying,ERA\nX,Bold.,7\n", "csv"), ('[{"ref": "X", "saying": "Bold.", "ERA": 7}]', "json")):
        (record,) = read(data, fmt, columns).records
        assert (record.values["flavor"], record.values["men"]) == ("Bold.", 7)
    with pytest.raises(UsageError, match="flavr") as fault:
        read("ref\nX\n", columns={"Saying": "flavr"})
    assert fault.value.remedy == "Did you mean flavor?"
    assert read("ref,name,Flavr\nX,Alpha,a\n").findings[0].fix == "Did you mean flavor?"


CARDS = (
    "ref,name,type,rarity,strength,life,text,quote\n"
    "M-1,Rider,soldier,common,3,3,Charge.,Ride!\n"
    "M-2,Bowman,soldier,common,1,2,,Loose!\n"
)


@pytest.fixture
def club(folder: Path) -> carddb.Project:
    """A project with two cards since the beginning and a change of one from 2027 on."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n[columns]\nWords = "quote"\n', "utf-8")
    project = carddb.open()
    (folder / "cards.csv").write_text(CARDS, "utf-8")
    assert project.load("cards.csv").ok
    (folder / "later.csv").write_text("ref,name,type,text\nM-1,Rider,soldier,Gallop.\n", "utf-8")
    assert project.load("later.csv", on=date(2027, 1, 1)).ok
    return project


def test_what_is_kept_is_the_state_of_the_day(club: carddb.Project, folder: Path) -> None:
    """A file for a day keeps what the cards are on that day; a later state is left alone."""
    (folder / "lives.csv").write_text("ref,name,type,life\nM-1,Rider,soldier,4\n", "utf-8")
    assert club.load("lives.csv", on=date(2026, 6, 1)).ok
    assert club.load("lives.csv", on=date(2027, 6, 1)).ok
    states = [club.card("M-1", on=day) for day in (date(2026, 1, 1), date(2026, 6, 1), date(2027, 6, 1))]
    assert [(card.get("text"), card.get("life"), card.get("quote")) for card in states] == [
        ("Charge.", 3, "Ride!"),
        ("Charge.", 4, "Ride!"),
        ("Gallop.", 4, "Ride!"),
    ]


def test_what_is_kept_is_said_once_a_file(club: carddb.Project, folder: Path, call: Call) -> None:
    """A line counts the cards of each field, in JSON as well; a dry run says the same and changes nothing."""
    (folder / "cards2.csv").write_text(
        "ref,name,type,rarity,strength,life,text\nM-1,Rider,soldier,rare,3,3,\n", "utf-8"
    )
    for flags in (("--dry-run",), ()):
        told = call("load", "cards2.csv", *flags)
        assert told.code == 0
        kept = "cards2.csv has no column for these values, so they are kept: quote of 1 card, set of 1 card"
        assert told.err.count("kept: ") == 1 and kept in told.err
    loaded = json.loads(call("load", "cards2.csv", "--json").out)
    assert loaded["files"][0]["kept"] == {"quote": 1, "set": 1}
    assert [notice["code"] for notice in loaded["notices"]] == ["fields_kept"]
    assert (club.card("M-1").get("text"), club.card("M-1").get("quote")) == (None, "Ride!")
    (folder / "one.json").write_text('[{"ref": "M-1", "name": "Rider", "type": "soldier", "quote": null}]', "utf-8")
    assert "text" not in call("load", "one.json", "--dry-run").out
    assert "one.json has no key for these values" in call("load", "one.json").err
    assert club.card("M-1").get("quote") is None


def test_a_named_set_goes_before_the_one_that_cards_have(club: carddb.Project, folder: Path) -> None:
    """Cards keep their set without a column of it, unless the load names one."""
    assert club.card("M-1").set == "cards"
    (folder / "more.csv").write_text("ref,name,type,life\nM-1,Rider,soldier,5\n", "utf-8")
    assert club.load("more.csv").ok and club.card("M-1").set == "cards"
    assert club.load("more.csv", set="second").ok and club.card("M-1").set == "second"


def test_a_partial_file_prunes_the_sets_of_its_cards(club: carddb.Project, folder: Path) -> None:
    """Pruning retires the cards of the sets that those of the file have, and a card comes back with what it had."""
    (folder / "less.csv").write_text("ref,name,type,life\nM-1,Rider,soldier,5\n", "utf-8")
    assert [change.ref for change in club.load("less.csv", prune=True).cards[0].result.retired] == ["M-2"]
    (folder / "back.csv").write_text("ref,name,type\nM-2,Bowman,soldier\n", "utf-8")
    assert [change.ref for change in club.load("back.csv").cards[0].result.restored] == ["M-2"]
    assert club.card("M-2").get("quote") == "Loose!"


def test_headings_are_mapped_by_the_project_and_by_the_load(club: carddb.Project, folder: Path, call: Call) -> None:
    """`[columns]` of the project and `--map` name headings; an unmapped one is a finding with the nearest field."""
    (folder / "own.csv").write_text("ref,Title,Art der Karte,Words\nM-1,Rider,soldier,Hey!\n", "utf-8")
    assert call("load", "own.csv").code == 1
    told = call("load", "own.csv", "--map", "title=name", "--map", "Art der Karte=type")
    assert (told.code, club.card("M-1").get("quote")) == (0, "Hey!")
    assert club.load("own.csv", columns={"Title": "name", "Art der Karte": "type"}).ok
    assert call("load", "own.csv", "--map", "title").code == 2
    wrong = call("load", "own.csv", "--map", "title=nam")
    assert wrong.code == 2 and "Did you mean name?" in wrong.err


def test_columns_of_one_game_go_before_those_of_all(folder: Path) -> None:
    """`[columns.GAME]` holds headings of that game; a field that a game lacks is passed over for it."""
    text = '[columns]\nWords = "quote"\nHeft = "life"\n[columns.cahrd]\nWords = "flavor"\n'
    (folder / "carddb.toml").write_text(text, "utf-8")
    project = carddb.open()
    columns = {
        key: project.settings.columns_of(key, project.game(key).spec.all_fields()) for key in ("cahrd", "guarda")
    }
    assert columns["cahrd"] == {"Words": "flavor"}
    assert "Heft" not in columns["guarda"]


NAMED = GameSpec(
    key="trial",
    prefix="tr",
    name="Trial",
    fields={"special": FieldSpec(type="object", keys=("name", "text"))},
    types={"unit": TypeSpec()},
)


@every(
    "cell, special",
    [
        ("Prayer: Once a turn: heal 1.", {"name": "Prayer", "text": "Once a turn: heal 1."}),
        ("Shield-wall - Takes 1 less.", {"name": "Shield-wall", "text": "Takes 1 less."}),
        ("Reach \u2013 Hits first.", {"name": "Reach", "text": "Hits first."}),
        ("A: b\n\nC: d", [{"name": "A", "text": "b"}, {"name": "C", "text": "d"}]),
        ('{"name": "A", "text": "b"}', {"name": "A", "text": "b"}),
        ("Prayer", None),
        ("A: b\nPrayer", None),
    ],
)
def test_a_special_text_is_written_as_on_the_card(cell: str, special: object) -> None:
    """A name, a colon or a dash, and a text are one entry; several lines are a list, and JSON is read as before."""
    data = json.dumps([{"ref": "U", "name": "Unit", "type": "unit", "special": cell}]).encode()
    found = read_cards(io.BytesIO(data), CardReading(NAMED, "s", Path("absent")), "json")
    assert [record.values.get("special") for record in found.records] == ([special] if special else [])
    assert [finding.code for finding in found.findings] == ([] if special else ["field_invalid"])
