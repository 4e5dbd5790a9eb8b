"""The application without a terminal: projects, many decks, notices, progress, notebooks, what was not checked."""

from __future__ import annotations

import csv
import io
import os
import zipfile
from collections.abc import Callable
from datetime import date
from html import escape
from pathlib import Path
from typing import Any

import pytest

import carddb
from carddb.app.decks.check import check
from carddb.app.workspace.settings import find_settings
from carddb.app.workspace.workspace import Progress
from carddb.catalog.store import Catalog
from carddb.core.errors import InputError, OutputError, UsageError
from carddb.deck.context import Context
from carddb.games import Game
from tests.conftest import Told

Call = Callable[..., Told]

DECKS = Path(carddb.__file__).parent / "games" / "empires_and_generals" / "decks"
LEGAL, ILLEGAL = DECKS / "demo" / "legal.deck", DECKS / "demo" / "illegal.deck"
EVIL = "<script>alert(1)</script>"


@pytest.fixture
def club(folder: Path) -> carddb.Project:
    """A project in an empty folder."""
    Path("carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    return carddb.open()


def report_of(project: carddb.Project, deck: object, **options: object) -> carddb.Report:
    report = project.check(deck, **options)  # type: ignore[arg-type]
    assert isinstance(report, carddb.Report)
    return report


def test_a_deck_may_be_a_file_a_text_or_a_deck(club: carddb.Project) -> None:
    """All three are checked alike."""
    of_file = report_of(club, ILLEGAL)
    of_text = report_of(club, ILLEGAL.read_text("utf-8"))
    of_deck = report_of(club, of_file.deck)
    codes = [finding.code for finding in of_file.findings]
    assert of_file.verdict == "illegal"
    assert [finding.code for finding in of_text.findings] == codes
    rules = [f.code for f in of_file.findings if f.code not in ("card_unknown", "count_assumed", "spelling_repaired")]
    assert [f.code for f in of_deck.findings if f.code in rules] == rules
    assert of_file.fingerprint == of_text.fingerprint == of_deck.fingerprint


def test_the_settings_are_found_by_walking_up(club: carddb.Project) -> None:
    """A folder below the project is in it; a folder that is not there is refused."""
    Path("deep/er").mkdir(parents=True)
    assert carddb.open("deep/er").settings.root == Path.cwd()
    with pytest.raises(UsageError):
        carddb.open("nowhere")


@pytest.mark.full
def test_a_path_may_be_taken_from_the_project(folder: Path) -> None:
    """A deck that is not in the working folder is looked for in the project's."""
    Path("mygame").mkdir()
    Path("mygame/carddb.toml").write_text('game = "empires-and-generals"\n', "utf-8")
    Path("mygame/river.deck").write_bytes(LEGAL.read_bytes())
    mine = carddb.open("mygame")
    assert report_of(mine, "river.deck").verdict == "legal"
    assert mine.sheets("river.deck").data
    with pytest.raises(InputError):
        mine.check("gone.deck")


def test_notices_come_with_a_code(club: carddb.Project) -> None:
    """What is said on the way is kept for who asks."""
    club.cards("type:general")
    assert [notice.code for notice in club.notices] == ["catalogue_made"]


@pytest.mark.full
def test_more_players_than_a_game_is_written_for(club: carddb.Project) -> None:
    """C-71: the pieces are printed, and a notice says what of the game holds for so many."""
    printed = club.components("cahrd", "turn", players=3)
    told = [notice.message for notice in printed.notices if notice.code == "more_players"]
    assert len(told) == 1 and "written for 2 players, not 3" in told[0] and "order of responses" in told[0]
    assert not club.components("cahrd", "turn", players=2).notices


def test_long_work_reports_its_progress(folder: Path) -> None:
    """A listener hears of each step and of the end."""
    heard: list[Progress] = []
    project = carddb.Project(on_progress=heard.append)
    project.check([LEGAL, ILLEGAL])
    checking = [progress for progress in heard if progress.title == "checking"]
    assert [(p.done, p.total, p.finished) for p in checking] == [
        (0, 2, False), (1, 2, False), (2, 2, False), (2, 2, True),
    ]  # fmt: skip


def test_many_decks_open_the_catalogue_once(club: carddb.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Forty decks read the cards of a day once."""
    club.cards("type:general")
    opened: list[Path] = []
    original = Catalog.open

    def counted(path: Path, **rest: Any) -> Catalog:
        opened.append(path)
        return original(path, **rest)

    monkeypatch.setattr(Catalog, "open", counted)
    reports = club.check([LEGAL] * 40)
    assert isinstance(reports, carddb.Reports)
    assert reports.summary["legal"] == 40
    assert len(opened) == 1


@pytest.fixture
def tournament(folder: Path) -> Path:
    """A folder of decks: a legal one, an illegal one, one that cannot be read, and a file that is no deck."""
    decks = Path("decks")
    decks.mkdir()
    (decks / "a.deck").write_bytes(LEGAL.read_bytes())
    (decks / "b.deck").write_text(ILLEGAL.read_text("utf-8").replace("Elephants and Snow", EVIL), "utf-8")
    (decks / "c.deck").symlink_to(folder / "gone.deck")
    (decks / "notes.pdf").write_bytes(b"%PDF")
    return decks


def test_a_folder_of_decks_is_checked_in_one_go(call: Call, tournament: Path) -> None:
    """The table names player, deck, verdict, reason and fingerprint; the worst exit code wins; the rest goes on."""
    told = call("check", "decks", "--game", "empires-and-generals")
    assert told.code == 3
    assert "not a deck file, and skipped: notes.pdf" in told.err
    assert "3 decks: 1 legal, 1 not legal, 1 unreadable." in told.out
    document = call("check", "decks", "--json").json()
    assert document["schema"] == "carddb.checks/1"
    assert document["summary"] == {
        "decks": 3, "legal": 1, "illegal": 1, "not_checkable": 0, "unreadable": 1, "skipped": ["notes.pdf"],
    }  # fmt: skip
    assert [report["verdict"] for report in document["reports"]] == ["legal", "illegal", "unreadable"]
    alone = call("check", "decks/b.deck", "--json").json()
    assert document["reports"][1] == alone
    (tournament / "c.deck").unlink()
    assert call("check", "decks").code == 1
    assert call("check", "decks/a.deck", "decks/b.deck").code == 1
    (tournament / "b.deck").unlink()
    assert call("check", "decks").code == 0


@pytest.mark.parametrize("kind", ["html", "csv", "json"])
def test_a_table_of_decks_is_written(call: Call, tournament: Path, kind: str) -> None:
    """As HTML with names escaped, as CSV, as JSON."""
    assert call("check", "decks", "--report", f"out.{kind}").code == 3
    text = Path(f"out.{kind}").read_text("utf-8")
    assert (EVIL in text) == (kind != "html")
    if kind == "csv":
        rows = list(csv.reader(text.splitlines()))
        assert rows[0] == ["player", "deck", "verdict", "first reason", "fingerprint", "file"]
        assert [row[2] for row in rows[1:]] == ["legal", "not legal", "unreadable"]


def test_the_page_of_decks_says_why(call: Call, tournament: Path) -> None:
    """Each deck has its verdict in words and every reason with its fix; the page has no script and fits a phone."""
    assert call("check", "decks", "--report", "out.html").code == 3
    page = Path("out.html").read_text("utf-8")
    (illegal,) = (
        report for report in call("check", "decks", "--json").json()["reports"] if report["deck"]["name"] == EVIL
    )
    grave = [finding for finding in illegal["findings"] if finding["severity"] != "info"]
    assert len(grave) > 3 and f"and {len(grave) - 3} more" in page
    assert all(escape(finding["fix"]) in page for finding in grave)
    assert all(word in page for word in ("✓ Legal", "✕ Not legal", "! Unreadable"))
    assert "<script" not in page and 'name="viewport"' in page


@pytest.mark.full
def test_the_lists_of_many_decks_are_one_file(call: Call, tournament: Path) -> None:
    """Of all that could be read, or of the illegal ones alone."""
    import pikepdf

    assert call("decklist", "decks", "-o", "all.pdf").code == 3
    assert call("decklist", "decks", "-o", "some.pdf", "--only", "illegal").code == 3
    with pikepdf.open("all.pdf") as all_, pikepdf.open("some.pdf") as some:
        assert len(all_.pages) == 2
        assert len(some.pages) == 1
    refused = call("decklist", "decks", "-o", "all.txt")
    assert (refused.code, "one PDF" in refused.err) == (2, True)


def test_a_deck_list_as_text_says_why(call: Call, tournament: Path) -> None:
    """Verdict, numbered reasons with their fix, and totals are remarks: the file is the same deck, read again."""
    told = call("decklist", "decks/b.deck", "-o", "list.deck")
    text = Path("list.deck").read_text("utf-8")
    assert told.code == 1 and "# verdict: " in text and "Not legal" in text
    assert "\n# 1. " in text and "\n# Cards in all: " in text
    one, again = (call("check", path, "--json").json() for path in ("decks/b.deck", "list.deck"))
    assert one["deck"]["fingerprint"] == again["deck"]["fingerprint"]


def test_what_is_misused_is_told(call: Call, tournament: Path) -> None:
    """Options for many decks with one, and a folder without any."""
    assert call("check", "decks/a.deck", "--report", "x.html").code == 2
    assert call("decklist", "decks/a.deck", "-o", "x.pdf", "--only", "illegal").code == 2
    Path("empty").mkdir()
    assert call("check", "empty").code == 2
    assert call("check", "decks", "--report", "x.doc").code == 2


@pytest.mark.full
def test_a_notebook_shows_faces_and_tables(club: carddb.Project) -> None:
    """A card is an image with a data URL, and every word of others is escaped."""
    cards = club.cards("type:general")
    page = cards[0]._repr_html_()
    assert page.startswith('<img src="data:image/svg+xml;base64,')
    assert cards._repr_html_().count("<img") == min(len(cards), 24)
    assert cards[0] == carddb.Card(*cards[0])
    report = report_of(club, f"name: {EVIL}\ngame: empires-and-generals\n3 {EVIL}\n")
    assert "&lt;script&gt;" in report._repr_html_()
    assert EVIL not in report._repr_html_()
    assert "&lt;script&gt;" in carddb.Reports([report])._repr_html_()
    assert "Battle list (short)" in club.bans("short")._repr_html_()


def test_nothing_unchecked_is_called_legal(game: Game, pool: carddb.Pool) -> None:
    """Without the game's own checks, or its ban lists, `carddb.check` does not say that a deck is legal."""
    deck, findings = carddb.load_deck(LEGAL, game.spec, pool)
    assert not findings
    context = Context(on=date(2026, 6, 20))
    assert carddb.verdict(check(deck, game.spec, pool, context)) == "not_checkable"
    assert carddb.verdict(check(deck, game.spec, pool, context, [*game.checks, game.ban_check])) == "legal"
    cahrd, _ = carddb.load(carddb.folders()["cahrd"])
    assert cahrd
    deck, _ = carddb.load_deck(cahrd.folder.decks[0], cahrd.spec, cahrd.own_cards)
    codes = {f.code for f in check(deck, cahrd.spec, cahrd.own_cards, context, [*cahrd.checks, cahrd.ban_check])}
    assert "bans_not_given" in codes


def test_days_may_be_texts_everywhere(club: carddb.Project) -> None:
    """Cards, one card, sheets and components take a day as a date or a text, and refuse what is none."""
    assert club.cards("type:general", on="2026-06-20") == club.cards("type:general", on=date(2026, 6, 20))
    assert club.card("EG-CAR-001", on="2026-06-20").name == club.card("EG-CAR-001")["name"]
    for call in (club.cards, club.card, club.sheets, club.components, club.load):
        with pytest.raises(UsageError, match="is not a day"):
            call("EG-CAR-001", on="2026-13-01")


def test_a_field_of_a_card_is_named(club: carddb.Project) -> None:
    """`card["name"]` is the field; one that the card lacks is a KeyError, and a number is a part of the tuple."""
    card = club.card("EG-CAR-001")
    assert (card["name"], card["ref"], card[0]) == (card.name, "EG-CAR-001", "empires-and-generals")
    with pytest.raises(KeyError):
        card["nothing"]


@pytest.mark.parametrize(
    ("options", "message", "remedy"),
    [
        ({"papr": "a4"}, "no option 'papr'", "Did you mean paper?"),
        ({"ink": "lite"}, "ink cannot be 'lite'", "Did you mean light?"),
        ({"gutter": (3, 2)}, "not a length", "Write a length as 3mm, 0.125in or 9pt, and two as 3mm,2mm."),
        ({"flip": "up"}, "flip cannot be 'up'", "Choose one of: long-edge, short-edge, none."),
        ({"marks": "edge"}, "marks cannot be 'edge'", "Did you mean edges?"),
    ],
)
def test_an_unknown_option_of_a_print_is_refused(
    club: carddb.Project, options: dict[str, Any], message: str, remedy: str
) -> None:
    """An option or a word that there is not is not passed over in silence; the nearest is named."""
    with pytest.raises(UsageError, match=message) as fault:
        club.sheets("EG-CAR-001", **options)
    assert fault.value.remedy == remedy
    misspelt: dict[str, Any] = {"fromat": "classic"}
    with pytest.raises(UsageError, match="no option 'fromat'"):
        club.fix("sample.deck", **misspelt)


def test_an_order_for_a_print_shop(club: carddb.Project, call: Call) -> None:
    """A script gets the bytes of the command line's PDF, and a ZIP of pictures with what a shop needs beside them."""
    printed = club.order("drivethru-poker", "EG-CAR-001", on="2026-06-20")
    assert call("sheets", "EG-CAR-001", "-o", "o.pdf", "--profile", "drivethru-poker", "--on", "2026-06-20").code == 0
    assert printed.data == Path("o.pdf").read_bytes()
    with zipfile.ZipFile(io.BytesIO(club.order("mpc-poker", "EG-CAR-001").data)) as archive:
        assert {"manifest.json", "order.xml", "front-001-hannibal-barca.png"} <= set(archive.namelist())
    assert club.order("mpc-poker", ILLEGAL).data == b""
    with pytest.raises(UsageError, match="needs the colour profile"):
        club.order("drivethru-poker", "EG-CAR-001", colour="cmyk")


@pytest.mark.full
def test_nothing_is_forked_under_a_script(club: carddb.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Printing many faces starts no process unless `processes` asks for it."""
    monkeypatch.setattr(os, "fork", lambda: pytest.fail("a process was forked"))
    result = club.sheets("type:soldier,general")
    assert result.cards > 30
    result.write("out.pdf")
    assert Path("out.pdf").read_bytes() == result.data


def test_what_was_written_is_remembered(club: carddb.Project, call: Call) -> None:
    """A script's print is known to the next `--since last`."""
    club.sheets("EG-CAR-001").write("out.pdf")
    told = call("sheets", "EG-CAR-001", "-o", "again.pdf", "--since", "last")
    assert "nothing changed since the last print" in told.err


def test_an_illegal_deck_is_not_printed(club: carddb.Project) -> None:
    """No bytes, findings that say why, and nothing to write."""
    result = club.sheets(ILLEGAL)
    assert (result.data, result.pages) == (b"", 0)
    assert any(finding.severity == "error" for finding in result.findings)
    assert "deck_illegal" in {notice.code for notice in result.notices}
    with pytest.raises(OutputError):
        result.write("out.pdf")
    assert club.sheets(ILLEGAL, allow_illegal=True).data


def test_the_defaults_of_a_project_hold_in_both_doors(club: carddb.Project, call: Call) -> None:
    """Paper, stock and flip of `[defaults]` are used where nobody says otherwise."""
    Path("carddb.toml").write_text(
        'game = "empires-and-generals"\n[defaults]\npaper = "a4"\nflip = "short-edge"\n', "utf-8"
    )
    fresh = carddb.open()
    assert call("-q", "sheets", "EG-CAR-001", "--on", "2026-06-20", "-o", "a.pdf").code == 0
    by_default = fresh.sheets("EG-CAR-001", on=date(2026, 6, 20)).data
    assert by_default == Path("a.pdf").read_bytes()
    assert by_default == fresh.sheets("EG-CAR-001", on=date(2026, 6, 20), paper="a4", flip="short-edge").data
    assert by_default != fresh.sheets("EG-CAR-001", on=date(2026, 6, 20), paper="letter").data


@pytest.mark.parametrize("number", ["9" * 5_000, "0x" + "f" * 5_000])
def test_a_number_without_end_in_a_project_file_is_told(number: str, tmp_path: Path) -> None:
    """A whole number of thousands of digits is a fault of the file, in words of carddb."""
    (tmp_path / "carddb.toml").write_text(f"[options.guarda]\nfields = {number}\n", "utf-8")
    with pytest.raises(InputError, match="a number in it has more than 4,300 digits"):
        find_settings(tmp_path)


def test_a_load_tells_what_it_did(club: carddb.Project) -> None:
    """Added, changed and refused; a dry run changes nothing."""
    Path("own.csv").write_text("ref,name,type,strength,life,rarity\nX-1,Test Guard,soldier,3,2,common\n", "utf-8")
    report = club.load("own.csv", dry_run=True)
    assert report.ok and len(report.cards[0].result.added) == 1
    assert len(club.cards("set:own")) == 0
    assert club.load("own.csv").ok
    assert [card.name for card in club.cards("set:own")] == ["Test Guard"]
    with pytest.raises(InputError):
        club.load("gone.csv")
