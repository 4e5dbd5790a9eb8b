"""The marks inside a text: `*italic*`, `**bold**`, `{icon:name}`, a newline for a paragraph."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

_MARKUP = re.compile(r"(\*\*.+?\*\*|\*[^*\s](?:[^*]*[^*\s])?\*|\{icon:[\w-]+\})", re.S)
_BLANK = re.compile(r"[ \t]+")
_IDEOGRAPH = re.compile("[\u2e80-\u9fff\uf900-\ufaff]")


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


def _paragraph(line: str) -> Iterator[Token]:
    spaced = False
    first = True
    after_icon = False  # an icon and what it marks never part at a line end
    for part in _MARKUP.split(line):
        if not part:
            continue
        if part.startswith("{icon:") and _MARKUP.fullmatch(part):
            yield Token(part[6:-1], icon=True, spaced=spaced, breaks=spaced)
            spaced, first, after_icon = False, False, True
            continue
        bold = italic = False
        if _MARKUP.fullmatch(part):
            bold, italic = part.startswith("**"), not part.startswith("**")
            part = part.strip("*")  # noqa: PLW2901
        for word, gap in _words(part):
            spaced = spaced or gap == " "
            if not word:
                continue
            if spaced and not first and not after_icon:
                yield _next_word(word, bold, italic)
                spaced = False
            else:
                yield Token(
                    word,
                    bold,
                    italic,
                    spaced=spaced and not first,
                    breaks=not first and not after_icon and (spaced or gap == ""),
                )
                spaced, first, after_icon = False, False, False


@lru_cache(maxsize=8192)
def _next_word(text: str, bold: bool, italic: bool) -> Token:
    """A word with a space before it, the commonest of tokens."""
    return Token(text, bold, italic, spaced=True, breaks=True)


def _words(part: str) -> Iterator[tuple[str, str]]:
    """Words with what stands before them: a space, nothing that may break (`|`), or nothing (between ideographs)."""
    chunks = _BLANK.split(part)
    if not _IDEOGRAPH.search(part):
        yield chunks[0], "|"
        yield from [(chunk, " ") for chunk in chunks[1:]]
        return
    for i, chunk in enumerate(chunks):
        gap = " " if i else "|"
        start = 0
        for at in range(1, len(chunk)):
            if _IDEOGRAPH.match(chunk[at]) or _IDEOGRAPH.match(chunk[at - 1]):
                yield chunk[start:at], gap
                start, gap = at, ""
        yield chunk[start:], gap
