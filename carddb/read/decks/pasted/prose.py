"""Lines of a pasted list that are text and no cards: greetings, signatures, headings of mail, claims about the deck."""

from __future__ import annotations

import re

_GREETING = re.compile(
    r"(?:hi|hello|hey|hiya|dear|greetings|good (?:morning|afternoon|evening|day)|hallo|moin|liebe[rs]?|guten \w+|"
    r"bonjour|salut|hola|ciao)(?:[\s,]+[^,]{1,40})?\s*[,!.:–-]+",
    re.I,
)
_SHORT_GREETING = re.compile(r"(?:hi|hello|hey|hallo|moin|bonjour|salut|hola|ciao)(?:\s+(?:all|there|\w+))?", re.I)
_CLOSING = re.compile(
    r"(?:cheers|thanks|many thanks|thank you|thx|sincerely|regards|bye|see you|take care|have fun|good luck|"
    r"(?:best|kind|warm)(?: regards| wishes)?|yours(?: truly| sincerely)?|viele grüße|liebe grüße|gruß|cordialement)"
    r"(?:[,.!\s–-].{0,40})?",
    re.I,
)
_SIGNATURE_MARK = re.compile(r"--|—")
_ATTRIBUTION = re.compile(r".{1,200}\b(?:wrote|writes|schrieb|a écrit)\s*:", re.I)
_MAIL_HEADER = re.compile(r"(?:from|to|cc|bcc|subject|sent|reply-to|von|an|betreff|gesendet)\s*:\s*\S.*", re.I)
_FORWARDED = re.compile(r"[-_=\s]*(?:begin )?(?:original|forwarded) message[-_=\s]*:?", re.I)
_SENT_FROM = re.compile(r"(?:sent from|sent via|get outlook|von meinem) .{1,60}", re.I)
_FENCE = re.compile(r"(?:```|~~~)\s*\w{0,20}")
_LINK = re.compile(r"(?:https?://|www\.)\S+", re.I)
_MADE_BY = re.compile(r"(?:exported|generated|created|built|made|deck built) (?:by|from|with|on|at) .{1,80}", re.I)
_CARDS_UP_TO = re.compile(r"cards up to .{1,60}", re.I)
_BOUNDS = r"\s*(?:\(\s*(?:min|max|minimum|maximum|between|at least|at most|of|out of)\b[^()]{0,40}\)|/\s*[0-9]{1,6})"
_DECK_SIZE = re.compile(
    rf"(?:(?:total|deck size|total cards|cards in all)\s*[:=]?\s*\(?([0-9]{{1,6}})\)?(?:\s*cards?)?|"
    rf"([0-9]{{1,6}})\s+cards?(?:\s+(?:total|in all|in deck))?)(?:{_BOUNDS})?\s*\.?",
    re.I,
)
_NO_SIZE = re.compile(rf"cards?(?:\s+(?:total|in all|in deck))?(?:{_BOUNDS})?\s*\.?", re.I)
_OTHER_CLAIM = re.compile(rf"(?:[0-9]{{1,6}}\s+)?[\w' -]{{0,60}}{_BOUNDS}\s*\.?", re.I)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_END = (".", "!", "?", ":", ",", "…", ":-)", ":)", ";)")
_LONG = 8

_KINDS = (
    ("a mark of a code block", _FENCE),
    ("the mark of a signature", _SIGNATURE_MARK),
    ("a line of a mail's heading", _ATTRIBUTION),
    ("a line of a mail's heading", _MAIL_HEADER),
    ("a line of a mail's heading", _FORWARDED),
    ("a line of a signature", _SENT_FROM),
    ("a greeting", _GREETING),
    ("a greeting", _SHORT_GREETING),
    ("a closing", _CLOSING),
    ("a claim about the deck", _OTHER_CLAIM),
    ("a claim about the deck", _NO_SIZE),
    ("a claim about the deck", _CARDS_UP_TO),
    ("a note of the program that wrote the list", _MADE_BY),
)
_ENDS_MAIL = ("a closing", "the mark of a signature")


def kind_of(line: str, counted: bool = False) -> str:
    """What a line of text is, in words; empty where it looks like none of these. `counted`: a number is in front."""
    for kind, pattern in _KINDS:
        if pattern.fullmatch(line):
            return kind
    return "a link" if not counted and _LINK.search(line) else ""


def ends_mail(kind: str) -> bool:
    """Whether what follows such a line is a signature."""
    return kind in _ENDS_MAIL


def is_sentence(line: str) -> bool:
    """Whether a line reads as a sentence: four words and a sign at its end, or eight words."""
    words = len(_WORD.findall(line))
    return words >= _LONG or (words >= _LONG // 2 and line.rstrip("\"')*_ ").endswith(_SENTENCE_END))


def deck_size(line: str) -> int | None:
    """How many cards a line says that there are: `15 cards (min 45)`, `Total: 40`; None for any other line."""
    match = _DECK_SIZE.fullmatch(line)
    return int(match[1] or match[2]) if match else None
