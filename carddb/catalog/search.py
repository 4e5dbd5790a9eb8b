"""Every statement that reads: plain SQL over the plain DB-API, values out.

A card's row holds the state of its latest revision. For a day before that one its revisions are read, so narrowing
by the row's columns keeps such cards; the query's predicate decides in the end.
"""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import date, datetime
from functools import cache
from typing import Any, NamedTuple

from carddb.cards.cards import DOCUMENTS, SAMPLE, Card, Printing
from carddb.cards.query import Query
from carddb.catalog import printings
from carddb.catalog.query_narrowing import EVERY_CARD, MOST_VALUES, Conditions, marks, narrowing
from carddb.catalog.revisions import UNFILED, Revision
from carddb.core.errors import CatalogError
from carddb.core.names import fold
from carddb.game.game import GameSpec

# Most catalogues are of one game: with this hint the database begins with the other conditions.
_SETTLED = """
SELECT id, ref, data, retired FROM card
WHERE likely(game = ?) AND (in_force_from IS NULL OR in_force_from <= ?)"""

_EARLIER = """
SELECT card.id, card.ref, revision.data, revision.kind = 'retired' FROM card JOIN revision ON revision.id = (
    SELECT id FROM revision WHERE card_id = card.id AND (in_force_from IS NULL OR in_force_from <= ?)
    ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE card.game = ? AND card.in_force_from > ?"""

_RENAMES = """
SELECT card_id, changes ->> '$.name[0]', changes ->> '$.name[1]' FROM revision
WHERE json_type(changes, '$.name') IS NOT NULL AND in_force_from <= ?{of_cards} ORDER BY in_force_from, id"""

_TRANSLATED_NAMES = """
SELECT card_id, translation.name FROM translation JOIN card ON card.id = card_id
WHERE card.game = ? AND translation.name IS NOT NULL
AND (translation.in_force_from IS NULL OR translation.in_force_from <= ?){of_cards}
ORDER BY card_id, lang, translation.in_force_from, translation.id"""

_NEXT = """
SELECT card_id, min(revision.in_force_from) FROM card JOIN revision ON card_id = card.id
WHERE card.game = ? AND card.in_force_from > ? AND revision.in_force_from > ? GROUP BY card_id"""

_HISTORY = """
SELECT revision.in_force_from, recorded_at, author, source, kind, changes, revision.data
FROM revision JOIN card ON card.id = card_id
WHERE game = ? AND ref = ? ORDER BY revision.in_force_from, revision.id"""

_EDITED = """
SELECT card.ref, source, changes FROM revision JOIN card ON card.id = card_id
WHERE card_id IN (SELECT card_id FROM revision WHERE source = ?) AND game = ? ORDER BY revision.id"""

_SOURCES = """
SELECT card.ref, source FROM revision JOIN card ON card.id = card_id
WHERE game = ? AND NOT card.retired GROUP BY card.ref, source ORDER BY max(revision.id) DESC"""

_NUMBERS = re.compile(r"(\d+)", re.ASCII)
_read = json.JSONDecoder().decode


class State(NamedTuple):
    """A card as it is on a day: `data` is JSON; `earlier` where a later revision is recorded already."""

    id: int
    ref: str
    data: str
    retired: bool
    earlier: bool


def states(connection: sqlite3.Connection, game: str, day: date, narrowed: Conditions = EVERY_CARD) -> list[State]:
    """Every card of a game as it is on a day, retired ones too, and perhaps some that do not fulfil the conditions."""
    conditions, values = narrowed
    on = day.isoformat()
    settled = connection.execute(_SETTLED + conditions, [game, on, *values])
    earlier = connection.execute(_EARLIER, [on, game, on])
    return [
        *(State(key, ref, data, bool(retired), False) for key, ref, data, retired in settled),
        *(State(key, ref, data, bool(retired), True) for key, ref, data, retired in earlier),
    ]


def state_of(connection: sqlite3.Connection, game: str, ref: str, day: date) -> State | None:
    """One card as it is on a day."""
    on = day.isoformat()
    row = connection.execute(_SETTLED + " AND ref = ?", [game, on, ref]).fetchone()
    earlier = row is None
    if earlier:
        row = connection.execute(_EARLIER + " AND ref = ?", [on, game, on, ref]).fetchone()
    return State(row[0], row[1], row[2], bool(row[3]), earlier) if row else None


def hits(
    connection: sqlite3.Connection, spec: GameSpec, day: date, query: Query | None, samples: bool | None,
    narrowed: Conditions | None = None, words: Mapping[str, Mapping[str, Any]] | None = None,
) -> list[tuple[Card, State]]:  # fmt: skip
    """The cards in force on a day that match, by set and reference; `samples` None: see `shows_samples`.

    With `narrowed` only those that fulfil the conditions, and perhaps some more; with `words`, which are values of
    another language by reference, the cards in it.
    """
    if samples is None:
        samples = shows_samples(connection, spec.key, query)
    conditions = narrowed or (narrowing(spec, query, words is not None) if query else EVERY_CARD)
    candidates = [state for state in states(connection, spec.key, day, conditions) if not state.retired]
    renames = former_names(connection, day, [state.id for state in candidates])
    printed = printings.of_cards(connection, spec.key)
    translated = translated_names(connection, spec.key, day, [state.id for state in candidates])
    owned = cache(lambda: _owned(connection, spec.key))
    matches = []
    for state in candidates:
        card = card_of(spec, state, renames.get(state.id, ()), printed.get(state.id, ()), translated.get(state.id, ()))
        if words and state.ref in words:
            card = card._replace(values={**card.values, **words[state.ref]})
        shown = samples if card.set == SAMPLE else card.set != DOCUMENTS or _kind(card.type, card.name) not in owned()
        if shown and (query is None or query.matches(card)):
            matches.append((card, state))
    of_set = cache(natural)
    return sorted(matches, key=lambda hit: (of_set(hit[0].set), natural(hit[0].ref)))


def card(connection: sqlite3.Connection, spec: GameSpec, ref: str, day: date) -> Card | None:
    """The card in force on a day that has this reference, or else a printing of this code."""
    state = state_of(connection, spec.key, ref, day)
    if state is None:
        ref = printings.card_of_code(connection, spec.key, ref) or ""
        state = state_of(connection, spec.key, ref, day) if ref else None
    if state is None or state.retired:
        return None
    names = former_names(connection, day, [state.id])
    printed = printings.of_cards(connection, spec.key)
    translated = translated_names(connection, spec.key, day, [state.id])
    return card_of(spec, state, names.get(state.id, ()), printed.get(state.id, ()), translated.get(state.id, ()))


def card_of(
    spec: GameSpec, state: State, names: Collection[str], printed: Collection[Printing] = (),
    translated: Collection[str] = (),
) -> Card:  # fmt: skip
    """The frozen card; `names` are all the names that it has had, in order, `printed` its printings.

    `translated` are its names in other languages.
    """
    values = values_of(state.data)
    former = tuple(name for name in dict.fromkeys(names) if name != values.get("name")) if names else ()
    card = spec.card(state.ref, values, former)
    if printed or translated:
        return card._replace(printings=tuple(printed), translated_names=tuple(translated))
    return card


def shows_samples(connection: sqlite3.Connection, game: str, query: Query | None = None) -> bool:
    """Whether sample cards are shown: where the query names their set, or the game has no cards of a user's own."""
    if query and ("set", SAMPLE) in query.texts():
        return True
    other = 'SELECT EXISTS (SELECT 1 FROM card WHERE game = ? AND "set" NOT IN (?, ?))'
    return not connection.execute(other, [game, SAMPLE, DOCUMENTS]).fetchone()[0]


def _owned(connection: sqlite3.Connection, game: str) -> frozenset[tuple[str, str]]:
    """The types and names of the cards of a user's own: one that comes with the game steps back for its like."""
    own = 'SELECT DISTINCT type, name FROM card WHERE game = ? AND "set" NOT IN (?, ?) AND NOT retired'
    return frozenset(_kind(*row) for row in connection.execute(own, [game, SAMPLE, DOCUMENTS]))


def _kind(type_: str, name: str) -> tuple[str, str]:
    """What two cards of one type and name have alike, however the name is written."""
    return type_, fold(name)


def former_names(connection: sqlite3.Connection, day: date, ids: Sequence[int]) -> dict[int, list[str]]:
    """The names that renamed cards have had up to a day, by card id; perhaps those of other cards too."""
    few = len(ids) <= MOST_VALUES
    statement = _RENAMES.format(of_cards=f" AND card_id IN ({marks(ids)})" if few else "")
    names: dict[int, list[str]] = defaultdict(list)
    for key, old, new in connection.execute(statement, [day.isoformat(), *(ids if few else ())]):
        names[key] += [old, new]
    return names


def translated_names(connection: sqlite3.Connection, game: str, day: date, ids: Sequence[int]) -> dict[int, list[str]]:
    """The names that cards of a game have had in other languages up to a day, by the id of the card."""
    few = len(ids) <= MOST_VALUES
    statement = _TRANSLATED_NAMES.format(of_cards=f" AND card_id IN ({marks(ids)})" if few else "")
    names: dict[int, list[str]] = defaultdict(list)
    for card_id, name in connection.execute(statement, [game, day.isoformat(), *(ids if few else ())]):
        if name not in names[card_id]:
            names[card_id].append(name)
    return names


def next_days(connection: sqlite3.Connection, game: str, day: date) -> dict[int, date]:
    """The first day after `day` on which a revision takes over, by card id."""
    on = day.isoformat()
    return {key: date.fromisoformat(text) for key, text in connection.execute(_NEXT, [game, on, on])}


def history(connection: sqlite3.Connection, game: str, ref: str) -> list[Revision]:
    """The revisions of a card in the order of their days; the last recorded of a day is the one that counts."""
    rows = connection.execute(_HISTORY, [game, ref]).fetchall()
    try:
        return [_revision(*row) for row in rows]
    except (TypeError, ValueError) as fault:
        raise _damaged(f"the history of {ref}") from fault


def unfiled_edits(connection: sqlite3.Connection, game: str) -> dict[str, dict[str, tuple[Any, Any]]]:
    """By reference and field the values before and after the edits that stand in no file, as far as they count."""
    edits: dict[str, dict[str, tuple[Any, Any]]] = defaultdict(dict)
    for ref, source, changes in connection.execute(_EDITED, [UNFILED, game]):
        for name, (old, new) in values_of(changes).items():
            before, _ = edits[ref].pop(name, (old, None))
            if source == UNFILED:
                edits[ref][name] = before, new
    return edits


def sources(connection: sqlite3.Connection, game: str) -> dict[str, list[str]]:
    """The sources of each card's revisions, the latest first."""
    by_card: dict[str, list[str]] = defaultdict(list)
    for ref, source in connection.execute(_SOURCES, [game]):
        by_card[ref].append(source)
    return by_card


def games(connection: sqlite3.Connection) -> list[str]:
    """The keys of the games that have cards."""
    return [key for (key,) in connection.execute("SELECT DISTINCT game FROM card ORDER BY game")]


def refs(connection: sqlite3.Connection, game: str) -> set[str]:
    """The references of all cards of a game, retired ones too."""
    return {ref for (ref,) in connection.execute("SELECT ref FROM card WHERE game = ?", [game])}


def sets(connection: sqlite3.Connection, game: str, day: date) -> dict[str, int]:
    """The sets of a game in natural order, with the number of their cards in force on a day."""
    names = (values_of(state.data).get("set", "") for state in states(connection, game, day) if not state.retired)
    return dict(sorted(Counter(names).items(), key=lambda pair: natural(pair[0])))


def values_of(data: str) -> dict[str, Any]:
    """A JSON object of the database. Raises CatalogError where it is none."""
    try:
        values = _read(data)
    except (ValueError, RecursionError) as fault:
        raise _damaged("the values of a card") from fault
    if not isinstance(values, dict):
        raise _damaged("the values of a card")
    return values


def revision_hash(connection: sqlite3.Connection, game: str, day: date) -> str:
    """Ten hex digits of SHA-256 over the cards shown on a day: equal where the cards are equal."""
    samples = shows_samples(connection, game)
    digest = hashlib.sha256()
    for state in sorted(states(connection, game, day), key=lambda state: state.ref):
        if not state.retired and (samples or values_of(state.data).get("set") != SAMPLE):
            digest.update(f"{state.ref}\t{state.data}\n".encode())
    return digest.hexdigest()[:10]


def natural(text: str) -> tuple[list[str | tuple[int, str]], str]:
    """A key that sorts numbers within a text by their size: `EG-2` before `EG-10`."""
    parts: list[str | tuple[int, str]] = list(_NUMBERS.split(text.casefold()))
    for at in range(1, len(parts), 2):
        digits = str(parts[at]).lstrip("0")
        parts[at] = (len(digits), digits)
    return parts, text


def _revision(
    day: str | None, recorded_at: str, author: str, source: str, kind: str, changes: str, data: str
) -> Revision:
    in_force_from = date.fromisoformat(day) if day else None
    fields = {field: (old, new) for field, (old, new) in values_of(changes).items()}
    return Revision(in_force_from, datetime.fromisoformat(recorded_at), author, source, kind, fields, values_of(data))


def _damaged(part: str) -> CatalogError:
    return CatalogError(f"the catalogue is damaged: {part} cannot be read", "Put back a copy, or load the files anew.")
