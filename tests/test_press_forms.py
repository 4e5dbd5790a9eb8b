"""Components as spreadsheets."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from conftest import Told

Call = Callable[..., Told]


def test_the_tracking_sheet_reckons_men(call: Call) -> None:
    """C-78: the tracking sheet as a spreadsheet has its columns and twenty turns, and turns CHM into men."""
    assert call("components", "cahrd", "tracking", "-o", "t.xlsx").code == 0
    sheet = openpyxl.load_workbook(io.BytesIO(Path("t.xlsx").read_bytes())).active
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    head = next(number for number, row in enumerate(rows) if row[0] == "Turn")
    assert rows[head][1:3] == ["Total CHM", "Men gained"]
    turns = rows[head + 1 :]
    assert [row[0] for row in turns] == list(range(1, 21))
    assert turns[0][2] == f'=IF(B{head + 2}="","",B{head + 2}*1000)'


@pytest.mark.parametrize("names", [("mat",), (), ("tracking", "mat")])
def test_what_is_no_table_is_no_spreadsheet(call: Call, names: tuple[str, ...]) -> None:
    """Another component, several or all of them are misuse, and the answer names those that are spreadsheets."""
    told = call("components", "cahrd", *names, "-o", "t.xlsx")
    assert told.code == 2 and "tracking" in told.err and not Path("t.xlsx").exists()
