"""Text that stays text: hidden characters written out, amounts and lists in words, the tags of languages."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Sequence
from typing import Any

_TAG = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|[0-9]{3}))?")
_RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"})
_RIGHT_TO_LEFT_SCRIPTS = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"})
_SHORT = 2
"""The letters of a language that a file's name may end with; longer ones are words, as in `base.set.csv`."""


def language_tag(text: str) -> str:
    """Returns a tag as it is usually written, `pt-BR` for `pt-br` (RFC 5646, section 2.1.1); empty for what is none.

    Language, script and region are known, all else is none.
    """
    match = _TAG.fullmatch(text.strip().replace("_", "-"))
    if not match:
        return ""
    language, script, region = (part or "" for part in match.groups())
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))


def read_tag(text: str) -> str:
    """Returns the tag that somebody wrote as it is usually written; no text stays none. Raises ValueError."""
    if text and not language_tag(text):
        raise ValueError(f"{text!r} is no tag of a language, such as ja or pt-BR")
    return language_tag(text)


def language_chain(lang: str) -> tuple[str, ...]:
    """Returns a language and those that stand in for it, the nearest first: `zh-Hant-TW`, `zh-Hant`, `zh`."""
    parts = language_tag(lang).split("-") if language_tag(lang) else []
    return tuple("-".join(parts[:count]) for count in range(len(parts), 0, -1))


def is_right_to_left(lang: str) -> bool:
    """Returns whether a language is written from right to left, by its script where the tag names one."""
    language, _, rest = language_tag(lang).partition("-")
    script = rest.partition("-")[0]
    return script in _RIGHT_TO_LEFT_SCRIPTS if len(script) == 4 else language in _RIGHT_TO_LEFT


def language_of_stem(stem: str) -> str:
    """Returns the language that the name of a file ends with, `ja` for `cards.ja`; empty where it ends with none."""
    head, _, tail = stem.rpartition(".")
    return language_tag(tail) if head and len(tail.replace("_", "-").split("-")[0]) == _SHORT else ""


_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
"""C0 without tab and line feed, DEL, and C1."""
_DIRECTED = "\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of the text around them: embeddings, overrides, isolates."""
_TAGS = "\U000e0000-\U000e007f"
_UNSEEN = "\u061c\u200b\u200e\u200f\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
"""No width, or no character at all. The two joiners are missing: Persian, Hindi and emoji are spelt with them."""

_HIDDEN = re.compile(f"[{_CONTROL}{_DIRECTED}{_TAGS}{_UNSEEN}]")
_STEERING = re.compile(f"[{_CONTROL}{_DIRECTED}{_TAGS}]")
_STYLES = {"reset": 0, "bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "magenta": 35, "cyan": 36}
"""The numbers by which a terminal knows them (ECMA-48, SGR)."""
_SECRET = "".join(chr(0xFDD8 + byte % 8) for byte in os.urandom(16))
"""Of this process alone: no text that somebody wrote can have it."""
_MARKS = {style: chr(0xFDD0 + number) + _SECRET for number, style in enumerate(_STYLES)}
"""Marks of styles until a text is printed: no characters of Unicode, so that all those can be escaped."""
MARKED = re.compile("|".join(_MARKS.values()))
SEQUENCES = {_MARKS[style]: f"\x1b[{number}m" for style, number in _STYLES.items()}


def styled(text: str, *, fg: str = "", bold: bool = False, dim: bool = False) -> str:
    """Returns a text that the command line shows in bold, dim or in a colour where the terminal can."""
    names = [name for name, used in ((fg, fg), ("bold", bold), ("dim", dim)) if used]
    return "".join(_MARKS[name] for name in names) + text + _MARKS["reset"]


def escaped(text: str) -> str:
    """Returns the text with each hidden character as `\\uXXXX`, as JSON writes it; tabs and line feeds stay.

    Of JSON it makes the same JSON. Names: Unicode TR 36, section 3; the overrides of CVE-2021-42574.
    """
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_escape, text)


def escaped_line(text: str) -> str:
    """Returns the text escaped on one line: line feeds are written out too."""
    return escaped(text).replace("\n", "\\u000a")


def json_text(value: Any) -> str:
    """Returns JSON for people to read, in the order given: indented, hidden characters escaped, no last line feed."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=1))


def json_bytes(value: Any) -> bytes:
    """Returns the JSON of `json_text` as the bytes of a file."""
    return f"{json_text(value)}\n".encode()


def without_controls(text: str) -> str:
    """Returns the text without the characters that `control_at` finds."""
    return text if text.isprintable() else _STEERING.sub("", text)


def control_at(text: str) -> tuple[int, str] | None:
    """Returns the first character that steers a terminal or turns the direction of words: its index, and its name."""
    match = None if text.isprintable() else _STEERING.search(text)
    if match is None:
        return None
    name = unicodedata.name(match[0], "")
    return match.start(), f"U+{ord(match[0]):04X}" + (f" ({name.lower()})" if name else "")


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"


def amount(count: int, noun: str = "card") -> str:
    """Returns a number with its noun: `1 card`, `2 cards`, `3 copies`."""
    return f"{count} {noun if count == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Returns a noun in the plural: `cards`, `copies`, `days`."""
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeou" else noun + "s"


def listed(words: Sequence[str], most: int = 6) -> str:
    """Returns `a, b and c`; past `most` words the rest is only counted, as the last of them."""
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def first_of(words: Sequence[str], most: int) -> str:
    """Returns the first `most` words, `a, b, c`, and how many there are beside: `a, b, c and 4 more`."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more
