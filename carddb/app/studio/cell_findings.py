"""What is wrong with a card file, by the cell of the table that it stands in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from carddb.app.studio.card_files import CardFileNow
from carddb.app.studio.drafts import Cell
from carddb.findings import Finding, Severity
from carddb.games import Game
from carddb.read.source import decode
from carddb.read.tables.delimited import rows as delimited_rows


def findings_by_cell(file: CardFileNow, game: Game) -> tuple[dict[Cell, list[Finding]], list[Finding]]:
    """The findings of a file by card and field (empty: the whole row), and those of no card."""
    at: dict[tuple[str, int], str] = {}
    columns: dict[int, str] = {}
    for ref, source in file.cards.sources.items():
        at[source.place.sheet, source.place.line] = ref
        columns |= {column + 1: name for name, column in source.columns.items()}
    patch_lines = _patch_lines(file)
    of_cells: dict[Cell, list[Finding]] = defaultdict(list)
    of_file: list[Finding] = []
    for finding in game.with_rules(file.cards.findings):
        place = finding.where[0] if finding.where else None
        if place and place.file == file.patch_name and place.line in patch_lines:
            of_cells[patch_lines[place.line]].append(finding)
        elif place and (ref := at.get((place.sheet, place.line), "")):
            of_cells[ref, columns.get(place.column, "") if place.column else ""].append(finding)
        else:
            of_file.append(finding)
    return of_cells, of_file


def _patch_lines(file: CardFileNow) -> dict[int, Cell]:
    """The cells of its patch file by line."""
    text, _ = decode(file.contents.patch, "")
    rows = delimited_rows(text or "", "", ",")
    return {row.line: (str(row.cells.get(0, "")), str(row.cells.get(1, ""))) for row in rows if row.line > 1}


def error_messages(findings: Mapping[str, Sequence[Finding]]) -> dict[str, str]:
    """The message of the first error of each field."""
    wrong = {name: [f.message for f in of_cell if f.severity is Severity.ERROR] for name, of_cell in findings.items()}
    return {name: messages[0] for name, messages in wrong.items() if messages}
