"""The engine of every table: what may be done, actions carried out and taken back, and what all may see."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Generic

from carddb.game.game import GameSpec
from carddb.play.question import BadInput, Refusal, read, refuse_for
from carddb.play.table.action import Action, S
from carddb.play.table.session import LogEntry, TableState


@dataclass(frozen=True)
class TableGame(Generic[S]):
    """How a game is played at a table; each game makes one, in its own folder, and names it in its `rules.py`."""

    key: str
    """The key of the game."""
    actions: Mapping[str, Action[S, Any]]
    """Every action by name."""
    steps: Mapping[str, str]
    """What may be done at each step, in words that follow `Now: `."""
    usual: Callable[[S], str]
    """What Enter does, as a player would type it; empty where there is nothing usual."""
    initial: Callable[[S], S]
    """A session as it was before its first action."""
    view: Callable[[S], dict[str, Any]]
    """The session without its secrets, as JSON values."""
    form: type[TableState]
    """What its saves contain."""
    restore: Callable[[GameSpec, Any], S]
    """A session from what a save contains. Raises Refusal for what the game does not know."""
    faults: Callable[[S], Iterable[str]]
    """What in a restored session cannot be: sentences that say where."""


def offered(game: TableGame[S], session: S) -> list[Action[S, Any]]:
    """The actions that the step allows and the session has something for."""
    return [action for action in game.actions.values() if session.step in action.steps and action.serves(session)]


def act(game: TableGame[S], session: S, name: str, fields: Mapping[str, Any]) -> S:
    """The session after an action, which is in its log; the session given stays as it is.

    Raises Refusal with the reason; its `details` have the `step` of the session, and `now`, what may be done there.
    """
    try:
        after = _done(game, session, name, fields)
    except Refusal as refusal:
        refusal.details |= {"step": session.step, "now": game.steps[session.step]}
        raise
    entry = LogEntry(action=name, input=dict(fields), told=after.message)
    return after.with_(log=(*session.log, entry))


def refusal_of(game: TableGame[S], session: S, name: str, fields: Mapping[str, Any]) -> Refusal | None:
    """Why an action would be refused now; None where it would be accepted. Nothing is done."""
    try:
        _done(game, session, name, fields)
    except Refusal as refusal:
        return refusal
    return None


def _done(game: TableGame[S], session: S, name: str, fields: Mapping[str, Any]) -> S:
    if name not in game.actions:
        raise BadInput("action")
    action = game.actions[name]
    try:
        values = dict(read(action.form, fields, spec=session.spec).__dict__)
    except BadInput as fault:
        fault.details.setdefault("hint", action.expected(fault.path))
        raise
    refuse_for(action.otherwise(session) if session.step not in action.steps else None)
    return action(replace(session, message=""), **values)


def undo(game: TableGame[S], session: S, count: int = 1) -> S:
    """The session before its last actions, played again from the seed; its message says what was taken back.

    Refuses `nothing_to_undo`, with a `hint` where an older program accepted what the rules now refuse.
    """
    if len(session.log) < count:
        raise Refusal("nothing_to_undo")
    before = game.initial(session)
    for number, entry in enumerate(session.log[: len(session.log) - count], 1):
        try:
            before = act(game, before, entry.action, entry.input)
        except Refusal as refusal:
            hint = f"Action {number} of the log, {entry.action.replace('_', '-')}, is refused now: {refusal.reason}."
            raise Refusal("nothing_to_undo", hint=hint) from None
    back = [f"taken back: {entry.action.replace('_', '-')}. {entry.told}".strip() for entry in session.log[-count:]]
    return replace(before, message="\n".join(reversed(back)))


def public_view(game: TableGame[S], session: S) -> dict[str, Any]:
    """What all may see, as JSON values: the game's view, what may be done now, and what the last action told."""
    return {
        **game.view(session),
        "step": session.step,
        "now": game.steps[session.step],
        "enter": game.usual(session),
        "actions": [action.name for action in offered(game, session)],
        "told": session.log[-1].told if session.log else "",
    }


def public_log(session: S) -> list[dict[str, Any]]:
    """The accepted actions in words, which reveal no card that is still hidden."""
    return [{"action": entry.action, "told": entry.told} for entry in session.log]
