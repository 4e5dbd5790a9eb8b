"""A clash on the table: the reveal, changed Roles, the dice, the winner, and the piles of both cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from carddb.games.rishar.battle.engagement import Engagement
from carddb.games.rishar.battle.record import Turn
from carddb.games.rishar.play.cards import ability_of, own_strength
from carddb.games.rishar.play.fields import SIDES, Army, Currency, Role, Rolls, Side, opposing
from carddb.games.rishar.play.powers import may_become, power_of
from carddb.games.rishar.session.session import Session
from carddb.games.rishar.session.steps.turns import finish, payable
from carddb.play.question import Answer, Refusal, refuse
from carddb.play.table.engine import action


def ask_saving(session: Session, armies: tuple[Army, ...]) -> Session:
    """Returns the session at the choice to save a Killed unit, or, if no army can pay, after the cards have moved
    (R-92, R-93).
    """
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
    """Moves the cards to their piles, and lets a Rogue roll for a kill."""
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
    """Rolls the die of a Rogue for a kill (R-144)."""
    army, session = session.decider, session.moving()
    session, (die,) = session.rolled(typed=typed)
    before = session.army(army).morale
    session.army(army).plunder(die)
    rogue: Mapping[Side, int] = {**session.turn.get("rogue", {}), session.side_of(army): die}
    session = session.noted(rogue=rogue).say(f"{session.power_words('rogue')} rolls {die}.").say_morale(army, before)
    rest = session.deciders[1:]
    return session.at("plunder", rest) if rest else finish(session, session.outcome)


def reveal(session: Session) -> Session:
    """Turns both cards up; the Commanders may then change Roles, the attacker first (R-63, R-65)."""
    table = session.fought.engaged
    words = " against ".join(session.on(side) for side in table.cards)
    session = session.say(f"{words}." if len(table.cards) > 1 else f"{words} attacks Unopposed.")
    return _ask_roles(session, tuple(session.army_on(side) for side in table.cards))


def _ask_roles(session: Session, armies: tuple[Army, ...]) -> Session:
    deciders = [army for army in armies if roles_open(session, army)]
    if deciders:
        return session.at("reveal", deciders)
    rolls = any(session.fought.engaged.dice.values())
    return session.at("dice" if rolls else "reactions", [session.army_on("off")])


def roles_open(session: Session, army: Army) -> list[str]:
    """Returns the Roles that an army's card on the table may take (R-114, R-130, R-131, R-138)."""
    state, side = session.army(army), session.side_of(army)
    unit = session.fought.engaged.unit(side)
    roles = power_of(session.spec, state.power).get("becomes", ())
    tried = {role: unit.model_copy(update={"role_as": role}) for role in roles if role != unit.role}
    return [role for role, changed in tried.items() if may_become(session.spec, changed, state.leader)]


@action("R-114", "R-130", "R-131", "R-138", at=["reveal"])
def become(session: Session, role: Role) -> Session:
    """Change the Role of one's card for this Skirmish."""
    army, session = session.decider, session.moving()
    side = session.side_of(army)
    session.fought.engaged.become(side, role)
    if side == "off":
        session = session.noted(role_as=role)
    else:
        session = session.noted(defense={**session.turn["defense"], "role_as": role})
    power = session.power_words(session.army(army).power)
    return stay(session.say(f"{session.on(side)} is a {session.spec.label_of(role)} now: {power}."))


def stay(session: Session) -> Session:
    """Returns the session after the first decider's card has its final Role."""
    return _ask_roles(session, session.deciders[1:])


def own_texts(session: Session, table: Engagement) -> dict[Side, int]:
    """Returns the Strength that each card on the table gets from its own text: as a player stated, else from its
    ability.
    """
    units = {side: table.unit(side) for side in table.cards}
    printed = {
        side: own_strength(
            ability_of(table.states[side].cards[key], session.spec), side, units.get(opposing(side)), session.spec
        )
        for side, key in table.cards.items()
    }
    return {side: strength for side, strength in (printed | table.texts).items() if strength}


@action("R-63", at=["reveal", "dice", "reactions"])
def text(session: Session, side: Side, strength: int) -> Session:
    """Say what a card's own text gives it, where that is not worded as an ability of the glossary."""
    session = session.moving()
    refuse(not_engaged=side not in session.fought.engaged.cards)
    session.fought.engaged.texts[side] = strength
    return session.say(f"{session.on(side)} has {strength:+} from its own text (R-63).")


def throw(session: Session, typed: tuple[int, ...]) -> Session:
    """Throws the dice of both sides, those of Offense first; then both sides may react once more (R-64, R-65)."""
    session = session.moving()
    table = session.fought.engaged
    dice = table.dice
    session, faces = session.rolled(sum(dice.values()), typed)
    rolls = {"off": list(faces[: dice["off"]]), "def": list(faces[dice["off"] :])}
    for side in table.cards:
        if rolls[side]:
            session = session.say(f"{session.on(side)} rolls {' and '.join(map(str, rolls[side]))}.")
    if session.step == "reroll":
        return decide(session.noted(rerolls=[*session.turn.get("rerolls", ()), rolls]))
    table = session.fought.engaged
    table.opportunity, table.refusals = "off", 0
    return session.noted(rolls=rolls).at("reactions", [session.army_on("off")])


def rolls_of(session: Session) -> tuple[Rolls | None, tuple[Rolls, ...]]:
    """Returns the dice of the current turn, and the re-rolls."""
    turn = Turn.model_validate({"choice": "play", **session.turn})
    return turn.rolls, turn.rerolls


def forecast(session: Session) -> Answer | None:
    """Returns the outcome of the clash if nothing changes; None before the dice, or if a re-roll is needed."""
    table = session.fought.copy().engaged
    table.texts = own_texts(session, table)
    try:
        return table.fight(*rolls_of(session)) if len(table.cards) == len(SIDES) else table.hit(rolls_of(session)[0])
    except Refusal:
        return None


def decide(session: Session) -> Session:
    """Resolves the clash by Morale damage or a winner, or asks for a re-roll (R-65 to R-74, R-81)."""
    session = session.moving()
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


def _verdict(session: Session, answer: Answer) -> str:
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
