"""Morale: its start, its loss, what it pays for, and routs."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.rishar.play.fields import Cause, Currency, Influence, Kind, Pile, Role, is_unit
from carddb.play.question import Answer, Count, Die, Many, Part, operation, refuse

AT_RISK = ("disabled", "exhausted")


class Fallen(Part):
    """A card of an army that is routed, and its pile."""

    id: str
    pile: Pile
    role: Role
    oathbound: bool = False
    never_killed: bool = False

    @property
    def protected(self) -> bool:
        """True if the card cannot be Killed."""
        return self.oathbound or self.never_killed


def starting(spec: GameSpec, progression: int) -> int:
    """Returns a Commander's own Morale at the start (R-43)."""
    morale = spec.data["morale"]
    return int(morale["start"]) + progression // int(morale["progression"])


def standing(own: int, base: int) -> dict[str, int]:
    """Returns Morale in the form of answers: the Commander's `own`, the `base`'s pool, and their `total` (R-44)."""
    return {"own": own, "base": base, "total": own + base}


@operation()
def morale_start(progression: int, base_bonus: int = 0, *, spec: GameSpec) -> Answer:
    """The Morale that a Commander starts with; a Base's pool is kept apart."""
    refuse(progression_bad=progression < 0, base_bonus_bad=base_bonus < 0)
    return standing(starting(spec, progression), base_bonus)


@operation()
def refresh(progression: int, base: Count = 0, *, spec: GameSpec) -> Answer:
    """Restores a Commander's own Morale when Exhausting powers refresh; the Base's pool stays as it is."""
    refuse(progression_bad=progression < 0)
    return standing(starting(spec, progression), base)


@operation()
def morale_lose(own: Count, loss: int, base: Count = 0) -> Answer:
    """Morale after a loss: the Base's pool is used first, and Morale is never below 0."""
    refuse(loss_negative=loss < 0)
    of_base = min(base, loss)
    left = standing(max(0, own - (loss - of_base)), base - of_base)
    return {**left, "routed": is_routed(left["total"])}


def is_routed(total: int) -> bool:
    """Returns whether a Commander with `total` Morale is Routed, that is, has none left (R-19)."""
    return total == 0


@operation()
def save(
    commander: Kind,
    pay: Currency,
    favors: Count = 0,
    influence: Influence = 0,
    morale: Count = 0,
    cause: Cause = "skirmish",
    *,
    spec: GameSpec,
) -> Answer:
    """The Favors, Influence or Morale that a Commander has left after paying to have a Killed unit Disabled instead."""
    prices = spec.data["saves"][commander]
    owned = {"favor": favors, "influence": influence, "morale": morale}[pay]
    refuse(
        not_in_rout=cause == "rout" and spec.readings["rout_saves"] == "forbidden",
        wrong_currency=pay not in prices,
    )
    refuse(insufficient=owned < prices[pay])
    left = owned - prices[pay]
    key = {"favor": "favors_after", "influence": "influence_after", "morale": "morale_after"}[pay]
    answer = {"pile": "disabled", key: int(left) if left == int(left) else left}
    return {**answer, "routed": is_routed(int(left))} if pay == "morale" else answer


@operation()
def rout(units: Many[Fallen], rolls: Many[Die], *, spec: GameSpec) -> Answer:
    """The units of a Routed army that the victor Kills, by one die for each Disabled or Exhausted unit."""
    at_risk = [unit for unit in units if is_at_risk(unit.pile, unit.role)]
    refuse(wrong_dice_count=len(rolls) != len(at_risk))
    struck = [die >= spec.data["rout_kills_from"] for die in rolls]
    rolled = [(unit, hit, hit and not unit.protected) for unit, hit in zip(at_risk, struck, strict=True)]
    return {
        "at_risk": [unit.id for unit in at_risk],
        "killed": [unit.id for unit, _, dead in rolled if dead],
        "survive": [unit.id for unit, _, dead in rolled if not dead],
        "protected": [unit.id for unit, hit, dead in rolled if hit and not dead],
    }


def is_at_risk(pile: str, role: str) -> bool:
    """Returns whether the victor rolls for the card when its army is routed (R-88, R-89)."""
    return pile in AT_RISK and is_unit(role)
