"""How much one drawing may do: a budget of steps and of characters, charged before anything is made."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

import jinja2
from jinja2.utils import Namespace

STEPS = 200_000
"""Passes of loops, calls of macros, and elements of lists that are made or looked at, of one drawing."""
CHARACTERS = 2_000_000
"""Characters that the expressions of one drawing make or compare."""
MAX_RENDERED = 400_000
"""Characters of the drawing itself: twice the largest file of symbols of the bundled games."""
_CHARACTERS_A_STEP = 64
"""Characters that are compared in the time of a step."""
_NUMBERS = {bool, float, int, type(None)}


class BudgetExceeded(jinja2.TemplateRuntimeError):
    """A drawing does or makes more than it may."""


class Budget:
    """What is left for one drawing. Every method raises BudgetExceeded where it does not suffice."""

    def __init__(self) -> None:
        self.refill()

    def refill(self) -> None:
        """Begins a drawing."""
        self.steps = STEPS
        self.characters = CHARACTERS

    def spend(self, steps: int) -> None:
        """Charges for steps."""
        self.steps -= steps
        if self.steps < 0:
            raise BudgetExceeded(f"the drawing takes more than {STEPS:,} steps")

    def write(self, characters: int) -> None:
        """Charges for characters."""
        self.characters -= characters
        if self.characters < 0:
            raise BudgetExceeded(f"the drawing makes texts of more than {CHARACTERS:,} characters")

    def make(self, value: object, length: int) -> None:
        """Charges for a text or a list of that length, as `value` is one."""
        (self.write if isinstance(value, str) else self.spend)(length)

    def loop(self, values: Any, weight: int = 1) -> Iterable[Any]:
        """The values, charged with `weight` steps each: at once where their number is known, else as they come."""
        try:
            number = len(values)
        except TypeError:
            return self._counted(values, weight)
        self.spend(1 + number * weight)
        elements: Iterable[Any] = values
        return elements

    def _counted(self, values: Iterable[Any], weight: int) -> Iterator[Any]:
        for value in values:
            self.spend(weight)
            yield value

    def search(self, value: Any, values: Any) -> Any:
        """What a value is looked for in, charged with what that takes at most."""
        self.weigh(value)
        if isinstance(values, str):
            self.write(len(values))
        elif isinstance(values, Mapping):
            self.key(value)
        elif isinstance(value, str):
            return self.loop(values, 1 + len(value) // _CHARACTERS_A_STEP)
        elif not isinstance(values, range):
            self.weigh(values)
        elif type(value) is not int:
            return self.loop(values)
        return values

    def key(self, value: Any) -> Any:
        """A key that is looked up. One of tuples in tuples would be hashed without end."""
        if isinstance(value, tuple):
            self.spend(len(value))
            if any(isinstance(part, tuple) for part in value):
                raise BudgetExceeded("a key is a text, a number or a row of them")
        return value

    def weigh(self, value: Any) -> None:
        """Charges for all that is in a value: its characters, or its elements and theirs."""
        if type(value) in _NUMBERS:
            return
        if type(value) is str:
            self.write(len(value))
            return
        waiting = [value]
        while waiting:
            part = waiting.pop()
            if isinstance(part, str):
                self.write(len(part))
            elif isinstance(part, jinja2.Undefined):
                self.spend(1)
            elif isinstance(part, Mapping):
                self.spend(1 + len(part))
                waiting += [*part.keys(), *part.values()]
            elif isinstance(part, Collection) and not isinstance(part, range):
                self.spend(1 + len(part))
                waiting += part
            elif isinstance(part, Namespace):
                raise BudgetExceeded("a namespace cannot be shown or compared; name one of its fields")
