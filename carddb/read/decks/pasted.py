"""Pasted lists: splitting a text into several decks, and removing what pages, mail and chat put around lines."""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from email.utils import parseaddr
from functools import cached_property, lru_cache
from typing import NamedTuple

from carddb.read.decks import line
from carddb.read.decks.line import HeadingLine, begins_with_count, tidy

_FROM = re.compile(r"(?:from|von|de|da|od)\s*:\s*(\S.*)", re.I)
_FIRST_HEADER = re.compile(r"(?:subject|betreff|objet|to|cc|date|sent|datum|reply-to)\s*:", re.I)
_PLAYER = re.compile(r"(?:#+\s*)?player\s*:\s*(\S.*)", re.I)
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")


class PastedDeck(NamedTuple):
    """A deck in a pasted text: its player (empty if no line names one), its text, and its first line number."""

    player: str
    text: str
    line: int


class Division(NamedTuple):
    """The decks of a pasted text, and a sentence that says what divides them."""

    decks: list[PastedDeck]
    by: str


def divide(text: str) -> Division:
    """Returns the decks of a text, divided at `From:`, else `Player:`, else two blank lines. Omits mail headers."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    for pattern, words in ((_FROM, "each From: line begins a deck"), (_PLAYER, "each Player: line begins a deck")):
        starts = [number for number, line in enumerate(lines) if pattern.match(line.strip())]
        if starts:
            ends = [*starts[1:], len(lines)]
            parts = [_deck(lines[start:end], start) for start, end in zip(starts, ends, strict=True)]
            return Division([part for part in parts if part.text], words)
    decks, start = [], 0
    for end in (*(gap.span() for gap in _BLANKS.finditer(text)), (len(text), 0)):
        part = text[start : end[0]]
        if part.strip():
            first = start + len(part) - len(part.lstrip("\n"))
            decks.append(_deck(part.strip("\n").split("\n"), text.count("\n", 0, first)))
        start = end[1]
    return Division(decks, "two blank lines begin another deck" if len(decks) > 1 else "the text is one deck")


def player_named_in(text: str) -> str:
    """Returns the player in a deck's `Player:` line, or an empty text."""
    return next((match[1].strip() for line in text.splitlines() if (match := _PLAYER.match(line.strip()))), "")


def _deck(lines: list[str], start: int) -> PastedDeck:
    player, first = "", 0
    while first < len(lines):
        line = lines[first].strip()
        sender = _FROM.match(line)
        if line and not sender and not _FIRST_HEADER.match(line):
            break
        if sender:
            name, address = parseaddr(sender[1][:SHOWN])  # shortened, since it calls itself for every bracket
            player = name or address.partition("@")[0] or sender[1].strip()
        first += 1
    player = player_named_in("\n".join(lines)) or player
    return PastedDeck(player, "\n".join(lines[first:]).strip("\n"), start + first + 1)


_LINK = re.compile(r"(?:https?://|www\.)\S+", re.I)
_BOUNDS = r"\s*(?:\(\s*(?:min|max|minimum|maximum|between|at least|at most|of|out of)\b[^()]{0,40}\)|/\s*[0-9]{1,6})"
_DECK_SIZE = re.compile(
    rf"(?:(?:total|deck size|total cards|cards in all)\s*+[:=]?\s*+\(?([0-9]{{1,6}})\)?(?:\s*cards?)?|"
    rf"([0-9]{{1,6}})\s+cards?(?:\s+(?:total|in all|in deck))?)(?:{_BOUNDS})?\s*\.?",
    re.I,
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_END = (".", "!", "?", ":", ",", "…", ":-)", ":)", ";)")
_LONG = 8

_KINDS = {
    "a mark of a code block": (r"(?:```|~~~)\s*\w{0,20}",),
    "the mark of a signature": (r"--|—",),
    "a line of a mail's heading": (
        r".{1,200}\b(?:wrote|writes|schrieb|a écrit)\s*:",
        r"(?:from|to|cc|bcc|subject|sent|reply-to|von|an|betreff|gesendet)\s*:\s*\S.*",
        r"[-_=\s]*(?:begin )?(?:original|forwarded) message[-_=\s]*:?",
    ),
    "a line of a signature": (r"(?:sent from|sent via|get outlook|von meinem) .{1,60}",),
    "a greeting": (
        r"(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|hallo|moin|liebe[rs]?|guten \w+|"
        r"bonjour|salut|hola|ciao)(?:[\s,]++[^,]{0,40})?\s*+[,!.:–-]+",
        r"(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)(?:\s+(?:all|there|\w+))?",
    ),
    "a closing": (
        r"(?:cheers|thanks|many thanks|thank you|thx|sincerely|regards|bye|see you|take care|have fun|good luck|"
        r"(?:best|kind|warm)(?: regards| wishes)?|yours(?: truly| sincerely)?|viele grüße|liebe grüße|gruß|"
        r"cordialement)(?:[,.!\s–-].{0,40})?",
    ),
    "a claim about the deck": (
        rf"(?:[0-9]{{1,6}}\s++)?[\w' -]{{0,60}}{_BOUNDS}\s*\.?",
        rf"cards?(?:\s+(?:total|in all|in deck))?(?:{_BOUNDS})?\s*\.?",
        r"cards up to .{1,60}",
    ),
    "a note of the program that wrote the list": (
        r"(?:exported|generated|created|built|made|deck built) (?:by|from|with|on|at) .{1,80}",
    ),
}
"""The patterns of lines of text, by kind of text; case is ignored."""
_PATTERNS = [(kind, re.compile(pattern, re.I)) for kind, patterns in _KINDS.items() for pattern in patterns]
ENDS_MAIL = ("a closing", "the mark of a signature")
"""The kinds of lines after which every line belongs to a signature."""


def kind_of(line: str, counted: bool = False) -> str:
    """Returns which kind of text a line is, or "" if none; `counted` means that the line begins with a number."""
    for kind, pattern in _PATTERNS:
        if pattern.fullmatch(line):
            return kind
    return "a link" if not counted and _LINK.search(line) else ""


def is_sentence(line: str) -> bool:
    """Returns whether a line looks like a sentence: four words or more with a mark at the end, or eight or more."""
    words = len(_WORD.findall(line))
    return words >= _LONG or (words >= _LONG // 2 and line.rstrip("\"')*_ ").endswith(_SENTENCE_END))


def deck_size(line: str) -> int | None:
    """Returns the number of cards that a line says the deck has (`15 cards (min 45)`, `Total: 40`); else None."""
    match = _DECK_SIZE.fullmatch(line)
    return int(match[1] or match[2]) if match else None


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
_MARKDOWN_LINK = re.compile(r"!?\[([^\[\]]{1,120})\]\((?:https?:|/|#)[^()\s]{0,500}\)")
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
"""Signs that may mean that a line does not count; they are not removed with other markup."""
_FEWEST_NUMBERED, _FEWEST_BESIDE_COUNTS = 3, 2


def plain(line: str, numbered: bool = False) -> str:
    """Returns a line without markup, list signs and price, if `numbered` without a list number too; it may be empty."""
    text = html.unescape(line) if "&" in line else line
    text = _FORUM_TAG.sub("", _HTML_TAG.sub("", _MARKDOWN_LINK.sub(r"\1", text)))
    text = _EMPHASIS.sub(r"\2", text).strip()
    text = _BULLET.sub("", text, count=1) if _BULLET.match(text) else text
    text = _BOX.sub("", text, count=1) if _BOX.match(text) else text
    start = 0  # behind leading emoji and arrows
    while start < len(text) and (text[start] in " →\ufe0f" or unicodedata.category(text[start]) in ("So", "Cf")):
        start += 1
    text = text if _REFUSING & set(text[:start]) else text[start:]
    text = _NUMBER.sub("", text, count=1) if numbered and _NUMBER.match(text) else text
    return _PRICE.sub("", text).strip()


def is_struck(line: str) -> bool:
    """Returns whether a line is struck out in Markdown, BBCode or HTML."""
    return bool(_STRUCK.fullmatch(line))


def is_rule(line: str) -> bool:
    """Returns whether a line is a rule, that is, one sign repeated."""
    return bool(_RULE.fullmatch(line))


SHOWN = 200
"""The most characters of a line that findings show."""


@dataclass(frozen=True, slots=True)
class LineShape:
    """A line as typed (`raw`) and tidied (`text`), and as a heading or a header line if it looks like one.

    `pair` is the key and value of a header line; the value is as typed, since it may be a name with curved quotes.
    """

    raw: str
    text: str
    heading: HeadingLine | None
    pair: tuple[str, str] | None


@lru_cache(maxsize=1024)  # the same headings and header lines occur in deck after deck
def line_shape(raw: str) -> LineShape:
    """Returns the shape of a line as it was typed, which is tidied here."""
    return shape_of(raw, line.tidy(raw))


def shape_of(raw: str, text: str) -> LineShape:
    """Returns the shape of a line: `raw` as it was typed, and `text` tidied."""
    pair = line.key_value(text)
    if pair and ":" in raw:
        pair = pair[0], raw.partition(":")[2].strip()
    return LineShape(raw, text, line.heading(text), pair)


def shown(raw: str) -> str:
    """Returns the part of a line that findings show."""
    return raw.strip()[:SHOWN]


MAX_LINE = 2_000
"""The most characters of a line that are read."""
_AHEAD = 10
"""The most lines after a line among which the next one that is not blank is looked for."""


class ListLines:
    """The lines of one list; a line is given by its index from 0."""

    def __init__(self, raw: Sequence[str]) -> None:
        self.raw = raw

    @cached_property
    def _tidied(self) -> list[str]:
        return [tidy(line[:MAX_LINE]) for line in self.raw]

    @cached_property
    def _content(self) -> list[int]:
        """The indices of the lines that are not blank."""
        return [index for index, line in enumerate(self._tidied) if line]

    @cached_property
    def _numbered(self) -> set[int]:
        """The indices of the lines with list numbers, `2. Pike Square`, if these are 1, 2, 3 without gaps.

        If there are gaps, or only two numbered lines, the numbers may be counts. Two are enough if other lines have
        counts without a dot.
        """
        places = {at: int(match[1]) for at, line in enumerate(self._tidied) if (match := _NUMBER.match(line))}
        numbers = list(places.values())
        runs = all(number in (1, before + 1) for before, number in zip([0, *numbers], numbers, strict=False))
        fewest = _FEWEST_BESIDE_COUNTS if any(map(begins_with_count, self._tidied)) else _FEWEST_NUMBERED
        return set(places) if runs and (len(numbers) >= fewest or set(numbers) == {1}) else set()

    def plain(self, index: int, line: str) -> str:
        """Returns a line without the markup around it, and without its list number."""
        return plain(line, index in self._numbered)

    def beside(self, index: int) -> str | None:
        """Returns the next line, empty if it is blank or a rule; None after the last line."""
        return self._meant(index + 1) if index + 1 < len(self.raw) else None

    def next(self, index: int) -> str:
        """Returns the next line that is neither blank nor a rule, or an empty text."""
        return next(filter(None, map(self._meant, range(index + 1, min(index + _AHEAD, len(self.raw))))), "")

    def is_first(self, index: int) -> bool:
        """Returns whether only blank lines precede a line."""
        return index == self._content[0]

    def is_underlined(self, index: int) -> bool:
        """Returns whether the line below is a rule."""
        return index + 1 < len(self.raw) and is_rule(self._tidied[index + 1])

    def counts_follow(self, index: int) -> bool:
        """Returns whether a later line begins with a count."""
        return any(begins_with_count(self._meant(other)) for other in self._content if other > index)

    def sideboard_gap(self) -> int | None:
        """Returns the index of the only blank line if all others begin with counts, as in Magic Online; else None."""
        tidied = (line_shape(line[:MAX_LINE]).text for line in self.raw)
        if not all(not line or begins_with_count(line) for line in tidied):  # most lists begin with a heading
            return None
        content = self._content
        gaps = [index for index in range(content[0], content[-1]) if not self._tidied[index]] if content else []
        return gaps[0] if len(gaps) == 1 else None

    def _meant(self, index: int) -> str:
        line = self._tidied[index]
        return "" if is_rule(line) else self.plain(index, line)
