"""Guarda: whole games. Their logs are played again, action by action, before the referee."""

from __future__ import annotations

import json
from collections import Counter
from itertools import cycle
from statistics import median
from typing import Any

import pytest

from tests.games.guarda.replay import Replay
from tests.games.guarda.samples import SIZES, ask
from tests.rows import every, usually

MODES = ("elimination", "victory", "exhaustion", "king")
POLICIES = ("greedy", "random")
READINGS: list[dict[str, Any]] = [
    {},
    {"diagonals": True, "health_cap": "none"},
    {"bend": True, "patterns": "lines", "exhaust_on": "failed_draw"},
    {"opening_hand": 5, "patterns": "lines_x_all", "diagonals": True, "bend": True},
]


def played(**question: Any) -> dict[str, Any]:
    asked = {"players": 2, "mode": "elimination", "seed": 1, "policy": "greedy", **question}
    answer = ask("simulate", **asked)
    assert answer["ok"], answer
    return answer


def replayed(**question: Any) -> Replay:
    asked = {"players": 2, "mode": "elimination", "seed": 1, "policy": "greedy", **question}
    answer = played(**asked)
    assert answer["violations"] == []
    replay = Replay(asked, answer)
    replay.run()
    return replay


@usually("players", range(2, 9), 2, 5)
@usually("mode", MODES)
@usually("policy", POLICIES)
def test_every_action_of_a_game_is_allowed(policy: str, mode: str, players: int) -> None:
    """Every action of whole games is one that the referee allows, with the numbers that it gives (G-113).

    Everyone has an own deck and its cards never leave it (G-14); turns go round by Draw, Move, Act and Settle (G-5,
    G-38, G-56); the first who placed begins (G-37); reactions come clockwise (G-58); cards played for placing, attack
    and defence are burned (G-32, G-54, G-55); who is out does nothing more, and the cell is free (G-91).
    Each size of field meets each mode, each number of players and each policy; all combinations are in the full run.
    """
    first = (players + MODES.index(mode)) % 2
    for seed, (n, reading) in list(enumerate(zip(SIZES, cycle(READINGS), strict=False)))[first::2]:
        teams = 2 if players > 3 and seed % 2 else None
        asked: dict[str, Any] = {"policy": policy, "mode": mode, "players": players, "teams": teams}
        replayed(n=n, seed=100 * players + seed, options=reading, **asked)


@pytest.mark.full
@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("policy", POLICIES)
def test_every_action_of_many_games_is_allowed(policy: str, mode: str, players: int) -> None:
    """The same for many games (G-113)."""
    for seed in range(10):
        for n in SIZES:
            teams = 2 + seed % 2 if players > 3 and seed % 3 else None
            asked: dict[str, Any] = {"policy": policy, "mode": mode, "players": players, "teams": teams}
            replayed(n=n, seed=seed, options=READINGS[seed % 4], **asked)


@pytest.mark.full
def test_everything_happens_somewhere() -> None:
    """Random games show every kind of action: pushes, guards set both ways, blocks, counters, broken guards (G-113)."""
    seen: Counter[str] = Counter()
    for seed in range(30):
        seen += replayed(players=4, policy="random", seed=seed).seen
        seen += replayed(players=3, mode="king", policy="random", seed=seed, n=3).seen
    whole = {"draw", "move", "push", "set", "prepare", "attack", "settle", "score", "leave", "renewed"}
    assert whole | {f"react {state}" for state in ("none", "preparing", "set", "broken", "burned", "hand")} <= set(seen)


@every("policy", POLICIES)
@every("mode", MODES)
def test_the_same_seed_plays_the_same_game(policy: str, mode: str) -> None:
    """The same question has the same log to the letter, another seed another; without log the rest is equal (G-113)."""
    asked: dict[str, Any] = {"players": 3, "mode": mode, "policy": policy, "n": 6}
    once, again = played(seed=7, **asked), played(seed=7, **asked)
    assert json.dumps(once) == json.dumps(again) and json.loads(json.dumps(once)) == once
    assert played(seed=8, **asked)["log"] != once["log"]
    assert played(seed=7, log=False, **asked) == {**once, "log": []}


def test_seeds_of_any_size() -> None:
    """Any whole number is a seed (G-113)."""
    assert all(played(seed=seed)["finished"] for seed in (0, -1, 10**30, -(10**30)))


@usually("n", SIZES)
def test_two_greedy_players_do_not_stall(n: int) -> None:
    """Games of two that attack whenever they can end long before the limit, in every mode (G-84 to G-90, G-113)."""
    for mode in MODES:
        games = [played(n=n, mode=mode, seed=seed, log=False) for seed in range(25)]
        assert all(game["finished"] and not game["violations"] for game in games)
        assert median(game["turns"] for game in games) < 200


@pytest.mark.full
def test_winners_are_those_of_their_mode() -> None:
    """A game ends as its mode says: one left, twenty points, an empty pile, five turns on the centre (G-84 to G-91)."""
    assert any(replay.mode == "king" and winner_has(replay, "hill", 5) for replay in some("king"))
    assert all(winner_has(replay, "points", 20) for replay in some("victory"))
    for replay in some("elimination"):
        assert [player.id for player in replay.players.values() if not player.out] == [replay.answer["winner"]]
    ends = [player for replay in some("exhaustion") for player in replay.players.values() if player.out]
    assert any(player.draw == 0 and player.health for player in ends) and any(player.health == 0 for player in ends)


def some(mode: str) -> list[Replay]:
    return [replayed(mode=mode, seed=seed, players=3, policy="random", n=4) for seed in range(12)]


def winner_has(replay: Replay, score: str, least: int) -> bool:
    winner = replay.answer["winner"]
    return winner is None or getattr(replay.players[winner], score) >= least


def test_the_opening_hand_is_held_until_the_first_own_draw_phase() -> None:
    """Everybody is dealt 6 and burns one in the first own Draw phase; or 5 are dealt (G-34, G-35, G-36)."""
    log = played(players=4, seed=3)["log"]
    assert [len(entry["cards"]) for entry in log if entry["do"] == "deal"] == [6, 6, 6, 6]
    draws = [entry for entry in log if entry["do"] == "draw"][:4]
    assert len({entry["player"] for entry in draws}) == 4
    assert all(entry["cards"] == [] and len(entry["burned"]) == 1 for entry in draws[:1])
    log = played(players=4, seed=3, options={"opening_hand": 5})["log"]
    assert [len(entry["cards"]) for entry in log if entry["do"] == "deal"] == [5, 5, 5, 5]


def test_greedy_players() -> None:
    """Greedy players attack with all that hits, set guards in defence and prepare cards that cover them (G-113)."""
    seen: Counter[str] = Counter()
    for seed in range(20):
        question: dict[str, Any] = {"players": 3, "mode": "elimination", "seed": seed, "policy": "greedy"}
        replay = Watched(question, played(**question))
        replay.run()
        seen += replay.seen
    assert {"attack", "prepare", "set", "react hand", "react broken"} <= set(seen)


class Watched(Replay):
    """Looks at the choices of greedy players as their game is played again."""

    def _attack(self, one: Any, entry: Any, steps: Any, entries: Any, number: int) -> None:
        cells = [other.cell for other in self._after(one)]
        hitting = [card for card in one.hand.elements() if self._hits(one, card, cells)]
        assert sorted(hitting) == sorted(entry["cards"])
        for found in entries:
            if found["do"] == "react":
                self._check_reaction(found, entries)
        super()._attack(one, entry, steps, entries, number)

    def _check_reaction(self, entry: Any, entries: Any) -> None:
        other = self.players[entry["player"]]
        due = entry["hits"] - (1 if entry["guard"] == "broken" else 0)
        covering = [card for card in other.hand.elements() if self._covers(other, card)]
        cards = min(len(covering), due)
        guarded = other.guard is not None and other.guard["state"] == "set"
        if guarded and due - cards >= 2:
            assert entry["type"] == "guard" and entry["damage"] == 0
        else:
            assert entry["type"] == ("hand" if cards else "none") and len(entry["cards"]) == cards

    def _prepare(self, one: Any, entry: Any, phase: str, number: int) -> None:
        assert phase == "act" and one.guard is None and self._covers(one, entry["card"])
        cells = [other.cell for other in self._after(one)]
        assert not any(self._hits(one, card, cells) for card in one.hand)
        super()._prepare(one, entry, phase, number)

    def _hits(self, one: Any, card: str, cells: Any) -> bool:
        found = ask("cells", card=card, orientation="attack", seat=one.seat, n=self.n)["cells"]
        return any(cell in found for cell in cells)

    def _covers(self, one: Any, card: str) -> bool:
        return bool(ask("covers", card=card, orientation="defence", seat=one.seat, cell=one.cell, n=self.n)["covers"])


def test_greedy_guards_defend() -> None:
    """A greedy player's guard is set in defence (G-69, G-113)."""
    logs = [played(players=2, seed=seed)["log"] for seed in range(20)]
    chosen = {entry["orientation"] for log in logs for entry in log if entry["do"] == "set"}
    assert chosen == {"defence"}


def test_greedy_pushes_let_a_card_hit() -> None:
    """A greedy player moves nothing but an opponent by one cell, and attacks on that turn (G-43, G-113)."""
    pushes = 0
    for seed in range(60):
        log = played(players=2, n=3, seed=seed)["log"]
        assert not any(entry["do"] == "move" for entry in log)
        for entry in log:
            if entry["do"] == "push":
                pushes += 1
                assert len(entry["cards"]) == 1
                turn = [other["do"] for other in log if other["turn"] == entry["turn"]]
                assert turn.count("push") == 1 and "attack" in turn
    assert pushes


@pytest.mark.full
def test_greedy_players_who_hit_nobody_twice_burn_their_hand() -> None:
    """After two own turns running without a card that hits, the whole hand is burned in Settle (G-113)."""
    burned = 0
    for seed in range(20):
        replay = Idle({"players": 2, "mode": "elimination"}, played(seed=seed, policy="greedy"))
        replay.run()
        burned += replay.emptied
    assert burned


class Idle(Replay):
    """Counts the turns of each player without an attack."""

    def __init__(self, question: Any, answer: Any) -> None:
        super().__init__(question, answer)
        self.idle: Counter[str] = Counter()
        self.emptied = 0

    def _turn(self, number: int, player: Any, entries: Any) -> None:
        attacked = any(entry["do"] == "attack" for entry in entries)
        self.idle[player.id] = 0 if attacked else self.idle[player.id] + 1
        super()._turn(number, player, entries)
        if self.idle[player.id] == 2:
            assert player.hand.total() == 0
            self.emptied += 1
            self.idle[player.id] = 0
        elif not player.out and self._judged() == (None, False):
            asked = {"orientation": "defence", "seat": player.seat, "cell": player.cell}
            assert all(ask("covers", card=card, **asked)["covers"] for card in player.hand)


def test_a_game_tells_who_began() -> None:
    """The answer names who had the first turn and that player's side (G-37, G-113)."""
    for seed in range(6):
        answer = played(players=4, seed=seed, teams=["x", "y", "x", "y"])
        first = next(entry for entry in answer["log"] if entry["do"] == "place")["player"]
        assert answer["first"] == first
        assert answer["first_side"] == next(p["team"] for p in answer["players"] if p["id"] == first)
        assert next(entry for entry in answer["log"] if entry["turn"] == 1)["player"] == first


def test_seats_are_the_default_ones() -> None:
    """Players sit as the default seating says (G-26)."""
    for count in range(2, 9):
        answer = played(players=count, log=False)
        assert [player["seat"] for player in answer["players"]] == ask("seating", players=count)["seats"]
