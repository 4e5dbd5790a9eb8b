"""Exact chances of a Skirmish, of an Unopposed attack and of a rout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import comb
from typing import Annotated, NamedTuple

from pydantic import Field

from carddb.cards.cards import Pool
from carddb.core.names import nearest
from carddb.core.plain_text import amount
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.skirmish import (
    NOBODY,
    Fighter,
    decide,
    fate,
    fighter,
    fighter_of,
    kills,
    may_stand,
    morale_damage,
)
from carddb.games.rishar.play.cards import specials
from carddb.games.rishar.play.fields import SIDES, Side, Unit, UnitRole, dice_of, modifier, opposing, unit_of
from carddb.play import chance
from carddb.play.question import Answer, Count, Part, Refusal, chances, operation

AtRisk = Annotated[int, Field(ge=0, le=500)]
OUTCOMES = ("off_kill", "off_disable", "def_disable", "def_kill", "stalemate", "both_killed")


class Duelist(Part):
    """A card in a question about the chances of a Skirmish."""

    strength: Count
    role: UnitRole
    trained: bool = False


@operation()
def odds(off: Duelist, def_: Duelist, off_mod: int = 0, def_mod: int = 0, *, spec: GameSpec) -> Answer:
    """The chance of each outcome of a Skirmish."""
    cards: dict[Side, Duelist] = {"off": off, "def": def_}
    added: dict[Side, int] = {"off": off_mod, "def": def_mod}
    fighters = {}
    for side, card in cards.items():
        dice = dice_of(spec, side, card.role, cards[opposing(side)].role)
        fighters[side] = fighter(spec, card.strength, card.trained, card.role, dice, added[side])
    return {outcome: chance.text(share) for outcome, share in clash_chances(spec, fighters).items()}


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

    def outcome(best: tuple[int, int]) -> str:
        totals = {side: fighters[side].before_dice + die for side, die in zip(SIDES, best, strict=True)}
        winner, _ = decide(totals, fighters)
        end = "kill" if kills(spec, totals, rerolled) else "disable"
        return f"{winner}_{end}" if winner else "stalemate"

    return chance.mapped(chance.both(*(chance.best_of(fighters[side].dice) for side in SIDES)), outcome)


@operation()
def unopposed_odds(strength: Count, role: UnitRole, mod: int = 0, *, spec: GameSpec) -> Answer:
    """The chance of each amount of Morale that an Unopposed attack costs."""
    return _distribution("damage", damage_chances(spec, strength + mod, dice_of(spec, "off", role, None)))


def damage_chances(spec: GameSpec, before_dice: int, dice: int) -> dict[int, Fraction]:
    """Returns the chance of each loss of Morale, `{points: chance}`; `before_dice` is the total without dice."""
    return chance.mapped(chance.best_of(dice), lambda best: morale_damage(spec, before_dice + best))


@operation()
def rout_odds(units: AtRisk, *, spec: GameSpec) -> Answer:
    """The chance of each number of Killed units among the units at risk in a rout."""
    return _distribution("killed", rout_chances(spec, units))


def rout_chances(spec: GameSpec, units: int) -> dict[int, Fraction]:
    """Returns the chance of each number of Killed units among `units` at risk in a rout, `{number: chance}`."""
    dies = chance.at_least(chance.best_of(1), spec.data["rout_kills_from"])
    return {dead: comb(units, dead) * dies**dead * (1 - dies) ** (units - dead) for dead in range(units + 1)}


def _distribution(name: str, chances: Mapping[int, Fraction]) -> dict[str, object]:
    """Returns, for an answer, the chance of each number under the key `name`, and the `mean`."""
    by_number = {str(number): chance.text(share) for number, share in sorted(chances.items())}
    return {name: by_number, "mean": chance.text(chance.mean(chances))}


LEADERS = dict.fromkeys(SIDES, NOBODY)


@chances()
def skirmish(off: str, def_: str, off_mod: int = 0, def_mod: int = 0, *, pool: Pool, spec: GameSpec) -> Answer:
    """The chances in a Skirmish of two cards; a card is a name, or Strength, Role and traits: "3 aggressor reach"."""
    cards: dict[Side, _Fighting] = {"off": card_named(spec, pool, off), "def": card_named(spec, pool, def_)}
    names = {side: card.name for side, card in cards.items()}
    title = " against ".join(names.values())
    if names["off"] == names["def"]:
        names = {"off": f"{names['off']} on Offense", "def": f"{names['def']} on Defense"}
    units: dict[Side, Unit] = {side: cards[side].unit for side in SIDES}
    modifiers = [modifier("off", off_mod), modifier("def", def_mod)]
    fighters = {side: fighter_of(spec, side, units, LEADERS, modifiers) for side in SIDES}
    chances = shielded(units, fighters, clash_chances(spec, fighters))
    return {
        "title": title,
        "bars": bars(names, chances),
        "notes": [note for side in SIDES for note in _notes(names[side], fighters[side], cards[side].texts, side)],
        **{outcome: chance.text(share) for outcome, share in chances.items()},
    }


@chances()
def unopposed(off: str, off_mod: int = 0, *, pool: Pool, spec: GameSpec) -> Answer:
    """The chance of each loss of Morale that an Unopposed card may cause; a card is given as for `odds skirmish`."""
    name, unit, texts = card_named(spec, pool, off)
    attacker = fighter_of(spec, "off", {"off": unit}, LEADERS, [modifier("off", off_mod)])
    damage = {0: Fraction(1)} if unit.no_damage else damage_chances(spec, attacker.before_dice, attacker.dice)
    return {
        "title": f"{name} Unopposed",
        "bars": [chance.bar(f"{points} Morale", share) for points, share in sorted(damage.items())],
        "notes": _notes(name, attacker, texts, "off"),
        "mean": chance.text(chance.mean(damage)),
    }


@chances()
def rout(units: AtRisk, *, spec: GameSpec) -> Answer:
    """The chance of each number of Killed units in a rout."""
    dead = rout_chances(spec, units)
    return {
        "title": f"A rout with {amount(units, 'unit')} at risk",
        "bars": [chance.bar(f"{number} Killed", share) for number, share in dead.items()],
        "notes": [],
        "mean": chance.text(chance.mean(dead)),
    }


class _Fighting(NamedTuple):
    """A card in the question: its name, its unit, and its texts that may count while it is engaged."""

    name: str
    unit: Unit
    texts: list[str]


def card_named(spec: GameSpec, pool: Pool, text: str) -> _Fighting:
    """Returns the card called `text`, else a unit as `text` describes it. Refuses with `card_unknown` if neither."""
    card = next((card for card in (pool.get(text), *pool.named(text), *pool.folded(text)) if card), None)
    unit = unit_of(card) if card else _parsed(spec, text)
    if unit is None:
        raise Refusal("card_unknown", word=text, nearest=nearest(text, pool.names()))
    may_stand(spec, unit, NOBODY)
    texts = [f"{item.get('name')}: {item.get('text')}" for item in (specials(card) if card else ())]
    return _Fighting(
        card.name if card else text.strip(), unit, [text for text in texts if "discard" not in text.lower()]
    )


def _parsed(spec: GameSpec, text: str) -> Unit | None:
    """Returns a unit from a text with Strength, Role and traits; None if `text` has another form."""
    words = text.lower().split()
    numbers = [word for word in words if re.fullmatch("[0-9]{1,4}", word)]
    roles = [word for word in words if word in spec.types]
    traits = [word for word in words if word in spec.data["traits"]]
    if len(numbers) != 1 or len(roles) != 1 or len(words) != len(traits) + 2:
        return None
    return Unit(strength=int(numbers[0]), role=roles[0], traits=tuple(traits))


def shielded(
    units: Mapping[Side, Unit], fighters: Mapping[Side, Fighter], chances: Mapping[str, Fraction]
) -> dict[str, Fraction]:
    """Returns the chances adjusted for protections: cards that do no damage, and units that are never Killed."""
    if any(unit.no_damage for unit in units.values()) and not any(fighter.doomed for fighter in fighters.values()):
        return {**dict.fromkeys(chances, Fraction(0)), "stalemate": Fraction(1)}
    shielded = dict(chances)
    for side in SIDES:
        if fate(units[opposing(side)], "killed") == "disabled":
            shielded[f"{side}_disable"] += shielded[f"{side}_kill"]
            shielded[f"{side}_kill"] = Fraction(0)
    return shielded


def bars(names: Mapping[Side, str], chances: Mapping[str, Fraction]) -> list[dict[str, str]]:
    """Returns the chances of a Skirmish's outcomes as bars; outcomes without a winner are left out if impossible."""
    labels = {
        "off_kill": f"{names['def']} Killed",
        "off_disable": f"{names['def']} Disabled",
        "def_disable": f"{names['off']} Disabled",
        "def_kill": f"{names['off']} Killed",
        "stalemate": "nobody wins",
        "both_killed": "both beaten at once",
    }
    seldom = ("stalemate", "both_killed")
    return [chance.bar(label, chances[end]) for end, label in labels.items() if chances[end] or end not in seldom]


def _notes(name: str, fighter: Fighter, texts: Iterable[str], side: Side) -> list[str]:
    """Returns a side's Strength and dice in words, and its card's texts that are not counted in the chances."""
    dice = {0: "no die", 1: "one die", 2: "the better of two dice"}[fighter.dice]
    uncounted = [f"{name}: “{text}” is not counted; if it applies, add it with --{side}-mod" for text in texts]
    return [f"{name}: {fighter.before_dice} and {dice}", *uncounted]
