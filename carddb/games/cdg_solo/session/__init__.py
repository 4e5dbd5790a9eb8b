"""A solo session: a state machine over the rules of the method, in which every action is accepted as a whole or
refused.
"""

from functools import partial

from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.table_game import TABLE, new
from carddb.play.table import engine
from carddb.play.table.engine import public_log, save

__all__ = ["TABLE", "Session", "act", "load", "new", "public_log", "public_view", "save", "undo"]


act = partial(engine.act, TABLE)
undo = partial(engine.undo, TABLE)
public_view = partial(engine.public_view, TABLE)
load = partial(engine.load, TABLE)
