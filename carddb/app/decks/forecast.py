"""Until when a deck stays legal, by what ban lists announce and formats rotate, and when it is legal again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from carddb.app.decks.check import CheckRequest, deck_and_context, findings_of
from carddb.app.decks.reading import DeckSource, ReadDeck
from carddb.app.workspace.day_cards import DayCards
from carddb.app.workspace.workspace import Workspace
from carddb.deck.check.bans import lists_of
from carddb.deck.check.forecast import GRAVE, ahead, has_days, legal_again
from carddb.deck.context import Context
from carddb.findings import Finding, Severity, exit_code, verdict


@dataclass(frozen=True, slots=True)
class Forecast:
    """What is wrong with a deck on a day, what becomes wrong later and when, and whether anything is ever announced.

    `legal_again` is the day from which nothing forbids it that did so before.
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
        """What is to come, day by day."""
        days = dict.fromkeys(day for day, _ in self.coming)
        return [(day, [finding for on, finding in self.coming if on == day]) for day in days]

    def to_json(self) -> dict[str, Any]:
        """The shape of `forecast --json`."""
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
    """The forecast of a deck up to a day (None: the last that was announced).

    `cards` are those of the open catalogue, where many decks are checked. Raises InputError, UsageError.
    """
    return forecast_of(*deck_and_context(project, deck, request, cards), until)


def forecast_of(read: ReadDeck, context: Context, until: date | None) -> Forecast:
    """The forecast of a deck that is read already."""
    spec = read.game.spec
    present = tuple(finding for finding in findings_of(read, context) if finding.severity in GRAVE)
    last, check = until or date.max, read.game.ban_check
    coming = tuple(ahead(read.deck, spec, read.pool, context, check, last))
    again = legal_again(read.deck, spec, read.pool, context, check, present, last)
    dated = bool(lists_of(read.deck, spec, context)) or has_days(read.deck, spec, context)
    return Forecast(read.deck.name, context.on, present, coming, dated, again)
