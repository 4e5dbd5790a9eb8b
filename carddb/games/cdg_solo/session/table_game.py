"""The solo session as a game at a table, and its public view (SD-13)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.play.cards import exceptions_for
from carddb.games.cdg_solo.play.choices import choices
from carddb.games.cdg_solo.play.display import SPACES
from carddb.games.cdg_solo.print.tweak_sheet import sentence
from carddb.games.cdg_solo.session import combat, deal, hooks, rounds
from carddb.games.cdg_solo.session import plays as session_plays
from carddb.games.cdg_solo.session.hooks import usage
from carddb.games.cdg_solo.session.rounds import opening, situation
from carddb.games.cdg_solo.session.saves import faults, initial, restore
from carddb.games.cdg_solo.session.session import Play, Roll, Session, SessionState, due, plays
from carddb.play.question import Refusal
from carddb.play.table.engine import TableGame, actions_of

HIDDEN = "?"


def view(session: Session) -> dict[str, Any]:
    """Returns the session without secrets, as JSON values; nothing in it depends on hidden cards."""
    table = session.table
    return {
        "schema": "carddb.solo/1",
        "module": session.module.id,
        "title": session.module.title,
        "phase": table.phase_no,
        "round": table.round_no,
        "active": table.active,
        "roll": None if table.roll is None else _roll(session, table.roll),
        "sides": {side.id: _side(session, side.id, side.name) for side in session.module.sides},
        "pile": None if table.common is None else len(table.common.pile),
        "events": [_event(session, play) for play in plays(session)],
        "may": may(session),
        "warnings": list(table.warnings),
    }


def _roll(session: Session, roll: Roll) -> dict[str, Any]:
    """Returns the dice of the round and the result used, also in the sheet's words (empty until a die is picked)."""
    names = session.spec.data["print"]["results"]["names"]
    return {"dice": list(roll.dice), "result": roll.result, "words": names.get(roll.result, "")}


def _side(session: Session, name: str, label: str) -> dict[str, Any]:
    side, display = session.side(name), session.display(name)
    own_pile = session.table.common is None
    return {
        "name": label,
        "display": {
            space: [card(session, name, slot.card) if slot.up else HIDDEN for slot in display.at(space)]
            for space in SPACES
        },
        "pile": len(display.stock) if own_pile else None,
        "hand": side.hand,
        "chits": side.chits.model_dump() if session.module.counts_chits else None,
        "discard": [card(session, name, id_) for id_ in side.discard],
        "removed": [card(session, name, id_) for id_ in side.removed],
        "beside": {
            key: [card(session, name, id_) for id_ in cards] for key, cards in side.off_display.model_dump().items()
        },
        "conditions_met": sorted(side.conditions_met),
        "pass_barred": side.pass_barred,
    }


def _event(session: Session, play: Play) -> dict[str, Any]:
    """Returns an event being played: its sentence on the sheet, the hooks carried out, the pending hooks."""
    own = exceptions_for(session.module, session.table.cards[play.card])
    return {
        "side": play.side,
        "card": card(session, play.side, play.card),
        "sentence": sentence(session.spec, session.table.module, own) if own else "",
        "done": list(play.done),
        "hooks": [{"name": one.hook, "takes": usage(one.hook)} for one in due(session) if one.play is play],
    }


def card(session: Session, side: str, id_: str) -> dict[str, Any]:
    """Returns a face-up card as its deck describes it; `conditional` if its conditions have to be declared met."""
    text = session.table.cards[id_]
    remarks = {"conditional": session.cards(side)[id_].conditional, "conditions": text.conditions, "note": text.note}
    return {
        "id": id_,
        "title": text.title or "",
        "ops": text.ops,
        "kinds": list(text.kinds),
        **{name: words for name, words in remarks.items() if words},
    }


def named(card: Mapping[str, Any]) -> str:
    """Returns the number and the title of a card in the view."""
    return f"{card['id']} {card['title']}".strip()


def figures(card: Mapping[str, Any]) -> str:
    """Returns the ops value and the kinds of a card in the view."""
    ops = f"{card['ops']} ops" if card["ops"] is not None else "no ops"
    return ", ".join([ops, *(kind.replace("_", " ") for kind in card["kinds"] if kind != "ops")])


def may(session: Session) -> dict[str, Any]:
    """Returns what the rules allow the active side now: how its round begins, or the cards that may be played."""
    step = session.table.step
    if step in ("round_ready", "forced"):
        return {"begin": opening(session, session.active).to_json()}
    if step != "choosing":
        return {}
    try:
        now = choices(situation(session))
    except Refusal as refusal:
        return {"needs": refusal.reason}
    return {
        "play": [choice.to_json() for choice in now.choices],
        "forced": now.forced,
        "beside": list(now.off_display),
    }


_RULE = re.compile(r"\b(?:S|SR|SD)-[0-9]+\b")

AS_A_WHOLE = {
    "solo new": ("SD-2", "SD-5"),
    "solo status": ("S-6", "SD-13", "SD-25"),
    "solo undo": ("SD-13", "SD-24"),
    "solo table": ("SD-10", "SD-11", "SD-12", "SD-14", "SD-15", "SD-16", "SD-19", "SD-23", "SD-26"),
}
"""The rules that a session implements as a whole, by command."""
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
    """Returns the command that Enter gives at this step, or an empty text if there is a choice."""
    if session.step == "resolving" and due(session):
        return "hook"
    if session.step == "resolving" and session_plays.fighting(session):
        return "combat-end"
    return _USUAL.get(session.step, "")


TABLE: TableGame[Session] = TableGame(
    key="cdg-solo",
    actions=actions_of(rounds, deal, session_plays, hooks, combat),
    steps=STEPS,
    usual=usual,
    initial=initial,
    view=view,
    form=SessionState,
    restore=restore,
    faults=faults,
)


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """Returns the rules that the actions of a session and the modules implement, by action or module."""
    actions = {f"solo {name.replace('_', '-')}": action.rules for name, action in TABLE.actions.items()}
    modules = {f"module {key}": _RULE.findall(str(module)) for key, module in spec.data["modules"].items()}
    return {**AS_A_WHOLE, **actions, **modules}
