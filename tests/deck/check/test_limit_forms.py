"""What limits can say beside their kind: tables, groups, weights, different cards, own numbers, sections of others."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from carddb.cards.cards import Printing
from carddb.findings import Finding
from tests.deck.check.test_limits import BOLT, LANCER, SPARK, apply, limited
from tests.deck.samples import card, codes, deck, entry, judge
from tests.rows import every

FIRE, ICE, OLD = card("A", school="fire"), card("B", school="ice"), card("C", school="old")


def only(findings: list[Finding]) -> Finding:
    (found,) = findings
    return found


def test_a_table_by_the_size_of_the_deck() -> None:
    """The bound is that of the last step which the deck reaches; below the first step there is none."""
    spec = limited({"total": "type:spell", "min": {"4": 1, "8": 3}, "label": "Spells"})
    assert judge(spec, deck(entry(3, LANCER))) == []
    assert judge(spec, deck(entry(6, LANCER), entry(1, BOLT))) == []
    found = only(judge(spec, deck(entry(7, LANCER), entry(1, BOLT))))
    assert found.message == "Spells: 1, at least 3 are needed (of 8 cards)" and found.data["limit"] == 3


@every("size, most", [(4, 2), (7, 2), (8, 4), (12, 4), (13, 6), (18, 8), (58, 24)])
def test_a_table_goes_on_beyond_its_last_row(size: int, most: int) -> None:
    """`every: 5, add: 2` adds for so many cards more beyond the last row, without an end."""
    spec = limited({"total": "type:spell", "max": {"4": 2, "8": 4, "every": 5, "add": 2}})
    assert codes(judge(spec, deck(entry(size - most, LANCER), entry(most, BOLT)))) == []
    assert codes(judge(spec, deck(entry(size - most - 1, LANCER), entry(most + 1, BOLT)))) == ["x"]


@pytest.mark.parametrize("table", [{"every": 5, "add": 2}, {"4": 1, "every": 5}, {"4": 1, "every": 0, "add": 1}])
def test_a_table_that_goes_on_has_both_steps(table: dict[str, int]) -> None:
    """A table that goes on needs a row, and says for how many cards it adds how much."""
    with pytest.raises(ValidationError, match="is a table"):
        limited({"total": "", "max": table})


def test_a_cost_depends_on_the_deck() -> None:
    """A weight with `when` counts while enough, and not too many, cards of the deck match; else the field counts."""
    dear, cheap = card("Temple", cost=3), card("Guard", cost=0)
    free = {"cost": 0, "when": "name:guard", "min": 2, "max": 3}
    spec = limited({"budget": "", "of": "cost", "weights": {"name=Temple": free}, "max": 2})
    for guards, broken in ((1, True), (2, False), (3, False), (4, True)):
        assert bool(judge(spec, deck(entry(1, dear), entry(guards, cheap)))) is broken
    by_weights = {"name=Temple": {"cost": 0, "when": "name:guard"}, "type:unit": 2}
    spec = limited({"budget": "", "of": "cost", "weights": by_weights, "max": 3})
    assert judge(spec, deck(entry(1, dear), entry(1, cheap))) == []
    assert codes(judge(spec, deck(entry(2, dear)))) == ["x"]


def test_a_card_is_of_the_sets_of_its_printings() -> None:
    """Where cards must agree in their set, or have one of some sets, those of printings count."""
    old = card("Old", set="first")._replace(printings=(Printing("p", "old", "second"),))
    new, other = card("New", set="second"), card("Other", set="third")
    agree = limited({"same": "", "of": "set"})
    assert judge(agree, deck(entry(1, old), entry(1, new))) == []
    assert codes(judge(agree, deck(entry(1, old), entry(1, other)))) == ["x"]
    within = limited({"same": "", "of": "set", "subset_of": ["second"]})
    assert judge(within, deck(entry(1, old), entry(1, new))) == []
    assert codes(judge(within, deck(entry(1, old), entry(1, other)))) == ["x"]


def test_a_group_of_cards_changes_a_bound() -> None:
    """Where any card of a group is in the deck, another bound counts; `none` lifts it."""
    group = {"given": "ref:spark,nobody", "max": 4, "label": "sparks"}
    lifted = {"given": "ref:lancer", "max": "none"}
    spec = limited({"copies": "name=Bolt", "max": 2, "instead": [group, lifted]})
    assert codes(judge(spec, deck(entry(3, BOLT)))) == ["x"]
    assert judge(spec, deck(entry(4, BOLT), entry(1, SPARK))) == []
    found = only(judge(spec, deck(entry(5, BOLT), entry(1, SPARK), entry(1, LANCER))))
    assert found.data["limit"] == 4 and found.message.endswith("(where there are sparks)")
    assert judge(spec, deck(entry(9, BOLT), entry(1, LANCER))) == []


@pytest.mark.parametrize(("bolts", "broken"), [(2, False), (3, True)])
def test_given_holds_for_every_kind(bolts: int, broken: bool) -> None:
    """A limit with `given` holds only where such a card is there."""
    limit = {"total": "type:spell", "max": 2, "given": "name=Lancer", "given_over": ["side"]}
    pile = [entry(bolts, BOLT), entry(1, LANCER, "side")]
    assert bool(judge(limited(limit), deck(*pile))) is broken
    assert judge(limited(limit), deck(entry(bolts, BOLT), entry(1, LANCER))) == []


def test_weights() -> None:
    """A budget may have a weight for each query, the first that matches; other cards cost nothing."""
    spec = limited({"budget": "", "weights": {"name=Spark": 5, "type:spell": 2}, "max": 8, "label": "Magic"})
    assert judge(spec, deck(entry(1, SPARK), entry(1, BOLT), entry(9, LANCER))) == []
    found = only(judge(spec, deck(entry(1, SPARK), entry(2, BOLT))))
    assert found.message == "Magic: 9 points in all, at most 8 may be spent"
    assert found.fixes == ({"remove": [{"ref": "spark", "count": 1}]},)


@every("factors, count, spent", [((1.0, 0.0), 4, 2), ((1.0, 2.0), 3, 10), ((0.0, 1.0), 1, 0), ((0.0, 1.0), 3, 4)])
def test_factors_of_copies(factors: tuple[float, ...], count: int, spent: int) -> None:
    """The first copy, the second and all further may cost differently, over the lines of a card together."""
    spec = limited({"budget": "type:spell", "of": "cost", "copy_factors": factors, "max": spent})
    pile = deck(entry(1, BOLT), entry(count - 1, BOLT, "side"))
    assert judge(spec, pile) == []
    less = limited({"budget": "type:spell", "of": "cost", "copy_factors": factors, "max": spent - 1})
    if spent:
        found = only(judge(less, pile))
        assert found.data["count"] == spent
        assert judge(less, apply(pile, found)) == []


def test_different_cards() -> None:
    """At most so many different cards; those with the fewest copies go."""
    spec = limited({"different": "", "max": 2, "label": "The deck"})
    assert judge(spec, deck(entry(9, FIRE), entry(9, ICE))) == []
    found = only(judge(spec, deck(entry(2, FIRE), entry(1, ICE), entry(3, OLD))))
    assert found.message == "The deck: 3 different cards, at most 2 are allowed: A, B and C"
    assert found.fixes == ({"remove": [{"ref": "b", "count": 1}]},)


def test_different_values() -> None:
    """At most or at least so many values of a field; a card without one is passed over."""
    spec = limited({"different": "", "by": "school", "min": 2, "max": 2})
    assert judge(spec, deck(entry(1, FIRE), entry(1, ICE), entry(1, LANCER))) == []
    assert only(judge(spec, deck(entry(1, FIRE), entry(1, ICE), entry(2, OLD)))).data == {"count": 3, "limit": 2}
    found = only(judge(spec, deck(entry(1, FIRE))))
    assert found.message.endswith("1 different value of school, at least 2 are needed: fire (1 card)")


@every("own, most", [(5, 5), (1, 1), (True, None), (None, 2), (False, 2)])
def test_a_card_has_its_own_number(own: int | bool | None, most: int | None) -> None:
    """A field of the card raises, lowers or lifts the common number of copies."""
    values: dict[str, Any] = {} if own is None else {"cost": own} if type(own) is int else {"rare": own}
    field = "rare" if isinstance(own, bool) else "cost"
    spec = limited({"copies": "", "max": 2, "max_field": field})
    many = card("Many", **values)
    assert judge(spec, deck(entry(most or 99, many))) == []
    if most:
        assert only(judge(spec, deck(entry(most + 1, many)))).data == {"count": most + 1, "limit": most}


@every(
    "limit, message",
    [
        ({"ratio": "type:spell", "per": "type:unit", "min": 2}, "at least 2 are needed"),
        ({"ratio": "type:spell", "per": "type:unit", "max": 0}, "at most 0 in all"),
        ({"same": "type:spell", "of": "school", "min": 2}, "at least 2 are needed"),
        ({"budget": "type:spell", "of": "cost", "min": 4}, "2 cost in all, at least 4 are needed"),
        ({"requires": "type:spell", "given": "type:unit", "max": 0}, "1, at most 0 where there are cards matching"),
    ],
)
def test_least_and_most_hold_everywhere(limit: dict[str, Any], message: str) -> None:
    """Kinds that once passed over `min` or `max` obey it."""
    assert message in only(judge(limited(limit), deck(entry(3, LANCER), entry(1, BOLT)))).message


@every(
    "limit, words",
    [
        ({"total": "", "by": "cost"}, "total does not use by. Remove it; it is for copies, same, different."),
        ({"copies": "", "of": "cost"}, "copies does not use of"),
        ({"total": "", "each": 2}, "total does not use each. Remove it; it is for ratio."),
        ({"budget": "", "of": "cost", "per": "x"}, "budget does not use per"),
        ({"same": "", "of": "cost", "each": 2}, "same does not use each"),
        ({"total": "", "instead": [{"given": "type:unit", "max": "few"}]}, "neither a number"),
        ({"total": "", "instead": [{"given": "colour:red"}]}, "no field colour"),
        ({"total": "", "given_over": ["sid"]}, "no section sid"),
        ({"budget": "", "weights": {"colour:red": 2}}, "no field colour"),
        ({"copies": "", "max_field": "cots"}, "no field cots"),
    ],
)
def test_keys_that_mean_nothing_are_refused(limit: dict[str, Any], words: str) -> None:
    """A key that the kind of a limit does not use, or that names nothing, is an error when the game is read."""
    with pytest.raises(ValidationError, match=words):
        limited(limit)


PICKED: dict[str, Any] = {"main": {"label": "Roster"}, "side": {"label": "Band", "part_of": ["main"], "size": [0, 3]}}


def test_a_section_made_of_another() -> None:
    """The cards of a section that is picked from another lie in that one too, in as many copies."""
    spec = limited({"copies": "", "max": 2}, sections=PICKED)
    assert judge(spec, deck(entry(2, LANCER), entry(2, LANCER, "side"))) == []
    found = only(judge(spec, deck(entry(1, LANCER), entry(2, LANCER, "side"), entry(1, BOLT, "side"))))
    assert found.code == "not_in_other_section"
    assert found.message == "Band: 2 cards that Roster lacks: 1 Lancer and 1 Bolt"
    assert found.fixes == ({"remove": [{"ref": "lancer", "count": 1}, {"ref": "bolt", "count": 1}]},)


def test_a_section_made_of_another_obeys_what_names_it() -> None:
    """Its copies are not counted twice, and a limit that names it looks at it."""
    spec = limited({"total": "type:spell", "max": 1, "over": ["side"]}, sections=PICKED)
    assert codes(judge(spec, deck(entry(2, BOLT), entry(2, BOLT, "side")))) == ["x"]
    with pytest.raises(ValidationError, match="no section side"):
        limited({"total": ""}, sections={"side": {"part_of": ["side"]}})
