"""What the readers of YAML and JSON note: places of values, and faults."""

from __future__ import annotations

from carddb.findings import Finding, Place, error

Path_ = tuple[str | int, ...]
"""The keys and positions that lead to a value."""

MAX_DEPTH = 50
MAX_VALUES = 1_000_000
MAX_FAULTS = 1_000
TEXT_SHOWN = 80


class Notes:
    """The notes of a reader: places, and faults with the file filled in.

    Raises Stop where there are more values, or more faults, than allowed.
    """

    def __init__(self, file: str) -> None:
        self.file = file
        self.places: dict[Path_, Place] = {}
        self.findings: list[Finding] = []

    def put(self, path: Path_, line: int, column: int, text: str = "") -> None:
        """Notes the place of a value."""
        self.places[path] = Place(self.file, line, column, text)
        if len(self.places) > MAX_VALUES:
            message = f"the document holds more than {MAX_VALUES:,} values, the most that are read"
            self.fault("file_too_large", line, column, message, fix="Split it.")
            raise Stop

    def fault(self, code: str, line: int, column: int, message: str, text: str = "", fix: str = "") -> None:
        """An error at a place."""
        self.findings.append(error(code, message, Place(self.file, line, column, text[:TEXT_SHOWN]), fix=fix))
        if len(self.findings) >= MAX_FAULTS:
            raise Stop

    def repeated(self, line: int, column: int, key: str, first: int) -> None:
        """A key that its mapping has already."""
        message = f"the key {key[:TEXT_SHOWN]!r} stands twice, first in line {first}"
        self.fault("key_repeated", line, column, message, key, "Keep one of them.")

    def too_deep(self, line: int, column: int) -> None:
        """Nesting over the limit."""
        message = f"values are nested deeper than {MAX_DEPTH} levels"
        self.fault("nesting_too_deep", line, column, message, fix="Flatten the data.")


class Stop(Exception):
    """The rest of a document cannot be read; the reason is among the notes."""
