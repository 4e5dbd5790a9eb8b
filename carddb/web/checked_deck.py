"""A checked deck as the page shows it: lines, the notes beside them, the seal, the days of the forecast."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

from carddb.app.deck_page import DeckPage
from carddb.findings import VERDICTS, Finding, Severity
from carddb.read.deck_edits import Remedy

_MOST_DAYS = 14
"""Days that the time line shows one by one."""


class Note(NamedTuple):
    """A finding as it stands beside a line: numbered where it keeps the deck from being legal; `at` in the report."""

    number: int
    at: int
    finding: Finding
    remedies: list[Remedy]

    @property
    def mark(self) -> str:
        """The number of a fault; a warning has a sign, an info none."""
        return str(self.number) if self.number else "!" if self.finding.severity is Severity.WARNING else "i"

    @property
    def kind(self) -> str:
        return {"error": "", "not_checkable": "", "warning": "warn"}.get(self.finding.severity, "hint")

    def edits(self, remedy: Remedy) -> str:
        """The edits of a remedy for the script."""
        return json.dumps(remedy.edits)


class Line(NamedTuple):
    """A line of the deck: what of it is right, the faulty rest, and the notes that stand beside it."""

    text: str
    faulty: str
    is_card: bool
    notes: list[Note]


class Span(NamedTuple):
    """A part of the forecast: from one day of the time line to another, and what the deck is then."""

    first: int
    last: int
    legal: bool
    words: str


@dataclass(frozen=True)
class Checked:
    """What the page shows of a deck."""

    deck: DeckPage

    @property
    def notes(self) -> list[Note]:
        number, notes = 0, []
        for index, finding in enumerate(self.deck.report.findings):
            grave = finding.severity in (Severity.ERROR, Severity.NOT_CHECKABLE)
            number += grave
            notes.append(Note(number if grave else 0, index, finding, self.deck.remedies(finding)))
        return notes

    def lines(self, notes: Sequence[Note]) -> list[Line]:
        """Every line of the text with its notes; a note stands at the first line that it is about."""
        beside: dict[int, list[Note]] = {}
        for note in notes:
            if note.finding.where:
                beside.setdefault(note.finding.where[0].line, []).append(note)
        cards = {entry.place.line for entry in self.deck.report.deck.entries}
        return [
            _line(text, number in cards, beside.get(number, []))
            for number, text in enumerate(self.deck.text.splitlines(), 1)
        ]

    def of_all(self, notes: Sequence[Note]) -> list[Note]:
        """The notes that are about the whole deck."""
        return [note for note in notes if not note.finding.where or not note.finding.where[0].line]

    @property
    def sums(self) -> str:
        """`5 faults, 1 warning`."""
        findings = self.deck.report.findings
        faults = sum(finding.severity in (Severity.ERROR, Severity.NOT_CHECKABLE) for finding in findings)
        warnings = sum(finding.severity is Severity.WARNING for finding in findings)
        parts = [_amount(faults, "fault"), *([_amount(warnings, "warning")] if warnings else [])]
        return ", ".join(parts).capitalize()

    @property
    def seal(self) -> str:
        report = self.deck.report
        return f"{VERDICTS[report.verdict]} · {report.format} · {spoken(report.context.on)} · ".upper()

    @property
    def time_line(self) -> tuple[list[date], list[Span]]:
        """The days from now to the end of the forecast, and what the deck is on them."""
        forecast = self.deck.forecast
        turning = [day for day, _ in forecast.coming]
        last = max([self.deck.request.event or forecast.on, *turning, forecast.on + timedelta(6)])
        length = min((last - forecast.on).days + 1, _MOST_DAYS)
        days = [forecast.on + timedelta(number) for number in range(length)]
        if forecast.findings:
            return days, [Span(1, length + 1, False, self.sums)]
        ends = min((day for day, _ in forecast.coming), default=None)
        if ends is None:
            return days, [Span(1, length + 1, True, "Legal")]
        at = max(2, min((ends - forecast.on).days + 1, length))
        legal = Span(1, at, True, f"Legal until {spoken(ends - timedelta(1))}")
        return days, [legal, Span(at, length + 1, False, "Not legal")]


def spoken(day: date) -> str:
    """`5 December 2026`."""
    return f"{day.day} {day:%B %Y}"


def _amount(count: int, noun: str) -> str:
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"


def _line(text: str, is_card: bool, notes: list[Note]) -> Line:
    columns = [note.finding.where[0].column for note in notes if note.kind != "hint" and len(note.finding.where) == 1]
    start = min((column for column in columns if column), default=0)
    right = text[: start - 1] if start else text
    return Line(right, text[len(right) :], is_card, notes)
