"""The printers of an owner in the browser front: the sheet, the form for what it reads, the corrections in force."""

from __future__ import annotations

import html
from collections.abc import Iterator
from pathlib import Path

import pytest

from carddb.app.printing.printers import open_book
from carddb.cli.main import run
from tests.web.front import Server, serving
from tests.web.printing.test_print import post

pytestmark = pytest.mark.door

SCALES = {f"scale.{number}": text for number, text in enumerate(("E6", "E2", "E7", "F14", "E4", "E18"), 1)}
READ = {"name": "home", **SCALES, "across": "99.6", "down": "100.2"}


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("CARDDB_PRINTERS", str(tmp_path / "printers.json"))
    monkeypatch.chdir(tmp_path)
    with serving(tmp_path) as running:
        yield running


def read(server: Server, fields: dict[str, str]) -> str:
    return html.unescape(post(server, "/print/printers", fields).body.decode())


def test_the_test_sheet_is_that_of_the_command(server: Server, tmp_path: Path) -> None:
    """The sheet of a printer, paper, tray and edge has the bytes of `carddb printer calibrate`."""
    fields = {"name": "home", "paper": "a4", "tray": "2", "flip": "short-edge"}
    command = ["printer", "calibrate", "home", "--paper", "a4", "--tray", "2", "--flip", "short-edge", "-o", "p.pdf"]
    run(["-q", *command])
    assert post(server, "/print/printers/sheet", fields).body == (tmp_path / "p.pdf").read_bytes()


def test_a_reading_is_shown_first_and_then_stored(server: Server) -> None:
    """What follows is told without being stored; stored it is what `carddb printer set` stores."""
    shown = read(server, READ)
    assert "x −0.90 mm, y +1.40 mm" in shown and "Nothing is stored yet" in shown and not open_book().printers
    stored = read(server, {**READ, "store": "1"})
    assert "Stored for home, tray 1, Letter, long-edge" in stored and "Forget home" in stored
    by_form = dict(open_book().printers["home"])
    run(["-q", "printer", "forget", "home"])
    run(["-q", "printer", "set", "home", "--read", ",".join(SCALES.values()), "--measured", "99.6,100.2"])
    assert dict(open_book().printers["home"]) == by_form


def test_the_first_and_the_last_scale_are_enough(server: Server) -> None:
    """Two readings tell the move; other gaps are told with their number, and nothing is stored."""
    two = {"name": "home", "scale.1": "E6", "scale.6": "E18"}
    assert "Nothing is stored yet" in read(server, two)
    assert "Scale 2 has no reading" in read(server, {**two, "scale.3": "E7", "store": "1"})
    assert not open_book().printers


def test_a_card_has_four_scales(server: Server) -> None:
    """Paper without room for six scales has a form of four and no rulers; paper too small for any is told."""
    page = read(server, {"paper": "3x5in", "look": "1"})
    assert 'name="scale.4"' in page and 'name="scale.5"' not in page and 'name="across"' not in page
    assert "too small" in read(server, {"paper": "40x40mm", "look": "1"})


def test_the_print_room_prints_with_the_printer(server: Server, tmp_path: Path) -> None:
    """A stored printer is offered, its sheets have the bytes of `--printer`, and one for other paper is refused."""
    read(server, {**READ, "store": "1"})
    page = post(server, "/print", {"q": "CAH-089", "quick": "1"}).body.decode()
    assert '<option value="home" selected>home</option>' in page
    run(["-q", "--catalog", "carddb.db", "sheets", "CAH-089", "--printer", "home", "--no-remember", "-o", "s.pdf"])
    answer = post(server, "/print/file", {"q": "CAH-089", "printer": "home", "no_remember": "1"})
    assert answer.body == (tmp_path / "s.pdf").read_bytes()
    other = post(server, "/print/file", {"q": "CAH-089", "printer": "home", "paper": "a4"})
    assert "has no correction for" in other.body.decode()


def test_the_calibrated_printer_and_its_paper_come_preselected(server: Server) -> None:
    """The room chooses the printer and its paper; whoever chooses none, or another paper, has no printer."""
    read(server, {**READ, "name": "Epson at home", "paper": "a4", "store": "1"})
    page = server.ask("/print?q=CAH-089").body.decode()
    assert '<option value="Epson at home" selected>' in page and '<option value="a4" selected>' in page
    assert "--printer 'Epson at home'" in html.unescape(page)
    for others in ("printer=", "paper=letter"):
        page = server.ask(f"/print?q=CAH-089&{others}").body.decode()
        assert '<option value="Epson at home" selected>' not in page and "no correction" not in page


@pytest.mark.parametrize(
    ("name", "words"),
    [("", "no name"), ("a/b", "it contains “/”"), ("a" * 25, "25 characters"), ("two  spaces", "single spaces")],
)
def test_what_is_refused_of_a_name_is_said(server: Server, name: str, words: str) -> None:
    """A name that cannot be is told on the page with what is wrong, for the reading and for the test sheet."""
    assert words in read(server, {**READ, "name": name})
    if name:
        assert words in html.unescape(post(server, "/print/printers/sheet", {"name": name}).body.decode())


def test_a_printer_is_forgotten_by_its_button_alone(server: Server) -> None:
    """A form without the page's token forgets nothing, one with it does."""
    read(server, {**READ, "store": "1"})
    forged = post(server, "/print/printers/forget", {"form_token": "x", "printer": "home"})
    assert forged.status == 403 and "home" in open_book().printers
    assert post(server, "/print/printers/forget", {"printer": "home"}).status == 200
    assert not open_book().printers


@pytest.mark.full
def test_strangers_have_no_printers(tmp_path: Path) -> None:
    """A public front that prints shows no printers and stores none."""
    with serving(tmp_path, public=True, sheets=True) as public:
        assert public.ask("/print/printers", owner=False).status == 403


def test_drawings_show_the_scales_of_their_paper(server: Server) -> None:
    """The small sheet has as many numbers as the page has scales, at their places."""
    for paper, count in (("letter", 6), ("3x5in", 4)):
        svg = server.ask(f"/print/printers/sheet.svg?paper={paper}")
        assert svg.headers["content-type"].startswith("image/svg") and svg.body.count(b"<text") == count
    assert b"<svg" in server.ask("/print/printers/lamp.svg").body
    assert not open_book().printers
