"""Reserve men: what the army's charm brings in, and the lieutenants they pay for."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.cahrd.play.stats import Rank, current_value
from carddb.games.cahrd.play.turn import in_step
from carddb.games.cahrd.play.words import CardType, Position, Step, Zone
from carddb.games.cahrd.play.zones import zone_of
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, Options, Part, operation, refuse


class Charmer(Part):
    """An officer in play with the current CHM."""

    position: Position
    chm: Rank


@operation("C-70", "C-78", "C-80")
def reserve_income(army: Many[Charmer], *, spec: GameSpec, options: Options) -> Answer:
    """The men that the Recruitment Step adds: the combined CHM of the officers in play."""
    charm = {at: current_value(officer.chm, f"army.{at}.chm", spec, options) for at, officer in enumerate(army)}
    counted = [charm[at] for at, officer in enumerate(army) if _counts(officer, options)]
    return {"income": sum(counted) * spec.data["men_per_chm"]}


def _counts(officer: Charmer, options: Options) -> bool:
    return officer.position != "strategist" or bool(options["strategist_chm_counts"])


def cap_reached(recruited: int, on_field: int, spec: GameSpec, options: Options) -> bool:
    """Whether no further lieutenant may be recruited (C-53, C-90)."""
    line = zone_of("lieutenant", spec)
    if options["lieutenant_cap"] == "on_field":
        return on_field >= int(line["most"])
    return recruited >= int(line["most"] - line["at_start"])


@operation("C-18", "C-53", "C-73", "C-79", "C-80", "C-83", "C-88", "C-89", "C-90")
def recruit(
    step: Step,
    initiative: bool,
    type: CardType,
    zone: Zone,
    source: Zone,
    reserves: Count,
    cost: Count,
    recruited: Count,
    on_field: Count = 1,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """An officer of the hand joins the lieutenants, face-up, for its Recruitment Cost."""
    refuse(
        not_initiative=not initiative,
        wrong_step=not in_step("recruit", step, spec, options),
        not_officer=type != "officer",
        zone_not_recruitable=zone != "lieutenant",
        not_in_hand=source != "hand",
        lieutenant_limit=cap_reached(recruited, on_field, spec, options),
        insufficient_reserves=reserves < cost,
    )
    return {"reserves": reserves - cost, "recruited": recruited + 1, "face_up": True}
