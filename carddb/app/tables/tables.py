"""The open tables of a front: each under unguessable links, one for each seat; bounded in number and in age.

A table is a small file in a folder of the front, so that it outlives a process that was ended; its session is a save
as the terminal writes it.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from secrets import compare_digest, token_hex, token_urlsafe
from typing import Any

from carddb.app.tables.file import TableFile
from carddb.core.cache import LruCache
from carddb.core.errors import CarddbError
from carddb.core.files import write_file

MOST_TABLES = 64
DAY = 86_400.0
"""Seconds without a move after which a table is closed."""
WATCHER = ""
"""The seat of who sees what all see, and has the links of the seats."""
_SECRET_BYTES = 24
_LINK = re.compile(r"([0-9a-f]{12})-([A-Za-z0-9_-]{32})")
_MOST_REMARKS = 40
MOST_BYTES = 2_000_000
"""The largest save of a table that is not a project's own."""
_MOST_FILES = 8
"""Files whose sessions stay in memory."""


class UnknownTable(CarddbError):
    """A link that leads to no table, or to one that was closed."""

    def __init__(self) -> None:
        super().__init__("there is no such table", "It may have been closed after a day without a move. Begin one.")


class TooManyTables(CarddbError):
    """As many tables are open as there may be."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A message to a seat: a refusal with its code and rules, or what was taken back.

    `after` is how many actions were in the log then.
    """

    after: int
    text: str
    code: str = ""
    rules: tuple[str, ...] = ()
    action: str = ""


@dataclass(frozen=True, slots=True)
class OpenTable:
    """An open table: its kind, the game whose cards lie on it, its save, the secret of each seat.

    `is_own` is the save of a project, which stays when the table is closed. `stamp` is the key of the marks by which a
    page knows whether a table has changed, for a plain digest of a save would let its hidden cards be guessed.
    """

    name: str
    kind: str
    game: str
    path: Path
    is_own: bool
    seats: Mapping[str, str]
    stamp: str
    remarks: Mapping[str, Sequence[Remark]] = field(default_factory=dict)

    def link(self, seat: str) -> str:
        """Returns the last part of the address of a seat."""
        return f"{self.name}-{self.seats[seat]}"

    def mark(self, text: str) -> str:
        """Returns a short digest of a save, from which nothing of it can be guessed."""
        return hmac.new(self.stamp.encode(), text.encode(), hashlib.sha256).hexdigest()[:24]


class Tables:
    """The open tables whose files lie in a folder."""

    def __init__(self, folder: Path, most: int = MOST_TABLES, seconds: float = DAY) -> None:
        self.folder = folder
        self.most = most
        self.seconds = seconds
        self._files: LruCache[Path, TableFile[Any]] = LruCache(_MOST_FILES)

    def make_room(self) -> None:
        """Closes old tables. Raises TooManyTables where there is still no room for another."""
        self.close_old()
        if len(list(self.folder.glob("*.table"))) >= self.most:
            raise TooManyTables(f"{self.most} tables are open", "Come again later, or play on your own machine.")

    def lay(self, kind: str, game: str, seats: Sequence[str], path: Path, is_own: bool) -> OpenTable:
        """A table for a save; one that is open already is the table that it was. Raises TooManyTables."""
        for table in self.all():
            if table.path == path and table.kind == kind and set(table.seats) == set(seats):
                return table
        self.make_room()
        secrets = {seat: token_urlsafe(_SECRET_BYTES) for seat in seats}
        table = OpenTable(token_hex(6), kind, game, path, is_own, secrets, token_hex(16))
        self.keep(table)
        return table

    def find(self, link: str) -> tuple[OpenTable, str]:
        """The table and the seat of a link. Raises UnknownTable."""
        self.close_old()
        match = _LINK.fullmatch(link)
        table = self._read(self._entry(match[1])) if match else None
        if match and table:
            for seat, secret in table.seats.items():
                if compare_digest(secret, match[2]):
                    return table, seat
        raise UnknownTable

    def all(self) -> Iterator[OpenTable]:
        """Every open table, the newest first."""
        entries = sorted(self.folder.glob("*.table"), key=_time, reverse=True)
        return (table for entry in entries if (table := self._read(entry)))

    def keep(self, table: OpenTable) -> None:
        """Writes what is known of a table; its age begins anew."""
        values = {**asdict(table), "path": str(table.path)}
        write_file(self._entry(table.name), json.dumps(values).encode(), durable=False)

    def remark(self, table: OpenTable, remark: Remark, *seats: str) -> None:
        """Writes down what some seats are told."""
        remarks = {seat: [*table.remarks.get(seat, ()), remark][-_MOST_REMARKS:] for seat in seats}
        self.keep(replace(table, remarks={**table.remarks, **remarks}))

    def touch(self, table: OpenTable) -> None:
        """A move was made: the age of the table begins anew."""
        with suppress(OSError):
            os.utime(self._entry(table.name))

    def close(self, table: OpenTable) -> None:
        """Closes a table; a save that is not a project's own is removed with it."""
        with suppress(OSError):
            self._entry(table.name).unlink()
        if not table.is_own:
            with suppress(OSError):
                table.path.unlink()
        self._files.pop(table.path)

    def close_old(self) -> None:
        """Closes the tables at which nobody has moved for too long."""
        before = time.time() - self.seconds
        for entry in self.folder.glob("*.table"):
            if _time(entry) < before and (table := self._read(entry)):
                self.close(table)

    def file(self, table: OpenTable, open_: Callable[[], TableFile[Any]]) -> TableFile[Any]:
        """Returns the file of a table, kept for the next request; `open_` gives it where it is not at hand."""
        return self._files.get(table.path, open_)

    def _entry(self, name: str) -> Path:
        return self.folder / f"{name}.table"

    def _read(self, entry: Path) -> OpenTable | None:
        """Reads an open table; None where it was closed meanwhile."""
        try:
            data = json.loads(entry.read_text("utf-8"))
        except (OSError, ValueError):
            return None
        remarks = {
            seat: [Remark(**{**remark, "rules": tuple(remark["rules"])}) for remark in listed]
            for seat, listed in data["remarks"].items()
        }
        return OpenTable(**{**data, "path": Path(data["path"]), "remarks": remarks})


def _time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
