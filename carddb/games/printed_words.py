"""Words on paper that several games print alike: signed numbers, a game's imprint, lists of words to look for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from carddb.game.game import GameSpec
from carddb.game.sheet_parts import DECIDED, SIGN

_RULES = re.compile(r"\s*\{([A-Z]+-\d+(?:, ?[A-Z]+-\d+)*)\}")


def signed(number: int) -> str:
    """A number with its sign as it is printed: +5, 0, −5 with a true minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "\u2212")


def imprint(spec: GameSpec) -> dict[str, str]:
    """Name, author and notice of a game, as its components print them."""
    return {"name": spec.name, "by": spec.by, "notice": spec.notice}


def with_signs(words: Any, spec: GameSpec) -> Any:
    """Words, or lists and tables of words, with the sign in place of each `{C-85}` that names a rule with a ruling.

    Marks of other rules go out.
    """
    if isinstance(words, str):
        return _RULES.sub(lambda match: sign_of(re.split(", ?", match[1]), spec), words) if "{" in words else words
    if isinstance(words, Mapping):
        return {key: with_signs(value, spec) for key, value in words.items()}
    return [with_signs(value, spec) for value in words] if isinstance(words, list | tuple) else words


def sign_of(rules: Iterable[str], spec: GameSpec) -> str:
    """The sign where one of the rules has a ruling, else nothing."""
    return SIGN if not set(spec.data.get(DECIDED, ())).isdisjoint(rules) else ""


def sign_note(words: Any, spec: GameSpec) -> str:
    """What explains the sign, at the foot of what has these words; empty where none of them has it."""
    return f"{SIGN} {spec.sheet_words.card_footnote}" if SIGN in repr(words) else ""


def first_match(rows: Iterable[tuple[str, str]], text: str) -> str:
    """The result of the first row (words, result) of which a word begins a word of the text; empty where none does.

    `~` stands for a space; a word behind `=` must be whole, but for an s at its end.
    """
    return next((str(result) for words, result in rows if text and _pattern(words).search(text)), "")


@lru_cache(maxsize=256)
def _pattern(words: str) -> re.Pattern[str]:
    phrases = [word.replace("~", " ") for word in words.split()]
    parts = [f"{re.escape(word[1:])}s?\\b" if word.startswith("=") else re.escape(word) for word in phrases]
    return re.compile(rf"\b(?:{'|'.join(parts)})", re.I)
