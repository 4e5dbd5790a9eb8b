"""The changes between two states of a game's cards: what was added, changed, renamed or retired, and in which words."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

Fields = Mapping[str, tuple[Any, Any]]
"""Changed fields as `{name: (old, new)}`; None means that the card had or has no value."""
Values = Mapping[str, Mapping[str, Any]]
"""The given values of cards, by reference."""
KINDS = ("added", "changed", "renamed", "retired")
"""The kinds of change between two states, in the order in which they are reported."""

_WORDS = re.compile(r"\s+|[^\s\w]|\w+")
_MOST_WORDS, _LONE = 2_000, 3
"""The most words and spaces that are compared, and the most between two changes that are part of these."""


class CardChange(NamedTuple):
    """The change of one card: its reference, one of `KINDS`, its name after the change, and its fields.

    An added card has all its fields with None as old values, a retired one with None as new values.
    """

    ref: str
    kind: str
    name: str
    fields: Fields

    @property
    def is_one_sided(self) -> bool:
        """True if the card is only in one of the two states."""
        return self.kind in ("added", "retired")

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "fields": {name: list(pair) for name, pair in self.fields.items()}}


def compare(before: Values, after: Values) -> tuple[CardChange, ...]:
    """Returns the changes of cards from one state to another, in the order of KINDS, then of the states."""
    changes = []
    for ref in dict.fromkeys((*after, *before)):
        old, new = before.get(ref), after.get(ref)
        if fields := differences(old or {}, new or {}):
            other = "renamed" if "name" in fields else "changed"
            kind = "added" if old is None else "retired" if new is None else other
            name = str(((old if new is None else new) or {}).get("name", ""))
            changes.append(CardChange(ref, kind, name, fields))
    return tuple(sorted(changes, key=lambda change: KINDS.index(change.kind)))


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Fields:
    """Returns the fields in which two states of a card differ, as `{name: (old, new)}`."""
    both = {name: (old.get(name), new.get(name)) for name in sorted({*old, *new})}
    return {name: pair for name, pair in both.items() if _canonical(pair[0]) != _canonical(pair[1])}


def _canonical(value: Any) -> str:
    """Returns a value as JSON text, in which 1, 1.0 and true differ, unlike in Python."""
    return json.dumps(value, sort_keys=True, default=dict)


class TextChange(NamedTuple):
    """Words of two compared texts: in both (`same`), only in the old text (`old`), or only in the new one (`new`)."""

    kind: str
    text: str


def word_changes(old: str, new: str) -> list[TextChange]:
    """Returns two texts as parts, each in both or in one of them; whole if most words differ, or beyond 2,000 words."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    end = len(before), len(after)
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    blocks = matcher.get_matching_blocks() if max(end) <= _MOST_WORDS else []
    same = [(i, k, n) for i, k, n in blocks if n > _LONE or i + k == 0 or (i + n, k + n) == end]
    if 2 * sum(n for *_, n in same) < min(end):
        same = []
    parts, j, m = [], 0, 0
    for i, k, n in (*same, (*end, 0)):
        parts += [("old", before[j:i]), ("new", after[m:k]), ("same", before[i : i + n])]
        j, m = i + n, k + n
    return [TextChange(kind, "".join(words)) for kind, words in parts if words]
