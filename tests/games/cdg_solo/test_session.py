"""A solo session: what must hold after every action, whatever a player does (SD-10 to SD-27)."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from carddb.games.cdg_solo.module import module_of
from carddb.games.cdg_solo.play.display import SPACES, WINGS
from carddb.games.cdg_solo.play.hooks import HOOKS
from carddb.games.cdg_solo.table.game import TABLE, new, places
from carddb.games.cdg_solo.table.session import SoloSession
from carddb.play.question import Refusal
from carddb.play.table.engine import public_log, save
from tests.games.cdg_solo.solo_session import act, load, public_view, undo
from tests.games.referee_samples import game

SPEC = game("cdg-solo").spec
MODULES = sorted(SPEC.data["modules"])
KINDS = ["event", "combat", "response", "battle", "scoring", "mandatory", "section", "tactics", "campaign"]


def deck(module_id: str, each: int = 14, chance: random.Random | None = None) -> list[dict[str, Any]]:
    """Cards for a module: plain ones, or with kinds by chance."""
    module = module_of(SPEC, module_id)
    cards = []
    for name in module.decks:
        for number in range(1, (each if len(module.decks) > 1 else 2 * each) + 1):
            kinds = ["ops", "event"]
            if chance and chance.random() < 0.5:
                kinds = ["ops", *chance.sample(KINDS, chance.randint(1, 2))]
                if {"section", "tactics"} <= set(kinds):
                    kinds.remove("tactics")
            side = name if len(module.decks) > 1 else "both"
            cards.append(
                {
                    "deck": name,
                    "number": number,
                    "title": f"{name} {number}",
                    "side": side,
                    "ops": number % 4 + 1,
                    "kinds": kinds,
                    "remove_after": "event" if number % 5 == 0 else "never",
                }
            )
    return cards


def hands(session: SoloSession, size: int = 7) -> dict[str, int]:
    return dict.fromkeys(session.module.side_ids, size)


def started(module_id: str, seed: int = 1, size: int = 7, each: int = 14) -> SoloSession:
    """A session of plain cards after the deal."""
    return act(
        new(SPEC, module_id, deck(module_id, each), seed),
        "start_phase",
        {"hands": dict.fromkeys(sides(module_id), size)},
    )


def sides(module_id: str) -> tuple[str, ...]:
    return module_of(SPEC, module_id).side_ids


def refused(session: SoloSession, name: str, /, **said: Any) -> str:
    """The reason of a refused action."""
    with pytest.raises(Refusal) as caught:
        act(session, name, said)
    return caught.value.reason


# Whatever a player does


def whole(session: SoloSession) -> None:
    """SD-14: each card is in exactly one place."""
    if session.table.phase_no:
        assert Counter(places(session)) == Counter(list(session.table.cards))


def counted(session: SoloSession) -> None:
    """SD-15: the flipped chits are 1 to k of at most 12."""
    for side in session.table.sides.values():
        assert 0 <= side.chits.flipped <= side.chits.total <= 12


def occupied(session: SoloSession) -> None:
    """SD-16: between rounds each space holds its target, unless no card can be drawn."""
    if session.table.step != "round_ready" or "pile_empty" in session.table.warnings:
        return
    for name in session.module.side_ids:
        display, targets = session.display(name), session.side(name).targets
        for space in WINGS:
            assert len(display.at(space)) >= (2 if space in targets else 1)
        in_c = len(display.spaces.get("C", ()))
        assert in_c == {"pile_in_c": 0, "card_in_c": 1}.get(display.layout, min(in_c, 1))


def piled(session: SoloSession) -> None:
    """SD-19: below its top no card of a pile is up; a pile off the displays has none."""
    for name in session.module.side_ids:
        display = session.display(name)
        under = display.stock[1:] if display.layout == "pile_in_c" else display.stock
        assert not any(slot.up for slot in under)


def the_same_when_saved(session: SoloSession) -> None:
    """SD-13, SD-24: a save read again is the same session, the future of the stream included."""
    assert load(SPEC, save(session)).table == session.table


def the_same_when_replayed(session: SoloSession) -> None:
    """SD-24: the log played again from the seed gives the same state."""
    again = TABLE.initial(session)
    for entry in session.table.log:
        again = act(again, entry.action, entry.input)
    assert again.table == session.table


def silent(session: SoloSession) -> None:
    """SD-25: two sessions that differ only in hidden cards look the same, log and offers included."""
    swapped = with_hidden_swapped(session)
    assert public_view(swapped) == public_view(session)
    assert public_log(swapped) == public_log(session)


def with_hidden_swapped(session: SoloSession) -> SoloSession:
    """The session with the down cards of each side, and each pile, in another order."""
    names = list(session.module.side_ids)
    common = session.table.common is not None
    groups = [names] if common else [[name] for name in names]
    for group in groups:
        hidden = [slot.card for name in group for _, slot in session.display(name) if not slot.up]
        pile = [slot.card for slot in session.display(group[0]).stock if not slot.up]
        every = list(dict.fromkeys([*hidden, *pile]))
        turned = dict(zip(every, every[1:] + every[:1], strict=True))
        table = session.table.model_dump(mode="json")
        for name in group:
            lying = table["sides"][name]["display"]
            for space in [*SPACES, "pile"]:
                if lying.get(space):
                    lying[space] = [_renamed(text, turned) for text in lying[space]]
        if common:
            table["common"]["pile"] = [_renamed(text, turned) for text in table["common"]["pile"]]
        session = SoloSession.of(SPEC, session.module, type(session.table).model_validate(table))
    return session


def _renamed(text: str, names: Mapping[str, str]) -> str:
    return names.get(text[:-1], text[:-1]) + text[-1] if text.endswith("-") else text


CHECKS = (whole, counted, occupied, piled, the_same_when_saved, silent)


class Player(RuleBasedStateMachine):
    """Somebody who tries everything, sensible or not."""

    @initialize(
        module=st.sampled_from(MODULES), seed=st.integers(0, 1000), plain=st.booleans(), each=st.integers(8, 20)
    )
    def sit_down(self, module: str, seed: int, plain: bool, each: int) -> None:
        chance = None if plain else random.Random(seed)
        self.session = new(SPEC, module, deck(module, each, chance), seed)

    @rule(data=st.data())
    def sensible(self, data: st.DataObject) -> None:
        """An action that the step allows, with cards that lie up."""
        names = [action.name for action in TABLE.actions.values() if self.session.table.step in action.steps]
        self.tries(data, data.draw(st.sampled_from(names)))

    @rule(data=st.data())
    def anything(self, data: st.DataObject) -> None:
        """Any action at any step."""
        self.tries(data, data.draw(st.sampled_from(sorted(TABLE.actions))))

    @rule()
    def usual(self) -> None:
        """What a player mostly does: roll, play, go on."""
        self.session = usual(self.session)

    @rule()
    def take_back(self) -> None:
        """SD-24: an action taken back leaves the session as it was before it."""
        if self.session.table.log:
            before = undo(self.session)
            entry = self.session.table.log[-1]
            assert act(before, entry.action, entry.input).table == self.session.table
            self.session = before

    def tries(self, data: st.DataObject, name: str) -> None:
        said = {key: value for key, value in self.words(data, name).items() if value is not None}
        before = self.session.table.model_dump_json()
        try:
            self.session = act(self.session, name, said)
        except Refusal as refusal:
            assert self.session.table.model_dump_json() == before, "SD-23: a refusal is neutral"
            assert not hidden_in(self.session, str(refusal.details), said)

    def words(self, data: st.DataObject, name: str) -> dict[str, Any]:
        """What might be said to an action."""
        session = self.session
        every = sorted(session.table.cards)
        ups = [card for side in session.module.side_ids for card in session.display(side).ups()]
        cards = (
            st.sampled_from(ups)
            if ups and data.draw(st.integers(0, 4)) > 0
            else st.sampled_from([*every, "A", "C2", "D", "x"])
        )
        side = st.sampled_from([*session.module.side_ids, "nobody"])
        kinds: dict[str, st.SearchStrategy[Any]] = {
            "card": cards,
            "cards": st.lists(cards, max_size=3),
            "side": st.none() | side,
            "face": st.none() | st.integers(1, 6),
            "faces": st.none() | st.dictionaries(side, st.integers(1, 6), max_size=2),
            "keep": st.lists(cards, max_size=1),
            "place": st.sampled_from(["A", "B", "C", "D", "E", "A2", "Z"]),
            "mode": st.sampled_from(["event", "ops", "other", "discard", "fo_hold", "play"]),
            "to": st.none() | st.sampled_from(["discard", "removed"]),
            "draw2": st.none() | st.booleans(),
            "use": st.sampled_from(["ec", "oc", "reaction"]),
            "role": st.sampled_from(["attacker", "defender", "active", "inactive"]),
            "count": st.integers(0, 6),
            "code": st.sampled_from(["one_ops", "free_round", "pass", "pass_last_chit"]),
            "hands": st.none() | st.fixed_dictionaries({s: st.integers(3, 9) for s in session.module.side_ids}),
            "value": st.booleans(),
            "key": st.sampled_from(["historical_arcadia", "scenario_1942", "none"]),
            "name": st.sampled_from(sorted(HOOKS)),
            "params": st.none()
            | st.fixed_dictionaries({}, optional={"card": cards, "from_discard": cards, "side": side}),
        }
        return {field: data.draw(kinds[field]) for field in TABLE.actions[name].form.model_fields if field in kinds}

    @invariant()
    def holds(self) -> None:
        for check in CHECKS if hasattr(self, "session") else ():
            check(self.session)


def hidden_in(session: SoloSession, text: str, said: Mapping[str, Any]) -> list[str]:
    """The hidden cards that a text names, but for those that the player has named."""
    hidden = {slot.card for side in session.module.side_ids for _, slot in session.display(side) if not slot.up}
    return [card for card in hidden if f"'{card}'" in text and card not in str(said)]


def usual(session: SoloSession) -> SoloSession:
    """One step of an ordinary game: whatever comes next, with the first card that may be played."""
    step = session.table.step
    if step in ("setup", "end_phase"):
        return act(session, "start_phase", {"hands": hands(session)})
    if step == "round_ready":
        return act(session, "roll", {})
    if step == "choose_home":
        return act(session, "no_home", {})
    if step == "choose_flip":
        display = session.display(session.active)
        down = next((space for space in SPACES if any(not slot.up for slot in display.at(space)[:1])), "C")
        return act(session, "choose_flip", {"place": down})
    if step in ("choosing", "forced"):
        return played(session)
    if step == "resolving":
        fighting = any(side.waiting for side in session.table.sides.values()) or session.table.pending.nominated
        return act(session, "combat_end" if fighting else "next_round", {})
    return act(session, {"phase_over": "end_phase"}.get(step, "next_round"), {})


def played(session: SoloSession) -> SoloSession:
    """The first card that may be played, in the first mode; a count for each card that needs one."""
    view = public_view(session)["may"]
    if view.get("needs"):
        for card in session.display(session.active).ups():
            if card not in session.table.pending.order_counts:
                return act(session, "order_count", {"card": card, "count": 2})
    if "begin" in view:
        return act(session, "play", {"card": view["begin"]["cards"][0], "mode": "event"})
    for choice in view["play"]:
        for mode in choice["modes"]:
            try:
                return act(session, "play", {"card": choice["card"], "mode": "other" if mode == "any" else mode})
            except Refusal:
                continue
    return act(session, "end_phase" if session.table.step != "choosing" else "c_unplayable", {})


@st.composite
def damaged_saves(draw: st.DrawFn) -> str:
    """The save of a session in play with a few of its values replaced or left out."""
    session = started(draw(st.sampled_from(MODULES)), draw(st.integers(0, 9)))
    for _ in range(draw(st.integers(0, 6))):
        session = usual(session)
    data = json.loads(save(session))
    for _ in range(draw(st.integers(1, 2))):
        part: Any = data
        while True:
            key = draw(st.sampled_from(list(part) if isinstance(part, dict) else list(range(len(part)))))
            if isinstance(part[key], dict | list) and part[key] and draw(st.integers(0, 3)):
                part = part[key]
                continue
            part[key] = draw(
                st.sampled_from([None, True, -1, 0, 1, 13, "", "x", "A", "C_JR", "resolving", [], {}, ["x+"]])
            )
            break
    return json.dumps(data)


def read_or_refused(text: str) -> None:
    """A damaged save is refused, or is a session that can be looked at and played on."""
    try:
        session = load(SPEC, text)
    except Refusal as refusal:
        assert refusal.reason in ("save_corrupt", "save_version_unknown")
        return
    public_view(session)
    public_log(session)
    for name in TABLE.actions:
        for said in (
            {},
            {"card": "A"},
            {"card": "A", "mode": "event"},
            {"side": session.module.side_ids[1]},
            {"cards": ["A"]},
        ):
            try:
                act(session, name, said)
            except Refusal:
                continue


@settings(max_examples=60, deadline=None)
@given(damaged_saves())
def test_a_damaged_save_is_refused_or_played_on(text: str) -> None:
    """SD-13: whatever was changed in a save, it is refused as corrupt or is a whole session; nothing crashes."""
    read_or_refused(text)


@pytest.mark.full
@settings(max_examples=5000, deadline=None)
@given(damaged_saves())
def test_a_damaged_save_at_full_size(text: str) -> None:
    """The same, many times over."""
    read_or_refused(text)


SMALL = settings(max_examples=15, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
FULL = settings(max_examples=400, stateful_step_count=60, deadline=None, suppress_health_check=list(HealthCheck))


class TestPlayer(Player.TestCase):  # type: ignore[misc, valid-type]
    """SD-14 to SD-16, SD-19, SD-23 to SD-25: what holds after every action, whoever plays."""

    settings = SMALL


@pytest.mark.full
class TestPlayerAtFullSize(Player.TestCase):  # type: ignore[misc, valid-type]
    """The same over longer sessions, and many more."""

    settings = FULL
