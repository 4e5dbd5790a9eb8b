"""Decks out: the canonical text form."""

from __future__ import annotations

from collections.abc import Iterator

from carddb.cards import Deck, Entry
from carddb.game import GameSpec
from carddb.names import fold
from carddb.read.deck_builder import HEADER_KEYS, MAX_COUNT


def write_deck(deck: Deck, spec: GameSpec) -> str:
    """The text that reads back as the same deck, whatever order its lines had: UTF-8, LF, counts summed."""
    lines = ["# carddb deck 1", *_headers(deck, spec)]
    used = [entry.section for entry in deck.entries]
    for section in dict.fromkeys((*spec.sections, *used)):
        if section in used:
            lines += ["", f"## {_label(section, spec)} ({deck.size(section)})", *_cards(deck, section, spec)]
    lines += ["", f"# fingerprint {deck.fingerprint()}"]
    return "\n".join(lines) + "\n"


def _headers(deck: Deck, spec: GameSpec) -> Iterator[str]:
    values = {**deck.headers, "game": deck.game}
    names = {key: key for key in HEADER_KEYS} | dict(spec.header)
    for key, name in names.items():
        value = " ".join(values.get(name, "").splitlines()).strip()
        if value:
            yield f"{key[:1].upper()}{key[1:]}: {value}"


def _label(section: str, spec: GameSpec) -> str:
    """A section's heading: its label where that reads back as the section, else its key."""
    label = spec.sections[section].label if section in spec.sections else ""
    label = label or section.replace("_", " ").replace("-", " ").capitalize()
    return label if spec.section_words.find(label) in (section, None) else section


def _cards(deck: Deck, section: str, spec: GameSpec) -> list[str]:
    """`3 Name [REF]`, one line a card, in the order of types, then names; unknown cards last."""
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
        f"{count} {_card_text(entry)}"
        for entry in sorted(first.values(), key=rank)
        for count in _readable_counts(counts[entry.ref])
    ]


def _readable_counts(total: int) -> list[int]:
    """A total in parts that a line may have."""
    full, rest = divmod(total, MAX_COUNT)
    return [MAX_COUNT] * full + ([rest] if rest else [])


def _card_text(entry: Entry) -> str:
    return f"{entry.card.name} [{entry.card.ref}]" if entry.card else entry.name
