"""What was printed, remembered: every printing with the whole of what was then on paper."""

from __future__ import annotations

import sqlite3
from datetime import UTC, date, datetime

from carddb.print_history import PrintedCard, PrintJob

_LOOKS = "SELECT ref, name, copies, front, back FROM printed WHERE printing_id = ? ORDER BY ref"

_OF_TITLE = """
SELECT id FROM printing WHERE game = ? AND size = ? AND title = ? AND printed_on <= ?
ORDER BY id DESC LIMIT 1"""

_LOOK = "INSERT INTO printed (printing_id, ref, name, copies, front, back) VALUES (?, ?, ?, ?, ?, ?)"

# Of a query with one max() SQLite gives the other columns from the row that has it.
_OF_ANY = """
SELECT ref, name, copies, front, back, max(printing_id)
FROM printed JOIN printing ON printing.id = printing_id
WHERE game = ? AND size = ? AND printed_on <= ?
GROUP BY ref ORDER BY ref"""


def last(connection: sqlite3.Connection, game: str, size: str, title: str, until: date) -> PrintJob | None:
    """What was on paper at the end of a day of a title; where it was never printed, of each card in any printing."""
    when = until.isoformat()
    found = connection.execute(_OF_TITLE, (game, size, one_line(title), when)).fetchone()
    if found:
        return PrintJob(game, title, size, _looks(connection, found[0]))
    rows = connection.execute(_OF_ANY, (game, size, when)).fetchall()
    return PrintJob(game, title, size, tuple(PrintedCard(*row[:5]) for row in rows), whole=False) if rows else None


def write(connection: sqlite3.Connection, printing: PrintJob, on: date, recorded_at: datetime) -> None:
    """Adds a printing, unless it is the last one of its game over again."""
    title = one_line(printing.title)
    head = (printing.game, title, printing.size)
    newest = connection.execute(
        "SELECT id, title, size FROM printing WHERE game = ? ORDER BY id DESC LIMIT 1", (printing.game,)
    ).fetchone()
    looks = tuple(sorted(printing.looks))
    if newest and newest[1:] == head[1:] and _looks(connection, newest[0]) == looks:
        return
    moment = recorded_at.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat() + "Z"
    (number,) = connection.execute(
        "INSERT INTO printing (game, title, size, printed_on, recorded_at) VALUES (?, ?, ?, ?, ?) RETURNING id",
        (*head, on.isoformat(), moment),
    ).fetchone()
    connection.executemany(_LOOK, [(number, *look) for look in looks])


def one_line(title: str) -> str:
    """A title as it is kept: on one line, never blank."""
    return " ".join(title.encode("utf-8", "replace").decode().split()) or "-"


def _looks(connection: sqlite3.Connection, number: int) -> tuple[PrintedCard, ...]:
    return tuple(PrintedCard(*row) for row in connection.execute(_LOOKS, (number,)))
