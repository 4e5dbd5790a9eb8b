"""CDG solo: what holds for every display and roll, why a card may not be played, and how piles are renewed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import carddb
from carddb.games.cdg_solo.module import Module, Patched, module_of
from carddb.games.cdg_solo.play.cards import Card, Cards
from carddb.games.cdg_solo.play.combat import Fight
from carddb.games.cdg_solo.play.combat import why_not as why_not_fight
from carddb.games.cdg_solo.play.deal import Stock, cut, deal, extras_for, halves, shuffled_with
from carddb.games.cdg_solo.play.display import (
    RESULTS,
    SPACES,
    WINGS,
    Display,
    Result,
    Slot,
    Slots,
    Space,
    letters,
    slots,
)
from carddb.games.cdg_solo.play.phase import discard, excess
from carddb.games.cdg_solo.play.plays import ChoiceFlags, Situation, Use, choices, play, why_not, why_not_forced
from carddb.games.cdg_solo.play.rounds import RoundFlags, Start, flip, why_not_alternative
from carddb.games.cdg_solo.print.faces import as_read
from carddb.play.chance import Stream
from tests.games.referee_samples import ask, cases, game
from tests.rows import every

KEY = "cdg-solo"
GAMES = (
    *("paths-of-glory", "for-the-people", "empire-of-the-sun", "wilderness-war", "germany", "washingtons-war"),
    "commands-and-colors",
)
USES: tuple[Use, ...] = ("event", "ops", "other", "discard", "fo_hold")


def module(name: str, **patch: Any) -> Module:
    named = {key.replace("__", "."): value for key, value in patch.items()}
    return module_of(game(KEY).spec, Patched(base=name, patch=named))


def plain(ids: Mapping[str, int]) -> Cards:
    """Cards of these values, each with an event."""
    return Cards({id_: Card(id_, ops, frozenset({"ops", "event"})) for id_, ops in ids.items()})


def fresh(of: Module, size: int = 40) -> Display:
    """A display as it is dealt, on its pile."""
    decks = [[f"c{n}" for n in range(size)], [f"k{n}" for n in range(size)]]
    (display, _), pile = deal(of.layout, decks if of.layout == "pile_in_c" else decks[:1])
    return display if pile is None else replace(display, pile=pile)


def a_round(of: Module, display: Display, cards: Cards, result: Result, pick: int) -> tuple[Display, Display, str]:
    """A round of one roll: the display after the flips, after the play, and the card that was played."""
    turned = flip(display, result)
    if turned.needs_choice:
        down = display.downs()
        turned = flip(display, result, down[pick % len(down)])
    offered = choices(Situation(of, turned.display, cards, result=result)).choices
    chosen = offered[pick % len(offered)]
    use: Use = "ops" if "any" in chosen.modes else "event"
    assert why_not(Situation(of, turned.display, cards, result=result), chosen.card, use) is None
    return turned.display, play(of, turned.display, cards[chosen.card], use, result).display, chosen.card


def facings(display: Display) -> dict[str, bool]:
    lying = {slot.card: slot.up for _, slot in display}
    return lying | {slot.card: slot.up for slot in display.stock}


LAYOUTS = ("generic-separate", "generic-virtual", "generic-card")
ROUNDS = st.lists(st.tuples(st.sampled_from(RESULTS), st.integers(0, 9)), max_size=12)
VALUES = st.lists(st.integers(0, 4), min_size=20, max_size=20)


@given(st.sampled_from(LAYOUTS), ROUNDS, VALUES)
def test_a_play_is_one_card_out_and_one_in(name: str, rounds: list[tuple[Result, int]], values: list[int]) -> None:
    """Every other card keeps its space and order, facings change by flips only (S-11, S-12, SD-14, SD-16, SD-17)."""
    of = module(name)
    display, cards = fresh(of), plain({f"c{n}": values[n % 20] for n in range(40)})
    every, gone = facings(display).keys(), set()
    for result, pick in rounds:
        turned, after, card = a_round(of, display, cards, result, pick)
        gone.add(card)
        before, now = facings(display), facings(turned)
        assert before.keys() == now.keys() and all(now[id_] for id_, up in before.items() if up)
        assert facings(after).keys() == now.keys() - {card}
        for space in WINGS:
            kept = [slot for slot in turned.at(space) if slot.card != card]
            assert list(after.at(space))[: len(kept)] == kept
            assert len(after.at(space)) == 1
        assert len(after.at("C")) == 1 or (of.layout == "virtual_c" and len(after.at("C")) < 2)
        assert gone | facings(after).keys() == every and not gone & facings(after).keys()
        display = after


@given(st.sampled_from(LAYOUTS), ROUNDS, VALUES)
def test_facing_after_a_round(name: str, rounds: list[tuple[Result, int]], values: list[int]) -> None:
    """The place played from lies as its result says, and below the top no pile card is up (SD-18, SD-19, S-58)."""
    of = module(name)
    display, cards = fresh(of), plain({f"c{n}": values[n % 20] for n in range(40)})
    for result, pick in rounds:
        turned, after, card = a_round(of, display, cards, result, pick)
        found = turned.find(card)
        assert found is not None
        space = found[0]
        assert not any(slot.up for slot in after.stock[1 if of.layout == "pile_in_c" else 0 :])
        if of.layout == "card_in_c":
            assert not after.at(space)[0].up
        elif space != "C":
            top = turned.at("C") or turned.stock[:1]
            assert after.at(space)[-1] == Slot(top[0].card, top[0].up)
            assert after.at(space)[-1].up or result in ("AB", "DE", "UP")
        elif of.layout == "pile_in_c":
            assert not after.at("C")[0].up
        display = after


@given(st.sampled_from(("generic-separate", "generic-card")), ROUNDS, VALUES)
def test_range_of_cards_that_are_down(name: str, rounds: list[tuple[Result, int]], values: list[int]) -> None:
    """By rolls alone 1 to 4 of the five lie down with a pile in C, 1 to 5 with a card in C (S-13, SR-1, SD-20)."""
    of = module(name)
    display, cards = fresh(of), plain({f"c{n}": values[n % 20] for n in range(40)})
    for result, pick in rounds:
        display = a_round(of, display, cards, result, pick)[1]
        assert 1 <= len(display.downs()) <= (4 if of.layout == "pile_in_c" else 5)


def test_every_state_of_facings_offers_two_cards() -> None:
    """With a pile in C and 1 to 4 cards down, every result offers two cards or more (S-9, SR-1, SD-21)."""
    of, cards = module("generic-separate"), plain({f"c{n}": 2 for n in range(40)})
    base = fresh(of)
    for ups in product((True, False), repeat=5):
        if not 1 <= ups.count(False) <= 4 or ups[2]:
            continue
        spaces = {space: (Slot(f"c{at}", up),) for at, (space, up) in enumerate(zip(SPACES, ups, strict=True))}
        display = Display("pile_in_c", {**spaces, "C": ()}, base.stock)
        for result in RESULTS:
            turned = flip(display, result)
            for choice in display.downs() if turned.needs_choice else [None]:
                lying = flip(display, result, choice).display
                assert len(choices(Situation(of, lying, cards, result=result)).choices) >= 2, (ups, result)


@given(st.sampled_from(LAYOUTS), st.sampled_from(("AB", "DE", "ABC", "CDE")), ROUNDS)
def test_named_spaces_are_offered_exactly(name: str, result: Result, rounds: list[tuple[Result, int]]) -> None:
    """For results of letters the cards offered are those in the named spaces, all up (SD-22)."""
    of, cards = module(name), plain({f"c{n}": 2 for n in range(40)})
    display = fresh(of)
    for rolled, pick in rounds:
        display = a_round(of, display, cards, rolled, pick)[1]
    turned = flip(display, result).display
    offered = [choice.card for choice in choices(Situation(of, turned, cards, result=result)).choices]
    assert offered == [slot.card for space, slot in turned if space in letters(result)]
    assert all(slot.up for space, slot in turned if space in letters(result))


KINDS = ("ops", "event", "combat", "mandatory", "first_opportunity", "scoring", "first_round_only", "battle", "section")


@given(
    st.sampled_from(GAMES),
    st.sampled_from(RESULTS),
    st.lists(st.tuples(st.sets(st.sampled_from(KINDS)), st.none() | st.integers(0, 3), st.booleans()), min_size=5),
    st.integers(0, 3),
    st.booleans(),
)
def test_reasons_and_choices_agree(
    name: str, result: Result, made: list[tuple[set[str], int | None, bool]], left: int, met: bool
) -> None:
    """A card has no reason against a mode exactly where the choices offer it for that mode (SD-12, SD-26)."""
    of = module(name)
    ids = [f"c{at}" for at in range(5)]
    cards = Cards(
        {id_: Card(id_, ops, frozenset(kinds), not met) for id_, (kinds, ops, _) in zip(ids, made, strict=False)}
    )
    lying = {id_: Slot(id_, up) for id_, (_, _, up) in zip(ids, made, strict=False)}
    spaces = {space: (lying[id_],) for space, id_ in zip(SPACES, ids, strict=True)}
    pile = spaces.pop("C") if of.layout == "pile_in_c" else ()
    flags = ChoiceFlags(order_counts=dict.fromkeys(ids, 1))
    chits = left if of.counts_chits else 9
    now = Situation(of, Display(of.layout, spaces, pile), cards, chits, result=result, flags=flags)
    offered = {choice.card: choice.modes for choice in choices(now).choices}
    uses: tuple[Use, ...] = ("event", "other", "discard")
    for id_, use in product(ids, uses):
        modes = offered.get(id_, ())
        reason = why_not(now, id_, use)
        if use not in modes and "any" not in modes:
            assert reason is not None
        elif use in modes or use == "other":
            assert reason is None
        elif use == "event":
            assert reason in (None, "no_event", "combat_only", "conditions_not_met", "first_round_event_only")


def lying(*cards: str) -> dict[Space, Slots]:
    """The spaces beside C with one card each, A, B, D and E in turn."""
    return {space: slots([card]) for space, card in zip(WINGS, cards, strict=True)}


def situation(result: Result, name: str = "generic-separate", left: float = 5, **cards: Card) -> Situation:
    """A up and b up, d down, c up on the pile unless the result has no C."""
    top = Slot("p", "C" in letters(result))
    spaces = lying("a+", "b+", "d-", "e-")
    known = {id_: cards.get(id_, Card(id_, 2, frozenset({"ops", "event"}))) for id_ in "abdep"}
    display = Display("pile_in_c", spaces, (top, Slot("q")))
    return Situation(module(name), display, Cards(known), left, result=result)


def of_kinds(id_: str, kinds: str, ops: int | None = 3, **more: Any) -> Card:
    return Card(id_, ops, frozenset(kinds.split()), **more)


HELD = of_kinds("a", "ops event mandatory first_opportunity")
REASONS: list[tuple[str | None, Situation, str, Use]] = [
    (None, situation("AB"), "a", "ops"),
    ("no_chits_left", situation("AB", left=0), "a", "ops"),
    ("card_not_on_display", situation("AB"), "q", "ops"),
    ("card_face_down", situation("DE"), "d", "ops"),
    ("space_not_named", situation("DE"), "a", "ops"),
    ("not_lowest", situation("C_JR", a=of_kinds("a", "ops event")), "a", "ops"),
    (None, situation("C_JR", a=of_kinds("a", "ops event")), "p", "ops"),
    ("not_lowest", situation("UP", a=of_kinds("a", "ops")), "a", "ops"),
    ("event_only", situation("UP", a=of_kinds("a", "ops event")), "a", "ops"),
    (None, situation("UP", a=of_kinds("a", "ops event")), "a", "event"),
    ("no_event", situation("UP", a=of_kinds("a", "ops")), "a", "event"),
    ("no_event", situation("AB", a=of_kinds("a", "ops")), "a", "event"),
    ("combat_only", situation("AB", a=of_kinds("a", "ops event combat")), "a", "event"),
    ("conditions_not_met", situation("AB", a=of_kinds("a", "ops event", conditional=True)), "a", "event"),
    ("first_round_event_only", situation("AB", a=of_kinds("a", "ops event first_round_only")), "a", "event"),
    (None, situation("AB", a=of_kinds("a", "ops event first_round_only")), "a", "ops"),
    ("first_opportunity_must_be_played", situation("AB", a=HELD), "b", "ops"),
    ("first_opportunity_must_be_played", situation("AB", a=HELD), "a", "ops"),
    (None, situation("AB", a=HELD), "a", "event"),
    ("mandatory_no_discard", situation("AB", a=of_kinds("a", "ops event mandatory")), "a", "discard"),
    ("discard_kind", situation("AB"), "a", "discard"),
    ("future_offensive_unable", situation("AB"), "a", "fo_hold"),
    ("future_offensive_unable", situation("AB", a=of_kinds("a", "ops event future_offensive_able")), "a", "fo_hold"),
    (None, situation("AB", "empire-of-the-sun", a=of_kinds("a", "ops event future_offensive_able")), "a", "fo_hold"),
]


@every("reason, now, card, use", REASONS)
def test_why_a_card_may_not_be_played(reason: str | None, now: Situation, card: str, use: Use) -> None:
    """Each reason of the table is told for a card and a use that it holds for (SD-12)."""
    assert why_not(now, card, use) == reason


def test_the_symbol_and_the_forced_plays_are_reasons() -> None:
    """A Special card, the last Mandatory card or the first-round event bars all others (S-63, S-87, SD-12)."""
    of = module("generic-separate")
    now = replace(situation("C_JR", a=of_kinds("a", "event scoring", None)), module=of)
    assert why_not(now, "b", "ops") == "special_must_be_played"
    assert why_not(now, "a", "event") is None
    last = Start("forced", "mandatory_last", ("m",))
    assert why_not_forced(last, "a", "event") == "mandatory_must_be_played"
    assert why_not_forced(last, "m", "ops") == "mandatory_must_be_played"
    assert why_not_forced(last, "m", "event") is None
    first = Start("forced", "first_round_event", ("g",))
    assert why_not_forced(first, "a", "event") == "roll_barred_forced_play"


def test_chits_are_kept_for_mandatory_cards() -> None:
    """Where chits are kept, no play is accepted that would leave fewer than the Mandatory cards (SD-26, SR-59)."""
    of = module("washingtons-war")
    spaces = {**lying("m+", "v+", "d-", "e-"), "C": slots(["x-"])}
    cards = Cards({"m": of_kinds("m", "event mandatory", None), "v": of_kinds("v", "event", None)})
    now = Situation(of, Display("card_in_c", spaces, slots(["g-"])), cards, 1, result="AB")
    assert why_not(now, "v", "event") == "chit_reserve_for_mandatory"
    assert why_not(now, "m", "event") is None
    assert why_not(replace(now, left=2), "v", "event") is None


def test_why_an_alternative_is_not_open() -> None:
    """A game without a Pass has none, and a side that is barred may not pass (S-151, S-153, SD-12)."""
    assert why_not_alternative(module("germany"), "pass", 3, RoundFlags()) == "pass_not_available"
    season = module("wilderness-war")
    assert why_not_alternative(season, "pass_last_chit", 2, RoundFlags()) == "pass_not_available"
    assert why_not_alternative(season, "pass_last_chit", 1, RoundFlags(pass_barred=True)) == "pass_barred"
    assert why_not_alternative(season, "pass_last_chit", 1, RoundFlags()) is None


def test_combat_places_are_filled_together() -> None:
    """After a combat the places of all cards played are filled, A to E, left down (S-78, S-83, S-181, SR-24)."""
    spaces = lying("a+", "b+", "d+", "e-")
    display = Display("pile_in_c", spaces, slots(["p1-", "p2-", "p3-"]))
    after = discard(module("paths-of-glory"), display, ["d", "a"]).to_json()
    assert after == {"A": ["p1-"], "B": ["b+"], "C": [], "D": ["p2-"], "E": ["e-"], "pile": ["p3-"]}
    with_c = Display("card_in_c", {**spaces, "C": slots(["x+"])}, slots(["g1-", "g2-"]))
    after = discard(module("washingtons-war"), with_c, ["x", "b"]).to_json()
    assert (after["B"], after["C"], after["pile"]) == (["g1-"], ["g2-"], [])


def test_the_defenders_top_is_turned_up_before_it_nominates() -> None:
    """A top of the pile that lies down is turned up, and the up Combat card there may be nominated (S-80)."""
    spaces = lying("a-", "b-", "d-", "e-")
    display = Display("pile_in_c", spaces, slots(["k-", "p-"]))
    cards = Cards({"k": of_kinds("k", "ops combat")})
    fight = Fight(module("generic-separate"), display, cards, 3, role="defender")
    assert why_not_fight(fight, cards["k"]) == "card_face_down"
    assert why_not_fight(replace(fight, display=display.turned_up(["k"])), cards["k"]) is None


@given(st.integers(0, 200))
def test_half_decks_differ_by_one_at_most(n: int) -> None:
    """A deck is cut in order into halves that differ by one card at most, the larger one on top (SD-27, SR-20)."""
    top, rest = cut(list(range(n)))
    assert [*top, *rest] == list(range(n))
    assert len(top) - len(rest) in (0, 1) and (len(top), len(rest)) == halves(n)


def test_a_player_may_cut_the_deck() -> None:
    """By the option the player sets where the deck is cut (SR-20)."""
    assert cut(list("abcde"), 1) == (("a",), ("b", "c", "d", "e"))


def stock(first: str, second: str, *discards: str) -> Stock:
    return Stock((slots(first.split()), slots(second.split())), tuple(tuple(cards.split()) for cards in discards))


def shown(pile: tuple[Slot, ...]) -> list[str]:
    return [str(slot) for slot in pile]


def test_a_pile_that_has_cards_is_left_alone() -> None:
    """Cards are gathered only when one is needed and there is none (SR-21)."""
    full = stock("a-", "b-", "x", "y")
    assert full.replenished(0, "reshuffle_own", Stream(1)) == (full, None)


def test_a_side_that_runs_out_takes_half_of_the_other_pile() -> None:
    """The other pile is cut in half, the larger top part to the side that ran out (S-68, SR-20, SR-22)."""
    moved, how = stock("", "a- b- c- d- e-", "x", "y").replenished(0, "rebalance_then_reshuffle", Stream(1))
    assert (how, shown(moved.piles[0]), shown(moved.piles[1])) == ("rebalance", ["a-", "b-", "c-"], ["d-", "e-"])
    moved, _ = stock("", "a+ b- c- d-", "x", "y").replenished(0, "rebalance_then_reshuffle", Stream(1))
    assert (shown(moved.piles[0]), shown(moved.piles[1])) == (["b-", "c-"], ["a+", "d-"])
    cut_here, _ = stock("", "a- b- c- d-", "", "").replenished(0, "rebalance_then_reshuffle", Stream(1), 1)
    assert shown(cut_here.piles[0]) == ["a-"]


def test_a_deck_that_is_exhausted_is_shuffled_and_cut_again() -> None:
    """All discards and what is left of both piles are mixed and divided in half, none being lost (S-69, SR-21)."""
    mixed, how = stock("", "", "a b c", "d e").replenished(1, "rebalance_then_reshuffle", Stream(5))
    assert how == "reshuffle" and [len(pile) for pile in mixed.piles] == [3, 2]
    assert sorted(slot.card for pile in mixed.piles for slot in pile) == list("abcde")
    assert mixed.discards == ((), ()) and not any(slot.up for pile in mixed.piles for slot in pile)


def test_a_full_reshuffle_at_once() -> None:
    """In Germany a pile that runs out means both piles and both discards, shuffled and cut (S-170, SR-55)."""
    on_empty = module("germany").on_empty
    mixed, how = stock("", "a+ b- c-", "d", "e f").replenished(0, on_empty, Stream(3))
    assert how == "reshuffle" and shown(mixed.piles[1])[0] == "a+", "an up top stays with its side (SR-22)"
    assert sorted(slot.card for pile in mixed.piles for slot in pile) == list("abcdef")
    assert [len(pile) for pile in mixed.piles] == [3, 3]


def test_separate_decks_take_back_their_own_discards() -> None:
    """A side with a deck of its own shuffles its own discards, never the other side's (SR-21)."""
    mixed, how = stock("", "b-", "x y", "z").replenished(0, "reshuffle_own", Stream(2))
    assert how == "reshuffle" and sorted(slot.card for slot in mixed.piles[0]) == ["x", "y"]
    assert (shown(mixed.piles[1]), mixed.discards) == (["b-"], ((), ("z",)))


def test_where_there_is_no_card_at_all() -> None:
    """With no card anywhere the place stays empty and that is told; by the option the player is asked (SR-21)."""
    bare = stock("", "", "", "")
    assert bare.replenished(0, "rebalance_then_reshuffle", Stream(1)) == (bare, "pile_empty")
    assert stock("", "a-", "b", "").replenished(0, "stop", Stream(1))[1] == "stop"


def test_forced_reshuffles() -> None:
    """A card goes back into the pile, which is shuffled, an up top laid back on it (S-146, S-158, S-185, SR-46)."""
    pile = shuffled_with(slots(["a+", "b-", "c-"]), ["tojo"], Stream(4))
    assert str(pile[0]) == "a+" and sorted(slot.card for slot in pile) == ["a", "b", "c", "tojo"]
    pile = shuffled_with(slots(["b-", "c-"]), ["surrender", "x", "y"], Stream(4))
    assert sorted(slot.card for slot in pile) == ["b", "c", "surrender", "x", "y"] and not any(s.up for s in pile)


def test_excess_mandatory_cards_end() -> None:
    """Cards drawn anew are tested like those just turned up, until none is in excess (SR-60)."""
    assert excess(2, 1, ["m1", "m2"]) == ["m2"]
    assert excess(2, 2, []) == []


@given(st.integers(1, 12), st.integers(1, 12))
def test_extras_follow_the_difference(first: int, second: int) -> None:
    """The larger side has as many extras as the hands differ by, four at most, one a space (S-100, SR-33)."""
    found = extras_for((first, second))
    assert len(found.spaces) == min(abs(first - second), 4) == len(set(found.spaces))
    assert found.side == (None if first == second else 0 if first > second else 1)


def test_cards_laid_up_before_the_deal() -> None:
    """A chosen card lies up on the pile, or in its space with no other card dealt there (S-94, S-128, SR-30)."""
    decks = [[f"c{n}" for n in range(8)], [f"k{n}" for n in range(8)]]
    (first, _), _ = deal("pile_in_c", decks, laid=({"C": "guns"}, {}))
    assert shown(first.stock)[:2] == ["guns+", "c4-"]
    (first, _), _ = deal("pile_in_c", decks, laid=({"A": "tsuji", "C": "kondo"}, {}))
    assert (shown(first.at("A")), shown(first.at("B")), shown(first.at("C"))) == (["tsuji+"], ["c0+"], ["kondo+"])
    (first, second), pile = deal("card_in_c", [[f"c{n}" for n in range(12)]], laid=({"C": "x"}, {}))
    assert (shown(first.at("C")), shown(second.at("A")), len(pile or ())) == (["x+"], ["c4+"], 3)


def test_a_module_is_data() -> None:
    """Every game is a module of its own, none of which the program names (S-8, SD-1, SD-6)."""
    folder = game(KEY).folder.path
    names = {path.stem for path in (folder / "modules").glob("*.json")}
    assert names == set(game(KEY).spec.data["modules"]) and len(names) == 11
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("*.py"))
    titles = {module(name).title for name in GAMES}
    assert not [name for name in names - {"germany"} | titles if name in source]


@every("name", GAMES)
def test_a_sheet_holds_every_rule_of_its_game(name: str) -> None:
    """The back of a game's sheet tells every statement of the game and of its exceptions (S-22, SD-6)."""
    raw = game(KEY).spec.data["modules"][name]
    told = set(re.findall(r"\{(S-\d+)\}", str(as_read(raw["sheet_back"], module(name).options))))
    book = game(KEY).rule_book.rules
    assert {id_ for id_, rule in book.items() if f"({name})" in rule.section and id_.startswith("S-")} <= told
    assert {id_ for entry in raw["exceptions"] for id_ in entry["statement"].split(", ")} <= told


def test_no_side_is_bound_by_the_jolly_roger_but_one_game() -> None:
    """The symbol has no effect in six games and augments the play in the seventh (S-64, S-65)."""
    assert {name: module(name).jolly_roger for name in GAMES} == {
        name: "augment" if name == "commands-and-colors" else "none" for name in GAMES
    }


@every("template", ["generic-separate", "generic-split", "generic-virtual", "generic-card"])
def test_a_template_plays_an_up_scoring_card_on_the_jolly_roger(template: str) -> None:
    """In a game of one's own an up Scoring card must be played on the Jolly Roger, whatever else is up (S-98)."""
    of = module(template)
    now = replace(situation("C_JR", a=of_kinds("a", "event scoring", None)), module=of)
    assert why_not(now, "a", "event") is None and why_not(now, "b", "ops") == "special_must_be_played"


def test_mechanics_of_the_older_version_are_absent() -> None:
    """No operation and no option nominates before the roll, cycles a card out, or fixes five cards (S-15)."""
    assert not [
        name for name in [*game(KEY).operations, *game(KEY).spec.options] if "cycle" in name or "colour" in name
    ]
    two = Display("pile_in_c", {"A": slots(["a+", "x-"])}, ())
    assert [str(slot) for _, slot in two] == ["a+", "x-"], "a space may hold two cards"


def test_operations_change_no_input() -> None:
    """Every question can be asked twice, and is left as it was, refused or not (SD-9, SD-23)."""
    for case in cases():
        if case.game == KEY:
            before = deepcopy(case.given)
            first = json.dumps(ask(case), sort_keys=True)
            assert case.given == before
            assert json.dumps(ask(case), sort_keys=True) == first


def test_a_die_table_takes_the_faces_as_they_are_printed() -> None:
    """S-16: the six results are told apart by their codes and by the words on the die."""
    faces = ("C/Jolly Roger", "A or B", "D or E", "A, B or C", "C, D or E", "Face-up")
    table = {str(face): word for face, word in enumerate(faces, 1)}
    answers = [carddb.judge("cdg.die_result", {"face": face, "die_table": table}) for face in range(1, 7)]
    assert [answer["result"] for answer in answers] == list(RESULTS)
