"""Values that are gone through again: in memory while they are small, beyond that on the disk."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import SpooledTemporaryFile
from typing import IO, Generic, TypeVar

_IN_MEMORY = 16_000_000
"""Bytes of values that need no file."""
Value = TypeVar("Value")


class Spool(Generic[Value]):
    """Values in the order in which they were added; one iteration at a time."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def append(self, value: Value) -> None:
        self._file.seek(0, 2)
        pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)

    def __iter__(self) -> Iterator[Value]:
        self._file.seek(0)
        while True:
            try:
                value: Value = pickle.load(self._file)
            except EOFError:
                return
            yield value


@contextmanager
def spool(_: type[Value]) -> Iterator[Spool[Value]]:
    """A spool for values of a type, which lasts as long as the block."""
    with SpooledTemporaryFile(max_size=_IN_MEMORY) as file:
        yield Spool(file)
