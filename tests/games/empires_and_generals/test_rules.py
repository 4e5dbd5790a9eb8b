"""Empires and Generals: deck construction, cards, advice, and what the referee answers about them."""

from __future__ import annotations

from typing import Any

import pytest

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck import Context, check
from carddb.deck.context import ANY_DAY
from carddb.findings import Severity
from carddb.games.empires_and_generals.rules import CHECKS
from tests.games.empires_and_generals.samples import BALANCED, SPEC, answer, ask, filler, inline, violations
from tests.rows import every

# Deck construction


@every("count, found", [(24, True), (25, False), (75, False), (76, True)])
def test_playing_deck_size(count: int, found: bool) -> None:
    """E-14, E-15: a playing deck has 25 to 75 cards."""
    result = ask("validate_deck", playing=filler(count), resource=[])
    assert result["violations"] == (["playing_deck_size"] if found else []) and result["playing_count"] == count


def test_resource_deck_of_any_size() -> None:
    """E-16, E-17: the resource deck has any number of cards, none included."""
    assert violations([]) == []
    many = [[inline(f"R-{at}", "resource"), 5] for at in range(40)]
    assert answer([], many)["resource_count"] == 200 and violations([], many) == []


@pytest.mark.parametrize(
    ("rarity", "most", "code"),
    [("common", 5, "common_copies"), ("uncommon", 3, "uncommon_copies"), ("rare", 1, "rare_copies")],
)
def test_copies(rarity: str, most: int, code: str) -> None:
    """E-21, E-22, E-23, E-25: at most 5, 3 and 1 of the same card, added up over both decks and all lines."""
    card = inline("A", rarity=rarity)
    assert violations([[card, most]]) == []
    assert violations([[card, most + 1]]) == [code]
    assert violations([[card, most], [card, 1]]) == [code]
    market = inline("M", "capitol", rarity)
    assert code in violations([[market, most]], [[market, 1]])


def test_ultra_rare_total() -> None:
    """E-24: one ultra rare card in total, whichever deck holds it; the option allows one in each."""
    one, other = inline("A", rarity="ultra_rare"), inline("B", "resource", "ultra_rare")
    assert violations([[one, 1]]) == [] and violations([], [[other, 1]]) == []
    assert violations([[one, 2]]) == ["ultra_rare_total"]
    assert violations([[one, 1]], [[other, 1]]) == ["ultra_rare_total"]
    assert violations([[one, 1]], [[other, 1]], options={"ultra_rare_per_deck": True}) == []
    assert violations([[one, 2]], options={"ultra_rare_per_deck": True}) == ["ultra_rare_total"]


def test_sameness() -> None:
    """E-27: the same card is the same reference number, letter case included; the option counts by name."""
    one, other = inline("a-1", name="Lancer"), inline("A-1", name="LANCER")
    assert violations([[one, 5], [other, 5]]) == []
    assert violations([[one, 5], [other, 1]], options={"same_by_name": True}) == ["common_copies"]


def test_reference_conflict() -> None:
    """E-27: one reference number with two rarities is an error, and each rarity is counted separately."""
    common, rare = inline("A"), inline("A", rarity="rare")
    assert violations([[common, 5], [rare, 1]]) == ["reference_conflict"]
    assert violations([[common, 6], [rare, 2]]) == ["common_copies", "rare_copies", "reference_conflict"]


def test_where_cards_belong() -> None:
    """E-28: resources and capitols lie in the resource deck, the five playing types in the playing deck."""
    for kind in ("resource", "capitol"):
        assert violations([[inline("A", kind), 1]]) == ["resource_in_playing"]
        assert violations([], [[inline("A", kind), 1]]) == []
    for kind in ("general", "soldier", "kingdom", "strategy", "tactics"):
        assert violations([], [[inline("A", kind), 1]]) == ["playing_in_resource"]
        assert violations([[inline("A", kind), 1]]) == []
    chart = inline("A", "reference", rarity=None)
    assert violations([[chart, 1]]) == violations([], [[chart, 1]]) == ["reference_in_deck"]
    assert violations([], reference=[[chart, 9]]) == []


def test_capitol_pile() -> None:
    """E-28: with the option capitols belong in the playing deck."""
    market, chosen = inline("A", "capitol"), {"capitol_pile": "playing"}
    assert violations([[market, 1]], options=chosen) == []
    assert violations([], [[market, 1]], options=chosen) == ["playing_in_resource"]
    assert violations([[inline("B", "resource"), 1]], options=chosen) == ["resource_in_playing"]


@every("count", [0, -1, 1.0, "2", True, None])
def test_bad_count(count: Any) -> None:
    """A count that is no whole number of at least 1 is reported, and the entry adds nothing."""
    found = answer([[inline("A"), count]])
    assert found["violations"] == ["bad_count"] and found["playing_count"] == 25


def test_misplaced_cards_count() -> None:
    """Every entry of a section counts toward its size, misplaced ones too."""
    wrong = ask("validate_deck", playing=[*filler(24), [inline("A", "resource"), 1]], resource=[])
    assert wrong["violations"] == ["resource_in_playing"] and wrong["playing_count"] == 25


# Acts of God

FLOOD = inline("G-1", "act_of_god", "ultra_rare", edition="Act of God", era=None, year=None)
QUAKE = inline("G-2", "kingdom", "ultra_rare", act_of_god=True, era=None, year=None)
PLAGUE = inline("G-3", "act_of_god", "ultra_rare", era=None, year=None)


def pile(resources: int, *acts: dict[str, Any]) -> list[Any]:
    return [*([inline(f"R-{at}", "resource"), 1] for at in range(resources)), *([act, 1] for act in acts)]


def test_act_of_god_place() -> None:
    """E-134, E-139: by type or by flag, Acts of God go in the resource deck, and misplaced give one code alone."""
    for act in (FLOOD, QUAKE, inline("G-4", "resource", "ultra_rare", act_of_god=True)):
        assert violations([[act, 1]]) == ["act_of_god_in_playing"]
        assert violations([], pile(9, act)) == []


@pytest.mark.parametrize(("resources", "allowed"), [(15, True), (14, False), (12, False)])
def test_act_of_god_ratio(resources: int, allowed: bool) -> None:
    """E-135: three Acts of God need fifteen resource cards beside them."""
    assert violations([], pile(resources, FLOOD, QUAKE, PLAGUE)) == ([] if allowed else ["act_of_god_ratio"])


def test_act_of_god_ratio_counts_capitols() -> None:
    """E-135: capitols count as resource cards, flagged cards do not."""
    market = [[inline("M", "capitol"), 1]]
    assert violations([], pile(9, FLOOD, QUAKE) + market) == []
    flagged = [[inline("M", "resource", "ultra_rare", act_of_god=True), 1]]
    assert violations([], pile(9, FLOOD) + flagged) == ["act_of_god_ratio"]


@pytest.mark.parametrize(("resources", "allowed"), [(9, True), (8, False)])
def test_act_of_god_pile_minimum(resources: int, allowed: bool) -> None:
    """E-136: a pile with an Act of God holds at least ten cards in all."""
    assert violations([], pile(resources, FLOOD)) == ([] if allowed else ["act_of_god_pile_minimum"])
    assert violations([], pile(resources)) == []


def test_act_of_god_copies() -> None:
    """E-137: Acts of God are not in the ultra rare total; each reference number is there once."""
    mine = inline("U", "resource", "ultra_rare")
    assert violations([], [*pile(15, FLOOD, QUAKE, PLAGUE), [mine, 1]]) == []
    assert violations([], [*pile(15, FLOOD), [FLOOD, 1]]) == ["act_of_god_copies"]


# Cards


@every(
    "card, wanted",
    [
        (inline("A", "soldier"), []),
        (inline("A", "act_of_god", "ultra_rare"), []),
        (inline("A", "sorcerer", strength=None, rarity=None, name=None), ["unknown_card_type"]),
        (inline("A", None, name=None), ["unknown_card_type"]),
        (inline(" "), ["reference_number_missing"]),
        (inline("A", name=""), ["name_missing"]),
        (inline("A", rarity=None), ["unknown_rarity"]),
        (inline("A", rarity="mythic"), ["unknown_rarity"]),
        (inline("A", "reference", rarity=None), []),
        (inline("A", "general", strength=None), ["unit_stats_missing"]),
        (inline("A", "soldier", strength=-1, life=0), ["unit_stats_range"]),
        (inline("A", "soldier", strength=0, life=1), []),
        (inline("A", "resource", amount=None), ["resource_amount_invalid"]),
        (inline("A", "resource", amount=0), ["resource_amount_invalid"]),
        (inline("A", franchise="cartoon"), ["unknown_franchise"]),
    ],
)
def test_validate_card(card: dict[str, Any], wanted: list[str]) -> None:
    """E-102, E-139 and the data model: each fault of a card has its code; unknown types have no other."""
    found = ask("validate_card", card=card)
    assert found == {"ok": True, "valid": not wanted, "violations": wanted}
    if card.get("type") == "kingdom":
        assert set(wanted) <= set(violations([[card, 1]]))


@every(
    "operation, question, path",
    [
        ("validate_card", {}, "card"),
        ("validate_card", {"card": []}, "card"),
        ("validate_card", {"card": inline("A", year="1066")}, "card.year"),
        ("validate_card", {"card": inline("A", act_of_god=1)}, "card.act_of_god"),
        ("validate_card", {"card": inline("A", play_cost=-1)}, "card.play_cost"),
        ("validate_card", {"card": inline("A", name=7)}, "card.name"),
        ("validate_card", {"card": inline("A"), "options": {"same_by_name": 1}}, "options.same_by_name"),
        ("validate_deck", {"resource": []}, "playing"),
        ("validate_deck", {"playing": [], "resource": {}}, "resource"),
        ("validate_deck", {"playing": [[inline("A")]], "resource": []}, "playing.0"),
        ("validate_deck", {"playing": [], "resource": [[5, 1]]}, "resource.0.0"),
        ("validate_deck", {"playing": [], "resource": [], "chosen_editions": [1]}, "chosen_editions.0"),
        ("validate_deck", {"playing": [], "resource": [], "predestination": True}, "predestination"),
        ("validate_deck", {"playing": [], "resource": [], "predestination": {"eras": "x"}}, "predestination.eras"),
        ("format_check", {"card": inline("A")}, "predestination"),
        ("balanced_advice", {"counts": {"general": -1}}, "counts.general"),
        ("balanced_advice", {"counts": [5]}, "counts"),
    ],
)
def test_bad_input(operation: str, question: dict[str, Any], path: str) -> None:
    """Missing keys, wrong types and numbers out of range, with the least, are refused with the path of the field."""
    least = {"least": 0} if path in ("card.play_cost", "counts.general") else {}
    assert ask(operation, **question) == {"ok": False, "reason": "bad_input", "path": path, **least}


def test_deep_nesting_is_refused() -> None:
    """Nesting deeper than 50 is bad input, wherever it lies."""
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    assert ask("validate_card", card=inline("A"), extra=deep)["path"] == "extra"


# Advice


def test_balanced_advice() -> None:
    """E-18, E-19, E-20: the difference from the advised number of each type; a type not given is 0."""
    assert ask("balanced_advice", counts=BALANCED) == {
        "ok": True,
        "difference": dict.fromkeys(BALANCED, 0),
        "balanced": True,
    }
    assert ask("balanced_advice", counts={"general": 7, "sorcerer": 3})["path"] == "counts.sorcerer"
    found = ask("balanced_advice", counts={"general": 7})
    assert found["difference"] == {**{kind: -number for kind, number in BALANCED.items()}, "general": 2}


def real_deck(*lines: tuple[str, int, Card], **headers: str) -> Deck:
    return Deck(SPEC.key, tuple(Entry(section, count, card.name, card) for section, count, card in lines), headers)


def test_advice_is_one_remark() -> None:
    """E-20: advice is one finding of severity info, and a balanced deck has none."""
    lines = [
        ("reference" if kind == "reference" else "resource" if kind == "resource" else "playing", 1, kind, at)
        for kind, number in BALANCED.items()
        for at in range(number)
    ]
    cards = [(where, n, SPEC.card(f"{kind}-{at}", inline(f"{kind}-{at}", kind))) for where, n, kind, at in lines]
    context = Context(ANY_DAY, options=SPEC.readings_with({}))
    assert check(real_deck(*cards), SPEC, Pool(()), context, CHECKS) == []
    (remark,) = check(real_deck(*cards[1:]), SPEC, Pool(()), context, CHECKS)
    assert (remark.code, remark.severity, remark.rules) == ("balanced_deck", Severity.INFO, ("E-18", "E-19", "E-20"))
    assert remark.data["difference"]["general"] == -1 and "General 4 instead of 5" in remark.message


@every("field", ["strength", "type", "franchise", "rarity", "year", "name"])
def test_a_value_of_a_wrong_type_is_bad_input(field: str) -> None:
    """A number for a text, or a list for a number, is refused with the path of the field."""
    found = ask("validate_card", card={**inline("A", "soldier"), field: [1]})
    assert found == {"ok": False, "reason": "bad_input", "path": f"card.{field}"}


def test_a_flag_counts_on_every_type() -> None:
    """E-134, E-139: a reference card with the flag is an Act of God like any other."""
    found = violations([], [[inline("T", "reference", act_of_god=True), 3]])
    assert {"act_of_god_copies", "act_of_god_ratio", "act_of_god_pile_minimum"} <= set(found)


def test_a_pile_is_ten_cards_in_all_misplaced_ones_too() -> None:
    """E-136: eight resources, a misplaced reference card and an Act of God are ten cards."""
    pile = [[inline(f"R-{n}", "resource"), 1] for n in range(8)]
    act = [inline("A", "act_of_god", rarity="ultra_rare"), 1]
    assert violations([], [*pile, [inline("X", "reference"), 1], act]) == ["reference_in_deck"]


def test_entries_without_a_count_are_looked_at_all_the_same() -> None:
    """A bad count adds nothing to a total, and the card is filtered like any other."""
    found = violations([[inline("A", "kingdom", act_of_god=True), 0]], predestination="standard")
    assert set(found) == {"bad_count", "format_act_of_god", "act_of_god_in_playing"}


def test_a_rarity_that_is_absent_conflicts_with_none() -> None:
    """E-27: only two rarities of one reference are a conflict."""
    found = violations([[inline("A"), 1], [inline("A", rarity=None), 1]])
    assert found == ["unknown_rarity"]


def test_an_unknown_franchise_is_not_the_historical_one() -> None:
    """E-45: entries 1 to 11 admit the historical franchise only."""
    found = ask("format_check", card=inline("A", franchise="weird"), predestination="standard", chosen_editions=[])
    assert found["allowed"] is False and "format_franchise" in found["violations"]
