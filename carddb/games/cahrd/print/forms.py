"""Components as spreadsheets to fill in: the tracking sheet, with formulas for what can be calculated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from carddb.game.game import GameSpec

_NAMED = re.compile(r"\{([^}:]+)(:?)\}")


def component_form(name: str, spec: GameSpec) -> list[Sequence[Any]] | None:
    """Returns the lines of a component as a spreadsheet; None if the component has no spreadsheet (PC-13).

    A list is a heading, a tuple a line to fill in, an empty text a cell to fill in, a text that begins with `=` a
    formula.
    """
    if name != "tracking":
        return None
    table = spec.data["sheets"]["tracking"]
    officers, turns = table["officers"], table["turns"]
    before = turns["spreadsheet"]["before"]
    columns = [column for label in turns["columns"] for column in (*before.get(label, ()), label)]
    lines: list[Sequence[Any]] = [[spec.components[name].label], (), *[[label, ""] for label in table["heading"]]]
    lines += [(), list(officers["columns"]), *[("",) * len(officers["columns"])] * officers["rows"], (), columns]
    first = len(lines) + 1
    formulas = turns["spreadsheet"]["formulas"]
    lines += [tuple(_turn(number, first, columns, formulas, spec)) for number in range(1, turns["rows"] + 1)]
    return lines


def _turn(number: int, first: int, columns: list[str], formulas: Mapping[str, str], spec: GameSpec) -> Iterator[Any]:
    """Yields the cells of a turn: its number, empty cells, and formulas that are blank while the second column is
    empty.
    """
    row = first + number - 1
    figures = {**spec.data, **spec.data["setup"]}

    def reckoned(part: re.Match[str]) -> str:
        if part[1] not in columns:
            return str(figures[part[1]])
        letter = chr(65 + columns.index(part[1]))
        return f"{letter}${first}:{letter}{row}" if part[2] else f"{letter}{row}"

    yield number
    for label in columns[1:]:
        formula = formulas.get(label)
        yield f'=IF(B{row}="","",{_NAMED.sub(reckoned, formula)})' if formula else ""
