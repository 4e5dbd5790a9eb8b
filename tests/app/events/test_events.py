"""Events: every version stays, verdicts are those of `check`, deadlines and locks hold, the forgotten are gone."""

from __future__ import annotations

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pypdfium2
import pytest
from PIL import ImageFilter

from carddb.app.events import entries as tournament_checks
from carddb.app.events import player_table as tournament_rows
from carddb.app.events.entries import (
    MOST_BYTES,
    MOST_LINES,
    EventChecks,
    file_deck,
    line_changes,
    object_to,
    submit,
    submit_all,
)
from carddb.app.events.player_table import print_event_lists
from carddb.app.events.tournament import (
    Closed,
    Overtaken,
    add_note,
    add_players,
    events_path,
    forget,
    lock_all,
    new_event,
    new_link,
    open_event,
    open_events,
    player_of_link,
    read_notes,
    register,
    shown_to_player,
    to_deadline,
    token_hash,
    undo_note,
)
from carddb.core.errors import CatalogError, UsageError
from carddb.door import Project
from carddb.events.store import VERSION, Author, event_findings
from carddb.layout.drawing.path import qr_code
from carddb.read.decks.pasted import divide
from tests.app.events.samples import DECKS, ILLEGAL, LEGAL, event_of, terms
from tests.rows import every

PLAYER, ORGANISER = Author.PLAYER, Author.ORGANISER


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_the_verdict_is_that_of_check(project: Project) -> None:
    """Forty dropped files have in the table the verdict, the fingerprint and the first reason of `check`."""
    texts = {path.stem: path.read_text("utf-8") for path in DECKS.glob("*.deck")} | {"bad": ILLEGAL}
    with event_of(project) as (event, _checks):
        decks = [file_deck(f"{name}-{number}.deck", texts[name].encode()) for number in range(8) for name in texts]
        assert len(decks) == 40
        outcomes = submit_all(event, decks)
        assert [each.fault for each in outcomes] == [None] * 40
        rows = {row.player.name: row for row in tournament_rows.table(event)}
    for name, text in texts.items():
        report = project.check(text, game="cahrd", format="war", on=event.terms.day)
        entry = rows[f"{name}-0"].entry
        assert entry is not None
        said = json.loads(json.dumps(report.to_json()))
        verdict = entry.verdict
        assert (verdict.verdict, verdict.fingerprint) == (said["verdict"], said["deck"]["fingerprint"])
        assert list(verdict.findings) == said["findings"] and dict(verdict.counts) == said["counts"]
        assert set(rows[f"{name}-0"].twins) == {f"{name}-{number}" for number in range(1, 8)}


def test_the_format_is_that_of_the_event(project: Project) -> None:
    """A deck that names another format is checked by the event's; an event without one has the game's usual one."""
    text = LEGAL.replace("Format: war", "Format: battle")
    assert text != LEGAL
    with event_of(project) as (event, checks):
        usual = new_event(project, event.store, replace(event.terms, format=None), "usual")
        assert (event.terms.format, usual.terms.format) == ("war", "battle")
        assert checks.report(text).context.format == "war"
        assert EventChecks(usual).report(LEGAL).context.format == "battle"


def test_every_version_stays(project: Project) -> None:
    """A new text is the next version, the same text is none, and the earlier ones are as they were."""
    with event_of(project) as (event, checks):
        player = add_players(event, ["Ada"])[0].player
        assert submit(checks, player, LEGAL, PLAYER).is_new
        assert not submit(checks, player, LEGAL + "\n", PLAYER).is_new
        submit(checks, player, ILLEGAL, ORGANISER)
        assert [(e.version, e.text, e.recorded_by) for e in event.store.versions(player)] == [
            (2, ILLEGAL, "organiser"),
            (1, LEGAL, "player"),
        ]


def test_nobody_overwrites_what_he_has_not_seen(project: Project) -> None:
    """A player who had version 1 before him does not replace the correction that the desk made of it meanwhile."""
    with event_of(project) as (event, checks):
        player = add_players(event, ["Ada"])[0].player
        submit(checks, player, ILLEGAL, PLAYER, 0)
        submit(checks, player, ILLEGAL.replace("Hanibal", "Hannibal"), ORGANISER, 1)
        with pytest.raises(Overtaken):
            submit(checks, player, LEGAL, PLAYER, 1)
        object_to(event.store, player, "I meant  another card")
        assert [entry.objection for entry in event.store.versions(player)] == ["I meant another card", ""]
        submit(checks, player, LEGAL, PLAYER, 2)
        with pytest.raises(UsageError):
            object_to(event.store, player, "nothing was corrected")


def test_after_the_deadline_only_the_desk_writes(project: Project) -> None:
    """A player is refused with the time; the organiser corrects; a list that is unlocked alone takes a change."""
    with event_of(project, terms(datetime(2026, 1, 1, tzinfo=UTC))) as (event, checks):
        player = add_players(event, ["Ada"])[0].player
        with pytest.raises(Closed, match="closed at 01:00 on 1 January"):
            submit(checks, player, LEGAL, PLAYER)
        with pytest.raises(Closed):
            register(event, "Ben")
        submit(checks, player, ILLEGAL, ORGANISER)
        event.store.change(player, locked=False)
        reopened = event.store.player(event, player.id)
        assert reopened and submit(checks, reopened, LEGAL, PLAYER).is_new


def test_locks_hold_for_one_and_for_all(project: Project) -> None:
    """A lock stops the player until it is taken off; locking all forgets who was opened alone."""
    with event_of(project) as (event, checks):
        player = add_players(event, ["Ada"])[0].player
        event.store.change(player, locked=True)
        with pytest.raises(Closed, match="locked"):
            submit(checks, player, LEGAL, PLAYER)  # by what is in the file, not by what is in hand
        event.store.change(player, locked=False)
        lock_all(event, True)
        locked, follows = event.store.event(event.key), event.store.player(event, player.id)
        assert locked and locked.locked and follows and follows.locked is None
        lock_all(event, False)
        assert submit(checks, follows, LEGAL, PLAYER).is_new


def test_a_link_is_stored_as_a_hash_and_opens_one_list(project: Project) -> None:
    """The file has no link in it; another link ends the first; a link of another event opens nothing."""
    with event_of(project) as (event, _checks):
        ada, ben = add_players(event, ["Ada", "Ben"])
        assert len(ada.token) >= 32 and ada.token != ben.token
        assert player_of_link(event, ada.token) == ada.player
        assert player_of_link(event, ada.token[:-1]) is None
        other = new_event(project, event.store, terms(), "other")
        assert player_of_link(other, ada.token) is None
        again = new_link(event.store, ada.player)
        assert player_of_link(event, ada.token) is None
        found = player_of_link(event, again.token)
        assert found and found.name == "Ada" and found.token_hash == token_hash(again.token)
    data = events_path(project).read_bytes()
    assert not any(token.encode() in data for token in (ada.token, ben.token, again.token))


def test_numbers_of_forgotten_players_are_never_given_again(project: Project) -> None:
    """Whoever registers after somebody was forgotten has a number that nobody had, in every event of the file."""
    with event_of(project) as (event, _):
        [bob] = add_players(event, ["Bob"])
        forget(event.store, bob.player)
        other = new_event(project, event.store, terms(), "other")
        numbers = [add_players(each, [name])[0].player.id for each, name in ((event, "Carol"), (other, "Dan"))]
    assert numbers == [bob.player.id + 1, bob.player.id + 2]


@pytest.mark.parametrize("name", ["\u3164", "\u2800", "\u115f\u1160", "\u0301", "\u200b\ufe0f", "\U000e0041"])
def test_a_name_of_which_nothing_is_seen_is_refused(project: Project, name: str) -> None:
    """A name of fillers, blanks or marks alone is as empty as no name."""
    with event_of(project) as (event, _checks), pytest.raises(UsageError, match="1 to 60"):
        register(event, name)


def test_names_that_look_alike_are_told_at_the_desk(project: Project) -> None:
    """Invisible characters make no other player; foreign letters do, and the desk sees whom he looks like."""
    with event_of(project) as (event, _checks):
        for name in ("Ada Okonkwo", "Bella Rossi", "Аda Оkоnkwо", "AdaOkonkw0"):
            register(event, name)
        for sign in "\u200b\u2060\u200e\u00ad\ufe0f":
            with pytest.raises(UsageError, match="already"):
                register(event, f"Ada{sign} Okonkwo")
        rows = {row.player.name: row for row in tournament_rows.table(event)}
        assert rows["Bella Rossi"].lookalikes == ()
        assert rows["Ada Okonkwo"].lookalikes == ("Аda Оkоnkwо", "AdaOkonkw0")
        assert rows["AdaOkonkw0"].remark == "name looks like Ada Okonkwo, Аda Оkоnkwо"


def test_names_twice_are_told(project: Project) -> None:
    """Case, accents and spaces do not make another player, and a list of names is taken whole or not at all."""
    with event_of(project) as (event, _checks):
        register(event, " Zofia  Łęcka ")
        for name in ("zofia lecka", "ZOFIA ŁĘCKA"):
            with pytest.raises(UsageError, match="already"):
                register(event, name)
        with pytest.raises(UsageError):
            add_players(event, ["Ada", "Zofia Łęcka"])
        assert [player.name for player in event.store.players(event)] == ["Zofia Łęcka"]
        for name in ("", " \u202e ", "x" * 61):
            with pytest.raises(UsageError):
                register(event, name)


def test_bounds_of_a_deck_list(project: Project) -> None:
    """More bytes or lines than a list may have, or no list, are refused and leave nothing."""
    with event_of(project) as (event, checks):
        player = add_players(event, ["Ada"])[0].player
        for text in ("x" * (MOST_BYTES + 1), "1 Trebuchet\n" * (MOST_LINES + 1), " \n\n"):
            with pytest.raises(UsageError):
                submit(checks, player, text, PLAYER)
        assert event.store.versions(player) == []


def test_a_deck_in_json_is_brought_as_text(project: Project) -> None:
    """A dropped JSON file becomes the same deck as text; one that is no JSON is refused, and stops no other."""
    deck = {"game": "cahrd", "name": "Roads", "sections": {"main": [{"name": "Trebuchet", "count": 2}]}}
    with event_of(project) as (event, _checks):
        files = {"a.json": json.dumps(deck), "b.json": "{", "c.txt": "Game: cahrd\n2 Trebuchet"}
        outcomes = submit_all(event, [file_deck(name, text.encode()) for name, text in files.items()])
    assert [each.player for each in outcomes if each.fault] == ["b"]
    first, last = (each.submission.entry for each in outcomes if each.submission)
    assert "2 Trebuchet" in first.text and first.verdict.fingerprint == last.verdict.fingerprint


@pytest.mark.full
def test_recheck_after_an_announcement(project: Project, tmp_path: Path) -> None:
    """Announced cards make the verdicts old, which the table says; a recheck changes those it concerns, and no more."""
    with event_of(project) as (event, _checks):
        submit_all(event, [file_deck("a.deck", LEGAL.encode()), file_deck("b.deck", ILLEGAL.encode())])
        assert not any(row.is_outdated for row in tournament_rows.table(event))
        name = next(line.split(" ", 1)[1] for line in LEGAL.splitlines() if line.startswith(("2 ", "3 ")))
        ref = project.cards(f'game:cahrd "{name.partition(" [")[0]}"')[0].ref
        notice = tmp_path / "notice.yaml"
        notice.write_text(
            "id: test-1\nmade: 2099-05-22T00:00:00Z\neffective: 2099-06-01\nkind: change\n"
            f"changes: [{{list: long, card: {ref}, from: 1, to: 3, why: It is a test.}}]\n"
        )
        from carddb.app.bans.announcements import announce

        report = announce(project, notice, "cahrd", None, False)
        assert not report.result.refused, report.findings
        rows = {row.player.name: row for row in tournament_rows.table(event)}
        assert rows["a"].is_outdated and rows["b"].is_outdated and rows["a"].state == "legal"
        result = tournament_checks.recheck(event)
        assert [(player.name, old, new) for player, old, new in result.changed] == [("a", "legal", "illegal")]
        rows = {row.player.name: row for row in tournament_rows.table(event)}
        assert not rows["a"].is_outdated and rows["a"].state == "until"
        assert rows["a"].words == "Until 31 May"


def test_forget_leaves_nothing(project: Project) -> None:
    """After `forget` no byte of the name or of a list is in the file or beside it, and all others are as they were."""
    with event_of(project) as (event, checks):
        links = add_players(event, ["Quirinalia Xanthippe", "Ben"])
        for number in range(3):
            for link in links:
                text = f"{LEGAL}\n# {'zyzzyva' if link is links[0] else 'other'} {number}"
                submit(checks, link.player, text, PLAYER)
        assert forget(event.store, links[0].player) == []
        assert len(event.store.versions(links[1].player)) == 3
        for path in events_path(project).parent.glob("events.db*"):
            data = path.read_bytes()
            assert b"Quirinalia" not in data and b"quirinalia" not in data and b"zyzzyva" not in data, path
    assert event_findings(events_path(project), ["cahrd"]) == []


_WRITER = """
import sys
from carddb.door import Project
from carddb.app.events.tournament import event_called, open_events
from carddb.app.events.entries import EventChecks
from carddb.app.events.entries import submit
from carddb.events.store import Author
project = Project(sys.argv[1])
with open_events(project) as events:
    event = event_called(project, events, "granary-cup")
    checks = EventChecks(event)
    player = events.players(event)[0]
    for number in range(10_000):
        entry = submit(checks, player, f"2 Trebuchet\\n# {number}", Author.ORGANISER).entry
        print(entry.version, flush=True)
"""


@pytest.mark.door
def test_a_writer_that_is_killed_loses_no_version(project: Project, tmp_path: Path) -> None:
    """Killed at any moment, the file is sound and has every version that was said to be stored."""
    with event_of(project) as (event, _checks):
        add_players(event, ["Ada"])
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout
    with writer:
        stored = [int(writer.stdout.readline()) for _ in range(4)]
        writer.send_signal(signal.SIGKILL)
        stored += map(int, writer.stdout.read().split())
    with open_events(project) as events:
        versions = events.versions(events.players(event)[0])
    assert [entry.version for entry in versions] == list(range(len(versions), 0, -1))
    assert stored[-1] <= len(versions) <= stored[-1] + 1
    assert event_findings(events_path(project), ["cahrd"]) == []


def test_notes_are_never_lost(project: Project) -> None:
    """What the desk takes back stays in the log; a player sees messages and penalties, and confirms what he saw."""
    with event_of(project) as (event, _):
        ada, ben = (link.player for link in add_players(event, ["Ada", "Ben"]))
        for kind, text in (("note", "for the desk"), ("warning", "slow\x1b  play"), ("message", "round 2")):
            add_note(event, [ada], kind, text)
        undo_note(event, ada, 2)
        read_notes(event, ada, event.store.notes(event)[ada.id][-1].id)
        add_note(event, [ada, ben], "game_loss", "late")
        for number in (0, 2, 5):
            with pytest.raises(UsageError, match="to take back"):
                undo_note(event, ada, number)
        for kind, text in (("note", " \x1b "), ("note", "x" * 501), ("warned", "x")):
            with pytest.raises(UsageError):
                add_note(event, [ada], kind, text)
        notes = event.store.notes(event)[ada.id]
        assert [note.text for note in shown_to_player(notes)] == ["late", "round 2"]
        exported = tournament_rows.player_json(event, ada)["notes"]
        assert [(note["kind"], bool(note["undone_at"]), bool(note["read_at"])) for note in exported] == [
            ("note", False, False), ("warning", True, False), ("message", False, True), ("game_loss", False, False),
        ]  # fmt: skip
        assert exported[1]["text"] == "slow play"
        row = next(row for row in tournament_rows.table(event) if row.player.id == ada.id)
        assert row.remark == "game loss; 1 message unread"
        forget(event.store, ada)
        assert list(event.store.notes(event)) == [ben.id]


_TABLES = "SELECT m.name, c.* FROM sqlite_schema AS m, pragma_table_info(m.name) AS c ORDER BY m.name, c.cid"
"""Asks for every column of every table."""


@pytest.mark.parametrize("version", range(1, VERSION))
def test_an_older_file_is_copied_and_brought_up_to_date(project: Project, version: int) -> None:
    """Before the tables of an older file change, a copy of it is written beside it; rows stay, numbers go on."""
    with event_of(project) as (event, _):
        last = add_players(event, ["Ada", "Ben"])[-1].player.id
    path = events_path(project)
    with closing(sqlite3.connect(path)) as old:
        tables = old.execute(_TABLES).fetchall()
        old.execute("DROP TABLE act")
        old.execute("ALTER TABLE event DROP COLUMN rounds")
        if version < 3:
            old.execute("DROP TABLE note")
        if version == 1:
            old.execute("ALTER TABLE event DROP COLUMN last_player")
        old.execute(f"PRAGMA user_version = {version}")
    with open_event(project, "granary-cup") as event:
        assert [each.key for each in event.store.events()] == ["granary-cup"]
        assert add_players(event, ["Cleo"])[0].player.id == last + 1
    with closing(sqlite3.connect(path)) as new:
        assert new.execute(_TABLES).fetchall() == tables
    copy = path.with_name(f"events.db.bak-{version}")
    with closing(sqlite3.connect(copy)) as old, closing(sqlite3.connect(path)) as new:
        assert old.execute("PRAGMA user_version").fetchone() == (version,)
        assert new.execute("PRAGMA user_version").fetchone() == (VERSION,)
        assert old.execute("SELECT key FROM event").fetchall() == new.execute("SELECT key FROM event").fetchall()
    assert [finding.code for finding in event_findings(path, ["cahrd"])][-1] == "events_copy"


def test_files_of_others_are_refused(project: Project) -> None:
    """A database of another program, and one of a newer carddb, are refused and left as they are; so says `doctor`."""
    path = events_path(project)
    for statement, words in (("PRAGMA application_id = 7", "another program"), ("PRAGMA user_version = 9", "newer")):
        path.unlink(missing_ok=True)
        with open_events(project):
            pass
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute(statement)
        with pytest.raises(CatalogError, match=words), open_events(project):
            pass
        assert [finding.code for finding in event_findings(path, ["cahrd"])] == ["events_unusable"]


def test_terms_that_cannot_be_are_refused(project: Project) -> None:
    """Unknown formats, options, zones and moments are misuse, and no event is made of them."""
    with open_events(project) as events:
        usual = terms()
        for wrong in (
            replace(usual, format="nope"),
            replace(usual, options={"nope": 1}),
            replace(usual, game="nope"),
            replace(usual, name=" "),
        ):
            with pytest.raises(UsageError):
                new_event(project, events, wrong)
        assert events.events() == []
    for text, zone in (("tomorrow", "UTC"), ("2026-13-01 10:00", "UTC"), ("2026-01-01 10:00", "Middle/Earth")):
        with pytest.raises(UsageError):
            to_deadline(text, date(2026, 1, 2), zone)
    assert to_deadline("", date(2026, 1, 2), "Europe/Berlin") == datetime(2026, 1, 1, 23, tzinfo=UTC)


def test_the_table_is_filtered_searched_and_sorted(project: Project) -> None:
    """States, words, cards and fingerprints find rows; every column sorts both ways; CSV escapes formulas."""
    with event_of(project) as (event, _checks):
        submit_all(event, [file_deck("Ada.deck", LEGAL.encode()), file_deck("=2+3.deck", ILLEGAL.encode())])
        add_players(event, ["Zoe"])
        rows = tournament_rows.table(event)
    assert [row.state for row in rows] == ["illegal", "legal", "missing"]
    assert names(tournament_rows.filtered(rows, "legal")) == ["Ada"]
    assert names(tournament_rows.filtered(rows, "", "hanibal")) == ["=2+3"]
    digits = rows[1].verdict.fingerprint.partition(":")[2]
    for text in (digits, digits[:6].upper(), f"carddb1:{digits[:4]} {digits[4:]}", f"http://x/find?q=carddb1:{digits}"):
        assert names(tournament_rows.with_fingerprint(rows, text)) == ["Ada"]
    for column in tournament_rows.SORTS:
        there = tournament_rows.in_order(rows, column)
        assert sorted(names(tournament_rows.in_order(rows, f"-{column}"))) == sorted(names(there))
    assert names(tournament_rows.in_order(rows, "-player")) == ["Zoe", "Ada", "=2+3"]
    assert b"\n'=2+3,Roads,not legal," in tournament_rows.table_csv(rows)
    with pytest.raises(UsageError):
        tournament_rows.in_order(rows, "colour")


def names(rows: Iterable[tournament_rows.PlayerRow]) -> list[str]:
    """The players of some rows."""
    return [row.player.name for row in rows]


@every("text, players, decks", [
        ("From: Ada Okonkwo <ada@example.org>\nSubject: list\nDate: now\n\n2 A\n\n3 B\n\nFrom: ben@example.org\n\n1 C",
         ["Ada Okonkwo", "ben"], ["2 A\n\n3 B", "1 C"]),
        ("Player: Ada\n2 A\n\n3 B\nPlayer: Ben\n1 C", ["Ada", "Ben"], ["Player: Ada\n2 A\n\n3 B", "Player: Ben\n1 C"]),
        ("2 A\n\n3 B\n\n\n1 C\n", ["", ""], ["2 A\n\n3 B", "1 C"]),
        ("\n\n2 A\n\n1 B", [""], ["2 A\n\n1 B"]),
        ("", [], []),
    ])  # fmt: skip
def test_pasted_mails_are_divided(text: str, players: list[str], decks: list[str]) -> None:
    """From: lines, else Player: lines, else two blank lines begin a deck; each knows the line on which it begins."""
    division = divide(text)
    assert [deck.player for deck in division.decks] == players
    assert [deck.text for deck in division.decks] == decks
    lines = text.split("\n")
    assert [lines[deck.line - 1] for deck in division.decks] == [deck.text.split("\n")[0] for deck in division.decks]


def test_the_difference_of_two_versions_names_lines() -> None:
    """A changed line has both texts, an added and a removed one one; equal lines are left out."""
    assert line_changes("a\nPike Hedeg\nc", "a\nPike Hedge\nc\nd") == [(2, "Pike Hedeg", "Pike Hedge"), (4, "", "d")]
    assert line_changes("a\nb\nc", "a\nc") == [(2, "b", "")]


def test_a_qr_code_is_that_of_the_standard_as_one_path() -> None:
    """Every dark module is a unit of the path, in the place that the encoder gives it."""
    import re

    import segno

    code = qr_code("carddb1:7f3a9c21d0")
    matrix = segno.make("carddb1:7f3a9c21d0", error="m", micro=False).matrix
    dark = set()
    for x, y, width in re.findall(r"M(\d+) (\d+)h(\d+)v1h-\d+z", code.path):
        dark |= {(int(x) + at, int(y)) for at in range(int(width))}
    assert code.size == len(matrix)
    assert dark == {(x, y) for y, row in enumerate(matrix) for x, bit in enumerate(row) if bit}


@pytest.mark.door
@pytest.mark.skipif(shutil.which("zbarimg") is None, reason="no program that reads codes is installed")
def test_the_code_of_a_printed_list_is_read_as_a_camera_sees_it(project: Project, tmp_path: Path) -> None:
    """A program that is not ours reads it from a page of 300 dots an inch that is turned and not sharp."""
    with event_of(project) as (event, _):
        submit_all(event, [file_deck("Ada.deck", LEGAL.encode())])
        row = tournament_rows.table(event)[0]
        address = "http://192.168.1.20:8765/events/granary-cup/find?q="
        data = print_event_lists(event, "a4", address=address, player=row.player).data
    page = pypdfium2.PdfDocument(data)[0].render(scale=300 / 72).to_pil()
    page.rotate(7, fillcolor="white").filter(ImageFilter.GaussianBlur(1.5)).save(tmp_path / "page.png")
    command = ["zbarimg", "--quiet", "--raw", "--nodbus", str(tmp_path / "page.png")]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()
    assert text == address + row.verdict.fingerprint
