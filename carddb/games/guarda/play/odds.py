"""Exact chances: that cards cover a cell, how many draws place a piece, and the opening hand."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from carddb.cards.cards import Deck
from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import CellField, Size, Variant, require_cells, shapes, variant
from carddb.play.chance import at_least, hypergeometric, mean, text
from carddb.play.question import Answer, BadInput, Count, Options, operation


def covering_types(game: Variant, cell: CellField) -> int:
    """Returns how many patterns cover a cell; the number is the same for any seat and orientation (G-17)."""
    return sum(cell in shapes(game.n)[card] for card in game.cards)


def chance_covered(game: Variant, cell: CellField, cards: int) -> Fraction:
    """Returns the chance that at least one of `cards` cards drawn from a full deck covers a cell (G-107)."""
    return at_least(hypergeometric(cards, covering_types(game, cell) * game.copies, game.deck), 1)


def draws_to_place(game: Variant) -> dict[int, Fraction]:
    """Returns the chance of each draw to be the first that places a piece on an empty field (G-108)."""
    # Cards have no common cell only if they are distinct parallel lines, or a single card.
    apart = {
        cards: Fraction(2 * comb(game.n, cards) * game.copies**cards, comb(game.deck, cards))
        for cards in range(2, game.n + 2)
    }
    apart[1] = Fraction(1)
    return {cards: apart[cards - 1] - apart[cards] for cards in range(2, game.n + 2)}


@operation("G-16", "G-17", "G-107", "G-109")
def cover_odds(cell: CellField, cards: Count, n: Size = 5, *, spec: GameSpec) -> Answer:
    """The chance that at least one of some cards covers a cell."""
    game = variant(spec, n)
    require_cells(n, {"cell": cell})
    if cards > game.deck:
        raise BadInput("cards", least=0, most=game.deck)
    types = covering_types(game, cell)
    return {"types": types, "copies": types * game.copies, "at_least_one": text(chance_covered(game, cell, cards))}


@operation("G-16", "G-30", "G-31", "G-108", "G-109")
def placement_odds(n: Size = 5, *, spec: GameSpec) -> Answer:
    """Number of cards that the first player draws until the piece can be placed."""
    chances = draws_to_place(variant(spec, n))
    return {"draws": {str(cards): text(chance) for cards, chance in chances.items()}, "mean": text(mean(chances))}


def opening_hands(deck: Deck, spec: GameSpec, options: Options) -> list[tuple[str, int, str]]:
    """Returns the section, the size of the first hand, and why it is 0; the format names the field (G-34 to G-36)."""
    field = deck.headers.get("format") or spec.default_format or ""
    if field not in spec.formats:
        return [("pattern", 0, f"No field is called {field}, so that the first hand is not known.")]
    return [("pattern", variant(spec.with_defaults(options), int(spec.formats[field].label or 0)).opening_hand, "")]
