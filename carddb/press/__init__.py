"""Whole jobs, from cards and templates to finished files."""

from __future__ import annotations

from collections.abc import Callable

Step = Callable[[str], None]
"""Called at each step of long work, with its name where it has one."""


def unreported(name: str) -> None:
    """Does nothing: a step that nobody follows."""
