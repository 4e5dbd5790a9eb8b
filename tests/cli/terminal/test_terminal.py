"""What a terminal shows: lines that fit, one heading a file, the verdict in colour; a pipe gets what it always did."""

from __future__ import annotations

import re

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.cli import show
from carddb.cli.terminal import columns, wrapped
from carddb.findings import CardCount, Place, error, warning

NOTHING = re.compile("[\ufdd0-\ufddf]")
WORDS = st.lists(st.text("abcdé墨", min_size=1, max_size=9), min_size=1, max_size=30)
FINDINGS = (
    error("copies", "Greek Fire: 4 copies, at most 3", Place("a.deck", 4, 3), fix="Remove 1 Greek Fire.",
          rules=("C-36",), cards=(CardCount("CAH-089", "Greek Fire"),)),
    warning("odd", "something is odd", Place("b.deck")),
    error("size", "too few cards", Place("a.deck")),
)  # fmt: skip


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both outputs are a terminal of 40 columns."""
    monkeypatch.setattr(show, "terminal_width", lambda err=False: 40)


@given(WORDS, st.integers(32, 60), st.sampled_from(["", "  ", "label   ", "    fix: "]))
def test_long_lines_are_broken_and_keep_their_words(words: list[str], width: int, lead: str) -> None:
    """No line is wider than the terminal, every word is there in its order, further lines stand further in."""
    text = lead + " ".join(words)
    lines = wrapped(text, width, NOTHING).split("\n")
    assert all(columns(line) <= width for line in lines)
    assert " ".join(lines).split() == text.split()
    assert all(line.startswith("  ") for line in lines[1:])


def test_what_is_said_goes_on_beside_its_label() -> None:
    """Under a label and a gap the text has an edge of its own; a path stays whole."""
    assert wrapped("  rare  common or rare or so", 20, NOTHING) == "  rare  common or\n        rare or so"
    path = "/a/very/long/path/of/a/file.pdf"
    assert wrapped(f"written: {path}", 20, NOTHING) == f"written:\n  {path}"


def test_styles_take_no_place() -> None:
    """A bold word is as wide as a plain one."""
    plain, bold = "one two three four five", f"one {show.style('two', bold=True)} three four five"
    assert NOTHING.sub("", wrapped(bold, 14, NOTHING)) == wrapped(plain, 14, NOTHING)


def test_no_text_switches_styles(monkeypatch: pytest.MonkeyPatch) -> None:
    """What somebody wrote has no style, whatever its characters; our own styles have theirs."""
    shown: list[str] = []
    monkeypatch.setattr(click, "echo", lambda text, **_: shown.append(text))
    show.echo("".join(map(chr, range(0xFDD0, 0xFDF0))) + show.style("ours", bold=True))
    (text,) = shown
    assert text[32:] == "\x1b[1mours\x1b[0m" and "\x1b" not in text[:32]


def test_a_file_has_one_heading(terminal: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Findings stand under their file, each with its place in it, its fix, its code and its rules."""
    show.findings(FINDINGS)
    assert capsys.readouterr().out.splitlines() == [
        "a.deck",
        "  error 4:3  Greek Fire: 4 copies, at",
        "             most 3",
        "    fix: Remove 1 Greek Fire.",
        "    copies   rules: C-36",
        "",
        "  error      too few cards",
        "    size",
        "",
        "b.deck",
        "  warning  something is odd",
        "    odd",
        "",
    ]


def test_a_pipe_has_a_line_a_finding(capsys: pytest.CaptureFixture[str]) -> None:
    """Elsewhere each finding begins with its file and place, on one line however long."""
    show.findings(FINDINGS)
    assert capsys.readouterr().out.splitlines() == [
        "a.deck:4:3: error copies: Greek Fire: 4 copies, at most 3",
        "    fix: Remove 1 Greek Fire.   rules: C-36",
        "b.deck: warning odd: something is odd",
        "a.deck: error size: too few cards",
    ]


def test_names_are_bold_and_the_verdict_has_its_colour(terminal: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Bold and red where a terminal has colours, plain words where it has none."""
    with click.Context(click.Command("x"), color=True).scope():
        show.findings(FINDINGS[:1])
        show.echo(show.verdict("1 error. Not legal: a game.", "illegal"))
    coloured = capsys.readouterr().out
    assert "\x1b[1mGreek Fire\x1b[0m: 4 copies" in coloured
    assert "1 error. \x1b[31m\x1b[1mNot legal\x1b[0m: a game." in coloured
    with click.Context(click.Command("x"), color=False).scope():
        show.echo(show.verdict("1 error. Not legal: a game.", "illegal"))
    assert capsys.readouterr().out == "1 error. Not legal: a game.\n"


def test_a_table_fits(terminal: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Several wide columns are wrapped; a word is broken only where nothing else helps."""
    rows = [("empires-and-generals", "a long text of many short words", "and another such text")]
    show.table(("key", "what", "more"), rows)
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 52 for line in lines)
    show.table(("verdict", "reason"), [("legal", "a-word-of-some-length"), ("legal", "and others that are short")])
    lines = capsys.readouterr().out.splitlines()
    assert all(len(line) <= 40 for line in lines) and "a-word-of-some-length" in lines[1]
    show.table(("verdict", "reason"), [("legal", "x" * 50)])
    assert all(len(line) <= 40 for line in capsys.readouterr().out.splitlines())


def test_json_is_never_broken(terminal: None, capsys: pytest.CaptureFixture[str]) -> None:
    """On a terminal too it is the JSON that a file would have."""
    show.as_json({"text": "many words " * 20})
    assert len(capsys.readouterr().out.splitlines()) == 3
