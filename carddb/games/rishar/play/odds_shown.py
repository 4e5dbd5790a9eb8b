"""The odds as people see them: a Skirmish between cards given by name, an Unopposed attack, a rout."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import NamedTuple

from carddb.cards.cards import Pool
from carddb.core.names import nearest
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.skirmish import NOBODY, Fighter, fate, fighter_of, may_stand
from carddb.games.rishar.play.cards import specials
from carddb.games.rishar.play.fields import SIDES, Modifier, Side, Unit, opposing, unit_of
from carddb.games.rishar.play.odds import AtRisk, clash_chances, damage_chances, rout_chances
from carddb.play import chance
from carddb.play.question import Answer, Refusal, operation

LEADERS = dict.fromkeys(SIDES, NOBODY)


@operation("R-168", "R-181")
def skirmish(off: str, def_: str, off_mod: int = 0, def_mod: int = 0, *, pool: Pool, spec: GameSpec) -> Answer:
    """The chances in a Skirmish of two cards; a card is a name, or Strength, Role and traits: "3 aggressor reach"."""
    cards: dict[Side, _Fighting] = {"off": card_named(spec, pool, off), "def": card_named(spec, pool, def_)}
    off_name, def_name = cards["off"].name, cards["def"].name
    names: dict[Side, str] = {"off": off_name, "def": def_name}
    if off_name == def_name:
        names = {"off": f"{off_name} on Offense", "def": f"{def_name} on Defense"}
    units: dict[Side, Unit] = {side: cards[side].unit for side in SIDES}
    modifiers = [_modifier("off", off_mod), _modifier("def", def_mod)]
    fighters = {side: fighter_of(spec, side, units, LEADERS, modifiers) for side in SIDES}
    chances = shielded(units, fighters, clash_chances(spec, fighters))
    return {
        "title": f"{off_name} against {def_name}",
        "bars": bars(names, chances),
        "notes": [note for side in SIDES for note in _notes(names[side], fighters[side], cards[side].texts, side)],
        **{outcome: chance.text(share) for outcome, share in chances.items()},
    }


@operation("R-169", "R-181")
def unopposed(off: str, off_mod: int = 0, *, pool: Pool, spec: GameSpec) -> Answer:
    """The Morale that an Unopposed card costs the defender."""
    name, unit, texts = card_named(spec, pool, off)
    attacker = fighter_of(spec, "off", {"off": unit}, LEADERS, [_modifier("off", off_mod)])
    damage = {0: Fraction(1)} if unit.no_damage else damage_chances(spec, attacker.before_dice, attacker.dice)
    return {
        "title": f"{name} Unopposed",
        "bars": [chance.bar(f"{points} Morale", share) for points, share in sorted(damage.items())],
        "notes": _notes(name, attacker, texts, "off"),
        "mean": chance.text(chance.mean(damage)),
    }


@operation("R-170", "R-181")
def rout(units: AtRisk, *, spec: GameSpec) -> Answer:
    """Number of units of a routed army that die."""
    dead = rout_chances(spec, units)
    return {
        "title": f"A rout with {units} units at risk",
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
    """Returns the card with the reference or name `text`, else a unit from Strength, Role and traits in `text`.

    Refuses `card_unknown` if `text` is neither.
    """
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


def _modifier(side: Side, add: int) -> Modifier:
    return Modifier.model_validate({"to": side, "add": add, "from": "commander"})


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
    """Returns the outcomes of a Skirmish with their chances, as bars; rare outcomes are left out if impossible."""
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
    uncounted = [f"{name}: “{text}” is not counted; where it works, --{side}-mod adds it" for text in texts]
    return [f"{name}: {fighter.before_dice} and {dice}", *uncounted]
