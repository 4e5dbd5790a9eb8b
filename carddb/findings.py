"""Findings: what is wrong with somebody's data, as values with a code, a severity, places and fixes.

A check returns all its findings at once; it never raises one as an exception. Codes are stable snake_case words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple


class Severity(StrEnum):
    """The severity of a finding. The members are listed from the most to the least serious."""

    ERROR = "error"
    NOT_CHECKABLE = "not_checkable"
    WARNING = "warning"
    INFO = "info"


class Place(NamedTuple):
    """A place in a file. Lines and columns count from 1; 0 is unknown. Only tables have `sheet` and `column_name`."""

    file: str = ""
    line: int = 0
    column: int = 0
    text: str = ""
    sheet: str = ""
    column_name: str = ""

    def __str__(self) -> str:
        parts = (self.file, self.sheet, self.line, self.column_name or self.column)
        return ":".join(str(part) for part in parts if part)

    def to_json(self) -> dict[str, Any]:
        """Returns the place as `check --json` prints it; `sheet` and `column_name` are left out if empty."""
        values = self._asdict()
        return {name: value for name, value in values.items() if value or name not in ("sheet", "column_name")}


@dataclass(frozen=True, slots=True)
class CardCount:
    """A card that a finding is about, and the number of its copies."""

    ref: str
    name: str
    count: int = 1

    def __str__(self) -> str:
        return f"{self.name} [{self.ref}]" if self.ref else self.name

    def to_json(self) -> dict[str, Any]:
        return {"ref": self.ref, "name": self.name, "count": self.count}


class Finding(NamedTuple):
    """One fault or remark.

    `message` names both the number found and the number allowed. `fix` is the smallest remedy as a sentence, and
    `fixes` is the same remedy as data (`{"remove": [{"ref", "count"}]}`, `{"add": ...}`, `{"move": ...}`). `rules` are
    the ids of the game's rules that the finding is based on.
    """

    code: str
    severity: Severity
    message: str
    where: tuple[Place, ...] = ()
    cards: tuple[CardCount, ...] = ()
    data: Mapping[str, Any] = MappingProxyType({})
    fix: str = ""
    fixes: tuple[Mapping[str, Any], ...] = ()
    rules: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Returns the finding as `check --json` prints it."""
        return {
            **self._asdict(),
            "severity": self.severity.value,
            "where": [place.to_json() for place in self.where],
            "cards": [card.to_json() for card in self.cards],
            "data": dict(self.data),
            "fixes": [dict(fix) for fix in self.fixes],
            "rules": list(self.rules),
        }


def error(code: str, message: str, *where: Place, **rest: Any) -> Finding:
    """Returns a finding of severity error."""
    return Finding(code, Severity.ERROR, message, where, **rest)


def warning(code: str, message: str, *where: Place, **rest: Any) -> Finding:
    """Returns a finding of severity warning."""
    return Finding(code, Severity.WARNING, message, where, **rest)


def info(code: str, message: str, *where: Place, **rest: Any) -> Finding:
    """Returns a finding of severity info."""
    return Finding(code, Severity.INFO, message, where, **rest)


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Returns the findings sorted as every list shows them: by file and line of their first place, then by code."""

    def key(finding: Finding) -> tuple[str, str, int, str, int, str]:
        place = finding.where[0] if finding.where else Place()
        return (place.file, place.sheet, place.line, finding.code, place.column, finding.message)

    return sorted(findings, key=key)


def has_errors(findings: Iterable[Finding]) -> bool:
    """Returns whether any finding is an error."""
    return any(finding.severity is Severity.ERROR for finding in findings)


def codes_of(findings: Iterable[Finding], *severities: Severity) -> list[str]:
    """Returns the codes of the findings whose severity is one of `severities`, sorted and each only once."""
    return sorted({finding.code for finding in findings if finding.severity in severities})


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """Returns the number of findings of each severity, as `{severity: count}` with all four keys."""
    tally = Counter(finding.severity for finding in findings)
    return {severity.value: tally[severity] for severity in Severity}


VERDICTS = {"legal": "Legal", "illegal": "Not legal", "not_checkable": "Not checkable"}
"""The words shown for each verdict."""


def verdict(findings: Sequence[Finding]) -> str:
    """Returns `illegal` if any finding is an error, else `not_checkable` if any has that severity, else `legal`."""
    severities = {finding.severity for finding in findings}
    if Severity.ERROR in severities:
        return "illegal"
    return "not_checkable" if Severity.NOT_CHECKABLE in severities else "legal"


def exit_code(findings: Sequence[Finding]) -> int:
    """Returns the exit code of `check`: 1 for illegal, 4 for not checkable, 0 for legal."""
    return {"illegal": 1, "not_checkable": 4, "legal": 0}[verdict(findings)]


def gravest_first(findings: Iterable[Finding]) -> list[Finding]:
    """Returns the findings that a judge must see: all except those of severity info, the most serious first."""
    order = list(Severity)
    return sorted((f for f in findings if f.severity is not Severity.INFO), key=lambda f: order.index(f.severity))
