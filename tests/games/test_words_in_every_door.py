"""The words that are printed on cards and in documents are taken in every door, and stored and shown canonical."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import carddb
from carddb.findings import Severity
from carddb.read.cards.file import one_letter_apart
from tests.conftest import Told

Call = Callable[..., Told]

EG = "empires-and-generals"
EG_ROWS = """Ref,Name,Type,Rarity,Era,Strength,Life,Continuous,Amount,Pull
A-1,First Guard,Soldier,Ultra Rare,Antiquity,3,2,,,Yes
A-2,Flood,Act of God,COMMON,,,,,,
A-3,Well,RESOURCE,un-common,,,,yes,3,
"""
CAHRD_ROWS = """Card Number,name,type,Leadership,WAR,Intelligence,Charm,Men Under Command,recruitment_cost,Trait
B-1,Somebody,Officer,3,3,3,3,4 Points,25k,Waits.
"""
RISHAR_ROWS = """ref,name,role,path,strength,traits
C-1,Long Spear,Aggressor,STEEL,2,Reach; RANGED
"""


@pytest.fixture
def project(folder: Path) -> carddb.Project:
    """A project with cards as the printed ones read."""
    for key, rows in ((EG, EG_ROWS), ("cahrd", CAHRD_ROWS), ("rishar", RISHAR_ROWS)):
        Path(f"{key}.csv").write_text(rows, "utf-8")
        report = carddb.open().load(f"{key}.csv", game=key)
        errors = [finding.message for finding in report.findings if finding.severity is Severity.ERROR]
        assert report.ok, errors
    return carddb.open()


def test_card_files_are_read_in_printed_words(project: carddb.Project) -> None:
    """Types, rarities, eras, yes and no, units and suffixes are stored canonical."""
    guard, flood, well = (project.card(ref) for ref in ("A-1", "A-2", "A-3"))
    assert [guard.type, guard.get("rarity"), guard.get("era"), guard.get("pull")] == [
        "soldier", "ultra_rare", "antiquity", True,
    ]  # fmt: skip
    assert (flood.type, flood.get("rarity")) == ("act_of_god", "common")
    assert (well.get("rarity"), well.get("continuous")) == ("uncommon", True)
    officer = project.card("B-1")
    assert (officer.get("men"), officer.get("recruitment_cost")) == (4, 25000)
    spear = project.card("C-1")
    assert (spear.get("path"), list(spear.get("traits"))) == ("steel", ["reach", "ranged"])


@pytest.mark.parametrize(
    ("game", "headings", "row", "values"),
    [
        (
            "cahrd",
            "Card Number,Card Name,Card Type,Leadership (LDR),WAR,INT,CHM,MUC,Recruitment Cost (men),Positions,Traits",
            "Z-1,A,Officer Card,5,3,3,3,1 Point,25k men,Commander; Strategist,Waits.",
            {"ldr": 5, "men": 1, "recruitment_cost": 25000, "trait_positions": ["commander", "strategist"]},
        ),
        ("cahrd", "Ref,Name,Type,Cost,Text,Disregards effects", "Z-1,A,Item,5k,Gain.,Disregards effects",
         {"reserve_cost": 5000, "effect": "Gain.", "disregards": True}),
        ("cahrd", "Ref,Name,Type,Requirement,Passive Effect", "Z-1,A,Strategy card,Hold.,Waits.", {"effect": "Waits."}),
        (EG, "Reference number,Card name,Type,Rarity,Epoch,Year,Strength/Life,Pull,Effects",
         "Z-1,A,Soldier,Common,Antiquity,216 BCE,7 / 8,No Pull,Runs.",
         {"era": "antiquity", "year": -216, "strength": 7, "life": 8, "pull": False, "text": "Runs."}),
        (EG, "Number,Name,Type,Rarity,Amount,Continuous", "Z-1,A,Resource card,Common,2 points,continuous",
         {"amount": 2, "continuous": True}),
        (EG, "Ref,Name,Type,Rarity,Act of God", "Z-1,A,Kingdom card,Ultra Rare,Act of God", {"act_of_god": True}),
    ],
    ids=str,
)  # fmt: skip
def test_headings_and_cells_may_read_as_the_printed_card(
    folder: Path, game: str, headings: str, row: str, values: dict[str, object]
) -> None:
    """Short forms and units in brackets, two fields in one column, years before our era, a flag by its own name."""
    Path("printed.csv").write_text(f"{headings}\n{row}\n", "utf-8")
    project = carddb.open()
    report = project.load("printed.csv", game=game)
    assert report.ok, [finding.message for finding in report.findings]
    card = project.card("Z-1")
    assert {name: card.get(name) for name in values} == values


@pytest.mark.parametrize(
    ("cell", "codes"),
    [
        ("5-6", ["unit_stats_missing", "unit_stats_range"]),
        ("5/", ["unit_stats_missing"]),
        ("5/0", ["unit_stats_range"]),
    ],
)
def test_a_column_of_two_fields_tells_what_is_wrong_in_it(folder: Path, cell: str, codes: list[str]) -> None:
    """A cell of another number of parts, and each part alone; the place is the column of both."""
    Path("joined.csv").write_text(f"ref,name,type,rarity,Strength/Life\nZ-1,A,soldier,common,{cell}\n", "utf-8")
    findings = carddb.open().load("joined.csv", game=EG).findings
    assert sorted(finding.code for finding in findings) == codes
    assert {finding.where[0].column for finding in findings} == {5}


@pytest.mark.parametrize(
    ("game", "line", "format_"),
    [
        (EG, "Predestination: Ancient Rumble", "ancient_rumble"),
        (EG, "Predestination: Is this real life?", "is_this_real_life"),
        ("cahrd", "Match: War", "war"),
        ("cahrd", "Format: Single battle", "battle"),
    ],
)
def test_a_deck_names_its_format_in_the_document_s_words(
    project: carddb.Project, game: str, line: str, format_: str
) -> None:
    """A header key has further words too: the document calls a format a Predestination."""
    card = "First Guard" if game == EG else "Somebody"
    report = project.check(f"Game: {game}\n{line}\n1 {card}\n")
    assert isinstance(report, carddb.Report)
    assert report.to_json()["context"]["format"] == format_
    assert not {"line_unread", "text_passed_over"} & {finding.code for finding in report.findings}


def test_queries_take_them_too(project: carddb.Project) -> None:
    """Values and fields of a query, and the game as a field."""
    assert [card.ref for card in project.cards('rarity:"Ultra Rare" Type:Soldiers pull:yes', game=EG)] == ["A-1"]
    cahrd = {card.ref for card in project.cards("game:cahrd")}
    assert "B-1" in cahrd and not cahrd & {"A-1", "C-1"}
    assert "A-1" not in [card.ref for card in project.cards("-game:empires")]
    with pytest.raises(carddb.QueryError) as caught:
        project.cards("rarety:common", game=EG)
    assert "Did you mean rarity?" in caught.value.remedy
    assert "strength" in caught.value.remedy


@pytest.mark.parametrize(
    ("game", "query", "ref"),
    [
        ("cahrd", "Leadership>=3 Somebody", "B-1"),
        ("cahrd", '"Men Under Command":"4 points" Somebody', "B-1"),
        ("cahrd", '"Recruitment Cost"<=25k MUC:4 Somebody', "B-1"),
        ("cahrd", 'game:"C.A.H.R.D." Somebody', "B-1"),
        (EG, '"Act of God":yes Flood', "A-2"),
        (EG, "Epoch:Antiquity Guard", "A-1"),
        (EG, '"Reference number"=A-3', "A-3"),
    ],
)
def test_a_query_names_fields_and_numbers_as_the_cards_do(
    project: carddb.Project, game: str, query: str, ref: str
) -> None:
    """Fields by label and heading, in quotes where they are several words; numbers with units; the game by its name."""
    assert ref in [card.ref for card in project.cards(query, game=game)]


@pytest.mark.parametrize("word", ["Ancient Rumble", "ANCIENT_RUMBLE", "ancient-rumble"])
def test_formats_are_known_by_name(project: carddb.Project, call: Call, word: str) -> None:
    """As an option and in the header of a deck; the report has the key."""
    text = f"Game: Empires and Generals\nFormat: {word}\n3 First Guard\n"
    assert project.check(text).to_json()["context"]["format"] == "ancient_rumble"
    Path("my.deck").write_text("Game: Empires and Generals\n3 First Guard\n", "utf-8")
    report = call("check", "my.deck", "--format", word, "--json").json()
    assert report["context"]["format"] == "ancient_rumble"
    assert "format_era" not in {finding["code"] for finding in report["findings"]}


def test_references_are_taken_in_lower_case(project: carddb.Project, call: Call) -> None:
    """In a deck and on the command line."""
    report = project.check("Game: Empires and Generals\n3 First Guard [a-1]\n2 [a-2]\n1 a-3\n")
    assert isinstance(report, carddb.Report)
    assert [entry.ref for entry in report.deck.entries] == ["A-1", "A-2", "A-3"]
    assert call("show", "a-1").out.startswith("First Guard [A-1]")


def test_options_are_known_folded(project: carddb.Project, call: Call) -> None:
    """Their names and their values."""
    Path("my.deck").write_text("Game: Empires and Generals\n3 First Guard\n", "utf-8")
    report = call(
        "check", "my.deck", "--option", "Tie Rule=Life holds", "--option", "same-by-name=yes", "--json"
    ).json()
    assert report["context"]["options"] == {"tie_rule": "life_holds", "same_by_name": True}


def test_a_slip_in_an_open_field_is_a_warning(folder: Path) -> None:
    """One letter away from a value that rules compare with, unless it was stored before."""
    Path("own.csv").write_text(
        "ref,name,type,rarity,era,strength,life\nA-9,Late,soldier,common,antiquty,1,1\n", "utf-8"
    )
    project = carddb.open()
    report = project.load("own.csv", game=EG)
    assert report.ok
    (slip,) = [finding for finding in report.findings if finding.code == "value_near_known"]
    assert (slip.severity, slip.data["near"]) == (Severity.WARNING, "antiquity")
    again = project.load("own.csv", game=EG)
    assert "value_near_known" not in {finding.code for finding in again.findings}


@pytest.mark.parametrize(
    ("one", "other"), [("antiquty", "antiquity"), ("antiqiuty", "antiquity"), ("medievall", "medieval")]
)
def test_one_letter_is_missing_changed_swapped_or_too_many(one: str, other: str) -> None:
    """In both directions; a word is not near itself."""
    assert one_letter_apart(one, other) and one_letter_apart(other, one)
    assert not one_letter_apart(one, one)
    assert not one_letter_apart(one, "modern")


def test_two_words_for_one_thing_are_an_error_of_the_game(tmp_path: Path) -> None:
    """A game whose list has two entries that fold alike is refused, with both."""
    source = (Path(__file__).parent.parent / "outside" / "lanterns" / "game.yaml").read_text("utf-8")
    folder = tmp_path / "lanterns"
    folder.mkdir()
    clash = "\noptions:\n  late_start: {label: one}\n  late-start: {label: two}\n"
    (folder / "game.yaml").write_text(source.replace("\noptions:\n", clash), "utf-8")
    _, findings = carddb.load(carddb.folders([(tmp_path, True)])["lanterns"])
    assert any("'late-start' means both late_start and late-start" in finding.message for finding in findings)
