"""The Move phase: own steps and pushes, each step paid with a hand card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from carddb.game.game import GameSpec
from carddb.games.guarda.play.cells import on_field, slide
from carddb.games.guarda.play.field import Cell, Point, Size, require_cells
from carddb.games.guarda.play.variant import DIAGONAL, STRAIGHT, Variant, variant
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, Options, operation, refuse

Step = tuple[int, int]
"""One cell further: rows and columns."""


def direction(cell: Point, to: Point) -> Step:
    """From one cell to another."""
    return to[0] - cell[0], to[1] - cell[1]


def next_steps(game: Variant, cell: Cell, blocked: frozenset[Cell], heading: Step | None) -> Iterator[Cell]:
    """The cells that one more step can reach; `heading` is where the steps before led (G-42, G-45, G-47, G-48)."""
    for step in game.steps:
        if heading is None or game.bend or step == heading:
            yield from slide(game.n, cell, step, blocked, 1)


def reachable(game: Variant, cell: Cell, blocked: frozenset[Cell], hand: int) -> dict[Cell, int]:
    """Every cell that a piece can move to with a hand of some cards, at the lowest cost (G-42, G-45)."""
    costs: dict[Cell, int] = {}
    ends: dict[Cell, Step | None] = {cell: None}
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
    game: Variant, cell: Cell, targets: Iterable[Cell], blocked: frozenset[Cell], hand: int
) -> list[tuple[Cell, Cell, int]]:
    """Every push of an adjacent opponent, straight away from the pusher: from, to, cost (G-43, G-44, G-46 to G-49)."""
    return [
        (target, to, cost)
        for target in sorted(targets)
        if direction(cell, target) in game.steps
        for cost, to in enumerate(slide(game.n, target, direction(cell, target), blocked, hand), 1)
    ]


@operation("G-42", "G-44", "G-45", "G-47", "G-48", "G-109")
def legal_moves(
    cell: Cell, hand: Count, occupied: Many[Cell] = (), n: Size = 5, *, spec: GameSpec, options: Options
) -> Answer:
    """Every cell that a piece can move to in one Move phase, by cost, row and column."""
    require_cells(n, {"cell": cell, "occupied": occupied})
    costs = reachable(variant(spec, options, n), cell, frozenset(occupied), hand)
    return {"moves": [{"to": list(to), "cost": cost} for cost, to in sorted((cost, to) for to, cost in costs.items())]}


@operation("G-42", "G-44", "G-45", "G-47", "G-48")
def move(
    cell: Cell,
    path: Many[Point],
    hand: Count,
    occupied: Many[Cell] = (),
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """All own steps of a Move phase: where they lead and what they cost."""
    require_cells(n, {"cell": cell, "occupied": occupied})
    refuse(not_enough_cards=len(path) > hand)
    _walk(variant(spec, options, n), cell, path, set(occupied) - {cell})
    return {"to": list(path[-1] if path else cell), "cost": len(path)}


def _walk(game: Variant, cell: Cell, path: tuple[Point, ...], occupied: Collection[Cell]) -> None:
    """Refuses the first step that is not allowed."""
    heading = None
    for to in path:
        step = direction(cell, to)
        refuse(
            off_field=not on_field(game.n, to),
            not_adjacent_step=step not in STRAIGHT + DIAGONAL,
            diagonal_step=step not in game.steps,
            bend=heading is not None and step != heading and not game.bend,
            occupied=to in occupied,
        )
        cell, heading = to, step


@operation("G-43", "G-44", "G-46", "G-47", "G-48", "G-49", "G-109")
def legal_pushes(
    cell: Cell,
    targets: Many[Cell],
    hand: Count,
    occupied: Many[Cell] = (),
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Every push of an opponent next to a piece, by target and cost."""
    require_cells(n, {"cell": cell, "targets": targets, "occupied": occupied})
    possible = pushes(variant(spec, options, n), cell, set(targets), frozenset((*targets, *occupied)), hand)
    return {"pushes": [{"target": list(target), "to": list(to), "cost": cost} for target, to, cost in possible]}


@operation("G-8", "G-43", "G-44", "G-46", "G-47", "G-48", "G-49")
def push(
    cell: Cell,
    target: Cell,
    steps: int,
    hand: Count,
    occupied: Many[Cell] = (),
    opponent: bool = True,
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """A push of an adjacent opponent by some cells: where the piece ends and what it costs."""
    require_cells(n, {"cell": cell, "target": target, "occupied": occupied})
    away = direction(cell, target)
    to = target[0] + steps * away[0], target[1] + steps * away[1]
    game = variant(spec, options, n)
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
