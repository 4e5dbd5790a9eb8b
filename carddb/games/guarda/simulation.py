"""Simulated games of Guarda, in which the program plays every player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from string import ascii_lowercase
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import Field

from carddb.findings import has_errors
from carddb.game.game import GameSpec
from carddb.games.guarda.play import turn as rules
from carddb.games.guarda.play.field import Cell, Size, Variant, areas, on_field, on_hill, variant
from carddb.games.guarda.play.players import (
    STANDARD,
    Member,
    Mode,
    ModeName,
    Name,
    Verdict,
    exhausted,
    is_out,
    mode_of,
    seats,
    side,
    team_findings,
    verdict,
    wrong_number,
)
from carddb.play.chance import Stream
from carddb.play.question import Answer, BadInput, Count, Known, Many, operation, refuse

NOWHERE: Cell = (0, 0)
"""The cell of a piece that is not on the field."""
NEVER = -1
"""The turn number for an event that has not happened."""


@dataclass(slots=True, eq=False)
class SimulatedPlayer:
    """A player in a simulated game; `place` is the index among the players.

    `attack` and `defence` map each card to the cells that it affects from the player's seat. `played` are the face-up
    cards. `prepared_on` and `set_on` are the turns on which the current guard was prepared and set.
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
    guard: rules.Guard | None = None
    prepared_on: int = 0
    set_on: int = NEVER
    points: int = 0
    hill: int = 0
    without_cards: bool = False
    out: bool = False

    def covering(self) -> list[str]:
        """Returns the hand cards that cover the player's own cell in defence."""
        return [card for card in self.hand if self.cell in self.defence[card]]

    def cards(self) -> int:
        """Returns the number of the player's pattern cards in all places."""
        piles = len(self.hand) + len(self.draw) + len(self.burn) + len(self.played)
        return piles + (self.guard is not None)

    def discard(self, cards: Iterable[str]) -> None:
        """Moves cards from the hand to the burn pile (G-7)."""
        for card in cards:
            self.hand.remove(card)
            self.burn.append(card)


@dataclass(slots=True, eq=False)
class SimulatedGame:
    """The state of a game; `log` is None if no log is wanted."""

    game: Variant
    mode: Mode
    stream: Stream
    log: list[dict[str, Any]] | None
    players: list[SimulatedPlayer] = field(default_factory=list)
    turn: int = 0
    violations: list[str] = field(default_factory=list)

    def seat(self, name: Name, team: Name | None, side: str) -> None:
        """Adds a player at the seat `side`, with a shuffled deck."""
        deck = [card for card in self.game.cards for _ in range(self.game.copies)]
        self.stream.shuffle(deck)
        attack, defence = (areas(self.game.n, side, orientation) for orientation in ("attack", "defence"))
        self.players.append(
            SimulatedPlayer(name, team, side, len(self.players), self.mode.health, deck, attack, defence)
        )

    def note(self, player: SimulatedPlayer, do: str, **what: Any) -> None:
        """Adds an action to the log; an action of an eliminated player is a violation."""
        if player.out:
            self.add_violation(f"{player.id} is out and does {do}")
        if self.log is not None:
            self.log.append({"turn": self.turn, "player": player.id, "do": do, **what})

    def add_violation(self, what: str) -> None:
        self.violations.append(f"turn {self.turn}: {what}")

    def after(self, player: SimulatedPlayer) -> list[SimulatedPlayer]:
        """Returns the other players who are still in the game, clockwise from `player`."""
        at = player.place
        return [other for other in self.players[at + 1 :] + self.players[:at] if not other.out]

    def opponents(self, player: SimulatedPlayer) -> list[SimulatedPlayer]:
        """Returns the opponents who are still in the game, clockwise (G-8, G-58)."""
        return [other for other in self.after(player) if rules.opposed(player.team, other.team)]

    def occupied(self) -> frozenset[Cell]:
        """Returns the cells with a piece."""
        return frozenset(player.cell for player in self.players if player.cell != NOWHERE)

    def draw(self, player: SimulatedPlayer, into: list[str], size: int) -> rules.Drawing:
        """Draws cards into `into` until it has `size`; returns the changes, such as the cards to burn (G-39, G-41)."""
        numbers = rules.drawing(len(into), len(player.draw), len(player.burn), size, self.mode.reshuffle)
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
        """Marks eliminated players as `out`, removes their pieces, and returns the verdict (G-91, G-112)."""
        for player in self.players:
            if not player.out and is_out(self.mode, player.health, player.without_cards):
                self.note(player, "leave")
                player.out = True
                player.cell, player.guard = NOWHERE, None
                player.hand, player.played = [], []
        return verdict(self.mode, self.players, {player.id for player in self.players if player.out})


def check_turn(table: SimulatedGame) -> None:
    """Adds violations for lost cards, pieces on the same cell, health out of bounds, guards set on their first turn."""
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


ACTIVATED = rules.Reaction(type="guard")


class PieceMove(NamedTuple):
    """A move of `piece`, the player's own or a pushed opponent's, to another cell, paid with hand cards."""

    piece: SimulatedPlayer
    to: Cell
    cards: list[str]


class Policy:
    """The choices of a player. This policy chooses from all legal choices, each with the same chance."""

    def place(self, table: SimulatedGame, player: SimulatedPlayer, cells: Sequence[Cell]) -> Cell:
        """Returns the one of `cells` on which to place the piece."""
        return table.stream.choice(cells)

    def discard(self, table: SimulatedGame, player: SimulatedPlayer, count: int) -> list[str]:
        """Returns the `count` hand cards to burn in the Draw phase."""
        return _some(table.stream, player.hand, count)

    def move(self, table: SimulatedGame, player: SimulatedPlayer, heading: rules.Step | None) -> PieceMove | None:
        """Returns the next move or push; None ends the Move phase. `heading` is the piece's last step, if any."""
        game, blocked, hand = table.game, table.occupied(), len(player.hand)
        if not hand:
            return None
        at = {opponent.cell: opponent for opponent in table.opponents(player)}
        choices = [(player, to, 1) for to in rules.next_steps(game, player.cell, blocked, heading)]
        choices += [(at[cell], to, cost) for cell, to, cost in rules.pushes(game, player.cell, at, blocked, hand)]
        number = table.stream.below(len(choices) + 1)
        if number == len(choices):
            return None
        piece, to, cost = choices[number]
        return PieceMove(piece, to, _some(table.stream, player.hand, cost))

    def orient(self, table: SimulatedGame, player: SimulatedPlayer) -> str | None:
        """Returns the orientation in which to set the prepared guard; None leaves it preparing."""
        return table.stream.choice((None, "attack", "defence"))

    def act(self, table: SimulatedGame, player: SimulatedPlayer) -> list[str] | str:
        """Returns the cards of an attack, an empty list for none, or the one card to prepare as the guard."""
        hand = player.hand
        number = table.stream.below(len(hand) + (1 << len(hand)))
        return hand[number] if number < len(hand) else _subset(hand, number - len(hand))

    def react(self, table: SimulatedGame, player: SimulatedPlayer, due: int) -> rules.Reaction:
        """Returns the reaction to an attack; `due` is the damage left after a guard has broken."""
        guarded = player.guard is not None and player.guard.state == "set"
        covering = player.covering()
        number = table.stream.below(guarded + (1 << len(covering)))
        if number == 1 << len(covering):
            return ACTIVATED
        return rules.Reaction(type="hand", cards=tuple(_subset(covering, number))) if number else rules.NO_REACTION

    def renew(self, table: SimulatedGame, player: SimulatedPlayer) -> str | None:
        """Returns the card to prepare at once as the guard after a critical block; None for no card."""
        return table.stream.choice((None, *player.hand))

    def settle(self, table: SimulatedGame, player: SimulatedPlayer) -> list[str]:
        """Returns the hand cards to burn in the Settle phase."""
        return _subset(player.hand, table.stream.below(1 << len(player.hand)))


class Greedy(Policy):
    """A policy that attacks with all cards that hit, and keeps those that protect the player's own cell."""

    def __init__(self) -> None:
        self._idle = Counter[Name]()

    def discard(self, table: SimulatedGame, player: SimulatedPlayer, count: int) -> list[str]:
        return _least_useful(player, self._hitting(table, player), count)

    def move(self, table: SimulatedGame, player: SimulatedPlayer, heading: rules.Step | None) -> PieceMove | None:
        """Returns a push by one cell if no card hits now but a card would hit afterwards.

        A step of the player's own piece never helps, because a card's cells depend only on the seat (G-26).
        """
        if self._hitting(table, player):
            return None
        at = {opponent.cell: opponent for opponent in table.opponents(player)}
        for cell, to, _ in rules.pushes(table.game, player.cell, at, table.occupied(), 1):
            hitting = [card for card in player.hand if to in player.attack[card]]
            price = _least_useful(player, hitting, 1)
            if len(hitting) > sum(card in hitting for card in price):
                return PieceMove(at[cell], to, price)
        return None

    def orient(self, table: SimulatedGame, player: SimulatedPlayer) -> str | None:
        return "defence"

    def act(self, table: SimulatedGame, player: SimulatedPlayer) -> list[str] | str:
        hitting, covering = self._hitting(table, player), player.covering()
        self._idle[player.id] = 0 if hitting else self._idle[player.id] + 1
        return covering[0] if covering and not hitting and player.guard is None else hitting

    def react(self, table: SimulatedGame, player: SimulatedPlayer, due: int) -> rules.Reaction:
        cards = player.covering()[:due]
        if due - len(cards) > 1 and player.guard is not None and player.guard.state == "set":
            return ACTIVATED
        return rules.Reaction(type="hand", cards=tuple(cards)) if cards else rules.NO_REACTION

    def renew(self, table: SimulatedGame, player: SimulatedPlayer) -> str | None:
        return None

    def settle(self, table: SimulatedGame, player: SimulatedPlayer) -> list[str]:
        if self._idle[player.id] > 1:
            self._idle[player.id] = 0
            return list(player.hand)
        return [card for card in player.hand if player.cell not in player.defence[card]]

    def _hitting(self, table: SimulatedGame, player: SimulatedPlayer) -> list[str]:
        cells = [opponent.cell for opponent in table.opponents(player)]
        return [card for card in player.hand if not player.attack[card].isdisjoint(cells)]


def _least_useful(player: SimulatedPlayer, hitting: list[str], count: int) -> list[str]:
    """Returns the `count` least useful hand cards: first any that neither hit nor cover, then any that only cover."""
    covering = player.covering()
    return sorted(player.hand, key=lambda card: (card in hitting, card in covering))[:count]


def _some(stream: Stream, cards: Sequence[str], count: int) -> list[str]:
    """Returns `count` of the cards, each selection with the same chance."""
    left = list(cards)
    return [left.pop(stream.below(len(left))) for _ in range(count)]


def _subset(cards: Sequence[str], number: int) -> list[str]:
    """Returns the subset of the cards with the number `number`: bit k says whether card k, from 0, is in it."""
    return [card for at, card in enumerate(cards) if number >> at & 1]


UNDECIDED = Verdict()


def play(table: SimulatedGame, policy: Policy, max_turns: int) -> tuple[SimulatedPlayer, Verdict]:
    """Plays at most `max_turns` turns; returns who had the first turn, and the verdict (G-5, G-37, G-56)."""
    first = _set_up(table, policy)
    verdict = table.verdict()
    check_turn(table)
    player = first
    while verdict == UNDECIDED and table.turn < max_turns:
        if table.turn or first.out:
            player = table.after(player)[0]
        table.turn += 1
        verdict = _turn(table, policy, player)
        check_turn(table)
    return first, verdict


def _set_up(table: SimulatedGame, policy: Policy) -> SimulatedPlayer:
    """Lets all draw until they can place their pieces, and deals the hands; returns who placed first (G-28 to G-37)."""
    first = table.stream.choice(table.players)
    waiting = [first, *table.after(first)]
    placed: list[SimulatedPlayer] = []
    while waiting:
        for player in list(waiting):
            table.draw(player, player.played, len(player.played) + 1)
            cells = rules.placeable(table.game.n, player.seat, player.played, table.occupied())
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


def _turn(table: SimulatedGame, policy: Policy, player: SimulatedPlayer) -> Verdict:
    """Plays the Draw, Move, Act and Settle phases (G-38); the turn stops when its player is eliminated."""
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


def _draw(table: SimulatedGame, policy: Policy, player: SimulatedPlayer) -> None:
    """Draws or burns cards until the hand has its size; a wrong size without a reason is a violation (G-36 to G-41)."""
    before, size = len(player.hand), table.game.hand
    drawing = table.draw(player, player.hand, size)
    cards = player.hand[before:]
    burned = policy.discard(table, player, drawing.burned) if drawing.burned else []
    player.discard(burned)
    table.note(player, "draw", cards=cards, burned=burned, reshuffled=drawing.reshuffled)
    left = len(player.hand)
    excused = left < size and (not table.mode.reshuffle or not (player.draw or player.burn))
    if left != size and not excused:
        table.add_violation(f"{player.id} holds {left} cards after the Draw phase, not {size}")


def _move(table: SimulatedGame, policy: Policy, player: SimulatedPlayer) -> None:
    heading = None
    while move := policy.move(table, player, heading):
        if move.piece is player:
            heading = rules.direction(player.cell, move.to)
            table.note(player, "move", to=list(move.to), cards=move.cards)
        else:
            table.note(player, "push", target=move.piece.id, to=list(move.to), cards=move.cards)
        player.discard(move.cards)
        move.piece.cell = move.to


def _act(table: SimulatedGame, policy: Policy, player: SimulatedPlayer) -> bool:
    """Sets the guard, then attacks or prepares a new guard; returns whether there was an attack (G-50, G-51)."""
    if player.guard and player.guard.state == "preparing" and (chosen := policy.orient(table, player)):
        player.guard = rules.set_upright(player.guard, "act_start", player.prepared_on == table.turn, chosen)
        player.set_on = table.turn
        table.note(player, "set", card=player.guard.card, orientation=chosen)
    choice = policy.act(table, player)
    if isinstance(choice, str):
        _prepare(table, player, rules.prepare(choice, "act"))
        return False
    if choice:
        _attack(table, policy, player, choice)
    return bool(choice)


def _prepare(table: SimulatedGame, player: SimulatedPlayer, guard: rules.Guard) -> None:
    """Makes a hand card the guard; the previous guard is burned (G-68, G-73)."""
    burned = [player.guard.card] if player.guard else []
    player.hand.remove(guard.card)
    player.burn += burned
    player.guard, player.prepared_on, player.set_on = guard, table.turn, NEVER
    table.note(player, "prepare", card=guard.card, burned=burned)


def _attack(table: SimulatedGame, policy: Policy, player: SimulatedPlayer, cards: list[str]) -> None:
    """Lets the attacked opponents react one by one, then applies all damage (G-52, G-57, G-58, G-67)."""
    for card in cards:
        player.hand.remove(card)
    player.played += cards
    table.note(player, "attack", cards=list(cards))
    health = {player: player.health}
    for opponent in table.opponents(player):
        hits = rules.hits_on(player.attack, cards, opponent.cell)
        if hits:
            result = _react(table, policy, player, opponent, hits)
            health[opponent] = rules.health_after(table.game, opponent.health, result)
            health[player] = rules.health_left(health[player], result.counter)
    for damaged, left in health.items():
        damaged.health = left


def _react(
    table: SimulatedGame, policy: Policy, player: SimulatedPlayer, opponent: SimulatedPlayer, hits: int
) -> rules.Effect:
    """Carries out an opponent's reaction with its effects on cards and points; returns the effect."""
    game = table.game
    broken = game.guard["broken_negates"] if rules.breaks(game, opponent.guard, hits) else 0
    reaction = policy.react(table, opponent, hits - broken)
    result = rules.effect(game, player.cell, opponent, hits, reaction)
    opponent.discard(reaction.cards)
    table.note(opponent, "react", type=reaction.type, cards=list(reaction.cards), **result._asdict())
    player.points += result.damage
    opponent.points += result.counter
    if opponent.guard and result.guard in ("broken", "burned", "hand"):
        (opponent.hand if result.guard == "hand" else opponent.burn).append(opponent.guard.card)
        opponent.guard = None
    if result.guard == "hand" and (card := policy.renew(table, opponent)):
        _prepare(table, opponent, rules.prepare(card, "critical_block"))
    return result


def _settle(table: SimulatedGame, policy: Policy, player: SimulatedPlayer) -> None:
    """Burns the played and the unwanted cards; by mode, counts a turn on the centre (G-54, G-90)."""
    unwanted = policy.settle(table, player)
    if unwanted or player.played:
        table.note(player, "settle", played=list(player.played), burned=list(unwanted))
    player.discard(unwanted)
    _clear(player)
    if table.mode.score == "hill" and on_hill(table.game.n, player.cell):
        player.hill += 1
        table.note(player, "score", hill=player.hill)


def _clear(player: SimulatedPlayer) -> None:
    """Burns the face-up cards (G-32, G-54)."""
    player.burn += player.played
    player.played = []


MAX_TURNS = 10_000

Teams = Many[Name] | Many[Many[Name]] | dict[str, Name] | Count | None
"""A list of each player's team, a list of each team's players, a mapping from player to team, or a number of teams."""


@operation()
def simulate(
    seed: int,
    players: int = 2,
    mode: Known[ModeName] = STANDARD,
    n: Size = 5,
    teams: Teams = None,
    policy: Literal["greedy", "random"] = "greedy",
    max_turns: Annotated[int, Field(ge=1, le=MAX_TURNS)] = 2000,
    log: bool = True,
    *,
    spec: GameSpec,
) -> Answer:
    """Plays a whole game by the rules; `violations` lists positions that break them, and should be empty."""
    wrong = wrong_number(spec, players)
    members = [] if wrong else _members(spec, players, teams)
    refuse(player_count=wrong, mode_unknown=mode not in spec.data["modes"])
    entries: list[dict[str, Any]] = []
    table = SimulatedGame(variant(spec, n), mode_of(spec, mode), Stream(seed), entries if log else None)
    for member, seat in zip(members, seats(spec, players), strict=True):
        table.seat(member.id, member.team, seat)
    first, verdict = play(table, Greedy() if policy == "greedy" else Policy(), max_turns)
    return {
        "finished": verdict != UNDECIDED,
        **verdict._asdict(),
        "turns": table.turn,
        "violations": table.violations,
        "first": first.id,
        "first_side": side(first)[1],
        "sides": list(dict.fromkeys(side(player)[1] for player in table.players)),
        "players": [{"id": player.id, "team": player.team, "seat": player.seat} for player in table.players],
        "log": entries,
    }


def _members(spec: GameSpec, count: int, teams: Teams) -> list[Member]:
    """Returns the players in the order of their seats, named a, b, c unless `teams` names them.

    The members of listed teams sit alternately. Raises BadInput if the teams do not fit the number of players.
    """
    if not teams:
        return [Member(id=name) for name in ascii_lowercase[:count]]
    seated: Iterable[tuple[Name, Name]]
    if isinstance(teams, int):
        seated = ((name, at % teams + 1) for at, name in enumerate(ascii_lowercase[:count]))
    elif isinstance(teams, Mapping):
        seated = teams.items()
    else:
        groups = [team for team in teams if isinstance(team, tuple)]
        rounds = (enumerate(turn, 1) for turn in zip_longest(*groups))
        listed = [(str(name), number) for turn in rounds for number, name in turn if name is not None]
        seated = listed or [(name, str(team)) for name, team in zip(ascii_lowercase, teams, strict=False)]
    members = [Member(id=name, team=str(team)) for name, team in seated]
    if has_errors(team_findings(spec, members)) or not len({member.id for member in members}) == len(members) == count:
        raise BadInput("teams")
    return members
