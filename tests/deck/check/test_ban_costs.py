"""Points, surcharges, restricted cards, groups by a query and moving members: what ban lists of other games ask."""

from __future__ import annotations

from datetime import date
from typing import Any

from carddb.bans.log import Change, GroupSpec, LevelSpec, ListSpec, Log
from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck.check.bans import check
from carddb.deck.context import Context
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec, TypeSpec
from carddb.game.rule_parts import FormatSpec, LimitSpec, SectionSpec
from tests.bans.samples import card, day, group, log, told

SPEC = GameSpec(
    key="g",
    prefix="g",
    name="G",
    identity=("name",),
    fields={"color": FieldSpec(type="text"), "gold": FieldSpec(type="integer")},
    types={"unit": TypeSpec()},
    sections={"main": SectionSpec(size=(0, None), types=("unit",))},
    limits=(LimitSpec(budget="", of="gold", max=10, code="too_dear", label="Gold"),),
    formats={"open": FormatSpec(name="Open")},
    default_format="open",
)
VALUES = {"A": ("Ox", "red", 1), "B": ("Cow", "red", 2), "C": ("Pig", "blue", 3), "D": ("Ox", "red", 1)}
CARDS = {
    ref: Card("g", ref, {"ref": ref, "name": name, "type": "unit", "color": color, "gold": gold})
    for ref, (name, color, gold) in VALUES.items()
}
POOL = Pool(CARDS.values())
LEVELS = {
    1: LevelSpec(1, None, "official", points=3),
    2: LevelSpec(2, 1, "official", points=1),
    3: LevelSpec(3, None, "official", surcharge=2),
    4: LevelSpec(4, None, "official", at_most_different=1),
    5: LevelSpec(5, None, "official", exempt=True),
}
GROUPS = {"red": GroupSpec("red", (), max_copies=0, query="color:red"), "pair": GroupSpec("pair", ("A", "B"))}
LISTS = {"open": ListSpec("open", "Open", "UTC", "open", budget=7, surcharge_of="gold")}


def lists(*changes: Change, **more: Any) -> Log:
    return log(told("a", 1, 10, *changes), **{"lists": LISTS, "levels": LEVELS, "groups": GROUPS, **more})


def found(known: Log, on: int = 12, **counts: int) -> list[Finding]:
    entries = tuple(Entry("main", count, CARDS[ref].name, CARDS[ref]) for ref, count in counts.items())
    return check(Deck("g", entries), SPEC, POOL, Context(day(on), bans=known))


def test_points_have_a_budget() -> None:
    """The points of a deck's cards, copy by copy, stay within the budget of the list."""
    known = lists(card("A", 0, 1, "open"), card("B", 0, 2, "open"))
    assert found(known, A=2, B=1, C=3) == []
    (finding,) = found(known, A=3, B=1)
    assert finding.code == "ban_points" and (finding.data["count"], finding.data["limit"]) == (10, 7)
    assert finding.message == "Points of the Open list: 10, at most 7 may be spent: 3 Ox (9) and 1 Cow (1)"
    assert finding.fix == "Remove 1 Ox."


def test_points_and_copies_hold_together() -> None:
    """A level may bound the copies and cost points too."""
    assert [each.code for each in found(lists(card("B", 0, 2, "open")), B=2)] == ["ban_copies"]


def test_points_count_every_printing() -> None:
    """Another printing of a card that is listed costs the same."""
    (finding,) = found(lists(card("A", 0, 1, "open")), A=1, D=2)
    assert finding.code == "ban_points" and finding.data["count"] == 9


def test_a_surcharge_is_spent_from_the_games_own_budget() -> None:
    """Each copy costs more of a budget of the game; the budget alone still holds the deck to its own bound."""
    known = lists(card("A", 0, 3, "open"))
    assert found(known, A=2, C=1) == []
    (finding,) = found(known, A=2, C=2)
    assert finding.code == "ban_surcharge" and (finding.data["count"], finding.data["limit"]) == (12, 10)
    assert "8 gold and a surcharge of 4 by the Open list for Ox, at most 10" in finding.message
    assert finding.fix == "Remove 1 Ox."


def test_one_of_the_restricted_cards() -> None:
    """Of a restricted level a deck has at most so many different cards, as many copies as it likes."""
    known = lists(card("A", 0, 4, "open"), card("B", 0, 4, "open"))
    assert found(known, A=3) == []
    (finding,) = found(known, A=3, B=1)
    assert finding.code == "ban_restricted" and finding.fix == "Remove 1 Cow."


def test_a_group_by_a_query() -> None:
    """A group may name its cards by a query; a card that is exempt by name is free of it."""
    banned = group("red", 0, 1, "open")
    (finding,) = found(lists(banned), A=2, C=1)
    assert finding.code == "ban_group" and [each.name for each in finding.cards] == ["Ox"]
    assert finding.fix == "Remove 2 Ox."
    assert found(lists(banned, card("A", 0, 5, "open")), A=2, C=1) == []
    assert found(lists(banned, card("A", 0, 5, "open")), D=2) == []


def test_a_query_that_the_game_no_longer_understands() -> None:
    """Nothing is called legal where the query of a group cannot be read; nor is anything called illegal."""
    groups = {"red": GroupSpec("red", (), max_copies=0, query="colour:red")}
    (finding,) = found(lists(group("red", 0, 1, "open"), groups=groups), A=1)
    assert finding.code == "ban_group_undefined" and finding.severity is Severity.NOT_CHECKABLE


def test_members_join_and_leave() -> None:
    """A card counts in a group from the day on which it joins, and until the day on which it leaves."""
    known = log(
        told("a", 1, 5, group("pair", 0, 1, "open")),
        told("b", 1, 10, Change("open", "C", "pair", 0, 1)),
        told("c", 1, 15, Change("open", "A", "pair", 1, 0)),
        lists=LISTS, levels=LEVELS, groups=GROUPS,
    )  # fmt: skip
    assert [bool(found(known, on, A=1, C=1)) for on in (9, 10, 14, 15)] == [False, True, True, False]
    assert [bool(found(known, on, A=1, B=1)) for on in (9, 14, 15)] == [True, True, False]


def test_a_list_without_any_of_it_is_as_before() -> None:
    """On a day before everything the list says nothing."""
    known = lists(card("A", 0, 1, "open"), group("red", 0, 1, "open"))
    assert check(Deck("g", ()), SPEC, POOL, Context(date(2026, 6, 1), bans=known)) == [] and found(known, 9, A=9) == []
