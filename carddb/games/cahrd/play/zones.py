"""The zones of the mat, and how many tactics and items they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from carddb.game.game import GameSpec
from carddb.games.cahrd.play.words import CardType
from carddb.play.fields import Count, Words
from carddb.play.question import Answer, BadInput, Options, operation, refuse


def zone_of(key: str, spec: GameSpec) -> Mapping[str, Any]:
    """A zone of the mat."""
    row: Mapping[str, Any] = next(row for row in spec.data["mat"]["zones"] if row["key"] == key)
    return row


def room(commander: bool, lieutenants: int, spec: GameSpec) -> int:
    """How many cards a zone takes: as many as there are officers in play, the strategist left out (C-52, C-55, C-57).

    Raises BadInput for more lieutenants than there can be.
    """
    most = zone_of("lieutenant", spec)["most"]
    if lieutenants > most:
        raise BadInput("lieutenants", least=0, most=most)
    return commander + lieutenants


@operation("C-52", "C-55", "C-57", "C-58")
def zone_limit(commander: bool, lieutenants: Count, strategist: bool, *, spec: GameSpec, options: Options) -> Answer:
    """How many tactics and how many items a player may have; `shared` where the two count together."""
    limit = room(commander, lieutenants, spec)
    return {"tactics": limit, "items": limit, "shared": options["shared_zone_limit"]}


@operation("C-52", "C-55", "C-57", "C-58")
def place_in_zone(
    zone: Annotated[Literal["tactics", "items"], Words("zones")],
    type: CardType,
    in_zone: Count,
    commander: bool,
    lieutenants: Count,
    strategist: bool,
    in_other_zone: Count = 0,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """A card is set in, or stays in, the tactics or the items zone; `in_other_zone` counts where they share a limit."""
    limit = room(commander, lieutenants, spec)
    counted = in_zone + (in_other_zone if options["shared_zone_limit"] else 0)
    refuse(wrong_zone=type != zone_of(zone, spec)["takes"], zone_full=counted >= limit)
    return {"in_zone": in_zone + 1}
