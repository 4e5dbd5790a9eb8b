"""Cards and decks: is every pattern right, and is the deck complete?"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from carddb.deck import fixes
from carddb.game import GameSpec
from carddb.games.guarda.cells import SIZES, on_field
from carddb.games.guarda.field import Point
from carddb.games.guarda.form import Form, form
from carddb.games.guarda.patterns import shapes
from carddb.play.fields import Count, Many
from carddb.play.question import Answer, Options, operation, refuse


class Fault(NamedTuple):
    """What is wrong with a card or a deck; `surplus` says of each guilty card how many are too many, or (-) missing."""

    code: str
    message: str
    rules: tuple[str, ...]
    fix: str = ""
    surplus: Mapping[str, int] = {}


def size_faults(n: int) -> Iterator[Fault]:
    """A field that is too small or too large; nothing else is judged then (G-16)."""
    if n not in SIZES:
        least, most = SIZES[0], SIZES[-1]
        message = f"a field of {n}×{n} cells; {least}×{least} to {most}×{most} can be played"
        yield Fault("grid_size_unsupported", message, ("G-16",), f"Play on {least} to {most} cells a side.")


def deck_faults(game: Form, patterns: Mapping[str, int], grid_cards: int, others: int = 0) -> Iterator[Fault]:
    """Everything wrong with a deck by the number of each pattern (G-11 to G-13); `others` are cards without one."""
    strange = {card: count for card, count in patterns.items() if card not in game.cards}
    if strange:
        message = f"no pattern of a {game.n}×{game.n} field: {fixes.listed(list(strange))}"
        yield Fault("pattern_unknown", message, ("G-15",), "Remove it.", strange)
    missing = {card: -game.copies for card in game.cards if not patterns.get(card)}
    if missing:
        message = f"{len(missing)} of {len(game.cards)} patterns have no card: {fixes.listed(list(missing))}"
        yield Fault("pattern_missing", message, ("G-11",), surplus=missing)
    surplus = {card: count - game.copies for card in game.cards if (count := patterns.get(card, 0))}
    wrong = {card: count for card, count in surplus.items() if count}
    if wrong:
        counts = fixes.listed([f"{patterns[card]} of {card}" for card in wrong])
        message = f"{game.copies} of each pattern are needed, there are {counts}"
        yield Fault("pattern_copies", message, ("G-12",), surplus=wrong)
    total = sum(patterns.values()) + others
    if total != game.deck:
        message = f"{total} pattern cards, {game.deck} are needed"
        fix = f"Have {game.copies} of each of the {len(game.cards)} patterns."
        yield Fault("deck_total", message, ("G-12", "G-16"), fix)
    if grid_cards != game.grid_cards:
        message = f"{grid_cards} grid cards, {game.grid_cards} are needed"
        yield Fault("grid_card_count", message, ("G-13",), f"Have {game.grid_cards} grid cards of this field.")


def card_faults(game: Form, card: str, cells: Collection[Point], pointers: int) -> Iterator[Fault]:
    """Everything wrong with one pattern card (G-9, G-10, G-15)."""
    known = card in game.cards
    if not known:
        yield Fault("pattern_unknown", f"{card} is no pattern of a {game.n}×{game.n} field", ("G-15",))
    if not cells:
        yield Fault("pattern_empty", f"{card} has no highlighted cell", ("G-9",))
    elif known and set(cells) != shapes(game.n)[card]:
        yield Fault("pattern_cells", f"the cells of {card} are not those of its pattern", ("G-15",))
    if not all(on_field(game.n, cell) for cell in cells):
        yield Fault("cell_off_grid", f"{card} has a cell outside of {game.n}×{game.n}", ("G-9",))
    if pointers != 1:
        yield Fault("pointer_count", f"{card} has {pointers} pointers, 1 is needed", ("G-10",))


@operation("G-3", "G-11", "G-12", "G-13", "G-16", "G-34", "G-35", "G-36", "G-92")
def config(n: int = 5, *, spec: GameSpec, options: Options) -> Answer:
    """What a size of field needs: types, cards in a deck, grid cards, hand and opening hand."""
    refuse(grid_size_unsupported=n not in SIZES)
    game = form(spec, options, n)
    return {
        "types": len(game.cards),
        "deck": game.deck,
        "grid_cards": game.grid_cards,
        "hand": game.hand,
        "opening_hand": game.opening_hand,
    }


@operation("G-9", "G-10", "G-15", "G-16", "G-95", "G-109")
def check_card(id: str, cells: Many[Point], pointers: int, n: int = 5, *, spec: GameSpec, options: Options) -> Answer:
    """What is wrong with a pattern card."""
    found = list(size_faults(n)) or card_faults(form(spec, options, n), id, cells, pointers)
    return {"errors": _codes(found)}


@operation("G-11", "G-12", "G-13", "G-14", "G-15", "G-16", "G-109")
def check_deck(
    patterns: dict[str, Count], grid_cards: Count, n: int = 5, *, spec: GameSpec, options: Options
) -> Answer:
    """What is wrong with a deck: the number of cards of each pattern, and the grid cards."""
    found = list(size_faults(n)) or deck_faults(form(spec, options, n), patterns, grid_cards)
    return {"errors": _codes(found)}


def _codes(found: Iterable[Fault]) -> list[str]:
    return sorted(fault.code for fault in found)
