"""The script of a character, and how words of each script are shaped and broken into lines."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache

import uharfbuzz as hb

_COMMON = ""
"""The script code of digits, punctuation and marks, which are common to several scripts."""
_SIMPLE = frozenset(
    {_COMMON, "Latn", "Grek", "Cyrl", "Armn", "Geor", "Hani", "Hira", "Kana", "Bopo", "Hang", "Yiii", "Ethi", "Cher"}
    | {"Cans", "Copt", "Glag", "Goth", "Ital", "Ogam", "Runr", "Vaii", "Lisu", "Dsrt", "Shaw", "Osge"}
)
"""Scripts that need no shaping, because each letter is one glyph and glyphs simply follow each other."""
_WITHOUT_SPACES = frozenset({"Thai", "Laoo", "Khmr", "Mymr", "Lana", "Tale", "Talu", "Tavt"})
"""Scripts that write words without spaces between them (line breaking class SA, UAX 14)."""
_FIRST_SHAPED = "\u0590"
"""The first code point of scripts that need shaping; all scripts below it are simple."""
_LEADING_VOWELS = frozenset("เแโใไເແໂໃໄ")
"""Vowels that are written before the consonant after which they are spoken."""
_TRAILING = frozenset("ะาำๅๆฯะາຳໆຯ")
"""Vowels and signs that must stay with the preceding letter."""
_CLOSED = frozenset({"Thai", "Laoo"})
"""Scripts whose syllables can end in a consonant without a vowel sign."""
_STACKING = frozenset("\u17d2\u1039")
"""Signs that place the next consonant below the preceding one."""
_NO_WIDTH_SPACE = "\u200b"
JOINERS = frozenset("\u200c\u200d")


@lru_cache(maxsize=8192)
def script(char: str) -> str:
    """Returns the ISO 15924 code of a character's script (Unicode property Script), or "" if scripts share it."""
    buffer = hb.Buffer()
    buffer.add_str(char)
    buffer.guess_segment_properties()
    return buffer.script or _COMMON


def needs_shaping(text: str) -> bool:
    """Returns whether letters of a text join, change or carry marks, so that HarfBuzz must choose and place glyphs."""
    return not text.isascii() and max(text) >= _FIRST_SHAPED and any(script(char) not in _SIMPLE for char in text)


def shaped_stretches(text: str) -> Iterator[tuple[str, str]]:
    """Yields a text in stretches, each with the script in which it is shaped, or "" if it needs no shaping.

    A mark, a joiner, or a letter shared by several scripts belongs to the stretch before it.
    """
    start, current = 0, _COMMON
    for at, char in enumerate(text):
        own = script(char)
        if own == current:
            continue
        if own == _COMMON and at > start and current and (char in JOINERS or unicodedata.category(char)[0] in "LM"):
            continue
        if own in _SIMPLE and current in _SIMPLE:
            continue
        if at > start:
            yield text[start:at], "" if current in _SIMPLE else current
        start, current = at, own
    yield text[start:], "" if current in _SIMPLE else current


def may_break_anywhere(text: str) -> bool:
    """Returns whether a text contains a script that is written without spaces between words."""
    return not text.isascii() and max(text) >= _FIRST_SHAPED and any(script(char) in _WITHOUT_SPACES for char in text)


def clusters(text: str) -> Iterator[str]:
    """Yields the parts of a text within which no line may end: letters with marks, or words in scripts with spaces.

    A zero-width space always separates two parts and is left out.
    """
    for part in text.split(_NO_WIDTH_SPACE):
        start = 0
        for at in range(1, len(part)):
            if _may_part(part, at):
                yield part[start:at]
                start = at
        yield part[start:]


def _may_part(text: str, at: int) -> bool:
    """Returns whether a line may end between the characters at the indices `at` - 1 and `at`."""
    before, after = text[at - 1], text[at]
    if script(before) not in _WITHOUT_SPACES or script(after) not in _WITHOUT_SPACES:
        return False
    if _follows(after) or before in _LEADING_VOWELS or before in _STACKING:
        return False
    # A consonant without a vowel mostly ends a syllable.
    return script(after) not in _CLOSED or after in _LEADING_VOWELS or _follows(text[at + 1 : at + 2])


def _follows(char: str) -> bool:
    """Returns whether a character must stay on the line of the letter before it."""
    return bool(char) and (unicodedata.category(char)[0] == "M" or char in _TRAILING or char in JOINERS)
