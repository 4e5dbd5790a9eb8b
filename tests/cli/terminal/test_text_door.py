"""What is said stays text: nothing that somebody wrote steers a terminal or turns other people's words."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.cards.cards import Pool
from carddb.cli import show
from carddb.core.plain_text import control_at, escaped, escaped_line, json_text, without_controls
from carddb.read.decks.text import read_deck
from carddb.read.decks.writer import write_deck
from carddb.read.documents.bans import read_bans
from tests.conftest import Told
from tests.deck.samples import game as small_game

Call = Callable[..., Told]
HOSTILE = "a\x1b[31mb\x9b2Jc\u202ed\u2066e\u200bf\rg\x07\x7f\U000e0041"
HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")


def output(told: Told) -> str:
    """Everything that a command put on the terminal."""
    return told.out + told.err


def test_hidden_characters_are_written_out() -> None:
    """Escapes of terminals, overrides and characters of no width become `\\uXXXX`; other text stays as it is."""
    assert escaped("\x1b[2J \x9b \u202e \u200b \ufeff") == "\\u001b[2J \\u009b \\u202e \\u200b \\ufeff"
    assert escaped("\U000e0041\udcff") == "\\udb40\\udc41\\udcff"
    kept = "a\tb\nÄrger 墨 👩‍🚀 سلام می‌روم שלום"
    assert escaped(kept) == kept and escaped_line("a\nb") == "a\\u000ab"
    assert without_controls(HOSTILE) == "a[31mb2Jcde\u200bfg" and control_at("ab\u202ec") == (
        2,
        "U+202E (right-to-left override)",
    )


def test_escaped_json_is_the_same_json() -> None:
    """A reader of JSON gets every character back."""
    value = {HOSTILE: [HOSTILE, "\U000e0041"]}
    assert json.loads(json_text(value)) == value and not HIDDEN.search(json_text(value))


def test_styles_are_shown_and_others_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    """Bold is bold on a terminal, where an escape in a name is text."""
    import click

    with click.Context(click.Command("x"), color=True).scope():
        show.echo(show.style("\x1b[8mname", bold=True, fg="red"))
    assert capsys.readouterr().out == "\x1b[31m\x1b[1m\\u001b[8mname\x1b[0m\n"


def test_a_deck_is_told_as_text(call: Call, folder: Path) -> None:
    """Headers, lines, file names and unknown cards of a deck."""
    name = f"x{HOSTILE}.deck".replace("\r", "").replace("[", "")
    lines = HOSTILE.replace("\r", "")
    Path(name).write_text(f"Name: {lines}\nPlayer: {lines}\nGame: cahrd\n{lines}: {lines}\n3 {lines}\n", "utf-8")
    for arguments in (["check"], ["check", "--json"], ["decks", "stats"], ["decks", "fix"], ["forecast"]):
        told = call(*arguments, name)
        assert not HIDDEN.search(output(told)), arguments
        assert told.code in (0, 1, 2, 3, 4)
    call("decklist", name, "-o", "list.txt")
    call("check", ".", "--report", "all.csv")
    for path in ("list.txt", "all.csv"):
        assert not HIDDEN.search(Path(path).read_text("utf-8")), path


def test_files_and_columns_are_told_as_text(call: Call, folder: Path) -> None:
    """Columns of a table, names of files that are not there, and words of the command line."""
    word = HOSTILE.replace("\r", "")
    Path("cards.csv").write_text(f"ref,name,type,{word}\nX-1,A,{word},x\n", "utf-8")
    for arguments in (
        ["load", "cards.csv", "--game", "cahrd"],
        ["load", f"{word}.csv"],
        ["check", f"{word}.deck"],
        ["cards", f"{word}:1"],
        ["bans", "show", word],
        ["explain", word],
        [word],
        ["--catalog", word, "cards"],
        ["sheets", "x.deck", "-o", f"{word}.xyz"],
    ):
        told = call(*arguments)
        assert told.code and not HIDDEN.search(output(told)), arguments


def test_a_name_that_is_no_text_is_told(call: Call, folder: Path) -> None:
    """A file name in no encoding is answered with a sentence."""
    told = call("check", os.fsdecode(b"\xff\x1b.deck"))
    assert told.code == 3 and "\\udcff\\u001b.deck" in told.err


def test_a_pasted_newline_ends_no_line(call: Call, folder: Path) -> None:
    """A line break in a file's name makes no second finding."""
    Path("a\nerror x").write_text("Game: cahrd\n3 Nobody\n", "utf-8")
    assert "a\\u000aerror x:2" in output(call("check", "./a\nerror x"))


def test_control_characters_of_a_deck_are_a_finding() -> None:
    """A deck with them has one remark with the first place, and its header and unknown cards are without them."""
    spec = small_game()
    text = "Name: Ri\x1bver\u202e\n3 No\x9bbody\n"
    deck, findings = read_deck(text, spec, Pool(()), "a.deck")
    [finding] = [each for each in findings if each.code == "control_character"]
    assert "U+001B" in finding.message and (finding.where[0].line, finding.where[0].column) == (1, 9)
    assert finding.data == {"places": 2} and deck.name == "River" and deck.entries[0].name == "Nobody"
    assert not HIDDEN.search(write_deck(deck, spec))
    in_json = json.dumps({"name": "River\u202e", "sections": {}})
    deck, findings = read_deck(in_json, spec, Pool(()), "a.json")
    assert "control_character" in {each.code for each in findings} and deck.name == "River"


def test_control_characters_of_a_ban_list_are_a_finding(call: Call, folder: Path) -> None:
    """Titles and reasons with them are warned of, whether written out or as an escape of YAML, and shown as text."""
    Path("bans.yaml").write_text(
        'lists:\n  short: {title: "B\\e[31m", zone: UTC}\nlevels:\n  1: {max_copies: 1, status: official}\n'
        'announcements:\n- id: a\n  made: 2026-01-01T00:00:00Z\n  effective: 2026-01-05\n  author: "\u202ex"\n'
        '  changes:\n  - {list: short, card: A, from: 0, to: 1, why: "\\u202ex"}\n',
        "utf-8",
    )
    [finding] = [each for each in read_bans(Path("bans.yaml")).findings if each.code == "control_character"]
    assert finding.data == {"places": 3} and finding.where[0].line == 2
    for arguments in (["bans", "lint", "bans.yaml"], ["bans", "announce", "bans.yaml"], ["load", "bans.yaml"]):
        assert not HIDDEN.search(output(call(*arguments))), arguments


def test_control_characters_of_a_module_are_a_finding(call: Call, folder: Path) -> None:
    """A module of one's own with them is warned of, and its title is shown as text."""
    module = {"base": "generic-separate", "patch": {"id": "mine", "title": "A\u001b[2J\u202eB"}}
    Path("mine.json").write_text(json.dumps(module), "utf-8")
    told = call("solo", "new", "--module", "mine.json", "--seed", "1")
    assert told.code == 0 and "control_character" in told.err and "mine.json:title" in told.err
    for arguments in (["status"], ["log"]):
        told = call("solo", *arguments)
        assert not HIDDEN.search(output(told)), arguments
