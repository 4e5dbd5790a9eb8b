"""Verdicts on the decks of an event: those of `carddb check --on DAY`, and when they have to be asked for again."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from typing import NamedTuple

from carddb.app.decks.check import Report, check_deck
from carddb.app.decks.checks import first_reason
from carddb.app.decks.forecast import forecast
from carddb.app.events.tournament import request_of, today_there
from carddb.app.workspace.clock import now
from carddb.app.workspace.day_cards import DayCards, day_cards
from carddb.app.workspace.workspace import Workspace
from carddb.bans.edition import fingerprint
from carddb.bans.state import state
from carddb.catalog.store import Catalog
from carddb.core.version import __version__
from carddb.events.store import Entry, Event, Events, EventTerms, Player, Verdict
from carddb.findings import counts

_MOST_FINDINGS = 100
"""Findings of a deck that are stored; their counts are those of all."""


@dataclass(frozen=True, slots=True)
class Recheck:
    """The result of checking all decks again: each player whose verdict changed, with the verdicts before and after."""

    decks: int
    changed: tuple[tuple[Player, str, str], ...]


class ListOfDay(NamedTuple):
    """A ban list on the day of an event: its title, the format that is played by it, and its fingerprint."""

    title: str
    format: str
    fingerprint: str


class EventChecks:
    """Checks decks by the terms of one event; the cards, the ban lists and their digest are read once."""

    def __init__(self, project: Workspace, terms: EventTerms, cards: DayCards | None = None) -> None:
        self.project = project
        self.terms = terms
        self._cards = cards

    @cached_property
    def basis(self) -> str:
        """The digest of what is checked against."""
        return basis(self.project, self.terms)

    def report(self, text: str) -> Report:
        """The report of a deck. Raises UsageError, InputError."""
        return check_deck(self.project, f"{text}\n", request_of(self.terms), self._cards)

    def verdict(self, text: str) -> Verdict:
        """Returns the verdict of a deck as it is stored. Raises UsageError, InputError."""
        report = self.report(text)
        return Verdict(
            deck=report.deck.name,
            fingerprint=report.fingerprint,
            verdict=report.verdict,
            reason=first_reason(report),
            findings=tuple(finding.to_json() for finding in report.findings[:_MOST_FINDINGS]),
            counts=counts(report.findings),
            legal_until=self._legal_until(text) if report.verdict == "illegal" else None,
            basis=self.basis,
        )

    def _legal_until(self, text: str) -> date | None:
        """The last day of a deck that is legal today, and will not be on the event's by what ban lists announce."""
        terms, today = self.terms, today_there(self.terms)
        if today >= terms.day:
            return None
        ahead = forecast(self.project, f"{text}\n", request_of(terms, today), terms.day, self._cards)
        days = [day for day, _ in ahead.coming]
        return min(days) - timedelta(1) if days and not ahead.findings else None


@contextmanager
def event_checks(project: Workspace, terms: EventTerms) -> Iterator[EventChecks]:
    """Checks for an event, while the catalogue stays open. Raises CatalogError."""
    with day_cards(project) as cards:
        yield EventChecks(project, terms, cards)


def basis(project: Workspace, terms: EventTerms) -> str:
    """A digest of what the decks of an event are checked against: cards, ban lists, and the program."""
    with project.catalog() as catalog:
        cards = catalog.revision_hash(terms.game, terms.day)
        lists = [each.fingerprint for each in lists_of_day(catalog, terms)]
    return hashlib.sha256("\n".join([__version__, cards, *lists]).encode()).hexdigest()[:16]


def lists_of_day(catalog: Catalog, terms: EventTerms) -> list[ListOfDay]:
    """The ban lists of an event's game as they stand on its day."""
    log = catalog.ban_log(terms.game, day=terms.day)
    return [
        ListOfDay(spec.title, spec.format, fingerprint(state(log, key, terms.day, None), log.levels, log.groups))
        for key, spec in log.lists.items()
    ]


def list_of_event(project: Workspace, terms: EventTerms) -> ListOfDay | None:
    """The ban list by which the decks of an event are checked; None where its format has none."""
    with project.catalog() as catalog:
        return next((each for each in lists_of_day(catalog, terms) if each.format == terms.format), None)


def recheck(project: Workspace, events: Events, event: Event) -> Recheck:
    """Checks the latest version of every deck again. Raises UsageError, InputError."""
    entries = events.entries(event)
    players = {player.id: player for player in events.players(event)}
    with event_checks(project, event.terms) as checks:
        verdicts = [(entry, checks.verdict(entry.text)) for entry in entries.values()]
    with events.step():
        for entry, verdict in verdicts:
            events.change_verdict(entry, verdict, now())
    pairs = ((players[entry.player_id], entry.verdict.verdict, new.verdict) for entry, new in verdicts)
    return Recheck(len(verdicts), tuple((player, old, new) for player, old, new in pairs if new != old))


def outdated(project: Workspace, event: Event, entries: Sequence[Entry]) -> list[Entry]:
    """The entries that were checked against other cards or ban lists than there are now."""
    now_there = basis(project, event.terms)
    return [entry for entry in entries if entry.verdict.basis != now_there]
