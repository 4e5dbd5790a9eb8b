"""The playtest table as a game that is played at a table."""

from __future__ import annotations

from collections.abc import Iterable

from carddb.game.game import GameSpec
from carddb.play.playtest import actions
from carddb.play.playtest.beginning import laid_out
from carddb.play.playtest.session import PlaytestSession, PlaytestTable
from carddb.play.playtest.view import view
from carddb.play.table.action import actions_of
from carddb.play.table.engine import TableGame, act

STEPS = {"play": "whatever you do with cards on a table; pass ends a turn"}


def _initial(session: PlaytestSession) -> PlaytestSession:
    return laid_out(session.spec, session.table)


def _restore(spec: GameSpec, table: PlaytestTable) -> PlaytestSession:
    """The table of a save, played again from its log. Raises Refusal."""
    session = laid_out(spec, table)
    for entry in table.log:
        session = act(TABLE, session, entry.action, entry.input)
    return session


def _faults(session: PlaytestSession) -> Iterable[str]:
    """What in a restored session cannot be: nothing, for it was played again."""
    return ()


TABLE: TableGame[PlaytestSession] = TableGame(
    key="playtest",
    actions=actions_of(actions),
    steps=STEPS,
    usual=lambda _: "",
    initial=_initial,
    view=view,
    form=PlaytestTable,
    restore=_restore,
    faults=_faults,
)
