"""A Battle of Rishar as a game that is played at a table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.rishar.session import saves
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.state import STEPS, BattleTable
from carddb.games.rishar.session.steps import clash, ending, fates, going_on, plays, reacting, setup, turns
from carddb.games.rishar.session.view import view
from carddb.play.question import Refusal
from carddb.play.table.action import actions_of
from carddb.play.table.engine import TableGame, act
from carddb.play.table.saves import load

_USUAL = {
    "mender": "look",
    "mending": "next",
    "first": "begin",
    "reveal": "next",
    "dice": "roll",
    "reactions": "decline",
    "reroll": "roll",
    "saving": "next",
    "plunder": "roll",
    "healing": "next",
    "second_phase": "next",
    "rout": "roll",
    "rout_saving": "next",
    "rout_plunder": "roll",
}


def usual(session: Session) -> str:
    """What Enter does; where a Commander has no card to play, it says so."""
    if session.step in ("offense", "defense"):
        return "" if session.army(session.decider).can_play else "unable"
    return _USUAL.get(session.step, "")


def _restore(spec: GameSpec, table: BattleTable) -> Session:
    """The Battle of a save, played again from its log; nothing else of the save counts. Raises Refusal."""
    session = saves.seated(spec, table)
    for entry in table.log:
        session = act(TABLE, session, entry.action, entry.input)
    return session


def _faults(session: Session) -> Iterable[str]:
    """What in a restored session cannot be: nothing, for it was played again."""
    return ()


TABLE: TableGame[Session] = TableGame(
    key="rishar",
    actions=actions_of(setup, plays, clash, reacting, fates, turns, going_on, ending),
    steps=STEPS,
    usual=usual,
    initial=saves.initial,
    view=view,
    form=BattleTable,
    restore=_restore,
    faults=_faults,
)


def table_game() -> TableGame[Session]:
    """The table of the game, as the house asks for it."""
    return TABLE


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """The rules that the actions at the table stand for, by place."""
    return {f"battle {name.replace('_', '-')}": action.rules for name, action in TABLE.actions.items()}


def play_example(example: Mapping[str, Any], spec: GameSpec) -> Mapping[str, Any]:
    """What an action leads to in a saved Battle: the reason of its refusal, or the step after it."""
    try:
        session = load(TABLE, spec, json.dumps(example["session"]))
        return {"step": act(TABLE, session, example["action"], example.get("input", {})).step}
    except Refusal as refusal:
        return {"reason": refusal.reason}
