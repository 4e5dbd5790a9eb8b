"""What every executor does, and the one that does the work itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, TypeVar

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

Work = Callable[[Shared, Task], Iterable[Result]]
"""A function of a module: what all tasks share, and one task; it gives its results one after the other."""


class Executor(Protocol):
    """Does tasks, and gives their results in the order of the tasks, whoever is done first.

    `workers` are the processes beside this one. With `is_remote` they see neither the files nor the environment of this
    machine.
    """

    workers: int
    is_remote: bool

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        """The results of all tasks. A task is asked for when a worker is soon free for it. Raises CarddbError."""
        ...


class InProcess:
    """Does the tasks itself, when their results are asked for."""

    workers = 0
    is_remote = False

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        for task in tasks:
            yield from work(shared, task)


ALONE = InProcess()
"""This process, which keeps nothing between two calls."""
