"""Lazy imports for a game's `rules.py`: the module of a function or an operation is imported when it is first used.

    guarda = LazyPackage("carddb.games.guarda")

    CHECKS = [guarda.function("findings", "deck_check")]
    OPERATIONS = guarda.operations("cards", "turn")
    face_data = guarda.function("faces", "face_data")

Thus printing does not import the operations, and a question does not import the faces. A game with little code does
not need this module: plain functions, and the mapping that `carddb.play.question.operations` returns, work too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from carddb.play.question import Operation


@dataclass(frozen=True)
class LazyPackage:
    """The Python package of a game; `name` is its full name, such as `carddb.games.guarda`."""

    name: str

    def module(self, name: str) -> ModuleType:
        """Imports and returns the module `name` of the package."""
        return import_module(f"{self.name}.{name}")

    def function(self, module: str, name: str) -> Callable[..., Any]:
        """Returns a function that calls the function `name` of a module, which is imported at the first call."""

        def call(*arguments: Any, **named: Any) -> Any:
            return getattr(self.module(module), name)(*arguments, **named)

        return call

    def value(self, module: str, name: str) -> Callable[[], Any]:
        """Returns a function that returns the value `name` of a module, which is imported at the first call."""
        return lambda: getattr(self.module(module), name)

    def operations(self, *modules: str) -> Mapping[str, Operation[Any]]:
        """Returns the operations in `modules`, by name; the modules are imported at the first look-up."""
        return _LazyOperations(self, modules, "Operation")

    def chances(self, *modules: str) -> Mapping[str, Operation[Any]]:
        """Returns the questions about chances in `modules`, by name; the modules are imported at the first look-up."""
        return _LazyOperations(self, modules, "Chances")


@dataclass(frozen=True)
class _LazyOperations(Mapping[str, "Operation[Any]"]):
    package: LazyPackage
    modules: tuple[str, ...]
    kind: str

    @cached_property
    def _operations(self) -> Mapping[str, Operation[Any]]:
        from carddb.play import question  # Pydantic, 40 ms, only for questions

        modules = map(self.package.module, self.modules)
        return question.operations(*modules, kind=getattr(question, self.kind))

    def __getitem__(self, name: str) -> Operation[Any]:
        return self._operations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._operations)

    def __len__(self) -> int:
        return len(self._operations)
