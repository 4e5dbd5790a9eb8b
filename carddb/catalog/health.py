"""What is wrong with a catalogue, found without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

from carddb.catalog.connection import VERSION, connect, version_of
from carddb.catalog.search import games
from carddb.core.amounts import first_of
from carddb.core.database import guarded, integrity_faults, is_there
from carddb.core.errors import CatalogError
from carddb.findings import Finding, Place, error, info, warning

_MOST = 5
"""The faults that are named of one kind."""
_NO_REVISION = "SELECT game, ref FROM card WHERE NOT EXISTS (SELECT 1 FROM revision WHERE card_id = card.id)"
_INDEX = "CREATE VIRTUAL TABLE temp.indexed_words USING fts5vocab('main', 'card_words', 'instance')"
_NO_WORDS = """SELECT game, ref FROM card
WHERE name GLOB '*[0-9A-Za-z]*' AND id NOT IN (SELECT doc FROM temp.indexed_words)"""
_WORDS_ALONE = """SELECT DISTINCT 'word index', doc FROM temp.indexed_words
WHERE doc NOT IN (SELECT id FROM card)"""
_TRANSLATED_INDEX = (
    "CREATE VIRTUAL TABLE temp.translated_words USING fts5vocab('main', 'translation_words', 'instance')"
)
_NO_TRANSLATED_WORDS = """SELECT game, ref || ' in ' || lang FROM translation JOIN card ON card.id = card_id
WHERE translation.name GLOB '*[0-9A-Za-z]*' AND translation.id NOT IN (SELECT doc FROM temp.translated_words)"""
_BEHIND = """SELECT game, ref FROM card JOIN revision ON revision.id = (
    SELECT id FROM revision WHERE card_id = card.id ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE revision.data <> card.data"""
_RESTORE = "Put back a copy of the file, or load the card files anew."


def catalogue_findings(path: Path, game_keys: Collection[str], patience: float = 1.0) -> list[Finding]:
    """Every fault of a catalogue: integrity, foreign keys, rows without their others, games that nobody has, copies."""
    place = Place(str(path))
    try:
        if not is_there(path):
            return [info("catalogue_missing", "there is no catalogue yet", place, fix="carddb load or init makes one.")]
        with closing(connect(path, patience)) as connection:
            version = version_of(connection, path)
            if not version:
                return [error("catalogue_damaged", "the file is empty", place, fix="Delete it.")]
            with guarded(path):
                return [*_contents(connection, path, version, game_keys), *_copies(path)]
    except CatalogError as fault:
        return [error("catalogue_unusable", fault.message, place, fix=fault.remedy), *_copies(path)]


def _contents(
    connection: sqlite3.Connection, path: Path, version: int, game_keys: Collection[str]
) -> Iterator[Finding]:
    place = Place(str(path))
    for fault in integrity_faults(connection, _MOST):
        yield error("catalogue_damaged", fault, place, fix=_RESTORE)
    if version < VERSION:
        message = f"it has schema {version}, this program writes {VERSION}"
        fix = "The next command brings it up to date, and keeps a copy of it."
        yield info("catalogue_older", message, place, fix=fix)
        return
    connection.execute("PRAGMA query_only = OFF")  # of a copy in memory, where the next table is
    connection.execute(_INDEX)
    connection.execute(_TRANSLATED_INDEX)
    for statement, fault in (
        (_NO_REVISION, "no revision"),
        (_BEHIND, "values that are not those of its last revision"),
        (_NO_WORDS, "no words in the index"),
        (_NO_TRANSLATED_WORDS, "no words in the index of translations"),
        (_WORDS_ALONE, "words in the index and no card"),
    ):
        rows = connection.execute(statement).fetchall()
        if rows:
            names = first_of([f"{ref} ({game})" for game, ref in rows], _MOST)
            yield error("catalogue_orphan", f"{names}: {fault}", place, fix=_RESTORE)
    for game in games(connection):
        if game not in game_keys:
            fix = "Name its folder with --games, or under games in carddb.toml."
            yield warning("game_missing", f"it has cards of {game}, and there is no such game", place, fix=fix)


def _copies(path: Path) -> Iterator[Finding]:
    """The copies that upgrades have left."""
    for copy in sorted(path.parent.glob(f"{path.name}.bak-*")):
        size = copy.stat().st_size
        message = f"a copy of an older catalogue, {max(1, size >> 10):,} KB"
        yield info("catalogue_copy", message, Place(str(copy)), fix="Delete it when the new one has proved itself.")
