"""Formats: which is in force, what its filters demand, and how unknown and custom ones are answered."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from carddb.core.errors import UsageError
from carddb.deck import format_key
from carddb.findings import Severity
from tests.deck.samples import card, codes, deck, entry, game, judge
from tests.rows import every

PARTS: dict[str, Any] = {
    "sections": {"main": {"types": ["unit", "spell", "aid"]}},
    "filters": {
        "eras": {"type": "list", "pool": [{"must": "era={}", "code": "f_era", "label": "only {}", "rules": ["R-2"]}]},
        "most": {"type": "integer", "pool": [{"must": "cost<={}", "code": "f_cost"}]},
        "plain": {"pool": [{"must": "-rare:true", "code": "f_rare"}]},
        "kinds": {"type": "list", "default": ["unit"], "pool": [{"must": "type:{}", "code": "f_type"}]},
    },
    "formats": {
        "old": {"label": "1", "name": "Old Times", "filters": {"eras": ["old"]}},
        "small": {"label": "2a", "name": "Small", "filters": {"most": 3, "plain": True}},
        "both": {"label": "2b", "name": "Both", "pool": [{"must": "era:none", "code": "f_timeless"}]},
    },
    "format_rules": ["R-9"],
}
GAME = game(**PARTS)
OLD, NEW, PLAIN = card("Old", era="old", cost=1), card("New", era="new", cost=9, rare=True), card("Plain")


def test_no_format() -> None:
    """Without a format no card is left out."""
    assert judge(GAME, deck(entry(1, NEW))) == []


def test_filters() -> None:
    """Each demand of a format gives one finding with every guilty line; absent fields fail."""
    pile = deck(entry(2, OLD), entry(1, NEW), entry(3, PLAIN))
    (found,) = judge(GAME, pile, format="old")
    assert found.code == "f_era" and [place.line for place in found.where] == [2, 3] and found.rules == ("R-2",)
    assert found.message == "Old Times: only old; 4 cards outside it, 0 allowed: 1 New and 3 Plain"
    assert found.data == {"count": 4, "limit": 0, "value": ["old"]}
    assert codes(judge(GAME, deck(entry(1, NEW)), format="small")) == ["f_cost", "f_rare"]
    assert codes(judge(GAME, deck(entry(1, OLD)), format="both")) == ["f_timeless"]


def test_ignored_cards_pass() -> None:
    """Reference cards, unknown types and unknown cards pass every filter."""
    pile = deck(entry(1, card("Chart", "aid")), entry(1, card("Thing", "gadget")), entry(1, "Nobody"))
    assert judge(GAME, pile, format="old") == []


def test_which_format() -> None:
    """The user's format comes before the header's, the header's before the game's."""
    pile = deck(entry(1, NEW), format="old")
    assert codes(judge(GAME, pile)) == ["f_era"]
    assert codes(judge(GAME, pile, format="both")) == ["f_timeless"]
    assert codes(judge(game(**PARTS, default_format="old"), deck(entry(1, NEW)))) == ["f_era"]


def test_unknown_in_header() -> None:
    """An unknown format in a deck's header cannot be checked, and no other format code is given."""
    (found,) = judge(GAME, deck(entry(1, NEW), format="olde"))
    assert (found.code, found.severity, found.rules) == ("format_unknown", Severity.NOT_CHECKABLE, ("R-9",))
    assert found.fix == "Did you mean old?"


@every(
    "text, remedy",
    [
        ("2", "2 is ambiguous: write small (2a) or both (2b)."),
        ("bot", "Did you mean both?"),
        ("zzz", "Choose one of: old, small, both."),
        ("", "Choose one of: old, small, both."),
    ],
)
def test_format_key(text: str, remedy: str) -> None:
    """A format is known by key, name and label, or both; anything else is answered with the nearest, or all."""
    with pytest.raises(UsageError) as caught:
        format_key(GAME, text)
    assert caught.value.remedy == remedy
    assert {format_key(GAME, word) for word in ("old", "OLD", "Old Times", "old-times", "1", "1) Old Times")} == {"old"}
    assert format_key(GAME, "2b") == "both"


def test_game_without_formats() -> None:
    """A game without formats says so."""
    with pytest.raises(UsageError, match="no formats"):
        format_key(game(), "old")


def test_custom() -> None:
    """A custom format gives values to the same filters; a filter that it does not name has its default."""
    pile = deck(entry(1, OLD), entry(1, NEW), entry(1, card("Bolt", "spell")))
    assert codes(judge(GAME, pile, custom={})) == ["f_type"]
    ours = {"name": "Ours", "eras": None, "most": 3, "plain": False, "kinds": ["unit", "spell"]}
    found = judge(GAME, pile, custom=ours)
    assert codes(found) == ["f_cost"] and found[0].message.startswith("Ours: cost<=3; 2 cards outside it")
    assert codes(judge(GAME, deck(entry(1, OLD)), custom={"eras": []})) == ["f_era"]


@every("custom", [{"era": ["old"]}, {"eras": "old"}, {"eras": [1]}, {"most": "3"}, {"most": True}, {"plain": 1}])
def test_faulty_custom(custom: dict[str, Any]) -> None:
    """Unknown keys and wrong kinds of values are findings, and nothing is filtered by half."""
    findings = judge(GAME, deck(entry(1, NEW)), custom=custom)
    assert codes(findings) == ["format_invalid"] and findings[0].severity is Severity.ERROR


def test_unknown_filter_is_refused_with_the_game() -> None:
    """A format that names no filter of the game never reaches a check."""
    with pytest.raises(ValidationError, match="no filter colour"):
        game(formats={"f": {"filters": {"colour": True}}})
