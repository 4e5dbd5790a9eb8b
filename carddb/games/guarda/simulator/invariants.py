"""Invariants: what must hold after every turn (G-113)."""

from __future__ import annotations

from carddb.games.guarda.play.cells import on_field
from carddb.games.guarda.simulator.table import Player, Table


def check_drawn(table: Table, player: Player) -> None:
    """A hand is full after a Draw phase, unless cards ran out or the mode has no reshuffle (G-36, G-39, G-41)."""
    cards, size = len(player.hand), table.game.hand
    excused = cards < size and (not table.mode.reshuffle or not (player.draw or player.burn))
    if cards != size and not excused:
        table.add_violation(f"{player.id} holds {cards} cards after the Draw phase, not {size}")


def check_turn(table: Table) -> None:
    """No card is lost, no two pieces share a cell, health is within bounds, no guard is set on its first turn."""
    n, deck, cap = table.game.n, table.game.deck, table.game.health_cap
    cells = set()
    for player in table.players:
        if player.out:
            continue
        if player.cards() != deck:
            table.add_violation(f"{player.id} has {player.cards()} cards, not {deck}")
        if player.cell in cells or not on_field(n, player.cell):
            table.add_violation(f"{player.id} is not alone on a cell of the field: {list(player.cell)}")
        cells.add(player.cell)
        if player.health is not None and not 0 <= player.health <= (cap or player.health):
            table.add_violation(f"{player.id} has health {player.health}")
        if player.set_on == player.prepared_on:
            table.add_violation(f"{player.id} set a guard on the turn it was prepared")
