"""What is wrong with `events.db`, found without changing it."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import closing
from pathlib import Path

from carddb.core.database import examine, guarded, integrity_faults
from carddb.core.errors import CatalogError
from carddb.events.connection import PATIENCE, VERSION, version_of
from carddb.findings import Finding, Place, error, info, warning

_MOST = 5
"""The faults that are named of one kind."""
_RESTORE = "Put back a copy of the file."
_GAPS = """SELECT name FROM player JOIN entry ON entry.player_id = player.id
GROUP BY player.id HAVING count(*) <> max(version)"""


def event_findings(path: Path, game_keys: Collection[str]) -> list[Finding]:
    """Every fault of a database of events: integrity, foreign keys, missing versions, games that nobody has, copies."""
    place = Place(str(path))
    try:
        if not examine(path):
            return []
        with (
            guarded(path),
            closing(
                sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", timeout=PATIENCE, isolation_level=None, uri=True)
            ) as connection,
        ):
            return [*_contents(connection, path, game_keys), *_copies(path)]
    except CatalogError as fault:
        return [error("events_unusable", fault.message, place, fix=fault.remedy), *_copies(path)]


def _contents(connection: sqlite3.Connection, path: Path, game_keys: Collection[str]) -> Iterator[Finding]:
    place = Place(str(path))
    version = version_of(connection, path)
    for fault in integrity_faults(connection, _MOST):
        yield error("events_damaged", fault, place, fix=_RESTORE)
    if version < VERSION:
        message = f"it has schema {version}, this program writes {VERSION}"
        yield info("events_older", message, place, fix="The next command about events brings it up to date.")
        return
    gaps = connection.execute(_GAPS).fetchmany(_MOST)
    if gaps:
        names = ", ".join(name for (name,) in gaps)
        yield error("events_damaged", f"{names}: a version of the deck list is missing", place, fix=_RESTORE)
    for key, game in connection.execute("SELECT key, game FROM event ORDER BY key"):
        if game not in game_keys:
            fix = "Name its folder with --games, or under games in carddb.toml."
            yield warning(
                "event_game_missing", f"the event {key} is of {game}, and there is no such game", place, fix=fix
            )


def _copies(path: Path) -> Iterator[Finding]:
    """The copies that upgrades have left; who was forgotten since is still in them."""
    for copy in sorted(path.parent.glob(f"{path.name}.bak-*")):
        size = copy.stat().st_size
        message = f"a copy of older events, {max(1, size >> 10):,} KB; it has the names that it had"
        yield info("events_copy", message, Place(str(copy)), fix="Delete it when the new one has proved itself.")
