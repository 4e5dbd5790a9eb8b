"""A Battle from turn to turn, between its Phases, and how it ends."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from carddb.game.game import GameSpec
from carddb.games.rishar.play.fields import Army, Choice, Previous, enemy
from carddb.play.question import Answer, BadInput, Count, Options, Part, operation, refuse

PhaseNumber = Annotated[int, Field(ge=1, le=2, description="A Phase, counted from 1.")]
LAST_PHASE = 2


class Outcome(Part):
    """How an army stands when the Battle is over."""

    kills: Count
    morale: Count
    routed: bool = False


@operation(
    *("R-4", "R-6", "R-15", "R-16", "R-47", "R-48", "R-49", "R-50", "R-51", "R-52", "R-54", "R-58", "R-59", "R-60")
)
def turn(
    offense_can_play: bool,
    offense_choice: Choice,
    phase: PhaseNumber = 1,
    defense_can_play: bool | None = None,
    defense_choice: Choice | None = None,
    previous: Previous = "none",
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """What comes of a turn: a Skirmish, an Unopposed attack, a Pass, or nothing."""
    may_choose(offense_can_play, offense_choice)
    nobody_can = offense_choice == "unable" and (previous == "unable" or defense_can_play is False)
    both_pass = offense_choice == previous == "pass"
    result: str = offense_choice
    if offense_choice == "play":
        if defense_can_play is None or defense_choice is None:
            raise BadInput("defense_can_play" if defense_can_play is None else "defense_choice")
        may_choose(defense_can_play, defense_choice)
        silent = "unopposed" if options["unable_defense"] == "unopposed" else "no_defender"
        result = {"play": "skirmish", "pass": "unopposed", "unable": silent}[defense_choice]
    return {
        "result": result,
        "off_morale_loss": spec.data["morale"]["pass"] if result == "pass" else 0,
        "phase_ends": nobody_can,
        "battle_ends": both_pass or (nobody_can and phase == LAST_PHASE),
    }


def may_choose(can_play: bool, choice: Choice) -> None:
    """Refuses a Pass of who cannot play, and Unable of who can (R-15, R-16)."""
    refuse(cannot_play=choice != "unable" and not can_play, able_to_play=choice == "unable" and can_play)


@operation("R-56", "R-57")
def phase_two_first(last_defense_by: Army | None, first_turn: Army) -> Answer:
    """Who begins the second Phase: the last on Defense, else whoever did not begin the first."""
    return {"first": last_defense_by or enemy(first_turn)}


@operation("R-2", "R-61", "R-87", "R-116", "R-117", "R-118", "R-119", "R-120")
def battle_result(a: Outcome, b: Outcome) -> Answer:
    """Who has won a Battle, and by what."""
    sides: dict[Army, Outcome] = {"a": a, "b": b}
    routed: list[Army] = [army for army, side in sides.items() if side.routed]
    if routed:
        return _won(enemy(routed[0]), "rout") if len(routed) == 1 else _won(None, "double_rout")
    for by in ("kills", "morale"):
        ours, theirs = getattr(a, by), getattr(b, by)
        if ours != theirs:
            return _won("a" if ours > theirs else "b", by)
    return _won(None, "double_loss")


def _won(winner: Army | None, by: str) -> dict[str, Any]:
    return {"winner": winner, "by": by}


@operation("R-91", "R-122")
def engage(
    same_armies: bool,
    routed_today: bool,
    minutes_since: Annotated[float, Field(ge=0)] | None = None,
    *,
    spec: GameSpec,
) -> Answer:
    """Whether two armies may start a Battle now."""
    if same_armies and minutes_since is None:
        raise BadInput("minutes_since")
    refuse(
        routed_today=routed_today,
        too_soon=same_armies and minutes_since is not None and minutes_since < spec.data["minutes_between_battles"],
    )
    return {}
