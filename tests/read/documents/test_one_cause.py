"""Faults that designers make often are told by their cause."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Told


@pytest.mark.parametrize(
    ("line", "says", "remedy"),
    [
        ("\tcost: {type: integer}", "a tab indents this line, but YAML allows only spaces", "Replace the tab"),
        ("prefix:", "prefix is empty", "remove the line"),
    ],
)
def test_a_tab_and_an_empty_value_are_told_once(
    tmp_path: Path, call: Callable[..., Told], line: str, says: str, remedy: str
) -> None:
    """A tab in YAML and a key without a value each give one finding that names the cause and the remedy."""
    call("init", "--new-game", "pearl")
    file = tmp_path / "pearl" / "game.yaml"
    lines = file.read_text("utf-8").split("\n")
    at = next(n for n, text in enumerate(lines) if text.startswith("  cost:" if "cost" in line else "prefix:"))
    file.write_text("\n".join([*lines[:at], line, *lines[at + 1 :]]), "utf-8")
    told = call("conform", "pearl")
    assert f"pearl/game.yaml:{at + 1}:" in told.err + told.out
    assert says in told.err + told.out and remedy in told.err + told.out
    assert (told.err + told.out).count("error document_") == 1
