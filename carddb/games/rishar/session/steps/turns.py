"""Turns: how one opens and closes, the second Phase, and when Healers have their time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from carddb.games.rishar.battle.state import CLASHES
from carddb.games.rishar.play.fields import ARMIES, Army, enemy
from carddb.games.rishar.play.powers import power_of
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.steps.ending import end
from carddb.games.rishar.session.typed_cards import card_key
from carddb.play.question import Answer
from carddb.play.table.engine import action


def open_turn(session: Session) -> Session:
    """Opens the next turn; before it the second Phase where it is time, or ends the Battle."""
    session = session.moving()
    battle = session.fought
    if battle.settle():
        session = session.say(f"Phase {battle.phase} begins: the Exhausted are back in hand.")
        return _ask_necromancers(session, ARMIES)
    if battle.ended is not None:
        return end(session)
    battle.begin(battle.active)
    session = replace(session, turn={"by": battle.active})
    return session.at("offense", [battle.active]).say(f"{session.name(battle.active)} is on Offense.")


def _ask_necromancers(session: Session, armies: Sequence[Army]) -> Session:
    deciders = [army for army in armies if _may_bring_back(session, army)]
    return session.at("second_phase", deciders) if deciders else open_turn(session)


def _may_bring_back(session: Session, army: Army) -> bool:
    state = session.army(army)
    left = power_of(session.spec, "necromancer")["uses"]["battle"] - state.used["necromancer"]
    return state.power == "necromancer" and left > 0 and bool(state.lying("disabled"))


@action("R-133", at=["second_phase"])
def back(session: Session, card: str) -> Session:
    """Take a Disabled card back to hand as the second Phase opens."""
    army, session = session.decider, session.moving()
    key = card_key(session.army(army), card, "disabled")
    session.army(army).bring_back(key)
    words = f"{session.name(army)} takes {session.card(army, key)} back: {session.power_words('necromancer')}."
    return not_back(session.with_host(army, returned=key).say(words))


def not_back(session: Session) -> Session:
    """Returns the session after a Necromancer's time."""
    return _ask_necromancers(session, session.deciders[1:])


def finish(session: Session, outcome: Answer) -> Session:
    """Returns the session after a turn; Healers have their time at once where else the Phase would end (R-102)."""
    battle = session.fought
    by = battle.active
    before = session.army(by).morale
    battle.conclude(outcome)
    battle.end_turn()
    session = replace(session, turns=(*session.turns, session.turn), turn={}, outcome={}).say_morale(by, before)
    over = battle.ends_in_rout() or battle.ended is not None
    deciders = [army for army in (by, enemy(by)) if may_heal(session, army)]
    if deciders and not over and not any(state.can_play for state in battle.states.values()):
        return session.at("healing", deciders)
    return open_turn(session)


def may_heal(session: Session, army: Army) -> bool:
    """Returns whether an army could use a Healer now, as far as all can see: a clash before, Morale, hand, a target."""
    state = session.army(army)
    piles = (state.lying("hand"), state.lying("disabled", "exhausted"))
    return session.fought.result in CLASHES and bool(session.turns) and state.morale > 0 and all(piles)
