"""The studio's cells: checked like a load, written into the file that the row came from, and never lost."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest

from carddb.app.games.new_project import new_project
from carddb.app.studio.drafted_file import FILE, Drafts
from carddb.app.studio.faces import FaceLook
from carddb.app.studio.sitting import Sitting
from carddb.app.studio.studio import StudioRoom, as_json
from carddb.core import assets
from carddb.core.errors import UsageError
from carddb.door import Project
from carddb.findings import has_errors
from tests.conftest import Told
from tests.rows import usually

Call = Callable[..., Told]
GAME = "empires-and-generals"
LANTERNS = Path(__file__).parents[2] / "outside" / "lanterns"
CARDS = """ref;name;type;rarity;empire;era;strength;life;play_cost;text;quote\r
X-1;"Hanno";general;common;Carthage;antiquity;4;5;2;"Effect: ""Wait""; then go.";\r
X-2;Mago;general;rare;Carthage;antiquity;3;6;2;Effect: Draw a card.;Bold\r
"""
RECORD = {"ref": "X-1", "name": "Hanno", "type": "general", "rarity": "common", "empire": "Carthage",
          "era": "antiquity", "strength": 4, "life": 5, "play_cost": 2, "text": "Effect: Wait."}  # fmt: skip


def loaded(folder: Path, call: Call, name: str, data: bytes) -> Path:
    """A project whose cards came from one file."""
    (folder / "carddb.toml").write_text(f'game = "{GAME}"\n', "utf-8")
    path = folder / name
    path.write_bytes(data)
    told = call("load", name)
    assert told.code == 0, told.err
    return path


def sitting(folder: Path) -> Sitting:
    project = Project(folder)
    return Sitting(project, project.game(GAME), Drafts(folder))


def workbook() -> bytes:
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for line in CARDS.replace('"', "").splitlines():
        sheet.append([int(cell) if cell.isdecimal() else cell for cell in line.split(";")[:11]])
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_an_edit_stands_in_the_csv_and_in_the_history_and_is_not_lost(folder: Path, call: Call) -> None:
    """One cell of the file changes, the card has one more revision from it, and loading the file changes nothing."""
    path = loaded(folder, call, "cards.csv", b"\xef\xbb\xbf" + CARDS.encode())
    studio = sitting(folder)
    studio.edit({("X-1", "life"): "7", ("X-1", "text"): "Effect: One; two."})
    assert path.read_bytes() == b"\xef\xbb\xbf" + CARDS.encode(), "a draft is in no file"
    report = studio.store()
    assert [change.ref for change in report.changes] == ["X-1"] and report.files == ("cards.csv",)
    expected = CARDS.replace("4;5;2", "4;7;2").replace('"Effect: ""Wait""; then go."', '"Effect: One; two."')
    assert path.read_bytes() == b"\xef\xbb\xbf" + expected.encode()
    history = call("history", "X-1", "--json").json()["revisions"]
    assert [revision["kind"] for revision in history] == ["added", "changed"]
    assert history[1]["source"] == "cards.csv" and history[1]["changes"]["life"] == [5, 7]
    assert "2 unchanged" in call("load", "cards.csv").err
    assert not (folder / FILE).exists()


def test_an_edit_stands_in_the_cell_of_the_workbook(folder: Path, call: Call) -> None:
    """The same with XLSX: a number stays a number, and the next load finds nothing new."""
    path = loaded(folder, call, "cards.xlsx", workbook())
    studio = sitting(folder)
    studio.edit({("X-2", "play_cost"): "3", ("X-2", "quote"): "=1+1"})
    assert studio.store().files == ("cards.xlsx",)
    sheet = openpyxl.load_workbook(path).active
    assert sheet is not None
    assert [sheet["I3"].value, sheet["K3"].value, sheet["I2"].value] == [3, "'=1+1", 2]
    assert call("show", "X-2", "--json").json()["quote"] == "=1+1"
    assert "2 unchanged" in call("load", "cards.xlsx").err


@pytest.mark.full
def test_what_no_cell_can_take_goes_into_a_patch_file(folder: Path, call: Call) -> None:
    """Of a JSON file, and of a field without a column, the edit stands in a patch file that every load finds."""
    path = loaded(folder, call, "cards.json", json.dumps([RECORD]).encode())
    studio = sitting(folder)
    studio.edit({("X-1", "life"): "8", ("X-1", "quote"): "Slow,\nand sure"})
    assert studio.store().files == ("cards.patch.csv",)
    assert json.loads(path.read_bytes()) == [RECORD]
    assert (folder / "cards.patch.csv").read_text("utf-8") == (
        'ref,field,value\nX-1,life,8\nX-1,quote,"Slow,\nand sure"\n'
    )
    told = call("-v", "load", "cards.json")
    assert "1 unchanged" in told.err and "cards.patch.csv replaces 2 values of cards.json" in told.err
    studio.edit({("X-1", "life"): "5"})
    studio.store()
    assert call("show", "X-1", "--json").json()["life"] == 5


def test_a_patch_file_prunes_nothing_and_says_what_it_has_no_card_for(folder: Path, call: Call) -> None:
    """Loaded with `*.csv --prune` it retires no card; a line for no card is passed over with a warning."""
    loaded(folder, call, "cards.csv", CARDS.encode())
    (folder / "cards.patch.csv").write_text("ref,field,value\nX-1,life,7\nX-9,life,7\n", "utf-8")
    told = call("load", "cards.csv", "cards.patch.csv", "--prune")
    assert told.code == 0 and "retired" not in told.err and "patch_unused" in told.err
    assert call("show", "X-1", "--json").json()["life"] == 7
    (folder / "cards.patch.csv").write_text("ref,field,value\nX-1,life,siz\nX-1,live,7\n", "utf-8")
    told = call("load", "cards.csv")
    assert told.code == 1 and "cards.patch.csv:2" in told.err and "cards.patch.csv:3" in told.err


def test_a_field_without_a_column_leaves_the_table_file_alone(folder: Path, call: Call) -> None:
    """A CSV that lacks a column is not given one: that cell goes into the patch file, the others into the CSV."""
    path = loaded(folder, call, "cards.csv", CARDS.encode())
    studio = sitting(folder)
    studio.edit({("X-2", "emblem"): "ship", ("X-2", "life"): "9"})
    studio.store()
    assert path.read_bytes() == CARDS.replace("3;6;2", "3;9;2").encode()
    assert (folder / "cards.patch.csv").read_text("utf-8") == "ref,field,value\nX-2,emblem,ship\n"
    assert "2 unchanged" in call("load", "cards.csv").err


def test_a_cell_is_checked_as_by_a_load(folder: Path, call: Call) -> None:
    """A refused cell has the finding that `load` gives for it, stays a draft, and holds up no other."""
    path = loaded(folder, call, "cards.csv", CARDS.encode())
    studio = sitting(folder)
    studio.edit({("X-1", "life"): "siz", ("X-2", "life"): "7"})
    row = studio.row("X-1")
    assert row.card is None and row.shown is not None and row.shown.get("life") == 5
    studio.store()
    path_of_trial = folder / "trial.csv"
    path_of_trial.write_text(CARDS.replace("4;5;2", "4;siz;2"), "utf-8", newline="")
    finding = call("load", "trial.csv", "--dry-run", "--json").json()["findings"][0]
    assert row.faults == {"life": finding["message"]} and row.findings[0].code == finding["code"]
    assert "3;7;2" in path.read_text("utf-8") and "siz" not in path.read_text("utf-8")
    assert list(studio.row("X-1").drafts) == ["life"] and not studio.row("X-2").drafts


def test_a_file_with_an_error_of_its_own_is_left_alone(folder: Path, call: Call) -> None:
    """Where the file has an error beside the drafts nothing of it is stored, and the error is told."""
    path = loaded(folder, call, "cards.csv", CARDS.encode())
    path.write_text(CARDS.replace("3;6;2", "3;six;2"), "utf-8", newline="")
    studio = sitting(folder)
    studio.edit({("X-1", "life"): "7"})
    report = studio.store()
    assert not report.changes and "error" in report.refused[0] and report.findings[0].where[0].line == 3
    studio.edit({("X-2", "life"): "6"})
    assert [change.ref for change in studio.store().changes] == ["X-1"], "a draft mends the file's error"


def test_a_cell_that_changed_on_disk_meanwhile_is_refused(folder: Path, call: Call) -> None:
    """Another text in the same cell is a conflict until one of the two is chosen; another cell is none."""
    path = loaded(folder, call, "cards.csv", CARDS.encode())
    studio = sitting(folder)
    studio.edit({("X-1", "life"): "7", ("X-2", "play_cost"): "1"})
    path.write_text(CARDS.replace("4;5;2", "4;9;2").replace("Mago", "Mago Barca"), "utf-8", newline="")
    report = studio.store()
    refusal = "another program has changed life of X-1 in cards.csv: choose whose text to keep"
    assert report.refused == (refusal,) and not report.changes
    assert studio.row("X-1").conflicts == {"life": "9"} and not studio.row("X-2").conflicts
    studio.keep_mine("X-1", "life")
    assert {change.ref for change in studio.store().changes} == {"X-1", "X-2"}
    assert "4;7;2" in path.read_text("utf-8") and "Mago Barca" in path.read_text("utf-8")
    studio.edit({("X-1", "life"): "3"})
    path.write_text(path.read_text("utf-8").replace("4;7;2", "4;8;2"), "utf-8", newline="")
    studio.drop(("X-1", "life"))
    studio.store()
    assert call("show", "X-1", "--json").json()["life"] == 8


def test_an_edit_that_no_file_takes_is_kept_by_the_next_load(
    folder: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be written the catalogue has the edit; the old file does not undo it unless it is forced."""
    from carddb.app.studio import sitting as module
    from carddb.core.errors import OutputError

    path = loaded(folder, call, "cards.csv", CARDS.encode())
    studio = sitting(folder)
    studio.edit({("X-1", "life"): "7"})

    def refuse(path: Path, data: bytes) -> None:
        raise OutputError(f"{path} cannot be written")

    monkeypatch.setattr(module, "write_file", refuse)
    assert studio.store().unfiled == ("X-1",)
    assert path.read_bytes() == CARDS.encode()
    told = call("load", "cards.csv")
    assert "2 unchanged" in told.err and "edit_kept" in told.err and "life" in told.err
    assert call("show", "X-1", "--json").json()["life"] == 7
    path.write_text(CARDS.replace("4;5;2", "4;6;2"), "utf-8", newline="")
    assert "edit_kept" not in call("load", "cards.csv").err, "what was changed in the file since counts"
    path.write_bytes(CARDS.encode())
    call("load", "cards.csv")
    assert call("show", "X-1", "--json").json()["life"] == 5


def test_a_load_by_force_undoes_an_edit_that_is_in_no_file(folder: Path, call: Call) -> None:
    """A card whose file is gone is edited in the catalogue; `--force` takes the file's value again."""
    path = loaded(folder, call, "cards.csv", CARDS.encode())
    path.rename(folder / "away.csv")
    studio = sitting(folder)
    studio.edit({("X-1", "life"): "x", ("X-2", "life"): "7"})
    assert studio.row("X-1").faults
    assert studio.store().unfiled == ("X-2",)
    (folder / "away.csv").rename(path)
    assert "edit_kept" in call("load", "cards.csv").err
    assert "1 changed" in call("load", "cards.csv", "--force").err
    assert call("show", "X-2", "--json").json()["life"] == 6
    assert "2 unchanged" in call("load", "cards.csv").err


KILLED = """
import os, sys
from carddb.door import Project
from carddb.app.studio import sitting as module
from carddb.app.studio.drafted_file import Drafts
point = sys.argv[1]
real_write, real_load = module.write_file, module.load_files
if point == "in the file":
    import carddb.core.files
    carddb.core.files.os.fsync = lambda _: os._exit(9)
elif point == "before the load":
    module.load_files = lambda *_: os._exit(9)
else:
    Drafts.drop = lambda *_: os._exit(9)
project = Project(".")
studio = module.Sitting(project, project.game("empires-and-generals"), Drafts(project.folder))
studio.edit({("X-1", "life"): "7"})
studio.store()
"""


@pytest.mark.door
@usually("point", ["in the file", "before the load", "before the drafts"])
def test_a_server_killed_while_it_stores_loses_nothing(folder: Path, call: Call, point: str) -> None:
    """Killed at any point the file is whole, the draft is still there, and storing again ends what was begun."""
    path = loaded(folder, call, "cards.csv", CARDS.encode())
    killed = subprocess.run([sys.executable, "-c", KILLED, point], cwd=folder, env=os.environ, check=False)
    assert killed.returncode == 9
    assert path.read_bytes() in (CARDS.encode(), CARDS.replace("4;5;2", "4;7;2").encode())
    studio = sitting(folder)
    assert studio.row("X-1").texts["life"] == "7"
    studio.store()
    assert path.read_bytes() == CARDS.replace("4;5;2", "4;7;2").encode()
    assert call("show", "X-1", "--json").json()["life"] == 7
    assert len(call("history", "X-1", "--json").json()["revisions"]) == 2
    assert "2 unchanged" in call("load", "cards.csv").err


def test_a_new_card_is_a_line_at_the_end_of_its_file(folder: Path, call: Call) -> None:
    """It is drafts until it is stored; every other byte stays, a text without a column goes into the patch file."""
    before = CARDS.replace(";quote\r", "\r").replace("go.;\r", "go.\r").replace(";Bold\r", "\r").encode()
    path = loaded(folder, call, "cards.csv", before.removesuffix(b"\r\n"))
    studio = sitting(folder)
    assert studio.places() == {"cards.csv": "X-3"}
    studio.add("X-3", "cards.csv", {"name": "Gisco; the Younger", "type": "general", "text": ""})
    row = studio.row("X-3")
    assert (row.file, row.line, row.stored, set(row.drafts)) == ("cards.csv", 4, None, {"ref", "name", "type"})
    studio.edit({("X-1", "life"): "9"})
    report = studio.store()
    assert [change.ref for change in report.changes] == ["X-1"], "a new card that lacks what it needs is not stored"
    assert set(row.drafts) == set(studio.row("X-3").drafts) and has_errors(studio.row("X-3").findings)
    given = {"rarity": "rare", "empire": "Carthage", "era": "antiquity", "strength": "4", "life": "5", "play_cost": "2"}
    studio.edit({("X-3", name): text for name, text in {**given, "text": "Effect: Draw.", "quote": "Late"}.items()})
    report = studio.store()
    assert (report.files, [change.ref for change in report.changes]) == (("cards.csv", "cards.patch.csv"), ["X-3"])
    line = b'\r\nX-3;"Gisco; the Younger";general;rare;Carthage;antiquity;4;5;2;Effect: Draw.'
    assert path.read_bytes() == before.replace(b";4;5;2;", b";4;9;2;").removesuffix(b"\r\n") + line
    assert not studio.row("X-3").drafts and studio.row("X-3").texts["quote"] == "Late"
    assert not Project(folder).load(path, dry_run=True).cards[0].result.changed


@pytest.mark.full
def test_a_new_card_is_a_row_of_its_workbook(folder: Path, call: Call) -> None:
    """Its cells have the styles of those above; numbers are numbers, and every other part of the workbook stays."""
    path = loaded(folder, call, "cards.xlsx", workbook())
    studio = sitting(folder)
    given = {"name": "Gisco", "type": "general", "rarity": "rare", "empire": "Carthage", "era": "antiquity",
             "strength": "4", "life": "5", "play_cost": "2", "text": "Effect: Draw."}  # fmt: skip
    studio.add("X-3", "cards.xlsx", given)
    assert [change.ref for change in studio.store().changes] == ["X-3"]
    sheet = openpyxl.load_workbook(path).active
    assert sheet is not None
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert len(rows) == 4 and rows[3][:9] == ["X-3", "Gisco", "general", "rare", "Carthage", "antiquity", 4, 5, 2]
    assert studio.store().changes == ()


def test_a_new_card_is_refused_or_forgotten(folder: Path, call: Call) -> None:
    """A reference that is taken or cannot be one, and a file that takes no line; without its reference it is gone."""
    loaded(folder, call, "cards.csv", CARDS.encode())
    studio = sitting(folder)
    for ref, file in (("X-1", "cards.csv"), ("", "cards.csv"), ("X\n3", "cards.csv"), ("X-3", "cards.json")):
        with pytest.raises(UsageError):
            studio.add(ref, file, {"name": "Gisco"})
    studio.add("X-3", "cards.csv", {"name": "Gisco"})
    studio.drop(("X-3", "ref"))
    assert "X-3" not in studio.table().rows and not studio.drafts.of(GAME)


def test_a_saved_rules_py_is_run_again(folder: Path) -> None:
    """Its checks of cards count at once; one that cannot be run leaves the last one, and its line is named."""
    shutil.copytree(LANTERNS, folder / "lanterns")
    rules = folder / "lanterns" / "rules.py"
    project = Project(folder, games=[folder / "lanterns"])
    new_project(project, folder, "lanterns", bare=False)
    room = StudioRoom(project, project.game("lanterns"), Drafts(folder))
    assert not any(row.findings for row in room.view("").rows)
    check = '\n\ndef dark(card, place, spec):\n    return [warning("dark", "too dark", place)]\nCARD_CHECKS = [dark]\n'
    rules.write_text(rules.read_text("utf-8") + check, "utf-8")
    assert all(row.findings for row in room.view("").rows)
    rules.write_text("\n1 / 0\n", "utf-8")
    view = room.view("")
    assert [(fault.file, fault.line) for fault in view.faults] == [("rules.py", 2)]
    assert all(row.findings for row in view.rows), "the last rules stay"


def test_a_saved_font_changes_the_faces_that_name_its_family(folder: Path) -> None:
    """A font counts for the templates that name its family, a template for its own faces, a rule file for none."""
    own = folder / "lanterns"
    shutil.copytree(LANTERNS, own)
    face = (own / "templates" / "card.svg").read_text("utf-8")
    (own / "templates" / "wind.svg").write_text(face.replace("Spectral", "Own"), "utf-8")
    (own / "fonts").mkdir()
    font = assets.font_file("fontpkg_cardo", "files/Cardo-Regular.ttf").read_bytes()
    (own / "fonts" / "Own.ttf").write_bytes(font)
    game = (own / "game.yaml").read_text("utf-8").replace("Winds, face: card.svg", "Winds, face: wind.svg")
    (own / "game.yaml").write_text(f'{game}\nfonts:\n  Own: {{files: {{"600": fonts/Own.ttf}}}}\n', "utf-8")
    project = Project(folder, games=[own])
    new_project(project, folder, "lanterns", bare=False)
    room = StudioRoom(project, project.game("lanterns"), Drafts(folder))

    def keys() -> dict[str, str]:
        rows = as_json(room, room.view(""), FaceLook())["rows"]
        return {row["ref"]: row["now"] for row in rows}

    before = keys()
    assert len(before) == 4 and all(before.values())
    (own / "fonts" / "Own.ttf").write_bytes(font + b"\0")
    after = keys()
    assert {ref for ref in before if before[ref] != after[ref]} == {"L-04"}
    rules = own / "rules.yaml"
    rules.write_text(rules.read_text("utf-8") + "\n", "utf-8")
    assert keys() == after
    (own / "templates" / "card.svg").write_text(face.replace("16pt", "15pt"), "utf-8")
    assert {ref for ref, key in keys().items() if key != after[ref]} == {"L-01", "L-02", "L-03"}


def test_a_mark_that_is_none_is_told_at_load_and_at_its_cell(tmp_path: Path, call: Call) -> None:
    """Marks that would be printed as they are written are warnings of the column, in `load` and in the studio."""
    text = "Effect: **Pay {pearl} and {Icon:coin}."
    loaded(tmp_path, call, "cards.csv", CARDS.replace("Effect: Draw a card.", text).encode())
    told = call("load", "cards.csv")
    for mark, remedy in (("{pearl}", "{icon:pearl}"), ("{Icon:coin}", "{icon:coin}"), ("**", "both ends")):
        assert f"cards.csv:3:text: warning icon_unread: {mark!r} is printed" in told.err and remedy in told.err
    row = sitting(tmp_path).row("X-2")
    found = [finding.where[0].column_name for finding in row.findings if finding.code == "icon_unread"]
    assert found == ["text"] * 3 and not row.faults
