"""Whole jobs that turn cards and templates into finished files."""

from __future__ import annotations

from collections.abc import Callable

Step = Callable[[str], None]
"""A callback that is called at each step of long work, with the name of the step, empty if it has none."""


def unreported(name: str) -> None:
    """Does nothing. It is the default `Step`, for work whose progress nobody follows."""
