"""Tournaments from the terminal: what the desk does in a browser, without one."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from carddb.cli.main import run
from tests.app.events.samples import DECKS, ILLEGAL

Call = Callable[..., tuple[int, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """The program in an empty folder: its exit code and what stands on standard output."""
    monkeypatch.chdir(tmp_path)

    def called(*arguments: str) -> tuple[int, str]:
        capsys.readouterr()
        code = run(arguments)
        return code, capsys.readouterr().out

    return called


@pytest.fixture
def event(call: Call) -> Call:
    """The same, with an event."""
    assert call("event", "new", "Granary Cup", "--day", "2099-06-20", "--game", "cahrd") == (0, "granary-cup\n")
    return call


def test_an_evening_from_the_terminal(event: Call, tmp_path: Path) -> None:
    """A folder is handed in, shown, rechecked, printed, exported, and one player is forgotten."""
    assert event("event", "submit", "granary-cup", str(DECKS))[0] == 0
    Path("Ada.txt").write_text(ILLEGAL)
    code, out = event("event", "submit", "granary-cup", "Ada.txt", "--player", "Ada Okonkwo", "--json")
    assert code == 0 and json.loads(out)["decks"][0]["verdict"] == "illegal"
    code, out = event("event", "show", "granary-cup", "--json", "--csv", "table.csv")
    shown = json.loads(out)
    assert shown["summary"]["players"] == 5 and shown["players"][0]["player"] == "Ada Okonkwo"
    assert Path("table.csv").read_text().splitlines()[1].startswith("Ada Okonkwo,Roads,not legal,")
    Path("Ada.txt").write_text(ILLEGAL.replace("Hanibal", "Hannibal"))
    event("event", "submit", "granary-cup", "Ada.txt", "--player", "Ada Okonkwo")
    shown = event("event", "player", "granary-cup", "ada okonkwo")[1]
    assert "line 6: 1 Hanibal Barca -> 1 Hannibal Barca" in shown and "version 1, by the organiser" in shown
    for arguments in (("came late", "--kind", "warning"), ("brings a friend",), ("--undo", "1")):
        assert event("event", "note", "granary-cup", "ada okonkwo", *arguments)[0] == 0
    assert event("event", "note", "granary-cup", "ada okonkwo", "--undo", "1")[0] == 2
    shown = event("event", "player", "granary-cup", "ada okonkwo")[1]
    assert "1. warning, " in shown and ", taken back " in shown and ": brings a friend" in shown
    assert event("event", "recheck", "granary-cup", "--json")[1].endswith('"changed": []\n}\n')
    assert event("event", "print", "granary-cup", "-o", "all.pdf", "--only", "illegal")[0] == 0
    assert Path("all.pdf").read_bytes().startswith(b"%PDF")
    assert event("event", "export", "granary-cup", "-o", "cup.zip")[0] == 0
    with zipfile.ZipFile("cup.zip") as archive:
        whole = json.loads(archive.read("event.json"))
        assert "1 Hannibal Barca" in archive.read("decks/Ada-Okonkwo.deck").decode()
    assert [len(player["versions"]) for player in whole["players"]] == [1, 1, 1, 1, 2]
    assert event("event", "forget", "granary-cup", "ada okonkwo")[0] == 0
    assert b"Okonkwo" not in Path("events.db").read_bytes()
    assert "4 players" in event("event", "list")[1]


def test_a_deadline_after_the_day_is_a_warning(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    """An event may take decks after its day, when it is made or later; a sentence says so."""
    for number, (deadline, words) in enumerate((("2099-06-21 18:00", "after the day"), ("2099-06-20 18:00", ""))):
        arguments = ("event", "new", f"Cup {number}", "--day", "2099-06-20", "--game", "cahrd", "--deadline", deadline)
        assert run(arguments) == 0
        told = capsys.readouterr().err
        assert words in told and ("warning deadline_late: decks are taken until 2099" in told) == bool(words)
        assert run(("event", "change", f"cup-{number}", "--deadline", deadline)) == 0
        assert ("warning" in capsys.readouterr().err) == bool(words)


def test_locks_links_and_misuse(event: Call) -> None:
    """Lock and unlock hold for all and for one; a link is shown once; unknown names are misuse with the nearest."""
    code, out = event("event", "links", "granary-cup", "Ada", "Ben", "--address", "http://192.168.1.5:8765/", "--json")
    links = json.loads(out)["links"]
    assert code == 0 and all(link["address"].startswith("http://192.168.1.5:8765/p/") for link in links)
    change = ("event", "change", "granary-cup", "--deadline", "2099-06-18T12:00", "--no-registration", "--open-lists")
    changed = json.loads(event(*change, "--json")[1])
    assert changed["deadline"].startswith("2099-06-18T") and not changed["registration"] and changed["open_lists"]
    assert event("event", "open", "granary-cup", "ada", "Ben")[0] == 0
    for verb, names in (("lock", ()), ("lock", ("--player", "Ada")), ("unlock", ())):
        assert event("event", verb, "granary-cup", *names)[0] == 0
    assert all(each["open"] for each in json.loads(event("event", "show", "granary-cup", "--json")[1])["players"])
    assert event("event", "show", "granary-cap")[0] == 2
    assert event("event", "forget", "granary-cup", "Add")[0] == 2
    assert event("event", "new", "Granary Cup", "--day", "2099-06-20", "--game", "cahrd")[0] == 2
    assert event("event", "export", "granary-cup", "-o", "cup.doc")[0] == 2


def test_an_evening_of_rounds_from_the_terminal(call: Call) -> None:
    """Check-in, pairings, results, a correction, drops, undo, cut and standings, each by its verb."""
    new = ("event", "new", "Night", "--day", "2099-06-20", "--game", "rishar", "--no-lists", "--seed", "3")
    assert call(*new, "--prize", "1: a cup")[0] == 0
    assert call("event", "check-in", "night", "Ada", "Ben", "Cleo", "Dan", "Eve")[1].startswith(
        "Ada: checked in, a new player"
    )
    code, out = call("event", "pair", "night")
    assert code == 0 and out.count("Drawn by lot.") == 2 and "(bye)" in out
    shown = json.loads(call("event", "pairings", "night", "--json")[1])
    assert shown["round"] == 1 and [len(match["players"]) for match in shown["pairings"]] == [2, 2, 1]
    assert call("event", "pair", "night")[0] == 2 and call("event", "result", "night", "1", "2-1")[0] == 2
    for table in ("1", "2"):
        assert call("event", "result", "night", table, "1-0")[0] == 0
    assert ", place " in call("event", "result", "night", "1", "0-1", "--round", "1")[1]
    for verb in (
        ("drop", "Eve"),
        ("drop", "Eve", "--back"),
        ("bye", "Ada"),
        ("bye", "Ada", "--not"),
        ("table", "Dan", "7"),
    ):
        assert call("event", verb[0], "night", *verb[1:])[0] == 0
    assert call("event", "undo", "night")[0] == 0 and "(taken back)" in call("event", "log", "night")[1]
    assert call("event", "timer", "night", "40")[0] == 0
    assert call("event", "pairings", "night", "-o", "papers.pdf")[0] == 0
    assert Path("papers.pdf").read_bytes().startswith(b"%PDF")
    assert call("event", "cut", "night", "2")[1].startswith("1. ")
    assert call("event", "pair", "night")[0] == 0 and call("event", "result", "night", "1", "1-0")[0] == 0
    shown = json.loads(call("event", "standings", "night", "--json")[1])
    assert shown["standings"][0]["prize"] == "a cup" and shown["cut"] == 2
    for kind in ("pdf", "csv", "json"):
        assert call("event", "standings", "night", "-o", f"s.{kind}")[0] == 0
    assert call("event", "standings", "night", "-o", "s.doc")[0] == 2
    assert call("event", "field", "night")[0] == 3


def test_rounds_as_json_and_results_by_name(call: Call) -> None:
    """Every verb of the rounds answers as JSON; a result may name both players, the games of the first first."""

    def shown(*words: str) -> Any:
        code, out = call("event", *words, "--json")
        assert code == 0
        return json.loads(out)

    call("event", "new", "Duel", "--day", "2099-06-20", "--game", "rishar", "--no-lists", "--best-of", "3")
    checked = shown("check-in", "duel", "Ada", "Ben")
    assert checked["schema"] == "carddb.check-in/1"
    assert checked["players"][0] == {"name": "Ada", "new": True, "list": False}
    paired = shown("pair", "duel")
    assert paired["schema"] == "carddb.pairings/1" and paired["round"] == 1
    (match,) = paired["pairings"]
    assert match["table"] == 1 and sorted(match["players"]) == ["Ada", "Ben"] and match["result"] is None
    other = match["players"][1]
    entered = shown("result", "duel", other, match["players"][0], "2-1")
    assert entered["pairings"][0]["result"] == "1-2" and entered["changes"] == []
    assert call("event", "result", "duel", "Ada", "Nobody", "2-1")[0] == 2
    assert call("event", "result", "duel", "Ada", "Ben", "Cem", "2-1")[0] == 2
    assert call("event", "result", "duel", "Ada", "Ben", "2-1", "--round", "9")[0] == 2
    standings = shown("standings", "duel")["standings"]
    assert [(row["rank"], row["player"]) for row in standings] == [(1, other), (2, match["players"][0])]
    assert standings[0]["points"] > 0 and "strength_of_schedule" in standings[0]["tie_breaks"]
    assert shown("cut", "duel", "2")["seeds"][0] == other
    assert [row["active"] for row in shown("drop", "duel", other)["standings"] if row["player"] == other] == [False]
