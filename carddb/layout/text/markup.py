"""The markup in texts of cards: bold, italic and small capitals, icons and line breaks."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

_MARK = re.compile(r"\\[*{}\\]|\*+|\{icon:[\w-]+\}|\{br\}|\{sc:|\}")
_ICON, _SMALL, _BREAK = "{icon:", "{sc:", "{br}"
_UNREAD = re.compile(r"\\.|\{icon:[\w-]+\}|\{br\}|\{sc:|(\{[Ii][Cc][Oo][Nn]:?[^}\s]*\}?|\{[^\W\d][\w:-]*\})")


@dataclass(slots=True)
class Inline:
    """A part of a paragraph: its kind, its text as written (for an icon, its name), and its style so far."""

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


def inlines(paragraph: str) -> list[Inline]:
    """Returns the texts, icons and breaks of a paragraph; texts of one style are joined, unpaired marks become text."""
    if "*" not in paragraph and "{" not in paragraph and "\\" not in paragraph:
        return [Inline(paragraph)]
    parts = _parts(paragraph)
    _pair_stars(parts)
    _pair_small(parts)
    out: list[Inline] = []
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
    """Returns the parts of a text that look like markup but are not, and so are printed as they are written.

    These are `{icon:two words}`, an icon that is not closed, `{Icon:pearl}` or `{pearl}`, and `**` without a partner.
    """
    marks = [match[0] for match in _UNREAD.finditer(text) if match[1]]
    for paragraph in paragraphs(text) if "**" in text else ():
        parts = _parts(paragraph)
        _pair_stars(parts)
        marks += [part.text for part in parts if part.kind == "stars" and len(part.text) > 1]
    return marks


def unread_words(mark: str) -> tuple[str, str]:
    """Returns the message and the remedy of a finding about a mark that `unread_marks` returns."""
    message = f"{mark!r} is printed as it is written, because it is neither an icon nor a mark of bold text"
    if mark.startswith("*"):
        return message, r"Write ** at both ends of the bold text, in the same paragraph, or \*\* to print the stars."
    word = mark.strip("{}").rpartition(":")[2]
    word = "name" if word.lower() in ("", "icon") else word
    return message, f"Write {{icon:{word}}}, with letters, digits and hyphens, or \\{{ to print the brace."


def _parts(paragraph: str) -> list[Inline]:
    parts, end = [], 0
    for match in _MARK.finditer(paragraph):
        if match.start() > end:
            parts.append(Inline(paragraph[end : match.start()]))
        parts.append(_mark(match[0], paragraph, match.start(), match.end()))
        end = match.end()
    if end < len(paragraph):
        parts.append(Inline(paragraph[end:]))
    return parts


def _mark(mark: str, paragraph: str, start: int, end: int) -> Inline:
    if mark[0] == "\\":
        return Inline(mark[1])
    if mark == _BREAK:
        return Inline(mark, "break")
    if mark.startswith(_ICON):
        return Inline(mark[len(_ICON) : -1], "icon")
    if mark in (_SMALL, "}"):
        return Inline(mark, "end" if mark == "}" else "small")
    # A single star opens only before a word and closes only after a word; double stars do both anywhere.
    several = len(mark) > 1
    opens = several or (end < len(paragraph) and not paragraph[end].isspace())
    closes = several or (start > 0 and not paragraph[start - 1].isspace())
    return Inline(mark, "stars", opens=opens, closes=closes)


def _pair_stars(parts: list[Inline]) -> None:
    """Makes text between stars italic or bold; closing stars are paired with the nearest open stars that match."""
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


def _pair_small(parts: list[Inline]) -> None:
    """Sets the text from `{sc:` to the matching closing brace in small capitals."""
    opened: list[int] = []
    for at, part in enumerate(parts):
        if part.kind == "small":
            opened.append(at)
        elif part.kind == "end" and opened:
            for between in parts[opened[-1] + 1 : at]:
                between.small += 1
            parts[opened.pop()].text = part.text = ""


def plain(text: str) -> str:
    """Returns a text without its markup, for reading aloud or searching; icons are replaced by their names."""
    said, after_icon = "", False
    for inline in (inline for paragraph in paragraphs(text) for inline in [*inlines(paragraph), Inline("", "break")]):
        is_icon = inline.kind == "icon"
        word = inline.text.replace("-", " ") if is_icon else " " if inline.kind == "break" else inline.text
        joins_letters = said[-1:].isalnum() and word[:1].isalnum()
        said += (" " if joins_letters and (is_icon or after_icon) else "") + word
        after_icon = is_icon
    return re.sub(r"\s+", " ", said).strip()


def paragraphs(text: str) -> list[str]:
    """Returns the paragraphs of a text that are not empty, in composed characters (NFC)."""
    return [line for line in unicodedata.normalize("NFC", text).split("\n") if line.strip()]
