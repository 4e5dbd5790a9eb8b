"""An attack on the field: who is hit, how each opponent reacts, and what it costs whom."""

from __future__ import annotations

from collections.abc import Iterator

from carddb.game import GameSpec
from carddb.games.guarda.cells import Seat
from carddb.games.guarda.effects import (
    NO_REACTION,
    Effect,
    Reaction,
    admit,
    after,
    effect,
    hits_on,
    holds,
    opposed,
    suffered,
)
from carddb.games.guarda.field import Cell, Size, demand_cell
from carddb.games.guarda.form import Form, Name, form
from carddb.games.guarda.guards import Guard
from carddb.games.guarda.patterns import areas
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, BadInput, Options, Part, operation, refuse


class Attacker(Part):
    """Who attacks; a hand that is given must hold the cards."""

    seat: Seat
    cell: Cell
    health: Count | None = None
    team: Name | None = None
    hand: Many[str] | None = None


class Opponent(Part):
    """Anybody else in the game, with the reaction chosen."""

    id: str
    seat: Seat
    cell: Cell
    health: Count | None = None
    team: Name | None = None
    hand: Many[str] | None = None
    guard: Guard | None = None
    reaction: Reaction = NO_REACTION


@operation(*(f"G-{number}" for number in (8, 18, *range(52, 54), *range(57, 69), *range(74, 84), 86, 111)))
def attack(
    attacker: Attacker,
    cards: Many[str],
    opponents: Many[Opponent],
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """An attack with every reaction: damage, counters, guards and health afterwards."""
    game = form(spec, options, n)
    _demand_sense(n, attacker, opponents)
    refuse(
        no_attack_cards=not cards,
        pattern_unknown=not {*cards, *_named(attacker, opponents)} <= set(game.cards),
        card_not_in_hand=attacker.hand is not None and not holds(attacker.hand, cards),
    )
    held = areas(n, attacker.seat, "attack")
    done: dict[str, Effect] = {}
    for one in opponents:
        hits = hits_on(held, cards, one.cell) if opposed(attacker.team, one.team) else 0
        admit(game, one.seat, one.cell, one.hand or (), one.guard, hits, one.reaction)
        done[one.id] = effect(game, attacker.cell, one.seat, one.cell, one.guard, hits, one.reaction)
    countered = sum(found.counter for found in done.values())
    return {
        "targets": {one.id: _told(game, one.health, done[one.id]) for one in opponents},
        "attacker": {"damage": countered, "health": suffered(attacker.health, countered)},
        "dealt": {
            "attacker": sum(found.damage for found in done.values()),
            **{name: found.counter for name, found in done.items()},
        },
    }


def _told(game: Form, health: int | None, done: Effect) -> dict[str, object]:
    return {
        "hits": done.hits,
        "negated": done.hits - done.damage,
        "damage": done.damage,
        "health": after(game, health, done),
        "guard": done.guard,
        "counter": done.counter,
        "critical": done.critical,
    }


def _named(attacker: Attacker, opponents: tuple[Opponent, ...]) -> Iterator[str]:
    """Every pattern that the question names beside the attacking cards."""
    yield from attacker.hand or ()
    for one in opponents:
        yield from one.hand or ()
        yield from one.reaction.cards
        if one.guard:
            yield one.guard.card


def _demand_sense(n: int, attacker: Attacker, opponents: tuple[Opponent, ...]) -> None:
    """Raises BadInput for cells off the field, ids that are no key of the answer, and reactions that lack a part."""
    demand_cell(n, attacker.cell, "attacker.cell")
    taken = {"attacker"}
    for at, one in enumerate(opponents):
        path, reaction = f"opponents.{at}", one.reaction
        demand_cell(n, one.cell, f"{path}.cell")
        if one.id in taken:
            raise BadInput(f"{path}.id")
        taken.add(one.id)
        if reaction.type is None and not (reaction.cards and reaction.guard):
            raise BadInput(f"{path}.reaction.type")
        if reaction.type == "hand" and one.hand is None:
            raise BadInput(f"{path}.hand")
        if reaction.type == "guard" and one.guard and one.guard.state == "set" and one.guard.orientation is None:
            raise BadInput(f"{path}.guard.orientation")
