"""Translations of cards: showing cards in another language, and files for translators with what is missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.core.groups import grouped
from carddb.core.plain_text import amount, first_of
from carddb.findings import CardCount, Finding, warning
from carddb.game.game import GameSpec, untranslated_keys
from carddb.game.parts import PICTURES
from carddb.games import Game
from carddb.read.cards.export import value_text, write_translations
from carddb.read.cards.translations import PoEntry, po_bytes

Words = Mapping[str, Mapping[str, Any]]
"""Translated values of cards, as `{reference: {field: value}}`."""


def cards_in_language(
    project: Workspace,
    game: Game,
    cards: Sequence[Card],
    lang: str,
    on: date | None = None,
    *,
    names_only: bool = False,
) -> list[Card]:
    """Returns the cards with their texts in the language `lang`, as translated on the day `on` (default: today).

    A notice counts the cards without a translation, by field; with `names_only`, only those without a translated name.
    """
    if not game.spec.is_foreign(lang):
        return list(cards)
    with project.catalog() as catalog:
        words = catalog.translations(game.spec, lang, day=on or today())
    notify_lacking(project, game.spec, cards, words, lang, names_only)
    return [with_words(card, words) for card in cards]


def with_words(card: Card, words: Words) -> Card:
    """Returns a card with its values in `words`, if any, in place of the original ones."""
    own = words.get(card.ref)
    return card._replace(values={**card.values, **own}) if own else card


def lacking(spec: GameSpec, card: Card, words: Words) -> Iterator[str]:
    """Yields the names of a card's fields that have text but no translation in `words`."""
    own, fields = words.get(card.ref, {}), spec.fields_of(card.type)
    for name in spec.translatable_of(card.type):
        value = card.get(name)
        is_default = name in fields and value == fields[name].default
        if name not in PICTURES and name not in own and not is_default and _has_letters(value):
            yield name


def notify_lacking(
    project: Workspace, spec: GameSpec, cards: Iterable[Card], words: Words, lang: str, names_only: bool = False
) -> None:
    """Sends a notice that counts, by field, the cards that lack a translation; with `names_only`, only for `name`."""
    unique = {card.ref: card for card in cards}.values()
    fields = Counter(name for card in unique for name in lacking(spec, card, words))
    order = ["name"] if names_only else spec.all_fields()
    if not fields.keys().isdisjoint(order):
        listed = ", ".join(f"{name} of {amount(fields[name], 'card')}" for name in order if name in fields)
        project.notify("not_translated", f"not translated into {lang}, and shown in {spec.language}: {listed}")


def _has_letters(value: Any) -> bool:
    """Returns whether a value contains any letter, so that it can be translated."""
    if isinstance(value, str):
        return any(map(str.isalpha, value))
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list | tuple) else ()
    return any(map(_has_letters, inner))


_MOST_KEYS = 12
"""The most cards or labels that one finding names."""


class CardToTranslate(NamedTuple):
    """A card with its texts in the game's language (`own`) and their translations, both by field.

    `lacking` are the fields without a translation, `older` those whose text has changed since it was translated.
    """

    card: Card
    own: Mapping[str, Any]
    translated: Mapping[str, Any]
    lacking: Sequence[str]
    older: Sequence[str] = ()


def cards_to_translate(
    spec: GameSpec, cards: Iterable[Card], words: Words, older: Mapping[str, Collection[str]]
) -> list[CardToTranslate]:
    """Returns the cards that have text to translate, each with the translations in `words`.

    `older` has, by reference, the fields whose text has changed since it was translated.
    """
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
    """Yields a warning for each field with missing translations, and for each field with outdated ones.

    A last warning names the labels of the game that are not translated.
    """
    rows = list(rows)
    fix = "Write a table with --translations FILE, fill it in and load it. Until then the original text is printed."
    for name, cards in _by_field(spec, ((row.card, row.lacking) for row in rows)):
        message = f"{name} is not translated into {lang}: {first_of([card.ref for card in cards], _MOST_KEYS)}"
        yield warning("translation_missing", message, cards=_subjects(cards), fix=fix)
    fix = (
        "Write a table with --translations FILE, correct it and load it. "
        "If the translations are right as they are, load the table with --reviewed."
    )
    for name, cards in _by_field(spec, ((row.card, row.older) for row in rows)):
        refs = first_of([card.ref for card in cards], _MOST_KEYS)
        message = f"{name} has changed since it was translated into {lang}: {refs}"
        yield warning("translation_older", message, cards=_subjects(cards), fix=fix)
    if keys := untranslated_keys(spec, lang):
        message = f"the game has no labels in {lang} for {first_of(keys, _MOST_KEYS)}"
        yield warning("label_missing", message, fix=f"Write them into labels.{lang}.yaml beside game.yaml.")


def translation_bytes(spec: GameSpec, rows: Sequence[CardToTranslate], lang: str, fmt: str) -> bytes:
    """Returns a file for translators that can be loaded again: a PO file, or a table with each field in both languages.

    Raises OutputError if a cell is too long for XLSX.
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
    """Yields each field with the cards that are paired with it, in the order of the game's fields."""
    by_field = grouped((name, card) for card, fields in fields_of for name in fields)
    return ((name, by_field[name]) for name in spec.all_fields() if name in by_field)


def _subjects(cards: Iterable[Card]) -> tuple[CardCount, ...]:
    return tuple(CardCount(card.ref, card.name, 1) for card in cards)
