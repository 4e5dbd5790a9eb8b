"""Loading cards and translations into the catalogue: validated, compared with a day's state, written as revisions."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from typing import Any, NamedTuple

from carddb.cards.cards import ReadCard, ReadTranslation, stated
from carddb.cards.changes import Fields, differences
from carddb.catalog import search
from carddb.catalog.connection import SQL, Stamp
from carddb.catalog.printings import LoadedRows
from carddb.catalog.search import KINDS, CardChange, LoadResult, indexed
from carddb.core.dates import ALWAYS
from carddb.core.groups import grouped
from carddb.core.names import natural
from carddb.findings import CardCount, Finding, Place, error

_write = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode


def canonical(values: Mapping[str, Any]) -> str:
    """Returns a JSON object as text, equal for equal values. Raises ValueError for values that JSON cannot hold."""
    try:
        text = _write(dict(values))
        text.encode()
    except (TypeError, RecursionError, UnicodeError) as fault:
        raise ValueError("it cannot be written as JSON") from fault
    return text


class CardRecord(NamedTuple):
    """A card as the table stores it: `data` is the JSON of `values`, which are all given values, even the name."""

    game: str
    ref: str
    name: str
    type: str
    set: str
    data: str
    values: Mapping[str, Any]


_LONGEST_SHOWN = 60


class RevisionStep(NamedTuple):
    """One revision of an existing card. `latest` means that no revision from a later day is recorded."""

    kind: str
    card_id: int
    record: CardRecord
    change: CardChange
    latest: bool


class LoadPlan(NamedTuple):
    """The rows that a load will write, and the references of cards that stay the same."""

    added: list[CardRecord]
    revised: list[RevisionStep]
    unchanged: list[str]
    findings: Sequence[Finding]

    def result(self) -> LoadResult:
        """Returns the changes that the plan makes."""
        by_kind = grouped((step.kind, step.change) for step in self.revised)
        by_kind["added"] = [CardChange(record.ref, record.name) for record in self.added]
        parts = {kind: tuple(by_kind[kind]) for kind in KINDS}
        return LoadResult(**parts, unchanged=tuple(self.unchanged), findings=tuple(self.findings))


def plan(
    connection: sqlite3.Connection, game: str, rows: Iterable[ReadCard], day: date, sets: Collection[str], prune: bool
) -> LoadPlan:
    """Returns the revisions that put the cards of `rows` into force from `day` on, or only findings if a row is faulty.

    With `prune`, cards of `sets` that are not in the rows are retired.
    """
    records, findings = validated(game, list(rows))
    out = LoadPlan([], [], [], findings)
    if findings:
        return out
    states = {state.ref: state for state in search.states(connection, game, day)}
    rows_ahead = connection.execute(SQL["next_revisions"], [game, day.isoformat(), day.isoformat()])
    until = {card_id: date.fromisoformat(next_day) for card_id, next_day in rows_ahead}

    def revise(kind: str, state: search.DatedCard, record: CardRecord, fields: Fields) -> None:
        change = CardChange(record.ref, record.name, fields, until.get(state.id))
        out.revised.append(RevisionStep(kind, state.id, record, change, not state.earlier))

    for record in records:
        state = states.pop(record.ref, None)
        if state is None:
            out.added.append(record)
        elif state.data == record.data and not state.retired:
            out.unchanged.append(record.ref)
        else:
            fields = differences(search.values_of(state.data), search.values_of(record.data))
            revise("restored" if state.retired else "changed", state, record, fields)
    # The cards that are left are not in the rows; a retired one keeps its values.
    for state in sorted(states.values(), key=lambda state: natural(state.ref)) if prune else ():
        values = search.values_of(state.data)
        if not state.retired and values.get("set") in sets:
            name, type_, set_ = (str(values.get(name, "")) for name in ("name", "type", "set"))
            revise("retired", state, CardRecord(game, state.ref, name, type_, set_, state.data, values), {})
    return out


def backdated(connection: sqlite3.Connection, game: str, rows: Iterable[ReadCard]) -> Iterator[tuple[date, ReadCard]]:
    """Yields rows that give cards the fields that they never had, one for each day from which a revision is in force.

    Each row has the values of its day beside the new ones. A revision that retires a card stays as it is.
    """
    states: dict[str, dict[date, Mapping[str, Any] | None]] = {}
    had: dict[str, set[str]] = defaultdict(set)
    for ref, since, kind, data in connection.execute(SQL["revisions_of_game"], [game]):
        values = search.values_of(data)
        had[ref] |= values.keys()
        on = date.fromisoformat(since) if since else ALWAYS
        states.setdefault(ref, {})[on] = None if kind == "retired" else values
    for row in rows:
        new = {name: value for name, value in stated(row.values).items() if name not in had[row.ref]}
        for on, older in states.get(row.ref, {}).items() if new else ():
            if older is not None:
                yield on, row._replace(values={**older, **new})


def write(connection: sqlite3.Connection, plan: LoadPlan, day: date, recorded: Stamp) -> None:
    """Writes everything that a plan adds and revises, or nothing."""
    connection.execute("SAVEPOINT load")
    # Every row was validated, so the tables need not check again, which takes a third of the time.
    connection.execute("PRAGMA ignore_check_constraints = ON")
    try:
        _revise(connection, plan.revised, day, recorded)
        if plan.added:
            _add(connection, plan.added, recorded)
    except BaseException:
        # SQLite itself rolls back the whole transaction if the disk is full.
        if connection.in_transaction:
            connection.execute("ROLLBACK TO load")
            connection.execute("RELEASE load")
        raise
    finally:
        connection.execute("PRAGMA ignore_check_constraints = OFF")
    connection.execute("RELEASE load")


def _add(connection: sqlite3.Connection, records: Sequence[CardRecord], recorded: Stamp) -> None:
    """Writes new cards with consecutive ids, and the first revision of each, in force from the beginning."""
    first = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM card").fetchone()[0]
    connection.executemany(SQL["add_card"], [record[:-1] for record in records])
    connection.execute(SQL["add_first_revisions"], [*recorded.columns(), first])
    connection.executemany(
        SQL["add_words"], ((number, indexed(record.values)) for number, record in enumerate(records, first))
    )


def _revise(connection: sqlite3.Connection, steps: Sequence[RevisionStep], day: date, recorded: Stamp) -> None:
    """Writes revisions of cards, and the new state of each card whose latest revision is among them."""
    on, stamp = day.isoformat(), recorded.columns()
    latest = [step for step in steps if step.latest]
    cards = [(*step.record[2:-1], step.kind == "retired", on, step.card_id) for step in latest]
    revisions = [
        (step.card_id, step.kind, on, *stamp, canonical(step.change.fields), step.record.data) for step in steps
    ]
    connection.executemany(SQL["change_card"], cards)
    connection.executemany(SQL["add_revision"], revisions)
    olds = ({field: old for field, (old, _) in step.change.fields.items()} for step in latest)
    before = [(step.card_id, indexed({**step.record.values, **old})) for step, old in zip(latest, olds, strict=True)]
    connection.executemany(SQL["take_words"], before)
    connection.executemany(SQL["add_words"], [(step.card_id, indexed(step.record.values)) for step in latest])


def validated(game: str, rows: Sequence[ReadCard]) -> tuple[list[CardRecord], list[Finding]]:
    """Returns the valid rows as records, and findings about the others. A reference may occur in one row only."""
    records: list[CardRecord] = []
    findings: list[Finding] = []
    for row in rows:
        values = stated(row.values)
        lines = [row.ref, *map(values.get, ("name", "type", "set"))]
        faults = []
        for field, text in zip(("ref", "name", "type", "set"), lines, strict=True):
            if not (isinstance(text, str) and text.strip()) or "\n" in text or "\r" in text:
                shown = repr(text) if len(repr(text)) <= _LONGEST_SHOWN else repr(text)[:_LONGEST_SHOWN] + "..."
                message, fix = f"{field} is {shown}, but must be one line of text, not blank", f"Correct {field}."
                if text is None:
                    message, fix = f"{row.ref or 'a card'} has no {field}", f"Fill in {field}."
                faults.append(error("record_invalid", message, row.place, fix=fix))
        try:
            data = canonical(values)
        except ValueError as fault:
            message = f"a value of {row.ref or 'a card'} cannot be stored: {fault}"
            faults.append(error("record_invalid", message, row.place, fix="Correct the value."))
        if faults:
            findings += faults
        else:
            records.append(CardRecord._make((game, *lines, data, values)))
    return records, findings


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


def plan_translations(
    connection: sqlite3.Connection, game: str, rows: Iterable[ReadTranslation], day: date, refs: Collection[str]
) -> TranslationResult:
    """Returns the changes that `rows` make from `day` on; `refs` are the references of all cards.

    Fields that a file lacks stay as they are. A review of an outdated translation is a change, even of no field.
    """
    rows = list(rows)
    findings = list(_faults_of_translations(rows, refs))
    stored: dict[Key, dict[str, Any]] = {
        (ref, lang): search.values_of(data)
        for ref, lang, data in connection.execute(SQL["translations_on_a_day"], [day.isoformat(), game])
    }
    older_words = cache(lambda lang: search.older_translations(connection, game, lang, day))
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


def write_translations(
    connection: sqlite3.Connection, game: str, changes: Iterable[TranslationChange], day: date, recorded: Stamp
) -> None:
    """Writes the changes of a plan. A card's first translation is in force from the beginning, others from `day` on."""
    free = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM translation").fetchone()[0]
    there = {
        (ref, lang) for ref, lang, _ in connection.execute(SQL["translations_on_a_day"], [date.max.isoformat(), game])
    }
    numbered = list(enumerate(changes, start=free))
    stored = []
    for number, change in numbered:
        since = day.isoformat() if (change.ref, change.lang) in there else None
        own = [number, game, change.ref, change.lang, change.values.get("name"), since]
        stored.append([*own, *recorded.columns(), canonical(change.values)])
    connection.executemany(SQL["add_translation"], stored)
    connection.executemany(
        SQL["add_translated_words"], [(number, indexed(change.values)) for number, change in numbered]
    )


def _faults_of_translations(rows: Iterable[ReadTranslation], refs: Collection[str]) -> Iterator[Finding]:
    """Yields a finding for each row with an unknown card, and for each that repeats a card and language."""
    first: dict[Key, Place] = {}
    for row in rows:
        cards = (CardCount(row.ref, "", 1),)
        if row.ref not in refs:
            message = f"{row.ref} is translated, but no card has this reference"
            fix = "Load the cards first, or correct the reference."
            yield error("translation_of_no_card", message, row.place, cards=cards, fix=fix)
        elif (other := first.setdefault((row.ref, row.lang), row.place)) is not row.place:
            message = f"there are two translations of {row.ref} into {row.lang}"
            yield error("translation_repeated", message, row.place, other, cards=cards, fix="Remove one of them.")
