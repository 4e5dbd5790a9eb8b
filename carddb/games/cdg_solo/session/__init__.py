"""A solo session: a state machine over the rules of the method, whose every action is accepted whole or refused."""

from collections.abc import Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.session.saves import new
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.table_game import TABLE
from carddb.play.table import engine
from carddb.play.table.engine import public_log, save

__all__ = ["TABLE", "Session", "act", "load", "new", "public_log", "public_view", "save", "undo"]


def act(session: Session, name: str, fields: Mapping[str, Any]) -> Session:
    """The session after an action. Raises Refusal with the reason; the session given stays as it is (SD-12, SD-23)."""
    return engine.act(TABLE, session, name, fields)


def undo(session: Session, count: int = 1) -> Session:
    """The session before its last actions. Refuses `nothing_to_undo`."""
    return engine.undo(TABLE, session, count)


def public_view(session: Session) -> dict[str, Any]:
    """What a player sees: every down card is a question mark, every pile a number (SD-13, SD-25)."""
    return engine.public_view(TABLE, session)


def load(spec: GameSpec, text: str) -> Session:
    """A session from the text of its file. Refuses `save_version_unknown`, `save_corrupt`."""
    return engine.load(TABLE, spec, text)
