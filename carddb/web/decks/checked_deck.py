"""A checked deck as the page shows it: lines, the notes beside them, the seal, the days of the forecast."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from carddb.app.decks.forecast import Forecast
from carddb.app.decks.page import MOST_REMEDIED, DeckPage
from carddb.core.amounts import amount, plural
from carddb.deck.check.forecast import GRAVE
from carddb.findings import VERDICTS, Finding, Severity
from carddb.read.decks.edits import Remedy
from carddb.web.http.pages import spoken

_MOST_DAYS = 14
"""Days that the time line shows one by one."""
MOST_LINES = 1000
"""Lines of a deck that are set as text with notes beside them; a longer one is a plain field with its notes below."""


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
    """A line of the deck, counted from 1: what of it is right, the faulty rest, and the notes that stand beside it."""

    number: int
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


class Row(NamedTuple):
    """The forecast of one deck."""

    label: str
    spans: list[Span]


@dataclass(frozen=True)
class Checked:
    """What the page shows of a deck."""

    deck: DeckPage

    @cached_property
    def is_long(self) -> bool:
        """Whether only those lines are shown that have notes."""
        return len(self.deck.text.splitlines()) > MOST_LINES

    @property
    def notes(self) -> list[Note]:
        """The findings with their remedies; of very many the first."""
        number, notes = 0, []
        for index, finding in enumerate(self.deck.report.findings[:MOST_REMEDIED]):
            grave = finding.severity in GRAVE
            number += grave
            notes.append(Note(number if grave else 0, index, finding, self.deck.remedies(finding)))
        return notes

    @property
    def further(self) -> int:
        """How many findings have no note."""
        return max(0, len(self.deck.report.findings) - MOST_REMEDIED)

    def lines(self, notes: Sequence[Note]) -> list[Line]:
        """Every line of the text with its notes; a note stands at the first line that it is about."""
        beside: dict[int, list[Note]] = {}
        for note in notes:
            if note.finding.where:
                beside.setdefault(note.finding.where[0].line, []).append(note)
        cards = {entry.place.line for entry in self.deck.report.deck.entries}
        return [
            _line(number, text, number in cards, beside.get(number, []))
            for number, text in enumerate(self.deck.text.splitlines(), 1)
            if not self.is_long or number in beside
        ]

    def of_all(self, notes: Sequence[Note]) -> list[Note]:
        """The notes that are about the whole deck."""
        return [note for note in notes if not note.finding.where or not note.finding.where[0].line]

    @property
    def sums(self) -> str:
        """`5 faults, 1 warning`."""
        findings = self.deck.report.findings
        faults = sum(finding.severity in GRAVE for finding in findings)
        warnings = sum(finding.severity is Severity.WARNING for finding in findings)
        parts = [_amount(faults, "fault"), *([_amount(warnings, "warning")] if warnings else [])]
        return ", ".join(parts).capitalize()

    @property
    def seal(self) -> str:
        report = self.deck.report
        return f"{VERDICTS[report.verdict]} · {report.format} · {spoken(report.context.on)} · ".upper()

    @cached_property
    def days(self) -> list[date]:
        """The days of the time line: from the day of the check to the event, or to the last that is announced."""
        forecast = self.deck.forecast
        turning = [day for day, _, _ in self.coming]
        last = max([self.deck.request.event or forecast.on, *turning, forecast.on + timedelta(6)])
        length = min((last - forecast.on).days + 1, _MOST_DAYS)
        return [forecast.on + timedelta(number) for number in range(length)]

    @cached_property
    def rows(self) -> list[Row]:
        """The time line of the deck as it is, and where remedies are at hand, of the deck after them."""
        rows = [Row("As it is", self._spans(self.deck))]
        remedied = None if self.is_long or self.deck.report.verdict == "legal" else self.deck.with_remedies()
        return [*rows, Row("With the fixes", self._spans(remedied))] if remedied else rows

    @cached_property
    def coming(self) -> list[tuple[date, list[Finding], bool]]:
        """What is to come, day by day: what is forbidden from then on, and whether the deck is legal again."""
        forecast = self.deck.forecast
        findings = dict(forecast.by_day())
        again = forecast.legal_again
        days = sorted({*findings, *([again] if again else [])})
        return [(day, findings.get(day, []), day == again) for day in days]

    def _spans(self, deck: DeckPage) -> list[Span]:
        """What a deck is on the days of the time line: a turn after its end stands in its last days."""
        turns, end = _turns(deck.forecast), len(self.days) + 1
        starts = [1]
        for number, (day, _) in enumerate(turns[1:], 1):
            column = min((day - deck.forecast.on).days + 1, end - len(turns) + number)
            starts.append(max(column, starts[-1] + 1))
        return [
            Span(first, last, legal, _span_words(turns, number) or Checked(deck).sums)
            for number, ((_, legal), first, last) in enumerate(zip(turns, starts, [*starts[1:], end], strict=True))
        ]


def _turns(forecast: Forecast) -> list[tuple[date, bool]]:
    """The day of the check and each later one on which the verdict turns, with whether the deck is then legal."""
    turns = [(forecast.on, not forecast.findings)]
    changes = {day: False for day, _ in forecast.coming}
    if forecast.legal_again:
        changes[forecast.legal_again] = True
    for day, legal in sorted(changes.items()):
        if legal != turns[-1][1]:
            turns.append((day, legal))
    return turns


def _span_words(turns: Sequence[tuple[date, bool]], number: int) -> str:
    """What stands in a span; empty for the first of a deck that is not legal, which says how many faults it has."""
    day, legal = turns[number]
    if not legal:
        return "Not legal" if number else ""
    if number:
        return f"Legal again from {spoken(day)}"
    return f"Legal until {spoken(turns[1][0] - timedelta(1))}" if turns[1:] else "Legal"


def _amount(count: int, noun: str) -> str:
    return amount(count, noun) if count else f"no {plural(noun)}"


def _line(number: int, text: str, is_card: bool, notes: list[Note]) -> Line:
    columns = [note.finding.where[0].column for note in notes if note.kind != "hint" and len(note.finding.where) == 1]
    start = min((column for column in columns if column), default=0)
    right = text[: start - 1] if start else text
    return Line(number, right, text[len(right) :], is_card, notes)
