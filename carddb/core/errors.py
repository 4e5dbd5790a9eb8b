"""Errors raised when carddb itself cannot do something. Faults in a user's data become `findings` instead.

Each is shown as one sentence and a remedy. There are two more exceptions: `DataFault`, which becomes a finding, and
`carddb.play.question.Refusal`, a negative answer of the referee.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from carddb.findings import Place, error


class CarddbError(Exception):
    """The base of all errors: `message` says what is wrong, `remedy` what to do about it.

    `findings` are the faults in the user's data (`carddb.findings.Finding`) that caused the error, if any. `exit_code`
    is the exit code of the program if the error ends it.
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
        """Lets an error be pickled: the constructors of the subclasses do not accept the finished message."""
        return Exception.__new__, (type(self), *self.args), self.__dict__


class InputError(CarddbError):
    """A file cannot be opened or is not what its name says."""


class OutputError(CarddbError):
    """A file cannot be written; nothing half-written is left behind."""


class CatalogError(CarddbError):
    """The database is missing, locked, newer than this program or damaged."""


class GameError(CarddbError):
    """A game's folder cannot be used as it is."""


class TemplateError(CarddbError):
    """A face template is faulty. `template` and `line` say where; line 0 means unknown."""

    def __init__(self, message: str, template: str, line: int = 0, remedy: str = "") -> None:
        place = f"{template}:{line}" if line else template
        super().__init__(f"{place}: {message}", remedy)
        self.reason = message
        self.template = template
        self.line = line


class FontError(CarddbError):
    """A font named by a game is not installed."""


class QueryError(CarddbError):
    """A query cannot be read; `position` is the index of the offending character, from 0.

    If a word is unknown, `word` is that word and `near` the nearest known word.
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
    """A name, option or value that the user gave is unknown or not allowed; the remedy suggests a valid one."""

    exit_code = 2


def check_kind(what: str, kind: str, kinds: Collection[str]) -> None:
    """Raises UsageError if `kind` is not in `kinds`, the kinds of files. `what` begins the message, as `cards are`."""
    if kind not in kinds:
        problem = f"{what} not written as {kind!r}" if kind else "the name of the file has no ending"
        raise UsageError(problem, f"Choose one of: {', '.join(kinds)}.")


class DataFault(Exception):
    """A cell, a picture, or a file (from some place on) cannot be read or written; `finding` says why.

    A cell's finding has no place yet. Its code may be `invalid` or `range`, for which a field may have codes of its
    own.
    """

    def __init__(self, code: str, message: str, fix: str = "", *where: Place) -> None:
        super().__init__(message)
        self.finding = error(code, message, *where, fix=fix)
