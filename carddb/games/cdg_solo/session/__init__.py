"""A solo session: a state machine over the rules of the method, whose every action is accepted whole or refused."""

from carddb.games.cdg_solo.session.actions import ACTIONS, act, initial, undo
from carddb.games.cdg_solo.session.saves import load, new, save
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.view import public_log, public_view

__all__ = ["ACTIONS", "Session", "act", "initial", "load", "new", "public_log", "public_view", "save", "undo"]
