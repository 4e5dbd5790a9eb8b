"""Exact chances: that cards cover a cell, and how many draws it takes to place a piece; the size of opening hands."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from carddb.cards.cards import Deck
from carddb.core.plain_text import amount, whole
from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import CellField, Size, TypedCell, Variant, require_cells, shapes, variant
from carddb.play.chance import at_least, bar, hypergeometric, mean, text
from carddb.play.question import Answer, BadInput, Count, Options, Positive, chances, operation


def covering_types(game: Variant, cell: CellField) -> int:
    """Returns how many patterns cover a cell; the number is the same for any seat and orientation (G-17)."""
    return sum(cell in shapes(game.n)[card] for card in game.cards)


def chance_covered(game: Variant, cell: CellField, cards: int) -> Fraction:
    """Returns the chance that at least one of `cards` cards drawn from a full deck covers a cell (G-107)."""
    return at_least(hypergeometric(cards, covering_types(game, cell) * game.copies, game.deck), 1)


def draws_to_place(game: Variant) -> dict[int, Fraction]:
    """Returns, by number of draws, the chance that the first piece can be placed after just so many (G-108)."""
    # `apart` is the chance that so many cards have no common cell: they are distinct parallel lines, or a single card.
    apart = {
        cards: Fraction(2 * comb(game.n, cards) * game.copies**cards, comb(game.deck, cards))
        for cards in range(2, game.n + 2)
    }
    apart[1] = Fraction(1)
    return {cards: apart[cards - 1] - apart[cards] for cards in range(2, game.n + 2)}


@operation()
def cover_odds(cell: CellField, cards: Count, n: Size = 5, *, spec: GameSpec) -> Answer:
    """The chance that at least one of `cards` cards, drawn from a full deck, covers a cell."""
    game = variant(spec, n)
    require_cells(n, {"cell": cell})
    if cards > game.deck:
        raise BadInput("cards", least=0, most=game.deck)
    types = covering_types(game, cell)
    return {"types": types, "copies": types * game.copies, "at_least_one": text(chance_covered(game, cell, cards))}


@operation()
def placement_odds(n: Size = 5, *, spec: GameSpec) -> Answer:
    """The chances of the numbers of cards that the first player draws until the piece can be placed, and their mean."""
    chances = draws_to_place(variant(spec, n))
    return {"draws": {str(cards): text(chance) for cards, chance in chances.items()}, "mean": text(mean(chances))}


def opening_hands(deck: Deck, spec: GameSpec, options: Options) -> list[tuple[str, int, str]]:
    """Returns the opening hand as (section, size, reason if the size is 0 for an unknown format) (G-34 to G-36)."""
    field = deck.headers.get("format") or spec.default_format or ""
    if field not in spec.formats:
        return [("pattern", 0, f"No field is called {field}, so the size of the first hand is not known.")]
    return [("pattern", variant(spec.with_defaults(options), int(spec.formats[field].label or 0)).opening_hand, "")]


@chances()
def cover(cell: TypedCell, cards: Positive | None = None, n: Size = 5, *, spec: GameSpec) -> Answer:
    """The chance that a cell is covered: `--cell 1,2 --cards 5`."""
    game, at = variant(spec, n), _parsed(cell)
    count = game.hand if cards is None else cards
    odds = cover_odds(at, count, n, spec=spec)
    kind = "on a diagonal" if at in shapes(n)["X"] else "not on a diagonal"
    return {
        "title": f"At least one of {amount(count)} covers row {at[0]}, column {at[1]} of the {n}×{n} field",
        "bars": [bar(amount(k), chance_covered(game, at, k)) for k in range(1, count + 1)],
        "notes": [
            f"The cell is {kind}: {odds['copies']} of the {game.deck} cards cover it, from any seat, "
            "in attack and in defence."
        ],
        **odds,
    }


@chances()
def placement(n: Size = 5, *, spec: GameSpec) -> Answer:
    """The number of cards that the first player draws until the piece can be placed: `--n 5`."""
    chances = draws_to_place(variant(spec, n))
    average = mean(chances)
    return {
        "title": f"Number of draws until the first piece can be placed on the {n}×{n} field",
        "bars": [bar(amount(k), chance) for k, chance in chances.items()],
        "notes": [f"On average {float(average):.4f} draws ({text(average)})."],
        "mean": text(average),
    }


def _parsed(cell: CellField | str) -> CellField:
    """Returns row and column of a cell, which may be a text such as `1,2`. Raises BadInput for other texts."""
    if not isinstance(cell, str):
        return cell
    row, _, column = (whole(part.strip(), 3) for part in cell.partition(","))
    if not row or not column:
        raise BadInput("cell")
    return row, column
