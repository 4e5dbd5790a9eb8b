"""Components as spreadsheets."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from tests.conftest import Told

Call = Callable[..., Told]


def test_the_tracking_sheet_reckons_men(call: Call) -> None:
    """C-78: the tracking sheet as a spreadsheet has its columns and twenty turns, and turns CHM into men."""
    assert call("components", "cahrd", "tracking", "-o", "t.xlsx").code == 0
    sheet = openpyxl.load_workbook(io.BytesIO(Path("t.xlsx").read_bytes())).worksheets[0]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    head = next(number for number, row in enumerate(rows) if row[0] == "Turn")
    assert rows[head][1:3] == ["Total CHM", "Men gained"]
    turns = rows[head + 1 :]
    assert [row[0] for row in turns] == list(range(1, 21))
    assert turns[0][2] == f'=IF(B{head + 2}="","",B{head + 2}*1000)'


def test_a_running_total_is_reckoned_from_the_first_turn_on(call: Call) -> None:
    """C-69, C-80: reserves and grain left are what all turns so far have brought and taken, on one printed page."""
    call("components", "cahrd", "tracking", "-o", "t.xlsx")
    sheet = openpyxl.load_workbook(io.BytesIO(Path("t.xlsx").read_bytes())).worksheets[0]
    row, head = next((n, head) for n, head in enumerate(sheet.values, 1) if head[0] == "Turn")
    column = {name: get_column_letter(n) for n, name in enumerate(head, 1)}
    first, third = row + 1, row + 3
    grain = sheet[f"{column['Grain left']}{third}"].value
    gained, lost = (f"{column[key]}${first}:{column[key]}{third}" for key in ("Grain gained", "Grain lost"))
    assert grain == f'=IF(B{third}="","",MAX(0,4000+SUM({gained})-SUM({lost})))'
    assert sheet.oddFooter
    fit, footer = sheet.sheet_properties.pageSetUpPr, sheet.oddFooter.left
    assert sheet.page_setup.orientation == "landscape" and fit and fit.fitToPage
    assert footer and "Kenneth Davis" in (footer.text or "")


@pytest.mark.parametrize("names", [("mat",), (), ("tracking", "mat")])
def test_what_is_no_table_is_no_spreadsheet(call: Call, names: tuple[str, ...]) -> None:
    """Another component, several or all of them are misuse, and the answer names those that are spreadsheets."""
    told = call("components", "cahrd", *names, "-o", "t.xlsx")
    assert told.code == 2 and "tracking" in told.err and not Path("t.xlsx").exists()
