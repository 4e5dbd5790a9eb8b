"""What is wrong with one cell, or with the picture that it names."""

from __future__ import annotations


class Fault(Exception):
    """A cell is not what its field wants. `kind` is `invalid`, `range`, or a finding code of its own.

    `place` is where a missing picture is expected.
    """

    def __init__(self, kind: str, message: str, fix: str = "", place: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.fix = fix
        self.place = place
