"""Formats with days: what they allow on a day, and what a forecast knows of it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from pydantic import ValidationError

from carddb.bans.log import ListSpec
from carddb.cards.cards import Deck, Pool, Printing
from carddb.deck import Context
from carddb.deck.check.bans import check as ban_check
from carddb.deck.check.check import check
from carddb.deck.check.forecast import DatedCheck, warned
from carddb.findings import Finding
from carddb.game.game import GameSpec
from carddb.game.parts import TypeSpec
from tests.bans.samples import card as banned
from tests.bans.samples import log, told
from tests.deck.samples import card, deck, entry, game
from tests.rows import every

FORMATS: dict[str, Any] = {
    "standard": {
        "name": "Standard",
        "from": "2026-01-01",
        "until": "2027-01-01",
        "rules": ["R-1"],
        "rotation": {
            "of": "era",
            "legal": {"dawn": {"until": "2026-06-01"}, "noon": {}, "dusk": {"from": "2026-09-01"}},
            "rules": ["R-2"],
        },
        "pool": [{"must": "cost<=5", "code": "too_dear", "from": "2026-03-01"}],
    },
    "open": {"name": "Open"},
}
GAME = game(sections={"main": {}}, formats=FORMATS, default_format="standard")
DAWN, NOON, DUSK = card("Dawn", era="dawn", cost=1), card("Noon", era="noon", cost=1), card("Dusk", era="dusk", cost=1)
NIGHT, BARE = card("Night", era="night", cost=1), card("Bare", cost=1)


def on(day: str, judged: Deck, spec: GameSpec = GAME) -> list[Finding]:
    return check(judged, spec, Pool(()), Context(date.fromisoformat(day)))


def codes(day: str, judged: Deck) -> list[str]:
    return [found.code for found in on(day, judged)]


@every(
    "day, dawn, dusk",
    [
        ("2026-05-31", True, False),
        ("2026-06-01", False, False),
        ("2026-08-31", False, False),
        ("2026-09-01", False, True),
    ],
)
def test_sets_are_legal_from_one_day_and_until_another(day: str, dawn: int, dusk: int) -> None:
    """The first day of `from` is in, the day of `until` is out; a set without days is always legal."""
    assert codes(day, deck(entry(1, DAWN))) == ([] if dawn else ["not_in_rotation"])
    assert codes(day, deck(entry(1, DUSK))) == ([] if dusk else ["not_in_rotation"])
    assert codes(day, deck(entry(1, NOON))) == []


def test_what_rotation_says() -> None:
    """One finding a set, with the reason; unknown sets are never legal, and no set is none of them."""
    found = on("2026-06-02", deck(entry(2, DAWN), entry(1, NOON), entry(1, DUSK), entry(1, NIGHT), entry(3, BARE)))
    assert [each.message for each in found] == [
        "Standard on 2026-06-02: 2 cards of era dawn (legal until 2026-06-01, that day not included): 2 Dawn",
        "Standard on 2026-06-02: 1 card of era dusk (legal from 2026-09-01): 1 Dusk",
        "Standard on 2026-06-02: 1 card of era night (never legal): 1 Night",
        "Standard on 2026-06-02: 3 cards without era: 3 Bare",
    ]
    assert found[0].rules == ("R-2",) and found[0].fixes == ({"remove": [{"ref": "dawn", "count": 2}]},)


def test_pools_of_a_rotation() -> None:
    """A pool holds until the next one, or until its own day; a set that comes back is said to, and days are known."""
    pools = [
        {"from": "2026-03-01", "legal": ["noon"]},
        {"from": "2026-01-01", "legal": ["dawn", "noon"]},
        {"from": "2026-06-01", "until": "2026-09-01", "legal": ["dawn"]},
    ]
    formats = {"turning": {"rotation": {"of": "era", "pools": pools}}}
    spec = game(sections={"main": {}}, formats=formats, default_format="turning")
    rotation = spec.formats["turning"].rotation
    assert rotation and [(days.since, days.until) for days in rotation.periods["noon"]] == [
        ("2026-01-01", "2026-06-01")
    ]
    told = {day: [each.message for each in on(day, deck(entry(1, DAWN)), spec)] for day in ("2026-04-01", "2026-06-01")}
    assert "legal from 2026-06-01" in told["2026-04-01"][0] and not told["2026-06-01"]
    assert "legal until 2026-09-01" in on("2026-09-01", deck(entry(1, DAWN)), spec)[0].message
    assert date(2026, 9, 1) in spec.formats["turning"].turning_days({})


def test_a_card_of_several_sets() -> None:
    """Of a list of sets one legal one is enough."""
    both = card("Both", era=["night", "noon"])
    spec = game(sections={"main": {}}, formats={"s": {"rotation": {"of": "era", "legal": {"noon": {}}}}})
    assert check(deck(entry(1, both)), spec, Pool(()), Context(date(2026, 1, 1), "s")) == []


@pytest.mark.parametrize(("day", "played"), [("2025-12-31", False), ("2026-12-31", True), ("2027-01-01", False)])
def test_a_format_has_days(day: str, played: bool) -> None:
    """A deck of a format that is not played on the day is not legal; the day of `until` is out."""
    found = [each for each in on(day, deck(entry(1, NOON))) if each.code == "format_not_played"]
    assert bool(found) is not played
    if found:
        words = "from 2026-01-01 and until 2027-01-01, that day not included"
        assert found[0].message == f"Standard is not played on {day}: {words}"


def test_a_demand_has_days() -> None:
    """What a format asks of every card may begin on a day."""
    dear = card("Dear", era="noon", cost=9)
    assert codes("2026-02-28", deck(entry(1, dear))) == []
    assert codes("2026-03-01", deck(entry(1, dear))) == ["too_dear"]


@every(
    "days, words",
    [
        ({"from": "1.2.2026"}, "from is '1.2.2026', not a day"),
        ({"from": "2026-02-30"}, "not a day"),
        ({"from": "2026-03-01", "until": "2026-03-01"}, "until \\(2026-03-01\\) is not later than from"),
        ({"rotation": {"of": "eras"}}, "no field eras.*mean era"),
        ({"rotation": {"legal": {"noon": {"until": "never"}}}}, "until is 'never'"),
    ],
)
def test_faulty_days_are_refused_with_the_game(days: dict[str, Any], words: str) -> None:
    """Days that are none, or the wrong way round, never reach a check."""
    with pytest.raises(ValidationError, match=words):
        game(formats={"f": days})


def coming(judged: Deck, day: str, **context: Any) -> list[tuple[str, str]]:
    at = Context(date.fromisoformat(day), **context)
    return [(str(on), found.code) for on, found in DatedCheck(judged, GAME, Pool(()), at, ban_check).ahead()]


def again(judged: Deck, day: str, **context: Any) -> date | None:
    at = Context(date.fromisoformat(day), **context)
    present = [found for found in check(judged, GAME, Pool(()), at) if found.severity.value == "error"]
    return DatedCheck(judged, GAME, Pool(()), at, ban_check).legal_again(present)


def test_a_forecast_knows_the_days_of_rotation() -> None:
    """The day on which a set leaves, and that on which the format ends, each with its finding."""
    assert coming(deck(entry(1, DAWN)), "2026-02-01") == [
        ("2026-06-01", "not_in_rotation"),
        ("2027-01-01", "format_not_played"),
    ]
    assert coming(deck(entry(1, DAWN)), "2026-02-01", format="open") == []
    (day, found), _ = DatedCheck(deck(entry(1, DAWN)), GAME, Pool(()), Context(date(2026, 2, 1)), ban_check).ahead()
    assert warned(day, found).code == "format_ahead"
    assert warned(day, found).message.startswith("Not legal from 2026-06-01: Standard on 2026-06-01")


def test_a_forecast_knows_when_a_deck_is_legal_again() -> None:
    """A set that is not legal yet makes a deck legal later; a card that stays forbidden never does."""
    assert again(deck(entry(1, DUSK)), "2026-02-01") == date(2026, 9, 1)
    assert again(deck(entry(1, DUSK), entry(1, NIGHT)), "2026-02-01") is None
    assert again(deck(entry(1, NOON)), "2025-02-01") == date(2026, 1, 1)
    assert again(deck(entry(1, NOON)), "2026-02-01") is None


def test_a_ban_that_ends() -> None:
    """A deck that a list forbids from one day to another is legal again on the other."""
    spec = GameSpec(key="g", prefix="g", name="G", types={"unit": TypeSpec()}, sections={})
    lists = {"short": ListSpec("short", "Short", "UTC", "")}
    bans = log(
        told("a", 1, 10, banned("noon", 0, 3, "short")), told("b", 2, 14, banned("noon", 3, 0, "short")), lists=lists
    )
    pile = deck(entry(1, NOON))
    for day, expected in [(1, date(2026, 6, 14)), (12, date(2026, 6, 14)), (20, None)]:
        context = Context(date(2026, 6, day), bans=bans)
        present = ban_check(pile, spec, Pool([NOON]), context)
        assert DatedCheck(pile, spec, Pool([NOON]), context, ban_check).legal_again(present) == expected


def test_a_remedy_heals_a_rotation() -> None:
    """After the fix of each finding the format is content."""
    pile = deck(entry(2, DAWN), entry(1, NOON), entry(1, NIGHT))
    cut = {item["ref"] for found in on("2026-07-01", pile) for item in found.fixes[0]["remove"]}
    assert on("2026-07-01", deck(*(each for each in pile.entries if each.ref not in cut))) == []


def test_a_reprint_is_legal_with_its_printing() -> None:
    """A rotation by sets counts the sets of a card's printings; the finding names them all."""
    formats = {"standard": {"rotation": {"of": "set", "legal": {"new": {}}}}}
    spec = game(sections={"main": {}}, formats=formats, default_format="standard")
    old = card("Old", set="first")
    reprinted = old._replace(printings=(Printing("p", "old", "new"),))
    elsewhere = old._replace(printings=(Printing("p", "old", "third"),))
    assert on("2026-06-01", deck(entry(1, reprinted)), spec) == []
    (found,) = on("2026-06-01", deck(entry(1, elsewhere)), spec)
    assert "first (never legal) and third (never legal)" in found.message
