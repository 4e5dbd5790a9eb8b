"""Objects as keys of what is remembered: `functools.lru_cache` with an `Identity` in place of each."""

from __future__ import annotations

from typing import Generic, TypeVar

T = TypeVar("T")


class Identity(Generic[T]):
    """A value as the key of a memory, without a look at its parts: equal to itself alone."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.value is self.value
