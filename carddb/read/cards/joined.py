"""Several files read as one: JSON files of one card each, and a second file joined by a key."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from carddb.core.errors import InputError, UsageError
from carddb.core.files import NamedBytes
from carddb.core.names import did_you_mean
from carddb.findings import Place
from carddb.read.cards.lines import (
    TABLE_FORMATS,
    Join,
    card_list,
    header_row,
    headers_of,
    is_one_card,
    sheets_of,
)
from carddb.read.documents.located_document import dotted_value, parse_bytes
from carddb.read.source import Unreadable, name_of, read_bytes

_MOST_BYTES = 1 << 20
"""The most bytes of a file of one card."""
_MOST_BYTES_JOINED = 16 << 20


class JoinedFiles(NamedBytes):
    """JSON files of one object each, read as one list that is called after their folder."""

    def __init__(self, folder: Path, files: Sequence[tuple[Path, str]]) -> None:
        super().__init__(("[\n" + "\n,\n".join(text for _, text in files) + "\n]\n").encode(), str(folder))
        self._paths = [path for path, _ in files]
        self._starts = [1]
        for _, text in files:
            self._starts.append(self._starts[-1] + text.count("\n") + 2)

    @property
    def path(self) -> Path:
        """The folder's name with the suffix of its files, so that it says set, language and kind as a file's does."""
        return Path(f"{Path(self.name).resolve()}.json")

    def place(self, place: Place) -> Place:
        """Returns a place in the list as the place in its own file."""
        at = bisect_right(self._starts, place.line - 1) - 1
        if place.file != self.name or not 0 <= at < len(self._paths):
            return place
        return place._replace(file=str(self._paths[at]), line=place.line - self._starts[at])


def object_text(source: Path | NamedBytes) -> str | None:
    """Returns the text of a JSON file that is one object, and no list of cards under a key; None for any other file."""
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
    """Returns the rows of a second file by their `key`; of rows with the same key the first counts.

    Raises InputError if the file cannot be read, UsageError if no row has the key.
    """
    file = name_of(source)
    data, faults = read_bytes(source, _MOST_BYTES_JOINED)
    try:
        rows = [] if faults else list(_rows(data, file, fmt))
    except Unreadable as end:
        faults = [end.finding]
    if faults:
        raise InputError(f"{file} cannot be joined: {faults[0].message}", faults[0].fix)
    keyed = [(value, row) for row in reversed(rows) if (value := dotted_value(row, key)) is not None]
    if not keyed:
        raise UsageError(f"no row of {file} has {key!r}", did_you_mean(key, [name for row in rows[:1] for name in row]))
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
        raise Unreadable(faults[-1])
    items = [document.value] if is_one_card(document.value) else card_list(document)[1]
    yield from (item for item in items or () if isinstance(item, Mapping))
