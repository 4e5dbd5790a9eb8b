"""An attack: who may attack, which units are killed, and its effect on Cultural Health."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Strict

from carddb.game.game import GameSpec
from carddb.games.empires_and_generals.play.turn import CardType, Phase, Zone
from carddb.play.question import Answer, BadInput, Count, Part, Positive, Words, operation, refuse

Event = Annotated[Literal["none", "defender_withdrawn", "attacker_withdrawn"], Words("events")]


class Unit(Part):
    """A unit, with strength to attack and life to defend (E-102)."""

    strength: Count
    life: Positive


Force = Unit | Annotated[tuple[Unit, ...], Strict(False), Field(min_length=1)]
"""The attacker or the blocker: one unit, or the units of a group (E-95)."""


class Stage(Part):
    """An attack on one zone; the units may be missing if they are not compared."""

    blocker: bool
    event: Event = "none"
    attacker: Force | None = None
    defender: Force | None = None


@operation("E-92", "E-95", "E-97")
def declare_attack(
    phase: Phase,
    type: CardType,
    zone: Zone,
    generals: Count,
    generals_in_battlefield: Count | None = None,
    attacks_made: Count = 0,
    blocker_chooser: Literal["defender", "attacker"] = "defender",
    chooser_effect: bool = False,
    *,
    spec: GameSpec,
) -> Answer:
    """Declares the one attack of a turn, which requires a general in play and a unit in the Battlefield."""
    near = generals if generals_in_battlefield is None else generals_in_battlefield
    refuse(
        wrong_phase=phase != "attack",
        attack_already_made=attacks_made > 0,
        no_general=not generals or (spec.readings["general_must_be_in_battlefield"] and not near),
        not_a_unit=type not in spec.data["units"],
        attacker_not_in_battlefield=zone
        not in ("battlefield", *(("warcamp",) if spec.readings["attack_from_warcamp"] else ())),
        defender_chooses_blocker=blocker_chooser == "attacker" and not chooser_effect,
    )
    return {"attacks_made": attacks_made + 1}


@operation("E-95", "E-102", "E-103", "E-106", "E-107")
def compare(attacker: Force, defender: Force, *, spec: GameSpec) -> Answer:
    """Compares two units that strike at once; the defender wins a tie. Refuses `group_not_stated`."""
    kills = _kills(_as_one(attacker, spec), _as_one(defender, spec), spec)
    return dict(zip(("attacker_kills", "defender_kills"), kills, strict=True))


def _as_one(force: Force, spec: GameSpec) -> Unit:
    """Returns a group as one unit: all Strength, the least Life (E-95). Refuses `group_not_stated` by option."""
    if isinstance(force, Unit):
        return force
    refuse(group_not_stated=len(force) > 1 and spec.readings["group_attack"] == "not_stated")
    return Unit(strength=sum(unit.strength for unit in force), life=min(unit.life for unit in force))


def _kills(attacker: Unit, defender: Unit, spec: GameSpec) -> tuple[bool, bool]:
    holds = spec.readings["tie_rule"] == "life_holds"
    struck_back = defender.strength > attacker.life if holds else defender.strength >= attacker.life
    return attacker.strength > defender.life, struck_back


@operation("E-95", *(f"E-{number}" for number in range(106, 126)))
def resolve_attack(
    target: Literal["warcamp", "battlefield"],
    blocker: bool,
    event: Event = "none",
    attacker: Force | None = None,
    defender: Force | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Resolves an attack on a zone, with one of fourteen outcomes; `members` names the discarded cards of a group."""
    stage = Stage(blocker=blocker, event=event, attacker=attacker, defender=defender)
    return _resolved(target, stage, "", spec)


@operation("E-95", "E-116", "E-117", "E-123", "E-124")
def resolve_full_attack(battlefield: Stage, warcamp: Stage | None = None, *, spec: GameSpec) -> Answer:
    """Resolves an attack in the Battlefield and, if it is redirected, its end in the Warcamp."""
    stages = [_resolved("battlefield", battlefield, "battlefield.", spec)]
    redirected = stages[0]["redirect"]
    if redirected:
        refuse(warcamp_stage_missing=warcamp is None)
        assert warcamp is not None
        stages.append(_resolved("warcamp", warcamp, "warcamp.", spec))
    change = sum(stage["ch_change"] for stage in stages)
    return {
        "outcomes": [stage["outcome"] for stage in stages],
        "ch_change": change,
        "redirected": redirected,
        **_gained(change, spec),
    }


def _resolved(target: str, stage: Stage, path: str, spec: GameSpec) -> dict[str, Any]:
    refuse(no_defender_to_withdraw=stage.event == "defender_withdrawn" and not stage.blocker)
    key = _situation(stage, path, spec)
    row = next(row for row in spec.data["attack_resolution"] if row["key"] == key)
    change, redirect = row[target].get("ch", 0), row[target].get("redirect", False)
    if redirect and spec.readings["redirect_is_hit"]:
        change, redirect = -1, False
    discard = sorted(row[target].get("discard", ()))
    # Of a discarded group only the first member with the lowest Life is lost (E-95).
    groups = {name: force for name in discard if isinstance(force := getattr(stage, name), tuple)}
    lives = {name: [unit.life for unit in group] for name, group in groups.items()}
    members = {"members": {name: of.index(min(of)) for name, of in lives.items()}} if lives else {}
    return {
        "outcome": f"{target[0].upper()}{row['number']}",
        "name": key,
        "discard": discard,
        **members,
        "ch_change": change,
        "redirect": redirect,
        **_gained(change, spec),
    }


def _situation(stage: Stage, path: str, spec: GameSpec) -> str:
    if stage.event == "attacker_withdrawn":
        return "attacker_withdrawn"
    if not stage.blocker:
        return "no_blocker"
    if stage.event == "defender_withdrawn":
        return "defender_withdrawn"
    for name in ("attacker", "defender"):
        if getattr(stage, name) is None:
            raise BadInput(path + name)
    assert stage.attacker and stage.defender
    return {
        (True, False): "successful_attack",
        (True, True): "double_death",
        (False, True): "counter_attack",
        (False, False): "double_block",
    }[_kills(_as_one(stage.attacker, spec), _as_one(stage.defender, spec), spec)]


def _gained(change: int, spec: GameSpec) -> dict[str, int]:
    return {"attacker_ch_change": -change} if spec.readings["transfer_gains"] else {}
