"""Whole jobs that turn cards and templates into finished files."""

from __future__ import annotations

from typing import Protocol


class Step(Protocol):
    """A callback that is called at each step of long work, with the name of the step if it has one."""

    def __call__(self, name: str = "", /) -> None: ...


def unreported(name: str = "", /) -> None:
    """Does nothing. It is the default `Step`, for work whose progress nobody follows."""
