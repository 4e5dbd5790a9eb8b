"""The end of a Battle: the dice of a rout, what is paid and saved, and who has won."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, get_args

from carddb.games.rishar.battle.army_state import ArmyState, at_risk, resolve_rout, threatened
from carddb.games.rishar.battle.record import Flight
from carddb.games.rishar.battle.replay import report
from carddb.games.rishar.play.fields import ARMIES, Army, Currency, enemy
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.typed_cards import card_key
from carddb.play.question import Refusal, refuse
from carddb.play.table.engine import action

CURRENCIES: tuple[Currency, ...] = get_args(get_args(Currency)[0])


def payable(
    session: Session, army: Army, cause: Literal["skirmish", "rout"], state: ArmyState | None = None
) -> list[Currency]:
    """Returns with what a Commander could save a unit now (R-92, R-93, R-97); `state` is the army after other saves."""
    able: list[Currency] = []
    for pay in CURRENCIES:
        with suppress(Refusal):
            (state or session.army(army)).copy().save(pay, cause)
            able.append(pay)
    return able


def end(session: Session) -> Session:
    """Returns the session when the Battle is over, or where the victor of a rout rolls first (R-61, R-88)."""
    routed = tuple(army for army in ARMIES if session.army(army).routed)
    for army in routed:
        session = session.say(f"{session.name(army)} is Routed.")
    return _ask_routed(session, routed)


def _ask_routed(session: Session, armies: tuple[Army, ...]) -> Session:
    deciders = [army for army in armies if at_risk(session.army(army))]
    if deciders:
        return session.at("rout", deciders)
    return session.at("over").say(_result_words(session))


def _result_words(session: Session) -> str:
    result = report(session.fought)
    if result["winner"] is None:
        equal = "Kills and Morale are equal: both have lost (R-119)."
        return "Both are Routed, both lose (R-120)." if result["by"] == "double_rout" else equal
    words = {"rout": "by the rout (R-116)", "kills": "by kills (R-117)", "morale": "by Morale (R-118)"}
    return f"{session.name(result['winner'])} wins {words[result['by']]}."


def flight_of(session: Session, army: Army) -> Flight:
    """Returns the rout of an army as far as it is written down."""
    return Flight.model_validate(session.flights.get(army, {}))


def _with_flight(session: Session, **entries: Any) -> Session:
    army = session.decider
    return replace(session, flights={**session.flights, army: {**session.flights.get(army, {}), **entries}})


def dice_of_rout(session: Session) -> int:
    """Returns how many dice the victor rolls, or the victor's Rogue."""
    if session.step == "rout":
        return len(at_risk(session.army(session.decider)))
    return len(_dead(session))


def roll_rout(session: Session, dice: tuple[int, ...]) -> Session:
    """Returns the session after the dice of a rout, or those of the Rogue for its dead."""
    if session.step == "rout_plunder":
        return _resolved(_with_flight(session, rogue=list(dice)))
    session = _with_flight(session, rolls=list(dice))
    army = session.decider
    struck = ", ".join(
        f"{session.card(army, key)} {die}" for key, die in zip(at_risk(session.army(army)), dice, strict=True)
    )
    session = session.say(f"{session.name(enemy(army))} rolls: {struck}.")
    if _dead(session) and payable(session, army, "rout"):
        return session.at("rout_saving", session.deciders)
    return after_saving(session)


def _dead(session: Session) -> list[str]:
    """Returns the units that die in the rout and are not saved."""
    flight = flight_of(session, session.decider)
    killed = threatened(session.army(session.decider), flight.rolls)["killed"]
    return [key for key in killed if key not in flight.saves]


@action("R-90", "R-92", "R-94", at=["rout_saving"])
def rescue(session: Session, card: str, pay: Currency | None = None) -> Session:
    """Save a unit from the rout: it is Disabled for a Favor or half an Influence."""
    army = session.decider
    key = card_key(session.army(army), card, "disabled", "exhausted")
    refuse(not_killed=key not in _dead(session))
    state = session.army(army).copy()
    saves = dict(flight_of(session, army).saves)
    for paid in saves.values():
        state.save(paid, "rout")
    pay = pay or next(iter(payable(session, army, "rout", state)), None) or "favor"
    state.save(pay, "rout")
    session = _with_flight(session, saves={**saves, key: pay})
    session = session.say(f"{session.name(army)} saves {session.card(army, key)} ({pay}, R-92).")
    return session if _dead(session) and payable(session, army, "rout", state) else after_saving(session)


def after_saving(session: Session) -> Session:
    """Returns the session when nothing more is saved: a Rogue rolls for the dead, then the rout is done."""
    victor = session.army(enemy(session.decider))
    if _dead(session) and victor.power == "rogue" and not victor.routed:
        return session.at("rout_plunder", session.deciders)
    return _resolved(session)


def _resolved(session: Session) -> Session:
    session, army = session.moving(), session.decider
    victor = enemy(army)
    dead = [session.card(army, key) for key in _dead(session)]
    before = session.army(victor).morale
    resolve_rout(session.army(army), session.army(victor), flight_of(session, army))
    session = session.say(f"Killed: {', '.join(dead) or 'none'}.").say_morale(victor, before)
    return _ask_routed(session, session.deciders[1:])
