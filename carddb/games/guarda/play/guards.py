"""The guard: prepared, set, activated; one to a player."""

from __future__ import annotations

from typing import Annotated, Literal

from carddb.games.guarda.play.card_names import PatternId
from carddb.games.guarda.play.cells import ORIENTATIONS, SIZES, Orientation
from carddb.games.guarda.play.patterns import shapes
from carddb.play.fields import Known, Words
from carddb.play.question import Answer, BadInput, Part, operation, refuse

Phase = Annotated[Literal["act_start", "act", "reaction", "critical_block", "other"], Words("phases")]


class Guard(Part):
    """A guard: preparing lies sideways, a set one has an orientation (G-68, G-69)."""

    card: PatternId
    state: Annotated[Literal["preparing", "set"], Words("guard_states")]
    orientation: Orientation | None = None


def prepare(card: str | None, phase: str, act_used: bool = False) -> Guard:
    """A new guard; it takes the Act phase, or comes at once after a critical block (G-50, G-68, G-77, G-110)."""
    refuse(
        wrong_phase=phase not in ("act", "critical_block"),
        act_used=phase == "act" and act_used,
        no_card=card is None,
    )
    return Guard(card=str(card), state="preparing")


def set_upright(guard: Guard | None, phase: str, prepared_this_turn: bool, orientation: str | None) -> Guard:
    """The guard turned upright as a later Act phase begins (G-69, G-70, G-72, G-110)."""
    refuse(
        no_guard=guard is None,
        already_set=guard is not None and guard.state == "set",
        wrong_phase=phase != "act_start",
        prepared_this_turn=prepared_this_turn,
        bad_orientation=orientation not in ORIENTATIONS,
    )
    assert guard is not None
    return guard.model_copy(update={"state": "set", "orientation": orientation})


def require_set(guard: Guard | None) -> Guard:
    """A guard that can be activated (G-74)."""
    refuse(no_guard=guard is None, guard_not_set=guard is not None and guard.state != "set")
    assert guard is not None
    return guard


def activate(guard: Guard | None, under_attack: bool, is_attacker: bool) -> Guard:
    """The guard that is revealed under attack (G-74, G-82, G-110)."""
    refuse(attacker_cannot_activate=is_attacker)
    revealed = require_set(guard)
    refuse(not_under_attack=not under_attack)
    return revealed


@operation(
    *("G-6", "G-7", "G-40", "G-50", "G-51", "G-68", "G-69", "G-70", "G-71", "G-72", "G-73"),
    *("G-74", "G-77", "G-81", "G-82", "G-110"),
)
def guard_action(
    action: Annotated[Literal["prepare", "set", "activate"], Words("guard_actions")],
    guard: Guard | None = None,
    phase: Phase | None = None,
    card: PatternId | None = None,
    orientation: Known[Orientation] | None = None,
    act_used: bool = False,
    prepared_this_turn: bool = False,
    under_attack: bool = False,
    is_attacker: bool = False,
) -> Answer:
    """A guard prepared, set or activated: what lies there afterwards, and what is burned."""
    _require_patterns(guard, card)
    if action == "activate":
        return {"guard": None, "burned": [activate(guard, under_attack, is_attacker).card]}
    if phase is None:
        raise BadInput("phase")
    if action == "set":
        return {"guard": set_upright(guard, phase, prepared_this_turn, orientation).model_dump(), "burned": []}
    return {"guard": prepare(card, phase, act_used).model_dump(), "burned": [guard.card] if guard else []}


def _require_patterns(guard: Guard | None, card: str | None) -> None:
    """Raises BadInput for a card that is a pattern on no field; the question does not say which field is played on."""
    patterns = shapes(SIZES[-1])
    if guard and guard.card not in patterns:
        raise BadInput("guard.card")
    if card is not None and card not in patterns:
        raise BadInput("card")
