"""Reading the catalogue by plain SQL. A query limits which rows are read, but never so that it loses a card."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import closing
from datetime import date, datetime
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.cards.cards import DOCUMENTS, SAMPLE, Card
from carddb.cards.changes import Fields, differences
from carddb.cards.query import Query, folded, searched_fields
from carddb.catalog import printings
from carddb.catalog.connection import SQL
from carddb.core.database import RESTORE
from carddb.core.dates import ALWAYS, moment_text
from carddb.core.errors import CatalogError
from carddb.core.groups import grouped
from carddb.core.names import fold, natural
from carddb.core.plain_text import language_chain
from carddb.findings import Finding, has_errors
from carddb.game.game import GameSpec

UNFILED = "studio"
"""The source of revisions made in the studio, whose values are in no file."""


class Revision(NamedTuple):
    """One entry of a card's history; `kind` is added, changed, retired or restored.

    `in_force_from` is None for the first, and for others that are in force from the beginning. `changes` are the
    differences, at the time of recording, from the state on that day. `values` are all given values from that day on.
    """

    in_force_from: date | None
    recorded_at: datetime
    author: str
    source: str
    kind: str
    changes: Fields
    values: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "in_force_from": self.in_force_from.isoformat() if self.in_force_from else None,
            "recorded_at": moment_text(self.recorded_at),
            "changes": {name: list(pair) for name, pair in self.changes.items()},
            "values": dict(self.values),
        }


class CardChange(NamedTuple):
    """The change of one card by a load. From the day `until`, an earlier recorded revision is in force."""

    ref: str
    name: str
    fields: Fields = MappingProxyType({})
    until: date | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            **self._asdict(),
            "fields": {name: list(pair) for name, pair in self.fields.items()},
            "until": self.until.isoformat() if self.until else None,
        }


KINDS = ("added", "changed", "restored", "retired")
"""The kinds of change to a card, in the order in which they are reported."""


class LoadResult(NamedTuple):
    """The changes that a load made, or with `dry_run` would make. If `findings` has an error, nothing was written."""

    added: tuple[CardChange, ...] = ()
    changed: tuple[CardChange, ...] = ()
    restored: tuple[CardChange, ...] = ()
    retired: tuple[CardChange, ...] = ()
    unchanged: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def refused(self) -> bool:
        """True if nothing was written because of errors in the rows."""
        return has_errors(self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            **{kind: [change.to_json() for change in getattr(self, kind)] for kind in KINDS},
            "unchanged": list(self.unchanged),
            "findings": [finding.to_json() for finding in self.findings],
        }


MOST_VALUES = 500
"""The most values in one statement."""
_MOST_WORDS = 20
_COLUMNS = ("ref", "set", "type", "name")
_OF_PRINTINGS = {"ref": "code", "set": "set"}
"""The columns that have a value of their own in each printing, with their names in the table of printings."""
_NO_WORDS = frozenset(("ref", "set", "type", "art", "emblem", "face_image", "face_fit"))
"""The fields in which queries search no words."""

Conditions = tuple[str, Sequence[str]]
"""Additional SQL conditions on a row of the table of cards, and their parameters."""
EVERY_CARD: Conditions = ("", ())
_INDEX_MATCHES = " AND id IN (SELECT rowid FROM card_words WHERE card_words MATCH ?)"
_ANY_INDEX_MATCHES = """ AND (id IN (SELECT rowid FROM card_words WHERE card_words MATCH ?) OR id IN (
    SELECT card_id FROM translation WHERE id IN (
        SELECT rowid FROM translation_words WHERE translation_words MATCH ?)))"""


def narrowing(spec: GameSpec, query: Query, translated: bool = False) -> Conditions:
    """Returns SQL conditions that rows of all matching cards meet, and perhaps others.

    With `translated`, the query is about cards in another language, whose texts are in other tables.
    """
    filled_in = _filled_in(spec)
    if filled_in.intersection(_COLUMNS):
        return EVERY_CARD
    conditions = ""
    values: list[str] = []
    elsewhere = spec.translatable if translated else frozenset[str]()
    for column in _COLUMNS:
        choices = query.equal(column)
        if choices is not None and len(choices) <= MOST_VALUES and column not in elsewhere:
            conditions += " AND " + _among(column, marks(choices))
            values += sorted(choices) * (2 if column in _OF_PRINTINGS else 1)
    # One word may be in the translation, and the next in an untranslated field.
    matches, count = (_ANY_INDEX_MATCHES, 2) if translated else (_INDEX_MATCHES, 1)
    has_every_text = filled_in.isdisjoint(searched_fields(spec.query_fields()))
    for word in sorted(query.words())[:_MOST_WORDS] if has_every_text else ():
        conditions += matches
        values += [f'"{word}"*'] * count
    return conditions, values


def _among(column: str, values: str) -> str:
    """Returns the condition that a column of a card, or of one of its printings, is one of `values` (placeholders)."""
    own = f'"{column}" IN ({values})'
    if column not in _OF_PRINTINGS:
        return own
    of_printings = f'"{_OF_PRINTINGS[column]}" IN ({values})'
    return f"({own} OR id IN (SELECT card_id FROM printing WHERE retired = 0 AND {of_printings}))"


def indexed(values: Mapping[str, Any]) -> str:
    """Returns the words of a card's name and texts for the index, which splits and lowers plain ASCII itself."""
    texts = [text for name, text in values.items() if type(text) is str and name not in _NO_WORDS]
    words = " ".join(texts)
    return words if _is_plain(words) else " ".join([text if _is_plain(text) else folded(text) for text in texts])


def _is_plain(text: str) -> bool:
    return text.isascii() and "&" not in text


def marks(values: Collection[object]) -> str:
    """Returns as many SQL placeholders as there are values: `?, ?, ?`."""
    return ", ".join("?" * len(values))


def _filled_in(spec: GameSpec) -> set[str]:
    """Returns the fields that the game fills in by a default or by a card's type, so that rows do not have them."""
    declared = [*spec.fields.items(), *(pair for kind in spec.types.values() for pair in kind.fields.items())]
    defaults = {name for name, field in declared if field.default is not None}
    return defaults | {name for kind in spec.types.values() for name in kind.implies}


_read = json.JSONDecoder().decode


class DatedCard(NamedTuple):
    """A card as it is on a day: `data` is JSON; `earlier` means that a later revision is already recorded."""

    id: int
    ref: str
    data: str
    retired: bool
    earlier: bool


def states(
    connection: sqlite3.Connection, game: str, day: date, narrowed: Conditions = EVERY_CARD, ref: str | None = None
) -> list[DatedCard]:
    """Returns the cards of a game on a day, including retired ones, and perhaps some that `narrowed` excludes.

    With `ref`, only the card with this reference is returned, if there is one.
    """
    conditions, values = narrowed
    on, of_ref, refs = day.isoformat(), "" if ref is None else " AND ref = ?", [] if ref is None else [ref]
    settled = connection.execute(SQL["settled_cards"] + of_ref + conditions, [game, on, *refs, *values])
    earlier = connection.execute(SQL["earlier_cards"] + of_ref, [on, game, on, *refs])
    return [*map(DatedCard._make, settled), *map(DatedCard._make, earlier)]


def hits(
    connection: sqlite3.Connection, spec: GameSpec, day: date, query: Query | None, samples: bool,
    words: Mapping[str, Mapping[str, Any]] | None = None,
    giving_way: Collection[str] = (DOCUMENTS,),
) -> list[tuple[Card, DatedCard]]:  # fmt: skip
    """Returns the cards in force on a day that match a query, sorted by set and reference.

    Sample cards are included if `samples`. With `words`, translated values by reference, the cards are returned in
    their language. The cards of the sets `giving_way` are left out where the user has one of the same type and name.
    """
    conditions = narrowing(spec, query, words is not None) if query else EVERY_CARD
    candidates = [state for state in states(connection, spec.key, day, conditions) if not state.retired]
    owned = cache(lambda: _owned(connection, spec.key))
    matches = []
    for card, state in zip(cards_of(connection, spec, day, candidates), candidates, strict=True):
        hit = card._replace(values={**card.values, **words[state.ref]}) if words and state.ref in words else card
        gives_way = hit.set in giving_way and _kind(hit.type, hit.name) in owned()
        shown = (samples or hit.set != SAMPLE) and not gives_way
        if shown and (query is None or query.matches(hit)):
            matches.append((hit, state))
    of_set = cache(natural)
    return sorted(matches, key=lambda hit: (of_set(hit[0].set), natural(hit[0].ref)))


def card(connection: sqlite3.Connection, spec: GameSpec, ref: str, day: date) -> Card | None:
    """Returns the card in force on a day with this reference, or else with a printing of this code, or None."""
    card_states = states(connection, spec.key, day, ref=ref)
    if not card_states and (other := printings.card_of_code(connection, spec.key, ref)):
        card_states = states(connection, spec.key, day, ref=other)
    return next(iter(cards_of(connection, spec, day, [state for state in card_states if not state.retired])), None)


def cards_of(connection: sqlite3.Connection, spec: GameSpec, day: date, card_states: Sequence[DatedCard]) -> list[Card]:
    """Returns the cards in the given states, with their printings and all names that they had up to the day."""
    ids, on = [state.id for state in card_states], day.isoformat()
    printed = printings.of_cards(connection, spec.key)
    renames = _of_cards(connection, SQL["renames"], [on], ids)
    former: dict[int, list[str]] = grouped((card_id, name) for card_id, *both in renames for name in both)
    translated: dict[int, list[str]] = grouped(_of_cards(connection, SQL["translated_names"], [spec.key, on], ids))
    cards = []
    for state in card_states:
        values = values_of(state.data)
        aliases = dict.fromkeys(name for name in former.get(state.id, ()) if name != values.get("name"))
        card = spec.card(state.ref, values, tuple(aliases))
        if state.id in printed or state.id in translated:
            names = dict.fromkeys(translated.get(state.id, ()))
            card = card._replace(printings=tuple(printed.get(state.id, ())), translated_names=tuple(names))
        cards.append(card)
    return cards


def has_own_cards(connection: sqlite3.Connection, game: str) -> bool:
    """Returns whether the user has loaded cards of the game."""
    own = 'SELECT EXISTS (SELECT 1 FROM card WHERE game = ? AND "set" NOT IN (?, ?))'
    return bool(connection.execute(own, [game, SAMPLE, DOCUMENTS]).fetchone()[0])


def has_terms(connection: sqlite3.Connection, game: str, sample: bool) -> bool:
    """Returns whether a game has ban lists, that is, sample lists if `sample`, otherwise real ones."""
    terms = "SELECT EXISTS (SELECT 1 FROM ban_terms WHERE game = ? AND sample = ?)"
    return bool(connection.execute(terms, [game, int(sample)]).fetchone()[0])


def _owned(connection: sqlite3.Connection, game: str) -> frozenset[tuple[str, str]]:
    """Returns the keys (`_kind`) of all the user's cards; a bundled card with the same key gives way to them."""
    own = 'SELECT DISTINCT type, name FROM card WHERE game = ? AND "set" NOT IN (?, ?) AND NOT retired'
    return frozenset(_kind(*row) for row in connection.execute(own, [game, SAMPLE, DOCUMENTS]))


def _kind(type_: str, name: str) -> tuple[str, str]:
    """Returns a key that is equal for cards of the same type and the same folded name."""
    return type_, fold(name)


def _of_cards(
    connection: sqlite3.Connection, statement: str, values: Sequence[str], ids: Sequence[int]
) -> sqlite3.Cursor:
    """Returns the rows of a statement for the cards with these row ids, or, if they are many, for every card."""
    few = ids if len(ids) <= MOST_VALUES else None
    of_cards = "" if few is None else f" AND card_id IN ({marks(few)})"
    return connection.execute(statement.format(of_cards=of_cards), [*values, *(few or ())])


def words(
    connection: sqlite3.Connection, game: str, lang: str, day: date, fields: Collection[str]
) -> dict[str, dict[str, Any]]:
    """Returns the translations of `fields` on a day, as `{reference: {field: value}}`; `zh` fills gaps of `zh-Hant`."""
    out: dict[str, dict[str, Any]] = {}
    for tag in reversed(language_chain(lang)):
        for ref, data in connection.execute(SQL["cards_in_language"], [tag, day.isoformat(), game]):
            if values := {name: value for name, value in values_of(data).items() if name in fields}:
                out[ref] = {**out.get(ref, {}), **values}
    return out


def history(connection: sqlite3.Connection, game: str, ref: str, lang: str = "") -> list[Revision]:
    """Returns a card's revisions, or those of its translation into exactly `lang`, by day, of each only the last."""
    if lang:
        return _translation_history(connection, game, ref, lang)
    rows = connection.execute(SQL["history"], [game, ref]).fetchall()
    try:
        return [
            Revision(
                date.fromisoformat(day) if day and day != ALWAYS.isoformat() else None,
                datetime.fromisoformat(recorded_at),
                author,
                source,
                kind,
                {field: (old, new) for field, (old, new) in values_of(changes).items()},
                values_of(data),
            )
            for day, recorded_at, author, source, kind, changes, data in rows
        ]
    except (TypeError, ValueError) as fault:
        raise _damaged(f"the history of {ref}") from fault


def _translation_history(connection: sqlite3.Connection, game: str, ref: str, lang: str) -> list[Revision]:
    """Returns the revisions of a card's translation into exactly this language, sorted by day."""
    revisions: list[Revision] = []
    for day, recorded_at, author, source, data in connection.execute(SQL["translation_history"], [game, ref, lang]):
        values, before = values_of(data), revisions[-1].values if revisions else {}
        since, moment = date.fromisoformat(day) if day else None, datetime.fromisoformat(recorded_at)
        kind = "changed" if revisions else "added"
        revisions.append(Revision(since, moment, author, source, kind, differences(before, values), values))
    return revisions


def older_translations(connection: sqlite3.Connection, game: str, lang: str, day: date) -> dict[str, set[str]]:
    """Returns, by reference, the fields of cards whose original has changed since their translation was written.

    A translation that is written again without a change counts as reviewed: all its fields are then up to date.
    """
    changed: dict[tuple[str, str], str] = {}
    for ref, recorded_at, changes in connection.execute(SQL["translated_changes"], [game, day.isoformat()]):
        changed |= {(ref, name): max(recorded_at, changed.get((ref, name), "")) for name in values_of(changes)}
    written: dict[tuple[str, str], str] = {}
    for tag in reversed(language_chain(lang)) if changed else ():
        last: tuple[str, dict[str, Any]] = "", {}
        for ref, recorded_at, data in connection.execute(SQL["translations_written"], [game, tag, day.isoformat()]):
            values, before = values_of(data), last[1] if last[0] == ref else {}
            fields = differences(before, values) or values
            written |= {(ref, name): recorded_at for name in fields if name in values}
            last = ref, values
    older = grouped(both for both, recorded_at in written.items() if recorded_at < changed.get(both, ""))
    return {ref: set(names) for ref, names in older.items()}


def unfiled_edits(connection: sqlite3.Connection, game: str) -> dict[str, dict[str, tuple[Any, Any]]]:
    """Returns `{ref: {field: (before, after)}}` for the edits that are in no file and that no later load changed."""
    edits: dict[str, dict[str, tuple[Any, Any]]] = defaultdict(dict)
    for ref, source, changes in connection.execute(SQL["edits"], [UNFILED, game]):
        for name, (old, new) in values_of(changes).items():
            before, _ = edits[ref].pop(name, (old, None))
            if source == UNFILED:
                edits[ref][name] = before, new
    return edits


def added_after(connection: sqlite3.Connection, game: str, day: date) -> set[str]:
    """Returns the references of the cards that were not yet in the catalogue at the end of a day, in UTC.

    A new card is in force from the beginning, so its revisions do not say by themselves when it was added.
    """
    return {ref for (ref,) in connection.execute(SQL["added_after"], [game, day.isoformat()])}


def change_days(connection: sqlite3.Connection, game: str, first: date, last: date) -> list[date]:
    """Returns the days after `first`, up to `last`, on which cards were added or changes came into force."""
    rows = connection.execute(SQL["change_days"], [game, first.isoformat(), last.isoformat()])
    return [date.fromisoformat(day) for (day,) in rows]


def sources(connection: sqlite3.Connection, game: str) -> dict[str, list[str]]:
    """Returns the sources of each card's revisions, the latest first, by the card's reference."""
    return grouped(connection.execute(SQL["sources"], [game]))


def games(connection: sqlite3.Connection) -> list[str]:
    """Returns the keys of the games that have cards."""
    return [key for (key,) in connection.execute("SELECT DISTINCT game FROM card ORDER BY game")]


def cards_of_other_types(
    connection: sqlite3.Connection, game: str, types: Collection[str]
) -> list[tuple[str, str, str]]:
    """Returns type, reference and latest source of the cards in use whose type is not among `types`."""
    return connection.execute(SQL["cards_of_other_types"], [game, json.dumps([*types])]).fetchall()


def refs(connection: sqlite3.Connection, game: str) -> set[str]:
    """Returns the references of all cards of a game, including retired ones."""
    return {ref for (ref,) in connection.execute("SELECT ref FROM card WHERE game = ?", [game])}


def sets(connection: sqlite3.Connection, game: str, day: date) -> dict[str, int]:
    """Returns the sets of a game in natural order, with the number of their cards in force on a day."""
    names = (values_of(state.data).get("set", "") for state in states(connection, game, day) if not state.retired)
    return dict(sorted(Counter(names).items(), key=lambda pair: natural(pair[0])))


def values_of(data: str) -> dict[str, Any]:
    """Returns a JSON object of the database. Raises CatalogError if the text is not a JSON object."""
    try:
        values = _read(data)
    except (ValueError, RecursionError) as fault:
        raise _damaged("the values of a card") from fault
    if not isinstance(values, dict):
        raise _damaged("the values of a card")
    return values


def revision_hash(connection: sqlite3.Connection, game: str, day: date, samples: bool) -> str:
    """Returns ten hex digits of SHA-256 over the cards shown on a day, equal for equal cards."""
    digest = hashlib.sha256()
    for state in sorted(states(connection, game, day), key=lambda state: state.ref):
        if not state.retired and (samples or values_of(state.data).get("set") != SAMPLE):
            digest.update(f"{state.ref}\t{state.data}\n".encode())
    return digest.hexdigest()[:10]


def _damaged(part: str) -> CatalogError:
    return CatalogError(f"the catalogue is damaged: {part} cannot be read", RESTORE)


def phrase_scores(
    texts: Iterable[Sequence[str]], weights: Sequence[float], phrases: Iterable[str]
) -> dict[str, dict[int, float]]:
    """Returns, for each phrase, the index of every text that has it and how well it fits (bm25), as `{index: score}`.

    A text has as many columns as there are `weights`; a hit in a column counts by its weight. Rare phrases score higher
    than common ones. Case, accents and English endings are ignored.
    """
    columns = ", ".join(f"column_{number}" for number in range(len(weights)))
    places = ", ".join("?" * (len(weights) + 1))
    select = f"SELECT rowid, -bm25(texts, {', '.join(map(str, weights))}) FROM texts WHERE texts MATCH ?"
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute(f"CREATE VIRTUAL TABLE texts USING fts5({columns}, tokenize = 'porter unicode61')")
        rows = ([number, *map(fold, text)] for number, text in enumerate(texts))
        index.executemany(f"INSERT INTO texts (rowid, {columns}) VALUES ({places})", rows)
        folded = {phrase: fold(phrase) for phrase in phrases}
        return {phrase: dict(index.execute(select, [f'"{text}"'])) for phrase, text in folded.items() if text}
