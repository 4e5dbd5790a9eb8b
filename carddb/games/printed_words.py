"""Words on paper that several games print alike: numbers, imprints, placeholders, decisions for a printing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from carddb.game.game import GameSpec
from carddb.game.parts import DECIDED, SIGN
from carddb.games.opening.game import Game

_FIGURE = re.compile(r"\{(\w+)\}")


def fill(words: Any, figures: Mapping[str, object]) -> Any:
    """Returns the words, or lists and tables of words, with every `{figure}` put in.

    Markup such as `{icon:die}` and names that are no figure stay.
    """
    return _each(words, lambda text: _FIGURE.sub(lambda match: str(figures.get(match[1], match[0])), text))


def _each(words: Any, change: Callable[[str], str]) -> Any:
    """Returns words, or lists and tables of words, with each text changed; other values stay."""
    if isinstance(words, str):
        return change(words)
    if isinstance(words, Mapping):
        return {key: _each(value, change) for key, value in words.items()}
    return [_each(value, change) for value in words] if isinstance(words, list | tuple) else words


_RULES = re.compile(r"\s*\{([A-Z]+-\d+(?:, ?[A-Z]+-\d+)*)\}")


def signed(number: int) -> str:
    """Returns a number with its sign as it is printed: +5, 0, −5 with a true minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "\u2212")


def imprint(spec: GameSpec) -> dict[str, str]:
    """Returns name, author and notice of a game, as its components print them."""
    return {"name": spec.name, "by": spec.by, "notice": spec.notice}


def with_signs(words: Any, spec: GameSpec) -> Any:
    """Returns words, in lists and tables too, with the sign for each `{C-85}` that names a rule with a ruling.

    Marks of other rules go out.
    """
    return _each(words, lambda text: _RULES.sub(lambda match: sign_of(re.split(", ?", match[1]), spec), text))


def sign_of(rules: Iterable[str], spec: GameSpec) -> str:
    """Returns the sign where one of the rules has a ruling, else nothing."""
    return SIGN if not set(spec.data.get(DECIDED, ())).isdisjoint(rules) else ""


def sign_note(words: Any, spec: GameSpec) -> str:
    """Returns what explains the sign, at the foot of what has these words; empty where none of them has it."""
    return f"{SIGN} {spec.sheet_words.card_footnote}" if SIGN in repr(words) else ""


def first_match(rows: Iterable[tuple[str, str]], text: str) -> str:
    """Returns the result of the first row (words, result) of which a word begins a word of the text, else nothing.

    `~` stands for a space; a word behind `=` must be whole, but for an s at its end.
    """
    return next((str(result) for words, result in rows if text and _pattern(words).search(text)), "")


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    phrases = [word.replace("~", " ") for word in words.split()]
    parts = [f"{re.escape(word[1:])}s?\\b" if word.startswith("=") else re.escape(word) for word in phrases]
    return re.compile(rf"\b(?:{'|'.join(parts)})", re.I)


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
    """Returns the ruling of a rule, where it has one; an option that can only be asked for and never had is left out.

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
    """Returns the rulings of these rules, each once, in the order of the game's book."""
    ids = frozenset(rules)
    book = (decision(game, rule) for rule in game.rule_book.rules if rule in ids)
    return tuple(each for each in book if each)
