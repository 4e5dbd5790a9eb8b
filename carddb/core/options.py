"""Options of a command, each declared once for the command line, forms, JSON and keyword arguments.

A set of options is a TypedDict or a frozen dataclass. Each field whose annotation contains an `Option` is an option:

    ink: Annotated[InkMode, Option("light: greys, no art.", "full")]

This module also converts values from and to the texts that users type.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean

_FAR = 10**15
"""The largest absolute value of a number for which an option sets no bound."""
_REMEDIES: Mapping[type, str] = {bool: "Write true or false.", str: "Write it in quotes."}


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a command. It takes its name, type and choices from the field that it annotates.

    `default` is the value if the user gives none and, with `by_project`, the project's file gives none either. `least`
    and `most` bound a number; a `float` must be above `least`. `read` converts a text, a JSON value or an already
    converted value. If it raises ValueError, `remedy` says what to write instead.
    """

    help: str
    default: Any = None
    by_project: bool = False
    least: int | None = None
    most: int | None = None
    read: Callable[[Any], Any] | None = None
    remedy: str = ""
    flag: str = ""
    """The spelling on the command line, if it differs from the name."""
    metavar: str = ""
    is_folder: bool = False
    exists: bool = False
    """True if the file must exist."""
    name: str = ""
    type: type = str
    """`bool`, `int`, `float`, `date`, `Path` or `str`; of a list, that of its items; `Mapping` for pairs of texts."""
    choices: tuple[str, ...] = ()
    is_list: bool = False

    @property
    def dashed(self) -> str:
        """The option as the command line writes it."""
        return self.flag or f"--{self.name.replace('_', '-')}"

    @property
    def words(self) -> str:
        """The name with spaces instead of underscores."""
        return self.name.replace("_", " ")

    @property
    def is_switch(self) -> bool:
        return self.type is bool

    def value(self, raw: Any) -> Any:
        """Returns `raw` (JSON, Python or text) converted for the program. Raises UsageError if it is not allowed."""
        if self.read:
            try:
                return self.read(raw)
            except ValueError as fault:
                raise UsageError(str(fault), self.remedy) from fault
        if self.choices and raw not in self.choices:
            raise UsageError(f"{self.name} cannot be {raw!r}", did_you_mean(str(raw), self.choices))
        if self.type in (int, float):
            return self._number(raw, raw)
        if not isinstance(raw, self.type):
            raise UsageError(f"{self.name} cannot be {raw!r}", _REMEDIES.get(self.type, ""))
        return raw

    def of_text(self, text: str) -> Any:
        """Returns a form field's value: a number, True (a switch), or `text`. Raises UsageError for a bad number."""
        if self.is_switch:
            return True
        if self.read or self.type not in (int, float):
            return text
        try:
            number = self.type(text)
        except ValueError:
            raise UsageError(f"{self.words} cannot be {text!r}", "Write a number.") from None
        return self._number(number, text)

    def _number(self, number: Any, raw: Any) -> Any:
        least, most = -_FAR if self.least is None else self.least, _FAR if self.most is None else self.most
        is_one = isinstance(number, int | float if self.type is float else int) and not isinstance(number, bool)
        if is_one and least <= number <= most and not (self.type is float and number == self.least):
            return number
        kind = "a number" if self.type is float else "a whole number"
        above = "above" if self.type is float else "of at least"
        bounds = [f"{above} {self.least}"] if self.least is not None else []
        bounds += [f"at most {self.most}"] if self.most is not None else []
        raise UsageError(f"{self.words} cannot be {raw!r}", f"Write {' '.join([kind, ' and '.join(bounds)]).strip()}.")


_READING = Option("A house reading; see `carddb games`.", flag="--option", metavar="K=V")
HouseReadings = Annotated[Mapping[str, Any], _READING]
"""The players' readings of points that the rules leave open: a value for each of the game's options, by name."""


@cache
def declared(kind: type) -> Mapping[str, Option]:
    """Returns the options of a TypedDict or dataclass by name, in order of declaration."""
    options = {}
    for name, hint in get_type_hints(kind, include_extras=True).items():
        for option in getattr(hint, "__metadata__", ()):
            if isinstance(option, Option):
                options[name] = replace(option, name=name, **_of_type(get_args(hint)[0]))
    return options


def _of_type(hint: Any) -> dict[str, Any]:
    """Returns the arguments of an `Option` that its type hint gives, by name; of a union, the first type counts."""
    if get_origin(hint) in (Union, UnionType):
        hint = next(part for part in get_args(hint) if part is not NoneType)
    origin = get_origin(hint)
    if origin is Literal:
        return {"choices": get_args(hint)}
    if origin in (Sequence, tuple):
        return {**_of_type(get_args(hint)[0]), "is_list": True}
    if origin is Mapping:
        return {"type": Mapping}
    return {"type": hint if hint in (bool, int, float, date, Path) else str}


def refuse_unknown(values: Mapping[str, Any], kind: type) -> None:
    """Raises UsageError, suggesting the nearest name, for an option that the TypedDict `kind` does not have."""
    for name in values:
        if name not in kind.__annotations__:
            raise UsageError(f"there is no option {name!r}", did_you_mean(name, kind.__annotations__))


def checked(values: Mapping[str, Any], kind: type) -> dict[str, Any]:
    """Returns the values of options by name, each converted as `kind` declares it, without None and empty texts.

    Raises UsageError for an unknown option, and for a value that is not allowed.
    """
    refuse_unknown(values, kind)
    options = declared(kind)
    return {name: options[name].value(value) for name, value in values.items() if value not in (None, "")}


def pairs(texts: Iterable[str], option: str, remedy: str = "") -> dict[str, str]:
    """Returns the values in texts `NAME=VALUE` of an option, by name. Raises UsageError for a text without `=`."""
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"{option} {text!r} has no value", remedy or f"Write {option} name=value.")
        values[name.strip()] = value.strip()
    return values


def json_or_text(text: str) -> Any:
    """Returns the value of what a user typed: parsed as JSON, or the text itself if that fails."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def as_typed(values: Mapping[str, Any]) -> dict[str, str]:
    """Returns values by name as a user would type them: texts unchanged, others as JSON."""
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in values.items()}
