"""Several decks in one text, such as mails pasted one after the other: where each begins, and whose it is."""

from __future__ import annotations

import re
from email.utils import parseaddr
from typing import NamedTuple

_FROM = re.compile(r"(?:from|von|de|da|od)\s*:\s*(\S.*)", re.I)
_MAIL_HEADER = re.compile(r"(?:subject|betreff|objet|to|cc|date|sent|datum|reply-to)\s*:", re.I)
_PLAYER = re.compile(r"(?:#+\s*)?player\s*:\s*(\S.*)", re.I)
_BLANKS = re.compile(r"\n(?:[ \t]*\n){2,}")


class PastedDeck(NamedTuple):
    """A deck of a pasted text: its player, or nothing where no line says it, its text, and its first line there."""

    player: str
    text: str
    line: int


class Division(NamedTuple):
    """A pasted text divided into decks, and by what, in words."""

    decks: list[PastedDeck]
    by: str


def divide(text: str) -> Division:
    """The decks of a text: one from each `From:` line, else from each `Player:` line, else from two blank lines on.

    The head of a mail (From, Subject, Date, ...) is taken off.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    for pattern, words in ((_FROM, "each From: line begins a deck"), (_PLAYER, "each Player: line begins a deck")):
        starts = [number for number, line in enumerate(lines) if pattern.match(line.strip())]
        if starts:
            ends = [*starts[1:], len(lines)]
            parts = [_deck(lines[start:end], start) for start, end in zip(starts, ends, strict=True)]
            return Division([part for part in parts if part.text], words)
    decks, line = [], 1
    for part, gap in _parts(text):
        if part.strip():
            blank = len(part) - len(part.lstrip("\n"))
            decks.append(_deck(part.strip("\n").split("\n"), line - 1 + blank))
        line += (part + gap).count("\n")
    return Division(decks, "two blank lines begin another deck" if len(decks) > 1 else "it is one deck")


def player_named_in(text: str) -> str:
    """The player whom a `Player:` line of a deck names; empty where there is none."""
    return _player_line(text.splitlines())


def _player_line(lines: list[str]) -> str:
    return next((match[1].strip() for line in lines if (match := _PLAYER.match(line.strip()))), "")


def _parts(text: str) -> list[tuple[str, str]]:
    """The parts of a text with the blank lines after each."""
    parts, start = [], 0
    for gap in _BLANKS.finditer(text):
        parts.append((text[start : gap.start()], gap[0]))
        start = gap.end()
    return [*parts, (text[start:], "")]


def _deck(lines: list[str], start: int) -> PastedDeck:
    player, first = "", 0
    while first < len(lines) and (not lines[first].strip() or _is_mail_head(lines[first])):
        sender = _FROM.match(lines[first].strip())
        player = _sender(sender[1]) if sender else player
        first += 1
    return PastedDeck(_player_line(lines) or player, "\n".join(lines[first:]).strip("\n"), start + first + 1)


def _is_mail_head(line: str) -> bool:
    return bool(_FROM.match(line.strip()) or _MAIL_HEADER.match(line.strip()))


def _sender(text: str) -> str:
    """The name of a sender; of a bare address what stands before the @."""
    name, address = parseaddr(text)
    return name or address.partition("@")[0] or text.strip()
