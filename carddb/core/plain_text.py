"""Plain text: escaping of hidden characters, amounts and lists in words, language tags."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

_TAG = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|[0-9]{3}))?")
_RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"})
_RIGHT_TO_LEFT_SCRIPTS = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"})
_SHORT = 2
"""The number of letters of a language at the end of a file's stem; a longer ending is a word, as in `base.set.csv`."""


def language_tag(text: str) -> str:
    """Returns a tag of language, script and region in its usual spelling (RFC 5646): `pt-BR`, or "" if it is none."""
    match = _TAG.fullmatch(text.strip().replace("_", "-"))
    if not match:
        return ""
    language, script, region = (part or "" for part in match.groups())
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))


def read_tag(text: str) -> str:
    """Returns a language tag in its usual spelling; an empty text stays empty. Raises ValueError if it is not a tag."""
    if text and not language_tag(text):
        raise ValueError(f"{text!r} is not the tag of a language, such as ja or pt-BR")
    return language_tag(text)


def language_chain(lang: str) -> tuple[str, ...]:
    """Returns a language and its fallbacks, nearest first: `zh-Hant-TW`, `zh-Hant`, `zh`."""
    parts = language_tag(lang).split("-") if language_tag(lang) else []
    return tuple("-".join(parts[:count]) for count in range(len(parts), 0, -1))


def is_right_to_left(lang: str) -> bool:
    """Returns whether a language is written from right to left, judged by the script if the tag names one."""
    language, _, rest = language_tag(lang).partition("-")
    script = rest.partition("-")[0]
    return script in _RIGHT_TO_LEFT_SCRIPTS if len(script) == 4 else language in _RIGHT_TO_LEFT


def language_of_stem(stem: str) -> str:
    """Returns the language tag at the end of a file's stem, `ja` for `cards.ja`, or "" if there is none."""
    head, _, tail = stem.rpartition(".")
    return language_tag(tail) if head and len(tail.replace("_", "-").split("-")[0]) == _SHORT else ""


_CONTROL = "\x00-\x08\x0b-\x1f\x7f-\x9f"
"""The control characters: C0 without tab and line feed, DEL, and C1."""
_DIRECTED = "\u202a-\u202e\u2066-\u2069"
"""Characters that change the direction of the text around them: embeddings, overrides, isolates."""
_TAGS = "\U000e0000-\U000e007f"
_UNSEEN = "\u061c\u200b\u200e\u200f\u2028\u2029\u2060-\u2065\u206a-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff"
"""Code points without width or without character, except the two joiners, which Persian, Hindi and emoji need."""

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
"""Characters that cannot be seen: Unicode's Default_Ignorable_Code_Point, and letters that are blank."""

_HIDDEN = re.compile(f"[{_CONTROL}{_DIRECTED}{_TAGS}{_UNSEEN}]")
_STEERING = re.compile(f"[{_CONTROL}{_DIRECTED}{_TAGS}]")
_STYLES = {"reset": 0, "bold": 1, "dim": 2, "red": 31, "green": 32, "yellow": 33, "magenta": 35, "cyan": 36}
"""The codes of styles in terminals (ECMA-48, SGR)."""
_SECRET = "".join(chr(0xFDD8 + byte % 8) for byte in os.urandom(16))
"""Characters that are random in each process, so that no text that somebody wrote contains them."""
_MARKS = {style: chr(0xFDD0 + number) + _SECRET for number, style in enumerate(_STYLES)}
"""Marks that stand for styles until a text is printed: noncharacters of Unicode, which survive escaping."""
MARKED = re.compile("|".join(_MARKS.values()))
SEQUENCES = {_MARKS[style]: f"\x1b[{number}m" for style, number in _STYLES.items()}


def styled(text: str, *, fg: str = "", bold: bool = False, dim: bool = False) -> str:
    """Returns a text marked to be shown in bold, dim or a colour if the terminal can do that."""
    names = [name for name, used in ((fg, fg), ("bold", bold), ("dim", dim)) if used]
    return "".join(_MARKS[name] for name in names) + text + _MARKS["reset"]


def escaped(text: str) -> str:
    """Returns the text with each hidden character written as `\\uXXXX`, as JSON does; tabs and line feeds stay.

    JSON stays equivalent JSON. The choice of characters follows Unicode TR 36, section 3, and CVE-2021-42574.
    """
    return text if text.isascii() and text.isprintable() else _HIDDEN.sub(_escape, text)


def escaped_line(text: str) -> str:
    """Returns the text escaped on one line, that is, with line feeds escaped too."""
    return escaped(text).replace("\n", "\\u000a")


def json_text(value: Any) -> str:
    """Returns indented JSON for people: keys in the given order, hidden characters escaped, no line feed at its end."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=1))


FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that XML does not allow."""


def for_xml(text: str) -> str:
    """Returns the text with each unprintable character replaced by a space, because XML does not allow some of them."""
    return "".join(char if char.isprintable() else " " for char in text)


def json_bytes(value: Any) -> bytes:
    """Returns the JSON of `json_text` as the bytes of a file."""
    return f"{json_text(value)}\n".encode()


def without_controls(text: str) -> str:
    """Returns the text without the characters that steer a terminal or change the direction of text."""
    return text if text.isprintable() else _STEERING.sub("", text)


def without_invisibles(text: str) -> str:
    """Returns the text without the characters that cannot be seen."""
    return _INVISIBLE.sub("", text)


def control_at(text: str) -> tuple[int, str] | None:
    """Returns index and name of the first character that steers a terminal or the direction of text, or None."""
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


def whole(text: str, figures: int = 9) -> int | None:
    """Returns the whole number that `text` writes; None unless it consists of digits only, and of at most `figures`."""
    return int(text) if len(text) <= figures and text.isdecimal() else None


def amount(count: int, noun: str = "card") -> str:
    """Returns a number with its noun in singular or plural: `1 card`, `2 cards`, `3 copies`."""
    return f"{count} {noun if count == 1 else plural(noun)}"


def is_or_are(count: float) -> str:
    """Returns the verb for a number of things: `is` for 1, otherwise `are`."""
    return "is" if count == 1 else "are"


def plural(noun: str) -> str:
    """Returns a noun in the plural: `cards`, `copies`, `days`."""
    return noun[:-1] + "ies" if noun.endswith("y") and noun[-2:-1] not in "aeou" else noun + "s"


def as_ranges(numbers: Iterable[int]) -> str:
    """Returns numbers as text, with runs of consecutive ones joined, such as `2–4, 7`."""
    ordered = sorted(set(numbers))
    runs = groupby(enumerate(ordered), key=lambda pair: pair[1] - pair[0])
    ends = [[number for _, number in run] for _, run in runs]
    return ", ".join(f"{run[0]}–{run[-1]}" if len(run) > 1 else str(run[0]) for run in ends)


def listed(words: Sequence[str], most: int = 6) -> str:
    """Returns words joined as in `a, b and c`. Beyond `most` words, the last one becomes a count of the rest."""
    if len(words) > most:
        words = [*words[: most - 1], f"{len(words) - most + 1} more"]
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def first_of(words: Sequence[str], most: int) -> str:
    """Returns the first `most` words and how many others there are, if any: `a, b, c and 4 more`."""
    more = f" and {len(words) - most} more" if len(words) > most else ""
    return ", ".join(words[:most]) + more


def shortened(text: str, most: int) -> str:
    """Returns the text, or if it is longer than `most` characters, its beginning with an ellipsis, `most` in all."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def tally(counts: Mapping[str, int]) -> str:
    """Returns numbers of findings by severity, such as `2 errors, 1 warning`, or `no findings`."""
    parts = [f"{n} not checkable" if key == "not_checkable" else amount(n, key) for key, n in counts.items() if n]
    return ", ".join(parts) or "no findings"
