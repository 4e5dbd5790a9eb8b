"""Decks and the ban lists of a game that has no check of its own for them."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from carddb.bans.log import GroupSpec, LevelSpec, ListSpec, Log
from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck.check.bans import check
from carddb.deck.check.forecast import DatedCheck, warned
from carddb.deck.context import Context
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec
from carddb.game.parts import TypeSpec
from carddb.game.rule_parts import FormatSpec, LimitSpec, SectionSpec
from tests.bans.samples import card, day, group, log, told, withdrawn
from tests.rows import every

SPEC = GameSpec(
    key="g",
    prefix="g",
    name="G",
    identity=("name",),
    types={"unit": TypeSpec()},
    sections={"main": SectionSpec(size=(0, None), types=("unit",))},
    limits=(LimitSpec(copies="", max=3, code="too_many"),),
    formats={"open": FormatSpec(name="Open"), "old": FormatSpec(name="Old")},
    default_format="open",
)
LISTS = {"open": ListSpec("open", "Open", "Europe/Berlin", "open")}
NAMES = {"A": "Ox", "B": "Cow", "C": "Pig", "D": "OX"}
CARDS = {ref: Card("g", ref, {"name": name, "type": "unit"}) for ref, name in NAMES.items()}
POOL = Pool(CARDS.values())


def deck(**counts: int) -> Deck:
    return Deck("g", tuple(Entry("main", count, CARDS[ref].name, CARDS[ref]) for ref, count in counts.items()))


def lists(*announcements: Any, **more: Any) -> Log:
    return log(*announcements, **{"lists": LISTS, **more})


def found(known: Log | None, on: int = 12, format_: str | None = None, **counts: int) -> list[Finding]:
    return check(deck(**counts), SPEC, POOL, Context(day(on), format_, bans=known))


def codes(known: Log | None, on: int = 12, format_: str | None = None, **counts: int) -> list[str]:
    return [finding.code for finding in found(known, on, format_, **counts)]


A2 = told("a", 1, 10, card("A", 0, 2, "open"))


@every("level, copies, wanted", [(1, 2, []), (1, 3, ["ban_copies"]), (2, 2, ["ban_copies"]), (3, 1, ["ban_banned"])])
def test_levels(level: int, copies: int, wanted: list[str]) -> None:
    """A level allows so many copies and no more."""
    assert codes(lists(told("a", 1, 10, card("A", 0, level, "open"))), A=copies) == wanted


def test_a_finding_says_everything() -> None:
    """Count, limit, level, list, status, announcement and day are told, with the smallest remedy."""
    (finding,) = found(lists(A2), A=3, B=1)
    assert finding.data == {
        "count": 3,
        "limit": 1,
        "level": 2,
        "list": "open",
        "status": "proposal",
        "announcement": "a",
        "since": "2026-06-10",
    }
    assert finding.message == "Ox: 3 copies, at most 1 allowed by level 2 (proposal) of the Open list since 2026-06-10"
    assert finding.fixes == ({"remove": [{"ref": "A", "count": 2}]},)


def test_a_reprint_is_the_same_card() -> None:
    """A card that is the same by the game's identity is restricted too, and copies are summed."""
    assert codes(lists(A2), D=2) == ["ban_copies"]
    assert codes(lists(A2), A=1, D=1) == ["ban_copies"]
    herd = {"herd": GroupSpec("herd", ("A", "B"))}
    together = lists(told("g", 1, 10, group("herd", 0, 1, "open")), groups=herd)
    assert codes(together, D=1, B=1) == ["ban_group"]
    assert codes(together, D=1, A=1) == []


def test_the_list_of_the_format() -> None:
    """Formats without a list, days before it, and games without lists are free."""
    assert codes(lists(A2), A=3, format_="old") == []
    assert codes(lists(A2), on=9, A=3) == []
    assert codes(None, A=3) == codes(Log(), A=3) == []


def test_two_lists_of_one_format() -> None:
    """A deck obeys every list of its format, and what each of them brings is told on its day."""
    both = {**LISTS, "more": ListSpec("more", "More", "Asia/Tokyo", "open")}
    known = lists(A2, told("b", 2, 12, card("B", 0, 3, "more")), lists=both)
    assert codes(known, A=2, B=1) == ["ban_copies", "ban_banned"]
    context = Context(day(1), bans=known)
    assert [on for on, _ in DatedCheck(deck(A=2, B=1), SPEC, POOL, context, check).ahead()] == [day(10), day(12)]


def test_a_level_that_nobody_explained() -> None:
    """A level without a meaning is not checkable, and never passes in silence."""
    levels = {2: LevelSpec(2, None, "unknown")}
    (finding,) = found(lists(A2, levels=levels), A=1)
    assert (finding.code, finding.severity) == ("ban_level_undefined", Severity.NOT_CHECKABLE)
    assert codes(lists(A2, levels={}), A=1) == ["ban_level_undefined"]


@every(
    "limit, counts, wrong",
    [
        ({}, {"A": 3}, False),
        ({}, {"A": 1, "B": 1}, True),
        ({"at_most_different": 2}, {"A": 2, "B": 2}, False),
        ({"at_most_different": 2}, {"A": 1, "B": 1, "C": 1}, True),
        ({"at_most": 3}, {"A": 2, "B": 1}, False),
        ({"at_most": 3}, {"A": 2, "B": 2}, True),
        ({"anchor": "C"}, {"A": 1, "B": 1}, False),
        ({"anchor": "C"}, {"A": 1, "C": 1}, True),
    ],
)
def test_groups(limit: dict[str, Any], counts: dict[str, Any], wrong: bool) -> None:
    """A group counts different cards, or copies in all, or has an anchor that forbids the others."""
    groups = {"herd": GroupSpec("herd", ("A", "B", "C"), **limit)}
    known = lists(told("g", 1, 10, group("herd", 0, 1, "open")), groups=groups)
    assert codes(known, **counts) == (["ban_group"] if wrong else [])


@every(
    "limit, fix",
    [
        ({}, "Remove 2 Ox."),
        ({"at_most": 2}, "Remove 3 Cow."),
        ({"at_most": 1}, "Remove 3 Cow and 1 Ox."),
        ({"anchor": "B"}, "Remove 3 Cow, or remove 2 Ox."),
    ],
)
def test_a_group_says_what_to_take_out(limit: dict[str, Any], fix: str) -> None:
    """The fix of a group names the cards that have to go, the fewest copies first, as words and as data."""
    groups = {"herd": GroupSpec("herd", ("A", "B", "C"), **limit)}
    (finding,) = found(lists(told("g", 1, 10, group("herd", 0, 1, "open")), groups=groups), A=2, B=3)
    assert finding.fix == fix
    assert all(set(remedy) == {"remove"} for remedy in finding.fixes)


def test_what_is_ahead() -> None:
    """Each thing that will be forbidden is told once, on its first day, with its announcement."""
    known = lists(A2, told("b", 12, 20, card("A", 2, 3, "open")), told("c", 13, 22, card("B", 0, 3, "open")))
    context = Context(day(1), bans=known)
    told_ = list(DatedCheck(deck(A=2, B=1), SPEC, POOL, context, check).ahead())
    assert [(on, finding.code) for on, finding in told_] == [
        (day(10), "ban_copies"),
        (day(20), "ban_banned"),
        (day(22), "ban_banned"),
    ]
    assert [on for on, _ in DatedCheck(deck(A=2), SPEC, POOL, replace(context, on=day(10)), check).ahead()] == [day(20)]
    assert [on for on, _ in DatedCheck(deck(A=2), SPEC, POOL, context, check).ahead(day(19))] == [day(10)]
    told_again = warned(*told_[0])
    assert told_again.code == "ban_ahead" and told_again.severity is Severity.WARNING
    assert told_again.message.startswith("Not legal from 2026-06-10, by a: Ox: 2 copies")


def test_a_level_that_nobody_defined_is_ahead_too() -> None:
    """C-150: of a card that will be at such a level it is told that the deck cannot be checked from that day on."""
    known = lists(A2, levels={2: LevelSpec(2, None, "unknown")})
    ((on, finding),) = DatedCheck(deck(A=1), SPEC, POOL, Context(day(1), bans=known), check).ahead()
    assert on == day(10) and finding.severity is Severity.NOT_CHECKABLE
    assert warned(on, finding).message.startswith("Not checkable from 2026-06-10, by a: Ox is on level 2")


def test_a_level_that_gets_another_meaning_is_ahead() -> None:
    """C-150: levels are of their days too: a deck is told when what a level allows becomes less."""
    known = lists(A2)
    strict = known._replace(levels={2: LevelSpec(2, 0, "official")}, announcements=())
    dated = known._replace(dated=((date.min, known), (day(20), strict)))
    assert codes(dated, on=19, A=1) == [] and codes(dated, on=20, A=1) == ["ban_banned"]
    assert [on for on, _ in DatedCheck(deck(A=1), SPEC, POOL, Context(day(12), bans=dated), check).ahead()] == [day(20)]


def test_nothing_is_ahead_that_was_withdrawn() -> None:
    """What was taken back in time forbids nothing."""
    known = lists(A2, withdrawn("w", 5, 9, "a"))
    assert list(DatedCheck(deck(A=2), SPEC, POOL, Context(date(2026, 6, 1), bans=known), check).ahead()) == []
