"""The marks inside a text: `*italic*`, `**bold**`, `{icon:name}`, a newline for a paragraph."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from carddb.names import is_ideograph

_MARKUP = re.compile(r"(\*\*.+?\*\*|\*[^*\s](?:[^*]*[^*\s])?\*|\{icon:[\w-]+\})", re.S)
_BLANK = re.compile(r"[ \t]+")
_HELD = frozenset("、。，．・：；？！‥…々〻％,.:;?!%")
"""With closing brackets and quotes, what stays with the character before it."""


def _may_end(before: str, after: str) -> bool:
    """Whether a line may end between two characters, one of them an ideograph (Unicode, UAX 14)."""
    opened, closed = unicodedata.category(before), unicodedata.category(after)
    return opened not in ("Ps", "Pi") and closed not in ("Pe", "Pf") and after not in _HELD


class Token(NamedTuple):
    """A word or an icon. `spaced` says that a space stands before it, `breaks` that a line may end before it."""

    text: str
    bold: bool = False
    italic: bool = False
    icon: bool = False
    spaced: bool = False
    breaks: bool = False


@lru_cache(maxsize=256)
def tokens(text: str) -> tuple[tuple[Token, ...], ...]:
    """Paragraphs of tokens: `*italic*`, `**bold**`, `{icon:name}`; a newline ends a paragraph."""
    return tuple(tuple(_paragraph(line)) for line in unicodedata.normalize("NFC", text).split("\n") if line.strip())


def plain(text: str) -> str:
    """A text without its markup: what is read aloud or searched."""
    return re.sub(
        r"\s+",
        " ",
        " ".join("".join((" " if t.spaced else "") + ("" if t.icon else t.text) for t in p) for p in tokens(text)),
    ).strip()


def _paragraph(line: str) -> list[Token]:
    out: list[Token] = []
    spaced = False
    after_icon = False  # an icon and what it marks never part at a line end
    for at, part in enumerate(_MARKUP.split(line)):
        marked = at % 2 == 1
        if marked and part[0] == "{":
            out.append(Token(part[6:-1], icon=True, spaced=spaced, breaks=spaced))
            spaced, after_icon = False, True
            continue
        bold = marked and part.startswith("**")
        italic = marked and not bold
        first, *others = _BLANK.split(part.strip("*") if marked else part)
        if first:
            out += _pieces(first, bold, italic, spaced and bool(out), bool(out) and not after_icon)
            spaced = after_icon = False
        if others:
            ends_in_blank = not others[-1]
            words = [word for word in others if word]
            if words and (not out or after_icon):
                out += _pieces(words.pop(0), bold, italic, bool(out), False)
                after_icon = False
            for word in words:
                if word.isascii():
                    out.append(_next_word(word, bold, italic))
                else:
                    out += _pieces(word, bold, italic, True, True)
            spaced = ends_in_blank
    return out


def _pieces(chunk: str, bold: bool, italic: bool, spaced: bool, breaks: bool) -> Iterator[Token]:
    """A word; ideographs are words of their own, and a line may end between them."""
    start = 0
    for at in range(1, len(chunk)) if not chunk.isascii() else ():
        if is_ideograph(chunk[at]) or is_ideograph(chunk[at - 1]):
            yield Token(chunk[start:at], bold, italic, False, spaced, breaks and (spaced or start > 0))
            start, spaced, breaks = at, False, _may_end(chunk[at - 1], chunk[at])
    yield Token(chunk[start:], bold, italic, False, spaced, breaks and (spaced or start > 0))


@lru_cache(maxsize=8192)
def _next_word(text: str, bold: bool, italic: bool) -> Token:
    """A word with a space before it, the commonest of tokens."""
    return Token(text, bold, italic, spaced=True, breaks=True)
