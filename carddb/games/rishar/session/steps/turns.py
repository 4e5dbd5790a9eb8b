"""The Battle apart from its clashes: its preparation, turns and Phases, and routs at its end."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, get_args

from carddb.games.rishar.battle.army_state import ArmyState, at_risk, resolve_rout, threatened
from carddb.games.rishar.battle.record import Flight, Mending
from carddb.games.rishar.battle.replay import report
from carddb.games.rishar.battle.state import (
    CLASHES,
    BattleState,
    army_before_battle,
    cards_of_host,
    name_oathbound,
    use_mender,
)
from carddb.games.rishar.play.fields import ARMIES, Army, ClassName, Currency, Opponent, enemy
from carddb.games.rishar.play.powers import badly_chosen, class_of, power_of
from carddb.games.rishar.session.session import Session, card_key
from carddb.play.question import Answer, Many, Refusal, refuse
from carddb.play.table.engine import action

CURRENCIES: tuple[Currency, ...] = get_args(get_args(Currency)[0])


def prepare(session: Session) -> Session:
    """Returns the session at the next choice that a Commander has to make before the Battle."""
    spec, leaders = session.spec, {army: session.hosts[army].commander for army in ARMIES}
    classes = {army: class_of(spec, leader.path or "", leader.role or "") for army, leader in leaders.items()}
    if deciders := [army for army in ARMIES if badly_chosen(spec, classes[army], leaders[army].chosen)]:
        return session.at("tactician", deciders)
    if deciders := [army for army in ARMIES if classes[army] == "dervish" and leaders[army].dervish is None]:
        return session.at("dervish", deciders)
    states = {
        army: army_before_battle(session.spec, session.options, army, host, *cards_of_host(session.spec, army, host))
        for army, host in session.hosts.items()
    }
    session = replace(session, battle=BattleState(session.spec, session.options, states, first_turn=ARMIES[0]))
    return _ask(session, "oathbound")


def _ask(session: Session, power: str, armies: Sequence[Army] = ARMIES) -> Session:
    """Returns the session at the use of a power before the Battle: the Oathbound's, then the Mender's, then the
    first turn.
    """
    deciders = [army for army in armies if session.army(army).power == power]
    if power == "oathbound":
        return session.at("oath", deciders) if deciders else _ask(session, "mender")
    if deciders:
        return session.at("mender", deciders)
    # The armies are ready: a Commander chosen at random decides who begins.
    if session.table.first is not None:
        return _opened(session, session.table.first)
    session, (drawn,) = session.rolled(sides=len(ARMIES))
    chosen = ARMIES[drawn - 1]
    return session.at("first", [chosen]).say(f"By lot {session.name(chosen)} decides who has the first turn.")


def _opened(session: Session, first: Army) -> Session:
    battle = session.fought
    return open_turn(replace(session, battle=BattleState(battle.spec, battle.options, battle.states, first)))


@action("R-126", at=["tactician"])
def choose(session: Session, power: ClassName) -> Session:
    """Choose the power that a Tactician has for this Battle: one of the Guardian row or the Steel column."""
    army = session.decider
    refuse(tactician_choice=badly_chosen(session.spec, session.spec.data["powers"]["chooser"], power))
    session = session.with_commander(army, chosen=power)
    return prepare(session.say(f"{session.name(army)} has the power of {session.power_words(power)}."))


@action("R-140", at=["dervish"])
def against(session: Session, opponent: Opponent) -> Session:
    """Choose the Path or the Role against which a Dervish's units are stronger today."""
    army = session.decider
    paths = {key: path["label"] for key, path in session.spec.data["paths"].items()}
    word = paths[opponent.path] if opponent.path else session.spec.label_of(opponent.role or "")
    session = session.with_commander(army, dervish=opponent)
    return prepare(session.say(f"{session.name(army)} is stronger against {word}: {session.power_words('dervish')}."))


@action("R-128", "R-129", at=["oath"])
def name(session: Session, card: str) -> Session:
    """Name the unit that the Oathbound protects in this Battle."""
    army, session = session.decider, session.moving()
    key = card_key(session.army(army), card, "hand")
    name_oathbound(session.army(army), key)
    words = f"{session.name(army)} protects {session.card(army, key)}: {session.power_words('oathbound')}."
    return _ask(session.with_host(army, oathbound=key).say(words), "oathbound", session.deciders[1:])


@action("R-137", at=["mender"])
def look(session: Session, cards: Many[str] = ()) -> Session:
    """See two cards of the other hand, drawn at random or named; if it has fewer, all of them."""
    army = session.decider
    other = session.army(enemy(army))
    hand = other.lying("hand")
    number = min(len(hand), power_of(session.spec, "mender")["shows"])
    if cards:
        shown = tuple(card_key(other, card, "hand") for card in cards)
    else:
        stream = session.stream()
        stream.shuffle(hand)
        session, shown = session.with_stream(stream), tuple(hand[:number])
    refuse(wrong_cards_shown=not len(shown) == len(set(shown)) == number)
    names = " and ".join(session.card(enemy(army), key) for key in shown)
    session = replace(session, shown=shown).at("mending", session.deciders)
    return session.say(f"{session.name(army)} sees {names}: {session.power_words('mender')}.")


@action("R-137", at=["mending"])
def disable(session: Session, card: str) -> Session:
    """Have one of the cards that the Mender sees Disabled, for a point of Morale."""
    key = card_key(session.army(enemy(session.decider)), card, "hand")
    return mended(session, Mending(shown=session.shown, disable=key))


def mended(session: Session, mending: Mending | None) -> Session:
    """Returns the session after a Mender's look at the enemy's hand, or without one if `mending` is None."""
    army, session = session.decider, session.moving()
    state, other = session.army(army), session.army(enemy(army))
    before = state.morale
    use_mender(session.spec, state, other, mending)
    if mending is not None and mending.disable is not None:
        session = session.say(f"{session.card(enemy(army), mending.disable)} is Disabled.").say_morale(army, before)
    return _ask(session.with_host(army, mender=mending), "mender", session.deciders[1:])


@action("R-41", at=["first"])
def begin(session: Session, army: Army | None = None) -> Session:
    """Begin the Battle: who was drawn has the first turn, or leaves it to the other (a or b)."""
    return _opened(session, army or session.decider)


def payable(
    session: Session, army: Army, cause: Literal["skirmish", "rout"], state: ArmyState | None = None
) -> list[Currency]:
    """Returns the currencies with which a Commander could save a unit now (R-92, R-93, R-97).

    `state` is the army after other saves, by default the army in the Battle.
    """
    able: list[Currency] = []
    for pay in CURRENCIES:
        with suppress(Refusal):
            (state or session.army(army)).copy().save(pay, cause)
            able.append(pay)
    return able


def end(session: Session) -> Session:
    """Returns the session after the Battle is over; after a rout the victor rolls first (R-61, R-88)."""
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
    """Returns the rout of an army, as far as it is recorded."""
    return Flight.model_validate(session.flights.get(army, {}))


def _with_flight(session: Session, **entries: Any) -> Session:
    army = session.decider
    return replace(session, flights={**session.flights, army: {**session.flights.get(army, {}), **entries}})


def dice_of_rout(session: Session) -> int:
    """Returns how many dice the victor, or the victor's Rogue, rolls at this step."""
    if session.step == "rout":
        return len(at_risk(session.army(session.decider)))
    return len(_dead(session))


def roll_rout(session: Session, dice: tuple[int, ...]) -> Session:
    """Returns the session after the victor's dice in a rout, or after the dice of the victor's Rogue."""
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
    """Returns the session after the saves in a rout: a Rogue rolls for the dead, or the rout is resolved."""
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


def open_turn(session: Session) -> Session:
    """Opens the next turn, after the second Phase has opened if it is due, or ends the Battle."""
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
    """Returns the session after a Necromancer has brought a card back or declined to."""
    return _ask_necromancers(session, session.deciders[1:])


def finish(session: Session, outcome: Answer) -> Session:
    """Returns the session after a turn. Healers may act at once if the Phase would end otherwise (R-102)."""
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
    """Returns whether an army might use a Healer now, judged by what everybody can see.

    The turn had a clash, the army has Morale, cards in hand, and a card to take back.
    """
    state = session.army(army)
    piles = (state.lying("hand"), state.lying("disabled", "exhausted"))
    return session.fought.result in CLASHES and bool(session.turns) and state.morale > 0 and all(piles)
