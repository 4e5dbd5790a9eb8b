"""The marks of one paragraph: which of them pair, and the pieces of text between them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, NamedTuple

_MARK = re.compile(r"\\[*{}\\]|\*+|\{icon:[\w-]+\}|\{br\}|\{sc:|\}")
_ICON, _SMALL, _BREAK = "{icon:", "{sc:", "{br}"
_UNREAD = re.compile(r"\\.|\{icon:[\w-]+\}|(\{icon:[^}\s]*\}?)")


class Style(NamedTuple):
    """How a piece looks."""

    bold: bool = False
    italic: bool = False
    small: bool = False


_UPRIGHT = Style()


class Piece(NamedTuple):
    """A piece of one style, the name of an icon, or the end of a line."""

    text: str
    style: Style = _UPRIGHT
    kind: Literal["text", "icon", "break"] = "text"


@dataclass(slots=True)
class _Part:
    """A part of a paragraph while it is read: what was written, and what it turned out to be."""

    text: str
    kind: Literal["text", "icon", "break", "stars", "small", "end"] = "text"
    bold: int = 0
    italic: int = 0
    small: int = 0
    opens: bool = False
    closes: bool = False


def pieces(paragraph: str) -> list[Piece]:
    """The pieces of a paragraph; a mark without a partner stays as it was written."""
    if "*" not in paragraph and "{" not in paragraph and "\\" not in paragraph:
        return [Piece(paragraph)]
    parts = _parts(paragraph)
    _pair_stars(parts)
    _pair_small(parts)
    return _joined(parts)


def unread_icons(text: str) -> list[str]:
    """What was begun like an icon and is none, such as `{icon:two words}` or one that is not closed."""
    return [match[1] for match in _UNREAD.finditer(text) if match[1]]


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
    # One star opens before a word and closes behind one; two pair wherever they stand.
    several = len(mark) > 1
    opens = several or (end < len(paragraph) and not paragraph[end].isspace())
    closes = several or (start > 0 and not paragraph[start - 1].isspace())
    return _Part(mark, "stars", opens=opens, closes=closes)


def _pair_stars(parts: list[_Part]) -> None:
    """Stars become italic and bold from the inside out; each closing run takes the nearest open one that fits."""
    opened: list[int] = []
    for at, part in enumerate(parts):
        if part.kind != "stars":
            continue
        while part.closes and part.text:
            start = next((open_ for open_ in reversed(opened) if _fit(parts[open_], part)), None)
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


def _fit(opening: _Part, closing: _Part) -> bool:
    """Whether two runs of stars can be the two ends of one mark: one star is none of two."""
    return {len(opening.text), len(closing.text)} != {1, 2}


def _pair_small(parts: list[_Part]) -> None:
    """What stands between `{sc:` and its bracket is small."""
    opened: list[int] = []
    for at, part in enumerate(parts):
        if part.kind == "small":
            opened.append(at)
        elif part.kind == "end" and opened:
            for between in parts[opened[-1] + 1 : at]:
                between.small += 1
            parts[opened.pop()].text = part.text = ""


def _joined(parts: list[_Part]) -> list[Piece]:
    """The pieces that are not empty; neighbours of one style are one."""
    out: list[Piece] = []
    for part in parts:
        if part.kind in ("icon", "break"):
            out.append(Piece(part.text, kind="icon" if part.kind == "icon" else "break"))
            continue
        style = Style(part.bold > 0, part.italic > 0, part.small > 0)
        if not part.text:
            continue
        if out and out[-1].kind == "text" and out[-1].style == style:
            out[-1] = Piece(out[-1].text + part.text, style)
        else:
            out.append(Piece(part.text, style))
    return out
