"""Eighty lists and more as players paste them, of every kind, against the sample cards of the bundled games."""

from __future__ import annotations

import json

import pytest

from carddb.cards.cards import Pool
from carddb.game.game import GameSpec
from carddb.game.rule_parts import SectionSpec
from carddb.read.decks.builder import Builder
from carddb.read.decks.text import read_deck
from carddb.read.source import decode
from tests.read.decks.pasted_lists import PASTED, bundled, outcome
from tests.read.decks.test_text import POOL, SPEC, codes, finding, read
from tests.rows import every

EXPECTED = PASTED / "expected.json"
LISTS = sorted(path.name for path in PASTED.iterdir() if path != EXPECTED)


@pytest.mark.parametrize("name", LISTS)
def test_a_pasted_list_is_read_as_meant(name: str, request: pytest.FixtureRequest) -> None:
    """Each list gives the cards that it means, and one finding for each line that is none."""
    found = outcome(PASTED / name)
    expected = json.loads(EXPECTED.read_text("utf-8"))
    if request.config.getoption("--update-goldens"):
        expected = dict(sorted({**expected, name: found}.items()))
        EXPECTED.write_text(json.dumps(expected, ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert found == expected[name]


@pytest.mark.parametrize("step", [4, pytest.param(1, marks=pytest.mark.full)])
def test_lines_that_were_read_before_say_the_same(step: int) -> None:
    """A list is read the same once its lines, and those of others, were read with the same cards."""
    for name in LISTS[::step]:
        spec, pool = bundled(name.split(".")[1])
        text, _ = decode((PASTED / name).read_bytes(), name)
        if text is None:
            continue
        lines = text.splitlines()
        shuffled = "\n".join([*lines[1::2], *lines[::2]])
        for each in (text, shuffled, text.replace("\n", "\n\n"), text):
            assert read_deck(each, spec, pool, name) == read_deck(each, spec, Pool(pool), name)


def test_there_are_eighty_lists() -> None:
    """Every list has an expected result, and there are no fewer than eighty."""
    assert len(LISTS) >= 80
    assert sorted(json.loads(EXPECTED.read_text("utf-8"))) == LISTS


@every("line", ["15 cards (min 45)", "15 cards", "Total: 15", "15 cards / 45", "15 cards total."])
def test_a_claim_is_never_a_card(line: str) -> None:
    """A line that counts cards adds none; it is said where the deck has another number of them."""
    deck, _ = read(f"2 Longbow\n{line}\n")
    assert deck.size("playing") == 2
    assert finding(f"2 Longbow\n{line}\n", "count_claim_differs").data == {"count": 2, "claimed": 15}
    assert codes("2 Longbow\n2 cards (min 45)\n") == []


def test_a_plain_heading_needs_cards_below_it() -> None:
    """`Soldiers (2)` is a heading only where a card line follows; a card of that very name stays a card."""
    assert codes("Soldiers (2)\n2 Longbow\n") == []
    assert codes("2 Longbow\nActs of God (2)\n") == ["card_unknown", "count_assumed"]
    assert [entry.ref for entry in read("Main (3)\n2 Longbow\n")[0].entries] == ["N-16", "T-001"]


def test_a_blank_line_begins_a_sideboard_only_where_there_is_one() -> None:
    """Magic Online's blank line counts in a game with a sideboard, and nowhere else."""
    text = "3 Longbow\n\n1 Old Guard\n"
    sections = {"playing": SectionSpec(types=("soldier",)), "extra": SectionSpec(aliases=("sideboard",))}
    spec = GameSpec(key="trial", prefix="tr", name="The Trial", types=SPEC.types, sections=sections)
    assert Builder(spec, POOL, "").has_sideboard
    assert [entry.section for entry in read_deck(text, spec, POOL)[0].entries] == ["playing", "extra"]
    assert [entry.section for entry in read(text)[0].entries] == ["playing", "playing"]


def test_a_near_name_is_no_sentence() -> None:
    """A line that is nearly a card's name stays an unknown card, whatever signs stand behind it."""
    assert codes("1 Longbow\nLonbow!\n") == ["card_unknown", "count_assumed"]


MARKS = (".", "•", "( ", "[a] ", "^", "- ", "|", "a, ")


@pytest.mark.full
def test_long_runs_of_marks_are_read_at_once() -> None:
    """Lines of nothing but marks, as long as lines may be, are no hard work for any pattern."""
    others = ("~", "=", "*", "_a", "<b ", "[b=", "[a](", "   ", " ,", "1x1", "[x] ", "&amp;", "- 1", "\t")
    for mark in (*MARKS, *others):
        deck, _ = read("\n".join(["1 " + (mark * 1_900)[:1_900] + "x"] * 3))
        assert deck.size("resource") == 0
