"""Questions to the referee as JSON: one per text, or one per line."""

from __future__ import annotations

import json
import re
from typing import Any

from carddb.read.documents.parse_notes import MAX_KEYS

_DEPTH = 100
"""The depth at which JSON is cut off: deeper than any question, yet shallow enough for the parser."""
_LARGE = 100_000
"""The length in bytes above which the keys of each object are counted."""

_MARK = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}]', re.DOTALL)


def value_of(text: bytes) -> Any:
    """Returns the value of a JSON text; parts nested too deeply for the parser are replaced by null.

    Raises ValueError with the reason if it is no JSON.
    """
    hook = _object if len(text) > _LARGE else None
    try:
        return json.loads(text, object_pairs_hook=hook)
    except RecursionError:
        pass
    try:
        return json.loads(_cut(text.decode("utf-8")), object_pairs_hook=hook)
    except RecursionError:
        raise ValueError("brackets that are never closed") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Returns an object of a large text. Raises ValueError if it has more keys than any question."""
    if len(pairs) > MAX_KEYS:
        raise ValueError(f"an object has more than {MAX_KEYS:,} keys")
    return dict(pairs)


def _cut(text: str) -> str:
    parts, depth, start = [], 0, 0
    for mark in _MARK.finditer(text):
        if mark[0] in "[{":
            depth += 1
            if depth == _DEPTH + 1:
                parts.append(text[start : mark.start()] + "null")
        elif mark[0] in "]}":
            if depth == _DEPTH + 1:
                start = mark.end()
            depth -= 1
    return "".join([*parts, text[start:]])


def answer_line(value: Any) -> bytes:
    """Returns a value as one line of JSON."""
    return _ENCODER.encode(value).encode("ascii") + b"\n"


_ENCODER = json.JSONEncoder(separators=(",", ":"))
