"""Roles: one card of a deck, its leader, whose fields bound what the others may be."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from carddb.cards.cards import Card, Pool
from carddb.cards.query import parse
from carddb.deck import Context
from carddb.deck.help.building import Candidates, fill
from carddb.deck.help.repair import repair
from carddb.findings import Finding
from carddb.game.game import GameSpec
from tests.deck.samples import DAY, card, codes, deck, entry, game, judge
from tests.rows import every

SECTIONS: dict[str, Any] = {
    "leader": {"label": "Leader", "size": [1, 1], "code": "leader_size", "types": ["aid"]},
    "main": {"types": ["unit", "spell"]},
}
ANNA = card("Anna", "aid", school="fire", cost=5, colours=["red", "white"])
BARE = card("Bare", "aid")
FIRE, ICE = card("Torch", school="fire", cost=2), card("Floe", school="ice", cost=3)
FIELDS: dict[str, Any] = {"cost": {"type": "integer"}, "school": {}, "colours": {"type": "list"}, "era": {}}


def led(*limits: dict[str, Any], **parts: Any) -> GameSpec:
    """A game whose decks have a leader in a section of one card."""
    numbered = [{"code": f"x{number}", **limit} for number, limit in enumerate(limits, 1)]
    return game(**{"sections": SECTIONS, "fields": FIELDS, "ignored_types": [], "limits": numbered, **parts})


def under(leader: Card, *pile: tuple[int, Card]) -> Any:
    """A deck with a leader and these cards."""
    return deck(entry(1, leader, "leader"), *(entry(count, card_) for count, card_ in pile))


def only(findings: list[Finding]) -> Finding:
    (found,) = findings
    return found


IN_FACTION = {"same": "-type:aid", "of": "school", "subset_of": "@leader.school", "label": "The army"}
INFLUENCE = {"budget": "school!=@leader.school", "of": "cost", "max": "@leader.cost", "over": ["main"]}


def test_a_bound_is_a_field_of_the_leader() -> None:
    """The most is what the leader's field says, and the message says whose it is."""
    spec = led({"total": "", "max": "@leader.cost", "over": ["main"]})
    assert judge(spec, under(ANNA, (5, FIRE))) == []
    found = only(judge(spec, under(ANNA, (6, FIRE))))
    assert found.data["limit"] == 5 and found.message.endswith("6, at most 5 in all (cost of Anna)")


def test_a_bound_that_the_leader_lacks_is_none() -> None:
    """A leader without the field has no most, and 0 for the least."""
    spec = led({"total": "", "max": "@leader.cost", "over": ["main"]}, {"total": "", "min": "@leader.cost"})
    assert judge(spec, under(BARE, (9, FIRE))) == []


def test_a_query_compares_with_the_leader() -> None:
    """Only cards of another school than the leader's are paid for."""
    spec = led(INFLUENCE)
    assert judge(spec, under(ANNA, (9, FIRE), (1, ICE))) == []
    found = only(judge(spec, under(ANNA, (9, FIRE), (2, ICE))))
    assert found.data == {"count": 6, "limit": 5} and found.fixes == ({"remove": [{"ref": "floe", "count": 1}]},)


def test_an_order_with_what_the_leader_lacks_is_met_by_no_card() -> None:
    """`cost>=@leader.cost` matches nothing where the leader has no cost."""
    spec = led({"total": "cost>=@leader.cost", "max": 0, "over": ["main"]})
    assert judge(spec, under(BARE, (1, FIRE))) == []
    assert codes(judge(spec, under(card("Cheap", "aid", cost=1), (1, FIRE)))) == ["x1"]


def test_the_leader_fixes_the_colours() -> None:
    """With subset_of cards have no value beside the leader's; a card without any may be there."""
    spec = led({"same": "-type:aid", "of": "colours", "subset_of": "@leader.colours", "label": "Units"})
    both, blue = card("Both", colours=["red", "white"]), card("Blue", colours=["red", "blue"])
    assert judge(spec, under(ANNA, (1, both), (1, card("Grey")))) == []
    found = only(judge(spec, under(ANNA, (1, both), (2, blue))))
    assert found.message == "Units: 2 cards of colours blue, only red and white allowed: 2 Blue"
    assert found.fixes == ({"remove": [{"ref": "blue", "count": 2}]},)
    assert codes(judge(spec, under(BARE, (1, both)))) == ["x1"]


def test_subset_of_a_single_value() -> None:
    """A leader of one school allows that school alone."""
    assert judge(led(IN_FACTION), under(ANNA, (2, FIRE))) == []
    assert codes(judge(led(IN_FACTION), under(ANNA, (2, FIRE), (1, ICE)))) == ["x1"]


def test_subset_of_values_that_are_listed() -> None:
    """The values may stand in the limit itself."""
    spec = led({"same": "-type:aid", "of": "school", "subset_of": ["fire", "water"]})
    assert codes(judge(spec, under(ANNA, (1, FIRE), (1, ICE)))) == ["x1"]


def test_without_a_leader_its_limits_do_not_hold() -> None:
    """The section says that the leader is missing; what depends on it is not asked."""
    assert codes(judge(led(INFLUENCE), deck(entry(9, ICE)))) == ["leader_size"]


def test_a_role_is_played_by_one_card() -> None:
    """A role by a query is a finding where no card or several play it, wherever they lie."""
    roles = {"hero": {"match": "cost>=5", "label": "Hero", "code": "one_hero", "rules": []}}
    spec = game(sections={"main": {}}, roles=roles, limits=[{"code": "x", "total": "cost<5", "max": "@hero.cost"}])
    hero = card("Hero", cost=6)
    assert judge(spec, deck(entry(1, hero), entry(6, FIRE))) == []
    assert codes(judge(spec, deck(entry(1, hero), entry(7, FIRE)))) == ["x"]
    missing = only(judge(spec, deck(entry(7, FIRE))))
    assert missing.message == "Hero: 0 cards, exactly 1 is needed"
    assert missing.fixes == ({"add": [{"count": 1, "match": "cost>=5"}]},)
    several = only(judge(spec, deck(entry(2, hero), entry(9, FIRE))))
    assert several.fixes == ({"remove": [{"ref": "hero", "count": 1}]},)


def test_an_optional_role() -> None:
    """A deck may do without an optional role."""
    spec = game(sections={"main": {}}, roles={"hero": {"match": "cost>=5", "optional": True}})
    assert judge(spec, deck(entry(1, FIRE))) == []


@every(
    "limit, words",
    [
        ({"total": "", "max": "@lader.cost"}, "no role or section lader.*mean leader"),
        ({"total": "", "max": "@leader.cots"}, "no field cots.*mean cost"),
        ({"total": "cost<@leader.school", "max": 1}, "cost cannot be x"),
        ({"total": "", "max": "@main.cost"}, "the section main may have several cards"),
        ({"total": "", "max": "leader.cost"}, "neither a number nor a field of a role"),
        ({"total": "", "max": {"many": 3}}, "not numbers of cards"),
    ],
)
def test_faulty_references_are_refused_with_the_game(limit: dict[str, Any], words: str) -> None:
    """A role, a field or a comparison that cannot be is found when the game is read."""
    with pytest.raises(ValidationError, match=words):
        led(limit)


def test_a_leader_of_odd_words_is_no_query() -> None:
    """Values of cards are filled in as values: quotes, brackets and `or` in them change nothing."""
    for school in ('a"b', "x) or (cost:2", "none", "or", "back\\slash", "a,b", "{}"):
        leader, own, other = card("L", "aid", school=school), card("A", school=school), card("B", school="ice")
        spec = led({"total": "school!=@leader.school", "max": 0, "over": ["main"]})
        assert judge(spec, under(leader, (1, own))) == []
        assert codes(judge(spec, under(leader, (1, own), (1, other)))) == ["x1"]


CARDS = (ANNA, FIRE, ICE, card("Spark", school="fire", cost=1), card("Bonfire", school="fire", cost=4))


def test_the_leader_is_never_taken_out() -> None:
    """Neither a finding nor the smallest change proposes to do without the card that plays a role."""
    spec = led(
        {"same": "", "of": "school", "label": "All"},
        {"total": "type:aid", "max": 0},
        {"requires": "school:ice", "given": "type:aid", "min": 9, "given_over": ["leader"]},
        {"different": "", "by": "school", "max": 1},
    )
    findings = judge(spec, under(ANNA, (3, ICE)))
    assert set(codes(findings)) == {"x1", "x2", "x3", "x4"}
    cuts = [cut for found in findings for fix in found.fixes for cut in fix.get("remove", ())]
    assert all(cut["ref"] != "anna" for cut in cuts)
    broken = under(ANNA, (4, ICE), (1, FIRE))
    result = repair(Candidates(broken, led(INFLUENCE, IN_FACTION), Pool(CARDS), Context(DAY), []))
    assert not result.faults and [step.words for step in result.steps] == ["Remove 4 Floe from Main"]


def test_what_is_missing_of_a_sum_is_filled() -> None:
    """`fill` adds cards until a sum reaches the least that the leader asks for, of those that the leader allows."""
    asks = {"budget": "school:@leader.school -type:aid", "of": "cost", "min": "@leader.cost", "label": "Fire"}
    spec = led(asks, IN_FACTION)
    found = only(judge(spec, under(ANNA, (1, FIRE))))
    assert found.message == "Fire: 2 cost in all, at least 5 are needed (cost of Anna)"
    assert found.data["shortfall"] == 3 and found.fix == "Add 3 cost to the fire."
    assert found.fixes[0]["add"][0]["match"] == 'school:"fire" -type:aid'
    filled = fill(Candidates(under(ANNA, (1, FIRE)), spec, Pool(CARDS), Context(DAY), []))
    assert not filled.faults and {e.ref for e in filled.deck.entries} <= {"anna", "torch", "spark", "bonfire"}


def test_references_are_words_of_limits_alone() -> None:
    """A search for `@leader.cost` looks for just that text."""
    assert parse("name:@leader.cost", led().all_fields()).matches(card("at @Leader cost"))
