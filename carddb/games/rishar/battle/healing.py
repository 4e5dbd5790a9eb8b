"""A Healer of an army, discarded for a card that comes back."""

from __future__ import annotations

from typing import cast

from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.battle.record import Healing
from carddb.games.rishar.play.fields import Role
from carddb.games.rishar.play.powers import may_become
from carddb.games.rishar.play.roles import HealerCard, Patient, heal
from carddb.play.question import refuse


def use_healer(state: ArmyState, healing: Healing, timing: str) -> None:
    """Discards a Healer and pays a point of Morale for a Disabled or Exhausted card (R-102 to R-104)."""
    healer, target = state.find(healing.healer, "hand"), state.find(healing.target, "disabled", "exhausted")
    unit, patient = state.unit(healer, healing.role_as), state.unit(target)
    refuse(role_change_not_allowed=not may_become(state.spec, unit, state.leader))
    answer = heal(
        healer=HealerCard(
            role=cast(Role, unit.current_role),
            strength=unit.strength,
            trained=unit.trained,
            pile=state.where[healer],
        ),
        target=Patient(strength=patient.strength, trained=patient.trained, pile=state.where[target]),
        morale=state.morale,
        timing=timing,
        spec=state.spec,
    )
    state.lose(state.morale - answer["morale_after"])
    state.changed_role(unit)
    state.discard(healer, healing.roll)
    state.put(target, answer["target_pile"])
