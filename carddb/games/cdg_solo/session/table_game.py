"""The solo session as a game that is played at a table."""

from __future__ import annotations

from carddb.games.cdg_solo.session import combat, deal, hooks, phase, plays, rounds
from carddb.games.cdg_solo.session.events import due
from carddb.games.cdg_solo.session.saves import faults, initial, restore
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import SessionState
from carddb.games.cdg_solo.session.view import view
from carddb.play.table.action import actions_of
from carddb.play.table.engine import TableGame

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
