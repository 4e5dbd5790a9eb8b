"""Guarda: moves, pushes, drawing and attacks, against what the rules say in other words."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from tests.games.guarda.samples import CLOCKWISE, FULL, ORIENTATIONS, SIZES, ask, patterns

READINGS = [{"diagonals": diagonals, "bend": bend} for diagonals, bend in product([False, True], repeat=2)]


@st.composite
def positions(draw: st.DrawFn) -> dict[str, Any]:
    """A piece among others on a field, with some hand cards."""
    n = draw(st.sampled_from(SIZES))
    line = st.integers(1, n)
    cells = draw(st.lists(st.tuples(line, line).map(list), min_size=1, max_size=8, unique_by=tuple))
    return {
        "n": n,
        "cell": cells[0],
        "occupied": cells[1:],
        "hand": draw(st.integers(0, 5)),
        "options": draw(st.sampled_from(READINGS)),
    }


def straight(cell: list[int], to: list[int]) -> list[list[int]]:
    """The cells on a straight way, without the first."""
    rows, columns = to[0] - cell[0], to[1] - cell[1]
    steps = max(abs(rows), abs(columns))
    return [[cell[0] + rows * at // steps, cell[1] + columns * at // steps] for at in range(1, steps + 1)]


@given(positions())
def test_listed_moves_are_those_that_are_accepted(at: dict[str, Any]) -> None:
    """On straight lines a move is listed exactly when the referee accepts its path (G-42, G-44, G-45, G-47, G-48)."""
    listed = {tuple(found["to"]): found["cost"] for found in ask("legal_moves", **at)["moves"]}
    n, cell = at["n"], at["cell"]
    if not at["options"]["bend"]:
        for to in product(range(1, n + 1), repeat=2):
            rows, columns = abs(to[0] - cell[0]), abs(to[1] - cell[1])
            in_line = list(to) != cell and (not rows or not columns or rows == columns)
            answer = ask("move", path=straight(cell, list(to)), **at) if in_line else {"ok": False}
            assert answer["ok"] == (to in listed)
            assert not answer["ok"] or answer == {"ok": True, "to": list(to), "cost": listed[to]}
    assert all(0 < cost <= at["hand"] for cost in listed.values())


@given(positions())
def test_with_corners_a_cell_costs_one_more_than_a_neighbour(at: dict[str, Any]) -> None:
    """Where corners are allowed a cell is reached at the lowest cost: one more than its cheapest neighbour (G-45)."""
    assume(at["options"]["bend"])
    costs = {tuple(found["to"]): found["cost"] for found in ask("legal_moves", **at)["moves"]}
    costs[tuple(at["cell"])] = 0
    near = [step for step in product((-1, 0, 1), repeat=2) if any(step)]
    if not at["options"]["diagonals"]:
        near = [step for step in near if 0 in step]
    free = set(product(range(1, at["n"] + 1), repeat=2)) - {tuple(cell) for cell in at["occupied"]}
    for cell in free:
        around = [costs[cell[0] + r, cell[1] + c] for r, c in near if (cell[0] + r, cell[1] + c) in costs]
        cheapest = min(around, default=99) + 1
        assert costs.get(cell, 99) == (0 if cell == tuple(at["cell"]) else cheapest if cheapest <= at["hand"] else 99)


@given(positions())
def test_listed_pushes_are_those_that_are_accepted(at: dict[str, Any]) -> None:
    """A push is listed exactly when the referee accepts it (G-43, G-46, G-47, G-48, G-49)."""
    listed = ask("legal_pushes", targets=at["occupied"], **at)["pushes"]
    assert listed == sorted(listed, key=lambda found: (found["target"], found["cost"]))
    found = []
    for target in sorted(at["occupied"]):
        for steps in range(1, 10):
            answer = ask("push", target=target, steps=steps, **at)
            if answer["ok"]:
                found.append({"target": target, "to": answer["to"], "cost": answer["cost"]})
                away = [to - own for to, own in zip(target, at["cell"], strict=True)]
                assert answer["to"] == [own + step * steps for own, step in zip(target, away, strict=True)]
    assert found == listed


@given(*[st.integers(0, 12)] * 3, st.integers(1, 9), st.sampled_from(["elimination", "victory", "exhaustion", "king"]))
def test_drawing_in_numbers(hand: int, draw: int, burn: int, size: int, mode: str) -> None:
    """No card is lost in a Draw phase; hands are full unless cards are wanting; none is exchanged (G-39, G-41)."""
    found = ask("draw_phase", hand=hand, draw=draw, burn=burn, hand_size=size, mode=mode)
    assert found["hand"] + found["draw"] + found["burn"] == hand + draw + burn
    assert found["hand"] == hand + found["drawn"] - found["burned"] and not (found["drawn"] and found["burned"])
    reach = draw if mode == "exhaustion" else draw + burn
    assert found["hand"] == (size if hand >= size else min(size, hand + reach))
    assert found["reshuffled"] == (mode != "exhaustion" and hand + draw < size and burn > 0)
    assert found["eliminated"] == (mode == "exhaustion" and found["draw"] == 0)


@st.composite
def attacks(draw: st.DrawFn) -> dict[str, Any]:
    """An attack with reactions that are allowed."""
    n = draw(st.sampled_from(SIZES))
    line, card = st.integers(1, n), st.sampled_from(patterns(n))
    cells = st.tuples(line, line).map(list)
    teams = st.sampled_from([None, "x", "y"])
    health = st.none() | st.integers(1, 10)
    attacker = {"seat": draw(st.sampled_from(CLOCKWISE)), "cell": draw(cells), "team": draw(teams)}
    question: dict[str, Any] = {"n": n, "cards": draw(st.lists(card, min_size=1, max_size=5)), "options": FULL}
    opponents = []
    for name in "bcdefg"[: draw(st.integers(0, 6))]:
        state = draw(st.sampled_from([None, "preparing", "set"]))
        orientation = draw(st.sampled_from(ORIENTATIONS)) if state == "set" else None
        guard = {"card": draw(card), "state": state, "orientation": orientation} if state else None
        one: dict[str, Any] = {"id": name, "seat": draw(st.sampled_from(CLOCKWISE)), "cell": draw(cells)}
        one |= {"team": draw(teams), "health": draw(health), "hand": draw(st.lists(card, max_size=5)), "guard": guard}
        kinds = ["none"]
        if hit(question, attacker, one):
            kinds += ["hand"] + ["guard"] * (state == "set")
        kind = draw(st.sampled_from(kinds))
        covering = [held for held in one["hand"] if covers(n, held, "defence", one["seat"], one["cell"])]
        cards = covering[: draw(st.integers(0, 5))] if kind == "hand" else []
        opponents.append({**one, "reaction": {"type": kind, "cards": cards}})
    return {**question, "attacker": {**attacker, "health": draw(health)}, "opponents": opponents}


def covers(n: int, card: str, orientation: str, seat: str, cell: list[int]) -> bool:
    asked = {"card": card, "orientation": orientation, "seat": seat, "cell": cell}
    return bool(ask("covers", n=n, options=FULL, **asked)["covers"])


def hit(question: dict[str, Any], attacker: dict[str, Any], one: dict[str, Any]) -> int:
    if attacker["team"] is not None and attacker["team"] == one["team"]:
        return 0
    cards, seat = question["cards"], attacker["seat"]
    return sum(covers(question["n"], card, "attack", seat, one["cell"]) for card in cards)


@given(attacks())
def test_attacks(question: dict[str, Any]) -> None:
    """Hits, damage, counters, guards and health of any attack are what the rules say (G-57 to G-67, G-74 to G-81)."""
    n, attacker = question["n"], question["attacker"]
    answer = ask("attack", **question)
    assert answer["ok"], answer
    countered = 0
    for one in question["opponents"]:
        hits, guard, reaction = hit(question, attacker, one), one["guard"], one["reaction"]
        left, state, counter, critical, gained = hits, guard["state"] if guard else "none", 0, False, 0
        if state == "preparing" and hits > 1:
            left, state = left - 1, "broken"
        if reaction["type"] == "hand":
            left = max(0, left - len(reaction["cards"]))
        elif reaction["type"] == "guard" and guard["orientation"] == "defence":
            left, critical = 0, covers(n, guard["card"], "defence", one["seat"], one["cell"])
            state, gained = ("hand", 1) if critical else ("burned", 0)
        elif reaction["type"] == "guard":
            left, state = left - 1, "burned"
            critical = covers(n, guard["card"], "attack", one["seat"], attacker["cell"])
            counter = 3 if critical else 2
        health = None if one["health"] is None else min(10, max(0, one["health"] - left) + gained)
        assert answer["targets"][one["id"]] == {
            "hits": hits,
            "negated": hits - left,
            "damage": left,
            "health": health,
            "guard": state,
            "counter": counter,
            "critical": critical,
        }
        assert answer["dealt"][one["id"]] == counter
        countered += counter
    health = attacker["health"]
    left_over = None if health is None else max(0, health - countered)
    assert answer["attacker"] == {"damage": countered, "health": left_over}
    assert answer["dealt"]["attacker"] == sum(found["damage"] for found in answer["targets"].values())
    assert list(answer["targets"]) == [one["id"] for one in question["opponents"]]


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "id": st.sampled_from("abcdefgh"),
                "team": st.sampled_from([None, "x", "y"]),
                "health": st.none() | st.integers(-1, 10),
                "points": st.integers(0, 25),
                "hill": st.integers(0, 6),
                "draw_pile": st.none() | st.integers(0, 3),
            }
        ),
        min_size=2,
        max_size=8,
        unique_by=lambda player: player["id"],
    ),
    st.sampled_from(["elimination", "victory", "exhaustion", "king"]),
)
def test_victory(players: list[dict[str, Any]], mode: str) -> None:
    """Who is out, who has won and what is a draw, for any position in any mode (G-84 to G-91, G-112)."""
    answer = ask("victory", mode=mode, players=players)
    out = [
        player["id"]
        for player in players
        if mode != "victory"
        and (
            (player["health"] is not None and player["health"] <= 0)
            or (mode == "exhaustion" and player["draw_pile"] == 0)
        )
    ]
    assert answer["eliminated"] == out
    totals: dict[str, int] = {}
    score, goal = {"victory": ("points", 20), "king": ("hill", 5)}.get(mode, ("points", 99))
    for player in players:
        side = player["team"] or player["id"]
        totals[side] = totals.get(side, 0) + player[score]
    first = [side for side, total in totals.items() if total == max(totals.values()) and total >= goal]
    standing = {player["team"] or player["id"] for player in players if player["id"] not in out}
    if score == "points" and goal == 99:
        first = []
    winner, draw = None, False
    if first:
        winner, draw = (first[0], False) if len(first) == 1 else (None, True)
    elif mode != "victory" and len(standing) < 2:
        winner, draw = next(iter(standing), None), not standing
    assert (answer["winner"], answer["draw"]) == (winner, draw)


@given(positions(), st.sampled_from(CLOCKWISE), st.lists(st.integers(0, 40), max_size=8))
def test_placing(at: dict[str, Any], seat: str, picks: list[int]) -> None:
    """A piece goes on any free cell that two of the drawn cards cover in attack, whichever two (G-29, G-30, G-31)."""
    n = at["n"]
    drawn = [patterns(n)[pick % len(patterns(n))] for pick in picks]
    answer = ask("place", n=n, seat=seat, drawn=drawn, occupied=at["occupied"], options=FULL)
    depth = {
        cell: sum(covers(n, card, "attack", seat, list(cell)) for card in drawn)
        for cell in product(range(1, n + 1), repeat=2)
        if list(cell) not in at["occupied"]
    }
    expected = [list(cell) for cell, cards in depth.items() if cards > 1]
    assert answer == {"ok": True, "can_place": bool(expected), "cells": expected}
