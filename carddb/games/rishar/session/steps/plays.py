"""The actions of Commanders in a turn: cards, actions between turns, reactions, the dice, and going on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from carddb.cards.cards import Card
from carddb.games.rishar.battle.engagement import react
from carddb.games.rishar.battle.record import Healing, Mending, Move, Reaction
from carddb.games.rishar.battle.state import CLASHES
from carddb.games.rishar.play.cards import Ability, ability_of, fits
from carddb.games.rishar.play.fields import (
    ARMIES,
    SIDES,
    Army,
    Choice,
    Pile,
    Role,
    Side,
    enemy,
    grown,
    opposing,
    unit_of,
)
from carddb.games.rishar.play.powers import power_of
from carddb.games.rishar.session.session import Session, card_key
from carddb.games.rishar.session.steps.clash import ask_saving, decide, plunder, reveal, stay, throw
from carddb.games.rishar.session.steps.turns import (
    after_saving,
    dice_of_rout,
    finish,
    may_heal,
    mended,
    not_back,
    open_turn,
    roll_rout,
)
from carddb.play.question import BadInput, Die, Many, Refusal, refuse
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
    """Returns the session after a choice to play, pass or be unable; impossible choices are refused at once."""
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
    """Returns the session after both have chosen: a clash begins, or the turn is over."""
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


AT = ("dice", "reactions")

_MOVES: Mapping[str, tuple[bool, Pile, Pile]] = {
    "rescue": (True, "disabled", "exhausted"),
    "regroup": (True, "exhausted", "hand"),
    "harry": (False, "exhausted", "disabled"),
}
"""The abilities that move a card: whether it is one's own card, from which pile, to which pile."""


@action("R-14", "R-75", "R-76", "R-77", "R-78", "R-108", "R-112", "R-113", at=AT)
def discard(
    session: Session,
    card: str,
    target: str | None = None,
    to: Side | None = None,
    add: int | None = None,
    morale: int | None = None,
    enemy_morale: int | None = None,
    move: str | None = None,
    pile: Pile = "hand",
    of: Army | None = None,
    die: Die | None = None,
    army: Army | None = None,
) -> Session:
    """Discard a card of the hand for what its text gives.

    A printed ability works by itself; what another text gives is said: Strength `add`, Morale for oneself or for
    the enemy, a card to `move`.
    """
    army = army or session.holder(card)
    session = session.moving()
    state = session.army(army)
    key = card_key(state, card, "hand")
    points = {army: morale, enemy(army): enemy_morale}
    changes = {who: number for who, number in points.items() if number}
    table = session.fought.engaged
    helped = to or (session.side_of(army) if session.side_of(army) in table.cards else SIDES[0])
    effect: dict[str, Any] = {"to": helped, "add": add, "morale": changes}
    if move is not None:
        effect["moves"] = [{"army": of or army, "card": card_key(session.army(of or army), move), "to": pile}]
    if add is None and not changes and move is None:
        effect |= _effect(session, army, state.cards[key], target, to)
    session, roll = session.discard_die(army, die)
    effect = {name: value for name, value in effect.items() if value not in (None, {})}
    entry = {"by": army, "discard": key, **effect, **({} if roll is None else {"roll": roll})}
    session = session.say(f"{session.name(army)} discards {session.card(army, key)}{_words(session, effect)}.")
    return _reacted(session, entry)


def _effect(session: Session, army: Army, card: Card, target: str | None, to: Side | None) -> dict[str, Any]:
    """Returns what the text of a card gives, as fields of a record."""
    ability, side = ability_of(card, session.spec), session.side_of(army)
    if ability is None:
        return {}
    if ability.key in _MOVES:
        return {"moves": [_move(session, army, ability, target)]}
    if ability.key == "inspire":
        return {"morale": {army: ability.number}}
    if ability.key == "dread":
        return {"morale": {enemy(army): -ability.number}}
    table = session.fought.engaged
    if ability.key == "aid":
        refuse(text_does_not_fit=side not in table.cards or not fits(ability, table.unit(side), session.spec))
    usual = opposing(side) if ability.key == "hinder" else side
    refuse(text_does_not_fit=ability.key in ("aid", "hinder") and to not in (None, usual))
    refuse(text_does_not_fit=ability.key == "hinder" and usual not in table.cards)
    return {"to": to or (usual if usual in table.cards else SIDES[0])}


def _move(session: Session, army: Army, ability: Ability, target: str | None) -> dict[str, Any]:
    """Returns the move of a card by an ability: the card `target`, or by default the only one possible.

    Refuses `text_does_not_fit` if no card fits, `target_needed` if several do and none is named.
    """
    own, from_, to = _MOVES[ability.key]
    owner = army if own else enemy(army)
    state = session.army(owner)
    units = {key: unit_of(state.cards[key]) for key in state.lying(from_)}
    fit = [
        key
        for key, unit in units.items()
        if unit.role != "ritual" and grown(session.spec, unit.strength or 0, unit.trained) <= ability.number
    ]
    if target is not None:
        key = card_key(state, target, from_)
        refuse(text_does_not_fit=key not in fit)
    else:
        refuse(text_does_not_fit=not fit)
        if len({key.partition("#")[0] for key in fit}) > 1:
            raise Refusal("target_needed", hint=f"It may be {', '.join(session.card(owner, key) for key in fit)}.")
        key = fit[0]
    return {"army": owner, "card": key, "to": to}


def _words(session: Session, effect: Mapping[str, Any]) -> str:
    """Returns in words what a discard does besides adding Strength."""
    words = [f"{session.name(army)} {points:+} Morale" for army, points in effect.get("morale", {}).items()]
    for move in effect.get("moves", ()):
        part = Move.model_validate(move)
        words.append(f"{session.card(part.army, part.card)} goes to {part.to.capitalize()}")
    return f": {', '.join(words)}" if words else ""


@action("R-79", "R-139", "R-145", "R-149", "R-150", at=AT)
def use(session: Session, what: str | None = None, die: Die | None = None, army: Army | None = None) -> Session:
    """Use the power of a Commander in the Skirmish: for off or def, or with the card that an Etherealist brings."""
    army = army or session.decider
    state = session.army(army)
    power = state.power
    refuse(not_activated="timing" not in power_of(session.spec, power).get("uses", {}))
    refuse(wrong_time=power == "etherealist" and session.step != "dice")
    session = session.moving()
    entry: dict[str, Any] = {"by": army, "power": power}
    if power == "etherealist":
        if what is None:
            raise BadInput("what")
        entry["card"] = card_key(session.army(army), what, "hand")
        session.fought.engaged.texts.pop(session.side_of(army), None)
    else:
        side = what or session.side_of(army)
        refuse(not_engaged=side not in SIDES)
        entry["to"] = side
    if power == "illusionist":
        session, (entry["roll"],) = session.rolled(typed=() if die is None else (die,), path="die")
    session = session.say(f"{session.name(army)} uses {session.power_words(power)}.")
    return _reacted(session, entry)


@action("R-76", at=AT)
def decline(session: Session) -> Session:
    """Add nothing; when both decline in a row, it is decided."""
    session = session.moving()
    army, table = session.decider, session.fought.engaged
    react(table, Reaction(by=army, decline=True))
    session = session.at(session.table.step, [session.army_on(table.opportunity)])
    if session.step == "reactions" and table.refusals >= len(SIDES):
        return decide(session)
    return session.say(f"{session.name(army)} adds nothing.")


def _reacted(session: Session, entry: dict[str, Any]) -> Session:
    """Returns the session after a reaction; a rout that it causes ends the Battle at once (R-61)."""
    battle = session.fought
    table = battle.engaged
    sums = {side: fighter.before_dice for side, fighter in table.fighters.items()}
    morale = {army: state.morale for army, state in battle.states.items()}
    react(table, Reaction.model_validate(entry))
    session = session.noted(reactions=[*session.turn.get("reactions", ()), entry])
    for side, fighter in table.fighters.items():
        if "card" in entry and side == session.side_of(entry["by"]):
            session = session.say(f"{session.on(side)} takes the place.")
        elif fighter.before_dice != sums[side]:
            session = session.say(f"{session.on(side)} has {fighter.before_dice - sums[side]:+}.")
    for army, before in morale.items():
        session = session.say_morale(army, before)
    if battle.ends_in_rout():
        return finish(session, {})
    return session.at(session.table.step, [session.army_on(table.opportunity)])


@action(
    *("R-64", "R-69", "R-80", "R-88", "R-98", "R-99", "R-101", "R-109", "R-144"),
    at=["dice", "reroll", "plunder", "rout", "rout_plunder"],
)
def roll(session: Session, dice: Many[Die] = ()) -> Session:
    """Roll the dice, or type what those on the table show: Offense first, then Defense."""
    if session.step == "plunder":
        return plunder(session, dice)
    if session.step in ("rout", "rout_plunder"):
        session, faces = session.rolled(dice_of_rout(session), dice)
        return roll_rout(session, faces)
    return throw(session, dice)


@action(
    *("R-94", "R-102", "R-133", "R-137"),
    at=["mender", "mending", "reveal", "saving", "healing", "second_phase", "rout_saving"],
)
def next_(session: Session) -> Session:
    """Go on without it."""
    rest = session.deciders[1:]
    match session.step:
        case "mender":
            return mended(session, None)
        case "mending":
            return mended(session, Mending(shown=session.shown))
        case "reveal":
            return stay(session)
        case "saving":
            return ask_saving(session, rest)
        case "healing":
            return session.at("healing", rest) if rest else open_turn(session)
        case "second_phase":
            return not_back(session)
        case _:
            return after_saving(session)
