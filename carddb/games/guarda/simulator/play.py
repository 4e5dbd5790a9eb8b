"""How a game goes: setting up, then turns of four phases, until somebody has won (G-28 to G-91)."""

from __future__ import annotations

from carddb.games.guarda.cells import on_hill
from carddb.games.guarda.effects import admit, after, breaks, effect, hits_on, suffered
from carddb.games.guarda.guards import Guard, prepare, set_upright
from carddb.games.guarda.moves import direction
from carddb.games.guarda.simulator.invariants import check_drawn, check_turn
from carddb.games.guarda.simulator.policies import Policy
from carddb.games.guarda.simulator.table import NEVER, Player, Table
from carddb.games.guarda.turn import placeable
from carddb.games.guarda.winning import Verdict

UNDECIDED = Verdict()


def play(table: Table, policy: Policy, max_turns: int) -> tuple[Player, Verdict]:
    """A whole game: who had the first turn, and how it ended, if it did (G-5, G-37, G-56)."""
    first = _set_up(table, policy)
    found = table.judge()
    check_turn(table)
    player = first
    if player.out and found == UNDECIDED:
        player = table.after(player)[0]
    while found == UNDECIDED and table.turn < max_turns:
        table.turn += 1
        found = _turn(table, policy, player)
        check_turn(table)
        if found == UNDECIDED:
            player = table.after(player)[0]
    return first, found


def _set_up(table: Table, policy: Policy) -> Player:
    """Everyone draws in turn until two cards overlap on a free cell, then all are dealt a hand (G-28 to G-37)."""
    begins = table.stream.choice(table.players)
    waiting = [begins, *table.after(begins)]
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
    found = table.judge() if player.without_cards else UNDECIDED
    if player.out:
        return found
    _move(table, policy, player)
    if _act(table, policy, player):
        found = table.judge()
        if player.out or found != UNDECIDED:
            return found
    _settle(table, policy, player)
    return table.judge() if table.mode.score else UNDECIDED


def _draw(table: Table, policy: Policy, player: Player) -> None:
    held = len(player.hand)
    done = table.draw(player, player.hand, table.game.hand)
    cards = player.hand[held:]
    burned = policy.discard(table, player, done.burned) if done.burned else []
    player.discard(burned)
    table.note(player, "draw", cards=cards, burned=burned, reshuffled=done.reshuffled)
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
    for one in table.opponents(player):
        hits = hits_on(player.attack, cards, one.cell)
        if hits:
            countered = _struck(table, policy, player, one, hits, health)
            health[player] = suffered(health[player], countered)
    for one, left in health.items():
        one.health = left


def _struck(
    table: Table, policy: Policy, player: Player, one: Player, hits: int, health: dict[Player, int | None]
) -> int:
    """One opponent's reaction, and what it does to cards, points and health to come; returns the counter's damage."""
    game = table.game
    broken = game.guard["broken_negates"] if breaks(game, one.guard, hits) else 0
    reaction = policy.react(table, one, hits - broken)
    admit(game, one.seat, one.cell, one.hand, one.guard, hits, reaction)
    done = effect(game, player.cell, one.seat, one.cell, one.guard, hits, reaction)
    one.discard(reaction.cards)
    table.note(
        one,
        "react",
        type=reaction.type,
        cards=list(reaction.cards),
        hits=hits,
        damage=done.damage,
        guard=done.guard,
        counter=done.counter,
        critical=done.critical,
    )
    health[one] = after(game, one.health, done)
    player.points += done.damage
    one.points += done.counter
    if one.guard and done.guard in ("broken", "burned", "hand"):
        (one.hand if done.guard == "hand" else one.burn).append(one.guard.card)
        one.guard = None
    if done.guard == "hand" and (card := policy.renew(table, one)):
        _prepare(table, one, prepare(card, "critical_block"))
    return done.counter


def _settle(table: Table, policy: Policy, player: Player) -> None:
    """Burns what was played and what is not wanted, then scores the centre (G-54, G-90)."""
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
