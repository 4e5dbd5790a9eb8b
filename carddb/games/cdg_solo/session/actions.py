"""The actions of a session, carried out and undone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from carddb.game import GameSpec
from carddb.games.cdg_solo.display import DisplayText
from carddb.games.cdg_solo.module import Module
from carddb.games.cdg_solo.session import combat, deal, hooks, phase, plays, rounds
from carddb.games.cdg_solo.session.action import Action
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import Common, LogEntry, Rng, SessionState, Side
from carddb.play.question import BadInput, Refusal, read, refuse, refuse_for

ACTIONS: Mapping[str, Action[Any]] = {
    action.name: action
    for module in (rounds, deal, plays, phase, hooks, combat)
    for action in vars(module).values()
    if isinstance(action, Action) and action.function.__module__ == module.__name__
}
"""Every action by name."""


def offered(session: Session) -> list[Action[Any]]:
    """The actions that the step allows and the module has something for."""
    step, module = session.table.step, session.module
    return [action for action in ACTIONS.values() if step in action.steps and action.serves(module)]


def act(session: Session, name: str, fields: Mapping[str, Any]) -> Session:
    """The session after an action. Raises Refusal with the reason; the session given stays as it is (SD-12, SD-23)."""
    if name not in ACTIONS:
        raise BadInput("action")
    action = ACTIONS[name]
    values = dict(read(action.form, fields, spec=session.spec).__dict__)
    refuse(roll_barred_forced_play=name == "roll" and session.table.step == "forced")
    refuse_for(action.otherwise(session) if session.table.step not in action.steps else None)
    after = action(replace(session, message=""), **values)
    entry = LogEntry(action=name, input=dict(fields), told=after.message)
    return after.with_(log=(*session.table.log, entry))


def initial(spec: GameSpec, module: Module, table: SessionState) -> Session:
    """The session before any action: the module, the seed and the decks of a table."""
    common = Common() if module.layout != "pile_in_c" else None
    empty = DisplayText(A=(), B=(), C=(), D=(), E=(), pile=None if common else ())
    start = SessionState(
        module=table.module,
        rng=Rng(seed=table.rng.seed),
        sides={side: Side(display=empty) for side in module.side_ids},
        common=common,
        cards=table.cards,
        decks=table.decks,
    )
    return Session.of(spec, module, start)


def undo(session: Session, count: int = 1) -> Session:
    """The session before its last actions, played again from the seed. Refuses `nothing_to_undo`."""
    entries = session.table.log
    if len(entries) < count:
        raise Refusal("nothing_to_undo")
    again = initial(session.spec, session.module, session.table)
    for entry in entries[: len(entries) - count]:
        again = act(again, entry.action, entry.input)
    return again
