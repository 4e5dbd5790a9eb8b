"""Splitting the texts of cards into words and icons, and the places where a line may end."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from carddb.core.names import is_ideograph
from carddb.layout.text.markup import Inline, inlines, paragraphs
from carddb.layout.text.scripts import clusters, may_break_anywhere

_BLANK = re.compile(r"[ \t]+")
_HELD = frozenset("、。，．・：；？！‥…々〻％,.:;?!%")
"""Characters that, like closing brackets and quotes, must not begin a line."""


def _may_end(before: str, after: str) -> bool:
    """Returns whether a line may end between two characters, if one of them is an ideograph (Unicode, UAX 14)."""
    opened, closed = unicodedata.category(before), unicodedata.category(after)
    return opened not in ("Ps", "Pi") and closed not in ("Pe", "Pf") and after not in _HELD


class Levels(NamedTuple):
    """The bidi levels of a word, of the space before it and of its paragraph; odd levels run right to left."""

    word: int = 0
    space: int = 0
    paragraph: int = 0


LEFT_TO_RIGHT = Levels()


class Token(NamedTuple):
    """A word or an icon.

    `spaced` says that there is a space before it, `breaks` that a line may end before it, and `starts_line` that it
    begins a line within a paragraph, after `{br}`.
    """

    text: str
    bold: bool = False
    italic: bool = False
    icon: bool = False
    spaced: bool = False
    breaks: bool = False
    small: bool = False
    starts_line: bool = False
    levels: Levels = LEFT_TO_RIGHT


Paragraphs = tuple[tuple[Token, ...], ...]


@lru_cache(maxsize=256)
def tokens(text: str) -> Paragraphs:
    """Returns the paragraphs of a text with markup, as tokens; the line after a `{br}` also counts as a paragraph."""
    return tuple(tuple(line) for paragraph in paragraphs(text) for line in _broken(inlines(paragraph)))


@lru_cache(maxsize=256)
def plain_tokens(text: str) -> Paragraphs:
    """Returns the paragraphs of a text as tokens, without interpreting markup."""
    return tuple(tuple(_line([Inline(paragraph)])) for paragraph in paragraphs(text))


def _broken(parts: list[Inline]) -> Iterator[list[Token]]:
    """Yields the lines of a paragraph, which are separated by `{br}`; empty lines are left out."""
    waiting: list[Inline] = []
    begun = False
    for part in [*parts, Inline("", "break")]:
        if part.kind != "break":
            waiting.append(part)
            continue
        line, waiting = _line(waiting), []
        if line:
            yield [line[0]._replace(starts_line=True), *line[1:]] if begun else line
            begun = True


def _line(parts: list[Inline]) -> list[Token]:
    out: list[Token] = []
    spaced = False
    after_icon = False  # no line may end between an icon and the word after it
    for part in parts:
        if part.kind == "icon":
            out.append(Token(part.text, icon=True, spaced=spaced, breaks=spaced))
            spaced, after_icon = False, True
            continue
        first, *others = _BLANK.split(part.text)
        if first:
            out += _words(first, part.style, spaced and bool(out), bool(out) and not after_icon)
            spaced = after_icon = False
        if others:
            ends_in_blank = not others[-1]
            words = [word for word in others if word]
            if words and (not out or after_icon):
                out += _words(words.pop(0), part.style, bool(out), False)
                after_icon = False
            for word in words:
                out += _words(word, part.style, True, True)
            spaced = ends_in_blank
    return out


def _words(chunk: str, style: tuple[bool, bool, bool], spaced: bool, breaks: bool) -> Iterator[Token]:
    """Yields the tokens of a chunk of text without spaces.

    A chunk is usually one word, but each ideograph is a token of its own, as is each cluster in scripts without spaces
    (such as Thai), since a line may end there.
    """
    start = 0
    bold, italic, small = style
    if may_break_anywhere(chunk):
        for number, cluster in enumerate(clusters(chunk)):
            yield Token(cluster, bold, italic, False, spaced and not number, (breaks and spaced) or number > 0, small)
        return
    for at in range(1, len(chunk)) if not chunk.isascii() else ():
        if is_ideograph(chunk[at]) or is_ideograph(chunk[at - 1]):
            yield Token(chunk[start:at], bold, italic, False, spaced, breaks and (spaced or start > 0), small)
            start, spaced, breaks = at, False, _may_end(chunk[at - 1], chunk[at])
    yield Token(chunk[start:], bold, italic, False, spaced, breaks and (spaced or start > 0), small)
