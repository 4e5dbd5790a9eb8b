"""Ban lists out of the catalogue."""

from __future__ import annotations

import json
import sqlite3
from datetime import date
from typing import NamedTuple

from carddb.bans.log import Announcement, Log, Window
from carddb.bans.log_data import announcement_of, log_of
from carddb.catalog import search
from carddb.core.errors import CatalogError
from carddb.findings import Finding, has_errors

_TERMS = "SELECT in_force_from, data FROM ban_terms WHERE game = ? AND sample = ? ORDER BY in_force_from, id"

_ANNOUNCEMENTS = "SELECT data FROM announcement WHERE game = ? AND sample = ? ORDER BY made, id"

_HAS_TERMS = "SELECT EXISTS (SELECT 1 FROM ban_terms WHERE game = ? AND sample = ?)"


class AnnounceResult(NamedTuple):
    """The ids that were added and those that were there before; nothing was written where a finding is an error.

    `log` is the whole log afterwards, `before` the one that was added to; `terms` says that lists, levels or groups
    were added or changed.
    """

    log: Log
    before: Log = Log()
    added: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    terms: bool = False
    findings: tuple[Finding, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether nothing was written for errors."""
        return has_errors(self.findings)


def uses_samples(connection: sqlite3.Connection, game: str) -> bool:
    """Whether the sample lists of a game are those in use: it has no others, and its cards are samples too."""
    return not has_terms(connection, game, sample=False) and search.shows_samples(connection, game)


def log(connection: sqlite3.Connection, game: str, day: date, sample: bool) -> Log:
    """A game's log by the terms in force on a day, of the sample lists or of the others. Raises CatalogError.

    Lists, levels and groups that were described later are in it too: announcements may name them before their day.
    The window is the widest of all: each announcement was judged by the one of its time.
    """
    rows, announcements = _read(connection, game, sample)
    if not rows:
        return Log()
    if len(rows) == 1:
        return rows[0][1]._replace(announcements=announcements)
    windows = [log.window for _, log in rows]
    widest = Window(min(window.least for window in windows), max(window.most for window in windows))
    dated = tuple(
        (date.fromisoformat(since) if since else date.min, _with_later([log for _, log in rows[at:]]))
        for at, (since, _) in enumerate(rows)
    )
    return Log(announcements=announcements, window=widest, dated=dated).on(day)


def _with_later(logs: list[Log]) -> Log:
    """The first of several logs, with what only later ones describe."""
    merged, *later = logs
    for log in later:
        merged = merged._replace(
            lists={**log.lists, **merged.lists},
            levels={**log.levels, **merged.levels},
            groups={**log.groups, **merged.groups},
        )
    return merged


def latest(connection: sqlite3.Connection, game: str, sample: bool) -> Log:
    """A game's log by its latest terms and no others: what new announcements are judged by. Raises CatalogError."""
    rows, announcements = _read(connection, game, sample)
    return rows[-1][1]._replace(announcements=announcements) if rows else Log()


def _read(
    connection: sqlite3.Connection, game: str, sample: bool
) -> tuple[list[tuple[str | None, Log]], tuple[Announcement, ...]]:
    """The terms by the days from which they are in force, as logs without announcements; and the announcements."""
    terms = connection.execute(_TERMS, (game, int(sample))).fetchall()
    rows = connection.execute(_ANNOUNCEMENTS, (game, int(sample))).fetchall() if terms else []
    try:
        logs = [(since, log_of(json.loads(data))) for since, data in terms]
        return logs, tuple(announcement_of(json.loads(data)) for (data,) in rows)
    except (ValueError, KeyError, TypeError) as fault:
        message = f"the catalogue is damaged: the ban lists of {game} cannot be read"
        raise CatalogError(message, "Put back a copy of the file.") from fault


def has_terms(connection: sqlite3.Connection, game: str, sample: bool) -> bool:
    """Whether a game has ban lists of its own, or sample ones."""
    return bool(connection.execute(_HAS_TERMS, (game, int(sample))).fetchone()[0])
