"""What an attack does to one opponent: hits, the break of a guard, the reaction, the health afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from carddb.games.guarda.field import Cell
from carddb.games.guarda.form import Form, Name
from carddb.games.guarda.guards import Guard, demand_set
from carddb.games.guarda.patterns import areas
from carddb.play.fields import Many
from carddb.play.question import Part, refuse


class Reaction(Part):
    """Hand cards, the set guard, or nothing (G-59); `guard` beside `cards` is both."""

    type: Literal["none", "hand", "guard"] | None = None
    cards: Many[str] = ()
    guard: bool = False


NO_REACTION = Reaction(type="none")


class Effect(NamedTuple):
    """What an attack does to one opponent, and what comes back as a counter; `guard` is its state afterwards."""

    hits: int
    damage: int
    guard: str
    counter: int = 0
    critical: bool = False


def opposed(one: Name | None, other: Name | None) -> bool:
    """Whether two players are opponents: not of one team (G-8)."""
    return one is None or one != other


def hits_on(area: Mapping[str, frozenset[Cell]], cards: Iterable[str], cell: Cell) -> int:
    """How many of the cards cover a cell (G-18, G-57)."""
    return sum(cell in area[card] for card in cards)


def breaks(game: Form, guard: Guard | None, hits: int) -> bool:
    """Whether an attack breaks a guard that is still preparing (G-65, G-66)."""
    return guard is not None and guard.state == "preparing" and hits >= game.guard["breaks_at"]


def holds(hand: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether a hand has all of these cards."""
    return Counter(cards) <= Counter(hand)


def admit(
    game: Form, seat: str, cell: Cell, hand: Sequence[str], guard: Guard | None, hits: int, reaction: Reaction
) -> None:
    """Refuses a reaction that is not allowed (G-59, G-61, G-74)."""
    by_hand = reaction.type == "hand"
    both = (by_hand or bool(reaction.cards)) and (reaction.type == "guard" or reaction.guard)
    held = areas(game.n, seat, "defence")
    refuse(
        not_under_attack=not hits and (both or reaction.type != "none"),
        two_reactions=both,
        card_not_in_hand=by_hand and not holds(hand, reaction.cards),
        card_does_not_cover=by_hand and not all(cell in held[card] for card in reaction.cards),
    )
    if reaction.type == "guard":
        demand_set(guard)


def effect(
    game: Form, struck_from: Cell, seat: str, cell: Cell, guard: Guard | None, hits: int, reaction: Reaction
) -> Effect:
    """One opponent's share of an attack: the break, then the reaction (G-60 to G-66, G-74 to G-81)."""
    figures = game.guard
    damage = hits
    state: str = guard.state if guard else "none"
    if breaks(game, guard, hits):
        damage, state = damage - figures["broken_negates"], "broken"
    if reaction.type == "hand":
        damage -= len(reaction.cards)
    if reaction.type != "guard" or guard is None:
        return Effect(hits, max(0, damage), state)
    area = areas(game.n, seat, guard.orientation or "")[guard.card]
    if guard.orientation == "defence":
        critical = cell in area
        return Effect(hits, 0, "hand" if critical else "burned", critical=critical)
    critical = struck_from in area
    counter = figures["counter"] + critical * figures["critical_counter"]
    return Effect(hits, max(0, damage - figures["counter_negates"]), "burned", counter, critical)


def suffered(health: int | None, damage: int) -> int | None:
    """Health after damage, never below 0; None is not counted (G-57, G-86)."""
    return None if health is None else max(0, health - damage)


def after(game: Form, health: int | None, done: Effect) -> int | None:
    """An opponent's health after an attack, with what a critical block gains up to the cap (G-76, G-78)."""
    left = suffered(health, done.damage)
    if left is None or done.guard != "hand":
        return left
    gained = left + game.guard["critical_block"]
    return gained if game.health_cap is None else max(left, min(gained, game.health_cap))
