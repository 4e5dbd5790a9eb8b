"""Limits: six kinds, each with both numbers, the guilty lines and the smallest fix."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from carddb.cards.cards import Card, Deck, Entry
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from tests.deck.samples import card, codes, deck, entry, game, judge
from tests.rows import every

OPEN: dict[str, Any] = {"main": {"types": ["unit", "spell", "aid"]}, "side": {"types": ["unit", "spell"]}}
LANCER, BOLT, SPARK = card("Lancer", cost=3), card("Bolt", "spell", cost=2), card("Spark", "spell", cost=5)


def limited(limit: dict[str, Any], **parts: Any) -> GameSpec:
    return game(**{"sections": OPEN, "limits": [{"code": "x", **limit}], **parts})


def only(findings: list[Finding]) -> Finding:
    (found,) = findings
    return found


def test_copies() -> None:
    """Copies of one card add up over lines and sections; the surplus is taken from the last line."""
    spec = limited({"copies": "type:unit", "max": 3, "label": "a unit", "rules": ["R-1"]})
    pile = deck(entry(2, LANCER), entry(9, BOLT), entry(3, LANCER, "side"))
    found = only(judge(spec, pile))
    assert found.message == "Lancer: 5 copies, at most 3 of a unit"
    assert found.data == {"count": 5, "limit": 3} and found.rules == ("R-1",)
    assert [place.line for place in found.where] == [1, 3]
    assert [c.to_json() for c in found.cards] == [{"ref": "lancer", "name": "Lancer", "count": 5}]
    assert found.fix == "Remove 2 Lancer." and found.fixes == ({"remove": [{"ref": "lancer", "count": 2}]},)


def test_the_fix_names_a_card_once() -> None:
    """What is taken from several lines of one card is one remedy."""
    spec = limited({"copies": "type:unit", "max": 1})
    found = only(judge(spec, deck(entry(1, LANCER), entry(1, LANCER), entry(2, LANCER))))
    assert found.fix == "Remove 3 Lancer." and found.fixes == ({"remove": [{"ref": "lancer", "count": 3}]},)


def test_copies_by_identity() -> None:
    """Identity folds case and spaces of texts; cards of another type are other cards."""
    spec = limited({"copies": "", "max": 1})
    twin = Card("test-game", "x", {"name": "LANCER ", "type": "unit"})
    assert codes(judge(spec, deck(entry(1, LANCER), entry(1, twin)))) == ["x"]
    assert judge(spec, deck(entry(1, LANCER), entry(1, card("Lancer", "spell")))) == []


def test_copies_by_reference_are_exact() -> None:
    """References compare with their case."""
    spec = limited({"copies": "", "max": 1, "by": "ref"})
    upper = card("Lancer")
    other = Card(upper.game, "LANCER", upper.values)
    assert judge(spec, deck(entry(1, upper), entry(1, other))) == []
    assert codes(judge(spec, deck(entry(1, upper), entry(1, upper)))) == ["x"]


def test_copies_by_field() -> None:
    """Copies can be counted by any field; cards without it are passed over."""
    spec = limited({"copies": "", "max": 1, "by": "school"})
    pile = deck(entry(1, card("A", school="fire")), entry(1, card("B", school="Fire")), entry(4, LANCER))
    assert only(judge(spec, pile)).data["count"] == 2


def test_copies_at_least() -> None:
    """A least number asks for more of a card that is there."""
    found = only(judge(limited({"copies": "", "min": 4, "max": 4}), deck(entry(3, LANCER))))
    assert found.data == {"count": 3, "limit": 4} and found.fixes == ({"add": [{"count": 1, "ref": "lancer"}]},)


def test_total() -> None:
    """A total counts every matching card, whichever it is."""
    spec = limited({"total": "type:spell", "max": 2, "label": "Spells"})
    found = only(judge(spec, deck(entry(2, BOLT), entry(1, LANCER), entry(2, SPARK))))
    assert found.message == "Spells: 4, at most 2 in all" and [p.line for p in found.where] == [1, 3]
    assert found.fixes == ({"remove": [{"ref": "spark", "count": 2}]},)


def test_total_at_least() -> None:
    """A total can ask for a least number, and can be a mere warning."""
    spec = limited({"total": "type:spell", "min": 2, "label": "Spells", "severity": "warning"})
    found = only(judge(spec, deck(entry(1, LANCER))))
    assert found.severity is Severity.WARNING and found.data == {"count": 0, "limit": 2}
    assert found.fix == "Add 2 to the spells." and found.where[0].file == "a.deck"


@every(
    "spells, units, fix",
    [
        (1, 3, None),
        (2, 5, "Remove 1 Bolt, or add 1 to the units."),
        (2, 3, "Remove 1 Bolt, or add 3 to the units."),
        (3, 1, "Remove 3 Bolt, or add 8 to the units."),
    ],
)
def test_ratio(spells: int, units: int, fix: str | None) -> None:
    """A ratio allows one card for every so many others, rounded down; the smaller remedy comes first."""
    spec = limited({"ratio": "type:spell", "per": "type:unit", "each": 3, "label": "Spells", "per_label": "units"})
    findings = judge(spec, deck(entry(units, LANCER), entry(spells, BOLT)))
    if fix is None:
        assert findings == []
        return
    found = only(findings)
    assert found.data == {"count": spells, "limit": units // 3, "per": units, "each": 3}
    assert found.fix == fix and [*found.fixes[0], *found.fixes[1]] == ["remove", "add"]


def test_requires() -> None:
    """Where a card calls for others, too few of them is a finding; without the card nothing is asked."""
    spec = limited({"requires": "type:unit", "given": "type:spell", "min": 3, "label": "Units", "per_label": "a spell"})
    assert judge(spec, deck(entry(1, LANCER))) == []
    found = only(judge(spec, deck(entry(2, LANCER), entry(1, BOLT))))
    assert found.message == "Units: 2, at least 3 are needed where there are a spell"
    assert found.fix == "Add 1 to the units, or remove 1 Bolt."


def test_budget() -> None:
    """A budget sums a field; the fewest cards are removed, the dearest first."""
    spec = limited({"budget": "", "of": "cost", "max": 10, "label": "The army"})
    found = only(judge(spec, deck(entry(2, LANCER), entry(2, SPARK), entry(1, card("Free")))))
    assert found.data == {"count": 16, "limit": 10} and found.fixes == ({"remove": [{"ref": "spark", "count": 2}]},)
    assert judge(spec, deck(entry(2, SPARK))) == []


def test_same() -> None:
    """Cards must agree in a field; the minority is named, an absent value is a value of its own."""
    spec = limited({"same": "type:unit", "of": "school", "label": "Units"})
    fire, ice, none = card("A", school="fire"), card("B", school="ice"), card("C")
    assert judge(spec, deck(entry(2, fire), entry(1, BOLT))) == []
    found = only(judge(spec, deck(entry(1, ice), entry(2, fire), entry(1, none))))
    assert found.data == {"count": 3, "limit": 1, "values": {"fire": 2, "ice": 1, "none": 1}}
    assert [place.line for place in found.where] == [1, 3]


def test_same_within_groups() -> None:
    """With `by` only the cards of a group must agree."""
    spec = limited({"same": "", "of": "school", "by": "era"})
    schools = {"A": ("old", "fire"), "B": ("new", "ice"), "C": ("new", "fire")}
    pile = [card(name, era=era, school=school) for name, (era, school) in schools.items()]
    assert judge(spec, deck(*(entry(1, c) for c in pile[:2]))) == []
    assert only(judge(spec, deck(*(entry(1, c) for c in pile)))).data["values"] == {"ice": 1, "fire": 1}


def test_same_as_chosen() -> None:
    """Where values were chosen, in the context or a header, the cards must be among them."""
    spec = limited({"same": "", "of": "school", "chosen": "schools"})
    pile = [entry(1, card("A", school="fire")), entry(1, card("B", school="ice"))]
    assert judge(spec, deck(*pile), chosen={"schools": ("fire", "ice")}) == []
    assert judge(spec, deck(*pile, schools="fire; ice")) == []
    found = only(judge(spec, deck(*pile, schools="fire, ice"), chosen={"schools": ("fire",)}))
    assert found.data == {"count": 1, "limit": 0, "chosen": ["fire"]} and [p.line for p in found.where] == [2]


def test_what_is_passed_over() -> None:
    """Unknown cards and sections that do not count are no business of limits; misplaced cards of any type are."""
    sections = {**OPEN, "aids": {"counted": False}}
    spec = limited({"total": "", "max": 0}, sections=sections)
    assert judge(spec, deck(entry(1, "Nobody"), entry(1, BOLT, "aids"))) == []
    for found in (BOLT, card("Chart", "aid"), card("Thing", "gadget")):
        assert codes(judge(spec, deck(entry(1, found)))) == ["x"]


def test_a_pile_is_counted_with_all_that_lies_in_it() -> None:
    """A demand on the whole pile counts unknown cards too (E-136: ten cards in all)."""
    spec = limited({"requires": "", "given": "name=Bolt", "min": 3})
    assert codes(judge(spec, deck(entry(1, BOLT), entry(1, "Nobody")))) == ["x"]
    assert judge(spec, deck(entry(1, BOLT), entry(2, "Nobody"))) == []


def test_over() -> None:
    """A limit can look at some sections only."""
    spec = limited({"total": "", "max": 1, "over": ["side"]})
    assert judge(spec, deck(entry(9, BOLT), entry(1, BOLT, "side"))) == []


def test_when_and_format() -> None:
    """A limit can depend on an option and on the format."""
    parts: dict[str, Any] = {"options": {"strict": {"default": True}}, "formats": {"f": {}, "g": {}}}
    pile = deck(entry(2, BOLT))
    spec = limited({"total": "", "max": 1, "when": "strict", "formats": ["f"]}, **parts)
    assert codes(judge(spec, pile, format="f")) == ["x"]
    assert judge(spec, pile, format="g") == [] and judge(spec, pile) == []
    assert judge(spec, pile, format="f", options={"strict": False}) == []


@every(
    "limit, words",
    [
        ({}, "exactly one kind"),
        ({"total": "", "copies": ""}, "exactly one kind"),
        ({"total": "colour:red"}, "there is no field colour"),
        ({"total": "", "over": ["sid"]}, "there is no section sid"),
        ({"total": "", "formats": ["f"]}, "there is no format f"),
    ],
)
def test_faulty_limits_are_refused_with_the_game(limit: dict[str, Any], words: str) -> None:
    """A limit that names nothing known never reaches a check."""
    with pytest.raises(ValidationError, match=words):
        limited(limit)


def apply(judged: Deck, found: Finding) -> Deck:
    """The deck after a finding's first remedy, where that is a removal: the last lines lose the cards."""
    entries = list(judged.entries)
    for cut in found.fixes[0]["remove"]:
        left = cut["count"]
        for at in range(len(entries) - 1, -1, -1):
            if entries[at].ref == cut["ref"] and left:
                taken = min(left, entries[at].count)
                left -= taken
                entries[at] = Entry(entries[at].section, entries[at].count - taken, entries[at].name, entries[at].card)
    return deck(*(e for e in entries if e.count))


_CARDS = [LANCER, BOLT, SPARK, card("Pike", cost=1, school="ice"), card("Bow", cost=4, school="fire")]
_DECKS = st.lists(
    st.tuples(st.integers(1, 4), st.sampled_from(_CARDS), st.sampled_from(["main", "side"])), min_size=1, max_size=8
)
_LIMITS: list[dict[str, Any]] = [
    {"copies": "", "max": 2},
    {"total": "type:spell", "max": 3},
    {"budget": "", "of": "cost", "max": 12},
    {"same": "", "of": "school"},
]


@settings(max_examples=25)
@given(_DECKS, st.sampled_from(_LIMITS))
def test_the_fix_mends(lines: list[tuple[int, Card, str]], limit: dict[str, Any]) -> None:
    """After the smallest fix of every finding the limit is kept, and no smaller removal of a copy would do."""
    spec = limited(limit)
    pile = deck(*(entry(*line) for line in lines))
    for found in judge(spec, pile):
        if limit.get("max") and "budget" not in limit:
            assert sum(cut["count"] for cut in found.fixes[0]["remove"]) == found.data["count"] - found.data["limit"]
        pile = apply(pile, found)
    assert judge(spec, pile) == []
