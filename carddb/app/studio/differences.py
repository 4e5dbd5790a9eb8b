"""What differs between two texts of a cell, word by word."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

_WORDS = re.compile(r"\s+|[^\s\w]|\w+")
_MOST_WORDS = 2_000


class Part(NamedTuple):
    """Some words that are in both texts (`same`), in the old one alone (`old`), or in the new one alone (`new`)."""

    kind: str
    text: str


def differences(old: str, new: str) -> list[Part]:
    """The parts of two texts in order; texts of more than 2,000 words are shown whole, one after the other."""
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    if max(len(before), len(after)) > _MOST_WORDS:
        return [Part("old", old), Part("new", new)]
    return list(_parts(before, after))


def _parts(before: list[str], after: list[str]) -> Iterator[Part]:
    for tag, i, j, k, m in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if tag == "equal":
            yield Part("same", "".join(before[i:j]))
            continue
        if j > i:
            yield Part("old", "".join(before[i:j]))
        if m > k:
            yield Part("new", "".join(after[k:m]))
