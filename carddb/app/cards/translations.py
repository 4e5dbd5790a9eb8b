"""Words of cards in other languages: loaded, and as a table for translators to fill in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from carddb.app.cards.words import Words, lacking
from carddb.cards.cards import Card
from carddb.core.plain_text import first_of
from carddb.findings import CardCount, Finding, warning
from carddb.game.game import GameSpec, untranslated_keys
from carddb.game.parts import PICTURES
from carddb.read.cards.export import value_text, write_translations
from carddb.read.cards.translations import PoEntry, po_bytes

_MOST_KEYS = 12
"""Labels that are named in one finding."""


class CardToTranslate(NamedTuple):
    """The words of a card by field, those in the other language, the fields that have none in it, and older ones.

    Words are `older` where those of the game have changed since they were written.
    """

    card: Card
    own: Mapping[str, Any]
    translated: Mapping[str, Any]
    lacking: Sequence[str]
    older: Sequence[str] = ()


def cards_to_translate(
    spec: GameSpec, cards: Iterable[Card], words: Words, older: Mapping[str, Collection[str]]
) -> list[CardToTranslate]:
    """The cards that have words, with what there is of them in another language; `older` by reference the fields."""
    rows = []
    for card in {card.ref: card for card in cards}.values():
        missing, translated = list(lacking(spec, card, words)), words.get(card.ref, {})
        fields = [name for name in spec.translatable_of(card.type) if name in translated or name in missing]
        own = {name: card.get(name) for name in fields}
        if fields:
            changed = [name for name in fields if name in translated and name in older.get(card.ref, ())]
            rows.append(CardToTranslate(card, own, translated, missing, changed))
    return rows


def lacking_findings(spec: GameSpec, rows: Iterable[CardToTranslate], lang: str) -> Iterator[Finding]:
    """For each field the cards that have no words in a language, then the labels of the game that have none.

    Then those whose words in it are older than those of the game.
    """
    rows = list(rows)
    fix = f"Fill in what --translations FILE writes, and load it; {spec.language} is printed in its place."
    for name, cards in _by_field(spec, ((row.card, row.lacking) for row in rows)):
        message = f"{name} is not translated into {lang}: {first_of([card.ref for card in cards], _MOST_KEYS)}"
        yield warning("translation_missing", message, cards=_subjects(cards), fix=fix)
    fix = "Change what --translations FILE writes, and load it; with --reviewed where the words are right as they are."
    for name, cards in _by_field(spec, ((row.card, row.older) for row in rows)):
        refs = first_of([card.ref for card in cards], _MOST_KEYS)
        message = f"{name} has changed since it was translated into {lang}: {refs}"
        yield warning("translation_older", message, cards=_subjects(cards), fix=fix)
    if keys := untranslated_keys(spec, lang):
        message = f"the game has no words in {lang} for {first_of(keys, _MOST_KEYS)}"
        yield warning("label_missing", message, fix=f"Write them into labels.{lang}.yaml beside game.yaml.")


def translation_bytes(spec: GameSpec, rows: Sequence[CardToTranslate], lang: str, fmt: str) -> bytes:
    """A file to fill in and to load: a column for each field in both languages, or a PO file.

    Raises OutputError where a cell is too long for XLSX.
    """
    if fmt == "po":
        entries = (
            PoEntry(f"{row.card.ref}/{name}", value_text(own), value_text(row.translated.get(name)), name in row.older)
            for row in rows for name, own in row.own.items() if name not in PICTURES
        )  # fmt: skip
        return po_bytes(entries, lang)
    fields = [name for name in spec.all_fields() if any(name in row.own for row in rows)]
    cards = [(row.card.ref, row.own, row.translated, row.older) for row in rows]
    return write_translations(cards, fields, (spec.language, lang), fmt)


def _by_field(spec: GameSpec, fields_of: Iterable[tuple[Card, Iterable[str]]]) -> Iterator[tuple[str, Sequence[Card]]]:
    """Each field with the cards of which it is one."""
    by_field: dict[str, list[Card]] = defaultdict(list)
    for card, fields in fields_of:
        for name in fields:
            by_field[name].append(card)
    return ((name, by_field[name]) for name in spec.all_fields() if name in by_field)


def _subjects(cards: Iterable[Card]) -> tuple[CardCount, ...]:
    return tuple(CardCount(card.ref, card.name, 1) for card in cards)
