"""A solo session, claim by claim: rounds, reasons, saves, what is seen."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.games.cdg_solo.module import Patched
from carddb.games.cdg_solo.play.deal import halves
from carddb.games.cdg_solo.play.display import SPACES, Display, Result, Slot, Space, has_c, letters
from carddb.games.cdg_solo.play.plays import choices
from carddb.games.cdg_solo.table.actions import situation
from carddb.games.cdg_solo.table.game import new
from carddb.games.cdg_solo.table.session import Laid, SoloSession
from carddb.play.question import BadInput, Refusal
from carddb.play.table.engine import public_log, save
from tests.games.cdg_solo.solo_session import act, load, public_view, undo
from tests.games.cdg_solo.test_session import SPEC, deck, refused, sides, started, usual
from tests.games.referee_samples import game
from tests.rows import every

FACE = {"C_JR": 1, "AB": 2, "DE": 3, "ABC": 4, "CDE": 5, "UP": 6}
PLAIN = ("generic-separate", "generic-split", "generic-virtual", "generic-card")
OLDER_SAVES = Path(__file__).parent.parent / "older_saves"


def downs(display: Display) -> int:
    """The down cards among the five."""
    return sum(not slot.up for _, slot in display)


def rolled(session: SoloSession, result: str) -> SoloSession:
    return act(session, "roll", {"face": FACE[result]})


def with_kinds(module: str, kinds: dict[int, list[str]], **more: Any) -> list[dict[str, Any]]:
    """Plain cards, those of some numbers with other kinds."""
    return [
        {**card, **({"kinds": kinds[card["number"]], **more} if card["number"] in kinds else {})}
        for card in deck(module)
    ]


def numbered(numbers: range, kinds: list[str]) -> dict[int, list[str]]:
    return dict.fromkeys(numbers, kinds)


def begin(module: str, cards: list[dict[str, Any]], seed: int = 1, hand: int = 7) -> SoloSession:
    return act(new(SPEC, module, cards, seed), "start_phase", {"hands": dict.fromkeys(sides(module), hand)})


# Rolls only


@pytest.mark.full
@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(PLAIN), st.integers(0, 10**6), st.lists(st.tuples(st.integers(1, 6), st.integers(0, 9)), max_size=8)
)
def test_rounds_of_rolls_only(module: str, seed: int, rounds: list[tuple[int, int]]) -> None:
    """SD-17, SD-18, SD-20, SD-21, SD-22: what holds in rounds that are rolls and plays alone, with plain cards."""
    session = started(module, seed, size=9, each=30)
    high = 4 if session.module.layout == "pile_in_c" else 5
    for face, pick in rounds:
        side = session.active
        session = act(session, "roll", {"face": face})
        if session.table.step == "choose_flip":
            session = usual(session)
        assert session.table.roll and session.table.roll.result
        result, display = session.table.roll.result, session.display(side)
        offered = choices(situation(session)).choices
        if session.module.layout == "pile_in_c":
            assert len(offered) >= 2, "SD-21"
        if result in ("AB", "DE", "ABC", "CDE"):
            assert {c.space for c in offered} == set(letters(result)), "SD-22"
            assert all(place(display, c.card)[1].up for c in offered)
        choice = offered[pick % len(offered)]
        mode = "other" if "any" in choice.modes else choice.modes[0]
        session = act(session, "play", {"card": choice.card, "mode": mode})
        after = session.display(side)
        one_out_one_in(display, after, choice.card, choice.space)
        facing(session, display, after, result, choice.space)
        if session.module.layout != "virtual_c":
            assert 1 <= downs(after) <= high, "SD-20"
        session = act(session, "next_round", {})


def place(display: Display, card: str) -> tuple[Space, Slot]:
    """Where a card lies that is on a display."""
    found = display.find(card)
    assert found, card
    return found


def one_out_one_in(before: Display, after: Display, card: str, space: Space) -> None:
    """SD-17: the card played is gone, at most one came, all other spaces are as they were."""
    assert after.find(card) is None
    for other in SPACES:
        if other not in (space, "C"):
            assert after.at(other) == before.at(other)
    assert len(after.at(space)) <= 1


def facing(session: SoloSession, before: Display, after: Display, result: Result, space: Space) -> None:
    """SD-18: how the place lies after the round."""
    lying = [slot.up for slot in after.at(space)]
    if session.module.layout == "card_in_c":
        assert lying == [False]
    elif session.module.layout == "pile_in_c" and space != "C":
        was_up = before.stock[0].up
        if result in ("AB", "DE"):
            assert lying == [was_up]
        elif has_c(result):
            assert lying == [True] and not after.stock[0].up


@given(st.integers(0, 200))
def test_halves(n: int) -> None:
    """SD-27: half-decks differ by one at most."""
    first, second = halves(n)
    assert first + second == n and first - second in (0, 1)


@pytest.mark.parametrize("module", ["generic-split", "for-the-people", "germany"])
def test_a_common_deck_is_cut(module: str) -> None:
    """SD-27, S-67, S-169, SR-40: after the deal both sides have as many cards but for one."""
    session = started(module)
    first, second = (len(session.display(side).stock) for side in session.module.side_ids)
    assert abs(first - second) <= 1 and first + second + 8 == len(session.table.cards)


# Steps and refusals


def test_steps_of_a_round() -> None:
    """SD-10: setup, the round, the choice, its resolution, the next side; a side without cards is skipped."""
    session = new(SPEC, "generic-separate", deck("generic-separate"), 1)
    steps = [session.table.step]
    moves: list[tuple[str, dict[str, Any]]] = [
        ("start_phase", {"hands": {"S1": 1, "S2": 2}}),
        ("roll", {"face": 2}),
        ("play", {"card": "A", "mode": "ops"}),
        ("next_round", {}),
        ("roll", {"face": 2}),
        ("play", {"card": "A", "mode": "ops"}),
        ("next_round", {}),
    ]
    for name, said in moves:
        session = act(session, name, said)
        steps.append(session.table.step)
    assert steps == [
        "setup",
        "round_ready",
        "choosing",
        "resolving",
        "round_ready",
        "choosing",
        "resolving",
        "round_ready",
    ]
    assert session.active == "S2" and session.plays_left("S1") == 0
    session = act(rolled(session, "AB"), "play", {"card": "B", "mode": "ops"})
    assert act(session, "next_round", {}).table.step == "phase_over"


@every(
    "name, said, reason",
    [
        ("play", {"card": "A", "mode": "ops"}, "wrong_step"),
        ("combat_end", {}, "wrong_step"),
        ("discard", {"cards": ["A"]}, "wrong_step"),
        ("no_home", {}, "wrong_step"),
        ("next_round", {}, "wrong_step"),
        ("alternative", {"code": "pass"}, "pass_not_available"),
        ("start_phase", {}, "wrong_step"),
    ],
)
def test_wrong_steps(name: str, said: dict[str, Any], reason: str) -> None:
    """SD-11, SD-12: an action that the step does not allow is refused and nothing changes."""
    session = started("generic-separate")
    assert refused(session, name, **said) == reason
    assert refused(rolled(session, "AB"), "roll") == "wrong_step"


def test_reasons_of_a_play() -> None:
    """SD-12: why a card may not be played under a result."""
    session = rolled(started("generic-separate"), "AB")
    assert refused(session, "play", card="D", mode="ops") == "card_face_down"
    assert refused(session, "play", card="S1#99", mode="ops") == "card_not_on_display"
    assert refused(session, "play", card="A2", mode="ops") == "card_not_on_display"
    assert refused(session, "play", card="A", mode="discard") == "discard_kind"
    up = rolled(started("generic-separate"), "DE")
    assert refused(up, "play", card="A", mode="ops") == "space_not_named"


def test_a_hidden_card_is_not_told_by_a_refusal() -> None:
    """SD-12, SD-25: naming a hidden card by its number is answered like any card that is not there."""
    session = rolled(started("generic-separate"), "AB")
    hidden = next(slot.card for _, slot in session.display("S1") if not slot.up)
    absent = session.display("S1").stock[5].card
    for card in (hidden, absent):
        assert refused(session, "play", card=card, mode="ops") == "card_not_on_display"


def test_a_flip_is_named_by_its_place() -> None:
    """S-53, SR-13: under `UP` with one card up a down card is chosen by its place; a number tells nothing."""
    session = started("generic-card", 3)
    session = act(rolled(session, "AB"), "play", {"card": "A", "mode": "ops"})
    session = act(act(session, "next_round", {"side": "S1"}), "roll", {"face": 6})
    assert session.table.step == "choose_flip"
    assert refused(session, "choose_flip", place="B") == "flip_not_down"
    assert refused(session, "choose_flip", place="E2") == "flip_not_down"
    with pytest.raises(BadInput):
        act(session, "choose_flip", {"place": session.display("S1").at("D")[0].card})
    flipped = act(session, "choose_flip", {"place": "d"})
    assert flipped.display("S1").at("D")[0].up and flipped.table.step == "choosing"


def test_a_forced_play_bars_the_roll() -> None:
    """S-87, SR-26: with one chit left an up Mandatory card is played as its event, without a roll."""
    cards = with_kinds("generic-separate", numbered(range(1, 15), ["ops", "event", "mandatory"]))
    session = begin("generic-separate", cards, hand=1)
    assert session.table.step == "forced"
    assert refused(session, "roll") == "roll_barred_forced_play"
    assert refused(session, "play", card="A", mode="ops") == "mandatory_must_be_played"
    played = act(session, "play", {"card": "A"})
    forced = played.table.pending.play
    assert played.plays_left("S1") == 0 and forced and forced.mode == "event"


def guns_of_august() -> list[dict[str, Any]]:
    """A deck of Paths of Glory with its first-round event."""
    title = {("CP", 1): "Guns of August"}
    return [
        {**card, "title": title.get((card["deck"], card["number"]), card["title"])} for card in deck("paths-of-glory")
    ]


def test_the_first_round_card_is_played_without_a_roll() -> None:
    """S-94, S-95, S-111, SR-30: a first-round-only card laid up on the pile is the first play of its side."""
    session = act(new(SPEC, "paths-of-glory", guns_of_august(), 2), "place_first_round", {"card": "CP#1"})
    with pytest.raises(BadInput):
        act(session, "place_first_round", {"card": "CP#2"})
    session = act(session, "start_phase", {})
    assert session.table.step == "forced" and session.display("CP").stock[0].up
    session = act(session, "play", {"card": "CP#1"})
    assert session.plays_left("CP") == 6 and not session.display("CP").stock[0].up
    assert session.display("CP").at("A") and len(session.display("CP").at("A")) == 1


def test_the_first_round_of_the_game_comes_once() -> None:
    """S-111: in a later phase Guns of August is played for its other uses, and the session passes over its event."""
    session = next(
        session
        for seed in range(100)
        if "CP#1" in (session := begin("paths-of-glory", guns_of_august(), seed)).display("CP").ups()
    )
    later = rolled(session.with_(phase_no=2), "AB")
    assert refused(later, "play", card="CP#1", mode="event") == "first_round_event_only"
    assert act(later, "play", {"card": "CP#1", "mode": "ops"})
    assert act(rolled(session, "AB"), "play", {"card": "CP#1", "mode": "event"})


def test_a_campaign_card_goes_first() -> None:
    """S-177: a Campaign card of the British display is played before the roll, in the first round of the phase."""
    cards = with_kinds("washingtons-war", numbered(range(1, 29), ["event", "campaign"]))
    session = begin("washingtons-war", cards)
    assert refused(session, "play", card="A", mode="other") == "wrong_step"
    first = act(session, "go_first", {"card": "A"})
    assert (first.table.step, first.plays_left("BR"), first.table.roll) == ("resolving", 6, None)
    after = act(first, "next_round", {})
    assert after.active == "AM" and refused(after, "go_first", card="A") == "wrong_step"
    assert refused(begin("washingtons-war", deck("washingtons-war")), "go_first", card="A") == "wrong_step"


def test_cards_of_a_scenario_are_laid_up() -> None:
    """S-127 to S-130: a scenario's cards lie up where it says, and the rest is dealt."""
    cards = deck("empire-of-the-sun", 60)
    session = act(new(SPEC, "empire-of-the-sun", cards, 2), "set_up", {"key": "historical_japanese_hand"})
    session = act(session, "start_phase", {"hands": {"JP": 7, "US": 4}})
    display = session.display("JP")
    assert [str(slot) for space in "ABC" for slot in display.at(space)] == ["JP#3+", "JP#59+", "JP#47+"]  # type: ignore[arg-type]
    assert all(not slot.up for space in "DE" for slot in display.at(space))  # type: ignore[arg-type]


def test_hands_out_of_range() -> None:
    """S-121, S-150: a hand outside the module's range is refused, and a variable one must be said."""
    session = new(SPEC, "wilderness-war", deck("wilderness-war"), 1)
    assert refused(session, "start_phase", hands={"BR": 6, "FR": 7}) == "hand_size_out_of_range"
    assert refused(session, "start_phase", hands={"BR": 10, "FR": 7}) == "hand_size_out_of_range"
    assert refused(session, "start_phase", hands={"BR": 7}) == "bad_input"


def test_a_season_passed_with_the_last_chit() -> None:
    """S-151, S-152, S-153, SR-52: a Pass holds the last card, even after the roll, but not in two seasons running."""
    session = started("wilderness-war", each=40)
    assert refused(session, "alternative", code="pass_last_chit") == "pass_not_available"
    while session.plays_left("BR") > 1 or session.table.step != "round_ready" or session.active != "BR":
        session = usual(session)
    held = act(rolled(session, "AB"), "alternative", {"code": "pass_last_chit"})
    assert held.plays_left("BR") == 1 and "passes" not in held.message
    while (
        held.table.phase_no == 1 or held.plays_left("BR") > 1 or held.table.step != "round_ready" or held.active != "BR"
    ):
        held = usual(held)
    assert refused(held, "alternative", code="pass_last_chit") == "pass_barred"


def test_discards_at_the_end_of_a_phase() -> None:
    """S-72, S-73, S-74, SR-23: up cards go, at most as many as unflipped chits; places are filled, chits laid anew."""
    session = act(started("generic-separate", size=2), "end_phase", {})
    hidden = session.display("S1").at("D")[0].card
    assert refused(session, "discard", cards=["D"], side="S1") == "discard_face_down"
    assert refused(session, "discard", cards=[hidden]) == "card_not_on_display"
    a, b = (session.display("S1").at(space)[0].card for space in ("A", "B"))
    assert refused(session, "discard", cards=[a, b, a]) == "card_not_on_display"
    session = act(session, "discard", {"cards": [a]})
    session = act(session, "discard", {"cards": ["B"], "side": "S1"})
    assert session.side("S1").discard == (a, b) and session.plays_left("S1") == 2
    session = act(session, "start_phase", {"hands": {"S1": 5, "S2": 5}})
    assert session.side("S1").chits.model_dump() == {"total": 5, "flipped": 0}
    over = act(started("generic-separate", size=1), "end_phase", {})
    over = act(over, "discard", {"cards": [over.display("S1").at("A")[0].card]})
    assert refused(over, "discard", cards=["B"], side="S1") == "discard_limit"


def test_combat_cards_wait_for_the_end_of_the_combat() -> None:
    """S-76, S-77, S-78, SR-24: each combat card flips a chit; its place is filled, left down, when the combat ends."""
    cards = with_kinds("paths-of-glory", numbered(range(1, 15), ["ops", "combat"]))
    session = begin("paths-of-glory", cards)
    assert refused(session, "combat", card="A") == "wrong_step"
    session = act(rolled(session, "DE"), "play", {"card": "D", "mode": "ops"})
    session = act(session, "combat", {"card": "A"})
    session = act(session, "combat", {"card": "A", "role": "defender"})
    assert session.plays_left("CP") == 5 and session.plays_left("AP") == 6
    assert not session.display("CP").at("A") and refused(session, "next_round") == "wrong_step"
    session = act(session, "combat_end", {})
    assert [slot.up for slot in session.display("CP").at("A")] == [False]
    assert refused(session, "combat_end") == "not_in_combat"


def test_nominated_cards_are_rolled_for() -> None:
    """S-79 to S-83, SR-25: by the experimental rule only nominated cards whose space the die names are played."""
    cards = with_kinds("paths-of-glory", numbered(range(1, 15), ["ops", "combat"]))
    from carddb.games.cdg_solo.module import Patched

    module = Patched(base="paths-of-glory", patch={"options.combat_rule": "experimental"})
    session = act(new(SPEC, module, cards, 1), "start_phase", {})
    session = act(rolled(session, "DE"), "play", {"card": "D", "mode": "ops"})
    session = act(session, "nominate", {"cards": ["A", "B"]})
    session = act(session, "nominate", {"cards": ["A"], "role": "defender"})
    assert session.display("AP").stock[0].up
    session = act(session, "combat_end", {"faces": {"CP": FACE["AB"], "AP": FACE["DE"]}})
    assert session.plays_left("CP") == 4 and session.plays_left("AP") == 7
    assert len(session.side("CP").discard) == 3 and not session.side("AP").discard


def test_an_event_that_takes_a_card() -> None:
    """S-163, S-164, SR-50: the card taken lies up where the event was played from; only the opponent's chit flips."""
    cards = [
        {**card, "title": "Courier Intercepted!"} if card["number"] == 35 else card
        for card in deck("wilderness-war", 20)
    ]
    session = begin_until_up("wilderness-war", cards, "#35")
    side, other = session.active, session.other(session.active)
    space, _ = place(session.display(side), "#35")
    left = session.plays_left(side), session.plays_left(other)
    session = act(session, "play", {"card": "#35", "mode": "event"})
    failed = act(session, "hook", {"name": "take_card", "params": {"success_roll": 2}})
    assert (failed.plays_left(side), failed.plays_left(other)) == (left[0] - 1, left[1])
    taken = act(session, "hook", {"name": "take_card", "params": {"success_roll": 5}})
    assert (taken.plays_left(side), taken.plays_left(other)) == (left[0], left[1] - 1)
    assert taken.display(side).at(space)[0].up and "#35" in taken.side(side).removed
    gone_on = act(session, "next_round", {})
    assert gone_on.plays_left(side) == left[0] - 1 and "#35" in gone_on.side(side).removed


def begin_until_up(module: str, cards: list[dict[str, Any]], card: str, hand: int = 9) -> SoloSession:
    """A session whose active side may play a certain card as its event."""
    for seed in range(2000):
        session = act(begin(module, cards, seed, hand=hand), "roll", {"face": FACE["ABC"]})
        if any(choice.card == card for choice in choices(situation(session)).choices):
            return session
    raise AssertionError("no such session")


def test_a_card_without_a_value_is_of_no_use_for_operations() -> None:
    """SR-15, SR-17: a card without an ops value may be played as its event, and not for operations."""
    cards = with_kinds("generic-separate", numbered(range(1, 15), ["event"]), ops=None)
    session = rolled(begin("generic-separate", cards), "AB")
    assert refused(session, "play", card="A", mode="ops") == "event_only"
    assert act(session, "play", {"card": "A", "mode": "event"}).step == "resolving"


def test_a_combat_card_outside_combat() -> None:
    """S-75: a combat-only event is no event of a round; without an ops value the card is of no use there at all."""
    kinds = numbered(range(1, 15), ["combat"])
    valued = rolled(begin("generic-separate", with_kinds("generic-separate", kinds)), "AB")
    assert refused(valued, "play", card="A", mode="event") == "combat_only"
    assert act(valued, "play", {"card": "A", "mode": "ops"}).step == "resolving"
    useless = rolled(begin("generic-separate", with_kinds("generic-separate", kinds, ops=None)), "AB")
    assert useless.step == "resolving" and "the round passes" in useless.log[-1].told


def test_declared_conditions() -> None:
    """SR-28: a conditional card is what it is only once the player has said that its conditions are met."""
    cards = with_kinds(
        "generic-separate", numbered(range(1, 15), ["ops", "event", "first_opportunity"]), conditions="somewhen"
    )
    session = rolled(begin("generic-separate", cards), "AB")
    card = session.display("S1").at("A")[0].card
    assert refused(session, "play", card=card, mode="event") == "conditions_not_met"
    met = act(session, "set_flag", {"card": card})
    other = met.display("S1").at("B")[0].card
    assert refused(met, "play", card=other, mode="ops") == "first_opportunity_must_be_played"
    assert act(met, "play", {"card": card, "mode": "event"}).table.step == "resolving"


def test_mandatory_cards_that_are_left_are_told() -> None:
    """S-84, SR-48: a phase that ends with an up Mandatory card whose conditions are met gives a warning."""
    cards = with_kinds("generic-separate", numbered(range(1, 15), ["ops", "event", "mandatory"]))
    ended = act(begin("generic-separate", cards), "end_phase", {})
    assert ended.table.warnings == ("mandatory_unplayed",)
    assert refused(ended, "discard", cards=["A"], side="S1") == "mandatory_no_discard"


def test_chits_are_kept_for_mandatory_cards() -> None:
    """SD-26, SR-59: no other play may leave fewer chits than there are up Mandatory cards."""
    cards = with_kinds("washingtons-war", numbered(range(1, 40, 2), ["event", "mandatory"]))
    for seed in range(300):
        session = begin(
            "washingtons-war", [{**c, "ops": None} if "mandatory" in c["kinds"] else c for c in cards], seed
        )
        ups = session.cards[session.active].mandatory_up(session.display(session.active), ())
        if len(ups) == 1:
            break
    while session.table.step not in ("phase_over", "end_phase"):
        side = session.active
        session = usual(session)
        due = session.cards[side].mandatory_up(session.display(side), session.side(side).conditions_met)
        if session.table.step == "resolving":
            assert session.plays_left(side) >= len(due) or "pile_empty" in session.table.warnings


def test_larger_hands_have_more_on_the_display() -> None:
    """S-100, S-102, S-196, SR-35: extras are dealt to the larger side; a place above its target is not filled again."""
    session = act(
        new(SPEC, "generic-separate", deck("generic-separate", 30), 4), "start_phase", {"hands": {"S1": 6, "S2": 4}}
    )
    assert [len(session.display("S1").at(space)) for space in SPACES] == [2, 1, 1, 2, 1]
    played = act(rolled(session, "AB"), "play", {"card": "A", "mode": "ops"})
    assert [slot.up for slot in played.display("S1").at("A")] == [True, False]
    even = act(act(session, "end_phase", {}), "start_phase", {"hands": {"S1": 5, "S2": 5}})
    assert len(even.display("S1").at("A")) == 2
    single = act(rolled(even, "AB"), "play", {"card": "A", "mode": "ops"})
    assert len(single.display("S1").at("A")) == 1


def test_home_cards() -> None:
    """S-88 to S-92, SR-29: a Home card is decided on before the flips, flips a chit, and comes back next phase."""
    cards = with_kinds("generic-separate", {1: ["event", "home"]}, ops=None)
    session = begin("generic-separate", cards)
    assert session.side("S1").off_display.home == ("S1#1",)
    chosen = rolled(session, "ABC")
    assert chosen.table.step == "choose_home" and not chosen.display("S1").stock[0].up
    assert act(chosen, "no_home", {}).display("S1").stock[0].up
    home = act(chosen, "home", {"card": "S1#1"})
    assert home.plays_left("S1") == 6 and not home.display("S1").stock[0].up
    assert home.side("S1").off_display.home_used == ("S1#1",)
    again = act(act(home, "end_phase", {}), "start_phase", {})
    assert again.side("S1").off_display.home == ("S1#1",)
    assert rolled(session, "AB").table.step == "choosing"


def test_future_offensives() -> None:
    """S-138 to S-142, SR-45: a card held aside costs a chit; it is played on a C-result, or in reaction at any time."""
    cards = with_kinds("empire-of-the-sun", numbered(range(1, 15), ["ops", "event", "future_offensive_able"]))
    session = rolled(begin("empire-of-the-sun", cards), "AB")
    card = session.display("JP").at("A")[0].card
    session = act(session, "hold_as_fo", {"card": card})
    assert session.plays_left("JP") == 6 and session.side("JP").off_display.fo == (card,)
    session = act(session, "next_round", {"side": "JP"})
    assert refused(session, "play_fo", card=card) == "fo_needs_c_result"
    assert refused(rolled(session, "DE"), "play_fo", card=card) == "fo_needs_c_result"
    played = act(rolled(session, "CDE"), "play_fo", {"card": card})
    assert played.plays_left("JP") == 6 and card in played.side("JP").discard
    reaction = act(session, "play_fo", {"card": card, "use": "reaction"})
    assert reaction.table.step == "round_ready"


def test_piles_that_run_out() -> None:
    """S-68, S-69, SR-21: an empty pile takes half of the other's; when both are empty the discards are shuffled."""
    session = started("generic-split", each=9, size=12)
    seen = set()
    for _ in range(150):
        session = usual(session)
        seen |= {word for word in ("rebalance", "reshuffle") if word in session.message}
    assert seen == {"rebalance", "reshuffle"}


def test_order_counts() -> None:
    """S-198, SR-66: with several up Section cards the lowest is known only when each has its count."""
    cards = with_kinds("commands-and-colors", numbered(range(1, 40), ["section"]), ops=None)
    session = begin("commands-and-colors", cards, seed=5, hand=5)
    session = rolled(session, "C_JR")
    a, b = (session.display(session.active).at(space)[0].card for space in ("A", "B"))
    assert public_view(session)["may"] == {"needs": "order_count_needed"}
    assert refused(session, "play", card=a, mode="other") == "order_count_needed"
    session = act(act(session, "order_count", {"card": a, "count": 3}), "order_count", {"card": b, "count": 1})
    assert refused(session, "play", card=a, mode="other") == "not_lowest"
    assert act(session, "play", {"card": b, "mode": "other"}).table.step == "resolving"
    assert session.plays_left(session.active) == len(session.table.cards), "SR-68: nothing is counted"
    played = act(session, "play", {"card": b, "mode": "other"})
    assert refused(played, "end_phase") == "no_chits_in_game"


def test_a_card_beside_the_displays_lies_there_once() -> None:
    """S-89, S-199, SD-14: a Home or Tactician card of a common deck that names no side lies beside the first one."""
    cards = with_kinds("commands-and-colors", {1: ["tactician"], 2: ["tactician"]}, ops=None)
    session = begin("commands-and-colors", cards, hand=5)
    assert session.side("S1").off_display.tactician == ("#1", "#2") and not session.side("S2").off_display.tactician
    assert load(SPEC, save(session)).table == session.table


def test_hooks_tell_nothing_of_hidden_cards() -> None:
    """SD-25: a hook that names a card is refused alike for every card that does not lie up."""
    session = swapping()
    asked = {
        refused(session, "hook", name="swap_bonus", params={"card": card, "from_discard": "JP#1"})
        for card in session.table.cards
        if card not in session.display("JP").ups()
    }
    assert asked == {"card_not_on_display"}
    flip = {"flip_card": "JP#3", "from_discard": "JP#1"}
    assert refused(session, "hook", name="swap_bonus", params=flip) == "bad_input"


def swapping() -> SoloSession:
    """A session in which Imperial Intervention is played as its event."""
    cards = [
        {**card, "title": "Imperial Intervention"} if (card["deck"], card["number"]) == ("JP", 33) else card
        for card in deck("empire-of-the-sun", 40)
    ]
    return act(begin_until_up("empire-of-the-sun", cards, "JP#33", 7), "play", {"card": "JP#33", "mode": "event"})


def test_a_hook_is_for_the_event_of_its_own_card_once() -> None:
    """S-148: a hook is carried out for the event that is being played and has it, once; any other shows nothing."""
    session = swapping()
    up = session.display("JP").ups()[0]
    assert refused(session, "hook", name="reveal_opponent") == "no_event"
    assert refused(session, "hook", name="exchange_632", params={"card": up}) == "no_event"
    fields = {"params": {"card": up, "from_discard": "JP#33"}}
    swapped = act(session, "hook", fields)
    assert "JP#33" in swapped.display("JP").ups() and swapped.side("JP").discard == (up,)
    assert refused(swapped, "hook", name="swap_bonus", **fields) == "no_event"
    plain = act(
        rolled(begin("empire-of-the-sun", deck("empire-of-the-sun", 40), hand=7), "ABC"),
        "play",
        {"card": "A", "mode": "ops"},
    )
    assert refused(plain, "hook", name="swap_bonus", **fields) == "no_event"


def test_an_event_stands_in_view_until_it_is_carried_out() -> None:
    """The view has the sentence of the event that is being played, and Enter carries it out; then Enter goes on."""
    session = swapping()
    view = public_view(session)
    assert view["enter"] == "hook" and "swap any face-up card" in view["events"][0]["sentence"]
    assert [hook["name"] for hook in view["events"][0]["hooks"]] == ["swap_bonus"]
    up = session.display("JP").ups()[0]
    after = public_view(act(session, "hook", {"params": {"card": up, "from_discard": "JP#33"}}))
    assert after["enter"] == "next" and after["events"][0]["hooks"] == []


def titled(module: str, titles: dict[int, str], count: int = 40, **more: Any) -> list[dict[str, Any]]:
    """Plain cards of a common deck, those of some numbers with titles that the sheet knows."""
    return [
        {**card, "title": titles[card["number"]], **more} if card["number"] in titles else card
        for card in deck(module, count)
    ]


def test_a_chit_goes_to_the_side_that_the_card_names() -> None:
    """S-171: France Intervenes gives Austria its eighth chit, whoever plays it, and the hand stays so."""
    for first in ("AUS", "PRU"):
        session = new(SPEC, "germany", titled("germany", {28: "France Intervenes"}), 1)
        laid = session.with_(laid=(Laid(side=first, card="#28", space="A"),))
        started_ = act(laid, "start_phase", {"first": first})
        session = act(act(rolled(started_, "AB"), "play", {"card": "#28", "mode": "event"}), "hook", {})
        assert session.side("AUS").hand == 8 and session.side("PRU").hand == 7
        assert session.side("AUS").chits.total == 8


def test_an_exchange_is_made_once_under_the_same_result() -> None:
    """S-178, SR-62: an Ops card that may be played now makes way for the other side's discarded Event card, once."""
    events = with_kinds("washingtons-war", numbered(range(1, 40, 2), ["event"]), ops=None)
    cards = [card if card["kinds"] == ["event"] else {**card, "kinds": ["ops"]} for card in events]
    for seed in range(200):
        session = rolled(begin("washingtons-war", cards, seed), "UP")
        thrown = [choice for choice in choices(situation(session)).choices if "discard" in choice.modes]
        if not thrown:
            continue
        session = act(session, "play", {"card": thrown[0].card, "mode": "discard"})
        session = rolled(act(session, "next_round", {}), "ABC")
        ops = [card for card in ("A", "B", "C") if refusal_of(session, "play", card=card, mode="ops") is None]
        if len(ops) < 2:
            continue
        after = act(session, "hook", {"name": "exchange_632", "params": {"card": ops[0]}})
        assert thrown[0].card in after.display("AM").ups() and after.step == "choosing"
        assert after.plays_left("AM") == session.plays_left("AM")
        assert refused(after, "hook", name="exchange_632", params={"card": ops[1]}) == "wrong_step"
        return
    raise AssertionError("no such session")


def refusal_of(session: SoloSession, name: str, **fields: Any) -> str | None:
    """Why an action is refused, or None."""
    try:
        act(session, name, fields)
    except Refusal as refusal:
        return refusal.reason
    return None


def test_the_tournament_rule_is_for_the_british_by_option() -> None:
    """S-179, SR-64: by the option the British play the round again after Franklin, and no chit turns for the first."""
    cards = titled("washingtons-war", {5: "Franklin"}, kinds=["event"], ops=None)
    optional = Patched(base="washingtons-war", patch={"options.tournament_634": True})
    plain = Patched(base="washingtons-war")
    for module, first, again in ((optional, "BR", True), (optional, "AM", False), (plain, "BR", False)):
        session = new(SPEC, module, cards, 1).with_(laid=(Laid(side=first, card="#5", space="A"),))
        session = rolled(act(session, "start_phase", {"first": first}), "AB")
        session = act(session, "play", {"card": "#5", "mode": "event"})
        assert [event.hook for event in session.due] == (["tournament_redraw"] if again else [])
        if again:
            redrawn = act(session, "hook", {})
            assert redrawn.step == "choosing" and redrawn.plays_left(first) == 7


def test_a_phase_is_begun_by_the_side_that_the_game_says() -> None:
    """SD-10: whoever is named takes the first round; a side that there is not is told with the right ones."""
    session = new(SPEC, "washingtons-war", deck("washingtons-war", 20), 1)
    assert act(session, "start_phase", {"first": "american"}).active == "AM"
    assert act(session, "start_phase", {}).active == "BR"
    for fields in ({"first": "FR"}, {"hands": {"FR": 7}}):
        with pytest.raises(BadInput) as caught:
            act(session, "start_phase", fields)
        assert caught.value.details["words"] == ["BR", "AM"]


def test_a_combat_card_is_played_by_the_side_that_has_it() -> None:
    """S-76, S-132: without a role a card is its own side's; where only the other side reacts, a place is theirs."""
    cards = with_kinds("paths-of-glory", numbered(range(1, 15), ["ops", "combat"]))
    session = act(rolled(begin("paths-of-glory", cards), "DE"), "play", {"card": "D", "mode": "ops"})
    theirs = session.display("AP").at("A")[0].card
    assert act(session, "combat", {"card": "A"}).message.startswith("CP plays")
    assert act(session, "combat", {"card": theirs}).message.startswith("AP plays")
    cards = with_kinds("empire-of-the-sun", numbered(range(1, 15), ["ops", "event", "response"]))
    session = act(rolled(begin("empire-of-the-sun", cards), "DE"), "play", {"card": "D", "mode": "ops"})
    assert act(session, "combat", {"card": "A"}).message.startswith("US plays")


def test_the_attacker_decides_first() -> None:
    """S-77, SR-24: once the defender has played a card in a combat, the attacker plays none."""
    cards = with_kinds("paths-of-glory", numbered(range(1, 15), ["ops", "combat"]))
    session = act(rolled(begin("paths-of-glory", cards), "DE"), "play", {"card": "D", "mode": "ops"})
    session = act(session, "combat", {"card": "A", "role": "defender"})
    assert refused(session, "combat", card="A") == "wrong_step"


# Saves and what is seen


def test_a_save_is_json_of_version_1() -> None:
    """SD-13: a save is JSON, says its version, and is refused when it is another one or does not hang together."""
    session = usual(usual(started("generic-separate")))
    data = json.loads(save(session))
    assert data["version"] == 1 and load(SPEC, save(session)).table == session.table
    changes: list[tuple[dict[str, Any], str]] = [
        ({"version": 2}, "save_version_unknown"),
        ({"sides": {}}, "save_corrupt"),
        ({"step": "asleep"}, "save_corrupt"),
        ({"cards": {}}, "save_corrupt"),
        ({"module": "chess"}, "save_corrupt"),
    ]
    for change, reason in changes:
        with pytest.raises(Refusal) as caught:
            load(SPEC, json.dumps({**data, **change}))
        assert caught.value.reason == reason
    for text in ("", "[]", "{", '{"version": 1}', "[" * 5000):
        with pytest.raises(Refusal) as caught:
            load(SPEC, text)
        assert caught.value.reason == "save_corrupt"


@every("name", sorted(path.name for path in OLDER_SAVES.iterdir()))
def test_a_save_of_an_older_program_is_read(name: str) -> None:
    """Whatever an older program saved is read and played on, its last action taken back."""
    session = load(SPEC, (OLDER_SAVES / name).read_text("utf-8"))
    assert [entry.input for entry in undo(session).log] == [entry.input for entry in session.log[:-1]]
    action, fields = {"resolving": ("next_round", {}), "choose_flip": ("choose_flip", {"place": "D"})}.get(
        session.step, ("order_count", {"card": "A", "count": 1})
    )
    assert act(session, action, fields).log[-1].action == action


def test_an_event_that_an_older_program_left_open_is_carried_out() -> None:
    """A hook that an older save waits for is carried out; one that the card never had stands in the way of undo."""
    waiting = load(SPEC, (OLDER_SAVES / "event-open.json").read_text("utf-8"))
    assert "takes" in act(waiting, "hook", {"params": {"success_roll": 5}}).message
    foreign = load(SPEC, (OLDER_SAVES / "hook-of-no-card.json").read_text("utf-8"))
    with pytest.raises(Refusal) as caught:
        undo(act(foreign, "next_round", {}))
    assert caught.value.details["hint"].endswith("hook, is refused now: no_event.")


def test_what_is_undone_falls_again_as_it_fell() -> None:
    """SD-24: an undone roll, rolled again, is the same roll; there is nothing before the beginning."""
    session = started("generic-separate")
    rolled_ = act(session, "roll", {})
    assert undo(rolled_).table == session.table and act(undo(rolled_), "roll", {}).table == rolled_.table
    assert undo(rolled_, 2).table.step == "setup"
    with pytest.raises(Refusal):
        undo(rolled_, 3)


@every("module", PLAIN)
def test_the_public_view_tells_no_hidden_card(module: str) -> None:
    """SD-13, SD-25: no down card of a display and no card of a pile is named by the view or the log."""
    session = started(module)
    for _ in range(30):
        session = usual(session)
        names = session.module.side_ids
        hidden = {slot.card for name in names for _, slot in session.display(name) if not slot.up}
        hidden |= {slot.card for name in names for slot in session.display(name).stock if not slot.up}
        seen = json.dumps(public_view(session))
        assert not [card for card in hidden if f'"{card}"' in seen]
    assert all(entry["told"] for entry in public_log(session))


def test_cards_that_do_not_fit_a_module() -> None:
    """SD-2: a session needs cards in every deck, each with a number of its own."""
    decks: list[tuple[list[dict[str, Any]], str]] = [
        ([], "deck_empty"),
        ([{"deck": "S1", "title": "x"}], "card_number_missing"),
        ([{"deck": "S1", "number": 1}] * 2, "card_number_duplicate"),
    ]
    for cards, reason in decks:
        with pytest.raises(Refusal) as caught:
            new(SPEC, "generic-separate", cards, 1)
        assert caught.value.reason == reason
    with pytest.raises(BadInput):
        new(SPEC, "generic-separate", [{"deck": "S9", "number": 1}], 1)
    assert game("cdg-solo").rule_book.codes["deck_empty"]
