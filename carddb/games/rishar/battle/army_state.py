"""One army in a Battle: where each of its cards is, its Morale, and its rout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any, Literal, cast, get_args

from carddb.cards.cards import Card
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.record import Flight
from carddb.games.rishar.play import morale
from carddb.games.rishar.play.armies import Commander
from carddb.games.rishar.play.fields import Army, Currency, Leader, Pile, Role, Unit, is_unit, unit_of
from carddb.games.rishar.play.morale import is_routed, morale_lose, save, standing
from carddb.games.rishar.play.powers import battlemage, class_of, in_force, power_of, power_use, streak
from carddb.play.question import Answer, refuse

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
        self.class_ = class_of(self.spec, self.commander.path or "", self.commander.role or "")
        self.favors, self.influence = self.commander.favors, self.commander.influence

    def copy(self) -> ArmyState:
        """Returns a copy of the army; changes to the copy leave this army as it is."""
        twin = copy(self)
        twin.where, twin.results = dict(self.where), [*self.results]
        twin.used, twin.used_in_phase, twin.used_in_skirmish = (
            Counter(counter) for counter in (self.used, self.used_in_phase, self.used_in_skirmish)
        )
        return twin

    # The cards

    def find(self, name: str, *piles: Pile) -> str:
        """Returns the key of a card, or of its first copy, preferably one in `piles`. Refuses `no_such_card`."""
        copies = [key for key in self.cards if name in (key, key.partition("#")[0])]
        refuse(no_such_card=not copies)
        return min(copies, key=lambda key: self.where[key] not in piles)

    def in_hand(self, name: str) -> str:
        """Returns the key of the card `name` (or of a copy) in hand. Refuses `not_in_hand` if none is there."""
        key = self.find(name, "hand")
        refuse(not_in_hand=self.where[key] != "hand")
        return key

    def lying(self, *piles: Pile) -> list[str]:
        """Returns the keys of the cards in `piles`, in the order of the army list."""
        return [key for key, pile in self.where.items() if pile in piles]

    def put(self, key: str, pile: Pile) -> None:
        """Moves the card `key` to `pile`."""
        self.where[key] = pile

    def take_back(self, pile: Pile) -> None:
        """Moves every card in `pile` to the hand."""
        for key in self.lying(pile):
            self.put(key, "hand")

    def discard(self, key: str, roll: int | None) -> None:
        """Discards a card to Disabled, or as a lucky Battlemage to Exhausted (R-14, R-77, R-127)."""
        pile: Pile = "disabled"
        if self.power == "battlemage" and not self.used_in_phase["battlemage"]:
            refuse(wrong_dice_count=roll is None)
            pile = battlemage(events=(cast(int, roll),), spec=self.spec)["piles"][0]
            self.used_in_phase["battlemage"] += pile == "exhausted"
        self.put(key, pile)

    @property
    def can_play(self) -> bool:
        """Returns whether a card in hand may be played on Offense or Defense (R-62)."""
        hand = [self.cards[key] for key in self.lying("hand")]
        return any(is_unit(card.type) and card.get("strength") is not None for card in hand)

    @property
    def lost(self) -> int:
        """Returns how many units of this army are Killed (R-120)."""
        return sum(is_unit(self.cards[key].type) for key in self.lying("killed"))

    def unit(self, key: str, role_as: str | None = None) -> Unit:
        """Returns the card `key` as a unit of a Skirmish, in the Role `role_as` if that is given."""
        return unit_of(self.cards[key], role_as, key == self.oathbound)

    # The Commander

    @property
    def power(self) -> str | None:
        """The class whose power the Commander has, or None."""
        return in_force(self.spec, self.leader)

    @property
    def leader(self) -> Leader:
        """The Commander as a leader of a Skirmish, with the bonuses and Role changes that are left."""
        changes = power_of(self.spec, "shapeshifter")["uses"]["battle"] - self.used["shapeshifter"]
        own = {"class": self.class_, "chosen": self.commander.chosen, "dervish": self.commander.dervish}
        bonus = streak(self.results, self.spec)[-1]
        return Leader.model_validate({**own, "mindblade": bonus, "role_changes_left": changes})

    def use(self, power: str, timing: str, *, disable: bool = False) -> None:
        """Uses `power`, which must be the Commander's, at the time `timing`, and pays its Morale cost."""
        refuse(not_your_power=self.power != power)
        allowed = power_use(
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
        """Takes a Disabled card back as a Necromancer, when the second Phase opens (R-133)."""
        self.use("necromancer", "phase_two_start")
        self._take_back_one(name, "disabled")

    def pray(self, name: str) -> None:
        """Takes the Killed card `name` back to hand with a Cleric's power (R-134, R-135)."""
        self.use("cleric", "any")
        self._take_back_one(name, "killed")

    def _take_back_one(self, name: str, pile: Pile) -> None:
        key = self.find(name, pile)
        refuse(target_pile=self.where[key] != pile)
        self.put(key, "hand")

    def plunder(self, die: int | None) -> None:
        """Adds the Morale that a Rogue gains for a kill if `die` is high enough (R-144)."""
        refuse(wrong_dice_count=die is None)
        rogue = power_of(self.spec, "rogue")
        self.gain(rogue["gains_morale"] if die is not None and die >= rogue["succeeds_from"] else 0)

    def count(self, name: str) -> None:
        """Counts one use of the power or Ritual `name` in this Skirmish, this Phase and this Battle."""
        for counter in (self.used, self.used_in_phase, self.used_in_skirmish):
            counter[name] += 1

    # Morale

    def lose(self, points: int) -> None:
        """Subtracts `points` of Morale, first from the Base's Morale (R-83, R-84)."""
        left = morale_lose(own=self.own, base=self.base, loss=points)
        self.own, self.base = left["own"], left["base"]

    def gain(self, points: int) -> None:
        """Adds `points` to the Commander's own Morale, which may exceed its starting value (R-85)."""
        self.own += points

    def save(self, pay: Currency, cause: Literal["skirmish", "rout"]) -> Pile:
        """Pays with `pay` for a Killed unit to be Disabled instead, and returns its new pile (R-92, R-93)."""
        after = save(
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
        pile: Pile = after["pile"]
        return pile

    @property
    def morale(self) -> int:
        """The sum of the Commander's own Morale and the Base's."""
        return self.own + self.base

    @property
    def routed(self) -> bool:
        """Returns whether the army has no Morale left (R-19)."""
        return is_routed(self.morale)

    def report(self, kills: int) -> dict[str, Any]:
        """Returns the state of the army: Morale, Favors and Influence left, cards by pile, and the cards not Killed."""
        return {
            "morale": standing(self.own, self.base),
            "routed": self.routed,
            "kills": kills,
            "favors": self.favors,
            "influence": self.influence,
            "piles": {pile: self.lying(pile) for pile in PILES},
            "returns": [key for key in self.cards if self.where[key] != "killed"],
        }


def at_risk(state: ArmyState) -> list[str]:
    """Returns the cards for which the victor rolls in a rout, in the list's order (R-88, R-89)."""
    return [key for key in state.cards if morale.is_at_risk(state.where[key], state.cards[key].type)]


def threatened(state: ArmyState, rolls: Sequence[int]) -> Answer:
    """Returns which cards of a routed army the victor's `rolls` kill, before any is saved (R-88, R-90)."""
    units = []
    for key in state.cards:
        unit = state.unit(key)
        shields = {"oathbound": unit.oathbound, "never_killed": unit.never_killed}
        units.append(morale.Fallen(id=key, pile=state.where[key], role=cast(Role, unit.role), **shields))
    return morale.rout(units=tuple(units), rolls=tuple(rolls), spec=state.spec)


def resolve_rout(state: ArmyState, victor: ArmyState, flight: Flight) -> None:
    """Resolves a rout: dice, protections and saves, then the dice of the victor's Rogue (R-88 to R-90)."""
    answer = threatened(state, flight.rolls)
    for key in answer["protected"]:
        state.put(key, "disabled")
    saves = {state.find(name, "disabled", "exhausted"): pay for name, pay in flight.saves.items()}
    refuse(not_killed=not set(saves) <= set(answer["killed"]))
    for key in answer["killed"]:
        state.put(key, state.save(saves[key], "rout") if key in saves else "killed")
    dead = [key for key in answer["killed"] if key not in saves]
    if victor.power == "rogue" and not victor.routed:
        refuse(wrong_dice_count=len(flight.rogue) != len(dead))
        for die in flight.rogue:
            victor.plunder(die)
