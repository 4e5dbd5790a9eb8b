"""A small game and its cards, for the tests of the deck room."""

from __future__ import annotations

from datetime import date
from typing import Any

from carddb.cards.cards import Card, Deck, Entry, Pool
from carddb.deck import Context, check
from carddb.findings import Finding, Place
from carddb.game.game import GameSpec
from carddb.read.documents.strict_models import checked

DAY = date(2026, 1, 1)

SPEC: dict[str, Any] = {
    "key": "test-game",
    "prefix": "test",
    "name": "Test Game",
    "identity": ["type", "name"],
    "fields": {
        "cost": {"type": "integer"},
        "era": {},
        "school": {},
        "rare": {"type": "boolean", "default": False},
    },
    "types": {"unit": {"label": "Unit"}, "spell": {"label": "Spell"}, "aid": {"label": "Aid"}},
    "ignored_types": ["aid"],
    "sections": {
        "main": {
            "label": "Main deck",
            "size": [3, 5],
            "code": "main_size",
            "types": ["unit", "spell"],
            "wrong": [{"match": "type:aid", "code": "aid_in_main"}, {"match": "cost>9", "code": "too_dear"}],
        },
        "side": {"size": [0, 2], "types": ["spell"]},
        "aids": {"types": ["aid"], "counted": False},
    },
}


def game(**parts: Any) -> GameSpec:
    """The small game with some parts replaced or added."""
    return checked(GameSpec, {**SPEC, **parts})


def card(name: str, kind: str = "unit", **values: Any) -> Card:
    """A card whose reference is its name in lower case."""
    return Card("test-game", name.lower(), {"name": name, "type": kind, "rare": False, **values})


def entry(count: int, found: Card | str, section: str = "main", line: int = 0) -> Entry:
    """A line of a deck; a text is a name that nothing answers to."""
    if isinstance(found, str):
        return Entry(section, count, found, None, Place("a.deck", line))
    return Entry(section, count, found.name, found, Place("a.deck", line))


def deck(*entries: Entry, **headers: str) -> Deck:
    """A deck of these lines, numbered from 1."""
    lines = [Entry(e.section, e.count, e.name, e.card, Place("a.deck", n)) for n, e in enumerate(entries, 1)]
    return Deck("test-game", tuple(lines), headers, "a.deck")


def judge(spec: GameSpec, judged: Deck, **context: Any) -> list[Finding]:
    """Every finding about a deck."""
    return check(judged, spec, Pool(()), Context(DAY, **context))


def codes(findings: list[Finding]) -> list[str]:
    """The codes in their order."""
    return [finding.code for finding in findings]
