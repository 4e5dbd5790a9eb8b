"""Faults of cards and decks: whether every pattern is right and the deck complete."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from carddb.core.amounts import amount, listed
from carddb.game.game import GameSpec
from carddb.games.guarda.play.card_names import PatternId, pattern_id
from carddb.games.guarda.play.cells import SIZES, on_field, plain
from carddb.games.guarda.play.field import Point
from carddb.games.guarda.play.patterns import shapes
from carddb.games.guarda.play.variant import Variant, variant
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, Options, operation, refuse


class Fault(NamedTuple):
    """What is wrong with a card or a deck, in words and numbers.

    `surplus` is, for each card by its id, how many are too many, or (negative) missing; `whole` means that the fault
    is the deck's, not that of single cards.
    """

    code: str
    message: str
    rules: tuple[str, ...]
    data: Mapping[str, Any]
    fix: str = ""
    surplus: Mapping[str, int] = {}
    whole: bool = False


def size_faults(n: int) -> Iterator[Fault]:
    """A field that is too small or too large; nothing else is checked then (G-16)."""
    if n not in SIZES:
        least, most = SIZES[0], SIZES[-1]
        message = f"a field of {n}×{n} cells; {least}×{least} to {most}×{most} can be played"
        data = {"n": n, "least": least, "most": most}
        yield Fault("grid_size_unsupported", message, ("G-16",), data, f"Play on {least} to {most} cells a side.")


def deck_faults(
    game: Variant, patterns: Mapping[str, int], grids: Mapping[str, int], others: int = 0
) -> Iterator[Fault]:
    """Everything wrong with a deck by the number of each pattern and grid card (G-11 to G-13).

    `others` is the number of unknown cards in the pattern section; unknown grid cards have an empty id.
    """
    strange = {card: count for card, count in patterns.items() if card not in game.cards}
    if strange:
        message = f"no pattern of a {game.n}×{game.n} field: {listed(list(strange))}"
        yield Fault("pattern_unknown", message, ("G-15",), {"patterns": strange}, surplus=strange)
    missing = {card: -game.copies for card in game.cards if not patterns.get(card)}
    if missing:
        message = f"{len(missing)} of {len(game.cards)} patterns have no card: {listed(list(missing))}"
        data = {"count": len(game.cards) - len(missing), "limit": len(game.cards), "patterns": list(missing)}
        yield Fault("pattern_missing", message, ("G-11",), data, surplus=missing)
    counts = {card: count for card in game.cards if (count := patterns.get(card, 0)) not in (0, game.copies)}
    wrong = {card: count - game.copies for card, count in counts.items()}
    if wrong:
        there = listed([f"{count} of {card}" for card, count in counts.items()])
        message = f"{game.copies} of each pattern are needed, there are {there}"
        yield Fault("pattern_copies", message, ("G-12",), {"patterns": counts, "limit": game.copies}, surplus=wrong)
    total = sum(patterns.values()) + others
    if total != game.deck:
        yield Fault(
            "deck_total",
            f"{total} pattern cards, {game.deck} are needed",
            ("G-12", "G-16"),
            {"count": total, "limit": game.deck},
            f"Have {game.copies} of each of the {len(game.cards)} patterns and no other.",
            {**strange, **missing, **wrong},
            whole=True,
        )
    yield from _grid_faults(game, grids)


def _grid_faults(game: Variant, grids: Mapping[str, int]) -> Iterator[Fault]:
    count = sum(grids.values())
    if count != game.grid_cards:
        message = f"{count} grid cards, {game.grid_cards} are needed"
        data = {"count": count, "limit": game.grid_cards}
        fix = f"Have {game.grid_cards} grid cards of this field."
        yield Fault(
            "grid_card_count", message, ("G-13",), data, fix, _spare(grids, count - game.grid_cards), whole=True
        )


def _spare(grids: Mapping[str, int], over: int) -> Mapping[str, int]:
    """Which grid cards to remove so that there are `over` fewer, or (negative) which missing ones to add."""
    if over < 0:
        return dict.fromkeys([card for card, count in grids.items() if count == 0][:-over], -1)
    spare: dict[str, int] = {}
    for card, count in grids.items():
        if card and count > 1 and over:
            spare[card] = min(count - 1, over)
            over -= spare[card]
    return spare


def card_faults(game: Variant, card: str, cells: Collection[Point], pointers: int) -> Iterator[Fault]:
    """Everything wrong with one pattern card (G-9, G-10, G-15)."""
    shape = shapes(game.n)[card] if card in game.cards else None
    is_right = shape is not None and set(cells) == shape
    if shape is None:
        message = f"{card} is no pattern of a {game.n}×{game.n} field"
        yield Fault(
            "pattern_unknown", message, ("G-15",), {"patterns": [card]}, f"Write one of {', '.join(game.cards)}."
        )
    if not cells:
        fix = "Highlight the cells of its pattern."
        yield Fault("pattern_empty", f"{card} has no highlighted cell", ("G-9",), {"count": 0, "limit": 1}, fix)
    elif shape is not None and not is_right:
        message = f"{card} has {amount(len(set(cells)), 'cell')}, not the {len(shape)} of its pattern"
        data = {"missing": plain(shape - set(cells)), "surplus": plain(set(cells) - shape)}
        written = "; ".join(f"{row},{column}" for row, column in sorted(shape))
        yield Fault("pattern_cells", message, ("G-15",), data, f"Highlight {written}.")
    outside = [] if is_right else [cell for cell in cells if not on_field(game.n, cell)]
    if outside:
        message = f"{card} has a cell outside of {game.n}×{game.n}"
        fix = f"Rows and columns are 1 to {game.n}, written as 1,{game.n}."
        yield Fault("cell_off_grid", message, ("G-9",), {"cells": plain(set(outside)), "limit": game.n}, fix)
    if pointers != 1:
        message = f"{card} has {pointers} pointers, 1 is needed"
        yield Fault("pointer_count", message, ("G-10",), {"count": pointers, "limit": 1}, "Give it one pointer.")


@operation("G-3", "G-11", "G-12", "G-13", "G-16", "G-34", "G-35", "G-36", "G-92")
def config(n: int = 5, *, spec: GameSpec, options: Options) -> Answer:
    """What a size of field needs: types, cards in a deck, grid cards, hand and opening hand."""
    refuse(grid_size_unsupported=n not in SIZES)
    game = variant(spec, options, n)
    return {
        "types": len(game.cards),
        "deck": game.deck,
        "grid_cards": game.grid_cards,
        "hand": game.hand,
        "opening_hand": game.opening_hand,
    }


@operation("G-9", "G-10", "G-15", "G-16", "G-95", "G-109")
def check_card(
    id: PatternId, cells: Many[Point], pointers: int, n: int = 5, *, spec: GameSpec, options: Options
) -> Answer:
    """What is wrong with a pattern card."""
    faults = list(size_faults(n)) or card_faults(variant(spec, options, n), id, cells, pointers)
    return {"errors": sorted(fault.code for fault in faults)}


@operation("G-11", "G-12", "G-13", "G-14", "G-15", "G-16", "G-109")
def check_deck(
    patterns: dict[str, Count], grid_cards: Count, n: int = 5, *, spec: GameSpec, options: Options
) -> Answer:
    """What is wrong with a deck: the number of cards of each pattern, and the grid cards."""
    counts: Counter[str] = Counter()
    for word, count in patterns.items():
        counts[pattern_id(spec, word)] += count
    faults = list(size_faults(n)) or deck_faults(variant(spec, options, n), counts, {"": grid_cards})
    return {"errors": sorted(fault.code for fault in faults)}
