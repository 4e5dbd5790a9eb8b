"""An attack on the field: who is hit, how each opponent reacts, and what it costs whom."""

from __future__ import annotations

from collections.abc import Iterator

from carddb.game.game import GameSpec
from carddb.games.guarda.play.card_names import PatternId
from carddb.games.guarda.play.cells import Seat
from carddb.games.guarda.play.effects import (
    NO_REACTION,
    Effect,
    Reaction,
    effect,
    has_cards,
    health_after,
    health_left,
    hits_on,
    opposed,
)
from carddb.games.guarda.play.field import Cell, Size, require_cells
from carddb.games.guarda.play.guards import Guard
from carddb.games.guarda.play.patterns import areas
from carddb.games.guarda.play.variant import Name, Variant, variant
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, BadInput, Options, Part, operation, refuse


class Attacker(Part):
    """Who attacks; a hand that is given must hold the cards."""

    seat: Seat
    cell: Cell
    health: Count | None = None
    team: Name | None = None
    hand: Many[PatternId] | None = None


class Opponent(Part):
    """Anybody else in the game, with the reaction chosen."""

    id: str
    seat: Seat
    cell: Cell
    health: Count | None = None
    team: Name | None = None
    hand: Many[PatternId] | None = None
    guard: Guard | None = None
    reaction: Reaction = NO_REACTION


@operation(*(f"G-{number}" for number in (8, 18, *range(52, 54), *range(57, 69), *range(74, 84), 86, 111)))
def attack(
    attacker: Attacker,
    cards: Many[PatternId],
    opponents: Many[Opponent],
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """An attack with every reaction: damage, counters, guards and health afterwards."""
    game = variant(spec, options, n)
    _check_question(n, attacker, opponents)
    refuse(
        no_attack_cards=not cards,
        pattern_unknown=not {*cards, *_patterns(attacker, opponents)} <= set(game.cards),
        card_not_in_hand=attacker.hand is not None and not has_cards(attacker.hand, cards),
    )
    area = areas(n, attacker.seat, "attack")
    effects: dict[str, Effect] = {}
    for opponent in opponents:
        hits = hits_on(area, cards, opponent.cell) if opposed(attacker.team, opponent.team) else 0
        effects[opponent.id] = effect(game, attacker.cell, opponent, hits, opponent.reaction)
    countered = sum(effect.counter for effect in effects.values())
    return {
        "targets": {opponent.id: _target(game, opponent.health, effects[opponent.id]) for opponent in opponents},
        "attacker": {"damage": countered, "health": health_left(attacker.health, countered)},
        "dealt": {
            "attacker": sum(effect.damage for effect in effects.values()),
            **{name: effect.counter for name, effect in effects.items()},
        },
    }


def _target(game: Variant, health: int | None, effect: Effect) -> dict[str, object]:
    return {
        "hits": effect.hits,
        "negated": effect.hits - effect.damage,
        "damage": effect.damage,
        "health": health_after(game, health, effect),
        "guard": effect.guard,
        "counter": effect.counter,
        "critical": effect.critical,
    }


def _patterns(attacker: Attacker, opponents: tuple[Opponent, ...]) -> Iterator[str]:
    """Every pattern in the question beside the attacking cards."""
    yield from attacker.hand or ()
    for opponent in opponents:
        yield from opponent.hand or ()
        yield from opponent.reaction.cards
        if opponent.guard:
            yield opponent.guard.card


def _check_question(n: int, attacker: Attacker, opponents: tuple[Opponent, ...]) -> None:
    """Raises BadInput for cells off the field, ids that are no key of the answer, and reactions that lack a part."""
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
