"""Several files read as one: JSON files of one card each, a second file joined by a key, and a patch file.

A patch file gives single values to cards, if the cells of their card file cannot be edited. It is loaded after that
file. `cards.patch.csv` is beside `cards.json` and has three columns: `ref`, `field`, `value`. An empty value clears the
field.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from carddb.core.errors import DataFault, InputError, UsageError
from carddb.core.files import NamedBytes
from carddb.core.names import did_you_mean
from carddb.findings import Finding, Place, error, warning
from carddb.read.cards.lines import (
    TABLE_FORMATS,
    Headings,
    Join,
    RawCard,
    card_list,
    header_row,
    headers_of,
    is_one_card,
    sheets_of,
)
from carddb.read.cards.values import shown
from carddb.read.documents.located_document import dotted_value, parse_bytes
from carddb.read.source import decode, name_of, read_bytes
from carddb.read.tables import grid
from carddb.read.tables.grid import Row

_MOST_BYTES = 1 << 20
"""The most bytes of a file of one card."""
_MOST_BYTES_JOINED = 16 << 20


class JoinedFiles(NamedBytes):
    """JSON files with one object each, read as one file with a list of these; its name is the path of their folder."""

    def __init__(self, folder: Path, files: Sequence[tuple[Path, str]]) -> None:
        super().__init__(("[\n" + "\n,\n".join(text for _, text in files) + "\n]\n").encode(), str(folder))
        self._paths = [path for path, _ in files]
        self._starts = [1]
        for _, text in files:
            self._starts.append(self._starts[-1] + text.count("\n") + 2)

    @property
    def path(self) -> Path:
        """The path of the folder with `.json` added, from which set, language and format are derived as for a file."""
        return Path(f"{Path(self.name).resolve()}.json")

    def place(self, place: Place) -> Place:
        """Returns the place in an object's own file for a place in the list; any other place is unchanged."""
        at = bisect_right(self._starts, place.line - 1) - 1
        if place.file != self.name or not 0 <= at < len(self._paths):
            return place
        return place._replace(file=str(self._paths[at]), line=place.line - self._starts[at])


def object_text(source: Path | NamedBytes) -> str | None:
    """Returns the text of a JSON file that is one card: an object without a list of objects; None for other files."""
    if not name_of(source).lower().endswith(".json"):
        return None
    data, _ = read_bytes(source, _MOST_BYTES)
    if not data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"{"):
        return None
    try:
        text = data.decode("utf-8-sig")
        return text if is_one_card(json.loads(text)) else None
    except (ValueError, RecursionError):
        return None


def read_join(source: Path | NamedBytes, fmt: str, name: str, key: str, own_key: str) -> Join:
    """Reads a second file, called `name` in headings; a card's field `own_key` selects the row with the same `key`.

    Of rows with the same `key`, the first counts. Raises InputError for a faulty file, UsageError if no row has `key`.
    """
    file = name_of(source)
    data, faults = read_bytes(source, _MOST_BYTES_JOINED)
    try:
        rows = [] if faults else list(_rows(data, file, fmt))
    except DataFault as end:
        faults = [end.finding]
    if faults:
        raise InputError(f"{file} cannot be joined: {faults[0].message}", faults[0].fix)
    keyed = [(value, row) for row in reversed(rows) if (value := dotted_value(row, key)) is not None]
    if not keyed:
        remedy = did_you_mean(key, [name for row in rows[:1] for name in row])
        raise UsageError(f"no row of {file} has the field {key!r}", remedy)
    return Join(name, own_key, {str(value).strip(): row for value, row in keyed})


def _rows(data: bytes, file: str, fmt: str) -> Iterator[Mapping[str, Any]]:
    if fmt in TABLE_FORMATS:
        for sheet in sheets_of(data, file, fmt, []) or ():
            headers = headers_of(first) if (first := header_row(sheet)) else {}
            for row in sheet.rows:
                yield {headers[at]: cell for at, cell in row.cells.items() if at in headers}
        return
    document, faults = parse_bytes(data, file, fmt)
    if document is None:
        raise DataFault(faults[-1].code, faults[-1].message, faults[-1].fix)
    items = [document.value] if is_one_card(document.value) else card_list(document)[1]
    yield from (item for item in items or () if isinstance(item, Mapping))


SUFFIX = ".patch.csv"
COLUMNS = ("ref", "field", "value")

PatchValues = Mapping[tuple[str, str], str]
"""The texts in a patch file, by (reference, field)."""


def patch_path(base: Path) -> Path:
    """Returns the path of a card file's patch file: `cards.patch.csv` for `cards.json`."""
    return base.with_name(base.stem + SUFFIX)


def is_patch(path: Path) -> bool:
    """Returns whether a file is a patch file, judged by its name."""
    return path.name.lower().endswith(SUFFIX)


class PatchLine(RawCard):
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
        """Adds a value, which may be empty, from the given line; of several for one field, the last counts."""
        self._lines[field] = line
        if value:
            self.cells[field] = value
        else:
            self.cells.pop(field, None)

    def place(self, field: str = "") -> Place:
        line = self._lines.get(field, self._line)
        return Place(self._file, line, 3 if field in self._lines else 0, shown(self.cells.get(field, "")), "", field)


def patch_values(data: bytes) -> dict[tuple[str, str], str]:
    """Returns the values of a patch file by (reference, field); the last of several counts. Raises DataFault."""
    text, _ = decode(data, "")
    values = (_values(row) for row in grid.rows(text or "", "", ",") if row.line > 1)
    return {(ref, field): value for ref, field, value in values}


def write_patch(values: PatchValues) -> bytes:
    """Returns the bytes of a patch file with these values, in the given order."""
    return grid.csv_text([COLUMNS, *((*key, value) for key, value in values.items())]).encode()


def patch_lines(
    data: bytes, file: str, headings: Headings, is_card: Callable[[str], bool], findings: list[Finding]
) -> Iterator[PatchLine]:
    """Yields a line for each card; unknown cards and fields become findings. Raises DataFault for faulty quotes."""
    text, faults = decode(data, file)
    findings.extend(faults)
    lines: dict[str, PatchLine] = {}
    for row in grid.rows(text or "", file, ","):
        ref, name, value = _values(row)
        if row.line == 1:
            if tuple(part.strip().lower() for part in (ref, name, value)) != COLUMNS:
                place = Place(file, 1, 1, ref)
                message = f"the first line of a patch file must be {','.join(COLUMNS)}"
                findings.append(error("header_missing", message, place, fix="Write that line above the others."))
                return
            continue
        field = headings.field(name)
        if not ref and not name:
            continue
        if field is None or field == "ref":
            findings.append(headings.unknown(name, Place(file, row.line, 2, name)))
        elif not is_card(ref):
            message = f"{file} has a value for {ref}, which is not the reference of a card"
            fix = "Correct the reference, or remove the line."
            findings.append(warning("patch_unused", message, Place(file, row.line, 1, ref), fix=fix))
        else:
            lines.setdefault(ref, PatchLine(file, ref, row.line)).give(field, value.strip(), row.line)
    yield from lines.values()


def _values(row: Row) -> tuple[str, str, str]:
    ref, field, value = (str(row.cells.get(column, "")) for column in range(3))
    return ref.strip(), field.strip(), value
