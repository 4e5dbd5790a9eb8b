"""The solo session as a game that is played at a table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.session import combat, deal, hooks, phase, plays, rounds
from carddb.games.cdg_solo.session.events import due
from carddb.games.cdg_solo.session.saves import faults, initial, restore
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import SessionState
from carddb.games.cdg_solo.session.view import view
from carddb.play.question import Refusal
from carddb.play.table.action import actions_of
from carddb.play.table.engine import TableGame, act
from carddb.play.table.saves import load

_RULE = re.compile(r"\b(?:S|SR|SD)-[0-9]+\b")

AS_A_WHOLE = {
    "solo new": ("SD-2", "SD-5"),
    "solo status": ("S-6", "SD-13", "SD-25"),
    "solo undo": ("SD-13", "SD-24"),
    "solo table": ("SD-10", "SD-11", "SD-12", "SD-14", "SD-15", "SD-16", "SD-19", "SD-23", "SD-26"),
}
"""The rules that a session stands for as a whole."""
STEPS = {
    "setup": "before the first phase: start-phase",
    "round_ready": "roll",
    "forced": "a card must be played",
    "choose_die": "pick one of the dice",
    "choose_home": "a Home card, or no-home",
    "choose_flip": "choose a down card to turn up: flip PLACE",
    "choosing": "play a card",
    "resolving": "events, combats and reactions; then next",
    "phase_over": "the phase is over: end-phase",
    "end_phase": "discards; then start-phase",
}

_USUAL = {
    "setup": "start-phase",
    "round_ready": "roll",
    "resolving": "next",
    "choose_home": "no-home",
    "phase_over": "end-phase",
    "end_phase": "start-phase",
}


def usual(session: Session) -> str:
    """What Enter does: the only thing that most players would do at the step; empty where there is a choice."""
    if session.step == "resolving" and due(session):
        return "hook"
    return "combat-end" if session.step == "resolving" and phase.fighting(session) else _USUAL.get(session.step, "")


TABLE: TableGame[Session] = TableGame(
    key="cdg-solo",
    actions=actions_of(rounds, deal, plays, phase, hooks, combat),
    steps=STEPS,
    usual=usual,
    initial=initial,
    view=view,
    form=SessionState,
    restore=restore,
    faults=faults,
)


def table_game() -> TableGame[Session]:
    """The table of the game, as the house asks for it."""
    return TABLE


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """The rules that the actions of a session and the modules stand for, by place."""
    actions = {f"solo {name.replace('_', '-')}": action.rules for name, action in TABLE.actions.items()}
    modules = {f"module {key}": _RULE.findall(str(module)) for key, module in spec.data["modules"].items()}
    return {**AS_A_WHOLE, **actions, **modules}


def play_example(example: Mapping[str, Any], spec: GameSpec) -> Mapping[str, Any]:
    """What an action leads to in a saved session: the reason of its refusal, or the warnings on the table after it."""
    try:
        session = load(TABLE, spec, json.dumps(example["session"]))
        after = act(TABLE, session, example["action"], example.get("input", {}))
    except Refusal as refusal:
        return {"error": refusal.reason}
    return {"warnings": after.table.warnings}
