"""Two ways to play: uniformly among what is legal, and greedily (G-113)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from carddb.games.guarda.play.cells import Cell
from carddb.games.guarda.play.effects import NO_REACTION, Reaction
from carddb.games.guarda.play.moves import Step, next_steps, pushes
from carddb.games.guarda.play.variant import Name
from carddb.games.guarda.simulator.table import Player, Table
from carddb.play.stream import Stream

ACTIVATED = Reaction(type="guard")


class Move(NamedTuple):
    """A piece to another cell, paid with hand cards; the own piece, or that of an opponent who is pushed."""

    piece: Player
    to: Cell
    cards: list[str]


class Act(NamedTuple):
    """What is done in the Act phase: an attack with cards, or one card prepared as the guard."""

    attacks: bool
    cards: list[str]


class Policy:
    """Every choice that a player has. Here: any legal choice, each equally likely."""

    def place(self, table: Table, player: Player, cells: Sequence[Cell]) -> Cell:
        """The cell for the piece."""
        return table.stream.choice(cells)

    def discard(self, table: Table, player: Player, count: int) -> list[str]:
        """The cards to burn in the Draw phase."""
        return _some(table.stream, player.hand, count)

    def move(self, table: Table, player: Player, heading: Step | None) -> Move | None:
        """The next move or push; None ends the Move phase."""
        game, blocked, hand = table.game, table.occupied(), len(player.hand)
        if not hand:
            return None
        at = {opponent.cell: opponent for opponent in table.opponents(player)}
        choices = [(player, to, 1) for to in next_steps(game, player.cell, blocked, heading)]
        choices += [(at[cell], to, cost) for cell, to, cost in pushes(game, player.cell, at, blocked, hand)]
        number = table.stream.below(len(choices) + 1)
        if number == len(choices):
            return None
        piece, to, cost = choices[number]
        return Move(piece, to, _some(table.stream, player.hand, cost))

    def orient(self, table: Table, player: Player) -> str | None:
        """The orientation to set the prepared guard in; None leaves it preparing."""
        return table.stream.choice((None, "attack", "defence"))

    def act(self, table: Table, player: Player) -> Act | None:
        """An attack, a new guard, or nothing."""
        hand = player.hand
        number = table.stream.below(len(hand) + (1 << len(hand)))
        if number < len(hand):
            return Act(False, [hand[number]])
        cards = _subset(hand, number - len(hand))
        return Act(True, cards) if cards else None

    def react(self, table: Table, player: Player, due: int) -> Reaction:
        """The reaction to an attack of which `due` damage is left after a guard has broken."""
        guarded = player.guard is not None and player.guard.state == "set"
        covering = player.covering()
        number = table.stream.below(guarded + (1 << len(covering)))
        if number == 1 << len(covering):
            return ACTIVATED
        return Reaction(type="hand", cards=tuple(_subset(covering, number))) if number else NO_REACTION

    def renew(self, table: Table, player: Player) -> str | None:
        """The card to prepare at once after a critical block."""
        return table.stream.choice((None, *player.hand))

    def settle(self, table: Table, player: Player) -> list[str]:
        """The hand cards to burn in Settle."""
        return _subset(player.hand, table.stream.below(1 << len(player.hand)))


class Greedy(Policy):
    """Attacks with all that hits, and otherwise keeps what protects the own cell."""

    def __init__(self) -> None:
        self._idle = Counter[Name]()

    def discard(self, table: Table, player: Player, count: int) -> list[str]:
        return _least_useful(player, self._hitting(table, player), count)

    def move(self, table: Table, player: Player, heading: Step | None) -> Move | None:
        """A push by one cell, where no card hits before it and one does after it.

        A step of the own piece lets no card hit: which cells a card affects depends on the seat alone (G-26).
        """
        if self._hitting(table, player):
            return None
        at = {opponent.cell: opponent for opponent in table.opponents(player)}
        for cell, to, _ in pushes(table.game, player.cell, at, table.occupied(), 1):
            hitting = [card for card in player.hand if to in player.attack[card]]
            price = _least_useful(player, hitting, 1)
            if len(hitting) > sum(card in hitting for card in price):
                return Move(at[cell], to, price)
        return None

    def orient(self, table: Table, player: Player) -> str | None:
        return "defence"

    def act(self, table: Table, player: Player) -> Act | None:
        hitting = self._hitting(table, player)
        self._idle[player.id] = 0 if hitting else self._idle[player.id] + 1
        if hitting:
            return Act(True, hitting)
        covering = player.covering()
        return Act(False, covering[:1]) if covering and player.guard is None else None

    def react(self, table: Table, player: Player, due: int) -> Reaction:
        cards = player.covering()[:due]
        if due - len(cards) > 1 and player.guard is not None and player.guard.state == "set":
            return ACTIVATED
        return Reaction(type="hand", cards=tuple(cards)) if cards else NO_REACTION

    def renew(self, table: Table, player: Player) -> str | None:
        return None

    def settle(self, table: Table, player: Player) -> list[str]:
        if self._idle[player.id] > 1:
            self._idle[player.id] = 0
            return list(player.hand)
        return [card for card in player.hand if player.cell not in player.defence[card]]

    def _hitting(self, table: Table, player: Player) -> list[str]:
        cells = [opponent.cell for opponent in table.opponents(player)]
        return [card for card in player.hand if not player.attack[card].isdisjoint(cells)]


def _least_useful(player: Player, hitting: list[str], count: int) -> list[str]:
    """The least useful hand cards: those that neither hit nor cover, then those that only cover."""
    covering = player.covering()
    return sorted(player.hand, key=lambda card: (card in hitting, card in covering))[:count]


def _some(stream: Stream, cards: Sequence[str], count: int) -> list[str]:
    """A number of the cards, each equally likely."""
    left = list(cards)
    return [left.pop(stream.below(len(left))) for _ in range(count)]


def _subset(cards: Sequence[str], number: int) -> list[str]:
    """One of all the subsets of the cards, by its number; 0 is the empty one."""
    return [card for at, card in enumerate(cards) if number >> at & 1]
