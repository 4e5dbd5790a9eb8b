"""Empires and Generals: what holds of the referee's answers whatever the numbers are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.empires_and_generals.samples import SPEC, ask
from tests.games.referee_samples import cases
from tests.rows import every

# The zones of a type and its phase are written out here once more, apart from the game's own table.

PLAYS = {
    "resource": ("harvest", {"supply_line"}),
    "capitol": ("harvest", {"capitol"}),
    "kingdom": ("kingdom", {"kingdom"}),
    "strategy": ("kingdom", {"strategy"}),
    "soldier": ("army", {"warcamp"}),
    "general": ("army", {"warcamp", "battlefield"}),
    "tactics": (None, {"discard"}),
}
PHASES = ["draw", "harvest", "kingdom", "army", "attack", "resolve"]
ZONES = sorted({"discard", "removed", *(zone for _, zones in PLAYS.values() for zone in zones)})
TRACKS = {"quick": 3, "normal": 5, "epic": 8}


@every("kind", PLAYS)
def test_where_and_when_cards_are_played(kind: str) -> None:
    """E-69, E-73, E-78, E-82, E-84, E-85, E-89, E-101: a type has its phase and its zones, and no others."""
    for phase, zone in product(PHASES, ZONES):
        found = ask("play_card", type=kind, phase=phase, zone=zone, ref="A", rarity="common", ledger=[], occupied=True)
        when, where = PLAYS[kind]
        if when not in (None, phase):
            assert found["reason"] == "wrong_phase"
        elif zone in where:
            assert found["ok"] and found["replaces"] is (zone in ("strategy", "capitol"))
        else:
            assert found["reason"] == ("pull" if (kind, zone) == ("soldier", "battlefield") else "wrong_zone")


UNITS = st.fixed_dictionaries({"strength": st.integers(0, 9), "life": st.integers(1, 9)})


@given(UNITS, UNITS, st.sampled_from(["warcamp", "battlefield"]), st.booleans())
def test_an_attack_discards_whom_the_comparison_kills(one: Any, other: Any, target: str, holds: bool) -> None:
    """E-103, E-106, E-108 to E-122: the dead are discarded, and only a successful attack on a Warcamp costs a point."""
    options = {"tie_rule": "life_holds" if holds else "defender_wins"}
    kills = ask("compare", attacker=one, defender=other, options=options)
    assert kills["attacker_kills"] is (one["strength"] > other["life"])
    assert kills["defender_kills"] is (other["strength"] + (not holds) > one["life"])
    found = ask("resolve_attack", target=target, blocker=True, attacker=one, defender=other, options=options)
    dead = ("attacker" if kills["defender_kills"] else "", "defender" if kills["attacker_kills"] else "")
    assert found["discard"] == [name for name in dead if name]
    assert found["ch_change"] == (-1 if target == "warcamp" and found["discard"] == ["defender"] else 0)
    assert found["redirect"] is False


@given(st.sampled_from(sorted(TRACKS)), st.booleans(), st.integers(-20, 20), st.integers(-20, 20))
def test_a_score_stays_on_its_track(kind: str, slaughterhouse: bool, score: int, change: int) -> None:
    """E-48, E-49, E-50, E-53: a score is on the track, what remains is counted from its bottom, and 0 is out."""
    found = ask("apply_ch", ch=score, delta=change, game_type=kind, slaughterhouse=slaughterhouse)
    top = TRACKS[kind]
    assert found["ch"] == sorted([-top, score + change, top])[1]
    assert found["remaining"] == found["ch"] + top and found["out"] is (found["remaining"] == 0)


PLAYERS = st.lists(st.tuples(st.integers(-8, 8), st.booleans()), min_size=2, max_size=6)


@settings(max_examples=100)
@given(st.sampled_from(sorted(TRACKS)), st.booleans(), PLAYERS, st.data())
@pytest.mark.full
def test_an_ending_names_one_winner_or_none(kind: str, slaughterhouse: bool, scores: Any, data: Any) -> None:
    """E-126 to E-131: a winner is still in; nobody left is a draw; without a winner nobody is named."""
    players = [{"id": str(at), "ch": ch, "resigned": gone} for at, (ch, gone) in enumerate(scores)]
    active = data.draw(st.sampled_from([player["id"] for player in players]))
    found = ask("victory", game_type=kind, players=players, active=active, slaughterhouse=slaughterhouse)
    standing = [player["id"] for player in players if player["id"] not in found["out"]]
    assert found["out"] == [p["id"] for p in players if p["resigned"] or p["ch"] <= -TRACKS[kind]]
    assert (found["state"] == "draw") is (not standing)
    assert (found["state"] == "won") is (found["winner"] in standing) is (found["type"] is not None)
    if found["type"] == "chancellor":
        assert not slaughterhouse and scores[int(found["winner"])][0] >= TRACKS[kind] and len(standing) > 1


@given(st.lists(st.tuples(st.integers(1, 9), st.booleans()), max_size=6), st.data())
def test_a_harvest_loses_no_card(line: list[tuple[int, bool]], data: Any) -> None:
    """E-79, E-80: each card is discarded or stays, continuous ones always stay; the pool is the sum of the spent."""
    spend = data.draw(st.lists(st.sampled_from(range(len(line))), unique=True)) if line else []
    found = ask("harvest", cards=[{"amount": n, "continuous": stays} for n, stays in line], spend=spend)
    assert sorted(found["discarded"] + found["stays"]) == list(range(len(line)))
    assert found["discarded"] == sorted(at for at in spend if not line[at][1])
    assert found["pool"] == sum(line[at][0] for at in spend)


@given(st.lists(st.sampled_from("ABCDEF"), min_size=1, max_size=6, unique=True), st.data())
def test_turns_go_round_everyone_still_in(order: list[str], data: Any) -> None:
    """E-63: from player to player the turn comes back to the first after everyone still in has had one."""
    out = data.draw(st.lists(st.sampled_from(order), max_size=len(order) - 1, unique=True)) if len(order) > 1 else []
    left = [player for player in order if player not in out]
    seen = [left[0]]
    while len(left) > 1 and len(seen) <= len(left):
        seen.append(ask("next_player", order=order, current=seen[-1], out=out)["player"])
    assert seen == (left if len(left) == 1 else [*left, left[0]])


# Whatever is asked

QUESTIONS = [case for case in cases() if case.game == SPEC.key]
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["ref", "type", "eras", "x"]), inner),
    max_leaves=8,
)


@settings(max_examples=200)
@given(st.sampled_from(QUESTIONS), JSON, st.data())
def test_anything_is_answered(case: Any, value: Any, data: Any) -> None:
    """With any value in any place of a question the answer is plain JSON that says whether it is one."""
    question = json.loads(json.dumps(case.given))
    places = list(_places(question)) or [(question, "options")]
    holder, key = data.draw(st.sampled_from(places))
    holder[key] = value
    answer = ask(case.op, **question)
    assert isinstance(answer["ok"], bool) and json.loads(json.dumps(answer)) == answer
    assert answer["ok"] or isinstance(answer["reason"], str)


def _places(part: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a value: the list or object and the position or key."""
    for key, value in part.items() if isinstance(part, dict) else enumerate(part):
        yield part, key
        if isinstance(value, dict | list):
            yield from _places(value)
