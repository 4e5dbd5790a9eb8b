"""The printings of cards, and what print jobs put on paper."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Generic, NamedTuple, TypeVar

from carddb.cards.cards import Printing, ReadPrinting
from carddb.cards.print_history import PrintedCard, PrintJob
from carddb.catalog.connection import SQL, Stamp
from carddb.core.dates import moment_text
from carddb.core.groups import grouped
from carddb.findings import CardCount, Finding, error, has_errors

_COLUMNS = tuple(f'"{name}"' for name in Printing._fields if name != "card")
_OF_CARDS = f"""
SELECT card_id, {", ".join("card.ref" if name == "card" else f'printing."{name}"' for name in Printing._fields)}
FROM printing JOIN card ON card.id = card_id WHERE printing.game = ? AND printing.retired = 0
ORDER BY released, printing."set", code"""
_WRITTEN = (*_COLUMNS, "recorded_at", "author", "source")
_WRITE = f"""
INSERT INTO printing (game, card_id, {", ".join(_WRITTEN)})
VALUES (?1, (SELECT id FROM card WHERE game = ?1 AND ref = ?2){", ?" * len(_WRITTEN)})
ON CONFLICT (game, code) DO UPDATE SET card_id = excluded.card_id, retired = 0,
    {", ".join(f"{name} = excluded.{name}" for name in _WRITTEN)}"""


class PrintingChange(NamedTuple):
    """A printing before and after a load, each None if it did not exist."""

    old: Printing | None
    new: Printing | None


T = TypeVar("T")


@dataclass(frozen=True)  # with slots, Python 3.11 refuses to call LoadedRows[...]
class LoadedRows(Generic[T]):
    """The changes of a load of printings or translations. If `findings` has an error, nothing was written."""

    changes: Sequence[T] = ()
    unchanged: int = 0
    findings: Sequence[Finding] = ()

    @property
    def refused(self) -> bool:
        """True if nothing was written because of errors in the rows."""
        return has_errors(self.findings)


PrintingResult = LoadedRows[PrintingChange]
"""The result of a load of printings."""


def of_cards(connection: sqlite3.Connection, game: str) -> Mapping[int, list[Printing]]:
    """Returns the printings of a game in order of release, by the row id of their card."""
    rows = connection.execute(_OF_CARDS, [game])
    return grouped(
        (row[0], Printing(**{k: v for k, v in zip(Printing._fields, row[1:], strict=True) if v is not None}))
        for row in rows
    )


def codes(connection: sqlite3.Connection, game: str) -> dict[str, str]:
    """Returns the references of a game's cards, by the codes of their printings."""
    return {each.code: each.card for of_card in of_cards(connection, game).values() for each in of_card}


def card_of_code(connection: sqlite3.Connection, game: str, code: str) -> str | None:
    """Returns the reference of the card that has a printing with this code, ignoring case, or None."""
    statement = """SELECT ref FROM printing JOIN card ON card.id = card_id
        WHERE printing.game = ? AND code = ? COLLATE NOCASE AND printing.retired = 0"""
    row = connection.execute(statement, [game, code]).fetchone()
    return row[0] if row else None


def plan(
    connection: sqlite3.Connection, game: str, rows: Iterable[ReadPrinting], refs: Collection[str], prune: bool
) -> PrintingResult:
    """Returns the changes that `rows` make; `refs` are all cards' references.

    With `prune`, other printings of their sets end.
    """
    rows = list(rows)
    findings = [finding for row in rows for finding in _faults(row, refs)]
    stored = {each.code: each for of_card in of_cards(connection, game).values() for each in of_card}
    new = {row.printing.code: row.printing for row in rows}
    changes = [PrintingChange(stored.get(code), each) for code, each in new.items() if stored.get(code) != each]
    unchanged = len(new) - len(changes)
    if prune:
        sets = {each.set for each in new.values()}
        gone = (each for code, each in stored.items() if each.set in sets and code not in new)
        changes += [PrintingChange(each, None) for each in gone]
    return PrintingResult(changes, unchanged, findings)


def write(connection: sqlite3.Connection, game: str, changes: Iterable[PrintingChange], recorded: Stamp) -> None:
    """Writes the changes of a plan."""
    stamp = recorded.columns()
    for old, new in changes:
        if new:
            values = [value or None for name, value in new._asdict().items() if name != "card"]
            connection.execute(_WRITE, [game, new.card, *values, *stamp])
        elif old:
            connection.execute(SQL["retire_printing"], [*stamp, game, old.code])


def _faults(row: ReadPrinting, refs: Collection[str]) -> Iterable[Finding]:
    """Yields the faults of a printing, given the references of all cards."""
    printing, place = row.printing, row.place
    cards = (CardCount(printing.card, "", 1),)
    if printing.card not in refs:
        message = f"{printing.code} is a printing of {printing.card}, but no card has this reference"
        yield error("printing_of_no_card", message, place, fix="Load the cards first, or correct the reference.")
    if printing.code in refs and printing.code != printing.card:
        message = f"{printing.code}, the code of a printing of {printing.card}, is the reference of another card"
        yield error("printing_is_reference", message, place, cards=cards, fix="Give the printing a code of its own.")


def last_day(connection: sqlite3.Connection, game: str) -> date | None:
    """Returns the day of a game's last print job; None if there is none."""
    (day,) = connection.execute(SQL["last_print_day"], [game]).fetchone()
    return date.fromisoformat(day) if day else None


def numbered(connection: sqlite3.Connection, game: str, number: int) -> tuple[date, PrintJob] | None:
    """Returns the day and the cards of a game's print job with this number (from 1); None if there is none."""
    row = connection.execute(SQL["numbered_print_job"], (game, number - 1)).fetchone() if number > 0 else None
    return (date.fromisoformat(row[3]), PrintJob(game, row[1], row[2], _cards(connection, row[0]))) if row else None


def last(connection: sqlite3.Connection, game: str, title: str, size: str, until: date = date.max) -> PrintJob | None:
    """Returns what was on paper after the last print job with a title, up to the day `until`; None if nothing was.

    If no job has the title, it is each card of the game as last printed in any job.
    """
    day = until.isoformat()
    newest = connection.execute(SQL["print_job_of_title"], (game, size, one_line(title), day)).fetchone()
    if newest:
        return PrintJob(game, title, size, _cards(connection, newest[0]))
    rows = connection.execute(SQL["last_printed_cards"], (game, size, day)).fetchall()
    return PrintJob(game, title, size, tuple(PrintedCard(*row) for row in rows), whole=False) if rows else None


def add(connection: sqlite3.Connection, job: PrintJob, on: date, recorded_at: datetime) -> None:
    """Adds a print job, unless it equals the last one of its game."""
    title = one_line(job.title)
    cards = tuple(sorted(job.cards, key=lambda card: card.look))
    newest = connection.execute(SQL["newest_print_job"], (job.game,)).fetchone()
    if newest and newest[1:] == (title, job.size) and _cards(connection, newest[0]) == cards:
        return
    (job_id,) = connection.execute(
        SQL["add_print_job"], (job.game, title, job.size, on.isoformat(), moment_text(recorded_at))
    ).fetchone()
    connection.executemany(SQL["add_print_job_card"], [(job_id, *card) for card in cards])


def one_line(title: str) -> str:
    """Returns a title as it is stored: on one line, never blank."""
    return " ".join(title.encode("utf-8", "replace").decode().split()) or "-"


def _cards(connection: sqlite3.Connection, job_id: int) -> tuple[PrintedCard, ...]:
    return tuple(PrintedCard(*row) for row in connection.execute(SQL["print_job_cards"], (job_id,)))
