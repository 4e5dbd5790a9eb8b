"""Single cards on the field: the cells that a card affects, and the cards that affect a cell."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import (
    ORIENTATIONS,
    SEATS,
    CellField,
    Orientation,
    PatternId,
    Seat,
    Size,
    areas,
    plain,
    require_cells,
)
from carddb.games.guarda.play.players import variant
from carddb.play.question import Answer, Known, Options, operation, refuse

AnyOrientation = Known[Orientation]
AnySeat = Known[Seat]
MAPPING = ("G-15", "G-16", "G-19", "G-20", "G-21", "G-22", "G-23", "G-24")


def _area(spec: GameSpec, options: Options, n: int, card: str, orientation: str, seat: str) -> frozenset[CellField]:
    refuse(
        pattern_unknown=card not in variant(spec, options, n).cards,
        bad_orientation=orientation not in ORIENTATIONS,
        bad_seat=seat not in SEATS,
    )
    return areas(n, seat, orientation)[card]


@operation(*MAPPING)
def cells(
    card: PatternId, orientation: AnyOrientation, seat: AnySeat, n: Size = 5, *, spec: GameSpec, options: Options
) -> Answer:
    """The field cells that a card affects, attacking or defending from a seat."""
    return {"cells": plain(_area(spec, options, n, card, orientation, seat))}


@operation(*MAPPING, "G-18", "G-61")
def covers(
    card: PatternId,
    orientation: AnyOrientation,
    seat: AnySeat,
    cell: CellField,
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Checks whether a card affects a cell."""
    require_cells(n, {"cell": cell})
    return {"covers": cell in _area(spec, options, n, card, orientation, seat)}


@operation(*MAPPING, "G-17", "G-61")
def cards_covering(
    orientation: Orientation, seat: Seat, cell: CellField, n: Size = 5, *, spec: GameSpec, options: Options
) -> Answer:
    """All cards that affect a cell."""
    require_cells(n, {"cell": cell})
    area = areas(n, seat, orientation)
    return {"cards": [card for card in variant(spec, options, n).cards if cell in area[card]]}
