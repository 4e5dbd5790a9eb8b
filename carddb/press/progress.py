"""How long work of this room says how far it has come."""

from __future__ import annotations

from collections.abc import Callable

Step = Callable[[str], None]
"""Called at each step of long work, with its name where it has one."""


def unreported(name: str) -> None:
    """A step that nobody follows."""
