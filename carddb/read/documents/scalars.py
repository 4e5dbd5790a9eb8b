"""What a plain YAML scalar means: the core schema of YAML 1.2, but zeros in front keep a number text."""

from __future__ import annotations

import re
from math import isfinite

Scalar = str | int | float | bool | None

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)")
_BASED = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_LONGEST_NUMBER = 300


def resolve(text: str) -> Scalar:
    """The value of a plain scalar. `no`, dates, `007`, `.inf` and numbers beyond reason are text."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "+-.0123456789" or len(text) > _LONGEST_NUMBER:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text) and isfinite(number := float(text)):
        return number
    return text
