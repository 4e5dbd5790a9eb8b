"""The tables of a meta report as CSV, their texts escaped for spreadsheet programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.app.deck_meta import NO_ARCHETYPE
from carddb.read.formula_text import csv_table

if TYPE_CHECKING:
    from carddb.app.deck_meta import Meta


def meta_tables(meta: Meta) -> dict[str, bytes]:
    """By file name: cards, pairs, archetypes, decks, what is wrong with them, and what the draft forbids."""
    names = meta.names
    tables = {
        "cards.csv": csv_table(
            ("ref", "card", "decks", "share", "copies", "copies a deck"),
            (
                (card.ref, names[card.ref], str(card.decks), _number(card.share), str(card.copies),
                 _number(card.average))
                for card in meta.cards
            ),
        ),
        "copies.csv": csv_table(
            ("ref", "card", "copies", "decks"),
            (
                (card.ref, names[card.ref], str(copies), str(decks))
                for card in meta.cards
                for copies, decks in card.by_copies.items()
            ),
        ),
        "pairs.csv": csv_table(
            ("ref", "card", "other ref", "other card", "decks", "share", "lift", "leverage"),
            (
                (pair.first, names[pair.first], pair.second, names[pair.second], str(pair.decks),
                 _number(pair.share), _number(pair.lift), _number(pair.leverage))
                for pair in meta.pairs
            ),
        ),
        "archetypes.csv": csv_table(
            ("archetype", "decks", "legal", "ref", "card", "share", "share elsewhere", "copies a deck"),
            (
                (meta.archetype_name(each), str(len(each.decks)), str(meta.legal_in(each)), card.ref, names[card.ref],
                 _number(card.share), _number(card.elsewhere), _number(card.average))
                for each in meta.archetypes
                for card in each.core
            ),
        ),
        "decks.csv": csv_table(
            ("player", "deck", "verdict", "archetype", "fingerprint", "file"),
            (
                (deck.player, deck.name, deck.verdict, deck.archetype or NO_ARCHETYPE,
                 deck.fingerprint, deck.file)
                for deck in meta.decks
            ),
        ),
        "findings.csv": csv_table(
            ("player", "deck", "file", "code", "finding", "smallest mend"),
            (
                (deck.player, deck.name, deck.file, finding.code, finding.message, finding.fix)
                for deck in meta.decks
                for finding in deck.faults
            ),
        ),
        "unread.csv": csv_table(("file", "reason"), meta.unread),
    }  # fmt: skip
    if meta.draft:
        tables["draft.csv"] = csv_table(
            ("player", "deck", "archetype", "file", "from", "finding", "smallest mend"),
            (
                (deck.player, deck.name, deck.archetype or NO_ARCHETYPE, deck.file,
                 day.isoformat(), finding.message, finding.fix)
                for deck in meta.affected
                for day, finding in deck.coming
            ),
        )  # fmt: skip
    return tables


def _number(value: float) -> str:
    return f"{value:.4f}"
