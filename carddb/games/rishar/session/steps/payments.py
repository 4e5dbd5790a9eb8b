"""What a Commander could pay to save a unit."""

from __future__ import annotations

from typing import Literal, get_args

from carddb.games.rishar.battle.army_state import ArmyState
from carddb.games.rishar.play.fields import Army, Currency
from carddb.games.rishar.session.session import Session
from carddb.play.question import Refusal

CURRENCIES: tuple[Currency, ...] = get_args(get_args(Currency)[0])


def payable(
    session: Session, army: Army, cause: Literal["skirmish", "rout"], state: ArmyState | None = None
) -> list[Currency]:
    """With what an army's Commander could save a unit now (R-92, R-93, R-97); `state` is the army after other saves."""
    return [pay for pay in CURRENCIES if _can_pay(state or session.army(army), pay, cause)]


def _can_pay(state: ArmyState, pay: Currency, cause: Literal["skirmish", "rout"]) -> bool:
    try:
        state.copy().save(pay, cause)
    except Refusal:
        return False
    return True
