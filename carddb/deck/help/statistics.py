"""The numbers of a deck: by section, type and choice, and the curves of its number fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from carddb.cards.cards import Deck, Entry
from carddb.deck.view import section_name
from carddb.game.game import GameSpec

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Copies by section, by type and by the value of each choice field; `curves` by the value of each number field.

    Unknown cards count in their section alone.
    """

    cards: int
    sections: Counts
    types: Counts
    choices: Mapping[str, Counts]
    curves: Mapping[str, Mapping[int | float, int]]

    def to_json(self) -> dict[str, Any]:
        curves = {
            name: [{"value": value, "count": count} for value, count in curve.items()]
            for name, curve in self.curves.items()
        }
        choices = {name: dict(counts) for name, counts in self.choices.items()}
        counts = {"cards": self.cards, "sections": dict(self.sections), "types": dict(self.types)}
        return {**counts, "choices": choices, "curves": curves}


def statistics(deck: Deck, spec: GameSpec) -> Statistics:
    """The numbers of a deck, in the words and the order of its game."""
    fields = spec.all_fields()
    sizes = {section_name(section, key): deck.size(key) for key, section in spec.sections.items()}
    sizes |= {entry.section: deck.size(entry.section) for entry in deck.entries if entry.section not in spec.sections}
    types = _by_field(deck.entries, "type")
    choices = {
        name: _labelled(counts, field.of, field.labels)
        for name, field in fields.items()
        if field.type == "choice" and field.closed and name != "type" and (counts := _by_field(deck.entries, name))
    }
    curves = {
        name: dict(sorted(counts.items()))
        for name, field in fields.items()
        if field.type in ("integer", "number") and (counts := _by_field(deck.entries, name))
    }
    return Statistics(
        sum(entry.count for entry in deck.entries),
        {label: size for label, size in sizes.items() if size},
        _labelled(types, tuple(spec.types), {key: spec.label_of(key) for key in spec.types}),
        choices,
        curves,
    )


def _by_field(entries: Iterable[Entry], field: str) -> Counter[Any]:
    """Copies by the value of a field, where cards have it."""
    counts = Counter[Any]()
    for entry in entries:
        value = entry.card.get(field) if entry.card else None
        if value is not None and value != "":
            counts[value] += entry.count
    return counts


def _labelled(counts: Mapping[Any, int], order: tuple[str, ...], labels: Mapping[str, str]) -> dict[str, int]:
    """The same by printed name, in the order of the game."""
    keys = [*(key for key in order if key in counts), *(key for key in counts if key not in order)]
    return {labels.get(key, "") or str(key): counts[key] for key in keys}
