"""How a game goes: setting up, then turns of four phases, until somebody has won (G-28 to G-91)."""

from __future__ import annotations

from carddb.games.guarda.play.cells import on_hill
from carddb.games.guarda.play.effects import Effect, breaks, effect, health_after, health_left, hits_on
from carddb.games.guarda.play.guards import Guard, prepare, set_upright
from carddb.games.guarda.play.moves import direction
from carddb.games.guarda.play.turn import placeable
from carddb.games.guarda.play.winning import Verdict
from carddb.games.guarda.simulator.invariants import check_drawn, check_turn
from carddb.games.guarda.simulator.policies import Policy
from carddb.games.guarda.simulator.table import NEVER, Player, Table

UNDECIDED = Verdict()


def play(table: Table, policy: Policy, max_turns: int) -> tuple[Player, Verdict]:
    """A whole game: who had the first turn, and how it ended, if it did (G-5, G-37, G-56)."""
    first = _set_up(table, policy)
    verdict = table.verdict()
    check_turn(table)
    player = first
    if player.out and verdict == UNDECIDED:
        player = table.after(player)[0]
    while verdict == UNDECIDED and table.turn < max_turns:
        table.turn += 1
        verdict = _turn(table, policy, player)
        check_turn(table)
        if verdict == UNDECIDED:
            player = table.after(player)[0]
    return first, verdict


def _set_up(table: Table, policy: Policy) -> Player:
    """Everyone draws in turn until two cards overlap on a free cell, then all are dealt a hand (G-28 to G-37)."""
    first = table.stream.choice(table.players)
    waiting = [first, *table.after(first)]
    placed: list[Player] = []
    while waiting:
        for player in list(waiting):
            table.draw(player, player.played, len(player.played) + 1)
            cells = placeable(table.game.n, player.seat, player.played, table.occupied())
            if cells:
                player.cell = policy.place(table, player, sorted(cells))
                table.note(player, "place", cell=list(player.cell), drawn=list(player.played))
                _clear(player)
                waiting.remove(player)
                placed.append(player)
    for player in table.players:
        table.draw(player, player.hand, table.game.opening_hand)
        table.note(player, "deal", cards=list(player.hand))
    return placed[0]


def _turn(table: Table, policy: Policy, player: Player) -> Verdict:
    """Draw, Move, Act, Settle (G-38); a player who drops out stops where that happens."""
    _draw(table, policy, player)
    verdict = table.verdict() if player.without_cards else UNDECIDED
    if player.out:
        return verdict
    _move(table, policy, player)
    if _act(table, policy, player):
        verdict = table.verdict()
        if player.out or verdict != UNDECIDED:
            return verdict
    _settle(table, policy, player)
    return table.verdict() if table.mode.score else UNDECIDED


def _draw(table: Table, policy: Policy, player: Player) -> None:
    before = len(player.hand)
    drawing = table.draw(player, player.hand, table.game.hand)
    cards = player.hand[before:]
    burned = policy.discard(table, player, drawing.burned) if drawing.burned else []
    player.discard(burned)
    table.note(player, "draw", cards=cards, burned=burned, reshuffled=drawing.reshuffled)
    check_drawn(table, player)


def _move(table: Table, policy: Policy, player: Player) -> None:
    heading = None
    while move := policy.move(table, player, heading):
        if move.piece is player:
            heading = direction(player.cell, move.to)
            table.note(player, "move", to=list(move.to), cards=move.cards)
        else:
            table.note(player, "push", target=move.piece.id, to=list(move.to), cards=move.cards)
        player.discard(move.cards)
        move.piece.cell = move.to


def _act(table: Table, policy: Policy, player: Player) -> bool:
    """Sets the guard, then attacks or prepares a new one; whether there was an attack (G-50, G-51)."""
    if player.guard and player.guard.state == "preparing" and (chosen := policy.orient(table, player)):
        again = player.prepared_on == table.turn
        player.guard = set_upright(player.guard, "act_start", again, chosen)
        player.set_on = table.turn
        table.note(player, "set", card=player.guard.card, orientation=chosen)
    act = policy.act(table, player)
    if act is None:
        return False
    if act.attacks:
        _attack(table, policy, player, act.cards)
    else:
        _prepare(table, player, prepare(act.cards[0], "act"))
    return act.attacks


def _prepare(table: Table, player: Player, guard: Guard) -> None:
    """A hand card becomes the guard; the one before it is burned (G-68, G-73)."""
    burned = [player.guard.card] if player.guard else []
    player.hand.remove(guard.card)
    player.burn += burned
    player.guard, player.prepared_on, player.set_on = guard, table.turn, NEVER
    table.note(player, "prepare", card=guard.card, burned=burned)


def _attack(table: Table, policy: Policy, player: Player, cards: list[str]) -> None:
    """Opponents under attack react one after the other; then all damage is applied (G-52, G-57, G-58, G-67)."""
    for card in cards:
        player.hand.remove(card)
    player.played += cards
    table.note(player, "attack", cards=list(cards))
    health = {player: player.health}
    for opponent in table.opponents(player):
        hits = hits_on(player.attack, cards, opponent.cell)
        if hits:
            result = _react(table, policy, player, opponent, hits)
            health[opponent] = health_after(table.game, opponent.health, result)
            health[player] = health_left(health[player], result.counter)
    for damaged, left in health.items():
        damaged.health = left


def _react(table: Table, policy: Policy, player: Player, opponent: Player, hits: int) -> Effect:
    """One opponent's reaction to an attack, and what it does to cards and points."""
    game = table.game
    broken = game.guard["broken_negates"] if breaks(game, opponent.guard, hits) else 0
    reaction = policy.react(table, opponent, hits - broken)
    result = effect(game, player.cell, opponent, hits, reaction)
    opponent.discard(reaction.cards)
    table.note(opponent, "react", type=reaction.type, cards=list(reaction.cards), **result._asdict())
    player.points += result.damage
    opponent.points += result.counter
    if opponent.guard and result.guard in ("broken", "burned", "hand"):
        (opponent.hand if result.guard == "hand" else opponent.burn).append(opponent.guard.card)
        opponent.guard = None
    if result.guard == "hand" and (card := policy.renew(table, opponent)):
        _prepare(table, opponent, prepare(card, "critical_block"))
    return result


def _settle(table: Table, policy: Policy, player: Player) -> None:
    """Burns the played and the unwanted cards, then scores the centre (G-54, G-90)."""
    unwanted = policy.settle(table, player)
    if unwanted or player.played:
        table.note(player, "settle", played=list(player.played), burned=list(unwanted))
    player.discard(unwanted)
    _clear(player)
    if table.mode.score == "hill" and on_hill(table.game.n, player.cell):
        player.hill += 1
        table.note(player, "score", hill=player.hill)


def _clear(player: Player) -> None:
    """Burns the cards that lie face up (G-32, G-54)."""
    player.burn += player.played
    player.played = []
