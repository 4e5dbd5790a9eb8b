"""How two cards compare after the dice: who wins, by what, and what becomes of the loser."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from carddb.game.game import GameSpec
from carddb.games.rishar.play.fields import Leader, Modifier, Side, Unit, opposing
from carddb.games.rishar.play.powers import permanent_bonus, traits_in_play
from carddb.games.rishar.play.units import dice_of, grown
from carddb.play.question import Options


@dataclass(frozen=True, slots=True)
class Fighter:
    """One side of a clash before the dice.

    `before_dice` is its total without them, `base` the Strength that decides equal totals, `doomed` an Equipment that
    is Killed whatever is rolled.
    """

    dice: int
    before_dice: int
    base: int
    doomed: bool = False


def fighter(
    spec: GameSpec,
    options: Options,
    strength: int,
    trained: bool,
    role: str,
    dice: int,
    bonus: int = 0,
) -> Fighter:
    """A card of some Strength with all its bonuses (R-64, R-68, R-110, R-111)."""
    full = grown(spec, strength, trained)
    base = full if options["tie_base"] == "trained" else strength
    return Fighter(dice, full + bonus, base, role == "equipment" and full == 0)


def fighter_of(
    spec: GameSpec,
    options: Options,
    side: Side,
    units: Mapping[Side, Unit],
    leaders: Mapping[Side, Leader],
    modifiers: Iterable[Modifier] = (),
) -> Fighter:
    """A unit on the table with everything that counts for it; Unopposed where there is no other unit."""
    unit, other = units[side], opposing(side)
    against = units.get(other)
    role = unit.current_role
    bonus = permanent_bonus(spec, side, unit, leaders[side], against)
    if against:
        bonus += reach_bonus(spec, unit, traits_in_play(spec, other, against, leaders[other]))
    bonus += _modified(spec, options, role, [modifier for modifier in modifiers if modifier.to == side])
    dice = dice_of(spec, side, role, against.current_role if against else None)
    return fighter(spec, options, unit.strength or 0, unit.trained, role, dice, bonus)


def reach_bonus(spec: GameSpec, unit: Unit, against: set[str]) -> int:
    """What Reach adds: only against a card, and one with neither Reach nor Ranged (R-27, R-28)."""
    reach = spec.data["traits"]["reach"]
    return int(reach["adds"]) if "reach" in unit.traits and not against & set(reach["cancelled_by"]) else 0


def _modified(spec: GameSpec, options: Options, role: str, modifiers: list[Modifier]) -> int:
    """The sum of the modifiers, and what a Savant gains from bonuses of other cards (R-105 to R-107)."""
    helped = sum(modifier.add > 0 and modifier.from_ == "card" for modifier in modifiers)
    if options["savant_stack"] == "once":
        helped = min(helped, 1)
    more = helped * int(spec.data["savant_adds"]) if role == "savant" else 0
    return sum(modifier.add for modifier in modifiers) + more


def _ahead(numbers: Mapping[Side, int]) -> Side | None:
    """The side with the greater number."""
    return None if numbers["off"] == numbers["def"] else "off" if numbers["off"] > numbers["def"] else "def"


def decide(totals: Mapping[Side, int], fighters: Mapping[Side, Fighter]) -> tuple[Side | None, str]:
    """Who wins and by what: the higher total, else the higher base; nobody yet where both are equal (R-66, R-67)."""
    if winner := _ahead(totals):
        return winner, "total"
    return _ahead({side: fighter.base for side, fighter in fighters.items()}), "base_strength"


def kills(spec: GameSpec, options: Options, totals: Mapping[Side, int], rerolled: bool) -> bool:
    """Whether the loser is Killed: by totals far enough apart, after a re-roll as the house has it (R-70, R-74)."""
    apart = abs(totals["off"] - totals["def"]) >= spec.data["kill_margin"]
    return apart and not (rerolled and options["reroll_margin"] == "no_kill")


def fate(unit: Unit, threatened: str) -> str:
    """What becomes of a unit that would be Killed or Disabled, its protections considered (R-128, R-129, R-132)."""
    if threatened == "killed":
        return "disabled" if unit.oathbound or unit.never_killed else "killed"
    return "exhausted" if unit.oathbound and threatened == "disabled" else threatened
