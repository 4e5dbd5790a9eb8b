"""What is printed for one game: mats, counters, die, sheet, cards to look things up (SD-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.game import GameSpec
from carddb.games.cdg_solo.module import module_of

Part = tuple[str, Mapping[str, Any]]
"""A component by its key, and the row of it that is printed."""


def kit(spec: GameSpec, module: str, counters: str = "", die: str = "") -> list[Part]:
    """The components of a game's kit with their rows; `counters` and `die` choose among those that serve.

    Raises BadInput for an unknown module, ValueError for a component that does not serve.
    """
    table, rules = spec.data["print"]["kit"], module_of(spec, module)
    chosen = [
        table["mats"][rules.layout],
        _one_of(table["counters"], counters) if rules.counts_chits else table["without_chits"],
        _one_of(table["die"], die),
        *table["always"],
        *([table["chart"]] if spec.data["modules"][module]["selection_chart"]["in_kit"] else []),
    ]
    return [(key, row) for key in chosen for row in spec.components[key].rows or ({},) if _of(row, module)]


def _one_of(known: list[str], wanted: str) -> str:
    if wanted and wanted not in known:
        raise ValueError(f"{wanted!r} is none of {', '.join(known)}")
    return wanted or known[0]


def _of(row: Mapping[str, Any], module: str) -> bool:
    return row.get("module") in (None, module)
