"""What was decided for this printing, where the author of a game left something open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from carddb.games.opening.game import Game


class Decision(NamedTuple):
    """A ruling as it is printed: the rule, the reading, why, and the options that change it.

    `options` maps the name of each to the values that it may have instead, where they can be listed; it is empty where
    nothing can be chosen.
    """

    rule: str
    reading: str
    why: str
    options: Mapping[str, tuple[Any, ...]]


def decision(game: Game, rule: str) -> Decision | None:
    """The ruling of a rule, where it has one; an option that can only be asked for and never had is left out.

    The option that the ruling names comes first, then every other option that names the rule.
    """
    entry = game.rule_book.rules.get(rule)
    if entry is None or entry.ruling is None:
        return None
    ruling = entry.ruling
    options = game.spec.options
    names = dict.fromkeys([ruling.option, *(name for name, option in options.items() if rule in option.rules)])
    values = {name: options[name].others for name in names if name in options and options[name].changeable}
    return Decision(rule, ruling.reading, ruling.why, values)


def decisions(game: Game, rules: Iterable[str]) -> tuple[Decision, ...]:
    """The rulings of these rules, each once, in the order of the game's book."""
    ids = frozenset(rules)
    book = (decision(game, rule) for rule in game.rule_book.rules if rule in ids)
    return tuple(each for each in book if each)
