"""Errors for what carddb itself cannot do; faults in somebody's data are `findings`.

CarddbError                 shown as one sentence and a remedy; exit code 3
├── InputError              a file cannot be opened or is not what its name says
├── OutputError             a file cannot be written; nothing half-written is left
├── CatalogError            the database is missing, locked, newer or damaged
├── GameError               a game's folder cannot be used as it is
├── TemplateError           a face template is faulty; names template and line
├── FontError               a font named by a game is not installed
├── QueryError              a query cannot be read; points at the character; exit code 2
└── UsageError              a name that is not known, with the nearest; exit code 2

A reader has two more, which become findings before they leave the room: `CellFault` for one cell or picture, and
`carddb.read.source.Unreadable` for the rest of a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class CarddbError(Exception):
    """The root of the tree: `message` says what, `remedy` what to do about it.

    `findings` are the faults of somebody's data (`carddb.findings.Finding`) that made it impossible, if any.
    """

    exit_code = 3

    def __init__(self, message: str, remedy: str = "", findings: Sequence[Any] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.findings = tuple(findings)

    def __str__(self) -> str:
        return f"{self.message}\n{self.remedy}" if self.remedy else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        """Lets an error come from another process: no class of the tree takes its finished message."""
        return _from_process, (type(self), self.args, self.__dict__)


def _from_process(kind: type[CarddbError], arguments: tuple[Any, ...], values: dict[str, Any]) -> CarddbError:
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(values)
    return error


class InputError(CarddbError):
    """A file cannot be opened or is not what its name says."""


class OutputError(CarddbError):
    """A file cannot be written; nothing half-written is left behind."""


class CatalogError(CarddbError):
    """The database is missing, locked, newer than this program or damaged."""


class GameError(CarddbError):
    """A game's folder cannot be used as it is."""


class TemplateError(CarddbError):
    """A face template is faulty.

    `template` and `line` say where (line 0: not known).
    """

    def __init__(self, message: str, template: str, line: int = 0, remedy: str = "") -> None:
        place = f"{template}:{line}" if line else template
        super().__init__(f"{place}: {message}", remedy)
        self.reason = message
        self.template = template
        self.line = line


class FontError(CarddbError):
    """A font named by a game is not installed."""


class QueryError(CarddbError):
    """A query cannot be read; `position` is the offending character, counted from 0.

    Where a word is not known, `word` is that and `near` the nearest one.
    """

    exit_code = 2

    def __init__(
        self, message: str, query: str, position: int, remedy: str = "", *, word: str = "", near: str = ""
    ) -> None:
        super().__init__(f"{message}\n  {query}\n  {' ' * position}^", remedy)
        self.reason = message
        self.query = query
        self.position = position
        self.word, self.near = word, near


class UsageError(CarddbError):
    """A name given on the command line is not known; the remedy names the nearest."""

    exit_code = 2


class CellFault(Exception):
    """A cell, or the picture that it names, is not what its field wants, or cannot be written.

    `kind` is `invalid`, `range`, or a finding code of its own; `place` is where a missing picture is expected.
    """

    def __init__(self, kind: str, message: str, fix: str = "", place: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.fix = fix
        self.place = place
