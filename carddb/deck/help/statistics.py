"""Statistics of a deck, and the differences between two decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from carddb.cards.cards import Deck, Entry
from carddb.deck.context import name_of, section_name
from carddb.findings import Finding
from carddb.game.game import GameSpec

Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Statistics:
    """Copies by section, by type and by the value of each choice field, and, in `curves`, of each number field.

    Unknown cards count only in their section.
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
    """Returns the statistics of a deck, with the labels and in the order of its game."""
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
    """Returns the number of copies by the value of a field; cards without a value are left out."""
    counts = Counter[Any]()
    for entry in entries:
        value = entry.card.get(field) if entry.card else None
        if value is not None and value != "":
            counts[value] += entry.count
    return counts


def _labelled(counts: Mapping[Any, int], order: tuple[str, ...], labels: Mapping[str, str]) -> dict[str, int]:
    """Returns counts by the labels of the values, in the game's order."""
    keys = [*(key for key in order if key in counts), *(key for key in counts if key not in order)]
    return {labels.get(key, "") or str(key): counts[key] for key in keys}


class CountChange(NamedTuple):
    """The number of copies of one card in one section, before and after."""

    section: str
    ref: str
    name: str
    before: int
    after: int

    def to_json(self) -> dict[str, Any]:
        return self._asdict()


@dataclass(frozen=True, slots=True)
class Difference:
    """Every card whose number of copies differs, by section and then by name."""

    changes: tuple[CountChange, ...]

    @property
    def only_before(self) -> tuple[CountChange, ...]:
        """The cards that only the first deck contains, by section."""
        return tuple(change for change in self.changes if change.after == 0)

    @property
    def only_after(self) -> tuple[CountChange, ...]:
        """The cards that only the second deck contains, by section."""
        return tuple(change for change in self.changes if change.before == 0)

    @property
    def counts(self) -> tuple[CountChange, ...]:
        """The cards that both decks contain in a section, in different numbers."""
        return tuple(change for change in self.changes if change.before and change.after)

    @property
    def copies(self) -> int:
        """The fewest copies to remove, add or move to turn the first deck into the second."""
        removed, added = Counter[str](), Counter[str]()
        for change in self.changes:
            removed[change.ref] += max(change.before - change.after, 0)
            added[change.ref] += max(change.after - change.before, 0)
        return sum(max(removed[ref], added[ref]) for ref in removed)

    def to_json(self) -> dict[str, Any]:
        """Returns the JSON object of `decks diff --json`."""
        lists = {"only_a": self.only_before, "only_b": self.only_after, "counts": self.counts}
        parts = {key: [change.to_json() for change in changes] for key, changes in lists.items()}
        return {"schema": "carddb.deck-diff/1", "copies": self.copies, **parts}


def difference(before: Deck, after: Deck) -> Difference:
    """Returns the difference between two decks."""
    names = {(entry.section, entry.ref): name_of(entry) for deck in (after, before) for entry in deck.entries}
    old, new = before.tally(), after.tally()
    sections = list(dict.fromkeys(section for section, _ in names))
    keys = sorted(names, key=lambda key: (sections.index(key[0]), names[key], key[1]))
    changes = (CountChange(*key, names[key], old.get(key, 0), new.get(key, 0)) for key in keys)
    return Difference(tuple(change for change in changes if change.before != change.after))


@dataclass(frozen=True, slots=True)
class ChangedDeck:
    """A deck made from another.

    `faults` are what makes its cards illegal, `header_faults` what must be corrected in its header, and `tries` is the
    number of decks that were checked.
    """

    before: Deck
    deck: Deck
    faults: tuple[Finding, ...]
    header_faults: tuple[Finding, ...]
    tries: int

    @property
    def legal(self) -> bool:
        return not (self.faults or self.header_faults)

    @property
    def header_sentence(self) -> str:
        """A sentence about what the player must still do in the header, or an empty text."""
        return " The header still needs what is listed." if self.header_faults else ""

    @property
    def difference(self) -> Difference:
        """The changes between the two decks."""
        return difference(self.before, self.deck)

    def to_json(self) -> dict[str, Any]:
        """Returns the keys that `decks fix --json` and `decks fill --json` share."""
        return {
            "legal": self.legal,
            "copies": self.difference.copies,
            "tries": self.tries,
            "fingerprint": self.deck.fingerprint(),
            "faults": [fault.to_json() for fault in self.faults],
            "header_faults": [fault.to_json() for fault in self.header_faults],
        }
