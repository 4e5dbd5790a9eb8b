"""Lazy imports for a game's `rules.py`: each function and operation is imported when it is first used.

    guarda = LazyPackage("carddb.games.guarda")

    CHECKS = [guarda.function("findings", "deck_check")]
    OPERATIONS = guarda.operations("cards", "turn")
    face_data = guarda.function("faces", "face_data")

Who prints thus waits for no operation, and who asks one for no face. A game with little code needs none of this: plain
functions, and the mapping that `carddb.play.question.operations` gives, serve as well under the same names.
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
    """The package of a game, by its full name."""

    name: str

    def module(self, name: str) -> ModuleType:
        """Returns a module of the package, imported now."""
        return import_module(f"{self.name}.{name}")

    def function(self, module: str, name: str) -> Callable[..., Any]:
        """Returns a function that stands for one of the package, which is imported when it is first called."""

        def call(*arguments: Any, **named: Any) -> Any:
            return getattr(self.module(module), name)(*arguments, **named)

        return call

    def value(self, module: str, name: str) -> Callable[[], Any]:
        """Returns a function that returns a value of the package, which is imported when it is called."""
        return lambda: getattr(self.module(module), name)

    def operations(self, *modules: str) -> Mapping[str, Operation[Any]]:
        """Returns the operations of modules, by name in written order; imported when one is first looked up."""
        return _LazyOperations(self, modules)


class _LazyOperations(Mapping[str, "Operation[Any]"]):
    def __init__(self, package: LazyPackage, modules: tuple[str, ...]) -> None:
        self._package = package
        self._modules = modules

    @cached_property
    def _operations(self) -> Mapping[str, Operation[Any]]:
        from carddb.play.question import operations  # Pydantic, 40 ms, for questions alone

        return operations(*map(self._package.module, self._modules))

    def __getitem__(self, name: str) -> Operation[Any]:
        return self._operations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._operations)

    def __len__(self) -> int:
        return len(self._operations)
