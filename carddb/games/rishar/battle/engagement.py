"""The armies in a Battle: their cards, Morale and routs, and what both do with the cards on the table in one turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from carddb.cards.cards import Card
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.record import Flight, Healing, Reaction
from carddb.games.rishar.battle.skirmish import AttackModifier, Fighter, fighter_of, may_stand, skirmish, unopposed
from carddb.games.rishar.play import morale, powers
from carddb.games.rishar.play.armies import Commander
from carddb.games.rishar.play.fields import (
    SIDES,
    Army,
    ClassName,
    Currency,
    Leader,
    Modifier,
    Pile,
    Role,
    Rolls,
    Side,
    Unit,
    is_unit,
    modifier,
    opposing,
    unit_of,
)
from carddb.play.question import Answer, BadInput, given, refuse

PILES: tuple[Pile, ...] = get_args(get_args(Pile)[0])


@dataclass
class ArmyState:
    """An army in the course of a Battle.

    Every card is in exactly one pile: `where` maps each card's key to its pile. The copies of a card have the keys
    `soldier#1`, `soldier#2`; the key of a single card is `soldier`.
    """

    spec: GameSpec
    army: Army
    commander: Commander
    cards: Mapping[str, Card]
    own: int
    base: int
    used_day: int = 0
    oathbound: str | None = None
    results: list[str] = field(default_factory=list)
    used: Counter[str] = field(default_factory=Counter)
    used_in_phase: Counter[str] = field(default_factory=Counter)
    used_in_skirmish: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.where: dict[str, Pile] = dict.fromkeys(self.cards, "hand")
        self.class_ = powers.class_of(self.spec, self.commander.path or "", self.commander.role or "")
        self.favors, self.influence = self.commander.favors, self.commander.influence

    def copy(self) -> ArmyState:
        """Returns a copy of the army; changes to the copy leave this army as it is."""
        return deepcopy(self, self.shared)

    @property
    def shared(self) -> dict[int, Any]:
        """The parts that copies share because they never change, by `id`, for `deepcopy`."""
        return {id(part): part for part in (self.spec, self.commander, self.cards)}

    # The cards

    def find(self, name: str, *piles: Pile) -> str:
        """Returns the key of the card `name` or of a copy, preferably in `piles`. Refuses with `no_such_card`."""
        copies = [key for key in self.cards if name in (key, key.partition("#")[0])]
        refuse(no_such_card=not copies)
        return min(copies, key=lambda key: self.where[key] not in piles)

    def in_hand(self, name: str) -> str:
        """Returns the key of the card `name` (or of a copy) in hand. Refuses with `not_in_hand` if none is there."""
        key = self.find(name, "hand")
        refuse(not_in_hand=self.where[key] != "hand")
        return key

    def lying(self, *piles: Pile) -> list[str]:
        """Returns the keys of the cards in `piles`, in the order of the army list."""
        return [key for key, pile in self.where.items() if pile in piles]

    def take_back(self, pile: Pile) -> None:
        """Moves every card in `pile` to the hand."""
        for key in self.lying(pile):
            self.where[key] = "hand"

    def discard(self, key: str, roll: int | None) -> None:
        """Discards a card: it is Disabled, or Exhausted if a Battlemage's `roll` is high enough (R-14, R-77, R-127)."""
        pile: Pile = "disabled"
        if self.power == "battlemage" and not self.used_in_phase["battlemage"]:
            refuse(wrong_dice_count=roll is None)
            pile = powers.battlemage(events=(cast(int, roll),), spec=self.spec)["piles"][0]
            self.used_in_phase["battlemage"] += pile == "exhausted"
        self.where[key] = pile

    @property
    def can_play(self) -> bool:
        """True if a card in hand may be played on Offense or Defense (R-62)."""
        hand = [self.cards[key] for key in self.lying("hand")]
        return any(is_unit(card.type) and card.get("strength") is not None for card in hand)

    @property
    def lost(self) -> int:
        """The number of units of this army that are Killed (R-120)."""
        return sum(is_unit(self.cards[key].type) for key in self.lying("killed"))

    def unit(self, key: str, role_as: str | None = None) -> Unit:
        """Returns the card `key` as a unit of a Skirmish, in the Role `role_as` if that is given."""
        return unit_of(self.cards[key], role_as, key == self.oathbound)

    # The Commander

    @property
    def power(self) -> str | None:
        """The class whose power the Commander has; None without a class, or before a Tactician's choice."""
        return powers.in_force(self.spec, self.leader)

    @property
    def leader(self) -> Leader:
        """The Commander as a leader of a Skirmish, with the bonuses and Role changes that are left."""
        changes = powers.power_of(self.spec, "shapeshifter")["uses"]["battle"] - self.used["shapeshifter"]
        own = {"class": self.class_, "chosen": self.commander.chosen, "dervish": self.commander.dervish}
        bonus = powers.streak(self.results, self.spec)[-1]
        return Leader.model_validate({**own, "mindblade": bonus, "role_changes_left": changes})

    def use(self, power: str, timing: str, *, disable: bool = False) -> None:
        """Uses the Commander's `power` at `timing` and pays Morale for it; `disable` if it is to Disable a card."""
        refuse(not_your_power=self.power != power)
        allowed = powers.power_use(
            class_=power,
            timing=timing,
            used_battle=self.used[power],
            used_skirmish=self.used_in_skirmish[power],
            used_day=self.used_day,
            morale=self.morale,
            disable=disable,
            spec=self.spec,
        )
        self.count(power)
        self.used_day += 1
        self.lose(allowed["morale_cost"])

    def changed_role(self, unit: Unit) -> None:
        """Counts a use of the Shapeshifter's power if it has changed the Role of `unit` (R-130)."""
        if self.power == "shapeshifter" and unit.current_role != unit.role:
            self.count("shapeshifter")

    def bring_back(self, name: str) -> None:
        """Takes the Disabled card `name` back to hand with a Necromancer's power, as the second Phase opens (R-133)."""
        self.use("necromancer", "phase_two_start")
        self._take_back_one(name, "disabled")

    def pray(self, name: str) -> None:
        """Takes the Killed card `name` back to hand with a Cleric's power (R-134, R-135)."""
        self.use("cleric", "any")
        self._take_back_one(name, "killed")

    def _take_back_one(self, name: str, pile: Pile) -> None:
        key = self.find(name, pile)
        refuse(target_pile=self.where[key] != pile)
        self.where[key] = "hand"

    def plunder(self, die: int | None) -> None:
        """Adds the Morale that a Rogue gains for a kill if `die` is high enough (R-144)."""
        refuse(wrong_dice_count=die is None)
        rogue = powers.power_of(self.spec, "rogue")
        self.gain(rogue["gains_morale"] if die is not None and die >= rogue["succeeds_from"] else 0)

    def count(self, name: str) -> None:
        """Counts one use of the power or Ritual `name` in this Skirmish, this Phase and this Battle."""
        for counter in (self.used, self.used_in_phase, self.used_in_skirmish):
            counter[name] += 1

    # Morale

    def lose(self, points: int) -> None:
        """Subtracts `points` of Morale, first from the Base's Morale (R-83, R-84)."""
        left = morale.morale_lose(own=self.own, base=self.base, loss=points)
        self.own, self.base = left["own"], left["base"]

    def gain(self, points: int) -> None:
        """Adds `points` to the Commander's own Morale, which may exceed its starting value (R-85)."""
        self.own += points

    def save(self, pay: Currency, cause: Literal["skirmish", "rout"]) -> Pile:
        """Pays with `pay` for a Killed unit to be Disabled instead; returns the pile to which it goes (R-92, R-93)."""
        after = morale.save(
            commander=self.commander.kind,
            pay=pay,
            favors=self.favors,
            influence=self.influence,
            morale=self.morale,
            cause=cause,
            spec=self.spec,
        )
        self.favors = after.get("favors_after", self.favors)
        self.influence = after.get("influence_after", self.influence)
        self.lose(self.morale - after.get("morale_after", self.morale))
        return cast(Pile, after["pile"])

    @property
    def morale(self) -> int:
        """The sum of the Commander's own Morale and the Base's."""
        return self.own + self.base

    @property
    def routed(self) -> bool:
        """True if the army has no Morale left (R-19)."""
        return morale.is_routed(self.morale)

    def standing(self, kills: int) -> dict[str, Any]:
        """Returns an army's state apart from its cards: Morale, `kills`, Favors and Influence left."""
        left = {"favors": self.favors, "influence": self.influence}
        return {"morale": morale.standing(self.own, self.base), "routed": self.routed, "kills": kills, **left}

    def report(self, kills: int) -> dict[str, Any]:
        """Returns the state of the army, its cards by pile, and the cards not Killed."""
        piles = {pile: self.lying(pile) for pile in PILES}
        returns = [key for key in self.cards if self.where[key] != "killed"]
        return {**self.standing(kills), "piles": piles, "returns": returns}


def at_risk(state: ArmyState) -> list[str]:
    """Returns the keys of the cards for which the victor rolls in a rout, in the order of the list (R-88, R-89)."""
    return [key for key in state.cards if morale.is_at_risk(state.where[key], state.cards[key].type)]


def threatened(state: ArmyState, rolls: Sequence[int]) -> Answer:
    """Returns what the dice in `rolls` do to the cards of a routed army, before any is saved (R-88, R-90)."""
    shown = {key: state.unit(key).model_dump(include={"role", "oathbound", "never_killed"}) for key in state.cards}
    units = tuple(morale.Fallen(id=key, pile=state.where[key], **unit) for key, unit in shown.items())
    return morale.rout(units=units, rolls=tuple(rolls), spec=state.spec)


def resolve_rout(state: ArmyState, victor: ArmyState, flight: Flight) -> None:
    """Resolves the rout of an army: dice, protections and saves, then the dice of the victor's Rogue (R-88 to R-90)."""
    answer = threatened(state, flight.rolls)
    for key in answer["protected"]:
        state.where[key] = "disabled"
    saves = {state.find(name, "disabled", "exhausted"): pay for name, pay in flight.saves.items()}
    refuse(not_killed=not set(saves) <= set(answer["killed"]))
    for key in answer["killed"]:
        state.where[key] = state.save(saves[key], "rout") if key in saves else "killed"
    dead = [key for key in answer["killed"] if key not in saves]
    if victor.power == "rogue" and not victor.routed:
        refuse(wrong_dice_count=len(flight.rogue) != len(dead))
        for die in flight.rogue:
            victor.plunder(die)


@dataclass
class Engagement:
    """The cards on the table in a turn: the key of each side's card, the Role that the card takes, and the modifiers.

    `texts` is the Strength that each side's card gets from its own text. `opportunity` is the side that may react now,
    `refusals` the number of times in a row that a side has declined to react.
    """

    spec: GameSpec
    states: Mapping[Side, ArmyState]
    cards: dict[Side, str] = field(default_factory=dict)
    roles: dict[Side, str | None] = field(default_factory=dict)
    modifiers: list[Modifier] = field(default_factory=list)
    texts: dict[Side, int] = field(default_factory=dict)
    opportunity: Side = "off"
    refusals: int = 0

    def lay(self, side: Side, name: str | None, role_as: str | None = None, path: str = "card") -> None:
        """Lays the card `name` from a side's hand on the table, in the Role `role_as` if given (R-47, R-50).

        Raises BadInput at `path` if `name` is None.
        """
        state = self.states[side]
        key = state.in_hand(given(name, path))
        may_stand(self.spec, state.unit(key, role_as), state.leader)
        state.where[key] = "engaged"
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
        """Adds a bonus or penalty for the card of the side `to`. Raises BadInput if `to` is None."""
        side: Side = given(to, "to")
        refuse(not_engaged=side not in self.cards)
        self.modifiers.append(modifier(side, strength, origin))

    @property
    def all_modifiers(self) -> tuple[Modifier, ...]:
        """All modifiers, also from the cards' own texts; these do not count as bonuses of other cards (R-63, R-107)."""
        own = (modifier(side, strength) for side, strength in self.texts.items() if side in self.cards)
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
        """Returns who wins the Skirmish, and the pile to which each card is to go; no card is moved yet (R-65)."""
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
        """The number of dice of each side; 0 if the Skirmish is decided without dice (R-80, R-98 to R-101)."""
        fighters = self.fighters
        decided = len(fighters) == len(SIDES) and any(fighter.doomed for fighter in fighters.values())
        return {side: 0 if decided else fighter.dice for side, fighter in fighters.items()}

    def resolve(self, answer: Answer, saves: Mapping[Side, Currency]) -> dict[str, Any]:
        """Moves the cards of a Skirmish to their piles; `saves` are payments to save Killed ones (R-92 to R-94)."""
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
            self.states[side].where[self.cards[side]] = pile


def use_healer(state: ArmyState, healing: Healing, timing: str) -> None:
    """Discards a Healer and pays 1 Morale to take a Disabled or Exhausted card back to hand (R-102 to R-104)."""
    healer, target = state.find(healing.healer, "hand"), state.find(healing.target, "disabled", "exhausted")
    unit, patient = state.unit(healer, healing.role_as), state.unit(target)
    refuse(role_change_not_allowed=not powers.may_become(state.spec, unit, state.leader))
    of_healer, of_patient = (one.model_dump(include={"strength", "trained"}) for one in (unit, patient))
    answer = powers.heal(
        healer=powers.HealerCard(role=cast(Role, unit.current_role), pile=state.where[healer], **of_healer),
        target=powers.Patient(pile=state.where[target], **of_patient),
        morale=state.morale,
        timing=timing,
        spec=state.spec,
    )
    state.lose(state.morale - answer["morale_after"])
    state.changed_role(unit)
    state.discard(healer, healing.roll)
    state.where[target] = answer["target_pile"]


def react(table: Engagement, reaction: Reaction) -> None:
    """Uses one opportunity to react, which a side may also decline (R-76).

    The attacker has the first, then the sides alternate until both decline in a row. If the side without the
    opportunity reacts, the other counts as having declined.
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
        powers.ritual(
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
        owner.where[moved] = move.to


def _member(state: ArmyState, key: str) -> powers.Member:
    card = state.cards[key]
    return powers.Member.model_validate({"role": card.type, "path": card.get("path")})


def _use_power(table: Engagement, side: Side, power: str, reaction: Reaction) -> None:
    """Uses the power of an Evoker, Illusionist or Etherealist; other powers are used at other times (R-79)."""
    state = table.states[side]
    state.use(power, "in_skirmish")
    if power == "evoker":
        table.add(reaction.to, powers.power_of(table.spec, power)["adds"], "commander")
    elif power == "illusionist":
        table.add(reaction.to, given(reaction.roll, "roll"), "commander")
    else:
        refuse(wrong_time=power != "etherealist" or len(table.cards) < len(SIDES))
        # Another unit replaces the card on the table, whose modifiers are lost.
        replaced = table.cards[side]
        table.lay(side, reaction.card)
        state.where[replaced] = "hand"
        table.modifiers = [modifier for modifier in table.modifiers if modifier.to != side]
