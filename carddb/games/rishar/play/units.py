"""Units: what they are, and what their Role is worth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.cards.cards import Card
from carddb.game.game import GameSpec
from carddb.games.rishar.play.fields import Side, Unit, UnitRole
from carddb.play.question import Answer, operation

RITUAL = "ritual"


def is_unit(role: str) -> bool:
    """Every card is a unit but the Rituals (R-9)."""
    return role != RITUAL


def grown(spec: GameSpec, strength: int, trained: bool) -> int:
    """Strength with what training added for good (R-157)."""
    return strength + (int(spec.data["training"]["adds"]) if trained else 0)


def dice_of(spec: GameSpec, side: Side, role: str, against: str | None) -> int:
    """How many dice a Role rolls, of which the better counts; Unopposed `against` is None (R-80, R-98 to R-101)."""
    row: Mapping[str, Any] = spec.data["dice"][role]
    return int(row.get("against", {}).get(against, row[side]))


def unit_of(card: Card, role_as: str | None = None, oathbound: bool = False) -> Unit:
    """A card as a unit of a Skirmish."""
    shown = {name: card.get(name) for name in ("strength", "path", "never_killed", "no_damage")}
    own = {"role": card.type, "traits": card.get("traits") or (), "trained": bool(card.get("training"))}
    return Unit.model_validate({**shown, **own, "role_as": role_as, "oathbound": oathbound})


@operation("R-98", "R-99", "R-100", "R-101", "R-109")
def dice(off_role: UnitRole, def_role: UnitRole, *, spec: GameSpec) -> Answer:
    """How many dice each side rolls."""
    return {
        "off": dice_of(spec, "off", off_role, def_role),
        "def": dice_of(spec, "def", def_role, off_role),
    }
