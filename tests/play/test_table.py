"""The engine of every table, tried with a game of two actions: a counter that is raised, and one that is rolled."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Literal

import pytest

from carddb.game.game import GameSpec
from carddb.play.question import BadInput, Count, Die, Many, Refusal, refuse
from carddb.play.table.engine import (
    TableGame,
    act,
    action,
    actions_of,
    load,
    offered,
    public_log,
    public_view,
    save,
    undo,
)
from carddb.play.table.session import Rng, TableSession, TableState
from tests.games.referee_samples import game
from tests.rows import every

SPEC = game("cdg-solo").spec


class CounterState(TableState):
    """A counter."""

    game: Literal["counter"] = "counter"
    version: Literal[1] = 1
    step: Literal["open", "closed"] = "open"
    total: Count = 0


class Counter(TableSession[CounterState]):
    """A counter that is played with."""


@action("X-1", at=["open"])
def add(session: Counter, number: Count) -> Counter:
    """Raise the counter."""
    refuse(too_much=number > 9)
    return session.with_(total=session.table.total + number).say(f"{number} more.")


@action("X-2", at=["open"], serves=lambda session: session.table.total > 0)
def roll(session: Counter, dice: Many[Die] = ()) -> Counter:
    """Roll two dice onto the counter, and close it."""
    session, faces = session.rolled(2, dice)
    return session.with_(total=session.table.total + sum(faces), step="closed").say(f"{faces[0]} and {faces[1]}.")


def faults(session: Counter) -> Iterator[str]:
    if session.table.total > 1000:
        yield f"total: {session.table.total} is more than the counter has."


def restore(spec: GameSpec, table: CounterState) -> Counter:
    return Counter(spec, table)


GAME: TableGame[Counter] = TableGame(
    key="counter",
    actions=actions_of(sys.modules[__name__]),
    steps={"open": "add NUMBER, or roll", "closed": "nothing more"},
    usual=lambda session: "roll" if session.step == "open" and session.table.total else "",
    initial=lambda session: Counter(session.spec, CounterState(rng=Rng(seed=session.table.rng.seed))),
    view=lambda session: {"total": session.table.total},
    form=CounterState,
    restore=restore,
    faults=faults,
)

NEW = Counter(SPEC, CounterState(rng=Rng(seed=7)))


def refused(session: Counter, name: str, **fields: object) -> Refusal:
    with pytest.raises(Refusal) as caught:
        act(GAME, session, name, fields)
    return caught.value


def test_an_action_is_a_new_session_and_a_line_of_the_log() -> None:
    """An accepted action leaves the session before as it was, and stands in the log with its input and its words."""
    after = act(GAME, NEW, "add", {"number": 3})
    assert (NEW.table.total, after.table.total) == (0, 3)
    assert NEW.log == () and after.log[0].input == {"number": 3}
    assert public_log(after) == [{"action": "add", "told": "3 more."}]


def test_what_is_offered_fits_step_and_session() -> None:
    """An action is offered at its steps, and where the session has something for it."""
    started = act(GAME, NEW, "add", {"number": 1})
    assert [one.name for one in offered(GAME, NEW)] == ["add"]
    assert [one.name for one in offered(GAME, started)] == ["add", "roll"]
    assert offered(GAME, act(GAME, started, "roll", {})) == []


def test_a_refusal_says_the_step_and_what_may_be_done() -> None:
    """Every refusal has the step it was made in and what may be done there, whatever the reason."""
    closed = act(GAME, NEW, "roll", {"dice": (1, 2)})
    for session, name, fields, reason in (
        (NEW, "add", {"number": 10}, "too_much"),
        (NEW, "add", {}, "bad_input"),
        (NEW, "jump", {}, "bad_input"),
        (closed, "add", {"number": 1}, "wrong_step"),
    ):
        refusal = refused(session, name, **fields)
        assert refusal.reason == reason
        assert refusal.details["step"] == session.step and refusal.details["now"] == GAME.steps[session.step]


def test_a_wrong_value_is_answered_with_the_right_ones() -> None:
    """A number out of range, and one that is missing, are answered with the range."""
    assert refused(NEW, "add", number=-1).details["hint"] == "number must be a whole number from 0 on"
    assert refused(NEW, "add").details["hint"] == "number must be a whole number from 0 on"
    assert refused(NEW, "roll", dice=(7, 1)).details["hint"] == "dice must be a whole number from 1 to 6"


def test_dice_are_typed_or_come_from_the_seed() -> None:
    """Typed dice leave the stream alone, a wrong number of them is refused; else the seed decides, always alike."""
    typed, rolled = act(GAME, NEW, "roll", {"dice": (6, 5)}), act(GAME, NEW, "roll", {})
    assert typed.table.total == 11 and typed.table.rng.draws == 0
    assert rolled.table.rng.draws == 2 and rolled == act(GAME, NEW, "roll", {})
    refusal = refused(NEW, "roll", dice=(4,))
    assert isinstance(refusal, BadInput) and "2 dice" in refusal.details["hint"]
    with pytest.raises(BadInput):
        NEW.rolled(1, (7,))


def test_undo_says_what_it_took_back() -> None:
    """What is taken back is told, the last first; the dice fall again as they fell; more than there is is refused."""
    played = act(GAME, act(GAME, NEW, "add", {"number": 3}), "roll", {})
    before = undo(GAME, played)
    assert before.table.total == 3 and before.message == f"taken back: roll. {played.message}"
    assert act(GAME, before, "roll", {}).table == played.table
    assert undo(GAME, played, 2).message.endswith("\ntaken back: add. 3 more.")
    with pytest.raises(Refusal, match="nothing_to_undo"):
        undo(GAME, played, 3)


def test_undo_behind_an_action_that_rules_refuse_now() -> None:
    """A log that cannot be played again is no crash: undo is refused, and says which action stands in its way."""
    played = act(GAME, act(GAME, NEW, "add", {"number": 3}), "add", {"number": 2})
    first = played.log[0].model_copy(update={"input": {"number": 10}})
    with pytest.raises(Refusal) as caught:
        undo(GAME, played.with_(log=(first, *played.log[1:])))
    assert caught.value.details["hint"] == "Action 1 of the log, add, is refused now: too_much."


def test_the_public_view_says_what_may_be_done() -> None:
    """The view has the game's own values, the step in words, what Enter does, the actions and what was told last."""
    started = act(GAME, NEW, "add", {"number": 1})
    assert public_view(GAME, started) == {
        "total": 1,
        "step": "open",
        "now": "add NUMBER, or roll",
        "enter": "roll",
        "actions": ["add", "roll"],
        "told": "1 more.",
    }


def test_a_save_is_read_as_it_was_written() -> None:
    """A save read again is the same table, its future chance included."""
    played = act(GAME, NEW, "add", {"number": 3})
    again = load(GAME, SPEC, save(played))
    assert again.table == played.table
    assert act(GAME, again, "roll", {}).table == act(GAME, played, "roll", {}).table


@every(
    "change, reason, says",
    [
        ({"version": 2}, "save_version_unknown", "The save has version 2; this carddb reads version 1. Open it with "),
        ({"game": "chess"}, "save_corrupt", "a session of 'chess', not of counter"),
        ({"total": -1}, "save_corrupt", "total: "),
        ({"total": 2000}, "save_corrupt", "total: 2000 is more than the counter has."),
        ({"step": "midway"}, "save_corrupt", "step: "),
        ({"log": [{"action": "jump"}]}, "save_corrupt", "an action 'jump'"),
        ({"rng": {}}, "save_corrupt", "rng.seed is missing."),
    ],
)
def test_a_wrong_save_is_refused_whole(change: dict[str, object], reason: str, says: str) -> None:
    """A damaged or foreign save is refused with one sentence that says what is wrong and where."""
    text = json.dumps({**json.loads(save(NEW)), **change})
    with pytest.raises(Refusal) as caught:
        load(GAME, SPEC, text)
    assert caught.value.reason == reason and says in caught.value.details["hint"]


@every("text", ["", "[]", "{", "7", '{"total": 3}', "[" * 100000, "9" * 5000, save(NEW)[:-20]])
def test_what_is_no_save_is_refused(text: str) -> None:
    """What is no JSON, no object, cut short or nested without end is refused with a sentence."""
    with pytest.raises(Refusal) as caught:
        load(GAME, SPEC, text)
    assert caught.value.reason == "save_corrupt" and caught.value.details["hint"].endswith(".")
