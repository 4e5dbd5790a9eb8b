"""Ban lists out of the catalogue."""

from __future__ import annotations

import json
import sqlite3
from datetime import date

from carddb.bans.log import Log
from carddb.bans.plain import announcement_of, log_of
from carddb.catalog import search
from carddb.errors import CatalogError

_TERMS = """
SELECT data FROM ban_terms WHERE game = ? AND sample = ? AND (in_force_from IS NULL OR in_force_from <= ?)
ORDER BY in_force_from DESC, id DESC LIMIT 1"""

_ANNOUNCEMENTS = "SELECT data FROM announcement WHERE game = ? AND sample = ? ORDER BY made, id"

_HAS_TERMS = "SELECT EXISTS (SELECT 1 FROM ban_terms WHERE game = ? AND sample = ?)"


def uses_samples(connection: sqlite3.Connection, game: str) -> bool:
    """Whether the sample lists of a game are those in use: it has no others, and its cards are samples too."""
    return not has_terms(connection, game, sample=False) and search.shows_samples(connection, game)


def log(connection: sqlite3.Connection, game: str, day: date, sample: bool) -> Log:
    """A game's log by the terms in force on a day; of the sample lists or of the others. Raises CatalogError."""
    found = connection.execute(_TERMS, (game, int(sample), day.isoformat())).fetchone()
    if not found:
        return Log()
    rows = connection.execute(_ANNOUNCEMENTS, (game, int(sample))).fetchall()
    try:
        return log_of(json.loads(found[0]), tuple(announcement_of(json.loads(data)) for (data,) in rows))
    except (ValueError, KeyError, TypeError) as fault:
        message = f"the catalogue is damaged: the ban lists of {game} cannot be read"
        raise CatalogError(message, "Put back a copy of the file.") from fault


def has_terms(connection: sqlite3.Connection, game: str, sample: bool) -> bool:
    """Whether a game has ban lists of its own, or sample ones."""
    return bool(connection.execute(_HAS_TERMS, (game, int(sample))).fetchone()[0])
