"""The cards on the table in one turn: bonuses, dice and piles; discards, Rituals, powers and Healers in reaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast

from carddb.game.game import GameSpec
from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.record import Healing, Reaction, step
from carddb.games.rishar.battle.skirmish import AttackModifier, Fighter, fighter_of, may_stand, skirmish, unopposed
from carddb.games.rishar.play.fields import (
    SIDES,
    Army,
    ClassName,
    Currency,
    Modifier,
    Pile,
    Role,
    Rolls,
    Side,
    Unit,
    is_unit,
    opposing,
)
from carddb.games.rishar.play.powers import HealerCard, Member, Patient, heal, may_become, power_of, ritual
from carddb.play.question import Answer, BadInput, refuse


@dataclass
class Engagement:
    """The table of a clash: each side's card, the Role that it takes, and the modifiers so far.

    `texts` is the Strength that each side's card gets from its own text. `opportunity` is the side that may react now,
    `refusals` the number of consecutive refusals to react.
    """

    spec: GameSpec
    states: Mapping[Side, ArmyState]
    cards: dict[Side, str] = field(default_factory=dict)
    roles: dict[Side, str | None] = field(default_factory=dict)
    modifiers: list[Modifier] = field(default_factory=list)
    texts: dict[Side, int] = field(default_factory=dict)
    opportunity: Side = "off"
    refusals: int = 0

    def copy(self, states: Mapping[Army, ArmyState]) -> Engagement:
        """Returns a copy of this table, with the armies taken from `states`."""
        return replace(
            self,
            states={side: states[state.army] for side, state in self.states.items()},
            cards=dict(self.cards),
            roles=dict(self.roles),
            modifiers=[*self.modifiers],
            texts=dict(self.texts),
        )

    def lay(self, side: Side, name: str | None, role_as: str | None = None, path: str = "card") -> None:
        """Lays the card `name` from a side's hand on the table, in the Role `role_as` if given (R-47, R-50).

        Raises BadInput, which names the key `path` of the question, if `name` is None.
        """
        if name is None:
            raise BadInput(path)
        state = self.states[side]
        key = state.in_hand(name)
        may_stand(self.spec, state.unit(key, role_as), state.leader)
        state.put(key, "engaged")
        self.cards[side], self.roles[side] = key, role_as

    def become(self, side: Side, role_as: str) -> None:
        """Gives the card of `side` the Role `role_as` for this Skirmish (R-114, R-130, R-131)."""
        refuse(not_engaged=side not in self.cards)
        state = self.states[side]
        may_stand(self.spec, state.unit(self.cards[side], role_as), state.leader)
        self.roles[side] = role_as

    def unit(self, side: Side) -> Unit:
        """Returns the card of `side` as a unit, in the Role that it has taken."""
        return self.states[side].unit(self.cards[side], self.roles[side])

    def side_of(self, army: Army) -> Side:
        """Returns the side of `army` in this turn."""
        return next(side for side, state in self.states.items() if state.army == army)

    def add(self, to: Side | None, strength: int, origin: Literal["card", "commander"]) -> None:
        """Adds a bonus or penalty of a card or a Commander's power to a side. Raises BadInput if `to` is None."""
        if to is None:
            raise BadInput("to")
        refuse(not_engaged=to not in self.cards)
        self.modifiers.append(Modifier.model_validate({"to": to, "add": strength, "from": origin}))

    @property
    def all_modifiers(self) -> tuple[Modifier, ...]:
        """All modifiers, with those of the cards' own texts, which are no bonuses of other cards (R-63, R-107)."""
        own = [
            Modifier.model_validate({"to": side, "add": strength, "from": "commander"})
            for side, strength in self.texts.items()
            if side in self.cards
        ]
        return (*self.modifiers, *own)

    # Resolution

    def hit(self, rolls: Rolls | None) -> dict[str, Any]:
        """Resolves an Unopposed attack: the defender loses Morale, and the attacker goes to its pile (R-51, R-53)."""
        attacker, defender = self.states["off"], self.states["def"]
        if rolls is None and self.dice["off"]:
            raise BadInput("rolls")
        answer = unopposed(
            off=self.unit("off"),
            rolls=rolls.off if rolls else (),
            mods=tuple(AttackModifier.model_validate(modifier.model_dump()) for modifier in self.all_modifiers),
            off_commander=attacker.leader,
            spec=self.spec,
        )
        self.clear({"off": answer["pile"]})
        defender.lose(answer["damage"])
        for state in self.states.values():
            state.results.append("none")
        return dict(answer)

    def fight(self, rolls: Rolls | None, rerolls: tuple[Rolls, ...]) -> Answer:
        """Returns who wins a Skirmish, and the pile that threatens each card; moves no card yet (R-65)."""
        return skirmish(
            off=self.unit("off"),
            def_=self.unit("def"),
            rolls=rolls,
            rerolls=rerolls,
            mods=self.all_modifiers,
            off_commander=self.states["off"].leader,
            def_commander=self.states["def"].leader,
            spec=self.spec,
        )

    @property
    def fighters(self) -> dict[Side, Fighter]:
        """The fighter of each side before the dice; only the attacker's if the attack is Unopposed."""
        units = {side: self.unit(side) for side in self.cards}
        leaders = {side: state.leader for side, state in self.states.items()}
        return {side: fighter_of(self.spec, side, units, leaders, self.all_modifiers) for side in units}

    @property
    def dice(self) -> dict[Side, int]:
        """Returns the dice of each side, 0 if the Skirmish is decided without dice (R-80, R-98 to R-101)."""
        fighters = self.fighters
        decided = len(fighters) == len(SIDES) and any(fighter.doomed for fighter in fighters.values())
        return {side: 0 if decided else fighter.dice for side, fighter in fighters.items()}

    def resolve(self, answer: Answer, saves: Mapping[Side, Currency]) -> dict[str, Any]:
        """Moves the cards of a Skirmish to their piles; those in `saves` are not Killed (R-92 to R-94)."""
        fates: dict[Side, Pile] = {side: answer["fate"][side] for side in SIDES}
        for side in saves:
            refuse(not_killed=fates[side] != "killed")
            fates[side] = self.states[side].save(saves[side], "skirmish")
        self.clear(fates)
        for side, state in self.states.items():
            won = None if answer["winner"] is None else answer["winner"] == side
            state.results.append({True: "win", False: "loss", None: "none"}[won])
        return {**answer, "fate": fates}

    def plunderers(self, fates: Mapping[Side, Pile]) -> list[Side]:
        """Returns the sides whose Rogue rolls because the other side's card was Killed (R-144)."""
        return [
            side
            for side, state in self.states.items()
            if fates[opposing(side)] == "killed" and state.power == "rogue" and not state.routed
        ]

    def clear(self, piles: Mapping[Side, Pile]) -> None:
        """Moves the cards from the table to `piles`, which ends the Roles that they took (R-114)."""
        for side, pile in piles.items():
            self.states[side].changed_role(self.unit(side))
            self.states[side].put(self.cards[side], pile)


def use_healer(state: ArmyState, healing: Healing, timing: str) -> None:
    """Discards a Healer and pays 1 Morale to take a Disabled or Exhausted card back to hand (R-102 to R-104)."""
    healer, target = state.find(healing.healer, "hand"), state.find(healing.target, "disabled", "exhausted")
    unit, patient = state.unit(healer, healing.role_as), state.unit(target)
    refuse(role_change_not_allowed=not may_become(state.spec, unit, state.leader))
    answer = heal(
        healer=HealerCard(
            role=cast(Role, unit.current_role),
            strength=unit.strength,
            trained=unit.trained,
            pile=state.where[healer],
        ),
        target=Patient(strength=patient.strength, trained=patient.trained, pile=state.where[target]),
        morale=state.morale,
        timing=timing,
        spec=state.spec,
    )
    state.lose(state.morale - answer["morale_after"])
    state.changed_role(unit)
    state.discard(healer, healing.roll)
    state.put(target, answer["target_pile"])


def react_in_turn(table: Engagement, reactions: Iterable[Reaction]) -> None:
    """Carries out the reactions of a turn one by one, and stops as soon as an army is routed."""
    for at, reaction in enumerate(reactions):
        with step(f"reactions.{at}"):
            react(table, reaction)
        if any(state.routed for state in table.states.values()):
            return


def react(table: Engagement, reaction: Reaction) -> None:
    """Uses one opportunity to react. The attacker has the first, then the sides alternate until both refuse in a row
    (R-76).

    If the other side reacts instead, the side whose opportunity it was has refused.
    """
    side = table.side_of(reaction.by)
    refusals = table.refusals + (side != table.opportunity)
    refuse(opportunity_over=refusals >= len(SIDES))
    if reaction.power is not None and not reaction.decline:
        _use_power(table, side, reaction.power, reaction)
    elif reaction.discard is not None and not reaction.decline:
        _discard(table, side, reaction.discard, reaction)
    elif not reaction.decline:
        raise BadInput("discard")
    table.refusals = refusals + 1 if reaction.decline else 0
    table.opportunity = opposing(side)


def _discard(table: Engagement, side: Side, name: str, reaction: Reaction) -> None:
    """Discards the card `name`, which may be a Ritual, for the effects of its text (R-75, R-77, R-78, R-113)."""
    state = table.states[side]
    key = state.in_hand(name)
    card = state.cards[key]
    add = card.get("discard_bonus") if reaction.add is None else reaction.add
    if is_unit(card.type):
        refuse(no_discard_power=add is None and not reaction.morale and not reaction.moves)
    else:
        ritual(
            card=_member(state, key),
            army=tuple(_member(state, other) for other in state.cards),
            class_=cast(ClassName, state.power),
            played_this_phase=state.used_in_phase["ritual"],
            played_this_battle=state.used["ritual"],
            spec=table.spec,
        )
        state.count("ritual")
    state.discard(key, reaction.roll)
    if add:
        table.add(reaction.to, add, "card")
    for army, points in reaction.morale.items():
        gainer = table.states[table.side_of(army)]
        (gainer.gain if points > 0 else gainer.lose)(abs(points))
    for move in reaction.moves:
        owner = table.states[table.side_of(move.army)]
        moved = owner.find(move.card)
        refuse(card_engaged="engaged" in (owner.where[moved], move.to))
        owner.put(moved, move.to)


def _member(state: ArmyState, key: str) -> Member:
    card = state.cards[key]
    return Member.model_validate({"role": card.type, "path": card.get("path")})


def _use_power(table: Engagement, side: Side, power: str, reaction: Reaction) -> None:
    """Uses the power of an Evoker, Illusionist or Etherealist; other powers have their own times (R-79)."""
    state = table.states[side]
    state.use(power, "in_skirmish")
    if power == "evoker":
        table.add(reaction.to, power_of(table.spec, power)["adds"], "commander")
    elif power == "illusionist":
        if reaction.roll is None:
            raise BadInput("roll")
        table.add(reaction.to, reaction.roll, "commander")
    else:
        refuse(wrong_time=power != "etherealist" or len(table.cards) < len(SIDES))
        # Another unit replaces the card on the table, whose modifiers are lost.
        replaced = table.cards[side]
        table.lay(side, reaction.card)
        state.put(replaced, "hand")
        table.modifiers = [modifier for modifier in table.modifiers if modifier.to != side]
