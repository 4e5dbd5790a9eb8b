"""Cards in use: activating an item, tactic, trait or strategy, and how long a strategy stays."""

from __future__ import annotations

from carddb.games.cahrd.play.words import Kind
from carddb.play.fields import Count
from carddb.play.question import Answer, Options, operation, refuse


def is_ready(set_: bool, set_this_turn: bool, options: Options) -> bool:
    """Whether a tactic has been set, and for long enough (C-22)."""
    return set_ and not (set_this_turn and options["tactic_set_delay"] == "next_turn")


@operation(
    *("C-19", "C-20", "C-21", "C-22", "C-23", "C-24", "C-25", "C-79", "C-84", "C-86"),
    *("C-123", "C-124", "C-137"),
)
def activate(
    kind: Kind,
    reserves: Count,
    cost: Count = 0,
    set: bool = False,
    requirement_met: bool = True,
    search: bool = False,
    search_target: bool = True,
    disregarded: bool = False,
    continuous: bool = False,
    set_this_turn: bool = False,
    *,
    options: Options,
) -> Answer:
    """A card's cost is paid and its effect happens, unless it is disregarded; the cost stays paid all the same."""
    refuse(
        tactic_not_set=kind == "tactic" and not is_ready(set, set_this_turn, options),
        requirement_not_met=kind == "strategy" and not requirement_met,
        no_search_target=search and not search_target,
        item_cost_missing=kind == "item" and cost < 1,
        insufficient_reserves=reserves < cost,
    )
    lasts = kind == "strategy" or continuous
    stays = kind == "trait" or (lasts and not disregarded)
    return {
        "reserves": reserves - cost,
        "effect": not disregarded,
        "goes_to": "field" if stays else "discard",
    }


@operation("C-24", "C-25", "C-49")
def strategy_status(
    controller_meets: bool, opponent_meets: bool, replaced: bool = False, *, options: Options
) -> Answer:
    """Whether an active strategy stays, and who has its effect; the opponent failing it does not remove it."""
    stays = controller_meets and not replaced
    open_ = stays and (opponent_meets or not options["strategy_needs_both"])
    return {"stays": stays, "controller_benefits": open_, "opponent_benefits": open_ and opponent_meets}
