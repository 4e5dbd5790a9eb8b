"""A Battle of Rishar at the table, action by action; every step is the one that a replay takes."""

from __future__ import annotations

from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.table_game import TABLE, new, record

__all__ = ["TABLE", "Session", "new", "record"]
