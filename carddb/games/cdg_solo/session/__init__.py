"""A solo session: a state machine over the rules of the method, whose every action is accepted whole or refused.

The actions stand in modules by subject; importing this package makes them all known.
"""

from carddb.games.cdg_solo.session import dealing, endings, events, fights, playing, turns
from carddb.games.cdg_solo.session.core import ACTIONS, Session, act, begun, undone
from carddb.games.cdg_solo.session.files import load, new, save
from carddb.games.cdg_solo.session.view import public_log, public_view

__all__ = [
    "ACTIONS",
    "Session",
    "act",
    "begun",
    "dealing",
    "endings",
    "events",
    "fights",
    "load",
    "new",
    "playing",
    "public_log",
    "public_view",
    "save",
    "turns",
    "undone",
]
