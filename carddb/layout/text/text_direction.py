"""Words of lines with mixed directions: splits words where the direction changes, and puts them into visual order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from carddb.layout.text import bidi
from carddb.layout.text.markup import Levels, Paragraphs, Token

_ICON = "\ufffc"
"""The character that represents an icon in a text (object replacement character)."""
_FIRST_RIGHT_TO_LEFT = "\u0590"


class VisualItem(NamedTuple):
    """The word with index `at` in its paragraph, or the space before it."""

    at: int
    is_space: bool


def runs_right_to_left(text: str) -> bool:
    """Says whether a text contains a right-to-left letter."""
    if text.isascii() or max(text) < _FIRST_RIGHT_TO_LEFT:
        return False
    return any(map(bidi.is_right_to_left, text))


def paragraph_level(text: str, is_right_to_left: bool) -> int:
    """Returns the bidi level of a paragraph.

    This is 1 if its language is written from right to left and the text has such letters, else the level of its first
    letter.
    """
    return 1 if is_right_to_left and runs_right_to_left(text) else bidi.first_strong(text) or 0


def directed(tokens: Sequence[Token], base: int) -> tuple[Token, ...]:
    """Returns the words of a paragraph of level `base`, split where the level changes, with their levels."""
    return tuple(token for _, token in directed_parts(tokens, base))


def directed_parts(tokens: Sequence[Token], base: int) -> Iterator[tuple[int, Token]]:
    """Yields the words as `directed` does, each with the index of the original word."""
    text = "".join([(" " if token.spaced else "") + (_ICON if token.icon else token.text) for token in tokens])
    levels = bidi.levels(text, base)
    at = 0
    for place, token in enumerate(tokens):
        space = levels[at] if token.spaced else base
        at += token.spaced
        if token.icon or not token.text:
            level = levels[at] if token.icon else base
            yield place, token._replace(levels=Levels(level, space, base))
            at += token.icon
            continue
        for number, (level, part) in enumerate(_by_level(token.text, levels[at:])):
            piece = token._replace(text=_marked(part, level), levels=Levels(level, space, base))
            yield place, piece if not number else piece._replace(spaced=False, breaks=False, starts_line=False)
        at += len(token.text)


def _by_level(text: str, levels: Sequence[int]) -> Iterator[tuple[int, str]]:
    for level, group in groupby(zip(text, levels, strict=False), key=lambda pair: pair[1]):
        yield level, "".join([char for char, _ in group if char not in bidi.CONTROLS])


def _marked(text: str, level: int) -> str:
    """Returns a part of one level, preceded by a direction mark if its letters alone do not give its direction."""
    if (bidi.first_strong(text) or 0) == level % 2:
        return text
    return bidi.MARKS[level % 2] + text


def directed_paragraphs(paragraphs: Paragraphs, base: int | None, is_right_to_left: bool) -> Paragraphs:
    """Returns all paragraphs of a text as `directed` does, with the level `base`.

    If `base` is None, each paragraph gets the level that `paragraph_level` returns, or without any letters the level of
    the preceding paragraph.
    """
    out: list[tuple[Token, ...]] = []
    level = base or 0
    for tokens in paragraphs:
        text = " ".join([token.text for token in tokens if not token.icon])
        if base is None and not tokens[0].starts_line and bidi.first_strong(text) is not None:
            level = paragraph_level(text, is_right_to_left)
        out.append(directed(tokens, level))
    return tuple(out)


def visual_items(tokens: Sequence[Token], start: int, end: int) -> list[VisualItem]:
    """Returns the words of a line and the spaces between them, in visual order from left to right."""
    items: list[VisualItem] = []
    levels: list[int] = []
    for at in range(start, end):
        token = tokens[at]
        if token.spaced and at > start:
            items.append(VisualItem(at, True))
            levels.append(token.levels.space)
        items.append(VisualItem(at, False))
        levels.append(token.levels.word)
    return [items[place] for place in bidi.visual_order(levels)]
