"""Texts of games: filled placeholders, findings, signed numbers, imprints, and rulings as they are printed."""

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
    """Returns `words` with each placeholder `{name}` in its texts replaced by the value of that name in `figures`.

    Texts inside lists and mappings are included. Markup such as `{icon:die}`, and names not in `figures`, stay.
    """
    return each(words, lambda text: _FIGURE.sub(lambda match: str(figures.get(match[1], match[0])), text))


def each(values: Any, change: Callable[[Any], Any], kind: type | tuple[type, ...] = str) -> Any:
    """Returns `values` with `change` applied to each value of the type `kind`, even inside lists and mappings."""
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
    """Returns a finding with the texts, rules and severity under `key` in the game's table `findings`.

    The placeholders of its message and fix are filled from its `data` and from `words`. `rest` sets other fields of the
    finding, such as a `fix` for this case. The code is `key`, unless the table names another.
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
    """Returns a game's `name`, its author (`by`) and its `notice`, as the components print them."""
    return {"name": spec.name, "by": spec.by, "notice": spec.notice}


def with_signs(words: Any, spec: GameSpec) -> Any:
    """Returns `words` with marks such as `{C-85}` replaced by the sign of rulings, or removed without a ruling."""
    return each(words, lambda text: _RULES.sub(lambda match: sign_of(re.split(", ?", match[1]), spec), text))


def sign_of(rules: Iterable[str], spec: GameSpec) -> str:
    """Returns the sign that marks rulings if one of `rules` has a ruling, else an empty text."""
    return SIGN if not set(spec.data.get(DECIDED, ())).isdisjoint(rules) else ""


def sign_note(words: Any, spec: GameSpec) -> str:
    """Returns the footnote that explains the sign of rulings in `words`; empty if the sign is not in them."""
    return f"{SIGN} {spec.sheet_words.card_footnote}" if SIGN in repr(words) else ""


def first_match(rows: Iterable[tuple[str, str]], text: str) -> str:
    """Returns the result of the first row (words, result) that matches `text`, else an empty text.

    A row matches if a word of the text begins with one of the row's words, which spaces separate; `~` stands for a
    space inside a word. A word after `=` must be a whole word of the text, which may have an additional s at its end.
    """
    return next((str(result) for words, result in rows if text and _pattern(words).search(text)), "")


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    phrases = [word.replace("~", " ") for word in words.split()]
    parts = [f"{re.escape(word[1:])}s?\\b" if word.startswith("=") else re.escape(word) for word in phrases]
    return re.compile(rf"\b(?:{'|'.join(parts)})", re.I)


class Decision(NamedTuple):
    """A ruling as printed: the rule, the reading, the reason, and the options that change it.

    `options` maps each option to its values other than the default, as far as they can be listed.
    """

    rule: str
    reading: str
    why: str
    options: Mapping[str, tuple[Any, ...]]


def decision(game: Game, rule: str) -> Decision | None:
    """Returns the ruling on a rule, without options that cannot be changed; None if the rule has no ruling.

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
    """Returns the rulings on `rules`, each once, in the order of the game's rule book."""
    ids = frozenset(rules)
    book = (decision(game, rule) for rule in game.rule_book.rules if rule in ids)
    return tuple(each for each in book if each)
