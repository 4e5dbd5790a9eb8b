"""The odds as people see them: a title, bars and notes."""

from __future__ import annotations

from carddb.core.plain_text import amount, whole
from carddb.game.game import GameSpec
from carddb.games.guarda.play.field import CellField, Size, shapes, variant
from carddb.games.guarda.play.odds import chance_covered, cover_odds, draws_to_place
from carddb.play.chance import bar, mean, text
from carddb.play.question import Answer, BadInput, Positive, operation


@operation("G-17", "G-107")
def cover(cell: CellField | str, cards: Positive | None = None, n: Size = 5, *, spec: GameSpec) -> Answer:
    """The chance that a cell is covered: `--cell 1,2 --cards 5`."""
    game, at = variant(spec, n), _parsed(cell)
    drawn = game.hand if cards is None else cards
    odds = cover_odds(at, drawn, n, spec=spec)
    kind = "a diagonal cell" if at in shapes(n)["X"] else "a plain cell"
    return {
        "title": f"At least one of {drawn} cards covers row {at[0]}, column {at[1]} of the {n}×{n} field",
        "bars": [bar(amount(k), chance_covered(game, at, k)) for k in range(1, drawn + 1)],
        "notes": [
            f"It is {kind}: {odds['copies']} of the {game.deck} cards cover it, from any seat, "
            "in attack and in defence."
        ],
        **odds,
    }


@operation("G-108")
def placement(n: Size = 5, *, spec: GameSpec) -> Answer:
    """Number of cards that the first player draws until the piece can be placed: `--n 5`."""
    chances = draws_to_place(variant(spec, n))
    average = mean(chances)
    return {
        "title": f"The first piece is placed after so many draws on the {n}×{n} field",
        "bars": [bar(amount(k), chance) for k, chance in chances.items()],
        "notes": [f"On average {float(average):.4f} draws ({text(average)})."],
        "mean": text(average),
    }


def _parsed(cell: CellField | str) -> CellField:
    """Returns a cell as row and column, also from a text such as `1,2`. Raises BadInput for other texts."""
    if not isinstance(cell, str):
        return cell
    row, _, column = (whole(part.strip(), 3) for part in cell.partition(","))
    if not row or not column:
        raise BadInput("cell")
    return row, column
