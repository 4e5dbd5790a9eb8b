"""The engine of all tables: an action is carried out as a whole or refused; actions are undone, and saves checked."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import ModuleType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from pydantic import ValidationError

from carddb.game.game import GameSpec
from carddb.play.question import BadInput, Part, Refusal, form_of, read, refuse_for
from carddb.play.table.session import LogEntry, TableSession, TableState

S = TypeVar("S", bound=TableSession[Any])
P = ParamSpec("P")


@dataclass(eq=False)
class Action(Generic[S, P]):
    """An action of a player: a function of the session and of the player's input, allowed at some `steps`."""

    function: Callable[Concatenate[S, P], S]
    rules: Sequence[str]
    steps: Collection[str]
    serves: Callable[[S], bool]
    """Returns whether the action is useful in the session; only then it is offered."""
    otherwise: Callable[[S], str]
    """Returns the reason for which the action is refused at any step that is not in `steps`."""

    @property
    def name(self) -> str:
        return self.function.__name__.rstrip("_")

    def __call__(self, session: S, *args: P.args, **kwargs: P.kwargs) -> S:
        return self.function(session, *args, **kwargs)

    @property
    def about(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def form(self) -> type[Part]:
        """The Pydantic model of the player's input: the function's parameters without `session`."""
        return form_of(self.function, without=("session",))

    @cached_property
    def fields(self) -> Mapping[str, dict[str, Any]]:
        """The JSON schema of each field of the form."""
        return dict(self.form.model_json_schema().get("properties", {}))

    def expected(self, path: str) -> str:
        """Returns a clause that says what the value at `path` must be; empty if only its type is restricted."""
        name = path.partition(".")[0]
        field = self.fields.get(name, {})
        for part in (one.get("items", one) for one in field.get("anyOf", [field])):
            if "minimum" in part:
                most = f" to {part['maximum']}" if "maximum" in part else " on"
                return f"{name} must be a whole number from {part['minimum']}{most}"
            if "enum" in part:
                return f"{name} must be one of {', '.join(map(str, part['enum']))}"
        return ""


def action(
    *rules: str,
    at: Collection[str],
    serves: Callable[[Any], bool] = lambda _: True,
    otherwise: Callable[[Any], str] = lambda _: "wrong_step",
) -> Callable[[Callable[Concatenate[S, P], S]], Action[S, P]]:
    """Makes a function an Action, allowed at the steps `at`; see Action, and `operation` for the `rules`."""
    return lambda function: Action(function, rules, frozenset(at), serves, otherwise)


def actions_of(*modules: ModuleType) -> Mapping[str, Action[Any, Any]]:
    """Returns the actions that are defined in modules, by name, in the order of their definition."""
    return {
        value.name: value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Action) and value.function.__module__ == module.__name__
    }


@dataclass(frozen=True)
class TableGame(Generic[S]):
    """The functions and texts by which people play a game at a table; the game's `rules.py` gives them as `SESSION`."""

    key: str
    actions: Mapping[str, Action[S, Any]]
    """Every action by name."""
    usual: Callable[[S], str]
    """Returns the usual action, for which Enter is enough, as a player would type it; empty if there is none."""
    initial: Callable[[S], S]
    """Returns the session as it was before its first action."""
    view: Callable[[S], dict[str, Any]]
    """Returns the session without its secrets, as JSON values."""
    form: type[TableState]
    """The Pydantic model of the game's saves."""
    restore: Callable[[GameSpec, Any], S]
    """Returns the session of a save, given as an object of `form`. Raises Refusal for anything unknown to the game."""
    faults: Callable[[S], Iterable[str]] = lambda _: ()
    """Yields the faults of a restored session, as sentences that say where; none if `restore` replays the log."""
    steps: Mapping[str, str] = field(default_factory=dict)
    """The choices at each step, as text that follows `Now: `, if the game has no `table/steps.yaml` that gives them."""

    def choices(self, session: S) -> str:
        """Returns the choices at the session's step, in words."""
        return self.steps.get(session.step) or str(session.words["now"])


def offered(game: TableGame[S], session: S) -> list[Action[S, Any]]:
    """Returns the actions that the step allows and that are useful in the session."""
    return [action for action in game.actions.values() if session.step in action.steps and action.serves(session)]


def act(game: TableGame[S], session: S, name: str, fields: Mapping[str, Any]) -> S:
    """Returns the session after the action `name` with the input `fields`, which is added to its log.

    Raises Refusal if it is refused; `details` contain the session's `step`, and under `now` the choices there.
    """
    try:
        after = _done(game, session, name, fields)
    except Refusal as refusal:
        refusal.details |= {"step": session.step, "now": game.choices(session)}
        raise
    return after.with_(log=(*session.log, LogEntry(action=name, input=dict(fields), told=after.message)))


def refusal_of(game: TableGame[S], session: S, name: str, fields: Mapping[str, Any]) -> Refusal | None:
    """Returns the refusal that `act` would raise for an action; None if the action would be accepted."""
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
    return action(session.fresh(), **values)


def replayed(game: TableGame[S], session: S, log: Iterable[LogEntry]) -> S:
    """Returns a session after the actions of a log. Raises Refusal for an action that is refused."""
    for entry in log:
        session = act(game, session, entry.action, entry.input)
    return session


def undo(game: TableGame[S], session: S, count: int = 1) -> S:
    """Returns the session before its last `count` actions, replayed from the seed; its message says what was undone.

    Refuses with `nothing_to_undo` if there are too few actions or, with a `hint`, if the rules refuse an earlier one.
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
    """Returns what everybody may see, as JSON values: view, step, possible actions, and the last action's report."""
    return {
        **game.view(session),
        "step": session.step,
        "now": game.choices(session),
        "enter": game.usual(session),
        "actions": [action.name for action in offered(game, session)],
        "told": session.log[-1].told if session.log else "",
    }


def public_log(session: S) -> list[dict[str, Any]]:
    """Returns the accepted actions with their reports, which reveal no hidden card."""
    return [{"action": entry.action, "told": entry.told} for entry in session.log]


def save(session: S) -> str:
    """Returns the session as the text of a save, which contains the hidden cards."""
    text: str = session.table.model_dump_json(indent=1)
    return f"{text}\n"


def load(game: TableGame[S], spec: GameSpec, text: str) -> S:
    """Returns the session of a save as text. Refuses with `save_version_unknown` or `save_corrupt`, and a `hint`."""
    data = _object(game, text)
    try:
        session = game.restore(spec, game.form.model_validate(data))
    except ValidationError as fault:
        first = fault.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"]))
        raise _corrupt(f"{place} is missing." if first["type"] == "missing" else f"{place}: {first['msg']}.") from None
    except Refusal as refusal:
        raise _corrupt(f"{refusal.details.get('path') or 'It'} is unknown to {game.key}.") from None
    unknown = next((entry.action for entry in session.log if entry.action not in game.actions), None)
    if unknown is not None:
        raise _corrupt(f"Its log has an action {unknown!r}, which {game.key} does not know.")
    for sentence in game.faults(session):
        raise _corrupt(sentence)
    return session


def _object(game: TableGame[S], text: str) -> dict[str, Any]:
    """Returns the JSON object in the text of a save. Refuses any other text, and another game or version."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise _corrupt("It is nested too deep for a saved session.") from None
    except json.JSONDecodeError as fault:
        raise _corrupt(f"It is not a complete JSON text: line {fault.lineno}, column {fault.colno}.") from None
    except ValueError:
        raise _corrupt("It has a number that is too long.") from None
    if not isinstance(data, dict) or "version" not in data:
        raise _corrupt("It is not a saved session: it has no version.")
    owner = data.get("game", game.key)
    if owner != game.key:
        raise _corrupt(f"It is a session of {owner!r}, not of {game.key}.")
    if data["version"] != (version := game.form.model_fields["version"].default):
        versions = f"The save has version {data['version']!r}; this carddb reads version {version}."
        raise Refusal("save_version_unknown", hint=f"{versions} Open it with the version of carddb that saved it.")
    return data


def _corrupt(sentence: str) -> Refusal:
    return Refusal("save_corrupt", hint=sentence)
