"""Translations of cards, which have dated revisions of their own."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date, datetime
from functools import cache
from typing import Any, NamedTuple

from carddb.cards.cards import TranslationRow
from carddb.cards.changes import Fields, differences
from carddb.catalog.connection import Stamp
from carddb.catalog.load import canonical
from carddb.catalog.printings import LoadedRows
from carddb.catalog.search import Revision, indexed, values_of
from carddb.core.plain_text import language_chain
from carddb.findings import CardCount, Finding, Place, error

_ON_A_DAY = """
SELECT card.ref, translation.lang, translation.data FROM card
JOIN (SELECT DISTINCT card_id, lang FROM translation) AS translated ON translated.card_id = card.id
JOIN translation ON translation.id = (
    SELECT id FROM translation WHERE card_id = card.id AND lang = translated.lang
    AND (in_force_from IS NULL OR in_force_from <= ?) ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE card.game = ?"""
_HISTORY = """
SELECT translation.in_force_from, recorded_at, author, source, translation.data FROM translation
JOIN card ON card.id = card_id WHERE game = ? AND ref = ? AND lang = ?
ORDER BY translation.in_force_from, translation.id"""
_REVISIONS = """
SELECT card.ref, translation.recorded_at, translation.data FROM translation JOIN card ON card.id = card_id
WHERE game = ? AND lang = ? AND (translation.in_force_from IS NULL OR translation.in_force_from <= ?)
ORDER BY card.id, translation.in_force_from, translation.id"""
_CHANGES = """
SELECT card.ref, recorded_at, changes FROM revision JOIN card ON card.id = card_id
WHERE game = ? AND kind = 'changed' AND revision.in_force_from <= ?
AND EXISTS (SELECT 1 FROM translation WHERE translation.card_id = card.id)"""
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


def history(connection: sqlite3.Connection, game: str, ref: str, lang: str) -> list[Revision]:
    """Returns the revisions of a card's translation into exactly this language, sorted by day."""
    revisions: list[Revision] = []
    for day, recorded_at, author, source, data in connection.execute(_HISTORY, [game, ref, lang]):
        values, before = values_of(data), revisions[-1].values if revisions else {}
        since, moment = date.fromisoformat(day) if day else None, datetime.fromisoformat(recorded_at)
        kind = "changed" if revisions else "added"
        revisions.append(Revision(since, moment, author, source, kind, differences(before, values), values))
    return revisions


def older(connection: sqlite3.Connection, game: str, lang: str, day: date) -> dict[str, set[str]]:
    """Returns, by reference, the fields of cards whose original has changed since their translation was written.

    A translation that is written again without a change counts as reviewed: all its fields are then up to date.
    """
    changed: dict[Key, str] = {}
    for ref, recorded_at, changes in connection.execute(_CHANGES, [game, day.isoformat()]):
        changed |= {(ref, name): max(recorded_at, changed.get((ref, name), "")) for name in values_of(changes)}
    written: dict[Key, str] = {}
    for tag in reversed(language_chain(lang)) if changed else ():
        last: tuple[str, dict[str, Any]] = "", {}
        for ref, recorded_at, data in connection.execute(_REVISIONS, [game, tag, day.isoformat()]):
            values, before = values_of(data), last[1] if last[0] == ref else {}
            fields = differences(before, values) or values
            written |= {(ref, name): recorded_at for name in fields if name in values}
            last = ref, values
    out: dict[str, set[str]] = {}
    for (ref, name), recorded_at in written.items():
        if recorded_at < changed.get((ref, name), ""):
            out.setdefault(ref, set()).add(name)
    return out


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
    older_words = cache(lambda lang: older(connection, game, lang, day))
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
