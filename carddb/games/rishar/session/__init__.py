"""A Battle of Rishar at a table, action by action, by the same rules as a replay."""

from __future__ import annotations

from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.table_game import TABLE, new, record

__all__ = ["TABLE", "Session", "new", "record"]
