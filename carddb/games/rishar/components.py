"""What the templates of the printed components are told: the game's tables, their figures as they are printed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game import GameSpec


def component_data(name: str, spec: GameSpec, extra: Mapping[str, Any]) -> dict[str, Any]:
    """The variables of the template `name` (without its suffix)."""
    faces = spec.data["faces"]
    return {
        "ink": faces["ink"],
        "quiet": faces["quiet"],
        "house": faces["house"],
        "paths": spec.data["paths"],
        "game": {"name": spec.name},
    }
