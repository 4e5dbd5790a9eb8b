"""Lines without what a page, a forum, a chat or a check list puts around them: tags, links, boxes, symbols, prices."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence

from carddb.read.decks.line import begins_with_count

_FORUM_TAG = re.compile(
    r"\[/?(?:b|i|u|url|img|card|cards|deck|list|olist|code|quote|spoiler|color|size|center|left|right|table|t[rdh]|\*)"
    r"(?:=[^\[\]]{0,200})?\]",
    re.I,
)
_HTML_TAG = re.compile(
    r"</?(?:ul|ol|li|p|br|hr|div|span|b|i|u|em|strong|a|td|tr|th|table|tbody|thead|pre|code|h[1-6]|blockquote)"
    r"(?:\s[^<>]{0,500})?/?>",
    re.I,
)
_LINK = re.compile(r"!?\[([^\[\]]{1,120})\]\((?:https?:|/|#)[^()\s]{0,500}\)")
_EMPHASIS = re.compile(r"(\*{1,3}|_{1,3}|`)(?=[^\s*_`])(.{1,120}?)(?<=\S)\1")
_BOX = re.compile(r"\[[ xX✓✔]?\]\s+")
_BULLET = re.compile(r"[-*+–•]\s+(?=[\[\W\d])")
_PRICE = re.compile(
    r"\s(?:[-–—:@]\s?)?(?:[$€£]\s?[0-9]{1,6}(?:[.,][0-9]{1,2})?|[0-9]{1,6}[.,][0-9]{2}\s?(?:[$€£]|EUR|USD|GBP))$"
)
_NUMBER = re.compile(r"([0-9]{1,3})[.)]\s+(?=\S)")
_STRUCK = re.compile(r"[-*+•\s]{0,6}(?:~~[^~]+~~|\[s\].+\[/s\]|<(s|del|strike)>.+</\1>)[\s.,;]{0,6}", re.I)
_RULE = re.compile(r"([-=_*~+#–—.·])(?: ?\1){2,}")
_REFUSING = set("❌✖✗✘🚫⛔❎")
"""Symbols that may say that a line does not count: such a line is left as it is."""
_FEWEST_NUMBERED, _FEWEST_BESIDE_COUNTS = 3, 2


def plain(line: str, numbered: bool = False) -> str:
    """A line without markup; empty where it is nothing else. `numbered`: the number in front is its place in a list."""
    text = html.unescape(line) if "&" in line else line
    text = _FORUM_TAG.sub("", _HTML_TAG.sub("", _LINK.sub(r"\1", text)))
    text = _EMPHASIS.sub(r"\2", text).strip()
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    text = _without_symbols(_BOX.sub("", text, count=1) if _BOX.match(text) else text)
    text = _NUMBER.sub("", text, count=1) if numbered and _NUMBER.match(text) else text
    return _PRICE.sub("", text).strip()


def is_struck(line: str) -> bool:
    """Whether a line is struck out."""
    return bool(_STRUCK.fullmatch(line))


def is_rule(line: str) -> bool:
    """Whether a line is ruled: one sign again and again."""
    return bool(_RULE.fullmatch(line))


def numbered(lines: Sequence[str]) -> set[int]:
    """The places of lines that bear the numbers of a list, as `2. Pike Square`: 1, 2, 3 without gaps.

    Where there are gaps, or only two such lines, a number may as well be a count. Two are enough where other lines have
    counts, for these are written without a dot.
    """
    places = {at: int(match[1]) for at, line in enumerate(lines) if (match := _NUMBER.match(line))}
    numbers = list(places.values())
    runs = all(number in (1, before + 1) for before, number in zip([0, *numbers], numbers, strict=False))
    fewest = _FEWEST_BESIDE_COUNTS if any(map(begins_with_count, lines)) else _FEWEST_NUMBERED
    return set(places) if runs and (len(numbers) >= fewest or set(numbers) == {1}) else set()


def _without_symbols(text: str) -> str:
    """A text without emoji and arrows in front."""
    start = next((at for at, char in enumerate(text) if not _is_symbol(char)), len(text))
    return text if _REFUSING & set(text[:start]) else text[start:]


def _is_symbol(char: str) -> bool:
    return char in " →\ufe0f" or unicodedata.category(char) in ("So", "Cf")
