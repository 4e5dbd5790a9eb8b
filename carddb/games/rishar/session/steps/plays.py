"""The choices of Commanders on Offense and on Defense, and actions between the turns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from carddb.games.rishar.battle.record import Healing
from carddb.games.rishar.battle.state import CLASHES
from carddb.games.rishar.play.fields import ARMIES, Army, Choice, Role, enemy
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.steps.clash import reveal
from carddb.games.rishar.session.steps.turns import finish, may_heal, open_turn
from carddb.games.rishar.session.typed_cards import card_key
from carddb.play.question import Die, refuse
from carddb.play.table.engine import action


@action("R-47", "R-50", "R-62", at=["offense", "defense"])
def play(session: Session, card: str) -> Session:
    """Lay a card of the hand face down."""
    return _chosen(session, "play", card_key(session.army(session.decider), card, "hand"))


@action("R-15", "R-48", "R-51", "R-60", at=["offense", "defense"])
def pass_(session: Session) -> Session:
    """Play no card though one could: on Offense it costs 1 Morale, on Defense the attack is Unopposed."""
    return _chosen(session, "pass", None)


@action("R-16", "R-49", "R-52", at=["offense", "defense"])
def unable(session: Session) -> Session:
    """Have no card that may be played."""
    return _chosen(session, "unable", None)


def _chosen(session: Session, choice: Choice, card: str | None) -> Session:
    """Returns the session after a choice; whether a card can be played is seen before the other Commander answers."""
    army, session = session.decider, session.moving()
    words = {"play": "lays a card face down", "pass": "Passes", "unable": "is Unable: no card can be played"}[choice]
    if session.step == "offense":
        session.fought.lay_offense(choice, card)
        session = session.noted(choice=choice, **({"card": card} if card else {}))
        session = session.say(f"{session.name(army)} {words}.")
        return session.at("defense", [enemy(army)]) if choice == "play" else _answered(session, None, None)
    session = session.say(f"{session.name(army)} {words}.")
    return _answered(session.noted(defense={"choice": choice, **({"card": card} if card else {})}), choice, card)


def _answered(session: Session, choice: Choice | None, card: str | None) -> Session:
    """Returns the session when both have chosen: a clash begins, or the turn is over."""
    battle = session.fought
    battle.lay_defense(choice, card)
    if battle.result in CLASHES:
        return reveal(session)
    if battle.result == "no_defender":
        table = battle.engaged
        pile = table.states["off"].where[table.cards["off"]].capitalize()
        session = session.say(f"{session.on('off')} meets nobody (R-52): {pile}.")
    return finish(session, {})


# Between the turns


@action("R-134", "R-135", at=["offense"], serves=lambda session: bool(_clerics(session)))
def pray(session: Session, card: str, army: Army | None = None) -> Session:
    """Take a Killed card back to hand as a Cleric, for a point of Morale; once a Day."""
    session = session.moving()
    by = army or (_clerics(session) or [session.decider])[0]
    state = session.army(by)
    key, before = card_key(state, card, "killed"), state.morale
    state.pray(key)
    session = session.noted(prayers=[*session.turn.get("prayers", ()), {"by": by, "card": key}])
    session = session.say(f"{session.name(by)} takes {session.card(by, key)} back: {session.power_words('cleric')}.")
    session = session.say_morale(by, before)
    if not state.routed:
        return session
    turn = {**session.turn, "choice": "pass"}
    return open_turn(replace(session, turns=(*session.turns, turn), turn={}))


def _clerics(session: Session) -> list[Army]:
    return [army for army in ARMIES if session.army(army).power == "cleric"]


@action(
    "R-102",
    "R-103",
    "R-104",
    at=["offense", "healing"],
    serves=lambda session: any(may_heal(session, army) for army in ARMIES),
)
def heal(
    session: Session,
    healer: str,
    card: str,
    army: Army | None = None,
    role: Role | None = None,
    die: Die | None = None,
) -> Session:
    """Discard a Healer and pay 1 Morale: a Disabled or Exhausted card of at most twice its Strength comes back."""
    refuse(wrong_time="prayers" in session.turn or not session.turns)
    session = session.moving()
    by = army or session.holder(healer)
    state = session.army(by)
    keys = card_key(state, healer, "hand"), card_key(state, card, "disabled", "exhausted")
    session, roll = session.discard_die(by, die)
    before = state.morale
    further = {"role_as": role, "roll": roll}
    healing: dict[str, Any] = {"by": by, "healer": keys[0], "target": keys[1]}
    healing |= {key: value for key, value in further.items() if value is not None}
    session.fought.heal(Healing.model_validate(healing))
    last = {**session.turns[-1], "heals": [*session.turns[-1].get("heals", ()), healing]}
    session = replace(session, turns=(*session.turns[:-1], last))
    healer, card = (session.card(by, key) for key in keys)
    session = session.say(f"{session.name(by)} discards {healer}: {card} is back in hand.").say_morale(by, before)
    if session.step == "healing" or session.army(by).routed:
        return open_turn(session)
    return session
