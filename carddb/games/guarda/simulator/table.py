"""The table of a simulated game: players with their piles and pieces, and the record of what they do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from carddb.games.guarda.play.cells import Cell
from carddb.games.guarda.play.effects import opposed
from carddb.games.guarda.play.guards import Guard
from carddb.games.guarda.play.patterns import areas
from carddb.games.guarda.play.turn import Drawing, drawing
from carddb.games.guarda.play.variant import Mode, Name, Variant
from carddb.games.guarda.play.winning import Verdict, exhausted, is_out, verdict
from carddb.play.stream import Stream

NOWHERE: Cell = (0, 0)
"""The cell of a piece that is not on the field."""
NEVER = -1
"""The turn of what has not happened."""


@dataclass(slots=True, eq=False)
class Player:
    """A player: `attack` and `defence` are the areas of the cards from the own side, `played` lies face up.

    `prepared_on` and `set_on` are the turns of the guard that lies there.
    """

    id: Name
    team: Name | None
    seat: str
    place: int
    health: int | None
    draw: list[str]
    attack: Mapping[str, frozenset[Cell]]
    defence: Mapping[str, frozenset[Cell]]
    cell: Cell = NOWHERE
    hand: list[str] = field(default_factory=list)
    burn: list[str] = field(default_factory=list)
    played: list[str] = field(default_factory=list)
    guard: Guard | None = None
    prepared_on: int = 0
    set_on: int = NEVER
    points: int = 0
    hill: int = 0
    without_cards: bool = False
    out: bool = False

    def covering(self) -> list[str]:
        """The hand cards that cover the own cell in defence."""
        return [card for card in self.hand if self.cell in self.defence[card]]

    def cards(self) -> int:
        """All pattern cards, wherever they lie."""
        piles = len(self.hand) + len(self.draw) + len(self.burn) + len(self.played)
        return piles + (self.guard is not None)

    def discard(self, cards: Iterable[str]) -> None:
        """Burns hand cards (G-7)."""
        for card in cards:
            self.hand.remove(card)
            self.burn.append(card)


class Table:
    """The state of a game; `log` is None where nobody reads it."""

    def __init__(self, game: Variant, mode: Mode, stream: Stream, log: list[dict[str, Any]] | None) -> None:
        self.game = game
        self.mode = mode
        self.stream = stream
        self.log = log
        self.players: list[Player] = []
        self.turn = 0
        self.violations: list[str] = []

    def seat(self, name: Name, team: Name | None, side: str) -> None:
        """A player sits down with a shuffled deck."""
        deck = [card for card in self.game.cards for _ in range(self.game.copies)]
        self.stream.shuffle(deck)
        attack, defence = (areas(self.game.n, side, orientation) for orientation in ("attack", "defence"))
        self.players.append(Player(name, team, side, len(self.players), self.mode.health, deck, attack, defence))

    def note(self, player: Player, do: str, **what: Any) -> None:
        """Writes an action to the log; an action of a player who is out is a violation."""
        if player.out:
            self.add_violation(f"{player.id} is out and does {do}")
        if self.log is not None:
            self.log.append({"turn": self.turn, "player": player.id, "do": do, **what})

    def add_violation(self, what: str) -> None:
        self.violations.append(f"turn {self.turn}: {what}")

    def after(self, player: Player) -> list[Player]:
        """The others who are still in, clockwise."""
        at = player.place
        return [other for other in self.players[at + 1 :] + self.players[:at] if not other.out]

    def opponents(self, player: Player) -> list[Player]:
        """The opponents who are still in, clockwise (G-8, G-58)."""
        return [other for other in self.after(player) if opposed(player.team, other.team)]

    def occupied(self) -> frozenset[Cell]:
        """The cells with a piece."""
        return frozenset(player.cell for player in self.players if player.cell != NOWHERE)

    def draw(self, player: Player, into: list[str], size: int) -> Drawing:
        """Draws up to a number of cards, and tells how many are to be burned instead (G-39, G-41)."""
        numbers = drawing(len(into), len(player.draw), len(player.burn), size, self.mode.reshuffle)
        left = numbers.drawn
        if numbers.reshuffled:
            left -= len(player.draw)
            into += player.draw
            player.draw, player.burn = player.burn, []
            self.stream.shuffle(player.draw)
        for _ in range(left):
            into.append(player.draw.pop())
        if self.mode.exhausts and exhausted(self.game.exhaust_on, len(player.draw), numbers.missing):
            player.without_cards = True
        return numbers

    def verdict(self) -> Verdict:
        """Takes those off the field who are out, then says who has won (G-91, G-112)."""
        for player in self.players:
            if not player.out and is_out(self.mode, player.health, player.without_cards):
                self.note(player, "leave")
                player.out = True
                player.cell, player.guard = NOWHERE, None
                player.hand, player.played = [], []
        return verdict(self.mode, self.players, {player.id for player in self.players if player.out})
