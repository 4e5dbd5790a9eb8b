"""What was decided for this printing, where the author of a game left something open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from carddb.games.game import Game


class Decision(NamedTuple):
    """A ruling as it is printed: the rule, the reading, why, and the option that changes it.

    `option` is empty where nothing can be chosen; `others` are the values that it may have instead, where they can be
    listed.
    """

    rule: str
    reading: str
    why: str
    option: str = ""
    others: tuple[Any, ...] = ()


def decision(game: Game, rule: str) -> Decision | None:
    """The ruling of a rule, where it has one; an option that can only be asked for and never had is left out."""
    entry = game.rule_book.rules.get(rule)
    if entry is None or entry.ruling is None:
        return None
    ruling = entry.ruling
    option = game.spec.options.get(ruling.option)
    if option is None or not option.changeable:
        return Decision(rule, ruling.reading, ruling.why)
    return Decision(rule, ruling.reading, ruling.why, ruling.option, option.others)


def decisions(game: Game, rules: Iterable[str]) -> tuple[Decision, ...]:
    """The rulings of these rules, each once, in the order of the game's book."""
    wanted = frozenset(rules)
    book = (decision(game, rule) for rule in game.rule_book.rules if rule in wanted)
    return tuple(each for each in book if each)
