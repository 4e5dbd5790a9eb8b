"""Forecasts: until when a deck stays legal, and what an announcement would do to decks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.app.decks.check import CheckRequest, DeckSource, ReadDeck, deck_and_context, findings_of
from carddb.app.decks.check_many import deck_files
from carddb.app.workspace.day_cards import DayCards
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Deck, Pool
from carddb.core.errors import CarddbError, CatalogError, GameError
from carddb.deck.check.bans import lists_of
from carddb.deck.check.forecast import GRAVE, DatedCheck, turning_days
from carddb.deck.context import Context
from carddb.findings import Finding, Severity, exit_code, verdict
from carddb.games import Game

if TYPE_CHECKING:
    from carddb.app.bans.announcements import AnnounceReport


@dataclass(frozen=True, slots=True)
class AffectedDeck:
    """A deck that an announcement makes illegal or not checkable, and the findings with their first days."""

    name: str
    file: str
    coming: tuple[tuple[date, Finding], ...]

    def to_json(self) -> dict[str, Any]:
        coming = [{"from": day.isoformat(), **finding.to_json()} for day, finding in self.coming]
        return {"deck": self.name, "file": self.file, "ahead": coming}


def affected_decks(project: Workspace, report: AnnounceReport, folder: Path) -> list[AffectedDeck]:
    """Returns the decks of a folder that new announcements affect, sorted by file.

    Unreadable decks and decks of other games are left out. Raises InputError if the folder cannot be read.
    """
    new = report.new_days
    affected: list[AffectedDeck] = []
    for source in deck_files(folder)[0] if new else ():
        path = Path(str(source))
        try:
            read, context = deck_and_context(project, path, CheckRequest(on=min(new)))
        except (CatalogError, GameError):
            raise
        except CarddbError:
            continue  # `check FOLDER` says what is wrong with it
        if read.game.key == report.game and (coming := coming_by(report, read.game, read.deck, read.pool, context)):
            affected.append(AffectedDeck(read.deck.name or path.stem, str(path), coming))
    return affected


def coming_by(
    report: AnnounceReport, game: Game, deck: Deck, pool: Pool, context: Context
) -> tuple[tuple[date, Finding], ...]:
    """Returns the findings that new announcements add to a deck, each with the day on which it begins."""
    if not report.new_days:
        return ()
    result, spec, check = report.result, game.spec, game.ban_check
    since = replace(context, on=min(report.new_days) - timedelta(1))  # what begins on a day is ahead of the day before
    before, after = (
        DatedCheck(deck, spec, pool, replace(since, bans=bans), check).ahead() for bans in (result.before, result.log)
    )
    expected = {_gist(*pair) for pair in before}
    return tuple(pair for pair in after if _gist(*pair) not in expected)


def _gist(day: date, finding: Finding) -> tuple[object, ...]:
    return day, finding.code, finding.message


@dataclass(frozen=True, slots=True)
class Forecast:
    """The faults of a deck on a day, the coming ones with their days, and whether ban lists apply to it (`has_list`).

    `legal_again` is the first day on which none of its present faults forbids it.
    """

    name: str
    on: date
    findings: tuple[Finding, ...]
    coming: tuple[tuple[date, Finding], ...]
    has_list: bool
    legal_again: date | None = None

    @property
    def exit_code(self) -> int:
        return exit_code(self.findings)

    def by_day(self) -> list[tuple[date, list[Finding]]]:
        """Returns the coming findings by day."""
        days = dict.fromkeys(day for day, _ in self.coming)
        return [(day, [finding for on, finding in self.coming if on == day]) for day in days]

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
            "ahead": [{"from": day.isoformat(), **finding.to_json()} for day, finding in self.coming],
        }


def forecast(
    project: Workspace, deck: DeckSource, request: CheckRequest, until: date | None, cards: DayCards | None = None
) -> Forecast:
    """Returns the forecast of a deck up to the day `until` (None: the last day that is announced).

    `cards` come from a catalogue that is already open, if many decks are checked. Raises InputError if the deck cannot
    be read, UsageError if the request is invalid.
    """
    return forecast_of(*deck_and_context(project, deck, request, cards), until)


def forecast_of(read: ReadDeck, context: Context, until: date | None) -> Forecast:
    """Returns the forecast of a deck that is read already."""
    spec = read.game.spec
    present = tuple(finding for finding in findings_of(read, context) if finding.severity in GRAVE)
    last, on_day = until or date.max, DatedCheck(read.deck, spec, read.pool, context, read.game.ban_check)
    coming, again = tuple(on_day.ahead(last)), on_day.legal_again(present, last)
    dated = bool(lists_of(read.deck, spec, context)) or bool(turning_days(read.deck, spec, context))
    return Forecast(read.deck.name, context.on, present, coming, dated, again)
