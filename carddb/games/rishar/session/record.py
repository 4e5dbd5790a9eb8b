"""The record of a Battle at the table: the question that `rishar.replay` answers with the same Battle."""

from __future__ import annotations

from typing import Any

from carddb.games.rishar.play.fields import ARMIES
from carddb.games.rishar.session.session import Session


def record(session: Session) -> dict[str, Any]:
    """The Battle as the question of a replay, up to the last whole turn."""
    hosts: dict[str, Any] = {army: session.hosts[army].model_dump(mode="json", exclude_none=True) for army in ARMIES}
    return {
        **hosts,
        "first_turn": session.battle.first_turn if session.battle else ARMIES[0],
        "turns": [dict(turn) for turn in session.turns],
        "rout": {army: dict(flight) for army, flight in session.flights.items()},
        "options": dict(session.table.options),
    }
