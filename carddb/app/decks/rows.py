"""A checked deck as a row of a table, and how many decks have each verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from carddb.app.decks.batch import Unreadable
from carddb.app.decks.check import Report
from carddb.core.amounts import amount
from carddb.deck.check.forecast import AHEAD
from carddb.findings import VERDICTS, Finding, Severity

_WORST = (3, 1, 4, 0)
"""Exit codes, the worst first."""
COLUMNS = ("player", "deck", "verdict", "first reason", "fingerprint", "file")


class DeckRow(NamedTuple):
    """A deck in a table of many."""

    player: str
    deck: str
    verdict: str
    reason: str
    fingerprint: str
    file: str


@dataclass(slots=True)
class DeckCounts:
    """How many decks have each verdict; `skipped` are files that are no decks."""

    verdicts: Counter[str] = field(default_factory=Counter)
    exit_codes: set[int] = field(default_factory=set)
    skipped: list[str] = field(default_factory=list)

    def add(self, report: Report | Unreadable) -> None:
        self.verdicts[report.verdict] += 1
        self.exit_codes.add(report.exit_code)

    def merge(self, other: DeckCounts) -> None:
        """Adds the decks that another has counted."""
        self.verdicts += other.verdicts
        self.exit_codes |= other.exit_codes

    @property
    def exit_code(self) -> int:
        """The worst of all: 3 unreadable, 1 illegal, 4 not checkable, 0 legal."""
        return next((code for code in _WORST if code in self.exit_codes), 0)

    @property
    def summary(self) -> dict[str, Any]:
        """How many decks have each verdict, and what was passed over."""
        verdicts = {verdict: self.verdicts[verdict] for verdict in (*VERDICTS, Unreadable.verdict)}
        return {"decks": self.verdicts.total(), **verdicts, "skipped": self.skipped}

    @property
    def sentence(self) -> str:
        """`40 decks: 37 legal, 2 not legal, 1 unreadable.`"""
        words = {**{key: word.lower() for key, word in VERDICTS.items()}, Unreadable.verdict: Unreadable.verdict}
        parts = [f"{self.verdicts[verdict]} {word}" for verdict, word in words.items() if self.verdicts[verdict]]
        return f"{amount(self.verdicts.total(), 'deck')}: {', '.join(parts) or 'none'}."


def counts_of(reports: Iterable[Report | Unreadable], skipped: list[str]) -> DeckCounts:
    """The counts of all decks."""
    counts = DeckCounts(skipped=skipped)
    for report in reports:
        counts.add(report)
    return counts


def deck_row(report: Report | Unreadable) -> DeckRow:
    """Player, deck, verdict in words, first reason, fingerprint, file."""
    if isinstance(report, Unreadable):
        return DeckRow("", Path(report.file).stem, report.verdict, report.error.message, "", report.file)
    deck = report.deck
    name = deck.name or Path(deck.file).stem
    return DeckRow(
        deck.headers.get("player", ""), name, VERDICTS[report.verdict].lower(), first_reason(report) or _ahead(report),
        report.fingerprint, deck.file,
    )  # fmt: skip


def first_reason(report: Report) -> str:
    """Why a deck is not legal, in the words of its first grave finding; empty where it is."""
    return next((finding.message for finding in grave_findings(report)), "")


def _ahead(report: Report) -> str:
    """What is announced to make a legal deck illegal by the event, in words; else empty."""
    return next((finding.message for finding in report.findings if finding.code in AHEAD), "")


def grave_findings(report: Report) -> list[Finding]:
    """The findings for which a deck is not legal, or not checkable."""
    return [finding for finding in report.findings if finding.severity in (Severity.ERROR, Severity.NOT_CHECKABLE)]
