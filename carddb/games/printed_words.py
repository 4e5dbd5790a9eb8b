"""Texts of games: numbers, imprints, placeholders, findings, and rulings for a printing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from carddb.findings import Finding, Place, Severity
from carddb.game.game import GameSpec
from carddb.game.parts import DECIDED, RULE_MARK, SIGN
from carddb.games.opening.game import Game

Words = Mapping[str, object]
NO_WORDS: Words = {}
_FIGURE = re.compile(r"\{(\w+)\}")


def fill(words: Any, figures: Mapping[str, object]) -> Any:
    """Returns texts, even inside lists and mappings, with every `{figure}` replaced by its value.

    Markup such as `{icon:die}`, and names that are not in `figures`, stay.
    """
    return each(words, lambda text: _FIGURE.sub(lambda match: str(figures.get(match[1], match[0])), text))


def each(values: Any, change: Callable[[Any], Any], kind: type | tuple[type, ...] = str) -> Any:
    """Returns values, even inside lists and mappings, with `change` applied to those of a type; other values stay."""
    if isinstance(values, kind):
        return change(values)
    if isinstance(values, Mapping):
        return {key: each(value, change, kind) for key, value in values.items()}
    return [each(value, change, kind) for value in values] if isinstance(values, list | tuple) else values


def finding(
    spec: GameSpec,
    key: str,
    *where: Place,
    data: Mapping[str, Any] = NO_WORDS,
    words: Mapping[str, object] = NO_WORDS,
    **rest: Any,
) -> Finding:
    """Returns a finding whose texts, rules and severity are under `key` in the table `findings` of the game.

    The figures of the message and the fix are its `data` and further `words`. `rest` has further fields of the finding,
    among them a fix for this case. The code is the key, if the table names no other.
    """
    texts = fill(spec.data["findings"][key], {**data, **words})
    fields = {"fix": texts.get("fix", ""), "rules": tuple(texts.get("rules", ())), "data": data, **rest}
    severity = Severity(texts.get("severity", "error"))
    return Finding(texts.get("code", key), severity, texts["message"], where, **fields)


_RULES = re.compile(rf"\s*{RULE_MARK.pattern}")


def signed(number: int) -> str:
    """Returns a number with its sign as printed: +5, 0, −5 with a true minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "\u2212")


def imprint(spec: GameSpec) -> dict[str, str]:
    """Returns the name, author and notice of a game, as its components print them."""
    return {"name": spec.name, "by": spec.by, "notice": spec.notice}


def with_signs(words: Any, spec: GameSpec) -> Any:
    """Returns texts, even inside others, with marks such as `{C-85}` as the sign of a ruling, or removed."""
    return each(words, lambda text: _RULES.sub(lambda match: sign_of(re.split(", ?", match[1]), spec), text))


def sign_of(rules: Iterable[str], spec: GameSpec) -> str:
    """Returns the sign if one of the rules has a ruling, else an empty text."""
    return SIGN if not set(spec.data.get(DECIDED, ())).isdisjoint(rules) else ""


def sign_note(words: Any, spec: GameSpec) -> str:
    """Returns the explanation of the sign, for the foot of a page with these texts; empty if none has the sign."""
    return f"{SIGN} {spec.sheet_words.card_footnote}" if SIGN in repr(words) else ""


def first_match(rows: Iterable[tuple[str, str]], text: str) -> str:
    """Returns the result of the first row (words, result) with a word that begins a word of `text`, else an empty text.

    In the words, `~` means a space; a word after `=` must match a whole word, with an optional s at its end.
    """
    return next((str(result) for words, result in rows if text and _pattern(words).search(text)), "")


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    phrases = [word.replace("~", " ") for word in words.split()]
    parts = [f"{re.escape(word[1:])}s?\\b" if word.startswith("=") else re.escape(word) for word in phrases]
    return re.compile(rf"\b(?:{'|'.join(parts)})", re.I)


class Decision(NamedTuple):
    """A ruling as printed: the rule, the reading, the reason, and the options that change it.

    `options` maps the name of each option to the other values that it may have, if they can be listed; it is empty if
    there is no choice.
    """

    rule: str
    reading: str
    why: str
    options: Mapping[str, tuple[Any, ...]]


def decision(game: Game, rule: str) -> Decision | None:
    """Returns the ruling of a rule, None if it has none. Options that cannot be changed are left out.

    The option that the ruling names comes first, followed by the other options that name the rule.
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
    """Returns the rulings of `rules`, each once, in the order of the game's rule book."""
    ids = frozenset(rules)
    book = (decision(game, rule) for rule in game.rule_book.rules if rule in ids)
    return tuple(each for each in book if each)
