"""Components as spreadsheets to fill in: the tracking sheet with what it can reckon by itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from carddb.game import GameSpec

_NAMED = re.compile(r"\{([^}]+)\}")


def component_form(name: str, spec: GameSpec) -> list[Sequence[Any]] | None:
    """The lines of a component as a spreadsheet, None for one that is none (PC-13).

    A list is a heading, a tuple a line to fill in; a text that begins with `=` is a formula.
    """
    if name != "tracking":
        return None
    table = spec.data["sheets"]["tracking"]
    officers, turns = table["officers"], table["turns"]
    lines: list[Sequence[Any]] = [[label, ""] for label in table["heading"]]
    lines += [(), list(officers["columns"]), *[("",)] * officers["rows"], (), list(turns["columns"])]
    first = len(lines) + 1
    lines += [tuple(_turn(number, first + number - 1, turns, spec)) for number in range(1, turns["rows"] + 1)]
    return lines


def _turn(number: int, row: int, turns: Mapping[str, Any], spec: GameSpec) -> list[Any]:
    """One turn: its number, and the formulas of its columns; empty as long as what they reckon with is."""
    columns = {label: f"{chr(65 + at)}{row}" for at, label in enumerate(turns["columns"])}
    cells: list[Any] = [number]
    for label in turns["columns"][1:]:
        formula = turns["formulas"].get(label)
        if not formula:
            cells.append("")
            continue
        used = [columns[part] for part in _NAMED.findall(formula) if part in columns]
        reckoned = _NAMED.sub(lambda part: columns.get(part[1]) or str(spec.data[part[1]]), formula)
        cells.append(f'=IF({used[0]}="","",{reckoned})')
    return cells
