"""The variant that is played: the size of the field with the house readings, and the win mode."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from carddb.game.game import GameSpec
from carddb.games.guarda.play.patterns import shapes
from carddb.play.fields import Words

if TYPE_CHECKING:
    from carddb.play.question import Options

ModeName = Annotated[Literal["elimination", "victory", "exhaustion", "king"], Words("modes")]
STANDARD: ModeName = "elimination"
"""The mode where none is named (G-84)."""

Name = str | int
"""What a player or a team is called."""

STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@dataclass(frozen=True, slots=True)
class Variant:
    """A size of field with the readings in force; `cards` are the ids of its patterns."""

    n: int
    cards: tuple[str, ...]
    copies: int
    grid_cards: int
    opening_hand: int
    steps: tuple[tuple[int, int], ...]
    bend: bool
    health_cap: int | None
    exhaust_on: str
    guard: Mapping[str, int]

    @property
    def deck(self) -> int:
        """The pattern cards of a player (G-12, G-16)."""
        return len(self.cards) * self.copies

    @property
    def hand(self) -> int:
        """The hand that a Draw phase leads to (G-36)."""
        return self.n


@dataclass(frozen=True, slots=True)
class Mode:
    """A win mode: what a player has and loses, and what wins (G-84 to G-90); `{goal}` in a text stands for the goal."""

    label: str
    out: str
    wins: str
    eliminates: bool
    reshuffle: bool
    health: int | None = None
    score: str = ""
    goal: int = 0
    exhausts: bool = False


def variant(spec: GameSpec, options: Options, n: int) -> Variant:
    """The variant on an n×n field."""
    data = spec.data
    by_field = "lines" if n in data["lines_only"] else "lines_x_all"
    families = data["patterns"].get(options["patterns"], data["patterns"][by_field])
    cap = options["health_cap"]
    return Variant(
        n=n,
        cards=tuple(card for card in shapes(n) if card.rstrip("0123456789") in families),
        copies=data["copies"],
        grid_cards=data["grid_cards"],
        opening_hand=max(options["opening_hand"], n),
        steps=STRAIGHT + (DIAGONAL if options["diagonals"] else ()),
        bend=options["bend"],
        health_cap=None if cap == "none" else cap,
        exhaust_on=options["exhaust_on"],
        guard=data["guard"],
    )


def mode_of(spec: GameSpec, name: str) -> Mode:
    """A win mode by its key."""
    return Mode(**spec.data["modes"][name])
