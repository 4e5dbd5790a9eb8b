"""Exact chances of a Skirmish, of an Unopposed attack and of a rout."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import Annotated

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.rishar.battle.skirmish import Fighter, decide, fighter, kills, morale_damage
from carddb.games.rishar.play.fields import SIDES, Side, UnitRole, dice_of
from carddb.play import chance
from carddb.play.question import Answer, Count, Part, operation

AtRisk = Annotated[int, Field(ge=0, le=500)]
OUTCOMES = ("off_kill", "off_disable", "def_disable", "def_kill", "stalemate", "both_killed")


class Duelist(Part):
    """A card in a question about the chances of a Skirmish."""

    strength: Count
    role: UnitRole
    trained: bool = False


@operation("R-70", "R-110", "R-111", "R-168", "R-171")
def odds(off: Duelist, def_: Duelist, off_mod: int = 0, def_mod: int = 0, *, spec: GameSpec) -> Answer:
    """The chance of each outcome of a Skirmish."""
    fighters: dict[Side, Fighter] = {
        "off": _duelist(spec, "off", off, def_, off_mod),
        "def": _duelist(spec, "def", def_, off, def_mod),
    }
    return {outcome: chance.text(share) for outcome, share in clash_chances(spec, fighters).items()}


def _duelist(spec: GameSpec, side: Side, card: Duelist, against: Duelist, modifier: int) -> Fighter:
    dice = dice_of(spec, side, card.role, against.role)
    return fighter(spec, card.strength, card.trained, card.role, dice, modifier)


def clash_chances(spec: GameSpec, fighters: Mapping[Side, Fighter]) -> dict[str, Fraction]:
    """Returns the chance of each of the OUTCOMES. Equal totals of equal cards are re-rolled until they differ."""
    chances = dict.fromkeys(OUTCOMES, Fraction(0))
    doomed = [side for side in SIDES if fighters[side].doomed]
    if doomed:
        chances["both_killed" if len(doomed) == 2 else "def_kill" if doomed == ["off"] else "off_kill"] += 1
        return chances
    chances |= _thrown(spec, fighters, rerolled=False)
    tied = chances["stalemate"]
    if tied and any(fighter.dice for fighter in fighters.values()):
        again = _thrown(spec, fighters, rerolled=True)
        decided = 1 - again.pop("stalemate")
        chances |= {outcome: chances[outcome] + tied * share / decided for outcome, share in again.items()}
        chances["stalemate"] -= tied
    return chances


def _thrown(spec: GameSpec, fighters: Mapping[Side, Fighter], *, rerolled: bool) -> dict[str, Fraction]:
    """Returns the chance of each outcome of one throw of all dice; equal cards with equal totals are a stalemate."""
    chances: dict[str, Fraction] = defaultdict(Fraction)
    dice = chance.both(*(chance.best_of(fighters[side].dice) for side in SIDES))
    for best, share in dice.items():
        totals = {side: fighters[side].before_dice + die for side, die in zip(SIDES, best, strict=True)}
        winner, _ = decide(totals, fighters)
        end = "kill" if kills(spec, totals, rerolled) else "disable"
        chances[f"{winner}_{end}" if winner else "stalemate"] += share
    return chances


@operation("R-80", "R-81", "R-82", "R-169")
def unopposed_odds(strength: Count, role: UnitRole, mod: int = 0, *, spec: GameSpec) -> Answer:
    """The chance of each amount of Morale that an Unopposed attack costs."""
    return _distribution("damage", damage_chances(spec, strength + mod, dice_of(spec, "off", role, None)))


def damage_chances(spec: GameSpec, before_dice: int, dice: int) -> dict[int, Fraction]:
    """Returns the chance of each amount of Morale damage, `{points: chance}`."""
    return chance.mapped(chance.best_of(dice), lambda best: morale_damage(spec, before_dice + best))


@operation("R-88", "R-170")
def rout_odds(units: AtRisk, *, spec: GameSpec) -> Answer:
    """The chance of each number of dead among the units at risk in a rout."""
    return _distribution("killed", rout_chances(spec, units))


def rout_chances(spec: GameSpec, units: int) -> dict[int, Fraction]:
    """Returns the chance of each number of Killed units in a rout, `{number: chance}`."""
    dies = chance.at_least(chance.best_of(1), spec.data["rout_kills_from"])
    return {dead: comb(units, dead) * dies**dead * (1 - dies) ** (units - dead) for dead in range(units + 1)}


def _distribution(name: str, chances: Mapping[int, Fraction]) -> dict[str, object]:
    """Returns the chance of each number under the key `name`, and the mean."""
    by_number = {str(number): chance.text(share) for number, share in sorted(chances.items())}
    return {name: by_number, "mean": chance.text(chance.mean(chances))}
