"""A Skirmish, from the reveal of two cards to the piles to which they go, and an Unopposed attack."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from carddb.game.game import GameSpec
from carddb.games.rishar.play.fields import (
    SIDES,
    Leader,
    Modifier,
    Rolls,
    Side,
    Unit,
    dice_of,
    grown,
    is_unit,
    opposing,
)
from carddb.games.rishar.play.powers import badly_chosen, may_become, permanent_bonus, traits_in_play
from carddb.play import chance
from carddb.play.question import Answer, BadInput, Many, Refusal, operation, refuse


@dataclass(frozen=True, slots=True)
class Fighter:
    """One side of a clash before the dice.

    `before_dice` is its total without the dice, `base` the Strength that decides between equal totals, `doomed` whether
    it is Equipment that is Killed regardless of the dice.
    """

    dice: int
    before_dice: int
    base: int
    doomed: bool = False


def fighter(spec: GameSpec, strength: int, trained: bool, role: str, dice: int, bonus: int = 0) -> Fighter:
    """Returns a fighter for a card of `strength`; `bonus` is the sum of its bonuses (R-64, R-68, R-110, R-111)."""
    full = grown(spec, strength, trained)
    base = full if spec.readings["tie_base"] == "trained" else strength
    return Fighter(dice, full + bonus, base, role == "equipment" and full == 0)


def fighter_of(
    spec: GameSpec,
    side: Side,
    units: Mapping[Side, Unit],
    leaders: Mapping[Side, Leader],
    modifiers: Iterable[Modifier] = (),
) -> Fighter:
    """Returns the fighter of `side` with all its bonuses; the attack is Unopposed if `units` lacks the other side."""
    unit, other = units[side], opposing(side)
    against = units.get(other)
    role = unit.current_role
    bonus = permanent_bonus(spec, side, unit, leaders[side], against)
    if against:
        bonus += reach_bonus(spec, unit, traits_in_play(spec, other, against, leaders[other]))
    own = [modifier for modifier in modifiers if modifier.to == side]
    bonus += sum(modifier.add for modifier in own)
    if role == "savant":
        # A Savant gains more from the bonuses of other cards (R-105 to R-107).
        helped = sum(modifier.add > 0 and modifier.from_ == "card" for modifier in own)
        bonus += int(spec.data["savant_adds"]) * (min(helped, 1) if spec.readings["savant_stack"] == "once" else helped)
    dice = dice_of(spec, side, role, against.current_role if against else None)
    return fighter(spec, unit.strength or 0, unit.trained, role, dice, bonus)


def reach_bonus(spec: GameSpec, unit: Unit, against: set[str]) -> int:
    """Returns the Strength that Reach adds; 0 if the other card's traits, `against`, cancel it (R-27, R-28)."""
    reach = spec.data["traits"]["reach"]
    return int(reach["adds"]) if "reach" in unit.traits and not against & set(reach["cancelled_by"]) else 0


def _ahead(numbers: Mapping[Side, int]) -> Side | None:
    """Returns the side with the greater number; None if both are equal."""
    return None if numbers["off"] == numbers["def"] else "off" if numbers["off"] > numbers["def"] else "def"


def decide(totals: Mapping[Side, int], fighters: Mapping[Side, Fighter]) -> tuple[Side | None, str]:
    """Returns the winner, None if all is equal, and what decided: `total`, else `base_strength` (R-66, R-67)."""
    if winner := _ahead(totals):
        return winner, "total"
    return _ahead({side: fighter.base for side, fighter in fighters.items()}), "base_strength"


def kills(spec: GameSpec, totals: Mapping[Side, int], rerolled: bool) -> bool:
    """Returns whether the loser is Killed, because the totals are far enough apart (R-70).

    After a re-roll, the option `reroll_margin` decides whether the difference still kills (R-74).
    """
    apart = abs(totals["off"] - totals["def"]) >= spec.data["kill_margin"]
    return apart and not (rerolled and spec.readings["reroll_margin"] == "no_kill")


def fate(unit: Unit, threatened: str) -> str:
    """Returns the pile to which a unit goes if its fate without protections is `threatened` (R-128, R-129, R-132)."""
    if threatened == "killed":
        return "disabled" if unit.oathbound or unit.never_killed else "killed"
    return "exhausted" if unit.oathbound and threatened == "disabled" else threatened


NOBODY = Leader()


class AttackModifier(Modifier):
    """A bonus or penalty of a card that attacks Unopposed."""

    to: Side = "off"


@operation()
def skirmish(
    off: Unit,
    def_: Unit,
    rolls: Rolls | None = None,
    rerolls: Many[Rolls] = (),
    mods: Many[Modifier] = (),
    off_commander: Leader | None = None,
    def_commander: Leader | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Resolves a Skirmish: the winner, the reason, and the piles to which both cards go."""
    units: dict[Side, Unit] = {"off": off, "def": def_}
    leaders: dict[Side, Leader] = {"off": off_commander or NOBODY, "def": def_commander or NOBODY}
    for side in SIDES:
        unit, leader = units[side], leaders[side]
        refuse(
            tactician_choice=badly_chosen(spec, leader.class_, leader.chosen),
            unknown_role=not {unit.role, unit.current_role} <= set(spec.types),
        )
        may_stand(spec, unit, leader)
    fighters = {side: fighter_of(spec, side, units, leaders, mods) for side in SIDES}
    answer = {"dice": {side: fighters[side].dice for side in SIDES}}
    if any(fighter.doomed for fighter in fighters.values()):
        return {**answer, **_killed_at_once(units, fighters)}
    if rolls is None and any(fighter.dice for fighter in fighters.values()):
        raise BadInput("rolls")
    rolls = rolls or Rolls()
    if off.no_damage or def_.no_damage:
        return {**answer, **_undecided(_totals(fighters, rolls), "no_damage")}
    return {**answer, **_fought(spec, units, fighters, [rolls, *rerolls])}


def may_stand(spec: GameSpec, unit: Unit, leader: Leader) -> None:
    """Refuses a card that may not be played on Offense or Defense, or not in the Role it takes (R-24, R-62, R-114)."""
    refuse(
        ritual_in_skirmish=not is_unit(unit.role),
        no_strength=unit.strength is None,
        role_change_not_allowed=not may_become(spec, unit, leader),
    )


def _killed_at_once(units: Mapping[Side, Unit], fighters: Mapping[Side, Fighter]) -> Answer:
    """Returns the outcome for Equipment Killed without dice; a card without damage does not win (R-110, R-111)."""
    doomed = [side for side in SIDES if fighters[side].doomed]
    victor = opposing(doomed[0]) if len(doomed) == 1 else None
    return {
        "totals": None,
        "winner": None if victor and units[victor].no_damage else victor,
        "by": "auto_kill",
        "fate": {side: fate(units[side], "killed") if side in doomed else "exhausted" for side in SIDES},
    }


def _fought(
    spec: GameSpec, units: Mapping[Side, Unit], fighters: Mapping[Side, Fighter], throws: list[Rolls]
) -> Answer:
    """Returns the outcome of the first of `throws` that decides, else refuses with `reroll_needed` (R-66 to R-73)."""
    for throw in throws:
        totals = _totals(fighters, throw)
        winner, by = decide(totals, fighters)
        if winner or not any(fighter.dice for fighter in fighters.values()):
            break
    else:
        raise Refusal("reroll_needed")
    rerolled = throw is not throws[0]
    if winner is None:
        return _undecided(totals, "stalemate")
    loser = opposing(winner)
    threatened = "killed" if kills(spec, totals, rerolled) else "disabled"
    return {
        "totals": totals,
        "winner": winner,
        "by": "reroll" if rerolled else by,
        "fate": {winner: "exhausted", loser: fate(units[loser], threatened)},
    }


def _totals(fighters: Mapping[Side, Fighter], rolls: Rolls) -> dict[Side, int]:
    thrown: dict[Side, tuple[int, ...]] = {"off": rolls.off, "def": rolls.def_}
    _check_dice({side: fighters[side].dice for side in SIDES}, thrown)
    return {side: fighters[side].before_dice + max(thrown[side], default=0) for side in SIDES}


def _check_dice(dice: Mapping[Side, int], thrown: Mapping[Side, tuple[int, ...]]) -> None:
    refuse(
        wrong_dice_count=any(len(thrown[side]) != number for side, number in dice.items()),
        die_out_of_range=any(die not in chance.SIDES for side in dice for die in thrown[side]),
    )


def _undecided(totals: Mapping[Side, int], by: str) -> Answer:
    return {"totals": totals, "winner": None, "by": by, "fate": dict.fromkeys(SIDES, "exhausted")}


@operation()
def unopposed(
    off: Unit, rolls: Many[int], mods: Many[AttackModifier] = (), off_commander: Leader | None = None, *, spec: GameSpec
) -> Answer:
    """The Morale that an Unopposed attack costs the defender, and the pile to which the attacker goes."""
    leader = off_commander or NOBODY
    if off.role not in spec.types:
        raise BadInput("off.role")
    if badly_chosen(spec, leader.class_, leader.chosen):
        raise BadInput("off_commander.chosen")
    for at, modifier in enumerate(mods):
        if modifier.to != "off":
            raise BadInput(f"mods.{at}.to")
    may_stand(spec, off, leader)
    attacker = fighter_of(spec, "off", {"off": off}, {"off": leader}, mods)
    _check_dice({"off": attacker.dice}, {"off": rolls})
    total = attacker.before_dice + max(rolls, default=0)
    return {
        "dice": attacker.dice,
        "total": total,
        "damage": 0 if off.no_damage else morale_damage(spec, total),
        "pile": spec.readings["unopposed_card"],
    }


def morale_damage(spec: GameSpec, total: int) -> int:
    """Returns the Morale that an Unopposed attack costs: 1 for each full four points of `total` (R-81)."""
    return max(0, total // int(spec.data["morale"]["unopposed"]))
