"""Remedies, as text and as data: remove, add, move."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from carddb.core.names import capital
from carddb.core.plain_text import listed
from carddb.findings import CardCount

Fix = tuple[str, Mapping[str, Any]]
"""A remedy as text, without a full stop, and as data."""


def counted(cards: Iterable[CardCount]) -> str:
    """Returns cards as text: `2 Spearman and 1 Archer`."""
    return listed([f"{card.count} {card.name}" for card in cards])


def remove(cards: Sequence[CardCount]) -> Fix:
    """Returns the remedy that removes cards."""
    return f"remove {counted(cards)}", {"remove": [{"ref": card.ref, "count": card.count} for card in cards]}


def add(count: int, what: str, **data: Any) -> Fix:
    """Returns the remedy that adds `count` cards; `data` says which (`section`, `ref`, or `match`, a query)."""
    return f"add {count} {what}", {"add": [{"count": count, **data}]}


def move(cards: Sequence[CardCount], to: str, section: str) -> Fix:
    """Returns the remedy that moves cards into another section."""
    data = {"move": [{"ref": card.ref, "count": card.count, "to": section} for card in cards]}
    return f"move {counted(cards)} to {to}", data


def offered(*fixes: Fix) -> dict[str, Any]:
    """Returns the fields `fix` and `fixes` of a finding for alternative remedies; empty without remedies."""
    if not fixes:
        return {}
    words = ", or ".join(words for words, _ in fixes)
    return {"fix": capital(words) + ".", "fixes": tuple(data for _, data in fixes)}
