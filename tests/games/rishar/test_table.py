"""Rishar: a Battle at the table."""

from __future__ import annotations

import json
import shlex
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.app.tables.seat import input_of
from carddb.cli.tables import command_of
from carddb.games.rishar.battle.record import Host
from carddb.games.rishar.play.fields import ARMIES
from carddb.games.rishar.table.front import FRONT, army_of_deck, carried, line_words, with_armies
from carddb.games.rishar.table.game import TABLE, new, record
from carddb.games.rishar.table.session import BattleSession, card_key
from carddb.play.question import Refusal
from carddb.play.table.engine import act, load, offered, public_log, public_view, save, undo
from carddb.read.decks.text import load_deck
from tests.games.rishar.samples import GAME, SPEC, ask, card, sample_pool

POOL = sample_pool()
ARMY = {path.stem: army_of_deck(load_deck(path, SPEC, POOL)[0], SPEC) for path in GAME.folder.decks}
GRID = SPEC.data["powers"]["grid"]


def battle(a: str, b: str, seed: int = 1, first: Any = "a", **commanders: Any) -> BattleSession:
    """A Battle between two bundled armies; `a_` and `b_` with a field change their Commanders."""
    hosts = {}
    for army, name in zip(ARMIES, (a, b), strict=True):
        changes = {key[2:]: value for key, value in commanders.items() if key[0] == army}
        host = ARMY[name][1]
        hosts[army] = host.model_copy(update={"commander": host.commander.model_copy(update=changes)})
    return new(SPEC, hosts, {"a": "Ada", "b": "Bo"}, seed, first)


def do(session: BattleSession, line: str, **fields: Any) -> BattleSession:
    return act(TABLE, session, line, fields)


def replayed(session: BattleSession) -> dict[str, Any]:
    """The Battle by `rishar.replay`, from the record as JSON."""
    return ask("replay", **json.loads(json.dumps(record(session))))


def played(session: BattleSession, *lines: str) -> BattleSession:
    """The session after lines as they are typed, an empty one for the usual thing."""
    for line in lines:
        words = line_words(session, shlex.split(line or TABLE.usual(session)))
        action = TABLE.actions[words[0]]
        command = command_of(words[0], action, FRONT)
        with command.make_context(words[0], words[1:]) as context:
            typed = input_of(action, context.params)
        session = act(TABLE, session, action.name, with_armies(session, typed))
    return session


def refusal(session: BattleSession, line: str) -> str:
    """The reason for which a line is refused, and nothing has changed."""
    before = save(session), public_view(TABLE, session)
    with pytest.raises(Refusal) as refused:
        played(session, line)
    assert (save(session), public_view(TABLE, session)) == before
    return refused.value.reason


def small(*cards: dict[str, Any], **commander: Any) -> Host:
    """An army of a few cards; its Commander is a Chaplain where nothing else is said."""
    leader = {"path": "faith", "role": "savant", "progression": 4, **commander}
    return Host.model_validate({"commander": leader, "cards": list(cards)}, context=SPEC)


def meet(a: Host, b: Host, seed: int = 1, **options: Any) -> BattleSession:
    """Two armies, of which the first begins."""
    return new(SPEC, {"a": a, "b": b}, {"a": "Ada", "b": "Bo"}, seed, "a", options)


def text(name: str, words: str) -> dict[str, Any]:
    return {"special": [{"name": name, "text": words}]}


SPEARMEN = card("spearmen", 2, "aggressor", traits=["reach"])
SOLDIER = card("soldier", 1, "aggressor", discard_bonus=1, count=3)


# The steps of a turn


def test_the_worked_example_at_the_table() -> None:
    """R-65, R-165: cards down, dice, a discard after the dice; the Spearmen win 7 to 5 and the Soldier is Disabled."""
    session = played(meet(small(SPEARMEN), small(SOLDIER)), "spear", "soldier", "4 2 3")
    assert public_view(TABLE, session)["table"]["forecast"]["fate"] == {"off": "exhausted", "def": "killed"}
    session = played(session, "", "2 soldier", "", "")
    assert "7 to 5" in session.log[-1].told and session.army("b").where["soldier#1"] == "disabled"
    assert session.army("b").where["soldier#2"] == "disabled" and session.fought.active == "b"


def test_what_lies_face_down_is_not_in_view() -> None:
    """R-6, R-63: two Battles that differ only in hands and in the card that is down look the same until the reveal."""
    views = []
    for hand, down in ((("x", "y"), "x"), (("v", "w"), "w")):
        session = played(meet(small(*map(card, hand)), small(SOLDIER)), down)
        views.append((public_view(TABLE, session), public_log(session), session.message))
    assert views[0] == views[1] and views[0][0]["table"] == {"off": "?"}
    assert played(session, "soldier").message.startswith("Bo lays a card face down. W against Soldier #1.")


def test_cards_as_they_are_typed() -> None:
    """A name, its beginning, a word of it, a copy before or behind it; what several cards begin with is refused."""
    army = small(card("spearmen"), card("spear-wall"), card("old-bear", count=3))
    session = meet(army, small(SOLDIER))
    state = session.army("a")
    meant = {"spearm": "spearmen", "bear": "old-bear#1", "2 old": "old-bear#2", "bear 3": "old-bear#3"}
    for typed, key in {**meant, "old-bear#3": "old-bear#3", "Spear-Wall": "spear-wall"}.items():
        assert card_key(state, typed, "hand") == key, typed
    assert refusal(session, "spear") == "card_ambiguous" and refusal(session, "4 bear") == "no_such_card"
    assert refusal(session, "soldier") == "no_such_card"


def test_what_is_refused_changes_nothing() -> None:
    """R-24, R-47, R-62, R-64: a card of no Strength, a Ritual, dice of another number, an action of another step."""
    rite = card("rite", None, "ritual", "faith")
    army = small(card("x", path="faith"), card("y", path="faith"), rite, card("drum", None, "equipment"))
    session = meet(army, small(SOLDIER))
    assert refusal(session, "rite") == "ritual_in_skirmish" and refusal(session, "drum") == "no_strength"
    assert refusal(session, "unable") == "able_to_play" and refusal(session, "roll") == "wrong_step"
    session = played(session, "x", "soldier")
    assert refusal(session, "4 2 1") == refusal(session, "4") == "bad_input"
    assert refusal(session, "7 1") == "bad_input" and refusal(session, "play y") == "wrong_step"


def test_a_pass_and_unable() -> None:
    """R-48, R-49, R-51, R-52: a Pass costs Morale, an attack that is Passed is Unopposed, Unable costs nothing."""
    session = played(meet(small(card("x", 6)), small(SOLDIER)), "x", "pass")
    assert "X attacks Unopposed" in session.message
    session = played(session, "6", "", "")
    assert session.army("b").morale == 2 and session.army("a").where["x"] == "exhausted"
    session = played(session, "soldier")
    assert TABLE.usual(session) == "unable"
    session = played(session, "", "")
    assert session.fought.active == "b" and session.army("a").morale == 5


def test_roles_are_changed_at_the_reveal() -> None:
    """R-114, R-131, R-138: an Adept makes a Guardian of the card when both lie up; nobody else is decider."""
    session = played(meet(small(card("x"), path="mind", role="guardian"), small(SOLDIER)), "x", "soldier")
    assert session.step == "reveal" and public_view(TABLE, session)["choices"] == ["guardian"]
    assert refusal(session, "savant") == "role_change_not_allowed"
    session = played(session, "guardian", "5 3", "", "")
    assert "Adept (R-131)" in session.log[2].told and session.turns[0]["role_as"] == "guardian"
    assert played(meet(small(card("x")), small(SOLDIER)), "x", "soldier").step == "dice"


def test_printed_abilities_count_by_themselves() -> None:
    """R-63, R-105: Charge, Hold and Bane add where they fit; another text is said, and no Savant grows by either."""
    charge, bane = text("Charge", "On Offense: +2 Strength."), text("Bane", "Against a Savant: +3 Strength.")
    session = played(
        meet(small(card("x", 1, "savant", **charge)), small({**SOLDIER, **bane})), "x", "soldier", "1 1", "", ""
    )
    assert "4 to 5" in session.log[-1].told and session.turns[0]["texts"] == {"off": 2, "def": 3}
    odd = text("Odd", "Twice as strong on a Sunday.")
    session = played(meet(small(card("x", 1, **odd)), small(SOLDIER)), "x", "soldier", "text off 4", "1 1", "", "")
    assert "6 to 2" in session.log[-1].told


def test_discards_do_what_they_say() -> None:
    """R-75, R-78, R-83, R-85: help, hindrance, Morale and moved cards; what does not fit its text is refused."""
    aid = text("Aid", "Discard this card: your engaged Guardian gets +3 Strength.")
    dread = text("Dread", "Discard this card: the opponent loses 2 Morale.")
    hinder = text("Hinder", "Discard this card: the opponent’s engaged unit gets −2 Strength.")
    rescue = text("Rescue", "Discard this card: one of your Disabled units of Strength 3 or less goes to Exhausted.")
    tools = [card("banner", None, "equipment", discard_bonus=3, **aid), card("horn", None, "equipment", **dread)]
    tools += [card("bell", None, "equipment", discard_bonus=-2, **hinder), card("nurse", **rescue), card("plain")]
    a = small(card("x"), *tools)
    session = played(meet(a, small(SOLDIER)), "x", "soldier")
    assert refusal(session, "banner") == "text_does_not_fit" and refusal(session, "plain") == "no_discard_power"
    assert refusal(session, "nurse") == "text_does_not_fit" and refusal(session, "bell to off") == "text_does_not_fit"
    session = played(session, "horn")
    assert session.army("b").morale == 3
    session = played(session, "1 1", "bell")
    assert "Soldier #1 has -2" in session.message
    session = played(session, "", "plain add 1", "", "banner add 1 to off", "")
    assert session.fought.engaged.fighters["off"].before_dice == 3
    assert refusal(session, "nurse") == "target_needed" and refusal(session, "nurse for soldier") == "no_such_card"
    session = played(session, "nurse for plain")
    assert session.army("a").where["plain"] == "exhausted"
    session = played(session, "soldier morale 1 enemy -1 move horn pile hand of a")
    assert session.army("a").where["horn"] == "hand" and session.army("b").morale == 4


def test_powers_name_their_rule() -> None:
    """R-139, R-145, R-149: Evoker, Illusionist and Etherealist in their opportunity; no power where there is none."""
    evoker = small(card("x"), path="magic", role="aggressor")
    session = played(meet(evoker, small(SOLDIER)), "x", "soldier")
    assert played(session, "use def").fought.engaged.fighters["def"].before_dice == 3
    session = played(session, "use")
    assert "uses Evoker (R-139)" in session.message and refusal(session, "use by ada") == "limit_skirmish"
    trick = small(card("x"), path="magic", role="savant")
    session = played(meet(trick, small(SOLDIER)), "x", "soldier", "use off die 5")
    assert session.fought.engaged.fighters["off"].before_dice == 6
    swap = played(meet(small(card("x"), card("big", 5), path="mind", role="savant"), small(SOLDIER)), "x", "soldier")
    assert "Big takes the place" in played(swap, "use big").message
    assert refusal(played(swap, "1 1"), "use big") == "wrong_time"
    assert refusal(played(meet(small(card("x")), small(SOLDIER)), "x", "soldier"), "use off") == "not_activated"


def test_opportunities_go_round() -> None:
    """R-76: who declines leaves the other a chance; two in a row end it, an effect opens it again."""
    session = played(meet(small(card("x"), SOLDIER), small(SOLDIER)), "x", "soldier", "5 1", "")
    assert session.step == "reactions" and session.decider == "b"
    session = played(session, "2 soldier", "", "3 soldier")
    assert session.step == "reactions" and session.decider == "a"
    before = played(meet(small(card("x"), SOLDIER), small(SOLDIER)), "x", "soldier", "decline", "decline")
    assert before.step == "dice" and refusal(before, "soldier") == "opportunity_over"


def test_equal_totals_are_rolled_again() -> None:
    """R-69: with equal Strength the dice are rolled again, as often as it takes."""
    session = played(meet(small(card("x")), small(card("z"))), "x", "z", "3 3", "", "")
    assert session.step == "reroll"
    session = played(session, "2 2", "6 1")
    assert session.turns[0]["rerolls"] == [{"off": [2], "def": [2]}, {"off": [6], "def": [1]}]


def test_saves_and_rogues() -> None:
    """R-92 to R-97, R-144: the owner is decider only where it can pay; a saved unit gives the Rogue no roll."""
    rogue, poor = small(card("x", 9), path="steel", role="savant"), small(SOLDIER)
    session = played(meet(rogue, poor), "x", "soldier", "1 1", "", "")
    assert session.step == "plunder"
    assert played(session, "4").army("a").own == 6 and played(session, "3").army("a").own == 5
    rich = small(SOLDIER, favors=1, influence=0.5)
    session = played(meet(rogue, rich), "x", "soldier", "1 1", "", "")
    assert session.step == "saving" and public_view(TABLE, session)["choices"] == ["favor", "influence"]
    assert refusal(session, "morale") == "wrong_currency"
    saved = played(session, "influence")
    assert (
        saved.army("b").influence == 0 and saved.army("b").where["soldier#1"] == "disabled" and saved.step == "offense"
    )
    assert played(session, "next").step == "plunder"
    npc = meet(rogue, small(SOLDIER, kind="npc"))
    assert "3 Morale" not in npc.message and played(npc, "x", "soldier", "1 1", "", "", "save").army("b").morale == 2


def test_healers_and_clerics_between_turns() -> None:
    """R-102, R-103, R-134: after a clash a Healer brings a card back; a Cleric prays before the next card is laid."""
    a = small(card("x"), card("doc", 1), card("y"), path="faith", role="healer")
    session = played(meet(a, small(card("z", 9), card("w", 5))), "x", "z", "1 1", "", "")
    assert session.army("a").where["x"] == "killed" and refusal(session, "heal doc x") == "target_pile"
    prayed = played(session, "pray x")
    assert prayed.army("a").where["x"] == "hand" and prayed.army("a").morale == 4 and "Cleric (R-134)" in prayed.message
    assert refusal(prayed, "pray x") == "limit_day"
    session = played(session, "w", "y", "1 5", "", "")
    assert session.army("a").where["y"] == "disabled"
    healed = played(session, "heal doc for y")
    assert healed.army("a").where == {"x": "killed", "doc": "disabled", "y": "hand"} and healed.army("a").morale == 4
    assert refusal(played(session, "pray x"), "heal doc y") == "wrong_time"


def test_healers_are_asked_before_a_phase_ends() -> None:
    """R-54, R-102: where the clash was the last, the Healer's time comes first; a card in hand keeps the Phase."""
    a = small(card("x", 2), card("doc", 1, "healer"))
    session = played(meet(a, small(card("z"))), "doc", "z", "1 6", "", "", "unable", "x", "unable")
    assert session.fought.phase == 2


# Before and after


def test_choices_before_the_battle() -> None:
    """R-41, R-126, R-128, R-137, R-140: Tactician, Dervish, Oathbound, Mender, then the lot; Enter does the usual."""
    tactician = small(card("x"), card("y"), path="steel", role="guardian")
    dervish = small(SOLDIER, path="faith", role="aggressor")
    session = new(SPEC, {"a": tactician, "b": dervish}, {"a": "Ada", "b": "Bo"}, 4)
    assert session.step == "tactician" and refusal(session, "evoker") == "tactician_choice"
    session = played(session, "oathbound")
    assert session.step == "dervish"
    session = played(session, "steel")
    assert session.step == "oath" and refusal(session, "z") == "no_such_card"
    session = played(session, "y")
    assert session.step == "first" and played(session, "").fought.active == session.decider
    assert played(session, "b").fought.first_turn == "b" and played(session, "begin bo").fought.first_turn == "b"
    mender = meet(small(card("x"), path="mind", role="healer"), small(SOLDIER))
    assert mender.step == "mender" and refusal(mender, "look soldier#1") == "wrong_cards_shown"
    looked = played(mender, "look")
    assert len(looked.shown) == 2 and "Mender (R-137)" in looked.message
    shown = looked.shown[1].replace("#", " ")
    assert played(looked, f"disable {shown}").army("b").where[looked.shown[1]] == "disabled"
    assert played(looked, "").army("a").morale == 5 and played(mender, "next").step == "offense"


def test_illegal_armies_have_no_battle() -> None:
    """R-33, R-38: an army that a check refuses does not come to the table."""
    with pytest.raises(Refusal) as refused:
        meet(small(card("x", granted_by="chirurgeon")), small(SOLDIER))
    assert refused.value.reason == "army_illegal"


def test_a_necromancer_as_the_second_phase_opens() -> None:
    """R-55, R-133: the Exhausted come back, and a Disabled card where the Necromancer takes it."""
    a = small(card("x"), path="magic", role="healer")
    session = played(meet(a, small(card("z", 3))), "x", "z", "3 3", "", "")
    assert session.step == "second_phase" and refusal(session, "q") == "no_such_card"
    back = played(session, "x")
    assert back.army("a").where["x"] == "hand" and back.fought.phase == 2 and "Necromancer (R-133)" in back.message
    assert played(session, "").army("a").where["x"] == "disabled"


def test_a_rout_at_the_table() -> None:
    """R-61, R-88 to R-92: the victor's dice, a save, the Rogue's die for the dead, and the result."""
    rogue = small(card("x", 9, count=2), path="steel", role="savant")
    b = small(card("z", 8, count=2), card("y", 1), favors=1, progression=0)
    session = played(meet(rogue, b), "x", "z", "2 1", "", "", "pass", "2 x", "2 z", "6 5", "", "", "pass")
    assert session.army("b").morale == 1
    session = played(session, "", "pass")
    assert session.step == "rout" and session.army("b").routed
    session = played(session, "6 5")
    assert session.step == "rout_saving" and refusal(session, "y") == "not_killed"
    session = played(session, "1 z")
    assert session.army("b").favors == 1 and session.step == "rout_plunder"
    session = played(session, "4")
    assert session.step == "over" and "Ada wins by the rout (R-116)" in session.message
    assert session.army("b").favors == 0 and sorted(session.army("b").where.values()) == ["disabled", "hand", "killed"]
    assert session.army("a").own == 6 and refusal(session, "play x") == "wrong_step"
    same_by_replay(session)


def test_undo_says_what_it_takes_back() -> None:
    """The last actions are taken back with the dice that fell, in words that give no hidden card away."""
    session = played(meet(small(card("x")), small(SOLDIER)), "x", "soldier", "roll")
    again = played(undo(TABLE, session), "roll")
    assert save(again) == save(session)
    before = undo(TABLE, session, 3)
    assert "lays a card face down" in before.message and before.step == "offense"
    with pytest.raises(Refusal, match="nothing_to_undo"):
        undo(TABLE, before)


def test_saves_are_read_whole_or_refused() -> None:
    """R-174: a save is the Battle; one that is damaged, foreign or against the rules is refused with a sentence."""
    session = played(meet(small(card("x")), small(SOLDIER)), "x", "soldier", "5 1")
    good = json.loads(save(session))
    assert save(load(TABLE, SPEC, json.dumps(good))) == save(session)
    broken = [
        ({**good, "version": 2}, "save_version_unknown"),
        ({**good, "game": "guarda"}, "save_corrupt"),
        ({**good, "a": None}, "save_corrupt"),
        ({**good, "names": {"a": "Half a Battle"}}, "save_corrupt"),
        ({**good, "a": {**good["a"], "cards": [{**good["a"]["cards"][0], "count": 10**40}]}}, "save_corrupt"),
        ({**good, "log": [{"action": "roll", "input": {}, "told": ""}]}, "save_corrupt"),
        ({**good, "log": [{"action": "dance", "input": {}, "told": ""}]}, "save_corrupt"),
        ([], "save_corrupt"),
    ]
    for data, reason in broken:
        with pytest.raises(Refusal) as refused:
            load(TABLE, SPEC, json.dumps(data))
        assert refused.value.reason == reason and refused.value.details["hint"]


def test_the_next_battle_carries_on() -> None:
    """R-45, R-83, R-91, R-115: Morale and payments stay, the Killed are gone; a routed army does not fight that Day."""
    a, b = small(card("x", 9, count=2), name="Ada"), small(card("z"), card("y"), name="Bo", favors=1, base_bonus=1)
    session = played(meet(a, b), "x", "z", "1 1", "", "", "next", "pass", "pass")
    assert session.step == "over"
    after = carried(session, {"a": b, "b": a})
    assert (after["a"].own, after["a"].base) == (4, 1) or (after["a"].own, after["a"].base) == (5, 0)
    assert [card["id"] for card in after["a"].cards] == ["y"] and after["b"].own == 4
    assert carried(session, {"a": b, "b": a}, new_day=True)["a"].base is None
    assert carried(session, {"a": b, "b": a}, refresh=True)["b"].own is None
    with pytest.raises(Refusal, match="battle_not_over"):
        carried(undo(TABLE, session), {"a": a, "b": b})
    weak = small(card("x"), name="Ada", progression=0)
    routed = played(meet(weak.model_copy(update={"own": 1}), b), "pass")
    assert routed.step == "over"
    with pytest.raises(Refusal, match="routed_today"):
        carried(routed, {"a": weak, "b": b})
    assert carried(routed, {"a": weak, "b": b}, new_day=True)["a"].own is None


# Any Battle


def attempt(session: BattleSession, chance: Random) -> tuple[str, dict[str, Any]]:
    """Something that a player may try at a step: often the usual thing, else anything, right or wrong."""
    usual = TABLE.usual(session)
    if usual and chance.randrange(3):
        return usual, {}
    names = [action.name for action in offered(TABLE, session)]
    name = chance.choice(["play"] * 8 * ("play" in names) + names)
    every = [key for army in ARMIES for key in (session.army(army).cards if session.battle else ())] or ["x"]
    own = (session.army(session.decider).lying("hand") if session.battle and session.deciders else []) or every
    lying = [
        key
        for army in ARMIES
        for key in (session.army(army).lying("killed", "disabled", "exhausted") if session.battle else ())
    ]
    card = chance.choice(own if chance.randrange(6) else every)
    target = chance.choice(lying or every)
    sides, strength = ["off", "def"], chance.randrange(-3, 6)
    fields: dict[str, dict[str, Any]] = {
        "play": {"card": card},
        "name": {"card": card},
        "disable": {"card": chance.choice(session.shown or ("x",))},
        "pray": {"card": target},
        "back": {"card": target},
        "rescue": {"card": target},
        "heal": {"card": target, "healer": card},
        "discard": {"card": card} | ({"add": strength, "to": chance.choice(sides)} if chance.randrange(2) else {}),
        "choose": {"power": chance.choice([name for row in GRID.values() for name in row.values()])},
        "against": {"opponent": chance.choice([{"path": "steel"}, {"role": "guardian"}])},
        "become": {"role": chance.choice(["aggressor", "guardian", "healer", "savant", "equipment"])},
        "text": {"side": chance.choice(sides), "strength": strength},
        "use": {"what": chance.choice([*sides, card])},
    }
    return name, fields.get(name, {})


def random_battle(chance: Random) -> BattleSession:
    """A Battle between two of the bundled armies, led by Commanders of any class."""
    names = [chance.choice(sorted(ARMY)) for _ in ARMIES]
    changes: dict[str, Any] = {}
    for army in ARMIES:
        path, role = chance.choice(list(SPEC.data["paths"])), chance.choice(list(GRID))
        own = {"path": path, "role": role, "kind": chance.choice(["pc", "npc"]), "favors": chance.randrange(3)}
        own |= {"progression": chance.randrange(13), "chosen": None, "base_bonus": chance.randrange(3)}
        changes |= {f"{army}_{key}": value for key, value in own.items()}
    while True:
        try:
            return battle(names[0], names[1], chance.randrange(99), chance.choice([None, "a", "b"]), **changes)
        except Refusal as refusal:
            assert refusal.reason == "army_illegal"
            changes |= {"a_path": "faith", "a_role": "savant", "b_path": "faith", "b_role": "savant"}


@pytest.mark.full
@settings(max_examples=8, deadline=None)
@given(st.integers(0, 10**9))
def test_a_session_replayed_gives_the_same_battle(seed: int) -> None:
    """R-174: whatever is tried at the table, `rishar.replay` of its record stands where the table stands."""
    fight_out(seed)


@pytest.mark.full
@settings(max_examples=1000, deadline=None)
@given(st.integers(0, 10**9))
def test_many_sessions_replayed_give_the_same_battles(seed: int) -> None:
    """R-174: the same for a thousand Battles."""
    fight_out(seed)


def fight_out(seed: int) -> None:
    """Plays a random Battle to its end, compares it with its replay on the way and at the end, and its save."""
    chance = Random(seed)
    session, turns = random_battle(chance), 0
    for _ in range(600):
        name, fields = attempt(session, chance)
        try:
            session = act(TABLE, session, name, fields)
        except Refusal:
            continue
        if session.step == "over":
            break
        if len(session.turns) > turns and session.step == "offense":
            turns = len(session.turns)
            if turns % 4 == 0:
                same_by_replay(session)
    assert session.step == "over"
    same_by_replay(session)
    text = save(session)
    again = load(TABLE, SPEC, text)
    assert save(again) == text and public_view(TABLE, again) == public_view(TABLE, session)


def same_by_replay(session: BattleSession) -> None:
    assert replayed(session) == {"ok": True, **json.loads(json.dumps(session.fought.report()))}, record(session)
