"""Between Battles: training and Upkeep."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.rishar.play.units import grown
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, operation, refuse


@operation("R-157", "R-158", "R-159", "R-160", "R-161")
def train(
    training: Count = 0,
    strength: Count | None = None,
    weapons: Count = 0,
    shields: Count = 0,
    alchemy: Count = 0,
    other_items: Count = 0,
    build_points: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """A unit's Strength after training, paid in full with items or with build points."""
    price = spec.data["training"]
    value = weapons + shields + alchemy * int(price["alchemy_counts"])
    refuse(
        already_trained=training >= price["times"],
        no_strength=strength is None,
        item_not_accepted=other_items > 0,
        insufficient_payment=value < price["items"] and build_points < price["build_points"],
    )
    return {"strength_after": grown(spec, strength or 0, True), "item_value": value}


@operation("R-151", "R-152", "R-153", "R-154", "R-155")
def upkeep(costs: dict[str, Count], battles: Many[Many[str]], paid: Count) -> Answer:
    """What the units used on a Day cost together, each once, and whether some desert."""
    units = sorted({unit for battle in battles for unit in battle})
    due = sum(costs.get(unit, 0) for unit in units)
    shortfall = max(0, due - paid)
    return {"units": units, "due": due, "shortfall": shortfall, "desertion": shortfall > 0}
