"""Files of cards loaded in the browser front: what a page shows and does is what the command beneath it does."""

from __future__ import annotations

import html
import io
import json
import re
import shlex
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import openpyxl
import pytest
from odf.opendocument import OpenDocumentSpreadsheet
from odf.table import Table, TableCell, TableRow
from odf.text import P

from carddb.app.cards.card_import import MOST_IMPORTS, Imports, PendingImport, file_name
from carddb.app.cards.load import LoadRequest
from carddb.core.errors import UsageError
from carddb.core.files import NamedBytes
from carddb.read.tables import xlsx_and_ods
from carddb.read.tables.xlsx_writer import Formula, write_workbook
from carddb.web import cards as import_room
from carddb.web.http.pages import quoted
from tests.conftest import Told
from tests.web.front import Answer, Server, serving
from tests.web.printing.test_print import post

pytestmark = pytest.mark.door

Call = Callable[..., Told]
GAME = "empires-and-generals"
HEAD = ("ref", "Nmae", "type", "rarty", "strength", "life", "Artist")
ROWS = [("A-1", "Ox", "soldier", "common", 3, 4, "N.N."), ("A-2", "Ram", "soldier", "rare", 2, 2, "N.N.")]
FAULTY = [*ROWS, ("A-3", "Cow", "sodlier", "common", 1, 1, ""), ("A-4", "Hen", "soldier", "common", "much", 1, "")]
UNDERSTOOD = ("ref", "name", "type", "rarity", "strength", "life")
PLAIN = [row[:6] for row in ROWS]
CHOSEN = {"column.1": "name", "column.3": "rarity", "column.6": "-"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project of Empires and Generals, in which commands run."""
    (tmp_path / "carddb.toml").write_text(f'game = "{GAME}"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def server(project: Path) -> Iterator[Server]:
    with serving(project) as running:
        yield running


def csv_of(rows: Sequence[tuple[object, ...]], head: tuple[str, ...] = HEAD) -> bytes:
    return "".join(",".join(map(str, row)) + "\n" for row in (head, *rows)).encode()


def json_of(rows: Sequence[tuple[object, ...]]) -> bytes:
    return json.dumps([dict(zip(HEAD, row, strict=True)) for row in rows], indent=1).encode()


def ods_of(rows: Sequence[tuple[object, ...]]) -> bytes:
    document, table = OpenDocumentSpreadsheet(), Table(name="Cards")
    for row in (HEAD, *rows):
        line = TableRow()
        for text in row:
            cell = TableCell(valuetype="string")
            cell.addElement(P(text=str(text)))
            line.addElement(cell)
        table.addElement(line)
    document.spreadsheet.addElement(table)
    stream = io.BytesIO()
    document.write(stream)
    return stream.getvalue()


def brought(server: Server, data: bytes, name: str = "own.csv", **fields: str) -> str:
    """Brings a file. The address of its page."""
    answer = post(server, "/import", {"game": GAME, **fields}, {"file": (name, data)})
    assert answer.status == 303, answer.body
    return answer.headers["location"]


def page(server: Server, path: str) -> str:
    answer = server.ask(path)
    assert answer.status == 200, answer.body
    return html.unescape(answer.body.decode())


def pressed(server: Server, path: str, **fields: str) -> Answer:
    return post(server, path, {"game": GAME, **fields})


def command(text: str) -> list[str]:
    match = re.search(r'id="cmd">(.*?)</code>', text)
    assert match
    return shlex.split(match[1])


def stored(catalogue: Path) -> list[tuple[object, ...]]:
    """All rows of cards and revisions, but for their keys and when they were written."""
    own = "WHERE card.ref LIKE 'A-%' ORDER BY card.ref"
    later = "kind, revision.in_force_from, author, source, changes, revision.data"
    with sqlite3.connect(catalogue) as connection:
        cards = connection.execute(f'SELECT ref, name, type, "set", data, retired, in_force_from FROM card {own}')
        revisions = connection.execute(f"SELECT ref, {later} FROM revision JOIN card ON card.id = card_id {own}")
        return [*cards.fetchall(), *revisions.fetchall()]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("own.csv", csv_of(ROWS)),
        ("own.xlsx", write_workbook("A", HEAD, ROWS)),
        ("own.json", json_of(ROWS)),
        ("own.ods", ods_of(ROWS)),
    ],
    ids=["csv", "xlsx", "json", "ods"],
)
def test_a_file_is_loaded_as_by_the_command_of_its_page(
    server: Server, project: Path, call: Call, name: str, data: bytes
) -> None:
    """The command that the page shows stores the same cards and revisions, and so does a second load that changes."""
    (project / name).write_bytes(data)
    path = brought(server, data, name)
    answer = pressed(server, path, **CHOSEN)
    words = command(page(server, answer.headers["location"]))
    assert words[:3] == ["carddb", "load", name] and "Artist=-" in words
    done = pressed(server, path, do="load", **CHOSEN)
    assert done.headers["location"] == f"{path}/result" and "<dd>2</dd>" in page(server, f"{path}/result")
    assert call("--catalog", "other.db", *words[1:]).code == 0
    assert stored(project / "carddb.db") == stored(project / "other.db")
    fewer = {"own.xlsx": write_workbook("A", HEAD, ROWS[:1]), "own.ods": ods_of(ROWS[:1])}
    changed = fewer.get(name, data.replace(b"Ram", b"Ewe"))
    (project / name).write_bytes(changed)
    later = {"from": "2030-01-01", "prune": "1", **CHOSEN}
    path = brought(server, changed, name)
    pressed(server, path, **later)
    words = command(page(server, path))
    assert pressed(server, path, do="load", **later).headers["location"].endswith("/result")
    assert call("--catalog", "other.db", *words[1:]).code == 0
    assert stored(project / "carddb.db") == stored(project / "other.db")


@pytest.mark.parametrize(("name", "data"), [("own.csv", csv_of(FAULTY)), ("own.json", json_of(FAULTY))])
def test_every_fault_stands_at_its_cell(server: Server, project: Path, call: Call, name: str, data: bytes) -> None:
    """The findings are those of `load --json`; each leads to its cell and back, and nothing can be loaded."""
    (project / name).write_bytes(data)
    path = brought(server, data, name)
    text = page(server, pressed(server, path, **{**CHOSEN, "column.6": ""}).headers["location"])
    told = json.loads(call(*command(text)[1:], "--dry-run", "--json").out)
    messages = [finding["message"] for finding in told["findings"]]
    listed = re.findall(r'<li id="f-(\d+)".*?<b>(.*?)</b>', text)
    assert [message.lower().rstrip(".") for _, message in listed] == [quoted(message).lower() for message in messages]
    assert {finding["code"] for finding in told["findings"]} >= {"header_unknown", "unknown_card_type"}
    for number, _ in listed:
        assert text.count(f'id="at-{number}"') == 1 and text.count(f'href="#at-{number}"') == 1
    much = re.search(r'class=" bad">much <a class="disc" id="at-(\d+)"', text)
    assert much and "much" in messages[int(much[1]) - 1]
    assert 'value="load" disabled' in text
    assert pressed(server, path, do="load", **{**CHOSEN, "column.6": ""}).headers["location"].endswith("/result")
    assert "Nothing of it was stored" in page(server, f"{path}/result")


def test_the_mapping_is_proposed_and_what_has_no_field_is_said(server: Server) -> None:
    """Nearest names are chosen in the form, a heading without any is told, and one's own choice stands."""
    path = brought(server, csv_of(ROWS))
    text = page(server, path)
    assert re.search(r'name="column.1">.*?<option value="name" selected>', text) and "nearest name: right?" in text
    assert "1 column without a field: Artist" in text
    assert command(text)[-4:] == ["--map", "Nmae=name", "--map", "rarty=rarity"]
    text = page(server, pressed(server, path, **{**CHOSEN, "column.1": ""}).headers["location"])
    assert "1 column without a field: Nmae" in text and "Nmae=name" not in command(text)
    text = page(server, pressed(server, path, **{"column.1": "name", "every_other": "1"}).headers["location"])
    assert "without a field:" not in text and "*=-" in command(text)


def test_the_difference_is_shown_before_it_is_made(server: Server, project: Path) -> None:
    """New, changed with old and new value, the same, and missing cards; looking at a file stores nothing."""
    path = brought(server, csv_of(PLAIN, UNDERSTOOD))
    pressed(server, path, do="load")
    before = stored(project / "carddb.db")
    changed = [("A-1", "Ox", "soldier", "common", 7, 4), ("A-9", "Yak", "soldier", "common", 1, 1)]
    text = page(server, brought(server, csv_of(changed, UNDERSTOOD)))
    numbers = re.findall(r"<dt>(.*?)</dt><dd>(\d+)</dd>", text)
    assert numbers == [("new", "1"), ("changed", "1"), ("the same", "0"), ("missing in the file", "1")]
    assert re.search(r"<td>strength</td><td><del>3</del></td><td><ins>7</ins></td>", text)
    assert re.search(r'<tr class="changed"><th scope="row">2 ', text) and "Retire 1 card that the file lacks" in text
    assert stored(project / "carddb.db") == before


def test_edits_of_the_studio_are_kept_and_said(server: Server, project: Path, call: Call) -> None:
    """A row whose card keeps an edit of the studio says so; with the box the edit is undone."""
    data = csv_of(PLAIN, UNDERSTOOD)
    pressed(server, brought(server, data), do="load")
    post(server, "/studio/edit", {"ref": "A-1", "field.strength": "8"})
    post(server, "/studio/store", {})
    text = page(server, path := brought(server, data))
    assert "edit_kept" in text and "(1 card)" in text
    pressed(server, path, do="load")
    assert json.loads(call("show", "A-1", "--json").out)["strength"] == 8
    pressed(server, path, do="load", force="1")
    assert json.loads(call("show", "A-1", "--json").out)["strength"] == 3


def test_a_patch_file_of_the_project_stands_over_an_import(server: Server, project: Path, call: Call) -> None:
    """`own.patch.csv` in the project counts as it does for the command: shown, loaded, and said."""
    data = csv_of(PLAIN, UNDERSTOOD)
    (project / "own.csv").write_bytes(data)
    (project / "own.patch.csv").write_text("ref,field,value\nA-1,strength,9\n", "utf-8")
    path = brought(server, data)
    assert "patch_applied" in page(server, path)
    pressed(server, path, do="load")
    assert call("--catalog", "other.db", "load", "own.csv").code == 0
    assert stored(project / "carddb.db") == stored(project / "other.db") and '"strength":9' in str(
        stored(project / "other.db")
    )


def test_what_columns_mean_is_remembered(server: Server, project: Path) -> None:
    """With its box the mapping is written as `--save-map` writes it, and the next file needs none."""
    path = brought(server, csv_of(ROWS))
    pressed(server, path, **CHOSEN)
    pressed(server, path, do="load", save_map="1", **CHOSEN)
    saved = (project / "carddb.toml").read_text("utf-8")
    assert saved.endswith(f'[columns.{GAME}]\n"Nmae" = "name"\n"rarty" = "rarity"\n"Artist" = "-"\n')
    text = page(server, brought(server, csv_of(ROWS)))
    assert "by carddb.toml" in text and "--map" not in command(text) and 'value="load">' in text


def test_values_come_from_a_second_file(server: Server, project: Path) -> None:
    """A second file with its two keys: its values are columns to choose, and the command says --join; bad keys are
    told."""
    rows = [(*row[:6], "p1") for row in ROWS]
    data, packs = csv_of(rows, (*UNDERSTOOD, "pack")), b'[{"code": "p1", "names": {"en": "Dawn"}}]'

    def sent(keys: str) -> Answer:
        fields = {"game": GAME, "join_keys": keys}
        return post(server, "/import", fields, {"file": ("own.csv", data), "join": ("packs.json", packs)})

    for keys, said in (("code", "is not KEY=KEY"), ("cod=pack", "Did you mean code?")):
        answer = sent(keys)
        assert answer.status == 400 and said in html.unescape(answer.body.decode())
    path = sent("code=pack").headers["location"]
    number = next(n for n, name in enumerate((*UNDERSTOOD, "pack", "packs.code", "packs.names.en")) if "names" in name)
    assert "packs.names.en" in page(server, path)
    pressed(server, path, **{"column.6": "-", f"column.{number}": "set"})
    words = command(page(server, path))
    assert words[words.index("--join") + 1] == "packs.json:code=pack" and "packs.names.en=set" in words
    assert pressed(server, path, do="load", **{"column.6": "-", f"column.{number}": "set"}).status == 303
    assert [row[3] for row in stored(project / "carddb.db")[:2]] == ["Dawn", "Dawn"]


def test_html_becomes_marks_where_its_box_says_so(server: Server, project: Path) -> None:
    """The preview shows what comes of it, the command says --html, and carddb.toml remembers it where asked."""
    rows = [(*row[:6], "Draw <b>two</b>.") for row in ROWS]
    path = brought(server, csv_of(rows, (*UNDERSTOOD, "text")))
    assert "html_unread" in page(server, path)
    pressed(server, path, html="1")
    text = page(server, path)
    assert "html_unread" not in text and "--html" in command(text)
    assert pressed(server, path, do="load", html="1", save_map="1").headers["location"].endswith("/result")
    assert "Draw **two**." in str(stored(project / "carddb.db"))
    text = page(server, brought(server, csv_of(rows, (*UNDERSTOOD, "text"))))
    assert "by carddb.toml" in text and "html_unread" not in text


def test_nothing_is_loaded_that_was_not_shown(server: Server, project: Path) -> None:
    """Pressing Load with other columns, set or day shows what would come of them first."""
    path = brought(server, csv_of(ROWS))
    for fields in (CHOSEN, {**CHOSEN, "set": "mine"}, {**CHOSEN, "set": "mine", "from": "2030-01-01"}):
        answer = pressed(server, path, do="load", **fields)
        assert answer.headers["location"].endswith("?note=changed")
        assert "You changed something" in page(server, answer.headers["location"])
    assert pressed(server, path, do="load", **fields).headers["location"].endswith("/result")


def test_one_sheet_is_chosen(server: Server) -> None:
    """Of a workbook with several sheets the form names one; the preview and the command follow."""
    book = openpyxl.Workbook()
    sheets = [book.active, book.create_sheet("Later")]
    for sheet, row in zip(sheets, ROWS, strict=True):
        sheet.append(UNDERSTOOD)
        sheet.append(row[:6])
    stream = io.BytesIO()
    book.save(stream)
    path = brought(server, stream.getvalue(), "own.xlsx")
    both = page(server, path)
    one = page(server, pressed(server, path, sheet="Later").headers["location"])
    assert "A-1" in both and "A-2" in both and "A-1" not in one and command(one)[-2:] == ["--sheet", "Later"]


def test_a_file_comes_from_an_address(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """An address is fetched as `load` does, and stands in the command; one that cannot be read is told in place."""
    fetched = NamedBytes(csv_of(PLAIN, UNDERSTOOD), "s.csv")
    monkeypatch.setattr(import_room, "fetch", lambda address: fetched)
    answer = post(server, "/import", {"game": GAME, "url": "https://example.org/sheet"})
    text = page(server, answer.headers["location"])
    assert command(text)[:3] == ["carddb", "load", "https://example.org/sheet"] and 'value="load">' in text
    monkeypatch.undo()
    refused = post(server, "/import", {"game": GAME, "url": "http://127.0.0.1/cards.csv"})
    assert refused.status == 400 and b"only https addresses can" in refused.body and b"</form>" in refused.body
    assert post(server, "/import", {"game": GAME}).status == 400


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("core.printings.csv", b"card,set,position\nA-1,core,1\n", "1 printing added"),
        ("own.ja.csv", "ref,name\nA-1,牛\n".encode(), "1 added"),
    ],
)
def test_what_is_not_of_cards_is_loaded_too(server: Server, name: str, data: bytes, words: str) -> None:
    """Printings and words in a language have no columns to choose; what they would add is told, and loaded."""
    pressed(server, brought(server, csv_of(PLAIN, UNDERSTOOD)), do="load")
    path = brought(server, data, name)
    text = page(server, path)
    assert "h-columns" not in text and words in text and "would be" in text
    pressed(server, path, do="load")
    text = page(server, f"{path}/result")
    assert words in text and "would be" not in text


# Who may, and what comes in.


def test_strangers_import_nothing(project: Path) -> None:
    """A public front answers 403 to every address of the room."""
    with serving(project, public=True) as public:
        for path in ("/import", "/import/x", "/import/x/result"):
            assert public.ask(path, owner=False).status == 403
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        for path in ("/import", "/import/x"):
            assert public.ask(path, b"game=cahrd&do=load", headers=headers, owner=False).status == 403


def test_a_form_without_the_token_of_its_page_does_nothing(server: Server, project: Path) -> None:
    """Neither a file is brought nor one loaded."""
    path = brought(server, csv_of(ROWS))
    for address in ("/import", path):
        assert post(server, address, {"form_token": "x", "game": GAME, "do": "load"}).status == 403
    assert not (project / "carddb.db").exists()


def test_few_files_wait(server: Server) -> None:
    """A further file takes the place of the oldest, whose page says what to do."""
    imports = Imports()
    keys = [imports.add(PendingImport("a", b"", LoadRequest(GAME))) for _ in range(MOST_IMPORTS + 1)]
    assert imports.find(keys[0]) is None and all(map(imports.find, keys[1:]))
    assert server.ask("/import/gone").status == 404


def test_a_name_has_no_folders() -> None:
    """The name of an uploaded file leads nowhere; one that is nothing else is refused."""
    assert [file_name(name) for name in ("../../a.csv", r"C:\x\a.csv", "a.csv")] == ["a.csv"] * 3
    with pytest.raises(UsageError):
        file_name("..\\")


def zipped(sheet: bytes) -> bytes:
    """A workbook whose one sheet has these bytes."""
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(write_workbook("A", HEAD, ROWS))) as whole,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        for part in whole.namelist():
            archive.writestr(part, sheet if part.endswith("sheet1.xml") else whole.read(part))
    return stream.getvalue()


@pytest.mark.parametrize("most", [1 << 20, pytest.param(xlsx_and_ods.MAX_INFLATED, marks=pytest.mark.full)])
def test_a_zip_bomb_is_told(server: Server, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """A small workbook that unpacks to more than is read is a finding, and its page is small."""
    monkeypatch.setattr(xlsx_and_ods, "MAX_INFLATED", most)
    data = zipped(b"<worksheet><sheetData><row><c><v>" + b"1" * (most + 1))
    answer = server.ask(brought(server, data, "bomb.xlsx"))
    assert answer.status == 200 and b"archive_too_large" in answer.body and len(answer.body) < 50_000


def test_three_hundred_thousand_columns_are_told(server: Server) -> None:
    """They are one finding; the form has no field for each."""
    answer = server.ask(brought(server, b"name," + b",".join(b"c%d" % n for n in range(300_000)) + b"\nOx\n"))
    assert answer.status == 200 and b"header_unknown" in answer.body and len(answer.body) < 50_000


def test_many_columns_have_a_field_up_to_a_number(server: Server) -> None:
    """Of 900 columns the first have a field of the form, which can be sent; the others are left out with one box."""
    path = brought(server, b"name," + b",".join(b"q%dq" % n for n in range(900)) + b"\nOx\n")
    text = page(server, path)
    assert text.count('<select name="column.') == import_room.MOST_COLUMNS
    fields = {f"column.{n}": "" for n in range(import_room.MOST_COLUMNS)}
    assert "without a field:" not in page(server, pressed(server, path, every_other="1", **fields).headers["location"])


def test_formulas_and_markup_stay_text(server: Server) -> None:
    """A cell with a formula without a value is a finding, a text with markup is shown as text."""
    rows = [("A-1", "<script>alert(1)</script>", "soldier", "common", Formula("1+1"), 1)]
    body = server.ask(brought(server, write_workbook("A", UNDERSTOOD, rows), "own.xlsx")).body.decode()
    assert "<script>alert" not in body and "&lt;script&gt;" in body and "formula" in html.unescape(body)


def test_a_large_body_is_refused(server: Server) -> None:
    """More than the front takes is answered before it is read."""
    headers = {"Content-Type": "multipart/form-data; boundary=x", "Content-Length": "40000000"}
    assert server.ask("/import", b"", headers=headers).status == 413


@pytest.mark.parametrize("name", ["own.pdf", "broken.xlsx"])
def test_what_is_no_card_file_is_told(server: Server, name: str) -> None:
    """Another kind of file, and a broken workbook, have a page that says so."""
    text = page(server, brought(server, b"PK nothing", name))
    assert "It cannot be read" in text and 'value="load"' not in text
