"""The notes of the readers of YAML and JSON: places of values, and faults."""

from __future__ import annotations

from typing import Any

from carddb.core.errors import DataFault
from carddb.findings import Finding, Place

Path_ = tuple[str | int, ...]
"""The keys and indices that lead to a value."""

MAX_DEPTH = 50
MAX_VALUES = 500_000
"""The most values of a document; each needs up to 350 bytes with its place."""
MAX_KEYS = 20_000
"""The most keys of a mapping, since each unknown key becomes a finding."""
MAX_FAULTS = 1_000
TEXT_SHOWN = 80


class Notes:
    """The places of values in `file` and its faults, recorded by a reader. Raises DataFault if there are too many."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.places: dict[Path_, Place] = {}
        self.findings: list[Finding] = []

    def put(self, path: Path_, line: int, column: int, text: str = "") -> None:
        """Records the place of the value at `path`; `text` is the value as it is written."""
        self.places[path] = Place(self.file, line, column, text)
        if len(self.places) > MAX_VALUES:
            raise self.too_many_values(line, column)

    def too_many_values(self, line: int, column: int) -> DataFault:
        """Returns the exception for a document that is too large, to be raised."""
        return self._too_large(line, column, f"the document holds more than {MAX_VALUES:,} values")

    def _too_large(self, line: int, column: int, message: str) -> DataFault:
        return self.end("file_too_large", line, column, f"{message}; no more are read", fix="Split it into parts.")

    def count_keys(self, values: dict[str, Any], line: int, column: int) -> None:
        """Raises DataFault if a mapping with the `values` so far has as many keys as allowed."""
        if len(values) >= MAX_KEYS:
            raise self._too_large(line, column, f"a mapping holds more than {MAX_KEYS:,} keys")

    def fault(self, code: str, line: int, column: int, message: str, text: str = "", fix: str = "") -> None:
        """Records an error at a place, where `text` is written. Raises DataFault if there are too many errors."""
        end = self.end(code, line, column, message, text, fix)
        if len(self.findings) + 1 >= MAX_FAULTS:
            raise end
        self.findings.append(end.finding)

    def end(self, code: str, line: int, column: int, message: str, text: str = "", fix: str = "") -> DataFault:
        """Returns the exception for an error after which nothing can be read, to be raised."""
        return DataFault(code, message, fix, Place(self.file, line, column, text[:TEXT_SHOWN]))

    def repeated(self, line: int, column: int, key: str, first: int) -> None:
        """Records the error of a key that is repeated; it is first in the line `first`."""
        message = f"the key {key[:TEXT_SHOWN]!r} is used twice, first in line {first}"
        self.fault("key_repeated", line, column, message, key, "Remove one of the two.")

    def too_deep(self, line: int, column: int) -> DataFault:
        """Returns the exception for nesting beyond the limit, to be raised."""
        message = f"values are nested deeper than {MAX_DEPTH} levels"
        return self.end("nesting_too_deep", line, column, message, fix="Nest the values less deeply.")
