"""A solo session as the tests play it: the functions of every table, for the solo method."""

from __future__ import annotations

from functools import partial

from carddb.games.cdg_solo.table.game import TABLE
from carddb.play.table import engine

act = partial(engine.act, TABLE)
undo = partial(engine.undo, TABLE)
public_view = partial(engine.public_view, TABLE)
load = partial(engine.load, TABLE)
