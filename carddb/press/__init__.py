"""Whole jobs, from cards and templates to finished files."""

from __future__ import annotations

from typing import Protocol


class Step(Protocol):
    """Called at each step of long work, with its name where it has one."""

    def __call__(self, name: str = "", /) -> None: ...


def unreported(name: str = "", /) -> None:
    """Does nothing: a step that nobody follows."""
