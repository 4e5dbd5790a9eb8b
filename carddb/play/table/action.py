"""Something that a player does at a table: an action, accepted whole or refused.

    @action("S-4", "S-35", at=["round_ready"])
    def roll(session: Session, face: Die | None = None) -> Session:
        \"\"\"Roll the method die, or type what a die on the table shows.\"\"\"

The parameters after `session` are what the player says; their annotations are checked before the function runs.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

from carddb.play.question import Part, form_of
from carddb.play.table.session import TableSession

S = TypeVar("S", bound=TableSession[Any])
P = ParamSpec("P")


class Action(Generic[S, P]):
    """A function of the session whose further parameters are the player's input."""

    def __init__(
        self,
        function: Callable[Concatenate[S, P], S],
        rules: Sequence[str],
        steps: Collection[str],
        serves: Callable[[S], bool],
        otherwise: Callable[[S], str],
    ) -> None:
        self.function = function
        self.rules = rules
        self.steps = steps
        self.serves = serves
        """Whether the session has anything that the action is for; it is offered only then."""
        self.otherwise = otherwise
        """The reason of the refusal at any other step."""
        self.name = function.__name__.rstrip("_")

    def __call__(self, session: S, *args: P.args, **kwargs: P.kwargs) -> S:
        return self.function(session, *args, **kwargs)

    @property
    def about(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def form(self) -> type[Part]:
        """The player's input."""
        return form_of(self.function, without=("session",))

    def expected(self, path: str) -> str:
        """What a value of the input has to be, as a sentence; empty where its form says no more than its kind."""
        name = path.partition(".")[0]
        field = self.form.model_json_schema()["properties"].get(name, {})
        for part in (one.get("items", one) for one in field.get("anyOf", [field])):
            if "minimum" in part:
                most = f" to {part['maximum']}" if "maximum" in part else " on"
                return f"{name} is a whole number from {part['minimum']}{most}"
            if "enum" in part:
                return f"{name} is one of {', '.join(map(str, part['enum']))}"
        return ""


def action(
    *rules: str,
    at: Collection[str],
    serves: Callable[[Any], bool] = lambda _: True,
    otherwise: Callable[[Any], str] = lambda _: "wrong_step",
) -> Callable[[Callable[Concatenate[S, P], S]], Action[S, P]]:
    """Makes a function an action that is allowed at some steps; `rules` are the ids it implements.

    `serves` and `otherwise` take the session.
    """
    return lambda function: Action(function, rules, frozenset(at), serves, otherwise)


def actions_of(*modules: ModuleType) -> Mapping[str, Action[Any, Any]]:
    """The actions that modules define, by name, in the order they are written."""
    return {
        value.name: value
        for module in modules
        for value in vars(module).values()
        if isinstance(value, Action) and value.function.__module__ == module.__name__
    }
