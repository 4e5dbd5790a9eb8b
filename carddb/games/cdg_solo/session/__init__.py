"""A solo session, in which every action is accepted as a whole or refused."""

from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.table_game import TABLE, new

__all__ = ["TABLE", "Session", "new"]
