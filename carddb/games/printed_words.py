"""Words on paper that several games print alike: signed numbers, a game's imprint, lists of words to look for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from carddb.game import GameSpec


def signed(number: int) -> str:
    """A number with its sign as it is printed: +5, 0, −5 with a true minus."""
    return f"+{number}" if number > 0 else str(number).replace("-", "\u2212")


def imprint(spec: GameSpec) -> dict[str, str]:
    """Name, author and notice of a game, as its components print them."""
    return {"name": spec.name, "by": spec.by, "notice": spec.notice}


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
