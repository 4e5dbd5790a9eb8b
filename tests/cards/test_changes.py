"""The changes between two states of cards: complete, of the right kind, and enough to make the later state."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from carddb.cards.changes import KINDS, compare, word_changes
from tests.cards.samples import replay

VALUES = st.dictionaries(
    st.sampled_from(("name", "text", "cost", "tags")), st.one_of(st.text(max_size=5), st.integers(0, 3), st.booleans())
).map(lambda values: {"type": "unit", **values})
STATES = st.dictionaries(st.sampled_from("ABCDE"), VALUES)


@given(STATES, STATES)
def test_replaying_the_changes_over_the_earlier_state_gives_the_later(
    before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]]
) -> None:
    """Also by way of JSON, and twice over, so that a state that has some of the changes already ends the same."""
    changes = json.loads(json.dumps([change.to_json() for change in compare(before, after)]))
    once = replay(before, changes)
    assert once == after and replay(once, changes) == after
    assert not compare(once, after)


def test_the_kinds_of_change() -> None:
    """A card of one side is added or retired; one whose name differs is renamed, whatever else differs."""
    before: dict[str, dict[str, Any]] = {"A": {"name": "Ox", "cost": 1}, "B": {"name": "Ram"}, "C": {"name": "Cow"}}
    after: dict[str, dict[str, Any]] = {
        "A": {"name": "Ox", "cost": True},
        "C": {"name": "Cows", "cost": 2},
        "D": {"name": "Hen"},
    }
    found = [(change.ref, change.kind, change.name) for change in compare(before, after)]
    assert found == [("D", "added", "Hen"), ("A", "changed", "Ox"), ("C", "renamed", "Cows"), ("B", "retired", "Ram")]
    assert {kind for _, kind, _ in found} == set(KINDS)


def test_words_are_told_as_removed_and_new() -> None:
    """Both texts can be read from the parts."""
    old, new = "Draw two cards, then discard.", "Draw three cards, then discard one."
    parts = word_changes(old, new)
    assert "".join(part.text for part in parts if part.kind != "new") == old
    assert "".join(part.text for part in parts if part.kind != "old") == new
    assert ("old", "two") in parts and ("new", "three") in parts


def test_an_edit_of_most_words_is_told_whole() -> None:
    """Words that a new sentence shares with the old one by chance do not divide it; nor does a lone word elsewhere."""
    old, new = "He let the exiled peoples go home.", "The king, he told the cities, had come to send them home."
    assert word_changes(old, new) == [("old", old), ("new", new)]
    parts = word_changes("Draw 2 or 3 cards from the top of your deck.", "Draw 4 or 5 cards from the top of your deck.")
    assert [part for part in parts if part.kind != "same"] == [("old", "2 or 3"), ("new", "4 or 5")]
