"""The program from outside: verbs, streams, exit codes, files."""

from __future__ import annotations

import csv
import inspect
import io
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import click
import openpyxl
import pytest
from PIL import Image

from carddb import __version__
from carddb.cli import main
from carddb.cli.main import VerbGroup, VerbTable, help_in
from carddb.games import Game, folders
from tests.conftest import OUTSIDE, Told
from tests.rows import every, usually

CARD = "ref,name,type,rarity,strength,life,text\n"


Call = Callable[..., Told]


@pytest.fixture
def decks(folder: Path, game: Game) -> None:
    """The two decks of the demo, in `output`."""
    shutil.copytree(game.folder.path / "decks" / "demo", folder / "output")


@pytest.fixture
def carddb(folder: Path, call: Call) -> Call:
    """Runs a command in a folder that holds a project of Empires and Generals, and nothing else."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    return call


@every("table", [main.VERBS, main.BAN_VERBS, main.DECK_VERBS, main.EVENT_VERBS])
def test_the_help_of_a_group_says_what_its_verbs_say(table: VerbTable) -> None:
    """The words of a verb in the help of its group are the first paragraph of its own help."""
    group = VerbGroup(verbs=table)
    for verb, (module, name, words) in table.items():
        command = group.get_command(click.Context(group), verb)
        assert command is not None
        assert inspect.cleandoc(command.help or "").partition("\n\n")[0] == (words or help_in(module, name))


@pytest.mark.door
def test_the_demo_does_the_main_job(carddb: Call, folder: Path) -> None:
    """The demo leaves every file that its last table names, and shows both verdicts."""
    told = carddb("demo")
    assert told.code == 0
    assert "Legal: Empires and Generals" in told.out and "Not legal: Empires and Generals" in told.out
    table = told.out[told.out.index("what it is") :]
    named = [Path(line.split()[0]) for line in table.splitlines()[1:] if line]
    assert all(path.exists() for path in named)
    assert len(list((folder / "output" / "cards").glob("*.png"))) == 6
    assert (folder / "output" / "sheets.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.full
@pytest.mark.door
def test_the_demo_twice_gives_the_same_bytes(carddb: Call, folder: Path) -> None:
    """A second demo over the first changes no byte of what is printed."""
    carddb("demo")
    before = {path: path.read_bytes() for path in (folder / "output").rglob("*.p[dn][fg]")}
    carddb("demo")
    assert len(before) >= 10
    assert all(path.read_bytes() == data for path, data in before.items())


def test_a_missing_default_catalogue_is_made_and_said(carddb: Call, folder: Path) -> None:
    """The first search makes the catalogue with the sample cards and says so on standard error."""
    told = carddb("cards", "type:general", "rarity:rare")
    assert told.code == 0
    assert "made the catalogue" in told.err and "carddb.db with" in told.err
    assert "EG-CAR-001" in told.out
    assert carddb("cards", "name:nobody").code == 1


def test_a_named_catalogue_must_exist(carddb: Call) -> None:
    """A misspelt --catalog is not made."""
    told = carddb("--catalog", "typo.db", "cards")
    assert told.code == 3
    assert not Path("typo.db").exists()


def test_own_cards_push_the_samples_back(carddb: Call) -> None:
    """With cards of one's own the sample set is left out unless named."""
    Path("mine.csv").write_text(CARD + "M-1,My Rider,soldier,common,3,3,\n", "utf-8")
    assert carddb("load", "mine.csv").code == 0
    assert carddb("cards").err.strip().endswith("1 card")
    assert "178" in carddb("cards", "set:sample").err


def test_every_fault_of_a_file_is_listed_and_nothing_stored(carddb: Call) -> None:
    """Three faults in two rows are three findings with row and column; the good row is not stored either."""
    rows = "M-1,Rider,soldeir,common,3,3,\nM-2,Guard,soldier,mythic,x,3,\nM-3,Good,soldier,common,1,1,\n"
    Path("bad.csv").write_text(CARD + rows, "utf-8")
    told = carddb("load", "bad.csv")
    assert told.code == 1
    for words in ("bad.csv:2:type", "bad.csv:3:rarity", "bad.csv:3:strength", "soldier", "nothing was stored"):
        assert words in told.err
    assert not Path("carddb.db").exists()


def test_a_dry_run_shows_the_difference_and_changes_nothing(carddb: Call) -> None:
    """--dry-run prints what would change, field by field, and leaves the catalogue alone."""
    Path("mine.csv").write_text(CARD + "M-1,My Rider,soldier,common,3,3,\n", "utf-8")
    told = carddb("load", "mine.csv", "--dry-run")
    assert "+ M-1 My Rider" in told.out
    assert not Path("carddb.db").exists()
    carddb("load", "mine.csv")
    Path("mine.csv").write_text(CARD + "M-1,My Rider,soldier,common,4,3,\n", "utf-8")
    assert "strength: 3 -> 4" in carddb("load", "mine.csv", "--dry-run").out
    assert carddb("show", "M-1", "--json").json()["strength"] == 3


@pytest.mark.full
def test_components_are_for_as_many_as_play(carddb: Call) -> None:
    """Without --players the pieces of each player are printed for as many as the game is for, with --deck for one."""
    assert "1 piece " in carddb("components", "empires-and-generals", "title", "--deck", "Mine", "-o", "t.pdf").err
    assert "2 pieces" in carddb("components", "rishar", "battle-mat", "-o", "mats.pdf").err
    assert "1 piece " in carddb("components", "rishar", "battle-mat", "--players", "1", "-o", "mat.pdf").err


def test_load_asks_the_game_what_lies_between_fields(carddb: Call) -> None:
    """A card whose fields do not go together is refused by load with the game's code, its line and its rule."""
    table = "id,name,role,strength,path,training\nlab,Lab,equipment,,steel,1\nhost,Host,guardian,21,steel,0\n"
    Path("cards.csv").write_text(table, "utf-8")
    told = carddb("load", "cards.csv", "--game", "rishar", "--json")
    found = [(f["code"], f["severity"], f["where"][0]["line"], f["rules"]) for f in told.json()["findings"]]
    assert told.code == 1 and told.json()["files"] == []
    assert found == [
        ("training_without_strength", "error", 2, ["R-161"]),
        ("strength_unusual", "warning", 3, ["R-25"]),
    ]


@usually("suffix", ["csv", "tsv", "xlsx", "json", "yaml"])
def test_an_untouched_export_loads_as_no_change(carddb: Call, suffix: str) -> None:
    """Export and load again: nothing added, nothing changed."""
    carddb("cards")
    assert carddb("export", "-o", f"all.{suffix}").code == 0
    told = carddb("load", f"all.{suffix}", "--json")
    assert told.code == 0
    (file,) = told.json()["files"]
    assert (file["added"], file["changed"], len(file["unchanged"])) == ([], [], 178)


def test_a_real_spreadsheet_is_read_with_its_numbers_whole(carddb: Call) -> None:
    """An XLSX with number cells gives whole numbers and references with their zeros."""
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet.append(["Ref", "Name", "Type", "Rarity", "Strength", "Life"])
    sheet.append([7, "Numbered", "soldier", "common", 3, 4])
    sheet["A2"].number_format = "000"
    book.save("cards.xlsx")
    assert carddb("load", "cards.xlsx").code == 0
    shown = carddb("show", "007", "--json").json()
    assert (shown["strength"], shown["life"]) == (3, 4)


def test_history_and_checking_by_day(carddb: Call) -> None:
    """A rarity that changes from a day makes a deck illegal from that day (E-140)."""
    rows = "".join(f"M-{i},Soldier {i},soldier,common,3,3,\n" for i in range(1, 7))
    Path("mine.csv").write_text(CARD + rows, "utf-8")
    carddb("load", "mine.csv")
    Path("mine.csv").write_text(
        CARD + rows.replace("M-1,Soldier 1,soldier,common", "M-1,Soldier 1,soldier,rare"), "utf-8"
    )
    assert carddb("load", "mine.csv", "--from", "2030-05-01").code == 0
    Path("my.deck").write_text("".join(f"5 Soldier {i}\n" for i in range(1, 7)), "utf-8")
    assert carddb("check", "my.deck", "--on", "2030-04-30").code == 0
    told = carddb("check", "my.deck", "--on", "2030-05-01")
    assert told.code == 1
    assert "rare_copies" in told.out
    told = carddb("history", "M-1")
    assert "rarity: common -> rare" in told.out and "2030-05-01" in told.out and "mine.csv" in told.out


def test_a_renamed_card_is_found_by_its_old_name(carddb: Call) -> None:
    """The old name goes on resolving as an alias, with a remark."""
    Path("mine.csv").write_text(CARD + "M-1,Old Name,soldier,common,3,3,\n", "utf-8")
    carddb("load", "mine.csv")
    Path("mine.csv").write_text(CARD + "M-1,New Name,soldier,common,3,3,\n", "utf-8")
    carddb("load", "mine.csv")
    Path("my.deck").write_text("5 Old Name\n", "utf-8")
    told = carddb("check", "my.deck")
    assert "spelling_repaired" in told.out and "card_unknown" not in told.out


def test_check_as_json_has_the_shape_of_the_contract(carddb: Call, decks: None) -> None:
    """The report has the contract's keys, the verdict and sorted findings."""
    told = carddb("check", "output/illegal.deck", "--json", "--on", "2026-06-20", "--option", "same_by_name=true")
    report = told.json()
    assert told.code == 1
    assert list(report) == ["schema", "deck", "context", "verdict", "counts", "sections", "findings"]
    assert report["context"] == {
        "game": "empires-and-generals",
        "format": "ancient_rumble",
        "on": "2026-06-20",
        "options": {"same_by_name": True},
    }
    assert report["verdict"] == "illegal"
    findings = report["findings"]
    assert {"code", "severity", "message", "where", "cards", "data", "fixes", "rules"} <= set(findings[0])
    order = [(f["where"][0]["line"], f["code"]) for f in findings]
    assert order == sorted(order)


def test_a_custom_format_is_a_file(carddb: Call, decks: None) -> None:
    """E-46: a Predestination of one's own is the same filters as data; faulty ones are findings."""
    Path("ours.yaml").write_text("eras: [medieval]\nno_act_of_god: true\n", "utf-8")
    assert "format_era" in carddb("check", "output/legal.deck", "--format", "ours.yaml").out
    Path("ours.yaml").write_text("eras: medieval\nno_rain: true\n", "utf-8")
    told = carddb("check", "output/legal.deck", "--format", "ours.yaml")
    assert told.code == 3
    assert "no_rain" in told.err and "eras" in told.err


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (("chek",), 2, "Did you mean check?"),
        (("check", "missing.deck"), 3, "missing.deck"),
        (("check", "output/legal.deck", "--format", "10"), 2, "10 is ambiguous"),
        (("check", "output/legal.deck", "--option", "foo=1"), 2, "no option foo"),
        (("check", "output/legal.deck", "--game", "chess"), 2, "no game 'chess'"),
        (("cards", "strenth>3"), 2, "strength"),
        (("cards", "type:soldier", "strength>x"), 2, "^"),
        (("cards", "--on", "someday"), 2, "2026-06-20"),
        (("show", "EG-CAR-999"), 2, "no card has the reference"),
        (("sheets", "EG-CAR-001"), 2, "-o FILE.pdf, --png DIR"),
        (("sheets", "EG-CAR-001", "-o", "x.pdf", "--paper", "a44"), 2, "Did you mean a4?"),
        (("sheets", "EG-CAR-001", "-o", "x.pdf", "--card-size", "9x9m"), 2, "card size"),
        (("sheets", "EG-CAR-001", "-o", "x.pdf", "--paper", "50x50mm"), 2, "does not fit"),
        (("sheets", "EG-CAR-001", "-o", "x.pdf", "--stock", "avery"), 2, "avery-5388"),
        (("sheets", "gone.deck", "-o", "x.pdf"), 3, "gone.deck"),
        (("sheets", "name:nobody", "-o", "x.pdf"), 1, "no card matches, and nothing was printed"),
        (("sheets", "EG-CAR-001", "-o", "output"), 3, "is a folder"),
        (("components", "empires-and-generals", "PE-99", "-o", "x.pdf"), 2, "no component"),
        (("export", "-o", "x.doc"), 2, "Choose one of: csv"),
        (
            ("sheets", "EG-CAR-001", "-o", "x.pdf", "--margin", "200mm"),
            2,
            "leaves nothing inside its margins",
        ),
        (("explain", "nonsense"), 2, "no code, rule or term is called"),
        (("load", "output/legal.deck", "--game", "empires-and-generals"), 2, "cannot be read from"),
        (("load", "gone.csv"), 3, "gone.csv"),
    ],
)
def test_misuse_gets_a_sentence_and_the_right_exit_code(
    carddb: Call, decks: None, arguments: tuple[str, ...], code: int, says: str
) -> None:
    """Wrong input is answered with what is wrong and what would be right."""
    told = carddb(*arguments)
    assert (told.code, says in told.err) == (code, True), told.err + told.out
    assert not Path("x.pdf").exists()


@pytest.mark.full
def test_sheets_of_decks_cards_and_queries(carddb: Call, decks: None) -> None:
    """A selection is a deck file, references, or one query; PNGs are one a card."""
    assert "48 cards on 12 sheets, both sides" in carddb("sheets", "output/legal.deck", "-o", "a.pdf").err
    assert "2 cards on 1 sheet" in carddb("sheets", "EG-CAR-001", "EG-MAL-051", "-o", "b.pdf").err
    assert "one side" in carddb("sheets", "EG-CAR-001", "-o", "c.pdf", "--flip", "none").err
    assert carddb("sheets", "empire:mali type:general", "--png", "pictures", "--dpi", "60").code == 0
    assert len(list(Path("pictures").glob("*.png"))) == 5


def test_a_deck_with_an_unknown_card_is_not_printed(carddb: Call) -> None:
    """Nothing is printed of a deck whose lines cannot all be understood."""
    Path("my.deck").write_text("3 Hanibal Barka\n", "utf-8")
    told = carddb("sheets", "my.deck", "-o", "x.pdf")
    assert told.code == 1
    assert "Hannibal Barca" in told.err
    assert not Path("x.pdf").exists()


def test_art_in_the_project_is_printed(carddb: Call, folder: Path) -> None:
    """A picture named in the column art replaces the emblem; one outside the project is refused."""
    carddb("init", "--bare")
    Image.new("RGB", (400, 300), "#884422").save(folder / "sea.png")
    head = "ref,name,type,rarity,strength,life,art\n"
    (folder / "cards.csv").write_text(head + "M-1,Rider,soldier,common,3,3,sea.png\n", "utf-8")
    assert carddb("load", "cards.csv").code == 0
    assert carddb("sheets", "M-1", "-o", "x.pdf").code == 0
    assert b"/Image" in (folder / "x.pdf").read_bytes()
    (folder / "cards.csv").write_text(head + "M-1,Rider,soldier,common,3,3,../../etc/passwd\n", "utf-8")
    assert "image_outside_project" in carddb("load", "cards.csv").err


@pytest.mark.door
def test_a_new_project_runs_as_its_last_line_says(carddb: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """init leaves a settings file, a cards file and a deck that load, check and print."""
    assert carddb("init", "mine").code == 0
    monkeypatch.chdir(folder / "mine")
    assert "0 added, 0 changed, 178 unchanged" in carddb("load", "cards.csv", "--dry-run").err
    assert carddb("load", "cards.csv").code == 0
    assert carddb("check", "sample.deck").code == 0
    assert carddb("sheets", "sample.deck", "-o", "sheets.pdf").code == 0
    assert carddb("init").code == 3


def test_deck_lists_in_three_forms(carddb: Call, decks: None) -> None:
    """PDF, text and JSON of one deck carry the same fingerprint."""
    assert carddb("decklist", "output/legal.deck", "-o", "a.pdf").code == 0
    carddb("decklist", "output/legal.deck", "-o", "a.txt")
    carddb("decklist", "output/legal.deck", "-o", "a.json")
    listed = json.loads(Path("a.json").read_text("utf-8"))
    assert listed["deck"]["fingerprint"] in Path("a.txt").read_text("utf-8")
    assert sum(card["count"] for card in listed["cards"]) == 48
    assert carddb("check", "a.txt").code == 0


def test_a_list_of_an_army_says_what_it_has_and_costs(carddb: Call, folder: Path) -> None:
    """R-43, R-152: text and JSON tell class, Morale at the start and Upkeep, as the printed list does."""
    deck = folders()["rishar"].path / "decks" / "the-barrow-host.deck"
    assert carddb("decklist", str(deck), "-o", "a.txt").code == carddb("decklist", str(deck), "-o", "a.json").code == 0
    sums = json.loads(Path("a.json").read_text("utf-8"))["sums"]
    assert [(s["label"], s["figure"], s["note"]) for s in sums] == [
        ("Commander", "Orlan Palethread", "Necromancer, Healer of Magic"),
        ("Progression", "8", ""),
        ("Morale", "7", "at the start"),
        ("Upkeep", "60", "for a Day"),
    ]
    assert "# Upkeep: 60 (for a Day)\n" in Path("a.txt").read_text("utf-8")
    assert carddb("check", "a.txt").code == 0


def test_a_formula_cell_is_escaped_on_export(carddb: Call) -> None:
    """A text that begins a formula gets an apostrophe in CSV and comes back without it."""
    Path("mine.json").write_text(
        json.dumps(
            [{"ref": "M-1", "name": "=SUM(A1)", "type": "soldier", "rarity": "common", "strength": 1, "life": 1}]
        ),
        "utf-8",
    )
    carddb("load", "mine.json")
    carddb("export", "-o", "out.csv")
    (row,) = csv.DictReader(io.StringIO(Path("out.csv").read_text("utf-8")))
    assert row["name"] == "'=SUM(A1)"
    told = carddb("load", "out.csv", "--dry-run", "--json").json()
    assert told["files"][0]["changed"] == []


def test_a_sixth_game_runs_through_every_verb(carddb: Call) -> None:
    """A game in a folder outside is loaded, checked, printed and explained with --games alone."""
    Path("carddb.toml").unlink()
    games = ("--games", str(OUTSIDE))
    assert (
        carddb(*games, "load", str(OUTSIDE / "lanterns" / "cards.csv"), "--game", "lanterns", "--set", "mine").code == 0
    )
    Path("my.deck").write_text("Game: lanterns\nFormat: red\n\n## Main\n3 Red Lamp\n2 Harbour Light\n", "utf-8")
    told = carddb(*games, "check", "my.deck")
    assert told.code == 1
    for code in ("too_many_copies", "too_bright", "no_wind"):
        assert code in told.out
    assert carddb(*games, "sheets", "L-01", "L-02", "-o", "x.pdf").code == 0
    assert carddb(*games, "components", "lanterns", "-o", "c.pdf").code == 0
    assert "2 of a name" in carddb(*games, "explain", "too_many_copies").out.replace("two", "2")
    assert "lanterns" in carddb(*games, "games").out


def test_rules_of_a_project_game_are_left_out_and_said(carddb: Call, folder: Path) -> None:
    """A game that only carddb.toml names is checked by its data; a finding says what was left out."""
    (folder / "carddb.toml").write_text(f'games = ["{OUTSIDE}"]\ngame = "lanterns"\n', "utf-8")
    carddb("load", str(OUTSIDE / "lanterns" / "cards.csv"))
    Path("my.deck").write_text("2 Red Lamp\n2 Blue Lamp\n", "utf-8")
    told = carddb("check", "my.deck")
    assert told.code == 4
    assert "rules_not_run" in told.out and "no_wind" not in told.out


@usually("kind", ["pdf", "png", "svg"])
def test_a_proof_has_trim_and_safe_lines(carddb: Call, kind: str) -> None:
    """One face as PDF, PNG or SVG; in words beneath it stands what the lines are."""
    assert carddb("proof", "EG-CAR-001", "-o", f"p.{kind}", "--dpi", "60").code == 0
    assert Path(f"p.{kind}").stat().st_size > 1000
    assert kind != "svg" or "trim: where the card is cut" in Path("p.svg").read_text("utf-8")


def test_a_query_may_begin_with_a_minus(carddb: Call) -> None:
    """`-rarity:rare` excludes; it is no option."""
    everything = carddb("cards").err
    assert carddb("cards", "-rarity:rare").err != everything
    assert carddb("cards", "type:general", "-storm", "-(rarity:rare)").code == 0
    assert "there is no field" in carddb("cards", "-rarety:rare").err
    assert carddb("cards", "--rarity").code == 2
    assert "'-3mm' is not between 0 and 200 mm" in carddb("sheets", "EG-CAR-001", "--gutter", "-3mm", "-o", "a.pdf").err


def test_what_was_judged_is_what_is_written(carddb: Call, decks: None) -> None:
    """A deck list carries the format it was judged by."""
    carddb("decklist", "output/legal.deck", "--format", "classic", "-o", "a.txt")
    assert "Format: classic" in Path("a.txt").read_text("utf-8")


@pytest.mark.parametrize(
    "arguments",
    [
        ("sheets", "mine.deck", "-o", "mine.deck"),
        ("decklist", "mine.deck", "-o", "mine.deck"),
        ("export", "-o", "carddb.db", "--format", "csv"),
    ],
)
def test_what_was_read_is_never_written_over(carddb: Call, arguments: tuple[str, ...]) -> None:
    """A deck or a catalogue named as the output stays what it was."""
    Path("mine.deck").write_text("25 Maharbal\n", "utf-8")
    carddb("cards")
    told = carddb(*arguments)
    assert told.code in (2, 3)
    assert Path("mine.deck").read_text("utf-8") == "25 Maharbal\n"
    assert Path("carddb.db").read_bytes().startswith(b"SQLite")


def test_sheets_are_pdf_and_not_too_many(carddb: Call) -> None:
    """A picture's name for a PDF, and a deck without measure, are refused."""
    assert "--png DIR" in carddb("sheets", "EG-CAR-001", "-o", "x.png").err
    Path("my.deck").write_text("999 Maharbal\n" * 300, "utf-8")
    assert "at most 200,000" in carddb("sheets", "my.deck", "-o", "x.pdf").err


def test_a_sample_card_out_of_sight_says_so(carddb: Call, decks: None) -> None:
    """Once there are own cards, a deck of sample cards is told why they are not found."""
    Path("mine.csv").write_text(CARD + "M-1,My Rider,soldier,common,3,3,\n", "utf-8")
    carddb("load", "mine.csv")
    told = carddb("check", "output/legal.deck")
    assert told.code == 1
    assert "Hannibal Barca is not among your cards" in told.out and "sample cards are left out" in told.out


def test_a_retired_card_says_since_when(carddb: Call) -> None:
    """--prune retires what the file lacks; a deck with such a card is told the day."""
    Path("mine.csv").write_text(CARD + "M-1,One,soldier,common,3,3,\nM-2,Two,soldier,common,3,3,\n", "utf-8")
    carddb("load", "mine.csv")
    Path("mine.csv").write_text(CARD + "M-1,One,soldier,common,3,3,\n", "utf-8")
    carddb("load", "mine.csv", "--prune", "--from", "2026-01-02")
    Path("my.deck").write_text("2 Two [M-2]\n", "utf-8")
    assert "retired since 2026-01-02" in carddb("check", "my.deck").out


def test_letters_that_a_deck_list_lacks_are_found(carddb: Call) -> None:
    """The deck list is inspected like any face."""
    Path("my.deck").write_text("Name: \U0001f409\n25 Maharbal\n", "utf-8")
    assert "glyph_missing" in carddb("decklist", "my.deck", "-o", "x.pdf").err


@pytest.mark.door
def test_streams_stand_for_files(folder: Path) -> None:
    """`-` reads a deck from standard input and writes an export to standard output; a closed pipe is no error."""
    (folder / "carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")

    def call(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "carddb", *arguments]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=False, cwd=folder)

    told = call("check", "-", given="Game: empires-and-generals\n3 Maharbal\n")
    assert told.returncode == 1 and "playing_deck_size" in told.stdout
    told = call("export", "empire:mali", "-o", "-")
    assert told.stdout.startswith("ref,name,type,set")


@pytest.mark.door
def test_the_version_is_said_with_and_without_other_options(call: Call) -> None:
    """`carddb --version`, which does not wait for the command line, says what `carddb -q --version` says."""
    done = subprocess.run([sys.executable, "-m", "carddb", "--version"], capture_output=True, text=True, check=True)
    assert done.stdout == f"carddb {__version__}\n" == call("-q", "--version").out


@pytest.mark.door
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_output_that_cannot_be_written_is_said_and_a_closed_pipe_is_not(folder: Path) -> None:
    """A full disk is exit 3 with a sentence; a reader who has seen enough changes no exit code."""
    (folder / "my.deck").write_text("Game: empires-and-generals\n3 Maharbal\n", "utf-8")
    check = f"{sys.executable} -m carddb check my.deck"
    for full in (f"{check} >/dev/full", f"{sys.executable} -m carddb --version >/dev/full"):
        done = subprocess.run(full, shell=True, capture_output=True, text=True, check=False, cwd=folder)
        assert (done.returncode, "Traceback" in done.stderr) == (3, False)
        assert "cannot be written" in done.stderr
    piped = f"({check}; echo $? >code) | true"
    done = subprocess.run(piped, shell=True, capture_output=True, text=True, check=False, cwd=folder)
    assert (folder / "code").read_text().strip() == "1"
    assert done.stderr.count("Traceback") == 0


def test_a_project_of_a_game_with_ban_lists_has_them(
    carddb: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`init` brings the lists of a game that has some, as a file and in the catalogue."""
    assert carddb("init", "mine", "--game", "cahrd").code == 0
    assert (folder / "mine" / "bans.yaml").is_file()
    monkeypatch.chdir(folder / "mine")
    assert carddb("bans", "show", "short", "--on", "2026-11-22").code == 0
    assert carddb("check", "sample.deck").code == 0


@pytest.mark.parametrize(("key", "line"), [("cahrd", "Format: battle"), ("guarda", "Format: 5x5")])
def test_a_new_project_begins_with_the_default_format(call: Call, folder: Path, key: str, line: str) -> None:
    """The deck of a new project is in the format that the game takes where nobody names one."""
    assert call("init", "mine", "--game", key).code == 0
    assert line in (folder / "mine" / "sample.deck").read_text("utf-8").splitlines()


@pytest.mark.full
def test_cards_of_the_documents_stay_beside_own_ones(call: Call, folder: Path) -> None:
    """They are found, checked and printed beside a user's cards; only a card of the same name replaces one."""
    head = "ref,name,type,ldr,war,int,chm,men,recruitment_cost,trait\n"
    stats = ",officer,3,3,3,3,3,20000,Draw 1 card.\n"
    Path("own.csv").write_text(f"{head}M-1,Anna Comnena{stats}", "utf-8")
    assert call("load", "own.csv", "--game", "cahrd").code == 0
    named = call("cards", "--game", "cahrd").out
    assert all(ref in named for ref in ("M-1", "CAH-153", "CAH-156", "CAH-158")) and "CAH-001" not in named
    Path("own.deck").write_text("Game: cahrd\n\n## Main\n1 Anna Comnena\n1 Zhang Fei\n3 Crescent Blade\n", "utf-8")
    codes = [finding["code"] for finding in call("check", "own.deck", "--json").json()["findings"]]
    assert "card_unknown" not in codes
    assert call("sheets", "own.deck", "-o", "s.pdf", "--allow-illegal").code == 0
    Path("own.csv").write_text(f"{head}M-1,Anna Comnena{stats}M-2,Zhang Fei{stats}", "utf-8")
    assert call("load", "own.csv", "--game", "cahrd").code == 0
    named = call("cards", "--game", "cahrd").out
    assert "M-2" in named and "CAH-153" in named and "CAH-156" not in named


def test_a_card_of_the_documents_steps_back_however_its_name_is_written(call: Call, folder: Path) -> None:
    """Names are compared folded, as everywhere: capitals, accents and spaces do not tell them apart."""
    head = "ref,name,type,ldr,war,int,chm,men,recruitment_cost,trait\n"
    rows = "M-1,ZHÀNG  FEI,officer,3,3,3,3,3,20000,Draw 1 card.\n"
    Path("own.csv").write_text(head + rows, "utf-8")
    assert call("load", "own.csv", "--game", "cahrd").code == 0
    named = call("cards", "--game", "cahrd").out
    assert "M-1" in named and "CAH-153" in named and "CAH-156" not in named


def test_a_query_names_a_game_in_the_folder_of_another(call: Call, folder: Path) -> None:
    """`game:` finds the cards of any game, by that game's words; a fault is told with the fields of that game."""
    (folder / "carddb.toml").write_text('game = "rishar"\n', "utf-8")
    found = call("cards", "game:cahrd type:officers")
    assert found.code == 0 and "CAH-001" in found.out and "RIS-" not in found.out
    assert call("cards", "type:officers").code == 2
    assert "CAH-001" not in call("cards", "a").out
    wrong = call("cards", "game:cahrd tpye:officers")
    assert wrong.code == 2 and "Did you mean type?" in wrong.err and "recruitment_cost" in wrong.err
