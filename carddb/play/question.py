"""A question to the referee: a function of a game's rules whose parameters are the fields of the question.

    @operation("C-91", "C-92")
    def declare_attack(position: str, attacked: bool = False, *, options: Options) -> Answer:
        refuse(strategist_cannot_battle=position == "strategist", already_attacked=attacked)
        return {"attacked": True}

The annotations are what is checked before the function runs, what the JSON Schema says and what `judge --list`
shows. A parameter named `spec` gets the game, one named `options` the house readings in force, one named `pool` the
game's cards; none of them is a field.
A name that Python keeps for itself is written with an underscore at its end (`from_`, `class_`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType, ModuleType
from typing import Any, Generic, ParamSpec, TypeVar, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, ValidationError, create_model
from pydantic.json_schema import SkipJsonSchema
from pydantic_core import CoreSchema

from carddb.cards.cards import Pool
from carddb.core.vocabulary import Vocabulary
from carddb.game.game import GameSpec
from carddb.game.parts import OptionSpec
from carddb.play.faults import describe
from carddb.play.folding import with_folded_words

MAX_NESTING = 50
EMPTY = Pool(())

Answer = Mapping[str, Any]
Options = Mapping[str, Any]
"""Every house reading of the game with the value in force."""

P = ParamSpec("P")
_INJECTED = ("spec", "options", "pool")
_Hidden = SkipJsonSchema[Any]
_CONTAINERS = (dict, list, tuple)


class Refusal(Exception):
    """The answer is no: the reason, and the other keys of the answer."""

    def __init__(self, reason: str, **details: Any) -> None:
        super().__init__(reason)
        self.reason = reason
        self.details = details


class BadInput(Refusal):
    """A key is missing or unknown, or a value of a wrong type or out of range; `path` joins keys and positions by dots.

    `details` are what there is to say of an unknown key or word: `did_you_mean`, the nearest or None, and for a word
    the `words` there are; of a number out of its range `least` and `most`, or `above` and `below`, which it cannot be.
    """

    def __init__(self, path: str, **details: Any) -> None:
        super().__init__("bad_input", path=path, **details)
        self.path = path


def refuse(**reasons: object) -> None:
    """Raises Refusal with the first reason that holds, in the order they are written."""
    for reason, holds in reasons.items():
        if holds:
            raise Refusal(reason)


def refuse_for(reason: str | None) -> None:
    """Raises Refusal with a reason that was found, if one was."""
    if reason is not None:
        raise Refusal(reason)


class Record(BaseModel):
    """The base of a part of a module, a card or a save: no type is guessed, unknown keys are ignored."""

    model_config = ConfigDict(strict=True, frozen=True, extra="ignore", allow_inf_nan=False, populate_by_name=True)


class Part(Record):
    """The base of an object inside a question: an unknown key is a fault, words of lists are folded."""

    model_config = ConfigDict(extra="forbid")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        schema: CoreSchema = with_folded_words(handler(source), cls)
        return schema


RecordT = TypeVar("RecordT", bound=Record)


class Operation(Generic[P]):
    """A question that a game answers, and the ids of the rules that the answer stands on."""

    def __init__(self, function: Callable[P, Answer], rules: Sequence[str]) -> None:
        self.function = function
        self.rules = tuple(rules)
        self.name = function.__name__.rstrip("_")
        self._wants = {name for name in _INJECTED if name in inspect.signature(function).parameters}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> Answer:
        return self.function(*args, **kwargs)

    @property
    def wants_cards(self) -> bool:
        """Whether the question is answered from the game's cards."""
        return "pool" in self._wants

    @property
    def about(self) -> str:
        """The first line of the docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @cached_property
    def question(self) -> type[Part]:
        """The fields of the question; `options` is one of every question."""
        return form_of(self.function, without=_INJECTED, options=(_Hidden, None))

    def ask(self, spec: GameSpec, data: Any, pool: Pool = EMPTY) -> dict[str, Any]:
        """The answer to a question as plain JSON values; a refusal is one too. Raises nothing."""
        try:
            answer = self.function(**self._arguments(spec, data, pool))  # type: ignore[call-arg]
        except Refusal as refusal:
            if spec.refusal_key == "error":
                return {"error": refusal.reason, **refusal.details}
            return {"ok": False, "reason": refusal.reason, **refusal.details}
        return dict(answer) if spec.refusal_key == "error" else {"ok": True, **answer}

    def _arguments(self, spec: GameSpec, data: Any, pool: Pool) -> dict[str, Any]:
        if not isinstance(data, Mapping):
            raise BadInput("")
        _not_too_deep(data)
        values = dict(read(self.question, data, spec=spec).__dict__)
        options = options_in_force(spec, values.pop("options"))
        own = options is not spec.option_defaults and "options" not in self._wants
        injected = {"spec": spec.with_defaults(options) if own else spec, "options": options, "pool": pool}
        for name in self._wants:
            values[name] = injected[name]
        return values


def form_of(function: Callable[..., Any], without: Collection[str], **further: Any) -> type[Part]:
    """The parameters of a function as the fields of an object, without those that it gets from elsewhere.

    `further` are fields that are no parameters, each with its type and default.
    """
    hints = get_type_hints(function, include_extras=True)
    fields: dict[str, Any] = dict(further)
    for name, parameter in inspect.signature(function).parameters.items():
        if name not in without:
            default = ... if parameter.default is parameter.empty else parameter.default
            fields[name] = (hints[name], Field(default, alias=name.rstrip("_")))
    form = create_model(function.__name__.rstrip("_"), __base__=Part, **fields)
    form.__doc__ = inspect.getdoc(function)
    return form


def operation(*rules: str) -> Callable[[Callable[P, Answer]], Operation[P]]:
    """Makes a function an operation; `rules` are the ids it implements."""
    return lambda function: Operation(function, rules)


def operations(*holders: ModuleType | Operation[Any]) -> dict[str, Operation[Any]]:
    """The operations of modules, by name, in the order they are written."""
    operations_: list[Operation[Any]] = []
    for holder in holders:
        values: Iterable[Any] = [holder] if isinstance(holder, Operation) else vars(holder).values()
        home = getattr(holder, "__name__", None)
        operations_ += [
            value for value in values if isinstance(value, Operation) and home in (None, value.function.__module__)
        ]
    return {operation_.name: operation_ for operation_ in operations_}


def options_in_force(spec: GameSpec, options: Any) -> Options:
    """Every house reading: as given, or by default.

    Raises BadInput, also for an unknown option, and Refusal `option_not_supported` for a reading that is only
    documented.
    """
    defaults = spec.option_defaults
    if options is None:
        return defaults
    if not isinstance(options, Mapping):
        raise BadInput("options")
    values = dict(defaults)
    documented = False
    for key, value in options.items():
        name = _option(spec, key)
        option = spec.options[name]
        try:
            values[name] = option.value_of(value)
        except ValueError:
            documented |= option.documents(value)
            if not option.documents(value):
                raise BadInput(f"options.{key}", **_values_near(option, value)) from None
    refuse(option_not_supported=documented)
    return MappingProxyType(values)


def _option(spec: GameSpec, key: Any) -> str:
    """The option that a key means. Raises BadInput for none."""
    if key in spec.options:
        return str(key)
    name = spec.option_words.find(str(key))
    if name is None:
        raise BadInput(f"options.{key}", did_you_mean=spec.option_words.nearest(str(key)))
    return name


def _values_near(option: OptionSpec, value: Any) -> dict[str, Any]:
    """What a word that is none of an option's choices may have been, and the choices there are."""
    if option.type != "choice" or not isinstance(value, str | int):
        return {}
    near = {"did_you_mean": Vocabulary(map(str, option.of)).nearest(value)} if isinstance(value, str) else {}
    return {**near, "words": list(option.of)}


def read(kind: type[RecordT], data: Any, path: str = "", spec: GameSpec | None = None) -> RecordT:
    """The fields of a question, or an object in it whose kind only shows inside the rules; `path` leads to it.

    The game lends its labels and aliases to the words of lists. Raises BadInput with the path from the question's top.
    """
    try:
        return kind.model_validate(data, context=spec)
    except ValidationError as fault:
        place, details = describe(kind, fault, data)
        raise BadInput(".".join(filter(None, (path, place))), **details) from None


def _not_too_deep(data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, _CONTAINERS) and _deeper(value, MAX_NESTING):
            raise BadInput(str(key))


def _deeper(value: Any, levels: int) -> bool:
    """Whether a container is nested deeper than so many levels, its own counted."""
    for item in value.values() if isinstance(value, dict) else value:
        if isinstance(item, _CONTAINERS) and (levels == 1 or _deeper(item, levels - 1)):
            return True
    return False
