"""Rishar: whole Battles from their record."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.games.rishar.rules import OPERATIONS
from tests.games.rishar.samples import SPEC, ask, attack, card, clash, host, replay, sample_pool, where
from tests.rows import every

PASS_A, PASS_B = {"by": "a", "choice": "pass"}, {"by": "b", "choice": "pass"}


def refused(answer: dict[str, Any]) -> tuple[str, int | None]:
    assert answer["ok"] is False
    return answer["reason"], answer["index"]


# The worked example

SPEARMEN = card("spearmen", 2, "aggressor", traits=["reach"])
SOLDIER = card("soldier", 1, "aggressor", discard_bonus=1)
EXAMPLE = clash("a", "spearmen", "soldier", rolls={"off": [4, 2], "def": [3]})


def test_worked_example() -> None:
    """R-46, R-77, R-165, R-166: with the discard the Soldier is Disabled, the discard too, and B attacks next."""
    found = replay(
        host(SPEARMEN), host({**SOLDIER, "count": 3}),
        {**EXAMPLE, "reactions": [{"by": "b", "discard": "soldier", "to": "def"}]},
    )  # fmt: skip
    assert found["turns"][0]["skirmish"]["totals"] == {"off": 7, "def": 5}
    assert where(found, "a") == {"spearmen": "exhausted"}
    assert where(found, "b") == {"soldier#1": "disabled", "soldier#2": "disabled", "soldier#3": "hand"}
    assert (found["over"], found["next"], found["winner"], found["by"]) == (False, "b", None, None)


def test_worked_example_without_the_discard() -> None:
    """R-74, R-165: without it the Soldier is Killed."""
    found = replay(host(SPEARMEN), host({**SOLDIER, "count": 2}), EXAMPLE)
    assert where(found, "b")["soldier#1"] == "killed" and found["a"]["kills"] == 1


def test_layout_example() -> None:
    """R-118, R-167: A has 6 of 8 Morale and a Soldier Disabled, B 4 of 5: A wins, or B with one kill."""
    a, b = host(SOLDIER, card("x"), progression=10), host(SPEARMEN, card("z"), progression=4)
    fought = clash("b", "spearmen", "soldier", rolls={"off": [3, 2], "def": [3]})
    found = replay(a, b, PASS_A, fought, PASS_A, PASS_B)
    assert [found[army]["morale"]["total"] for army in "ab"] == [6, 4]
    assert where(found, "a")["soldier"] == "disabled" and where(found, "b")["spearmen"] == "exhausted"
    assert (found["winner"], found["by"]) == ("a", "morale")
    killed = clash("b", "spearmen", "soldier", rolls={"off": [5, 2], "def": [3]})
    found = replay(a, b, PASS_A, killed, PASS_A, PASS_B)
    assert (found["winner"], found["by"], found["b"]["kills"]) == ("b", "kills", 1)


# Setup


def test_every_card_is_taken_into_hand() -> None:
    """R-2, R-3, R-33, R-41: Equipment and Rituals too; the first turn is with whom the record says."""
    a = host(card("x"), card("tool", None, "equipment"), card("rite", None, "ritual"), card("y"))
    for first in ("a", "b"):
        found = ask("replay", a=a, b=host(card("z")), first_turn=first, turns=[])
        assert found["a"]["piles"]["hand"] == ["x", "tool", "rite", "y"] and found["next"] == first
        assert found["over"] is False and found["phase"] == 1 and found["turns"] == []


def test_morale_is_what_it_is_now() -> None:
    """R-44, R-45: by default the starting value and the Base's pool, else what is given, more than the start too."""
    found = replay(host(card("x"), progression=5, base_bonus=2), host(card("z"), own=11, base=1))
    assert found["a"]["morale"] == {"own": 5, "base": 2, "total": 7}
    assert found["b"]["morale"] == {"own": 11, "base": 1, "total": 12}


def test_illegal_armies_do_not_fight() -> None:
    """R-34, R-38: an army with errors is refused with them, before the first turn."""
    found = replay(host(card("x")), host(card("z", granted_by="chaplain"), card("r", None, "ritual", "mind")))
    assert found == {
        "ok": False, "reason": "army_illegal", "index": None, "army": "b", "path": "b",
        "errors": ["granted_card_not_entitled", "ritual_path_support"],
    }  # fmt: skip


def test_a_tactician_has_chosen() -> None:
    """R-126: a Battle with a Tactician needs the choice."""
    found = replay(host(card("x"), path="steel", role="guardian"), host(card("z")))
    assert (found["reason"], found["index"], found["army"]) == ("tactician_choice", None, "a")
    assert replay(host(card("x"), path="steel", role="guardian", chosen="rogue"), host(card("z")))["ok"] is True


@every("question, path", [
        ({"a": {"cards": []}}, "a.commander"),
        ({"b": host(card("x", "2"))}, "b.cards.0.strength"),  # type: ignore[arg-type]
        ({"b": host(card("x", count=501))}, "b.cards"),
        ({"a": host(), "b": host(card("x", count=0))}, "b.cards.0.count"),
        ({"first_turn": "c"}, "first_turn"),
        ({"turns": [{"by": "a"}]}, "turns.0.choice"),
        ({"turns": [{"by": "a", "choice": "play", "card": "x"}]}, "turns.0.defense"),
        ({"turns": [{"by": "a", "choice": "play", "defense": {"choice": "pass"}}]}, "turns.0.card"),
        ({"turns": [{**clash("a", "x", "z"), "defense": {"choice": "play"}}]}, "turns.0.defense.card"),
        ({"turns": [{**clash("a", "x", "z"), "rolls": None}]}, "turns.0.rolls"),
        ({"turns": [{**attack("a", "x"), "rolls": None}]}, "turns.0.rolls"),
        ({"turns": [clash("a", "x", "z", reactions=[{"by": "a"}])]}, "turns.0.reactions.0.discard"),
        ({"turns": [clash("a", "x", "z", reactions=[{"by": "a", "decline": True}, {"by": "b", "discard": "s"}])]},
         "turns.0.reactions.1.to"),
        ({"turns": [PASS_A] * 1001}, "turns"),
        ({"turns": [clash("a", "x", "z", saves={"off": "gold"})]}, "turns.0.saves.off"),
        ({"turns": [clash("a", "x", "z", rogue={"off": 7})]}, "turns.0.rogue.off"),
        ({"rout": {"a": {"rolls": [0]}}}, "rout.a.rolls.0"),
    ])  # fmt: skip
def test_bad_input(question: dict[str, Any], path: str) -> None:
    """R-171, R-174: what is no record is bad input, with the path to it."""
    base = {"a": host(card("x")), "b": host(card("z"), card("s", discard_bonus=1)), "first_turn": "a", "turns": []}
    answer = ask("replay", **{**base, **question})
    assert (answer["reason"], answer["path"]) == ("bad_input", path)


# What files contain

SOLDIER_ROW = {
    "ref": "RIS-002", "name": "Soldier", "type": "Aggressor", "set": "documents", "strength": "1", "path": "Steel",
    "traits": "reach; ranged", "special": '{"name": "Watch Out!", "text": "Discard this card."}', "discard_bonus": "1",
    "upkeep": "2", "training": "", "never_killed": "", "emblem": "path-steel", "count": "2",
}  # fmt: skip
HEADER = {
    "Name": "The Wall", "Game": "rishar", "Commander": "Hedda", "Player": "Ada", "Path": "Steel", "Role": "Guardian",
    "Kind": "player", "Progression": "8", "Base-Bonus": "2", "Favors": "1", "Influence": "0.5",
    "Chosen": "Master of Arms",
}  # fmt: skip


def test_cards_and_commanders_as_files_have_them() -> None:
    """R-162, R-163, R-174: columns of a cards file, and a deck's header with numbers and words as they are written."""
    army = {"commander": HEADER, "cards": [SOLDIER_ROW]}
    found = replay(army, army, clash("a", "RIS-002", "RIS-002", rolls={"off": [3, 6], "def": [1]}))
    assert found["turns"][0]["skirmish"]["totals"] == {"off": 8, "def": 3}
    assert found["a"]["morale"] == {"own": 7, "base": 2, "total": 9} and found["a"]["influence"] == 0.5
    assert where(found, "b") == {"RIS-002#1": "killed", "RIS-002#2": "hand"}


def test_a_dervish_as_the_header_has_it() -> None:
    """R-140, R-163: a Path or a Role as a word."""
    commander = {"path": "faith", "role": "aggressor", "progression": "4"}
    for word, off in (("Steel", 4), ("aggressor", 4), ("nature", 3), ("Healer", 3)):
        army = {"commander": {**commander, "dervish": word}, "cards": [SOLDIER_ROW]}
        found = replay(
            army, host(card("z", 1, "aggressor")), clash("a", "RIS-002", "z", rolls={"off": [1, 1], "def": [1]})
        )
        assert found["turns"][0]["skirmish"]["totals"]["off"] == off, word


def test_lines_of_a_deck_and_a_class() -> None:
    """R-33, R-123: a reference with its count is the card of the catalogue; a class stands for Path and Role."""
    army = {"commander": {"Class": "Master of Arms"}, "cards": [{"ref": "ris-001", "name": "Spearmen", "count": 2}]}
    question = {"a": army, "b": army, "first_turn": "a", "turns": []}
    found = OPERATIONS["replay"].ask(SPEC, question, sample_pool())
    assert found["a"]["piles"]["hand"] == ["RIS-001#1", "RIS-001#2"]
    assert ask("replay", **question)["reason"] == "army_illegal"
    question = {"a": {**army, "commander": {"class": "Baker"}}, "b": army, "first_turn": "a", "turns": []}
    assert OPERATIONS["replay"].ask(SPEC, question, sample_pool())["path"] == "a.commander.class"


def test_what_files_cannot_contain() -> None:
    """R-162, R-171: a number that is none is bad input, with its path."""
    army = {"commander": HEADER, "cards": [{**SOLDIER_ROW, "strength": "many"}]}
    assert replay(army, army)["path"] == "a.cards.0.strength"
    army = {"commander": {"path": "steel", "role": "healer", "progression": "much"}, "cards": [SOLDIER_ROW]}
    assert replay(army, army)["path"] == "a.commander.progression"


def test_what_a_cards_own_text_gives() -> None:
    """R-63, R-107: it counts in the total, on either side and Unopposed, and is no bonus that a Savant grows by."""
    a, b = host(card("x", role="savant")), host(card("z"))
    assert totals(replay(a, b, clash("a", "x", "z", texts={"off": 2, "def": 1}))) == {"off": 6, "def": 5}
    assert replay(a, b, attack("a", "x", texts={"off": 4}))["turns"][0]["unopposed"]["total"] == 8


# Turns and Phases


def test_commanders_alternate() -> None:
    """R-46: after a turn of any kind the other Commander is on Offense."""
    a, b = host(card("x", count=2)), host(card("z", count=2))
    for turn in (PASS_A, attack("a", "x"), clash("a", "x", "z", 3, 2)):
        assert replay(a, b, turn)["next"] == "b"
        assert refused(replay(a, b, turn, PASS_A)) == ("not_your_turn", 1)
    assert refused(replay(a, b, PASS_B)) == ("not_your_turn", 0)


def test_a_pass_costs_morale() -> None:
    """R-15, R-48, R-83: the Base pays first."""
    found = replay(host(card("x"), base_bonus=1), host(card("z")), PASS_A)
    assert found["a"]["morale"] == {"own": 5, "base": 0, "total": 5} and found["turns"][0]["result"] == "pass"


def test_unable() -> None:
    """R-16, R-49: whoever has no card to play is Unable, at no cost; nobody else is."""
    a, b = host(card("x")), host(card("z", count=3))
    turns = (attack("a", "x"), attack("b", "z"))
    unable = {"by": "a", "choice": "unable"}
    with_pass = clash("b", "z", None)
    with_pass["defense"] = {"choice": "unable"}
    found = replay(a, b, attack("a", "x"), {**with_pass, "rolls": None}, unable)
    assert found["next"] == "b" and found["a"]["morale"]["total"] == 5 and found["turns"][1]["result"] == "no_defender"
    assert refused(replay(a, b, turns[0], turns[1])) == ("cannot_play", 1)
    assert refused(replay(a, b, unable)) == ("able_to_play", 0)
    assert refused(replay(a, b, turns[0], {**with_pass, "rolls": None}, PASS_A)) == ("cannot_play", 2)


def test_no_defender() -> None:
    """R-52, R-53: no damage and the attacker Exhausted; by the other readings Unopposed, or back in hand."""
    a, b = host(card("x", 6, count=3)), host(card("z", None), card("y"))
    lost = clash("b", "y", "x#1", 1, 6)
    play = {**attack("a", "x", 6), "defense": {"choice": "unable"}}
    for options, damage, pile in (
        ({}, 0, "exhausted"),
        ({"unopposed_card": "hand"}, 0, "hand"),
        ({"unable_defense": "unopposed"}, 3, "exhausted"),
        ({"unable_defense": "unopposed", "unopposed_card": "hand"}, 3, "hand"),
    ):
        found = ask("replay", a=a, b=b, first_turn="b", turns=[lost, play], options=options)
        assert found["b"]["morale"]["total"] == 5 - damage and where(found, "a")["x#2"] == pile


def test_unopposed() -> None:
    """R-17, R-51, R-53, R-81: the defender loses Morale, the attacker is Exhausted, nothing else happens."""
    found = replay(host(card("x", 6)), host(card("z")), attack("a", "x", 6))
    assert found["turns"][0]["unopposed"] == {"dice": 1, "total": 12, "damage": 3, "pile": "exhausted"}
    assert (
        found["b"]["morale"]["total"] == 2
        and where(found, "a") == {"x": "exhausted"}
        and where(found, "b") == {"z": "hand"}
    )


def test_phases() -> None:
    """R-10, R-11, R-54 to R-57: a Phase ends as soon as nobody can play; the Exhausted come back, not the Disabled."""
    found = replay(host(card("x", 3)), host(card("z", 2)), clash("a", "x", "z"))
    assert found["phase"] == 2 and found["next"] == "b"
    assert where(found, "a") == {"x": "hand"} and where(found, "b") == {"z": "disabled"}
    nobody = replay(host(card("x", 3)), host(card("y", None)), {**attack("a", "x"), "defense": {"choice": "unable"}})
    assert nobody["phase"] == 2 and nobody["next"] == "b"


def test_last_on_defense_begins_the_second_phase() -> None:
    """R-56: here that is the Commander who also began the first."""
    a, b = host(card("x", 3), card("w", 3)), host(card("z", 2), card("y", 2))
    found = replay(a, b, clash("a", "x", "z"), clash("b", "y", "w"))
    assert found["phase"] == 2 and found["next"] == "a"


def test_the_battle_ends_when_both_are_unable_again() -> None:
    """R-2, R-4, R-58, R-115: the second time nobody can play; all but the Killed come back."""
    found = replay(
        host(card("x", 3)), host(card("z", 2), card("y", 2)),
        clash("a", "x", "z"),
        clash("b", "y", None, defense={"choice": "unable"}),
        clash("b", "y", "x", 2, 2),
    )  # fmt: skip
    assert found["phase"] == 2 and found["ended_by"] == "both_unable" and found["next"] is None
    assert (found["winner"], found["by"]) == (None, "double_loss")
    assert found["b"]["returns"] == ["z", "y"]


def test_armies_without_fighters_have_no_turns() -> None:
    """R-54, R-58: both Phases end at once."""
    found = replay(host(card("x", None)), host(card("z", None), own=9))
    assert (found["over"], found["ended_by"], found["phase"], found["winner"]) == (True, "both_unable", 2, "b")
    assert refused(replay(host(card("x", None)), host(card("z", None)), PASS_A)) == ("battle_over", 0)


def test_both_pass() -> None:
    """R-59, R-60: two Passes running end the Battle, each at its cost; a turn between them prevents it."""
    a, b = host(card("x", count=2)), host(card("z", count=2), progression=6)
    found = replay(a, b, PASS_A, PASS_B)
    assert (found["ended_by"], found["winner"], found["by"]) == ("both_pass", "b", "morale")
    assert [found[army]["morale"]["total"] for army in "ab"] == [4, 5]
    assert replay(a, b, PASS_A, attack("b", "z"), PASS_A)["over"] is False
    assert refused(replay(a, b, PASS_A, PASS_B, PASS_A)) == ("battle_over", 2)


def test_a_rout_by_passing_comes_first() -> None:
    """R-60, R-61, R-87: the second Pass that takes the last Morale is a rout."""
    found = replay(host(card("x")), host(card("z"), own=1), PASS_A, PASS_B)
    assert (found["ended_by"], found["winner"], found["by"]) == ("rout", "a", "rout")


# Skirmishes


def test_killed_cards_stay_and_are_not_played() -> None:
    """R-12, R-13: a Killed card lies in its pile until the Battle ends, and then is gone."""
    a, b = host(card("x", 6, count=3)), host(card("z"), card("y"))
    found = replay(a, b, clash("a", "x", "z"))
    assert where(found, "b") == {"z": "killed", "y": "hand"} and found["b"]["returns"] == ["y"]
    assert refused(replay(a, b, clash("a", "x", "z"), clash("b", "z", "x"))) == ("not_in_hand", 1)


def test_only_cards_in_hand_are_played() -> None:
    """R-47, R-50: an Exhausted card, a card of the other, and one that never was."""
    a, b = host(card("x", count=2)), host(card("z", 0, count=2))
    won = clash("a", "x#1", "z#1")
    assert refused(replay(a, b, won, clash("b", "z", "x#1"))) == ("not_in_hand", 1)
    assert refused(replay(a, b, clash("a", "z", "z"))) == ("no_such_card", 0)
    assert refused(replay(a, b, clash("a", "x#3", "z"))) == ("no_such_card", 0)
    assert replay(a, b, won, clash("b", "z", "x"))["ok"] is True


def test_rituals_and_cards_without_strength_do_not_fight() -> None:
    """R-24, R-62: on either side."""
    a = host(card("x", count=2), card("r", None, "ritual"), card("t", None, "equipment"))
    assert refused(replay(a, host(card("z")), clash("a", "r", "z"))) == ("ritual_in_skirmish", 0)
    assert refused(replay(a, host(card("z")), clash("a", "t", "z"))) == ("no_strength", 0)
    assert refused(ask("replay", a=a, b=host(card("z")), first_turn="b", turns=[clash("b", "z", "t")])) == (
        "no_strength",
        0,
    )


def test_rerolls_and_wrong_dice() -> None:
    """R-69, R-172: a replay asks for the dice that a Skirmish asks for."""
    a, b = host(card("x")), host(card("z"))
    assert refused(replay(a, b, clash("a", "x", "z"))) == ("reroll_needed", 0)
    assert (
        replay(a, b, clash("a", "x", "z", rerolls=[{"off": [2], "def": [1]}]))["turns"][0]["skirmish"]["by"] == "reroll"
    )
    assert refused(replay(a, b, clash("a", "x", "z", rolls={"off": [1, 2], "def": [1]}))) == ("wrong_dice_count", 0)


# Reactions


def helped(*reactions: dict[str, Any], **rest: Any) -> dict[str, Any]:
    """Two equal cards with a 4 against a 3, and reactions; B's hand holds Soldiers, a Ritual and a tool."""
    b = host(card("z"), card("s", discard_bonus=1, count=3), card("r", None, "ritual"), card("t", None, "equipment"),
             **rest)  # fmt: skip
    a = host(card("x"), card("s", discard_bonus=1, count=2), **rest)
    return replay(a, b, clash("a", "x", "z", 4, 3, reactions=list(reactions)))


def totals(found: dict[str, Any]) -> dict[str, int]:
    return dict(found["turns"][0]["skirmish"]["totals"])


def test_discards() -> None:
    """R-14, R-75, R-77, R-78, R-108: either side's unit is helped, by either side; the discards are Disabled."""
    found = helped({"by": "b", "discard": "s", "to": "def"}, {"by": "a", "discard": "s", "to": "def"},
                   {"by": "b", "discard": "t", "to": "off", "add": -2})  # fmt: skip
    assert totals(found) == {"off": 3, "def": 6} and where(found, "b")["t"] == "disabled"
    assert where(found, "b")["s#1"] == where(found, "a")["s#1"] == "disabled"


def test_opportunities() -> None:
    """R-65, R-76, R-79: the attacker's first, then in turn; two refusals in a row end it."""
    no_a, no_b = (dict[str, Any](by=army, decline=True) for army in "ab")
    a, b = (dict[str, Any](by=army, discard="s", to=to) for army, to in (("a", "off"), ("b", "def")))
    for legal in ([a, b, a, b], [b, b], [a, a], [no_a, b, no_a, b, no_a, no_b], [a, no_b, a, no_b, no_a], [no_a, no_b]):
        assert helped(*legal)["ok"] is True, legal
    for over in ([no_a, no_b, a], [no_a, a], [no_b, a], [a, no_b, no_a, b], [b, no_a, no_b, b]):
        assert refused(helped(*over)) == ("opportunity_over", 0), over


def test_discards_that_are_none() -> None:
    """R-75, R-78: a card on the table, one that offers nothing, and a unit that is not there."""
    assert refused(helped({"by": "b", "discard": "z", "to": "def"})) == ("not_in_hand", 0)
    assert refused(helped({"by": "b", "discard": "t", "to": "def"})) == ("no_discard_power", 0)
    a, b = host(card("x"), card("s", discard_bonus=1)), host(card("z"))
    lone = attack("a", "x", reactions=[{"by": "a", "discard": "s", "to": "def"}])
    assert refused(replay(a, b, lone)) == ("not_engaged", 0)
    lone["reactions"][0]["to"] = "off"
    assert replay(a, b, lone)["turns"][0]["unopposed"]["total"] == 5


def test_reactions_need_a_clash() -> None:
    """R-75: a turn that is passed has none, nor anything to save."""
    a, b = host(card("x"), card("s", discard_bonus=1)), host(card("z"))
    late = {**PASS_A, "reactions": [{"by": "a", "discard": "s", "to": "off"}]}
    assert refused(replay(a, b, late)) == ("wrong_time", 0)
    assert refused(replay(a, b, {**PASS_A, "saves": {"off": "favor"}})) == ("not_killed", 0)


def test_rituals_in_reactions() -> None:
    """R-35, R-112, R-113: a Ritual is discarded, counts as a card for a Savant, and is limited by Phase."""
    b = host(card("z", role="savant"), card("y"), card("r", None, "ritual", discard_bonus=1), card("q", None, "ritual"))
    one = {"by": "b", "discard": "r", "to": "def"}
    found = replay(host(card("x")), b, clash("a", "x", "z", 5, 3, reactions=[one]))
    assert totals(found) == {"off": 6, "def": 7} and where(found, "b")["r"] == "disabled"
    two = [one, {"by": "b", "discard": "q"}]
    assert refused(replay(host(card("x")), b, clash("a", "x", "z", 5, 3, reactions=two))) == ("ritual_phase_limit", 0)
    animist = {**b, "commander": {"path": "nature", "role": "healer"}}
    assert replay(host(card("x")), animist, clash("a", "x", "z", 5, 3, reactions=two))["ok"] is True
    alone = host(card("z"), card("y", path="magic", count=2), card("r", None, "ritual", "magic"))
    assert replay(host(card("x")), alone, clash("a", "x", "z", 5, 3, reactions=[{"by": "b", "discard": "r"}]))["ok"]


def test_rituals_of_both_phases() -> None:
    """R-112: one in each Phase, and no third in the Battle."""
    b = host(card("z", 5), card("y"), card("r", None, "ritual", count=3))
    rite = [{"by": "b", "discard": "r"}]
    turns = [
        clash("a", "x", "z", 1, 1, reactions=rite),
        clash("b", "y", "x", 1, 1),
        clash("a", "x", "z", 1, 1, reactions=rite),
    ]
    found = replay(host(card("x", 3, count=2), card("w", None)), b, *turns[:1])
    assert found["ok"] is True and found["phase"] == 1
    found = replay(host(card("x", 3, count=2)), b, *turns[:2])
    assert found["phase"] == 2 and found["next"] == "a"
    found = replay(host(card("x", 3, count=2)), b, *turns)
    assert found["ok"] is True and found["b"]["piles"]["disabled"] == ["y", "r#1", "r#2"]


def test_other_effects_of_a_text() -> None:
    """R-10, R-11, R-84, R-85: a text may change Morale, beyond the start and not below 0, and move cards."""
    found = helped({"by": "b", "discard": "t", "morale": {"a": -2, "b": 9},
                    "moves": [{"army": "a", "card": "s", "to": "exhausted"}]})  # fmt: skip
    assert [found[army]["morale"]["total"] for army in "ab"] == [3, 14] and where(found, "a")["s#1"] == "exhausted"
    for move in ({"army": "a", "card": "x", "to": "hand"}, {"army": "a", "card": "s", "to": "engaged"}):
        assert refused(helped({"by": "b", "discard": "t", "moves": [move]})) == ("card_engaged", 0)


def test_a_rout_in_the_middle_of_a_skirmish() -> None:
    """R-61, R-84, R-89: the Battle ends at once, and what is engaged goes back to hand."""
    found = helped({"by": "b", "discard": "t", "morale": {"a": -99}}, {"by": "a", "discard": "nothing"})
    assert (found["ended_by"], found["winner"]) == ("rout", "b") and found["a"]["morale"]["total"] == 0
    assert where(found, "a") == {"x": "hand", "s#1": "hand", "s#2": "hand"} and where(found, "b")["z"] == "hand"
    assert "skirmish" not in found["turns"][0]


# Powers


def test_evoker_and_illusionist() -> None:
    """R-79, R-106, R-139, R-145: they add to either unit, a Savant grows no further, and once in a Skirmish."""
    evoke = {"by": "a", "power": "evoker", "to": "off"}
    a = host(card("x", role="savant"), path="magic", role="aggressor")
    found = replay(a, host(card("z")), clash("a", "x", "z", reactions=[evoke]))
    assert totals(found) == {"off": 6, "def": 4}
    twice = clash("a", "x", "z", reactions=[evoke, evoke])
    assert refused(replay(a, host(card("z")), twice)) == ("limit_skirmish", 0)
    trick = {"by": "b", "power": "illusionist", "to": "off", "roll": 5}
    b = host(card("z"), path="magic", role="savant")
    assert totals(replay(host(card("x")), b, clash("a", "x", "z", reactions=[trick]))) == {"off": 9, "def": 4}
    assert replay(host(card("x")), b, clash("a", "x", "z", reactions=[{**trick, "roll": None}]))["path"] == (
        "turns.0.reactions.0.roll"
    )


def test_an_evoker_has_three_uses() -> None:
    """R-139: three in a Battle, over both Phases."""
    evoke = [{"by": "a", "power": "evoker", "to": "off"}]
    a, b = host(card("x", 9, count=4), path="magic", role="aggressor"), host(card("z", 9, count=4))
    turns = [clash("a", "x", "z", reactions=evoke), clash("b", "z", "x", reactions=evoke)]
    turns += [clash("a", "x", "z", reactions=evoke), clash("b", "z", "x", reactions=evoke)]
    assert refused(replay(a, b, *turns)) == ("limit_battle", 3)


def test_powers_of_others() -> None:
    """R-40, R-126: nobody uses another class's power; a Tactician's is the chosen one."""
    evoke = [{"by": "a", "power": "evoker", "to": "off"}]
    assert refused(replay(host(card("x")), host(card("z")), clash("a", "x", "z", reactions=evoke))) == (
        "not_your_power",
        0,
    )
    scout = host(card("x"), path="nature", role="aggressor")
    use = [{"by": "a", "power": "scout", "to": "off"}]
    assert refused(replay(scout, host(card("z")), clash("a", "x", "z", reactions=use))) == ("not_activated", 0)
    cleric = host(card("x"), path="faith", role="healer")
    use = [{"by": "a", "power": "cleric"}]
    assert refused(replay(cleric, host(card("z")), clash("a", "x", "z", reactions=use))) == ("wrong_time", 0)


def test_etherealist() -> None:
    """R-149, R-150: a unit of the hand takes the place, what was added goes with the one that is replaced."""
    a = host(card("x"), card("big", 5), card("rite", None, "equipment"), card("s", discard_bonus=3), role="savant")
    swap = {"by": "a", "power": "etherealist", "card": "big"}
    found = replay(a, host(card("z")), clash("a", "x", "z", reactions=[{"by": "a", "discard": "s", "to": "off"}, swap]))
    assert totals(found) == {"off": 8, "def": 4} and found["turns"][0]["cards"] == {"off": "big", "def": "z"}
    assert where(found, "a") == {"x": "hand", "big": "exhausted", "rite": "hand", "s": "disabled"}
    assert refused(replay(a, host(card("z")), clash("a", "x", "z", reactions=[{**swap, "card": "rite"}]))) == (
        "no_strength",
        0,
    )
    assert refused(replay(a, host(card("z")), clash("a", "x", "z", reactions=[{**swap, "card": "x"}]))) == (
        "not_in_hand",
        0,
    )
    assert refused(replay(a, host(card("z")), attack("a", "x", reactions=[swap]))) == ("wrong_time", 0)


def test_battlemage() -> None:
    """R-127: each discard rolls until one of the Phase has succeeded, a Healer's too; lost Skirmishes do not."""
    a = host(card("x"), card("s", discard_bonus=1, count=3), card("doc", 2), path="magic", role="guardian")
    give = {"by": "a", "discard": "s", "to": "off"}
    turn = clash("a", "x", "z", 3, 6, reactions=[{**give, "roll": 4}, {**give, "roll": 5}, give])
    found = replay(a, host(card("z", 6)), turn)
    assert where(found, "a") == {
        "x": "killed", "s#1": "disabled", "s#2": "exhausted", "s#3": "disabled", "doc": "hand",
    }  # fmt: skip
    assert refused(replay(a, host(card("z", 6)), {**turn, "reactions": [give]})) == ("wrong_dice_count", 0)
    heal = {"by": "a", "healer": "doc", "target": "s", "roll": 6}
    found = replay(a, host(card("z", 6)), {**turn, "reactions": [{**give, "roll": 1}], "heals": [heal]})
    assert where(found, "a") == {"x": "killed", "s#1": "hand", "s#2": "hand", "s#3": "hand", "doc": "exhausted"}


def test_oathbound() -> None:
    """R-128, R-129: one unit is named from the hand; a discard of it is no being Disabled."""
    a = host(card("x", discard_bonus=1), card("w"), path="faith", role="guardian", oathbound="x")
    found = replay(a, host(card("z", 6)), clash("a", "x", "z"))
    assert where(found, "a") == {"x": "disabled", "w": "hand"} and found["b"]["kills"] == 0
    found = replay(a, host(card("z", 2)), clash("a", "x", "z"))
    assert where(found, "a") == {"x": "exhausted", "w": "hand"}
    found = replay(a, host(card("z")), clash("a", "w", "z", reactions=[{"by": "a", "discard": "x", "to": "off"}]))
    assert found["phase"] == 2 and where(found, "a") == {"x": "disabled", "w": "hand"}
    for named, reason in (("q", "no_such_card"), ("r", "not_a_unit")):
        wrong = host(card("x", count=2), card("r", None, "ritual"), path="faith", role="guardian", oathbound=named)
        assert refused(replay(wrong, host(card("z")))) == (reason, None)
    assert refused(replay({**host(card("x")), "oathbound": "x"}, host(card("z")))) == ("not_your_power", None)


def test_shapeshifter() -> None:
    """R-114, R-130: one change in a Battle, at a reveal or for a Healer's discard, and it lapses."""
    a = host(card("x", role="savant", count=3), card("y", 0, "equipment"), path="nature", role="guardian")
    turn = clash("a", "x", "z", role_as="guardian")
    found = replay(a, host(card("z", 2, count=2)), turn)
    assert found["ok"] is True and found["turns"][0]["skirmish"]["dice"] == {"off": 1, "def": 1}
    again = {**clash("b", "z", "x"), "defense": {"choice": "play", "card": "x", "role_as": "guardian"}}
    assert refused(replay(a, host(card("z", 2, count=2)), turn, again)) == ("role_change_not_allowed", 1)
    heal = {"by": "a", "healer": "x#2", "target": "x#1", "role_as": "healer"}
    plain = clash("a", "x", "z", heals=[heal])
    found = replay(a, host(card("z", 2, count=2)), plain)
    assert where(found, "a")["x#1"] == "hand" and where(found, "a")["x#2"] == "disabled"
    assert refused(replay(a, host(card("z", 2, count=2)), {**turn, "heals": [heal]})) == ("role_change_not_allowed", 0)
    assert refused(replay(host(card("x")), host(card("z")), turn)) == ("role_change_not_allowed", 0)


def test_adept_without_limit() -> None:
    """R-131: an Adept makes Guardians as often as it likes."""
    a, b = host(card("x", count=2), role="guardian"), host(card("z", count=2))
    turns = (
        clash("a", "x", "z", role_as="guardian"),
        {**clash("b", "z", "x"), "defense": {"choice": "play", "card": "x", "role_as": "guardian"},
         "rolls": {"off": [1], "def": [1, 2]}},
    )  # fmt: skip
    assert replay(a, b, *turns)["ok"] is True


def test_mindblade() -> None:
    """R-142, R-143: a streak on either side, unharmed by an Unopposed attack, gone with the Phase."""
    a, b = host(card("x", 5, count=4), role="aggressor"), host(card("z", 5, count=3), card("y", 5), own=9)
    turns = [
        clash("a", "x", "z", 4, 3),
        clash("b", "z", "x", 3, 3),
        attack("a", "x"),
        clash("b", "z", "x", 3, 3),
    ]
    found = replay(a, b, *turns)
    assert [turn.get("skirmish", {}).get("totals") for turn in found["turns"]] == [
        {"off": 9, "def": 8}, {"off": 8, "def": 9}, None, {"off": 8, "def": 10},
    ]  # fmt: skip
    assert found["turns"][2]["unopposed"]["total"] == 10
    lost = replay(a, b, turns[0], clash("b", "z", "x", 6, 3), clash("a", "x", "z", 4, 3))
    assert lost["turns"][2]["skirmish"]["totals"] == {"off": 9, "def": 8}
    found = replay(
        host(card("x", 5), role="aggressor"), host(card("z", 5), card("y", None)), clash("a", "x", "z", 4, 3)
    )
    assert found["phase"] == 2
    found = ask("replay", a=host(card("x", 5), role="aggressor"), b=host(card("z", 5), card("y", 5)), first_turn="a",
                turns=[clash("a", "x", "z", 4, 3), {**attack("b", "y"), "defense": {"choice": "unable"}},
                       clash("b", "y", "x", 3, 4)])  # fmt: skip
    assert found["turns"][2]["skirmish"]["totals"] == {"off": 8, "def": 9} and found["turns"][2]["phase"] == 2


def test_rogue() -> None:
    """R-85, R-144: a kill gains a point of own Morale on 4 or more; a saved unit gives no roll."""
    a = host(card("x", 6), path="steel", role="savant")
    for die, own in ((4, 6), (6, 6), (3, 5), (1, 5)):
        assert replay(a, host(card("z")), clash("a", "x", "z", rogue={"off": die}))["a"]["morale"]["own"] == own
    assert refused(replay(a, host(card("z")), clash("a", "x", "z"))) == ("wrong_dice_count", 0)
    saved = replay(a, host(card("z"), favors=1), clash("a", "x", "z", saves={"def": "favor"}))
    assert saved["a"]["morale"]["own"] == 5 and where(saved, "b") == {"z": "disabled"}


def test_cleric() -> None:
    """R-13, R-86, R-134, R-135: before a turn, once a Day, an own Killed card comes back for a point of Morale."""
    a = host(card("x", 6, count=3), card("w", 0), path="faith", role="healer")
    first = [clash("a", "w", "z"), clash("b", "z", "x#1")]
    b = host(card("z", 5, count=3))
    prayer = {"by": "a", "card": "w"}
    found = replay(a, b, first[0], {**first[1], "prayers": [prayer]})
    assert where(found, "a")["w"] == "hand" and found["a"]["morale"]["total"] == 4 and found["b"]["kills"] == 0
    assert refused(replay(a, b, first[0], {**first[1], "prayers": [prayer, prayer]})) == ("limit_day", 1)
    assert refused(replay({**a, "used_day": 1}, b, first[0], {**first[1], "prayers": [prayer]})) == ("limit_day", 1)
    assert refused(replay(a, b, {**first[0], "prayers": [prayer]})) == ("target_pile", 0)
    assert refused(replay(a, b, first[0], {**first[1], "prayers": [{"by": "b", "card": "z"}]})) == ("not_your_power", 1)
    poor = replay({**a, "own": 1}, b, first[0], {**first[1], "prayers": [prayer]})
    assert poor["ended_by"] == "rout" and len(poor["turns"]) == 1


def test_necromancer() -> None:
    """R-133: as the second Phase opens a Disabled card comes back, before it is seen who can play."""
    a = host(card("x", 1), path="magic", role="healer", returned="x")
    found = replay(a, host(card("z", 2)), clash("a", "x", "z", 3, 3))
    assert found["phase"] == 2 and where(found, "a") == {"x": "hand"} and found["over"] is False
    assert refused(replay(a, host(card("z", 9)), clash("a", "x", "z", 3, 3))) == ("target_pile", 0)
    assert refused(replay(host(card("x"), returned="x"), host(card("z", 2)), clash("a", "x", "z"))) == (
        "not_your_power",
        0,
    )
    idle = host(card("x", None), path="magic", role="healer", returned="x")
    assert refused(replay(idle, host(card("z", None)))) == ("target_pile", None)


def test_mender() -> None:
    """R-137: the other hand shows two cards, or all; for a point of Morale one is Disabled."""
    b = host(card("z", count=3))
    looked = replay(host(card("x"), mender={"shown": ["z#1", "z#3"]}), b)
    assert looked["a"]["morale"]["total"] == 5 and looked["b"]["piles"]["disabled"] == []
    chosen = replay(host(card("x"), mender={"shown": ["z#1", "z#3"], "disable": "z#3"}), b)
    assert chosen["a"]["morale"]["total"] == 4 and chosen["b"]["piles"]["disabled"] == ["z#3"]
    for shown, disable, reason in (
        (["z#1"], None, "wrong_cards_shown"),
        (["z#1", "z#1"], None, "wrong_cards_shown"),
        (["z#1", "z#2", "z#3"], None, "wrong_cards_shown"),
        (["z#1", "z#2"], "z#3", "not_shown"),
        (["z#1", "q"], None, "no_such_card"),
    ):
        wrong = host(card("x"), mender={"shown": shown, "disable": disable})
        assert refused(replay(wrong, b)) == (reason, None)
    assert replay(host(card("x"), mender={"shown": ["z"]}), host(card("z")))["ok"] is True
    poor = host(card("x"), own=0, base=0, mender={"shown": ["z#1", "z#2"], "disable": "z#1"})
    assert refused(replay(poor, b)) == ("no_morale", None)
    rogue = host(card("x"), path="steel", role="savant", mender={"shown": ["z#1", "z#2"]})
    assert refused(replay(rogue, b)) == ("not_your_power", None)


# Healers, saves, routs


def test_healers() -> None:
    """R-102 to R-104: after anybody's Skirmish or Unopposed attack, several Healers, each for its Morale."""
    a, b = host(card("x", 4), card("doc", 2, count=2)), host(card("z", 5), card("y", 5))
    heal = {"by": "a", "healer": "doc", "target": "x"}
    found = replay(a, b, clash("a", "x", "z", heals=[heal]))
    assert (
        where(found, "a") == {"x": "hand", "doc#1": "disabled", "doc#2": "hand"} and found["a"]["morale"]["total"] == 4
    )
    twice = [heal, {"by": "a", "healer": "doc", "target": "doc#1"}]
    found = replay(a, b, clash("a", "x", "z", heals=twice))
    assert (
        where(found, "a") == {"x": "hand", "doc#1": "hand", "doc#2": "disabled"} and found["a"]["morale"]["total"] == 3
    )
    late = attack("b", "y", heals=[heal])
    assert replay(a, b, clash("a", "x", "z"), late)["ok"] is True
    assert refused(replay(a, b, clash("a", "x", "z"), {**PASS_B, "heals": [heal]})) == ("wrong_time", 1)
    itself = {"by": "a", "healer": "doc#1", "target": "doc#1"}
    assert refused(replay(a, b, clash("a", "x", "z", heals=[itself]))) == ("target_pile", 0)
    weak = host(card("x", 5), card("doc", 2))
    assert refused(replay(weak, host(card("z", 6)), clash("a", "x", "z", heals=[heal]))) == ("target_too_strong", 0)


def test_healing_with_the_last_morale() -> None:
    """R-61, R-86: it is legal, routs, and leaves no time for another."""
    a, b = host(card("x", 4), card("doc", 2, count=2), own=1), host(card("z", 5))
    heal = {"by": "a", "healer": "doc", "target": "x"}
    found = replay(a, b, clash("a", "x", "z", heals=[heal]), rout={"a": {"rolls": [1]}})
    assert (found["ended_by"], found["winner"]) == ("rout", "b") and where(found, "a")["x"] == "hand"
    again = clash("a", "x", "z", heals=[heal, {"by": "a", "healer": "doc", "target": "doc#1"}])
    assert refused(replay(a, b, again)) == ("battle_over", 0)


def test_saves() -> None:
    """R-92 to R-96, R-120: a saved unit is Disabled and no kill; what is paid is gone; protections come first."""
    won = clash("a", "x", "z", saves={"def": "influence"})
    found = replay(host(card("x", 9)), host(card("z"), influence=1), won)
    assert where(found, "b") == {"z": "disabled"} and found["a"]["kills"] == 0 and found["b"]["influence"] == 0.5
    npc = host(card("z"), kind="npc", base_bonus=1)
    found = replay(host(card("x", 9)), npc, clash("a", "x", "z", saves={"def": "morale"}))
    assert found["b"]["morale"] == {"own": 3, "base": 0, "total": 3}
    assert refused(replay(host(card("x", 9)), host(card("z")), won)) == ("insufficient", 0)
    assert refused(replay(host(card("x", 9)), npc, won)) == ("wrong_currency", 0)
    assert refused(replay(host(card("x", 2)), host(card("z"), influence=1), won)) == ("not_killed", 0)
    safe = host(card("z", never_killed=True), influence=1)
    assert refused(replay(host(card("x", 9)), safe, won)) == ("not_killed", 0)
    routed = replay(host(card("x", 9)), host(card("z"), kind="npc", own=3),
                    clash("a", "x", "z", saves={"def": "morale"}), rout={"b": {"rolls": [6]}})  # fmt: skip
    assert (routed["by"], where(routed, "b")) == ("rout", {"z": "killed"})


ROUTED = (
    host(card("x", 9, count=2)),
    host(
        card("z", 8, count=3), card("y", 8, never_killed=True), card("r", None, "ritual"), card("t", 8), own=1, favors=1
    ),
)
BEFORE = (
    clash("a", "x", "z#1", 2, 2, reactions=[{"by": "b", "discard": "r"}]),
    clash("b", "y", "x", 3, 1),
)


def fled(**flight: Any) -> dict[str, Any]:
    """B has z#1 and a Ritual Disabled and y Exhausted, and then Passes its last Morale away."""
    pass_a = {"by": "a", "choice": "unable"}
    return replay(*ROUTED, *BEFORE, pass_a, PASS_B, rout={"b": flight})


def test_rout() -> None:
    """R-61, R-87 to R-89, R-116, R-120: the Disabled and Exhausted are rolled for, Rituals and the hand are not."""
    found = fled(rolls=[5, 4])
    assert (found["ended_by"], found["winner"], found["by"], found["b"]["routed"]) == ("rout", "a", "rout", True)
    assert where(found, "b") == {
        "z#1": "killed", "z#2": "hand", "z#3": "hand", "y": "exhausted", "r": "disabled", "t": "hand",
    }  # fmt: skip
    assert found["a"]["kills"] == 1 and "z#1" not in found["b"]["returns"]


def test_protection_in_a_rout() -> None:
    """R-90: the Alchemy Lab's protection holds, and the unit lies Disabled."""
    found = fled(rolls=[1, 6])
    assert where(found, "b")["y"] == "disabled" and found["a"]["kills"] == 0


def test_saves_in_a_rout() -> None:
    """R-90, R-92: a player character saves there too, unless the house forbids it."""
    found = fled(rolls=[5, 1], saves={"z#1": "favor"})
    assert where(found, "b")["z#1"] == "disabled" and found["b"]["favors"] == 0
    assert refused(fled(rolls=[4, 1], saves={"z#1": "favor"})) == ("not_killed", None)
    forbidden = replay(*ROUTED, *BEFORE, {"by": "a", "choice": "unable"}, PASS_B, options={"rout_saves": "forbidden"},
                       rout={"b": {"rolls": [5, 1], "saves": {"z#1": "favor"}}})  # fmt: skip
    assert (forbidden["reason"], forbidden["army"]) == ("not_in_rout", "b")


def test_dice_of_a_rout() -> None:
    """R-88: one for each unit at risk."""
    assert refused(fled(rolls=[5])) == ("wrong_dice_count", None)
    assert refused(fled()) == ("wrong_dice_count", None)


def test_a_rogue_in_a_rout() -> None:
    """R-144: the victor's Rogue rolls for each of the dead."""
    rogue = {**ROUTED[0], "commander": {"path": "steel", "role": "savant", "progression": 4}}
    turns = (*BEFORE, {"by": "a", "choice": "unable"}, PASS_B)
    found = replay(rogue, ROUTED[1], *turns, rout={"b": {"rolls": [5, 1], "rogue": [4]}})
    assert found["a"]["morale"]["own"] == 6
    wrong = replay(rogue, ROUTED[1], *turns, rout={"b": {"rolls": [5, 1]}})
    assert refused(wrong) == ("wrong_dice_count", None)


def test_both_routed() -> None:
    """R-120: both lose."""
    found = replay(host(card("x"), own=0), host(card("z"), own=0))
    assert (found["winner"], found["by"], found["ended_by"]) == (None, "double_rout", "rout")


def test_kills_decide_before_morale() -> None:
    """R-117, R-120: kills are what lies in the Killed pile at the end, automatic kills too."""
    a, b = host(card("x", 3), own=2), host(card("junk", 0, "equipment"), card("z"), own=9)
    found = replay(a, b, clash("a", "x", "junk"), PASS_B)
    assert found["a"]["kills"] == 1
    over = replay(host(card("x", 3), card("w", 3), own=3), b, clash("a", "x", "junk"), PASS_B, PASS_A)
    assert (over["ended_by"], over["winner"], over["by"]) == ("both_pass", "a", "kills")


def test_options_reach_the_steps() -> None:
    """R-107: a reading that is chosen holds in every step of a replay; one that is only documented does not."""
    a, b = host(card("x", role="savant"), card("s", discard_bonus=1, count=2)), host(card("z"))
    give = {"by": "a", "discard": "s", "to": "off"}
    turn = clash("a", "x", "z", reactions=[give, give])
    assert totals(replay(a, b, turn)) == {"off": 10, "def": 4}
    assert totals(replay(a, b, turn, options={"savant_stack": "once"})) == {"off": 8, "def": 4}
    assert replay(a, b, turn, options={"both_pass": "any"})["reason"] == "option_not_supported"


# Any Battle

ROLES = ("aggressor", "guardian", "healer", "savant", "equipment")
PATHS_ROLES = [(path, role) for path in ("steel", "magic", "faith", "nature", "mind") for role in ROLES[:4]]


@st.composite
def armies(draw: st.DrawFn) -> dict[str, Any]:
    """A legal army of a few cards, some of them Rituals that have their support."""
    units = draw(st.lists(st.tuples(st.sampled_from(ROLES), st.integers(0, 5), st.booleans()), min_size=1, max_size=4))
    cards = [
        card(
            f"u{at}",
            strength,
            role,
            discard_bonus=1,
            training=int(trained),
            never_killed=trained and role == "equipment",
        )
        for at, (role, strength, trained) in enumerate(units)
    ]
    rites = [card("rite", None, "ritual", count=2)] if len(cards) > 1 and draw(st.booleans()) else []
    path, role = draw(st.sampled_from(PATHS_ROLES))
    return host(*cards, *rites, path=path, role=role, chosen="rogue", dervish={"role": "healer"}, favors=1,
                own=draw(st.integers(1, 5)), base=draw(st.integers(0, 1)))  # fmt: skip


def a_turn(data: st.DataObject, hosts: dict[str, dict[str, Any]], state: dict[str, Any]) -> dict[str, Any]:
    """A turn for whoever is next, with all the dice that it could want."""
    roles: dict[str, dict[str, str]] = {army: {one["id"]: one["role"] for one in hosts[army]["cards"]} for army in "ab"}
    hands = {army: state[army]["piles"]["hand"] for army in "ab"}

    def role(army: str, key: str) -> str:
        return roles[army][key.partition("#")[0]]

    def throw(dice: dict[str, int]) -> dict[str, list[int]]:
        return {side: data.draw(st.lists(st.integers(1, 6), min_size=n, max_size=n)) for side, n in dice.items()}

    me = state["next"]
    other = "b" if me == "a" else "a"
    mine, theirs = ([key for key in hands[army] if role(army, key) != "ritual"] for army in (me, other))
    if not mine:
        return {"by": me, "choice": "unable"}
    if data.draw(st.integers(0, 5)) == 0:
        return {"by": me, "choice": "pass"}
    key = data.draw(st.sampled_from(mine))
    turn: dict[str, Any] = {"by": me, "choice": "play", "card": key, "rogue": {"off": 4, "def": 2}}
    dice = {"off": {"aggressor": 2, "equipment": 0}.get(role(me, key), 1)}
    turn["defense"] = {"choice": data.draw(st.sampled_from(["play", "play", "pass"])) if theirs else "unable"}
    if turn["defense"]["choice"] == "play":
        turn["defense"]["card"] = answer = data.draw(st.sampled_from(theirs))
        found = ask("dice", off_role=role(me, key), def_role=role(other, answer))
        dice = {side: found[side] for side in ("off", "def")}
    turn["rolls"], turn["rerolls"] = throw(dice), [throw(dice) for _ in range(4)]
    spare = [left for left in hands[me] if left != key]
    if bool(theirs and spare) and data.draw(st.booleans()):
        given = data.draw(st.sampled_from(spare))
        to = None if role(me, given) == "ritual" else "off"
        turn["reactions"] = [{"by": me, "discard": given, "to": to, "roll": 5}]
    return turn


@pytest.mark.full
@settings(max_examples=50, deadline=None)
@given(armies(), armies(), st.sampled_from("ab"), st.data())
def test_every_card_is_in_exactly_one_pile(
    a: dict[str, Any], b: dict[str, Any], first: str, data: st.DataObject
) -> None:
    """R-42, R-84, R-115, R-174: through any Battle each card lies in one pile, none on the table, Morale at least 0."""
    hosts = {"a": a, "b": b}

    def played(turns: list[dict[str, Any]]) -> dict[str, Any]:
        """The Battle so far; where it ended in a rout, as many dice as it wants."""
        for wanted in combinations_with_replacement(range(9), 2):
            flight = {"rolls": [5] * wanted[1], "rogue": [4] * wanted[0]}
            found = ask("replay", **hosts, first_turn=first, turns=turns, rout={"a": flight, "b": flight})
            if found["ok"] or found["index"] is not None:
                break
        return found

    state = played([])
    every = {army: sorted(where(state, army)) for army in "ab"}
    turns: list[dict[str, Any]] = []
    for _ in range(12):
        if state["over"]:
            break
        turn = a_turn(data, hosts, state)
        after = played([*turns, turn])
        if not after["ok"]:
            assert after["reason"] in ("ritual_phase_limit", "ritual_battle_limit", "reroll_needed")
            continue
        turns, state = [*turns, turn], after
        for army in "ab":
            lying = [key for pile in state[army]["piles"].values() for key in pile]
            assert sorted(lying) == every[army] and state[army]["piles"]["engaged"] == []
            assert min(state[army]["morale"].values()) >= 0
            assert state[army]["routed"] is (state[army]["morale"]["total"] == 0)
            assert sorted([*state[army]["returns"], *state[army]["piles"]["killed"]]) == every[army]
        assert (state["next"] is None) is state["over"] and len(state["turns"]) == len(turns)
