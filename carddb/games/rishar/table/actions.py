"""The actions at each step of a Battle: its preparation, its turns, clashes and Phases, and routs at its end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Literal, get_args

from carddb.cards.cards import Card
from carddb.games.rishar.battle.engagement import ArmyState, Engagement, at_risk, react, resolve_rout, threatened
from carddb.games.rishar.battle.record import Flight, Healing, Mending, Move, Reaction, Turn
from carddb.games.rishar.battle.state import (
    CLASHES,
    BattleState,
    army_before_battle,
    cards_of_host,
    name_oathbound,
    use_mender,
)
from carddb.games.rishar.play.cards import Ability, ability_of, fits, own_strength
from carddb.games.rishar.play.fields import (
    ARMIES,
    SIDES,
    Army,
    Choice,
    ClassName,
    Currency,
    Opponent,
    Pile,
    Role,
    Rolls,
    Side,
    enemy,
    grown,
    opposing,
    unit_of,
)
from carddb.games.rishar.play.powers import badly_chosen, class_of, may_become, power_of
from carddb.games.rishar.table.session import BattleSession, card_key
from carddb.play.question import Answer, BadInput, Die, Many, Refusal, refuse
from carddb.play.table.engine import action

CURRENCIES: tuple[Currency, ...] = get_args(get_args(Currency)[0])


def prepare(session: BattleSession) -> BattleSession:
    """Returns the session at the next choice that a Commander has to make before the Battle."""
    spec, leaders = session.spec, {army: session.hosts[army].commander for army in ARMIES}
    classes = {army: class_of(spec, leader.path or "", leader.role or "") for army, leader in leaders.items()}
    if deciders := [army for army in ARMIES if badly_chosen(spec, classes[army], leaders[army].chosen)]:
        return session.at("tactician", deciders)
    if deciders := [army for army in ARMIES if classes[army] == "dervish" and leaders[army].dervish is None]:
        return session.at("dervish", deciders)
    states = {
        army: army_before_battle(session.spec, army, host, *cards_of_host(session.spec, army, host))
        for army, host in session.hosts.items()
    }
    session = replace(session, battle=BattleState(session.spec, states, first_turn=ARMIES[0]))
    return _ask(session, "oathbound")


def _ask(session: BattleSession, power: str, armies: Sequence[Army] = ARMIES) -> BattleSession:
    """Returns the session at the next choice before the Battle, from that of `power`: Oathbound, Mender, first turn."""
    deciders = [army for army in armies if session.army(army).power == power]
    if power == "oathbound":
        return session.at("oath", deciders) if deciders else _ask(session, "mender")
    if deciders:
        return session.at("mender", deciders)
    # The armies are ready: a Commander chosen at random decides who begins (R-41).
    if session.table.first is not None:
        return _opened(session, session.table.first)
    session, (drawn,) = session.rolled(sides=len(ARMIES))
    chosen = ARMIES[drawn - 1]
    return session.at("first", [chosen]).say(f"By lot {session.name(chosen)} decides who has the first turn.")


def _opened(session: BattleSession, first: Army) -> BattleSession:
    battle = session.fought
    return open_turn(replace(session, battle=BattleState(battle.spec, battle.states, first)))


@action(at=["tactician"])
def choose(session: BattleSession, power: ClassName) -> BattleSession:
    """Choose the power that a Tactician has for this Battle: one of the Guardian row or the Steel column."""
    army = session.decider
    refuse(tactician_choice=badly_chosen(session.spec, session.spec.data["powers"]["chooser"], power))
    session = session.with_commander(army, chosen=power)
    return prepare(session.say(f"{session.name(army)} has the power of {session.power_words(power)}."))


@action(at=["dervish"])
def against(session: BattleSession, opponent: Opponent) -> BattleSession:
    """Choose the Path or the Role against which a Dervish's units are stronger today."""
    army = session.decider
    paths = {key: path["label"] for key, path in session.spec.data["paths"].items()}
    word = paths[opponent.path] if opponent.path else session.spec.label_of(opponent.role or "")
    session = session.with_commander(army, dervish=opponent)
    return prepare(session.say(f"{session.name(army)} is stronger against {word}: {session.power_words('dervish')}."))


@action(at=["oath"])
def name(session: BattleSession, card: str) -> BattleSession:
    """Name the unit that the Oathbound protects in this Battle."""
    army = session.decider
    key = card_key(session.army(army), card, "hand")
    name_oathbound(session.army(army), key)
    words = f"{session.name(army)} protects {session.card(army, key)}: {session.power_words('oathbound')}."
    return _ask(session.with_host(army, oathbound=key).say(words), "oathbound", session.deciders[1:])


@action(at=["mender"])
def look(session: BattleSession, cards: Many[str] = ()) -> BattleSession:
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


@action(at=["mending"])
def disable(session: BattleSession, card: str) -> BattleSession:
    """Have one of the cards that the Mender sees Disabled, for a point of Morale."""
    key = card_key(session.army(enemy(session.decider)), card, "hand")
    return mended(session, Mending(shown=session.shown, disable=key))


def mended(session: BattleSession, mending: Mending | None) -> BattleSession:
    """Returns the session after a Mender's look at the enemy's hand; `mending` is None if there was no look."""
    army = session.decider
    state, other = session.army(army), session.army(enemy(army))
    before = state.morale
    use_mender(session.spec, state, other, mending)
    if mending is not None and mending.disable is not None:
        session = session.say(f"{session.card(enemy(army), mending.disable)} is Disabled.").say_morale(army, before)
    return _ask(session.with_host(army, mender=mending), "mender", session.deciders[1:])


@action(at=["first"])
def begin(session: BattleSession, army: Army | None = None) -> BattleSession:
    """Begin the Battle: the Commander chosen by lot takes the first turn, or gives it to an army (a or b)."""
    return _opened(session, army or session.decider)


def payable(state: ArmyState, cause: Literal["skirmish", "rout"]) -> list[Currency]:
    """Returns the currencies in which an army can save a unit (R-92, R-93, R-97)."""
    able: list[Currency] = []
    for pay in CURRENCIES:
        with suppress(Refusal):
            state.copy().save(pay, cause)
            able.append(pay)
    return able


def _ask_routed(session: BattleSession, armies: tuple[Army, ...]) -> BattleSession:
    deciders = [army for army in armies if at_risk(session.army(army))]
    if deciders:
        return session.at("rout", deciders)
    return session.at("over").say(_result_words(session))


def _result_words(session: BattleSession) -> str:
    result = session.fought.report()
    if result["winner"] is None:
        equal = "Kills and Morale are equal: both have lost (R-119)."
        return "Both are Routed, both lose (R-120)." if result["by"] == "double_rout" else equal
    words = {"rout": "by the rout (R-116)", "kills": "by kills (R-117)", "morale": "by Morale (R-118)"}
    return f"{session.name(result['winner'])} wins {words[result['by']]}."


def flight_of(session: BattleSession, army: Army) -> Flight:
    """Returns what is recorded so far of an army's rout."""
    return Flight.model_validate(session.flights.get(army, {}))


def _with_flight(session: BattleSession, **entries: Any) -> BattleSession:
    army = session.decider
    return replace(session, flights={**session.flights, army: {**session.flights.get(army, {}), **entries}})


def roll_rout(session: BattleSession, typed: tuple[int, ...]) -> BattleSession:
    """Rolls the victor's dice in a rout, or its Rogue's for the dead, or takes those that are `typed`."""
    army = session.decider
    if session.step == "rout_plunder":
        session, dice = session.rolled(len(_dead(session)), typed)
        return _resolved(_with_flight(session, rogue=list(dice)))
    units = at_risk(session.army(army))
    session, dice = session.rolled(len(units), typed)
    session = _with_flight(session, rolls=list(dice))
    struck = ", ".join(f"{session.card(army, key)} {die}" for key, die in zip(units, dice, strict=True))
    session = session.say(f"{session.name(enemy(army))} rolls: {struck}.")
    if _dead(session) and payable(session.army(army), "rout"):
        return session.at("rout_saving", session.deciders)
    return after_saving(session)


def _dead(session: BattleSession) -> list[str]:
    """Returns the units that die in the rout and are not saved."""
    flight = flight_of(session, session.decider)
    killed = threatened(session.army(session.decider), flight.rolls)["killed"]
    return [key for key in killed if key not in flight.saves]


@action(at=["rout_saving"])
def rescue(session: BattleSession, card: str, pay: Currency | None = None) -> BattleSession:
    """Save a unit from the rout: it is Disabled for a Favor or half an Influence."""
    army = session.decider
    key = card_key(session.army(army), card, "disabled", "exhausted")
    refuse(not_killed=key not in _dead(session))
    state = session.army(army).copy()
    saves = dict(flight_of(session, army).saves)
    for paid in saves.values():
        state.save(paid, "rout")
    pay = pay or next(iter(payable(state, "rout")), None) or "favor"
    state.save(pay, "rout")
    session = _with_flight(session, saves={**saves, key: pay})
    session = session.say(f"{session.name(army)} saves {session.card(army, key)} ({pay}, R-92).")
    return session if _dead(session) and payable(state, "rout") else after_saving(session)


def after_saving(session: BattleSession) -> BattleSession:
    """Returns the session after units were saved in a rout: a Rogue rolls for the dead, or the rout is resolved."""
    victor = session.army(enemy(session.decider))
    if _dead(session) and victor.power == "rogue" and not victor.routed:
        return session.at("rout_plunder", session.deciders)
    return _resolved(session)


def _resolved(session: BattleSession) -> BattleSession:
    army = session.decider
    victor = enemy(army)
    dead = [session.card(army, key) for key in _dead(session)]
    before = session.army(victor).morale
    resolve_rout(session.army(army), session.army(victor), flight_of(session, army))
    session = session.say(f"Killed: {', '.join(dead) or 'none'}.").say_morale(victor, before)
    return _ask_routed(session, session.deciders[1:])


def open_turn(session: BattleSession) -> BattleSession:
    """Opens the next turn, or the second Phase if due, or ends the Battle; in a rout the victor rolls (R-61, R-88)."""
    battle = session.fought
    if battle.settle():
        session = session.say(f"Phase {battle.phase} begins: the Exhausted are back in hand.")
        return _ask_necromancers(session, ARMIES)
    if battle.ended is not None:
        routed = tuple(army for army in ARMIES if session.army(army).routed)
        for army in routed:
            session = session.say(f"{session.name(army)} is Routed.")
        return _ask_routed(session, routed)
    battle.begin(battle.active)
    session = replace(session, turn={"by": battle.active})
    return session.at("offense", [battle.active]).say(f"{session.name(battle.active)} is on Offense.")


def _ask_necromancers(session: BattleSession, armies: Sequence[Army]) -> BattleSession:
    deciders = [army for army in armies if _may_bring_back(session, army)]
    return session.at("second_phase", deciders) if deciders else open_turn(session)


def _may_bring_back(session: BattleSession, army: Army) -> bool:
    state = session.army(army)
    left = power_of(session.spec, "necromancer")["uses"]["battle"] - state.used["necromancer"]
    return state.power == "necromancer" and left > 0 and bool(state.lying("disabled"))


@action(at=["second_phase"])
def back(session: BattleSession, card: str) -> BattleSession:
    """Take a Disabled card back to hand as the second Phase opens."""
    army = session.decider
    key = card_key(session.army(army), card, "disabled")
    session.army(army).bring_back(key)
    words = f"{session.name(army)} takes {session.card(army, key)} back: {session.power_words('necromancer')}."
    return _ask_necromancers(session.with_host(army, returned=key).say(words), session.deciders[1:])


def finish(session: BattleSession, outcome: Answer) -> BattleSession:
    """Ends the turn with its `outcome` and opens the next; Healers may act first if the Phase would end (R-102)."""
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


def may_heal(session: BattleSession, army: Army) -> bool:
    """Returns whether an army might use a Healer now: after a clash, with Morale, a hand, and a card to take back."""
    state = session.army(army)
    piles = (state.lying("hand"), state.lying("disabled", "exhausted"))
    return session.fought.result in CLASHES and bool(session.turns) and state.morale > 0 and all(piles)


@action(at=["offense", "defense"])
def play(session: BattleSession, card: str) -> BattleSession:
    """Lay a card of the hand face down."""
    return _chosen(session, "play", card_key(session.army(session.decider), card, "hand"))


@action(at=["offense", "defense"])
def pass_(session: BattleSession) -> BattleSession:
    """Play no card although one could be played: this costs 1 Morale on Offense; on Defense the attack is Unopposed."""
    return _chosen(session, "pass", None)


@action(at=["offense", "defense"])
def unable(session: BattleSession) -> BattleSession:
    """Say that no card in hand may be played."""
    return _chosen(session, "unable", None)


def _chosen(session: BattleSession, choice: Choice, card: str | None) -> BattleSession:
    """Returns the session after a choice to play, pass or be unable; impossible choices are refused at once."""
    army = session.decider
    words = {"play": "lays a card face down", "pass": "Passes", "unable": "is Unable: no card can be played"}[choice]
    session = session.say(f"{session.name(army)} {words}.")
    entry = {"choice": choice} | ({"card": card} if card else {})
    if session.step == "defense":
        return _answered(session.noted(defense=entry), choice, card)
    session.fought.lay_offense(choice, card)
    session = session.noted(**entry)
    return session.at("defense", [enemy(army)]) if choice == "play" else _answered(session, None, None)


def _answered(session: BattleSession, choice: Choice | None, card: str | None) -> BattleSession:
    """Records the defender's choice, and returns the session with the cards revealed, or after the turn."""
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


@action(at=["offense"], serves=lambda session: bool(_clerics(session)))
def pray(session: BattleSession, card: str, army: Army | None = None) -> BattleSession:
    """Take a Killed card back to hand as a Cleric, for a point of Morale; once a Day."""
    by = army or (_clerics(session) or [session.decider])[0]
    state = session.army(by)
    key, before = card_key(state, card, "killed"), state.morale
    state.pray(key)
    session = session.noted(prayers=[*session.turn.get("prayers", ()), {"by": by, "card": key}])
    session = session.say(f"{session.name(by)} takes {session.card(by, key)} back: {session.power_words('cleric')}.")
    session = session.say_morale(by, before)
    if not state.routed:
        return session
    return open_turn(replace(session, turns=(*session.turns, {**session.turn, "choice": "pass"}), turn={}))


def _clerics(session: BattleSession) -> list[Army]:
    return [army for army in ARMIES if session.army(army).power == "cleric"]


@action(at=["offense", "healing"], serves=lambda session: any(may_heal(session, army) for army in ARMIES))
def heal(
    session: BattleSession,
    healer: str,
    card: str,
    army: Army | None = None,
    role: Role | None = None,
    die: Die | None = None,
) -> BattleSession:
    """Discard a Healer and pay 1 Morale: a Disabled or Exhausted card of at most twice its Strength comes back."""
    refuse(wrong_time="prayers" in session.turn or not session.turns)
    by = army or session.holder(healer)
    state = session.army(by)
    keys = card_key(state, healer, "hand"), card_key(state, card, "disabled", "exhausted")
    session, roll = session.discard_die(by, die)
    before = state.morale
    healing = Healing(by=by, healer=keys[0], target=keys[1], role_as=role, roll=roll)
    session.fought.heal(healing)
    noted = healing.model_dump(exclude_none=True)
    last = {**session.turns[-1], "heals": [*session.turns[-1].get("heals", ()), noted]}
    session = replace(session, turns=(*session.turns[:-1], last))
    healer, card = (session.card(by, key) for key in keys)
    session = session.say(f"{session.name(by)} discards {healer}: {card} is back in hand.").say_morale(by, before)
    if session.step == "healing" or session.army(by).routed:
        return open_turn(session)
    return session


AT = ("dice", "reactions")


@action(at=AT)
def discard(
    session: BattleSession,
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
) -> BattleSession:
    """Discard a card of the hand for what its text gives.

    A printed ability needs nothing more. The effects of any other text have to be said: Strength to `add`, Morale
    for oneself or for the enemy, a card to `move`.
    """
    army = army or session.holder(card)
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
    entry = {"by": army, "discard": key, **effect, "roll": roll}
    entry = {name: value for name, value in entry.items() if value not in (None, {})}
    session = session.say(f"{session.name(army)} discards {session.card(army, key)}{_words(session, entry)}.")
    return _reacted(session, entry)


def _effect(session: BattleSession, army: Army, card: Card, target: str | None, to: Side | None) -> dict[str, Any]:
    """Returns what a card's ability does when the card is discarded, as fields of a `Reaction`."""
    ability, side = ability_of(card, session.spec), session.side_of(army)
    if ability is None:
        return {}
    if "moves" in session.spec.data["keywords"][ability.key]:
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


def _move(session: BattleSession, army: Army, ability: Ability, target: str | None) -> dict[str, Any]:
    """Returns the move of a card by an ability: the card `target`, or by default the only one possible.

    Refuses with `text_does_not_fit` if no card fits, `target_needed` if several do and none is named.
    """
    move = session.spec.data["keywords"][ability.key]["moves"]
    from_: Pile = move["from"]
    owner = army if move["own"] else enemy(army)
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
            raise Refusal("target_needed", hint=f"Name one of {', '.join(session.card(owner, key) for key in fit)}.")
        key = fit[0]
    return {"army": owner, "card": key, "to": move["to"]}


def _words(session: BattleSession, effect: Mapping[str, Any]) -> str:
    """Returns the effects of a discard on Morale and cards in words; empty if it only adds Strength."""
    words = [f"{session.name(army)} {points:+} Morale" for army, points in effect.get("morale", {}).items()]
    for move in effect.get("moves", ()):
        part = Move.model_validate(move)
        words.append(f"{session.card(part.army, part.card)} goes to {part.to.capitalize()}")
    return f": {', '.join(words)}" if words else ""


@action(at=AT)
def use(
    session: BattleSession, what: str | None = None, die: Die | None = None, army: Army | None = None
) -> BattleSession:
    """Use a Commander's power in the Skirmish: for off or def, or with the card that an Etherealist brings."""
    army = army or session.decider
    power = session.army(army).power
    refuse(not_activated="timing" not in power_of(session.spec, power).get("uses", {}))
    refuse(wrong_time=power == "etherealist" and session.step != "dice")
    entry: dict[str, Any] = {"by": army, "power": power}
    if power == "etherealist":
        if what is None:
            raise BadInput("what", hint="name the card that the Etherealist brings")
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


@action(at=AT)
def decline(session: BattleSession) -> BattleSession:
    """Add nothing; when both decline in a row, the clash is decided."""
    army, table = session.decider, session.fought.engaged
    react(table, Reaction(by=army, decline=True))
    session = session.at(session.table.step, [session.army_on(table.opportunity)])
    if session.step == "reactions" and table.refusals >= len(SIDES):
        return decide(session)
    return session.say(f"{session.name(army)} adds nothing.")


def _reacted(session: BattleSession, entry: dict[str, Any]) -> BattleSession:
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


@action(at=["dice", "reroll", "plunder", "rout", "rout_plunder"])
def roll(session: BattleSession, dice: Many[Die] = ()) -> BattleSession:
    """Roll the dice, or type what those on the table show: Offense first, then Defense."""
    if session.step == "plunder":
        return plunder(session, dice)
    return roll_rout(session, dice) if session.step in ("rout", "rout_plunder") else throw(session, dice)


@action(at=["mender", "mending", "reveal", "saving", "healing", "second_phase", "rout_saving"])
def next_(session: BattleSession) -> BattleSession:
    """Do nothing at this step, and go on."""
    rest = session.deciders[1:]
    match session.step:
        case "mender":
            return mended(session, None)
        case "mending":
            return mended(session, Mending(shown=session.shown))
        case "reveal":
            return _ask_roles(session, rest)
        case "saving":
            return ask_saving(session, rest)
        case "healing":
            return session.at("healing", rest) if rest else open_turn(session)
        case "second_phase":
            return _ask_necromancers(session, rest)
        case _:
            return after_saving(session)


def ask_saving(session: BattleSession, armies: tuple[Army, ...]) -> BattleSession:
    """Returns the session at the choice to save a Killed unit, or after moving the cards if nobody can (R-92, R-93)."""
    deciders = [army for army in armies if payable(session.army(army), "skirmish")]
    if deciders:
        return session.at("saving", deciders).say(f"{session.on(session.side_of(deciders[0]))} would be Killed.")
    return _laid(session)


@action(at=["saving"])
def save(session: BattleSession, pay: Currency | None = None) -> BattleSession:
    """Save the unit: it is Disabled for a Favor, half an Influence, or 3 Morale of a non-player Commander."""
    army = session.decider
    pay = pay or payable(session.army(army), "skirmish")[0]
    session.army(army).copy().save(pay, "skirmish")
    saves = {**session.turn.get("saves", {}), session.side_of(army): pay}
    rule = "R-93" if pay == "morale" else "R-92"
    session = session.noted(saves=saves).say(f"{session.name(army)} saves it with {pay.capitalize()} ({rule}).")
    return ask_saving(session, session.deciders[1:])


def _laid(session: BattleSession) -> BattleSession:
    """Moves the cards to their piles, and lets a Rogue roll for a kill."""
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


def plunder(session: BattleSession, typed: tuple[int, ...]) -> BattleSession:
    """Rolls the die of a Rogue for a kill, or takes the one that is `typed` (R-144)."""
    army = session.decider
    session, (die,) = session.rolled(typed=typed)
    before = session.army(army).morale
    session.army(army).plunder(die)
    rogue: Mapping[Side, int] = {**session.turn.get("rogue", {}), session.side_of(army): die}
    session = session.noted(rogue=rogue).say(f"{session.power_words('rogue')} rolls {die}.").say_morale(army, before)
    rest = session.deciders[1:]
    return session.at("plunder", rest) if rest else finish(session, session.outcome)


def reveal(session: BattleSession) -> BattleSession:
    """Turns both cards up; the Commanders may then change Roles, the attacker first (R-63, R-65)."""
    table = session.fought.engaged
    words = " against ".join(session.on(side) for side in table.cards)
    session = session.say(f"{words}." if len(table.cards) > 1 else f"{words} attacks Unopposed.")
    return _ask_roles(session, tuple(session.army_on(side) for side in table.cards))


def _ask_roles(session: BattleSession, armies: tuple[Army, ...]) -> BattleSession:
    deciders = [army for army in armies if roles_open(session, army)]
    if deciders:
        return session.at("reveal", deciders)
    rolls = any(session.fought.engaged.dice.values())
    return session.at("dice" if rolls else "reactions", [session.army_on("off")])


def roles_open(session: BattleSession, army: Army) -> list[str]:
    """Returns the Roles that an army's card on the table may take (R-114, R-130, R-131, R-138)."""
    state, side = session.army(army), session.side_of(army)
    unit = session.fought.engaged.unit(side)
    roles = power_of(session.spec, state.power).get("becomes", ())
    tried = {role: unit.model_copy(update={"role_as": role}) for role in roles if role != unit.role}
    return [role for role, changed in tried.items() if may_become(session.spec, changed, state.leader)]


@action(at=["reveal"])
def become(session: BattleSession, role: Role) -> BattleSession:
    """Give your card another Role for this Skirmish."""
    army = session.decider
    side = session.side_of(army)
    session.fought.engaged.become(side, role)
    if side == "off":
        session = session.noted(role_as=role)
    else:
        session = session.noted(defense={**session.turn["defense"], "role_as": role})
    power = session.power_words(session.army(army).power)
    session = session.say(f"{session.on(side)} is a {session.spec.label_of(role)} now: {power}.")
    return _ask_roles(session, session.deciders[1:])


def own_texts(session: BattleSession, table: Engagement) -> dict[Side, int]:
    """Returns the Strength that cards on the table get from their texts: as a player has said, else from abilities."""
    units = {side: table.unit(side) for side in table.cards}
    printed = {
        side: own_strength(
            ability_of(table.states[side].cards[key], session.spec), side, units.get(opposing(side)), session.spec
        )
        for side, key in table.cards.items()
    }
    return {side: strength for side, strength in (printed | table.texts).items() if strength}


@action(at=["reveal", "dice", "reactions"])
def text(session: BattleSession, side: Side, strength: int) -> BattleSession:
    """Say how much Strength a card's own text gives it, if the text is not an ability of the glossary."""
    refuse(not_engaged=side not in session.fought.engaged.cards)
    session.fought.engaged.texts[side] = strength
    return session.say(f"{session.on(side)} has {strength:+} from its own text (R-63).")


def throw(session: BattleSession, typed: tuple[int, ...]) -> BattleSession:
    """Throws both sides' dice, Offense first, or takes `typed` ones; then both sides may react again (R-64, R-65)."""
    table = session.fought.engaged
    dice = table.dice
    session, faces = session.rolled(sum(dice.values()), typed)
    rolls = {"off": list(faces[: dice["off"]]), "def": list(faces[dice["off"] :])}
    for side in table.cards:
        if rolls[side]:
            session = session.say(f"{session.on(side)} rolls {' and '.join(map(str, rolls[side]))}.")
    if session.step == "reroll":
        return decide(session.noted(rerolls=[*session.turn.get("rerolls", ()), rolls]))
    table.opportunity, table.refusals = "off", 0
    return session.noted(rolls=rolls).at("reactions", [session.army_on("off")])


def rolls_of(session: BattleSession) -> tuple[Rolls | None, tuple[Rolls, ...]]:
    """Returns the dice of the current turn, None before they are rolled, and the re-rolls."""
    turn = Turn.model_validate({"choice": "play", **session.turn})
    return turn.rolls, turn.rerolls


def table_now(session: BattleSession) -> Engagement:
    """Returns a copy of the table of the clash, with the Strength that its cards get from their texts."""
    table = session.fought.copy().engaged
    table.texts = own_texts(session, table)
    return table


def forecast(session: BattleSession) -> Answer | None:
    """Returns the outcome of the clash if nobody reacts any more; None before the dice, or if a re-roll is needed."""
    table = table_now(session)
    try:
        return table.fight(*rolls_of(session)) if len(table.cards) == len(SIDES) else table.hit(rolls_of(session)[0])
    except Refusal:
        return None


def decide(session: BattleSession) -> BattleSession:
    """Resolves the clash by Morale damage or a winner, or asks for a re-roll (R-65 to R-74, R-81)."""
    table = session.fought.engaged
    table.texts = own_texts(session, table)
    if table.texts:
        session = session.noted(texts=dict(table.texts))
    rolls, rerolls = rolls_of(session)
    if len(table.cards) < len(SIDES):
        defender, card = session.army_on("def"), session.on("off")
        before = session.army(defender).morale
        blow = table.hit(rolls)
        session = session.say(f"{card} totals {blow['total']} Unopposed (R-81).")
        return finish(session.say_morale(defender, before), blow)
    try:
        answer = table.fight(rolls, rerolls)
    except Refusal as refusal:
        if refusal.reason != "reroll_needed":
            raise
        return session.at("reroll", [session.army_on("off")]).say("Equal totals, equal Strength (R-69).")
    session = session.say(_verdict(session, answer))
    doomed = [session.army_on(side) for side in SIDES if answer["fate"][side] == "killed"]
    return ask_saving(replace(session, outcome=answer), tuple(doomed))


def _verdict(session: BattleSession, answer: Answer) -> str:
    """Returns a sentence that says who wins, and by what."""
    totals, winner = answer["totals"], answer["winner"]
    sums = f"{totals['off']} to {totals['def']}: " if totals else ""
    if winner is None:
        return f"{sums}{_UNDECIDED[answer['by']]}."
    how = {"base_strength": " by its base Strength (R-67)", "auto_kill": " at once (R-110)"}.get(answer["by"], "")
    return f"{sums}{session.on(winner)} wins{how}."


_UNDECIDED = {
    "stalemate": "no winner, both are Exhausted (R-72)",
    "no_damage": "no damage, both are Exhausted (R-147)",
    "auto_kill": "Equipment without Strength is Killed (R-110)",
}
