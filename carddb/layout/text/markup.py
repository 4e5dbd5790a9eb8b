"""The markup in texts of cards, and splitting them into words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from carddb.core.names import is_ideograph
from carddb.layout.text.scripts import clusters, may_break_anywhere

_MARK = re.compile(r"\\[*{}\\]|\*+|\{icon:[\w-]+\}|\{br\}|\{sc:|\}")
_ICON, _SMALL, _BREAK = "{icon:", "{sc:", "{br}"
_UNREAD = re.compile(r"\\.|\{icon:[\w-]+\}|\{br\}|\{sc:|(\{[Ii][Cc][Oo][Nn]:?[^}\s]*\}?|\{[^\W\d][\w:-]*\})")


@dataclass(slots=True)
class _Part:
    """A part of a paragraph: its source text or the name of an icon, and its kind and style as found so far."""

    text: str
    kind: Literal["text", "icon", "break", "stars", "small", "end"] = "text"
    bold: int = 0
    italic: int = 0
    small: int = 0
    opens: bool = False
    closes: bool = False

    @property
    def style(self) -> tuple[bool, bool, bool]:
        """The style as three flags: bold, italic, small capitals."""
        return self.bold > 0, self.italic > 0, self.small > 0


def _pieces(paragraph: str) -> list[_Part]:
    """Returns the texts, icons and breaks of a paragraph, with neighbouring texts of the same style joined.

    A mark without a partner stays as literal text.
    """
    if "*" not in paragraph and "{" not in paragraph and "\\" not in paragraph:
        return [_Part(paragraph)]
    parts = _parts(paragraph)
    _pair_stars(parts)
    _pair_small(parts)
    out: list[_Part] = []
    for part in parts:
        if part.kind in ("icon", "break"):
            out.append(part)
        elif part.text and out and out[-1].kind == "text" and out[-1].style == part.style:
            out[-1].text += part.text
        elif part.text:
            part.kind = "text"
            out.append(part)
    return out


def unread_marks(text: str) -> list[str]:
    """Returns what looks like markup but is none, and so would be printed as it is.

    That is `{icon:two words}`, an icon that is not closed, `{Icon:pearl}` or `{pearl}`, and `**` without a partner.
    """
    marks = [match[0] for match in _UNREAD.finditer(text) if match[1]]
    for paragraph in _lines(text) if "**" in text else ():
        parts = _parts(paragraph)
        _pair_stars(parts)
        marks += [part.text for part in parts if part.kind == "stars" and len(part.text) > 1]
    return marks


def unread_words(mark: str) -> tuple[str, str]:
    """Returns what a finding says about a mark that `unread_marks` has found, and its remedy."""
    message = f"{mark!r} is printed as it is written, not read as an icon or as bold text"
    if mark.startswith("*"):
        return message, r"Put ** at both ends of what is bold, in one paragraph; or \*\* where the stars are meant."
    word = mark.strip("{}").rpartition(":")[2]
    word = "name" if word.lower() in ("", "icon") else word
    return message, f"Write {{icon:{word}}}, in letters, digits and hyphens; or \\{{ where the character is meant."


def _parts(paragraph: str) -> list[_Part]:
    parts, end = [], 0
    for match in _MARK.finditer(paragraph):
        if match.start() > end:
            parts.append(_Part(paragraph[end : match.start()]))
        parts.append(_mark(match[0], paragraph, match.start(), match.end()))
        end = match.end()
    if end < len(paragraph):
        parts.append(_Part(paragraph[end:]))
    return parts


def _mark(mark: str, paragraph: str, start: int, end: int) -> _Part:
    if mark[0] == "\\":
        return _Part(mark[1])
    if mark == _BREAK:
        return _Part(mark, "break")
    if mark.startswith(_ICON):
        return _Part(mark[len(_ICON) : -1], "icon")
    if mark in (_SMALL, "}"):
        return _Part(mark, "end" if mark == "}" else "small")
    # A single star opens only before a word and closes only after one; double stars may do both anywhere.
    several = len(mark) > 1
    opens = several or (end < len(paragraph) and not paragraph[end].isspace())
    closes = several or (start > 0 and not paragraph[start - 1].isspace())
    return _Part(mark, "stars", opens=opens, closes=closes)


def _pair_stars(parts: list[_Part]) -> None:
    """Pairs stars from the inside out and makes the text between them italic or bold.

    Each closing run of stars is paired with the nearest open run that matches.
    """
    opened: list[int] = []
    for at, part in enumerate(parts):
        if part.kind != "stars":
            continue
        while part.closes and part.text:
            # A single star does not match a double one.
            lengths = ((each, {len(parts[each].text), len(part.text)}) for each in reversed(opened))
            start = next((each for each, both in lengths if both != {1, 2}), None)
            if start is None:
                break
            count = 2 if min(len(parts[start].text), len(part.text)) >= 2 else 1
            for between in parts[start + 1 : at]:
                between.bold += count == 2
                between.italic += count == 1
            parts[start].text, part.text = parts[start].text[count:], part.text[count:]
            del opened[opened.index(start) + 1 :]
            if not parts[start].text:
                opened.pop()
        if part.opens and part.text:
            opened.append(at)


def _pair_small(parts: list[_Part]) -> None:
    """Sets the text between `{sc:` and its closing brace in small capitals."""
    opened: list[int] = []
    for at, part in enumerate(parts):
        if part.kind == "small":
            opened.append(at)
        elif part.kind == "end" and opened:
            for between in parts[opened[-1] + 1 : at]:
                between.small += 1
            parts[opened.pop()].text = part.text = ""


_BLANK = re.compile(r"[ \t]+")
_HELD = frozenset("、。，．・：；？！‥…々〻％,.:;?!%")
"""Characters that, like closing brackets and quotes, must not begin a line."""


def _may_end(before: str, after: str) -> bool:
    """Returns whether a line may end between two characters one of which is an ideograph (Unicode, UAX 14)."""
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
    """Returns the paragraphs of a text with markup as tokens; the line after a `{br}` also counts as a paragraph."""
    return tuple(tuple(line) for paragraph in _lines(text) for line in _broken(_pieces(paragraph)))


@lru_cache(maxsize=256)
def plain_tokens(text: str) -> Paragraphs:
    """Returns the paragraphs of a text as tokens, without interpreting markup."""
    return tuple(tuple(_line([_Part(paragraph)])) for paragraph in _lines(text))


def plain(text: str) -> str:
    """Returns a text without its markup, for reading aloud or searching; an icon is told by its name."""
    lines = []
    for line in tokens(text):
        said, after_icon = "", False
        for token in line:
            word = token.text.replace("-", " ") if token.icon else token.text
            joins_letters = said[-1:].isalnum() and word[:1].isalnum()
            said += (" " if token.spaced or (joins_letters and (token.icon or after_icon)) else "") + word
            after_icon = token.icon
        lines.append(said)
    return re.sub(r"\s+", " ", " ".join(lines)).strip()


def _lines(text: str) -> list[str]:
    return [line for line in unicodedata.normalize("NFC", text).split("\n") if line.strip()]


def _broken(parts: list[_Part]) -> Iterator[list[Token]]:
    """Yields the lines of a paragraph, which are separated by `{br}`; empty lines are left out."""
    waiting: list[_Part] = []
    begun = False
    for part in [*parts, _Part("", "break")]:
        if part.kind != "break":
            waiting.append(part)
            continue
        line, waiting = _line(waiting), []
        if line:
            yield [line[0]._replace(starts_line=True), *line[1:]] if begun else line
            begun = True


def _line(parts: list[_Part]) -> list[Token]:
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
    """Yields the tokens of a chunk without spaces.

    This is usually one word, but each ideograph is a token of its own, and in scripts without spaces (such as Thai)
    each cluster is one, since a line may end there.
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
