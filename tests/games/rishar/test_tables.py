"""Rishar: the tables of its rules, in full."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from itertools import product
from typing import Any, get_args

import pytest

from carddb.games.rishar.play import fields
from carddb.play.chance import text
from tests.games.rishar.samples import HERE, SPEC, ask
from tests.rows import every

UNIT_ROLES = ("aggressor", "guardian", "healer", "savant", "equipment")
ENDS = ("off_kill", "off_disable", "def_disable", "def_kill", "stalemate")
DICE = {
    "aggressor": ("21", "11", "21", "21", "20"),
    "guardian": ("11", "12", "11", "11", "10"),
    "healer": ("11", "12", "11", "11", "10"),
    "savant": ("11", "12", "11", "11", "10"),
    "equipment": ("01", "02", "01", "01", "00"),
}
CLASSES = {
    "guardian": ("tactician", "battlemage", "oathbound", "shapeshifter", "adept"),
    "healer": ("chirurgeon", "necromancer", "cleric", "animist", "mender"),
    "aggressor": ("master_of_arms", "evoker", "dervish", "scout", "mindblade"),
    "savant": ("rogue", "illusionist", "chaplain", "shaman", "etherealist"),
}
PATHS = ("steel", "magic", "faith", "nature", "mind")


PAIRINGS = [(off, against, dice) for off, row in DICE.items() for against, dice in zip(UNIT_ROLES, row, strict=True)]
"""Every pair of Roles with its dice."""


def rows(name: str) -> list[dict[str, str]]:
    with (HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@every("off, defender, dice", PAIRINGS)
def test_dice_by_roles(off: str, defender: str, dice: str) -> None:
    """R-98 to R-101, R-109, R-168: each pair of Roles has the dice of the table."""
    assert ask("dice", off_role=off, def_role=defender) == {"ok": True, "off": int(dice[0]), "def": int(dice[1])}


@every("row", rows("skirmish_odds.csv"))
def test_skirmish_odds(row: dict[str, str]) -> None:
    """R-168: the chances of each end by dice and difference of Strength, for every pair of Roles with those dice."""
    wanted = {end: text(Fraction(row[end])) for end in ENDS}
    difference = int(row["d"])
    off, defender = max(difference, 0) + 1, max(-difference, 0) + 1
    for attacker, against, dice in PAIRINGS:
        if dice == row["dice"]:
            found = ask("odds", off={"strength": off, "role": attacker}, def_={"strength": defender, "role": against})
            assert {end: found[end] for end in ENDS} == wanted and found["both_killed"] == "0/1"
            wins = Fraction(found["off_kill"]) + Fraction(found["off_disable"])
            assert abs(float(wins) * 100 - float(row["percent"])) <= 0.05 + 1e-9


@every("row", rows("unopposed_odds.csv"))
def test_unopposed_odds(row: dict[str, str]) -> None:
    """R-81, R-169: the chances of each amount of damage, by Strength or by a modifier that stands for it."""
    wanted = {points: text(Fraction(share)) for points, share in (part.split(":") for part in row["damage"].split(";"))}
    role = {"0": "equipment", "1": "guardian", "2": "aggressor"}[row["dice"]]
    strength = int(row["strength"])
    for base in {0, strength}:
        found = ask("unopposed_odds", strength=base, role=role, mod=strength - base)
        assert found == {"ok": True, "damage": wanted, "mean": text(Fraction(row["mean"]))}


@every("units", [0, 1, 2, 5, 12, 60, 500])
def test_rout_odds(units: int) -> None:
    """R-88, R-170: of n units k die with chance C(n,k) times 2^(n-k) / 3^n, n/3 on average."""
    found = ask("rout_odds", units=units)
    assert found["killed"] == {
        str(k): text(Fraction(math.comb(units, k) * 2 ** (units - k), 3**units)) for k in range(units + 1)
    }
    assert found["mean"] == text(Fraction(units, 3))


def test_classes() -> None:
    """R-40, R-123: the twenty classes by Role and Path."""
    for role, classes in CLASSES.items():
        for path, name in zip(PATHS, classes, strict=True):
            assert ask("class", path=path, role=role) == {"ok": True, "class": name}
    assert set(SPEC.data["powers"]["classes"]) == {name for row in CLASSES.values() for name in row}


POWERS: dict[str, tuple[list[str], dict[str, Any]]] = {
    "tactician": (["battle_start"], {}),
    "battlemage": (["on_discard"], {}),
    "oathbound": (["battle_start", "on_fate"], {}),
    "shapeshifter": (["on_reveal", "on_discard"], {"battle": 1}),
    "adept": (["on_reveal"], {}),
    "chirurgeon": (["army"], {}),
    "necromancer": (["phase_two_start"], {"battle": 1, "timing": "phase_two_start"}),
    "cleric": (["any"], {"day": 1}),
    "animist": (["ritual"], {}),
    "mender": (["before_battle"], {"battle": 1, "timing": "before_battle"}),
    "master_of_arms": (["on_reveal"], {}),
    "evoker": (["in_skirmish"], {"battle": 3, "skirmish": 1, "timing": "in_skirmish"}),
    "dervish": (["day_start"], {}),
    "scout": (["on_reveal"], {}),
    "mindblade": (["in_skirmish"], {}),
    "rogue": (["on_kill"], {}),
    "illusionist": (["in_skirmish"], {"battle": 2, "skirmish": 1, "timing": "in_skirmish"}),
    "chaplain": (["army"], {}),
    "shaman": (["on_reveal"], {}),
    "etherealist": (["in_skirmish"], {"battle": 1, "timing": "in_skirmish"}),
}


@every("name", POWERS)
def test_power_data(name: str) -> None:
    """R-126 to R-149, R-173: each class has the trigger and the limits of section 11a, a label and a text."""
    power = SPEC.data["powers"]["classes"][name]
    trigger, uses = POWERS[name]
    assert power["trigger"] == trigger and power.get("uses", {}) == uses
    assert power["label"] and power["text"].endswith(".") and (uses or power["limit"])
    found = ask("power_use", class_=name, timing=uses.get("timing", "any"), morale=1)
    assert found["ok"] is bool(uses) and found.get("reason") == (None if uses else "not_activated")


@pytest.mark.parametrize("name", POWERS)
def test_permanent_bonuses(name: str, subtests: pytest.Subtests) -> None:
    """R-124, R-125, section 11a: what each class adds to a unit by Role and trait, Unopposed and on Offense."""
    leader = {"class": name, "chosen": "rogue" if name == "tactician" else None}
    for role, trait in product(UNIT_ROLES, ("", "reach", "ranged", "undead", "elemental")):
        wanted = {
            "adept": role == "guardian",
            "necromancer": trait == "undead",
            "animist": role == "healer",
            "master_of_arms": role == "aggressor",
            "scout": trait == "ranged",
            "shaman": role == "savant" or trait == "elemental",
        }.get(name, False)
        unit = {"strength": 5, "role": role, "traits": [trait] if trait else []}
        with subtests.test(role=role, trait=trait):
            dice = [1, 1] if role == "aggressor" else []
            if role not in ("aggressor", "equipment"):
                dice = [1] * ask("unopposed", off=unit, rolls=[1])["dice"]
            bare = ask("unopposed", off=unit, rolls=dice)["total"]
            assert ask("unopposed", off=unit, rolls=dice, off_commander=leader)["total"] - bare == int(wanted)


@every("other", [[], ["reach"], ["ranged"], ["undead"], ["elemental"], ["reach", "ranged"], ["flying"]])
def test_reach_against_each_trait(other: list[str]) -> None:
    """R-26, R-27, R-29: Reach adds 1 but against Reach and Ranged, on either side."""
    reach, foe = (
        {"strength": 4, "role": "healer", "traits": ["reach"]},
        {"strength": 1, "role": "healer", "traits": other},
    )
    adds = int(not {"reach", "ranged"} & set(other))
    rolls = {"off": [1], "def": [1]}
    assert ask("skirmish", off=reach, def_=foe, rolls=rolls)["totals"] == {"off": 5 + adds, "def": 2}
    assert ask("skirmish", off=foe, def_=reach, rolls=rolls)["totals"] == {"off": 2, "def": 5 + adds}


@every("oathbound, never_killed", list(product((False, True), repeat=2)))
@every("margin, threat", [(3, "killed"), (2, "disabled")])
def test_protections(oathbound: bool, never_killed: bool, margin: int, threat: str) -> None:
    """R-128, R-129, R-132: what becomes of a loser by its protections."""
    wanted = threat
    if oathbound:
        wanted = "disabled" if threat == "killed" else "exhausted"
    elif never_killed:
        wanted = "disabled"
    unit = {"strength": 1, "role": "healer", "oathbound": oathbound, "never_killed": never_killed}
    found = ask("skirmish", off=unit, def_={"strength": 1 + margin, "role": "healer"}, rolls={"off": [3], "def": [3]})
    assert found["fate"] == {"off": wanted, "def": "exhausted"}


def test_words_are_those_of_the_tables() -> None:
    """R-21, R-22, R-40, R-123: the words that questions accept are those of the game's tables."""
    path, kind = (get_args(get_args(words)[0]) for words in (fields.Path, fields.Kind))
    assert set(path) == set(SPEC.data["paths"]) == set(SPEC.fields["path"].of)
    assert set(fields.UNIT_ROLES) == set(SPEC.data["dice"]) and {*UNIT_ROLES, "ritual"} == set(SPEC.types)
    assert set(get_args(fields.ClassName)) == set(SPEC.data["powers"]["classes"])
    assert set(kind) == set(SPEC.data["saves"])
