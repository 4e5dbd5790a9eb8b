"""What becomes of both cards after a Skirmish: saves, piles, and what a Rogue gains."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from carddb.games.rishar.play.fields import Army, Currency, Side
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.steps.payments import payable
from carddb.games.rishar.session.steps.turns import finish
from carddb.play.table.action import action


def ask_saving(session: Session, armies: tuple[Army, ...]) -> Session:
    """The session where an owner can save the unit, or with the cards in their piles (R-92, R-93)."""
    deciders = [army for army in armies if payable(session, army, "skirmish")]
    if deciders:
        return session.at("saving", deciders).say(f"{session.on(session.side_of(deciders[0]))} would be Killed.")
    return _laid(session)


@action("R-92", "R-93", "R-94", "R-95", "R-97", at=["saving"])
def save(session: Session, pay: Currency | None = None) -> Session:
    """Save the unit: it is Disabled for a Favor, half an Influence, or 3 Morale of a non-player Commander."""
    army = session.decider
    pay = pay or payable(session, army, "skirmish")[0]
    session.army(army).copy().save(pay, "skirmish")
    saves = {**session.turn.get("saves", {}), session.side_of(army): pay}
    rule = "R-93" if pay == "morale" else "R-92"
    session = session.noted(saves=saves).say(f"{session.name(army)} saves it with {pay.capitalize()} ({rule}).")
    return ask_saving(session, session.deciders[1:])


def _laid(session: Session) -> Session:
    """The cards go to their piles; a Rogue rolls for a kill."""
    session = session.moving()
    table = session.fought.engaged
    before = {army: session.army(army).morale for army in session.fought.states}
    answer = table.resolve(session.outcome, session.turn.get("saves", {}))
    fates = ", ".join(f"{session.on(side)} {pile.capitalize()}" for side, pile in answer["fate"].items())
    session = session.say(f"{fates}.")
    for army, morale in before.items():
        session = session.say_morale(army, morale)
    session = replace(session, outcome=answer)
    plunderers = [session.army_on(side) for side in table.plunderers(answer["fate"])]
    return session.at("plunder", plunderers) if plunderers else finish(session, answer)


def plunder(session: Session, typed: tuple[int, ...]) -> Session:
    """The die of a Rogue for a kill (R-144)."""
    army, session = session.decider, session.moving()
    session, (die,) = session.rolled(typed=typed)
    before = session.army(army).morale
    session.army(army).plunder(die)
    rogue: Mapping[Side, int] = {**session.turn.get("rogue", {}), session.side_of(army): die}
    session = session.noted(rogue=rogue).say(f"{session.power_words('rogue')} rolls {die}.").say_morale(army, before)
    rest = session.deciders[1:]
    return session.at("plunder", rest) if rest else finish(session, session.outcome)
