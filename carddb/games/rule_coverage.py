"""The coverage of a game's rules (which are checked, printed, or left to people), and the missing parts of a game."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from carddb.games import Game
from carddb.games.opening.cross_references import rule_mentions


@dataclass(frozen=True, slots=True)
class Coverage:
    """One rule: its tags, the parts of the game that check or compute it, and the parts that print it."""

    rule: str
    tags: tuple[str, ...]
    checked: tuple[str, ...]
    printed: tuple[str, ...]

    @property
    def missing(self) -> tuple[str, ...]:
        """The tags for which no part of the game covers the rule; never `H`, because people cover those."""
        places = {"S": self.checked, "P": self.printed, "H": ("people",)}
        return tuple(tag for tag in self.tags if not places[tag])


def coverage(game: Game, guide_rules: Iterable[str] = ()) -> list[Coverage]:
    """Returns the coverage of every rule in the rule book; `guide_rules` are those on the game's rule sheet."""
    checked: defaultdict[str, list[str]] = defaultdict(list)
    printed: defaultdict[str, list[str]] = defaultdict(list)
    for rule, place, on_paper in rule_mentions(game):
        places = (printed if on_paper else checked)[rule]
        if place not in places:
            places.append(place)
    for rule in guide_rules:
        printed[rule].append("rule sheet")
    return [
        Coverage(name, (rule.tag, *rule.also), tuple(checked.get(name, ())), tuple(printed.get(name, ())))
        for name, rule in game.rule_book.rules.items()
    ]


def counts(rows: list[Coverage]) -> dict[str, dict[str, int]]:
    """Counts, for each tag, the rules with the tag, and those of them that no part of the game covers."""
    every = Counter(tag for row in rows for tag in row.tags)
    missing = Counter(tag for row in rows for tag in row.missing)
    return {tag: {"rules": every[tag], "missing": missing[tag]} for tag in ("S", "P", "H")}


def gaps(game: Game) -> list[str]:
    """Returns the missing parts of a game, each with the file or key where it belongs; empty if nothing is missing."""
    return list(_gaps(game))


def _gaps(game: Game) -> Iterator[str]:
    spec, folder = game.spec, game.folder
    if not spec.types:
        yield "types of cards: types in game.yaml"
    if not game.own_cards:
        yield "cards: cards.csv"
    if faceless := [kind.label or key for key, kind in spec.types.items() if not kind.face and not game.has_rules]:
        yield f"faces of {', '.join(faceless)}: face of the type in game.yaml, and its file in templates"
    if not spec.sections:
        yield "parts of a deck: sections in game.yaml"
    if not spec.limits and not game.has_rules:
        yield "limits of a deck: limits in game.yaml"
    if not folder.decks:
        yield "a deck: a file in decks"
    if not (folder.path / "rules.yaml").is_file():
        yield "rules and what codes mean: rules.yaml"
    if not folder.guide_file.is_file():
        yield "a rule sheet: guide.md"
