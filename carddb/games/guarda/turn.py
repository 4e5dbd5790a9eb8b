"""Setting up and drawing: where a piece may be placed, and what a Draw phase does to the piles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from carddb.game import GameSpec
from carddb.games.guarda.cells import Seat, plain
from carddb.games.guarda.field import Cell, Size, demand_cells
from carddb.games.guarda.form import STANDARD, ModeName, form, mode_named
from carddb.games.guarda.patterns import areas
from carddb.games.guarda.winning import exhausted
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
    held = areas(n, seat, "attack")
    depth = Counter(cell for card in drawn for cell in held[card])
    return {cell for cell, cards in depth.items() if cards > 1 and cell not in occupied}


def drawing(hand: int, draw: int, burn: int, size: int, reshuffle: bool) -> Drawing:
    """Brings a hand to its size; a burn pile is shuffled only when a card must be drawn (G-39, G-41)."""
    burned = max(0, hand - size)
    wanted = max(0, size - hand)
    drawn = min(wanted, draw)
    if drawn < wanted and burn and reshuffle:
        more = min(wanted - drawn, burn)
        return Drawing(drawn + more, burned, True, hand + drawn + more, burn - more, 0, wanted - drawn - more)
    return Drawing(drawn, burned, False, hand - burned + drawn, draw - drawn, burn + burned, wanted - drawn)


@operation("G-29", "G-30", "G-31", "G-109")
def place(
    seat: Seat,
    drawn: Many[str],
    occupied: Many[Cell] = (),
    n: Size = 5,
    *,
    spec: GameSpec,
    options: Options,
) -> Answer:
    """Whether a piece can be placed with the cards drawn so far, and where."""
    demand_cells(n, occupied, "occupied")
    known = form(spec, options, n).cards
    for at, card in enumerate(drawn):
        if card not in known:
            raise BadInput(f"drawn.{at}")
    found = placeable(n, seat, drawn, set(occupied))
    return {"can_place": bool(found), "cells": plain(found)}


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
    rules = mode_named(spec, mode)
    done = drawing(hand, draw, burn, hand_size, rules.reshuffle)
    out = rules.exhausts and exhausted(options["exhaust_on"], done.draw, done.missing)
    return {
        "drawn": done.drawn,
        "burned": done.burned,
        "reshuffled": done.reshuffled,
        "hand": done.hand,
        "draw": done.draw,
        "burn": done.burn,
        "eliminated": out,
    }
