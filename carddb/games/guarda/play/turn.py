"""Setting up and drawing: where a piece may be placed, and what a Draw phase does to the piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from carddb.game.game import GameSpec
from carddb.games.guarda.play.card_names import PatternId
from carddb.games.guarda.play.cells import Seat, plain
from carddb.games.guarda.play.field import Cell, Size, require_cells
from carddb.games.guarda.play.patterns import areas
from carddb.games.guarda.play.variant import STANDARD, ModeName, mode_of, variant
from carddb.games.guarda.play.winning import exhausted
from carddb.play.fields import Count, Many, Positive
from carddb.play.question import Answer, BadInput, Options, operation


class Drawing(NamedTuple):
    """What changes when a hand is brought to its size: cards drawn and burned, and the numbers afterwards.

    `missing` cards had to be drawn and could not.
    """

    drawn: int
    burned: int
    reshuffled: bool
    hand: int
    draw: int
    burn: int
    missing: int


def placeable(n: int, seat: str, drawn: Iterable[str], occupied: Collection[Cell]) -> set[Cell]:
    """The free cells where any two of the drawn cards overlap (G-29, G-30, G-31)."""
    area = areas(n, seat, "attack")
    depth = Counter(cell for card in drawn for cell in area[card])
    return {cell for cell, cards in depth.items() if cards > 1 and cell not in occupied}


def drawing(hand: int, draw: int, burn: int, size: int, reshuffle: bool) -> Drawing:
    """Brings a hand to its size; a burn pile is shuffled only when a card must be drawn (G-39, G-41)."""
    burned = max(0, hand - size)
    short = max(0, size - hand)
    drawn = min(short, draw)
    if drawn < short and burn and reshuffle:
        more = min(short - drawn, burn)
        return Drawing(drawn + more, burned, True, hand + drawn + more, burn - more, 0, short - drawn - more)
    return Drawing(drawn, burned, False, hand - burned + drawn, draw - drawn, burn + burned, short - drawn)


@operation("G-29", "G-30", "G-31", "G-109")
def place(
    seat: Seat,
    drawn: Many[PatternId],
    occupied: Many[Cell] = (),
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Whether a piece can be placed with the cards drawn so far, and where."""
    require_cells(n, {"occupied": occupied})
    patterns = variant(spec, options, n).cards
    for at, card in enumerate(drawn):
        if card not in patterns:
            raise BadInput(f"drawn.{at}")
    cells = placeable(n, seat, drawn, set(occupied))
    return {"can_place": bool(cells), "cells": plain(cells)}


@operation("G-36", "G-39", "G-40", "G-41", "G-87", "G-88")
def draw_phase(
    hand: Count,
    draw: Count,
    burn: Count,
    hand_size: Positive = 5,
    mode: ModeName = STANDARD,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """The Draw phase in numbers: cards are drawn or burned until the hand has its size."""
    rules = mode_of(spec, mode)
    numbers = drawing(hand, draw, burn, hand_size, rules.reshuffle)._asdict()
    missing = numbers.pop("missing")
    return {**numbers, "eliminated": rules.exhausts and exhausted(options["exhaust_on"], numbers["draw"], missing)}
