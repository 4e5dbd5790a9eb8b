"""The marks inside a text of a card, and its words.

`*italic*`, `**bold**`, `***both***`, `{sc:Small Capitals}`, `{icon:name}`, `{br}` for a new line; a newline ends a
paragraph. Marks stand in one another. A backslash before `*`, `{`, `}` or a backslash makes it a character like others.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from carddb.core.names import is_ideograph
from carddb.layout.text.emphasis import Piece, Style, pieces
from carddb.layout.text.scripts import clusters, may_break_anywhere

_BLANK = re.compile(r"[ \t]+")
_HELD = frozenset("、。，．・：；？！‥…々〻％,.:;?!%")
"""With closing brackets and quotes, what stays with the character before it."""


def _may_end(before: str, after: str) -> bool:
    """Whether a line may end between two characters, one of them an ideograph (Unicode, UAX 14)."""
    opened, closed = unicodedata.category(before), unicodedata.category(after)
    return opened not in ("Ps", "Pi") and closed not in ("Pe", "Pf") and after not in _HELD


class Levels(NamedTuple):
    """The embedding levels of a word, of the space before it and of its paragraph: odd ones run right to left."""

    word: int = 0
    space: int = 0
    paragraph: int = 0


LEFT_TO_RIGHT = Levels()


class Token(NamedTuple):
    """A word or an icon.

    `spaced` says that a space stands before it, `breaks` that a line may end before it, `starts_line` that one begins
    with it although no paragraph does.
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
    """The paragraphs of a text with marks; a line after `{br}` is one whose first token says so."""
    return tuple(tuple(line) for paragraph in _lines(text) for line in _broken(pieces(paragraph)))


@lru_cache(maxsize=256)
def plain_tokens(text: str) -> Paragraphs:
    """The paragraphs of a text in which every character stands for itself."""
    return tuple(tuple(_line([Piece(paragraph)])) for paragraph in _lines(text))


def plain(text: str) -> str:
    """A text without its markup: what is read aloud or searched."""
    return re.sub(
        r"\s+",
        " ",
        " ".join("".join((" " if t.spaced else "") + ("" if t.icon else t.text) for t in p) for p in tokens(text)),
    ).strip()


def _lines(text: str) -> list[str]:
    return [line for line in unicodedata.normalize("NFC", text).split("\n") if line.strip()]


def _broken(parts: list[Piece]) -> Iterator[list[Token]]:
    """The lines of a paragraph that its author ended; an empty one is left out."""
    waiting: list[Piece] = []
    begun = False
    for part in [*parts, Piece("", kind="break")]:
        if part.kind != "break":
            waiting.append(part)
            continue
        line, waiting = _line(waiting), []
        if line:
            yield [line[0]._replace(starts_line=True), *line[1:]] if begun else line
            begun = True


def _line(parts: list[Piece]) -> list[Token]:
    out: list[Token] = []
    spaced = False
    after_icon = False  # an icon and what it marks never part at a line end
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
                if word.isascii():
                    out.append(_next_word(word, part.style))
                else:
                    out += _words(word, part.style, True, True)
            spaced = ends_in_blank
    return out


def _words(chunk: str, style: Style, spaced: bool, breaks: bool) -> Iterator[Token]:
    """A word; ideographs are words of their own, and a line may end between them, and between Thai letters."""
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


@lru_cache(maxsize=8192)
def _next_word(text: str, style: Style) -> Token:
    """A word with a space before it, the commonest of tokens."""
    return Token(text, style.bold, style.italic, spaced=True, breaks=True, small=style.small)
