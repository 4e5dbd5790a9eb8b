"""Decks out: the canonical text form."""

from __future__ import annotations

from collections.abc import Iterator

from carddb.cards.cards import HEADER_KEYS, Deck, Entry
from carddb.core.names import capital, fold
from carddb.game.game import GameSpec
from carddb.read.decks.builder import MAX_COUNT


def write_deck(deck: Deck, spec: GameSpec) -> str:
    """The text that reads back as the same deck, whatever order its lines had: UTF-8, LF, counts summed."""
    lines = ["# carddb deck 1", *(f"{key}: {value}" for key, value in header_pairs(deck, spec))]
    for section in sections_of(deck, spec):
        lines += ["", f"## {section_label(section, spec)} ({deck.size(section)})"]
        lines += [f"{count} {_card_text(entry)}" for count, entry in summed(deck, section, spec)]
    lines += ["", f"# fingerprint {deck.fingerprint()}"]
    return "\n".join(lines) + "\n"


def sections_of(deck: Deck, spec: GameSpec) -> list[str]:
    """The sections that a deck has cards in, in the order of the game."""
    used = dict.fromkeys(entry.section for entry in deck.entries)
    return [section for section in dict.fromkeys((*spec.sections, *used)) if section in used]


def header_pairs(deck: Deck, spec: GameSpec) -> Iterator[tuple[str, str]]:
    """The header lines of a deck, each a key and a value of one line."""
    values = {**deck.headers, "game": deck.game}
    names = {key: key for key in HEADER_KEYS} | dict(spec.header)
    for key, name in names.items():
        value = " ".join(values.get(name, "").splitlines()).strip()
        if value:
            yield capital(key), value


def section_label(section: str, spec: GameSpec) -> str:
    """A section's heading: its label where that reads back as the section, else its key."""
    label = spec.sections[section].label if section in spec.sections else ""
    label = label or section.replace("_", " ").replace("-", " ").capitalize()
    return label if spec.section_words.find(label) in (section, None) else section


def summed(deck: Deck, section: str, spec: GameSpec) -> list[tuple[int, Entry]]:
    """The cards of a section with their counts, in the order of types, then names; unknown cards last.

    A card with more copies than a line may have stands several times.
    """
    counts: dict[str, int] = {}
    first: dict[str, Entry] = {}
    for entry in deck.entries:
        if entry.section == section:
            counts[entry.ref] = counts.get(entry.ref, 0) + entry.count
            first.setdefault(entry.ref, entry)
    order = {kind: index for index, kind in enumerate(spec.types)}

    def rank(entry: Entry) -> tuple[int, str, str, str]:
        kind = order.get(entry.card.type, len(order)) if entry.card else len(order) + 1
        return kind, fold(entry.name), entry.name, entry.ref

    return [
        (count, entry) for entry in sorted(first.values(), key=rank) for count in readable_counts(counts[entry.ref])
    ]


def readable_counts(total: int) -> list[int]:
    """A total in parts that a line may have."""
    full, rest = divmod(total, MAX_COUNT)
    return [MAX_COUNT] * full + ([rest] if rest else [])


def _card_text(entry: Entry) -> str:
    return f"{entry.card.name} [{entry.card.ref}]" if entry.card else entry.name
