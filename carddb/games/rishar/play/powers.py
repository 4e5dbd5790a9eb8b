"""The Commander's class and its powers, and the effects of Healers and Rituals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from carddb.game.game import GameSpec
from carddb.games.rishar.play.fields import (
    ClassName,
    Leader,
    Path,
    PhaseEnd,
    Pile,
    Result,
    Role,
    Side,
    Timing,
    Unit,
    grown,
    is_unit,
)
from carddb.games.rishar.play.morale import is_routed
from carddb.play.question import Answer, Count, Die, Known, Many, Part, Positive, given, operation, refuse


def class_of(spec: GameSpec, path: str, role: str) -> str | None:
    """Returns the class of a Commander with this Path and Role; None if either is unknown (R-40, R-123)."""
    class_: str | None = spec.data["powers"]["grid"].get(role, {}).get(path)
    return class_


def power_of(spec: GameSpec, name: str | None) -> Mapping[str, Any]:
    """Returns the power of the class `name`; empty if there is no such class."""
    power: Mapping[str, Any] = spec.data["powers"]["classes"].get(name, {})
    return power


def choices(spec: GameSpec) -> list[str]:
    """Returns the classes that a Tactician may choose from: those in its row and its column of the grid (R-126)."""
    grid: Mapping[str, Mapping[str, str]] = spec.data["powers"]["grid"]
    chooser: str = spec.data["powers"]["chooser"]
    row, column = next(
        (row, column) for row, classes in grid.items() for column, name in classes.items() if name == chooser
    )
    return sorted({*grid[row].values(), *(classes[column] for classes in grid.values())} - {chooser})


def badly_chosen(spec: GameSpec, name: str | None, chosen: str | None) -> bool:
    """Returns whether `name` is the Tactician and `chosen` is not a class that a Tactician may choose."""
    return name == spec.data["powers"]["chooser"] and chosen not in choices(spec)


def in_force(spec: GameSpec, leader: Leader) -> str | None:
    """Returns the class whose power a Commander has; for a Tactician, the class that it chose (R-126)."""
    return leader.chosen if leader.class_ == spec.data["powers"]["chooser"] else leader.class_


def may_become(spec: GameSpec, unit: Unit, leader: Leader) -> bool:
    """Returns whether a unit may take the Role in `role_as`. Rituals never change Role (R-114, R-130, R-131)."""
    if unit.role_as in (None, unit.role):
        return True
    power = power_of(spec, in_force(spec, leader))
    often_enough = "uses" not in power or leader.role_changes_left > 0
    return is_unit(unit.role) and unit.role_as in power.get("becomes", ()) and often_enough


def traits_in_play(spec: GameSpec, side: Side, unit: Unit, leader: Leader) -> set[str]:
    """Returns a unit's traits, with the trait that a Scout gives on Offense (R-141)."""
    gained = power_of(spec, in_force(spec, leader)).get("gains")
    return {*unit.traits, *([gained] if gained and side == "off" else [])}


def permanent_bonus(spec: GameSpec, side: Side, unit: Unit, leader: Leader, against: Unit | None) -> int:
    """Returns the Strength that a Commander's class always adds to a unit in play (R-125, section 11a)."""
    name = in_force(spec, leader)
    bonus = power_of(spec, name).get("bonus")
    if name == "mindblade":
        return leader.mindblade
    if not bonus or side != bonus.get("side", side):
        return 0
    if "against" in bonus:
        fits = leader.dervish is not None and against is not None and leader.dervish.is_of(against)
    else:
        fits = bonus.get("role") == unit.current_role or bonus.get("trait") in unit.traits
    return int(bonus["adds"]) if fits else 0


@operation()
def class_(path: Known[Path], role: Known[Role], *, spec: GameSpec) -> Answer:
    """The class that results from a Commander's Path and Role."""
    grid = spec.data["powers"]["grid"]
    refuse(commander_role_unknown=role not in grid, commander_path_unknown=path not in spec.data["paths"])
    return {"class": class_of(spec, path, role)}


@operation()
def tactician_choices(*, spec: GameSpec) -> Answer:
    """The classes that a Tactician may choose from."""
    return {"choices": choices(spec)}


@operation()
def power_use(
    class_: Known[ClassName],
    timing: Known[Timing] | None = None,
    used_battle: Count = 0,
    used_skirmish: Count = 0,
    used_day: Count = 0,
    morale: Count = 0,
    disable: bool = False,
    *,
    spec: GameSpec,
) -> Answer:
    """Checks whether a power may be used now, and its Morale cost, with `disable` that of Disabling a card."""
    power = power_of(spec, class_)
    uses = power.get("uses", {})
    cost = power.get("cost_to_disable" if disable else "cost", power.get("cost", 0))
    refuse(
        unknown_class=not power,
        not_activated=not uses,
        wrong_time=timing != uses.get("timing", timing),
        limit_battle="battle" in uses and used_battle >= uses["battle"],
        limit_day="day" in uses and used_day >= uses["day"],
        limit_skirmish="skirmish" in uses and used_skirmish >= uses["skirmish"],
        no_morale=morale < cost,
    )
    return {"morale_cost": cost}


@operation()
def battlemage(events: Many[Die | PhaseEnd], *, spec: GameSpec) -> Answer:
    """The pile of each card that a Battlemage discards: Exhausted for the first high roll of a Phase, else Disabled."""
    piles, succeeded = [], False
    for event in events:
        if event == "phase_end":
            succeeded = False
            continue
        lucky = not succeeded and event >= power_of(spec, "battlemage")["succeeds_from"]
        succeeded = succeeded or lucky
        piles.append("exhausted" if lucky else "disabled")
    return {"piles": piles}


@operation()
def mindblade(results: Many[Result], *, spec: GameSpec) -> Answer:
    """The bonus that a Mindblade has at first, and after each result."""
    return {"available": streak(results, spec)}


def streak(results: Iterable[str], spec: GameSpec) -> list[int]:
    """Returns a Mindblade's bonus at the start and after each result: a win raises, a loss or Phase end resets it."""
    available = [0]
    for result in results:
        won = min(available[-1] + 1, int(spec.readings["mindblade_cap"]))
        available.append({"win": won, "none": available[-1]}.get(result, 0))
    return available


def ritual_limits(spec: GameSpec, name: str | None) -> Mapping[str, int]:
    """Returns how many Rituals the class `name` may play in a `phase` and in a `battle` (R-112, R-136)."""
    return {**spec.data["rituals"], **power_of(spec, name).get("rituals", {})}


class Patient(Part):
    """A card that a Healer takes back to hand."""

    strength: Count | None = None
    trained: bool = False
    pile: Pile

    def grown(self, spec: GameSpec) -> int:
        """Returns the card's Strength with training; 0 for a card without Strength (R-104)."""
        return 0 if self.strength is None else grown(spec, self.strength, self.trained)


class HealerCard(Patient):
    """The Healer card that is discarded to take another card back."""

    role: Role


class Member(Part, extra="ignore"):
    """A card of an army in a question about Rituals; its other fields are ignored."""

    role: Role
    path: Path | None = None
    count: Positive = 1


@operation()
def heal(healer: HealerCard, target: Patient, morale: Count, timing: Known[Timing], *, spec: GameSpec) -> Answer:
    """Takes a Disabled or Exhausted card back to hand, for a discarded Healer and 1 Morale."""
    healing = spec.data["healing"]
    refuse(
        not_a_healer=healer.role != "healer",
        healer_not_in_hand=healer.pile != "hand",
        wrong_time=timing != "after_skirmish",
        no_morale=morale < healing["cost"],
        target_pile=target.pile not in ("disabled", "exhausted"),
        target_too_strong=target.grown(spec) > healing["reach"] * healer.grown(spec),
    )
    left = morale - int(healing["cost"])
    return {"morale_after": left, "routed": is_routed(left), "healer_pile": "disabled", "target_pile": "hand"}


@operation()
def ritual(
    card: Member,
    army: Many[Member],
    class_: ClassName | None = None,
    played_this_phase: Count = 0,
    played_this_battle: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """Checks whether a Ritual may be played now, and where it goes."""
    limits = ritual_limits(spec, class_)
    refuse(not_a_ritual=is_unit(card.role))
    path = given(card.path, "card.path")
    of_its_path = sum(member.count for member in army if is_unit(member.role) and member.path == path)
    refuse(
        ritual_path_unsupported=of_its_path < spec.data["rituals"]["support"],
        ritual_phase_limit=played_this_phase >= limits["phase"],
        ritual_battle_limit=played_this_battle >= limits["battle"],
    )
    return {"pile": "disabled"}
