"""Something that a player does in a session: an action, accepted whole or refused."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Concatenate, Generic, ParamSpec, get_args

from carddb.games.cdg_solo.module import Module
from carddb.games.cdg_solo.session.session import Session
from carddb.games.cdg_solo.session.state import Step
from carddb.play.question import Part, form_of

P = ParamSpec("P")

ANY_STEP: frozenset[str] = frozenset(get_args(Step))


class Action(Generic[P]):
    """A function of the session whose further parameters are the player's input."""

    def __init__(
        self,
        function: Callable[Concatenate[Session, P], Session],
        rules: Sequence[str],
        steps: frozenset[str],
        serves: Callable[[Module], bool],
        otherwise: Callable[[Session], str],
    ) -> None:
        self.function = function
        self.rules = rules
        self.steps = steps
        self.serves = serves
        """Whether a module has anything that the action is for; it is offered only then."""
        self.otherwise = otherwise
        """The refusal at any other step."""
        self.name = function.__name__.rstrip("_")

    def __call__(self, session: Session, *args: P.args, **kwargs: P.kwargs) -> Session:
        return self.function(session, *args, **kwargs)

    @property
    def about(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def form(self) -> type[Part]:
        """The player's input."""
        return form_of(self.function, without=("session",))


def action(
    *rules: str,
    at: Sequence[str] | frozenset[str],
    serves: Callable[[Module], bool] = lambda _: True,
    otherwise: Callable[[Session], str] = lambda _: "wrong_step",
) -> Callable[[Callable[Concatenate[Session, P], Session]], Action[P]]:
    """Makes a function an action that is allowed at some steps; `rules` are the ids it implements."""
    return lambda function: Action(function, rules, frozenset(at), serves, otherwise)
