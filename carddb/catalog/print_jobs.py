"""Print jobs in the catalogue: every job with the whole of what was on paper after it."""

from __future__ import annotations

import sqlite3
from datetime import date, datetime

from carddb.cards.print_history import PrintedCard, PrintJob
from carddb.core.dates import moment_text

_CARDS = "SELECT ref, name, copies, front, back FROM print_job_card WHERE print_job_id = ? ORDER BY ref, front"

_ADD_CARD = "INSERT INTO print_job_card (print_job_id, ref, name, copies, front, back) VALUES (?, ?, ?, ?, ?, ?)"

_ADD = "INSERT INTO print_job (game, title, size, printed_on, recorded_at) VALUES (?, ?, ?, ?, ?) RETURNING id"

_NEWEST = "SELECT id, title, size FROM print_job WHERE game = ? ORDER BY id DESC LIMIT 1"

_OF_TITLE = """
SELECT id FROM print_job WHERE game = ? AND size = ? AND title = ? AND printed_on <= ?
ORDER BY id DESC LIMIT 1"""

_OF_ANY = """
WITH latest AS (
    SELECT ref, max(print_job_id) AS job
    FROM print_job_card JOIN print_job ON print_job.id = print_job_id
    WHERE game = ? AND size = ? AND printed_on <= ?
    GROUP BY ref
)
SELECT ref, name, copies, front, back
FROM latest JOIN print_job_card USING (ref) WHERE print_job_id = job
ORDER BY ref, front"""


def last(connection: sqlite3.Connection, game: str, size: str, title: str, until: date) -> PrintJob | None:
    """What was on paper at the end of a day of a title; where it was never printed, of each card in any job."""
    day = until.isoformat()
    newest = connection.execute(_OF_TITLE, (game, size, one_line(title), day)).fetchone()
    if newest:
        return PrintJob(game, title, size, _cards(connection, newest[0]))
    rows = connection.execute(_OF_ANY, (game, size, day)).fetchall()
    return PrintJob(game, title, size, tuple(PrintedCard(*row) for row in rows), whole=False) if rows else None


def add(connection: sqlite3.Connection, job: PrintJob, on: date, recorded_at: datetime) -> None:
    """Adds a print job, unless it repeats the last one of its game."""
    title = one_line(job.title)
    cards = tuple(sorted(job.cards, key=lambda card: card.look))
    newest = connection.execute(_NEWEST, (job.game,)).fetchone()
    if newest and newest[1:] == (title, job.size) and _cards(connection, newest[0]) == cards:
        return
    (job_id,) = connection.execute(
        _ADD, (job.game, title, job.size, on.isoformat(), moment_text(recorded_at))
    ).fetchone()
    connection.executemany(_ADD_CARD, [(job_id, *card) for card in cards])


def one_line(title: str) -> str:
    """A title as it is stored: on one line, never blank."""
    return " ".join(title.encode("utf-8", "replace").decode().split()) or "-"


def _cards(connection: sqlite3.Connection, job_id: int) -> tuple[PrintedCard, ...]:
    return tuple(PrintedCard(*row) for row in connection.execute(_CARDS, (job_id,)))
