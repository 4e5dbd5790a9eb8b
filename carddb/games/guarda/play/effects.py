"""What an attack does to one opponent: hits, the break of a guard, the reaction, the health afterwards."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Literal, NamedTuple, Protocol

from carddb.games.guarda.play.card_names import PatternId
from carddb.games.guarda.play.field import Cell
from carddb.games.guarda.play.guards import Guard, require_set
from carddb.games.guarda.play.patterns import areas
from carddb.games.guarda.play.variant import Name, Variant
from carddb.play.fields import Many, Words
from carddb.play.question import Part, refuse


class Reaction(Part):
    """Hand cards, the set guard, or nothing (G-59); `guard` beside `cards` is both."""

    type: Annotated[Literal["none", "hand", "guard"], Words("reactions")] | None = None
    cards: Many[PatternId] = ()
    guard: bool = False


NO_REACTION = Reaction(type="none")


class Target(Protocol):
    """Who is attacked: the side and cell, and what the reaction takes from."""

    @property
    def seat(self) -> str: ...
    @property
    def cell(self) -> Cell: ...
    @property
    def hand(self) -> Sequence[str] | None: ...
    @property
    def guard(self) -> Guard | None: ...


class Effect(NamedTuple):
    """What an attack does to one opponent, and what comes back as a counter; `guard` is its state afterwards."""

    hits: int
    damage: int
    guard: str
    counter: int = 0
    critical: bool = False


def opposed(team: Name | None, other: Name | None) -> bool:
    """Whether two players are opponents: not of one team (G-8)."""
    return team is None or team != other


def hits_on(area: Mapping[str, frozenset[Cell]], cards: Iterable[str], cell: Cell) -> int:
    """How many of the cards cover a cell (G-18, G-57)."""
    return sum(cell in area[card] for card in cards)


def breaks(game: Variant, guard: Guard | None, hits: int) -> bool:
    """Whether an attack breaks a guard that is still preparing (G-65, G-66)."""
    return guard is not None and guard.state == "preparing" and hits >= game.guard["breaks_at"]


def has_cards(hand: Sequence[str], cards: Sequence[str]) -> bool:
    """Whether a hand has all of these cards."""
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


def effect(game: Variant, attacker: Cell, target: Target, hits: int, reaction: Reaction) -> Effect:
    """One opponent's share of an attack from a cell: the break, then the reaction (G-60 to G-66, G-74 to G-81).

    Refuses a reaction that is not allowed.
    """
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
    """Health after damage, never below 0; None is not counted (G-57, G-86)."""
    return None if health is None else max(0, health - damage)


def health_after(game: Variant, health: int | None, effect: Effect) -> int | None:
    """An opponent's health after an attack, with what a critical block gains up to the cap (G-76, G-78)."""
    left = health_left(health, effect.damage)
    if left is None or effect.guard != "hand":
        return left
    gained = left + game.guard["critical_block"]
    return gained if game.health_cap is None else max(left, min(gained, game.health_cap))
