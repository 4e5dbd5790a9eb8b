"""The printings of cards in the catalogue: read with their cards, written as a whole by a file of printings."""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from carddb.cards.cards import Printing
from carddb.core.dates import moment_text
from carddb.findings import CardCount, Finding, Place, error, has_errors

_COLUMNS = 'code, "set", position, released, art, quantity'
_OF_CARDS = f"""
SELECT card_id, card.ref, {", ".join(f"printing.{name}" for name in _COLUMNS.split(", "))}
FROM printing JOIN card ON card.id = card_id WHERE printing.game = ? AND printing.retired = 0
ORDER BY released, printing."set", code"""
_WRITE = f"""
INSERT INTO printing (game, card_id, {_COLUMNS}, recorded_at, author, source)
VALUES (?1, (SELECT id FROM card WHERE game = ?1 AND ref = ?2), ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
ON CONFLICT (game, code) DO UPDATE SET card_id = excluded.card_id, "set" = excluded."set",
    position = excluded.position, released = excluded.released, art = excluded.art, quantity = excluded.quantity,
    retired = 0, recorded_at = excluded.recorded_at, author = excluded.author, source = excluded.source"""

_RETIRE = """
UPDATE printing SET retired = 1, recorded_at = ?, author = ?, source = ? WHERE game = ? AND code = ?"""


class PrintingInput(Protocol):
    """A printing from a reader, and where it stands."""

    @property
    def printing(self) -> Printing: ...
    @property
    def place(self) -> Place: ...


class PrintingChange(NamedTuple):
    """A printing before and after a load; None where there was or is none."""

    old: Printing | None
    new: Printing | None


@dataclass(frozen=True, slots=True)
class PrintingResult:
    """What a file of printings changes. Where `findings` has an error nothing was written."""

    changes: Sequence[PrintingChange] = ()
    unchanged: int = 0
    findings: Sequence[Finding] = ()

    @property
    def refused(self) -> bool:
        """Whether nothing was written for errors in the rows."""
        return has_errors(self.findings)


def of_cards(connection: sqlite3.Connection, game: str) -> Mapping[int, list[Printing]]:
    """The printings of a game by the id of their card, in the order of release."""
    by_card: dict[int, list[Printing]] = defaultdict(list)
    for card_id, ref, code, set_, position, released, art, quantity in connection.execute(_OF_CARDS, [game]):
        by_card[card_id].append(Printing(code, ref, set_, position or "", released or "", art or "", quantity))
    return by_card


def card_of_code(connection: sqlite3.Connection, game: str, code: str) -> str | None:
    """The reference of the card that has a printing of this code, in any case; None where there is none."""
    statement = """SELECT ref FROM printing JOIN card ON card.id = card_id
        WHERE printing.game = ? AND code = ? COLLATE NOCASE AND printing.retired = 0"""
    row = connection.execute(statement, [game, code]).fetchone()
    return row[0] if row else None


def plan(
    connection: sqlite3.Connection, game: str, rows: Iterable[PrintingInput], refs: Collection[str], prune: bool
) -> PrintingResult:
    """What the rows change; `prune` retires the printings of their sets that the rows lack. `refs` are all cards."""
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


def write(
    connection: sqlite3.Connection,
    game: str,
    changes: Iterable[PrintingChange],
    author: str,
    source: str,
    recorded_at: datetime,
) -> None:
    """Writes the changes of a plan."""
    stamp = (moment_text(recorded_at), author, source)
    for old, new in changes:
        if new:
            absent_as_null = [value or None for value in new[3:]]
            connection.execute(_WRITE, [game, new.card, new.code, new.set, *absent_as_null, *stamp])
        elif old:
            connection.execute(_RETIRE, [*stamp, game, old.code])


def _faults(row: PrintingInput, refs: Collection[str]) -> Iterable[Finding]:
    """What is wrong with a printing beside the cards that there are."""
    printing, place = row.printing, row.place
    cards = (CardCount(printing.card, "", 1),)
    if printing.card not in refs:
        message = f"there is no card {printing.card} of which {printing.code} could be a printing"
        yield error("printing_of_no_card", message, place, fix="Load the cards first, or mend the reference.")
    if printing.code in refs and printing.code != printing.card:
        message = f"{printing.code} is the reference of another card than {printing.card}"
        yield error("printing_is_reference", message, place, cards=cards, fix="Give the printing a code of its own.")
