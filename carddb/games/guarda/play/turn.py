"""A turn: setting up, drawing, steps and pushes, and an attack with the reactions, guards and damage of both sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, Protocol

from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import (
    DIAGONAL,
    ORIENTATIONS,
    SIZES,
    STRAIGHT,
    CellField,
    Orientation,
    PatternId,
    Point,
    Seat,
    Size,
    Variant,
    areas,
    on_field,
    plain,
    require_cells,
    shapes,
    slide,
    variant,
)
from carddb.games.guarda.play.players import STANDARD, ModeName, Name, exhausted, mode_of
from carddb.play.question import Answer, BadInput, Count, Known, Many, Part, Positive, Words, operation, refuse


class Drawing(NamedTuple):
    """The numbers of cards `drawn` and `burned` in a Draw phase, and then in `hand`, `draw` pile and `burn` pile.

    `missing` is the number of cards that should have been drawn but were not there.
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
    """Returns the changes that bring a hand to `size` cards; only a missing card causes a reshuffle (G-39, G-41)."""
    burned = max(0, hand - size)
    short = max(0, size - hand)
    drawn = min(short, draw)
    if drawn < short and burn and reshuffle:
        more = min(short - drawn, burn)
        return Drawing(drawn + more, burned, True, hand + drawn + more, burn - more, 0, short - drawn - more)
    return Drawing(drawn, burned, False, hand - burned + drawn, draw - drawn, burn + burned, short - drawn)


@operation()
def place(seat: Seat, drawn: Many[PatternId], occupied: Many[CellField] = (), n: Size = 5, *, spec: GameSpec) -> Answer:
    """The cells where a piece can be placed with the cards drawn so far, if any."""
    require_cells(n, {"occupied": occupied})
    patterns = variant(spec, n).cards
    for at, card in enumerate(drawn):
        if card not in patterns:
            raise BadInput(f"drawn.{at}")
    cells = placeable(n, seat, drawn, set(occupied))
    return {"can_place": bool(cells), "cells": plain(cells)}


@operation()
def draw_phase(
    hand: Count, draw: Count, burn: Count, hand_size: Positive = 5, mode: ModeName = STANDARD, *, spec: GameSpec
) -> Answer:
    """The numbers of cards drawn or burned in the Draw phase, until the hand has its size."""
    rules = mode_of(spec, mode)
    numbers = drawing(hand, draw, burn, hand_size, rules.reshuffle)._asdict()
    missing = numbers.pop("missing")
    return {
        **numbers,
        "eliminated": rules.exhausts and exhausted(spec.readings["exhaust_on"], numbers["draw"], missing),
    }


Step = tuple[int, int]
"""A step to a neighbouring cell, as the changes of row and column."""


def direction(cell: Point, to: Point) -> Step:
    """Returns the step from one cell to another, as the changes of row and column."""
    return to[0] - cell[0], to[1] - cell[1]


def next_steps(
    game: Variant, cell: CellField, blocked: frozenset[CellField], heading: Step | None
) -> Iterator[CellField]:
    """Yields the free cells one step away; `heading` is the previous step, if any (G-42, G-45, G-47, G-48)."""
    for step in game.steps:
        if heading is None or game.bend or step == heading:
            yield from slide(game.n, cell, step, blocked, 1)


def reachable(game: Variant, cell: CellField, blocked: frozenset[CellField], hand: int) -> dict[CellField, int]:
    """Returns the lowest cost of each cell to which a piece can move with a hand of `hand` cards (G-42, G-45)."""
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
    """Returns (from, to, cost) of each push of a target, straight away from `cell` (G-43, G-44, G-46 to G-49)."""
    return [
        (target, to, cost)
        for target in sorted(targets)
        if direction(cell, target) in game.steps
        for cost, to in enumerate(slide(game.n, target, direction(cell, target), blocked, hand), 1)
    ]


@operation()
def legal_moves(cell: CellField, hand: Count, occupied: Many[CellField] = (), n: Size = 5, *, spec: GameSpec) -> Answer:
    """Every cell to which a piece can move in one Move phase, sorted by cost, row and column."""
    require_cells(n, {"cell": cell, "occupied": occupied})
    costs = reachable(variant(spec, n), cell, frozenset(occupied), hand)
    return {"moves": [{"to": list(to), "cost": cost} for cost, to in sorted((cost, to) for to, cost in costs.items())]}


@operation()
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


@operation()
def legal_pushes(
    cell: CellField,
    targets: Many[CellField],
    hand: Count,
    occupied: Many[CellField] = (),
    n: Size = 5,
    *,
    spec: GameSpec,
) -> Answer:
    """Every possible push of an opponent next to a piece, sorted by target and cost."""
    require_cells(n, {"cell": cell, "targets": targets, "occupied": occupied})
    possible = pushes(variant(spec, n), cell, set(targets), frozenset((*targets, *occupied)), hand)
    return {"pushes": [{"target": list(target), "to": list(to), "cost": cost} for target, to, cost in possible]}


@operation()
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
    refuse(occupied=len(list(slide(n, target, away, frozenset(occupied), steps))) < steps)
    return {"to": list(to), "cost": steps}


Phase = Annotated[Literal["act_start", "act", "reaction", "critical_block", "other"], Words("phases")]


class Guard(Part):
    """A guard card, which is placed sideways while preparing, and has an orientation when set (G-68, G-69)."""

    card: PatternId
    state: Annotated[Literal["preparing", "set"], Words("guard_states")]
    orientation: Orientation | None = None


def prepare(card: str | None, phase: str, act_used: bool = False) -> Guard:
    """Returns a new guard, made in the Act phase or after a critical block (G-50, G-68, G-77, G-110)."""
    refuse(
        wrong_phase=phase not in ("act", "critical_block"),
        act_used=phase == "act" and act_used,
        no_card=card is None,
    )
    return Guard(card=str(card), state="preparing")


def set_upright(guard: Guard | None, phase: str, prepared_this_turn: bool, orientation: str | None) -> Guard:
    """Returns the guard turned upright at the start of a later Act phase (G-69, G-70, G-72, G-110)."""
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
    """Returns `guard` if it is set. Refuses any other, because it cannot be activated (G-74)."""
    refuse(no_guard=guard is None, guard_not_set=guard is not None and guard.state != "set")
    assert guard is not None
    return guard


@operation()
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
    """Prepares, sets or activates a guard; the answer has the guard afterwards, and the cards burned."""
    patterns = shapes(SIZES[-1])  # the question does not say which field is played on
    if guard and guard.card not in patterns:
        raise BadInput("guard.card")
    if card is not None and card not in patterns:
        raise BadInput("card")
    if action == "activate":
        # Only the owner who is attacked reveals the guard (G-74, G-82, G-110).
        refuse(attacker_cannot_activate=is_attacker)
        revealed = require_set(guard)
        refuse(not_under_attack=not under_attack)
        return {"guard": None, "burned": [revealed.card]}
    if phase is None:
        raise BadInput("phase")
    if action == "set":
        return {"guard": set_upright(guard, phase, prepared_this_turn, orientation).model_dump(), "burned": []}
    return {"guard": prepare(card, phase, act_used).model_dump(), "burned": [guard.card] if guard else []}


class Reaction(Part):
    """A reaction: hand cards, the set guard, or nothing (G-59). Both `cards` and `guard` together are refused."""

    type: Annotated[Literal["none", "hand", "guard"], Words("reactions")] | None = None
    cards: Many[PatternId] = ()
    guard: bool = False


NO_REACTION = Reaction(type="none")


class Target(Protocol):
    """A player who is attacked: seat, cell, and the hand and guard for the reaction."""

    cell: CellField
    guard: Guard | None

    @property
    def seat(self) -> str: ...
    @property
    def hand(self) -> Sequence[str] | None: ...


class Effect(NamedTuple):
    """The hits, damage and counter damage of an attack on an opponent, and what has become of the `guard`."""

    hits: int
    damage: int
    guard: str
    counter: int = 0
    critical: bool = False


def opposed(team: Name | None, other: Name | None) -> bool:
    """Returns whether two players are opponents, that is, not of the same team (G-8)."""
    return team is None or team != other


def hits_on(area: Mapping[str, frozenset[CellField]], cards: Iterable[str], cell: CellField) -> int:
    """Returns how many of `cards` cover `cell`, given the cells by card in `area` (G-18, G-57)."""
    return sum(cell in area[card] for card in cards)


def breaks(game: Variant, guard: Guard | None, hits: int) -> bool:
    """Returns whether an attack breaks a guard that is still preparing (G-65, G-66)."""
    return guard is not None and guard.state == "preparing" and hits >= game.guard["breaks_at"]


def has_cards(hand: Sequence[str], cards: Sequence[str]) -> bool:
    """Returns whether a hand contains all of `cards`."""
    return Counter(cards) <= Counter(hand)


def _check_reaction(game: Variant, target: Target, hits: int, reaction: Reaction) -> None:
    """Refuses a reaction that is not allowed (G-59, G-61, G-74)."""
    by_hand = reaction.type == "hand"
    both = (by_hand or bool(reaction.cards)) and (reaction.type == "guard" or reaction.guard)
    area = areas(game.n, target.seat, "defence")
    refuse(
        not_under_attack=not hits and (both or reaction.type != "none"),
        two_reactions=both,
        card_not_in_hand=by_hand and not has_cards(target.hand or (), reaction.cards),
        card_does_not_cover=by_hand and not all(target.cell in area[card] for card in reaction.cards),
    )
    if reaction.type == "guard":
        require_set(target.guard)


def effect(game: Variant, attacker: CellField, target: Target, hits: int, reaction: Reaction) -> Effect:
    """Returns an attack's effect on an opponent; a guard breaks before the reaction (G-60 to G-66, G-74 to G-81)."""
    _check_reaction(game, target, hits, reaction)
    guard, figures = target.guard, game.guard
    damage = hits
    state: str = guard.state if guard else "none"
    if breaks(game, guard, hits):
        damage, state = damage - figures["broken_negates"], "broken"
    if reaction.type == "hand":
        damage -= len(reaction.cards)
    if reaction.type != "guard" or guard is None:
        return Effect(hits, max(0, damage), state)
    area = areas(game.n, target.seat, guard.orientation or "")[guard.card]
    if guard.orientation == "defence":
        critical = target.cell in area
        return Effect(hits, 0, "hand" if critical else "burned", critical=critical)
    critical = attacker in area
    counter = figures["counter"] + critical * figures["critical_counter"]
    return Effect(hits, max(0, damage - figures["counter_negates"]), "burned", counter, critical)


def health_left(health: int | None, damage: int) -> int | None:
    """Returns health after damage, never below 0; None stays None, because it is not counted (G-57, G-86)."""
    return None if health is None else max(0, health - damage)


def health_after(game: Variant, health: int | None, effect: Effect) -> int | None:
    """Returns an opponent's health after an attack; a critical block adds to it, up to the cap (G-76, G-78)."""
    left = health_left(health, effect.damage)
    if left is None or effect.guard != "hand":
        return left
    gained = left + game.guard["critical_block"]
    return gained if game.health_cap is None else max(left, min(gained, game.health_cap))


class Attacker(Part):
    """The attacking player; if a hand is given, it must contain the attacking cards."""

    seat: Seat
    cell: CellField
    health: Count | None = None
    team: Name | None = None
    hand: Many[PatternId] | None = None


class Opponent(Part):
    """Any other player in the game, with the reaction chosen."""

    id: str
    seat: Seat
    cell: CellField
    health: Count | None = None
    team: Name | None = None
    hand: Many[PatternId] | None = None
    guard: Guard | None = None
    reaction: Reaction = NO_REACTION


@operation()
def attack(
    attacker: Attacker, cards: Many[PatternId], opponents: Many[Opponent], n: Size = 5, *, spec: GameSpec
) -> Answer:
    """Resolves an attack with all reactions; the answer has damage, counters, guards and health afterwards."""
    game = variant(spec, n)
    _check_question(n, attacker, opponents)
    mentioned = {*cards, *(attacker.hand or ())}
    for opponent in opponents:
        mentioned |= {
            *(opponent.hand or ()),
            *opponent.reaction.cards,
            *([opponent.guard.card] if opponent.guard else []),
        }
    refuse(
        no_attack_cards=not cards,
        pattern_unknown=not mentioned <= set(game.cards),
        card_not_in_hand=attacker.hand is not None and not has_cards(attacker.hand, cards),
    )
    area = areas(n, attacker.seat, "attack")
    effects: dict[str, Effect] = {}
    for opponent in opponents:
        hits = hits_on(area, cards, opponent.cell) if opposed(attacker.team, opponent.team) else 0
        effects[opponent.id] = effect(game, attacker.cell, opponent, hits, opponent.reaction)
    countered = sum(effect.counter for effect in effects.values())
    return {
        "targets": {
            opponent.id: {
                "hits": effect.hits,
                "negated": effect.hits - effect.damage,
                "damage": effect.damage,
                "health": health_after(game, opponent.health, effect),
                "guard": effect.guard,
                "counter": effect.counter,
                "critical": effect.critical,
            }
            for opponent, effect in zip(opponents, effects.values(), strict=True)
        },
        "attacker": {"damage": countered, "health": health_left(attacker.health, countered)},
        "dealt": {
            "attacker": sum(effect.damage for effect in effects.values()),
            **{name: effect.counter for name, effect in effects.items()},
        },
    }


def _check_question(n: int, attacker: Attacker, opponents: tuple[Opponent, ...]) -> None:
    """Raises BadInput for cells off the field, duplicate ids, and incomplete reactions."""
    require_cells(n, {"attacker.cell": attacker.cell})
    ids = {"attacker"}
    for at, opponent in enumerate(opponents):
        path, reaction, guard = f"opponents.{at}", opponent.reaction, opponent.guard
        require_cells(n, {f"{path}.cell": opponent.cell})
        if opponent.id in ids:
            raise BadInput(f"{path}.id")
        ids.add(opponent.id)
        if reaction.type is None and not (reaction.cards and reaction.guard):
            raise BadInput(f"{path}.reaction.type")
        if reaction.type == "hand" and opponent.hand is None:
            raise BadInput(f"{path}.hand")
        if reaction.type == "guard" and guard and guard.state == "set" and guard.orientation is None:
            raise BadInput(f"{path}.guard.orientation")
