"""The names of Guarda's cards, and how its grid cards lie."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated

from pydantic import AfterValidator, ValidationInfo

from carddb.core.vocabulary import Vocabulary
from carddb.game.game import GameSpec
from carddb.games.guarda.play.cells import SIZES
from carddb.games.guarda.play.patterns import shapes


def grid_columns(spec: GameSpec) -> int:
    """How many grid cards lie side by side (G-96, G-100)."""
    return int(spec.types["grid"].fields["column"].max or 0)


def name_of(spec: GameSpec, card: str) -> str:
    """A pattern or grid card in words: `Column 3`, `Diagonals`."""
    return _name(spec.data["faces"]["names"], card)


def _name(names: Mapping[str, str], card: str) -> str:
    """`Column 3` for `V3`, from the name of its kind."""
    letters = card.rstrip("0123456789")
    return str(names[letters]).replace("{k}", card.removeprefix(letters))


def name_on(spec: GameSpec, n: int, card: str) -> str:
    """A card by its whole name: `Column 3 of 5×5`."""
    return str(spec.data["faces"]["name"]).replace("{name}", name_of(spec, card)).replace("{n}", str(n))


def pattern_id(spec: GameSpec, word: str) -> str:
    """The id of the pattern that a word of a question means, however it is written; the word itself for none."""
    return _pattern_words(tuple(spec.data["faces"]["names"].items())).find(word) or word


@cache
def _pattern_words(names: tuple[tuple[str, str], ...]) -> Vocabulary:
    """The words of the patterns of the largest field, by the names of their kinds."""
    by_letters = dict(names)
    return Vocabulary(shapes(SIZES[-1]), {card: _name(by_letters, card) for card in shapes(SIZES[-1])})


def _id_of(word: str, info: ValidationInfo) -> str:
    return pattern_id(info.context, word) if info.context else word


PatternId = Annotated[str, AfterValidator(_id_of)]
"""A pattern card in a question: its id or its name, in any case."""
