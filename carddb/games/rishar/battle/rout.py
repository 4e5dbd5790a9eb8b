"""The rout of an army: which of its units are at risk, which of them die, and what the victor gains."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.record import Flight
from carddb.games.rishar.play import morale
from carddb.games.rishar.play.fields import Role
from carddb.play.question import Answer, refuse


def at_risk(state: ArmyState) -> list[str]:
    """The cards for which the victor rolls, in the order of the army list (R-88, R-89)."""
    return [key for key in state.cards if morale.is_at_risk(state.where[key], state.cards[key].type)]


def threatened(state: ArmyState, rolls: Sequence[int]) -> Answer:
    """What the victor's dice do to a routed army, before anything is saved (R-88, R-90)."""
    return morale.rout(units=tuple(_fallen(state, key) for key in state.cards), rolls=tuple(rolls), spec=state.spec)


def resolve_rout(state: ArmyState, victor: ArmyState, flight: Flight) -> None:
    """What a rout costs: the victor's dice, protections, saves, and the victor's Rogue for the dead (R-88 to R-90)."""
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


def _fallen(state: ArmyState, key: str) -> morale.Fallen:
    unit = state.unit(key)
    shields = {"oathbound": unit.oathbound, "never_killed": unit.never_killed}
    return morale.Fallen(id=key, pile=state.where[key], role=cast(Role, unit.role), **shields)
