"""Where each rule of a game is checked or computed, printed, or left to the people at the table."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from carddb.games import Game
from carddb.games.opening.rulebook import rule_ids

_WORDS = {"limits": "limit", "sections": "section", "formats": "format", "filters": "filter", "fields": "field"}
_WORDS |= {"types": "type", "options": "option", "components": "component", "roles": "role", "zones": "zone"}


@dataclass(frozen=True, slots=True)
class Coverage:
    """One rule: its tags, and the parts of the game that check or compute it, and that print it."""

    rule: str
    tags: tuple[str, ...]
    checked: tuple[str, ...]
    printed: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The tags that no part of the game stands for; `H` is never one, for people stand for it."""
        places = {"S": self.checked, "P": self.printed, "H": ("people",)}
        return tuple(tag for tag in self.tags if not places[tag])


def coverage(game: Game, guide_rules: Iterable[str] = ()) -> list[Coverage]:
    """Every rule of the game's book, in its order; `guide_rules` are those on its rule sheet."""
    checked, printed = _places(game)
    for rule in guide_rules:
        printed[rule].append("rule sheet")
    return [
        Coverage(name, (rule.tag, *rule.also), tuple(checked.get(name, ())), tuple(printed.get(name, ())))
        for name, rule in game.rule_book.rules.items()
    ]


def counts(rows: list[Coverage]) -> dict[str, dict[str, int]]:
    """For each tag how many rules have it, and how many of them no part of the game stands for."""
    every = Counter(tag for row in rows for tag in row.tags)
    missing = Counter(tag for row in rows for tag in row.missing)
    return {tag: {"rules": every[tag], "missing": missing[tag]} for tag in ("S", "P", "H")}


def _places(game: Game) -> tuple[defaultdict[str, list[str]], defaultdict[str, list[str]]]:
    checked: defaultdict[str, list[str]] = defaultdict(list)
    printed: defaultdict[str, list[str]] = defaultdict(list)
    for rule, place, on_paper in rule_mentions(game):
        places = (printed if on_paper else checked)[rule]
        if place not in places:
            places.append(place)
    return checked, printed


def rule_mentions(game: Game) -> Iterator[tuple[str, str, bool]]:
    """Every rule that a game mentions, the part that does, and whether that part is printed."""
    spec = game.spec
    for name, operation in game.operations.items():
        yield from ((rule, f"{spec.prefix}.{name}", False) for rule in operation.rules)
    for name, operation in game.odds.items():
        yield from ((rule, f"odds {name}", False) for rule in operation.rules)
    stands_for = game.hook("stands_for")
    for place, rules in (stands_for(spec) if stands_for else {}).items():
        yield from ((rule, place, False) for rule in rules)
    for path, rule in rule_ids(spec):
        yield rule, _place(spec, path), path[0] in ("components", "bring", "face_rules")
    for code, text in game.rule_book.codes.items():
        yield from ((rule, f"code {code}", False) for rule in text.rules)


def _place(spec: Any, path: tuple[str | int, ...]) -> str:
    part = str(path[0])
    if part not in _WORDS:
        return {"face_rules": "card faces", "format_rules": "formats", "bring": "list of components"}[part]
    name = spec.limits[path[1]].code if part == "limits" else path[1]
    return f"{_WORDS[part]} {name}"
