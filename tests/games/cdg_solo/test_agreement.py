"""A session and the referee refuse the same plays, for the same reasons (SD-9, SD-12)."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from carddb.games.cdg_solo.table.game import new
from carddb.games.cdg_solo.table.session import SoloSession
from carddb.play.question import Refusal
from tests.games.cdg_solo.solo_session import act
from tests.games.cdg_solo.test_session import MODULES, SPEC, deck, sides, usual
from tests.games.referee_samples import game

MODES = ("event", "ops", "other", "discard", "fo_hold")
APPLY_PLAY = game("cdg-solo").operations["apply_play"]


def a_deck(module: str, chance: random.Random) -> list[dict[str, Any]]:
    """Cards by chance: some without an ops value, some on a condition, some that must be played at once."""
    cards = deck(module, chance=chance)
    for card in cards:
        if chance.random() < 0.2:
            card |= {"ops": None, "kinds": [kind for kind in card["kinds"] if kind != "ops"] or ["event"]}
        if chance.random() < 0.2:
            card["conditions"] = "So it is"
        if chance.random() < 0.1:
            card["kinds"] = [*card["kinds"], chance.choice(["first_opportunity", "first_round_only"])]
    return cards


def question(session: SoloSession, card: str, mode: str) -> dict[str, Any]:
    """What a session knows of a play, as a question to the referee."""
    table, side, display = session.table, session.side(session.active), session.display(session.active)
    return {
        "game": session.module.id,
        "result": table.roll.result if table.roll else None,
        "display": display.to_json(),
        "cards": {id_: text.model_dump(mode="json") for id_, text in table.cards.items()},
        "card": card,
        "mode": mode,
        "u": session.plays_left(session.active),
        "flags": {
            "side": session.active,
            "conditions_met": list(side.conditions_met),
            "first_round": side.rounds == 1,
            "first_phase": table.phase_no == 1,
            "order_counts": dict(table.pending.order_counts),
            "c_unplayable": table.pending.c_unplayable,
        },
    }


def refused_by(session: SoloSession, place: str, mode: str) -> str | None:
    """The reason for which a session refuses a play."""
    try:
        act(session, "play", {"card": place, "mode": mode})
    except Refusal as refusal:
        return refusal.reason
    return None


@pytest.mark.full
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(MODULES), st.integers(0, 10_000), st.integers(0, 40), st.integers(4, 7))
def test_a_play_is_refused_for_the_same_reason(module: str, seed: int, steps: int, hand: int) -> None:
    """SD-12: whatever a session has come to, it and `apply_play` refuse a play for the same reason, or neither does."""
    chance = random.Random(seed)
    hands = dict.fromkeys(sides(module), 7 if module == "wilderness-war" else hand)
    session = act(new(SPEC, module, a_deck(module, chance), seed), "start_phase", {"hands": hands})
    for card in sorted(session.table.cards):
        if chance.random() < 0.5:
            session = act(session, "set_flag", {"card": card, "value": True})
    for _ in range(steps):
        session = usual(session)
    while session.table.step not in ("choosing", "forced"):
        session = usual(session)
    display = session.display(session.active)
    places = [(f"{space}{at + 1}", slot.card) for space in "ABCDE" for at, slot in enumerate(display.at(space))]  # type: ignore[arg-type]
    for place, card in places:
        for mode in MODES:
            told = APPLY_PLAY.ask(SPEC, question(session, card, mode))
            assert told.get("error") == refused_by(session, place, mode), (place, card, mode)
