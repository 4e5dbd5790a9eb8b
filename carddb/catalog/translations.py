"""Translations of cards, which have dated revisions of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from carddb.cards.cards import TranslationRow
from carddb.cards.changes import Fields, differences
from carddb.catalog.connection import Stamp
from carddb.catalog.load import canonical
from carddb.catalog.printings import LoadedRows
from carddb.catalog.search import indexed, older_translations, values_of
from carddb.findings import CardCount, Finding, Place, error

_ON_A_DAY = """
SELECT card.ref, translation.lang, translation.data FROM card
JOIN (SELECT DISTINCT card_id, lang FROM translation) AS translated ON translated.card_id = card.id
JOIN translation ON translation.id = (
    SELECT id FROM translation WHERE card_id = card.id AND lang = translated.lang
    AND (in_force_from IS NULL OR in_force_from <= ?) ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE card.game = ?"""
_WRITE = """
INSERT INTO translation (id, card_id, lang, name, in_force_from, recorded_at, author, source, data)
VALUES (?, (SELECT id FROM card WHERE game = ? AND ref = ?), ?, ?, ?, ?, ?, ?, ?)"""
ADD_TRANSLATED_WORDS = "INSERT INTO translation_words (rowid, words) VALUES (?, ?)"

Key = tuple[str, str]
"""A card's reference and a language tag."""


class TranslationChange(NamedTuple):
    """The change of a card's translation: the fields that differ, and all resulting values."""

    ref: str
    lang: str
    fields: Fields
    values: Mapping[str, Any]
    is_new: bool

    def to_json(self) -> dict[str, Any]:
        fields = {name: list(pair) for name, pair in self.fields.items()}
        return {"ref": self.ref, "lang": self.lang, "fields": fields, "is_new": self.is_new}


TranslationResult = LoadedRows[TranslationChange]
"""The result of a load of translations."""


def plan(
    connection: sqlite3.Connection, game: str, rows: Iterable[TranslationRow], day: date, refs: Collection[str]
) -> TranslationResult:
    """Returns the changes that `rows` make from `day` on; `refs` are the references of all cards.

    Fields that a file does not contain stay as they are. A reviewed row that changes nothing in an outdated translation
    becomes a change without fields.
    """
    rows = list(rows)
    findings = list(_faults(rows, refs))
    stored: dict[Key, dict[str, Any]] = {
        (ref, lang): values_of(data) for ref, lang, data in connection.execute(_ON_A_DAY, [day.isoformat(), game])
    }
    older_words = cache(lambda lang: older_translations(connection, game, lang, day))
    changes = []
    for row in rows:
        old = stored.get((row.ref, row.lang))
        own = {name: value for name, value in (old or {}).items() if name not in row.fields}
        values = {**own, **row.values}
        fields = differences(old or {}, values)
        if fields:
            changes.append(TranslationChange(row.ref, row.lang, fields, values, old is None))
        left = older_words(row.lang).get(row.ref, set()) - fields.keys() if row.reviewed else set()
        if left and left <= row.reviewed:
            changes.append(TranslationChange(row.ref, row.lang, {}, values, is_new=False))
    return TranslationResult(changes, len(rows) - len({(each.ref, each.lang) for each in changes}), findings)


def write(
    connection: sqlite3.Connection, game: str, changes: Iterable[TranslationChange], day: date, recorded: Stamp
) -> None:
    """Writes the changes of a plan. A card's first translation is in force from the beginning, others from `day` on."""
    free = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM translation").fetchone()[0]
    there = {(ref, lang) for ref, lang, _ in connection.execute(_ON_A_DAY, [date.max.isoformat(), game])}
    numbered = list(enumerate(changes, start=free))
    stored = []
    for number, change in numbered:
        since = day.isoformat() if (change.ref, change.lang) in there else None
        own = [number, game, change.ref, change.lang, change.values.get("name"), since]
        stored.append([*own, *recorded.columns(), canonical(change.values)])
    connection.executemany(_WRITE, stored)
    connection.executemany(ADD_TRANSLATED_WORDS, [(number, indexed(change.values)) for number, change in numbered])


def _faults(rows: Iterable[TranslationRow], refs: Collection[str]) -> Iterator[Finding]:
    """Yields a finding for each row with an unknown card, and for each card that occurs twice."""
    first: dict[Key, Place] = {}
    for row in rows:
        cards = (CardCount(row.ref, "", 1),)
        if row.ref not in refs:
            message = f"there is no card {row.ref} that could be translated"
            fix = "Load the cards first, or correct the reference."
            yield error("translation_of_no_card", message, row.place, cards=cards, fix=fix)
        elif (other := first.setdefault((row.ref, row.lang), row.place)) is not row.place:
            message = f"the translation of {row.ref} into {row.lang} stands twice"
            yield error("translation_repeated", message, row.place, other, cards=cards, fix="Keep one of them.")
