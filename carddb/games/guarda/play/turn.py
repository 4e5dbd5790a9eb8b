"""Setting up, drawing and moving: where a piece may be placed, a piece's own steps, and pushes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import (
    DIAGONAL,
    STRAIGHT,
    CellField,
    PatternId,
    Point,
    Seat,
    Size,
    Variant,
    areas,
    on_field,
    plain,
    require_cells,
    slide,
    variant,
)
from carddb.games.guarda.play.players import STANDARD, ModeName, exhausted, mode_of
from carddb.play.question import Answer, BadInput, Count, Many, Positive, operation, refuse


class Drawing(NamedTuple):
    """The changes that bring a hand to its size: cards drawn and burned, and the numbers of cards afterwards.

    `missing` is the number of cards that had to be drawn but were not there.
    """

    drawn: int
    burned: int
    reshuffled: bool
    hand: int
    draw: int
    burn: int
    missing: int


def placeable(n: int, seat: str, drawn: Iterable[str], occupied: Collection[CellField]) -> set[CellField]:
    """Returns the free cells that at least two of the drawn cards cover (G-29, G-30, G-31)."""
    area = areas(n, seat, "attack")
    depth = Counter(cell for card in drawn for cell in area[card])
    return {cell for cell, cards in depth.items() if cards > 1 and cell not in occupied}


def drawing(hand: int, draw: int, burn: int, size: int, reshuffle: bool) -> Drawing:
    """Returns the changes that bring a hand to `size`; a reshuffle needs a missing card (G-39, G-41)."""
    burned = max(0, hand - size)
    short = max(0, size - hand)
    drawn = min(short, draw)
    if drawn < short and burn and reshuffle:
        more = min(short - drawn, burn)
        return Drawing(drawn + more, burned, True, hand + drawn + more, burn - more, 0, short - drawn - more)
    return Drawing(drawn, burned, False, hand - burned + drawn, draw - drawn, burn + burned, short - drawn)


@operation("G-29", "G-30", "G-31", "G-109")
def place(seat: Seat, drawn: Many[PatternId], occupied: Many[CellField] = (), n: Size = 5, *, spec: GameSpec) -> Answer:
    """The cells where a piece can be placed with the cards drawn so far, if any."""
    require_cells(n, {"occupied": occupied})
    patterns = variant(spec, n).cards
    for at, card in enumerate(drawn):
        if card not in patterns:
            raise BadInput(f"drawn.{at}")
    cells = placeable(n, seat, drawn, set(occupied))
    return {"can_place": bool(cells), "cells": plain(cells)}


@operation("G-36", "G-39", "G-40", "G-41", "G-87", "G-88")
def draw_phase(
    hand: Count, draw: Count, burn: Count, hand_size: Positive = 5, mode: ModeName = STANDARD, *, spec: GameSpec
) -> Answer:
    """The Draw phase as numbers: cards drawn or burned until the hand has its size."""
    rules = mode_of(spec, mode)
    numbers = drawing(hand, draw, burn, hand_size, rules.reshuffle)._asdict()
    missing = numbers.pop("missing")
    return {
        **numbers,
        "eliminated": rules.exhausts and exhausted(spec.readings["exhaust_on"], numbers["draw"], missing),
    }


Step = tuple[int, int]
"""A step to a neighbouring cell, as rows and columns."""


def direction(cell: Point, to: Point) -> Step:
    """Returns the step from one cell to another, as rows and columns."""
    return to[0] - cell[0], to[1] - cell[1]


def next_steps(
    game: Variant, cell: CellField, blocked: frozenset[CellField], heading: Step | None
) -> Iterator[CellField]:
    """Yields the cells of one more step; `heading` is the last step (G-42, G-45, G-47, G-48)."""
    for step in game.steps:
        if heading is None or game.bend or step == heading:
            yield from slide(game.n, cell, step, blocked, 1)


def reachable(game: Variant, cell: CellField, blocked: frozenset[CellField], hand: int) -> dict[CellField, int]:
    """Returns every cell to which a piece can move with a hand of `hand` cards, and the lowest cost (G-42, G-45)."""
    costs: dict[CellField, int] = {}
    ends: dict[CellField, Step | None] = {cell: None}
    for cost in range(1, hand + 1):
        ends = {
            to: direction(end, to)
            for end, heading in ends.items()
            for to in next_steps(game, end, blocked, heading)
            if to not in costs and to != cell
        }
        if not ends:
            break
        costs |= dict.fromkeys(ends, cost)
    return costs


def pushes(
    game: Variant, cell: CellField, targets: Iterable[CellField], blocked: frozenset[CellField], hand: int
) -> list[tuple[CellField, CellField, int]]:
    """Returns each push of a neighbour straight away: from, to, cost (G-43, G-44, G-46 to G-49)."""
    return [
        (target, to, cost)
        for target in sorted(targets)
        if direction(cell, target) in game.steps
        for cost, to in enumerate(slide(game.n, target, direction(cell, target), blocked, hand), 1)
    ]


@operation("G-42", "G-44", "G-45", "G-47", "G-48", "G-109")
def legal_moves(cell: CellField, hand: Count, occupied: Many[CellField] = (), n: Size = 5, *, spec: GameSpec) -> Answer:
    """Every cell that a piece can move to in one Move phase, by cost, row and column."""
    require_cells(n, {"cell": cell, "occupied": occupied})
    costs = reachable(variant(spec, n), cell, frozenset(occupied), hand)
    return {"moves": [{"to": list(to), "cost": cost} for cost, to in sorted((cost, to) for to, cost in costs.items())]}


@operation("G-42", "G-44", "G-45", "G-47", "G-48")
def move(
    cell: CellField, path: Many[Point], hand: Count, occupied: Many[CellField] = (), n: Size = 5, *, spec: GameSpec
) -> Answer:
    """Moves a piece by all steps of a Move phase: where it ends and what it costs."""
    require_cells(n, {"cell": cell, "occupied": occupied})
    refuse(not_enough_cards=len(path) > hand)
    game, at = variant(spec, n), cell
    heading: Step | None = None
    for to in path:
        step = direction(at, to)
        refuse(
            off_field=not on_field(n, to),
            not_adjacent_step=step not in STRAIGHT + DIAGONAL,
            diagonal_step=step not in game.steps,
            bend=heading is not None and step != heading and not game.bend,
            occupied=to in occupied and to != cell,
        )
        at, heading = to, step
    return {"to": list(at), "cost": len(path)}


@operation("G-43", "G-44", "G-46", "G-47", "G-48", "G-49", "G-109")
def legal_pushes(
    cell: CellField,
    targets: Many[CellField],
    hand: Count,
    occupied: Many[CellField] = (),
    n: Size = 5,
    *,
    spec: GameSpec,
) -> Answer:
    """Every push of an opponent next to a piece, by target and cost."""
    require_cells(n, {"cell": cell, "targets": targets, "occupied": occupied})
    possible = pushes(variant(spec, n), cell, set(targets), frozenset((*targets, *occupied)), hand)
    return {"pushes": [{"target": list(target), "to": list(to), "cost": cost} for target, to, cost in possible]}


@operation("G-8", "G-43", "G-44", "G-46", "G-47", "G-48", "G-49")
def push(
    cell: CellField,
    target: CellField,
    steps: int,
    hand: Count,
    occupied: Many[CellField] = (),
    opponent: bool = True,
    n: Size = 5,
    *,
    spec: GameSpec,
) -> Answer:
    """Pushes an adjacent opponent by some cells: where the piece ends and what it costs."""
    require_cells(n, {"cell": cell, "target": target, "occupied": occupied})
    away = direction(cell, target)
    to = target[0] + steps * away[0], target[1] + steps * away[1]
    game = variant(spec, n)
    refuse(
        no_steps=steps < 1,
        not_enough_cards=steps > hand,
        not_opponent=not opponent,
        not_adjacent=away not in game.steps,
        off_field=not on_field(n, to),
    )
    passed = list(slide(n, target, away, frozenset(occupied), steps))
    refuse(occupied=len(passed) < steps)
    return {"to": list(to), "cost": steps}
