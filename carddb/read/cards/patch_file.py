"""Patch files: single values of cards, loaded after the card file if its own cells cannot be edited.

`cards.patch.csv` is beside `cards.json` and has three columns: `ref`, `field`, `value`. An empty value clears the
field, as an empty cell does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path

from carddb.findings import Finding, Place, error, warning
from carddb.read import source
from carddb.read.cards.lines import Headings, Line
from carddb.read.cards.values import shown
from carddb.read.tables import grid
from carddb.read.tables.grid import Row

SUFFIX = ".patch.csv"
COLUMNS = ("ref", "field", "value")

PatchValues = Mapping[tuple[str, str], str]
"""The texts of a patch file, by reference and field."""


def patch_path(base: Path) -> Path:
    """Returns the path of a card file's patch file: `cards.patch.csv` for `cards.json`."""
    return base.with_name(base.stem + SUFFIX)


def is_patch(path: Path) -> bool:
    """Returns whether a file is a patch file, judged by its name."""
    return path.name.lower().endswith(SUFFIX)


class PatchLine(Line):
    """The values that a patch file gives to one card."""

    def __init__(self, file: str, ref: str, line: int) -> None:
        super().__init__({"ref": ref})
        self._file = file
        self._line = line
        self._lines: dict[str, int] = {}

    @property
    def fields(self) -> Collection[str]:
        return self._lines.keys()

    def give(self, field: str, value: str, line: int) -> None:
        """Adds a value, which may be empty; the last line of a field counts."""
        self._lines[field] = line
        if value:
            self.cells[field] = value
        else:
            self.cells.pop(field, None)

    def place(self, field: str = "") -> Place:
        line = self._lines.get(field, self._line)
        return Place(self._file, line, 3 if field in self._lines else 0, shown(self.cells.get(field, "")), "", field)


def patch_values(data: bytes) -> dict[tuple[str, str], str]:
    """Returns the values of a patch file; of several for a field, the last. Raises Unreadable for faulty quotes."""
    text, _ = source.decode(data, "")
    values = (_values(row) for row in grid.rows(text or "", "", ",") if row.line > 1)
    return {(ref, field): value for ref, field, value in values}


def write_patch(values: PatchValues) -> bytes:
    """Returns the bytes of a patch file, in the given order."""
    return grid.csv_text([COLUMNS, *((*key, value) for key, value in values.items())]).encode()


def patch_lines(
    data: bytes, file: str, headings: Headings, is_card: Callable[[str], bool], findings: list[Finding]
) -> Iterator[PatchLine]:
    """Yields a line for each card of a patch file; a reference without a card becomes a `patch_unused` finding.

    Raises Unreadable for faulty quotes.
    """
    text, faults = source.decode(data, file)
    findings.extend(faults)
    lines: dict[str, PatchLine] = {}
    for row in grid.rows(text or "", file, ","):
        ref, name, value = _values(row)
        if row.line == 1:
            if tuple(part.strip().lower() for part in (ref, name, value)) != COLUMNS:
                place = Place(file, 1, 1, ref)
                message = f"a patch file has the columns {', '.join(COLUMNS)}"
                findings.append(error("header_missing", message, place, fix="Write them as the first line."))
                return
            continue
        field = headings.field(name)
        if not ref and not name:
            continue
        if field is None or field == "ref":
            findings.append(headings.unknown(name, Place(file, row.line, 2, name)))
        elif not is_card(ref):
            message = f"{file} has a value for {ref}, which is no card"
            fix = "Take the line out, or correct the reference."
            findings.append(warning("patch_unused", message, Place(file, row.line, 1, ref), fix=fix))
        else:
            lines.setdefault(ref, PatchLine(file, ref, row.line)).give(field, value.strip(), row.line)
    yield from lines.values()


def _values(row: Row) -> tuple[str, str, str]:
    ref, field, value = (str(row.cells.get(column, "")) for column in range(3))
    return ref.strip(), field.strip(), value
