"""Forecasts: until when a deck stays legal, and which decks an announcement makes illegal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.app.decks.check import CheckRequest, DeckSource, ReadDeck, Report, deck_and_context, findings_of
from carddb.app.decks.check_many import deck_files, reports_of
from carddb.app.workspace.day_cards import DayCards
from carddb.app.workspace.workspace import Workspace
from carddb.core.groups import grouped
from carddb.deck.check.bans import lists_of
from carddb.deck.check.forecast import GRAVE, DatedCheck, turning_days
from carddb.deck.context import Context
from carddb.findings import Finding, Severity, exit_code, verdict

if TYPE_CHECKING:
    from carddb.app.bans.announcements import AnnounceReport


Coming = tuple[tuple[date, Finding], ...]
"""Findings that a deck will have later, each with the first day on which the deck has it."""


def coming_json(coming: Coming) -> list[dict[str, Any]]:
    """Returns the findings in `coming` as JSON, each with its first day."""
    return [{"from": day.isoformat(), **finding.to_json()} for day, finding in coming]


@dataclass(frozen=True, slots=True)
class AffectedDeck:
    """A deck that an announcement makes illegal or not checkable, and the findings on it, each with its first day."""

    name: str
    file: str
    coming: Coming

    def to_json(self) -> dict[str, Any]:
        return {"deck": self.name, "file": self.file, "ahead": coming_json(self.coming)}


def affected_decks(project: Workspace, announced: AnnounceReport, folder: Path) -> list[AffectedDeck]:
    """Returns the decks in a folder that new announcements make illegal or not checkable on some day, sorted by file.

    Decks that cannot be read and decks of other games are left out. Raises InputError if the folder cannot be read.
    """
    if not announced.new_days:
        return []
    return [
        AffectedDeck(report.deck.name or Path(report.deck.file).stem, report.deck.file, coming)
        for report in reports_of(project, deck_files(folder)[0], CheckRequest(on=min(announced.new_days)))
        if isinstance(report, Report) and report.game.key == announced.game and (coming := coming_by(announced, report))
    ]


def coming_by(announced: AnnounceReport, report: Report) -> Coming:
    """Returns the findings that a deck will have only because of new announcements, each with its first day."""
    if not announced.new_days:
        return ()
    result, game = announced.result, report.game
    first = min(announced.new_days) - timedelta(1)  # the day before, because a forecast is about later days
    contexts = (replace(report.context, on=first, bans=bans) for bans in (result.before, result.log))
    before, after = (
        DatedCheck(report.deck, game.spec, announced.pool, each, game.ban_check).ahead() for each in contexts
    )
    expected = {_gist(*pair) for pair in before}
    return tuple(pair for pair in after if _gist(*pair) not in expected)


def _gist(day: date, finding: Finding) -> tuple[object, ...]:
    return day, finding.code, finding.message


@dataclass(frozen=True, slots=True)
class Forecast:
    """The faults of a deck on the day `on`, and the faults that it will have later, with their first days (`coming`).

    `has_list` is True if a ban list or a rotation applies to the deck. From `legal_again` on, it is legal again.
    """

    name: str
    on: date
    findings: tuple[Finding, ...]
    coming: Coming
    has_list: bool
    legal_again: date | None = None

    @property
    def exit_code(self) -> int:
        return exit_code(self.findings)

    def by_day(self) -> list[tuple[date, list[Finding]]]:
        """Returns each first day with the findings that come on it, in order of time."""
        return [*grouped(self.coming).items()]

    def to_json(self) -> dict[str, Any]:
        """Returns what `forecast --json` shows."""
        forbidden = [day for day, finding in self.coming if finding.severity is Severity.ERROR]
        return {
            "schema": "carddb.forecast/1",
            "deck": self.name,
            "on": self.on.isoformat(),
            "verdict": verdict(self.findings),
            "not_legal_from": forbidden[0].isoformat() if forbidden and not self.findings else None,
            "legal_again_from": self.legal_again.isoformat() if self.legal_again else None,
            "findings": [finding.to_json() for finding in self.findings],
            "ahead": coming_json(self.coming),
        }


def forecast(
    project: Workspace, deck: DeckSource, request: CheckRequest, until: date | None, cards: DayCards | None = None
) -> Forecast:
    """Returns the forecast of a deck up to `until` (None: as far as announced); for the rest see `check_deck`."""
    return forecast_of(*deck_and_context(project, deck, request, cards), until)


def forecast_of(read: ReadDeck, context: Context, until: date | None) -> Forecast:
    """Returns the forecast of a deck that was read before, up to the day `until`."""
    spec = read.game.spec
    present = tuple(finding for finding in findings_of(read, context) if finding.severity in GRAVE)
    last, on_day = until or date.max, DatedCheck(read.deck, spec, read.pool, context, read.game.ban_check)
    coming, again = tuple(on_day.ahead(last)), on_day.legal_again(present, last)
    dated = bool(lists_of(read.deck, spec, context)) or bool(turning_days(read.deck, spec, context))
    return Forecast(read.deck.name, context.on, present, coming, dated, again)
