"""Deck lists of an event on paper: all of them in one PDF, or those that are not legal, each with a code to find it."""

from __future__ import annotations

from dataclasses import replace

from carddb.app.decks.check import Report
from carddb.app.decks.checks import Reports
from carddb.app.decks.lists import deck_list_book
from carddb.app.events.checks import EventChecks, event_checks, recheck
from carddb.app.events.rows import Row
from carddb.app.events.table import table
from carddb.app.workspace.print_files import PrintedFile
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError
from carddb.events.records import Event
from carddb.events.store import Events


def print_event_lists(
    project: Workspace, events: Events, event: Event, paper: str, only_illegal: bool = False, address: str = ""
) -> PrintedFile:
    """The deck lists of an event in one PDF, by name; of the failing ones alone with their reasons.

    What is out of date is checked again first, so that paper and table say the same. `address` is that of the page
    that finds a deck; without it a code holds the fingerprint alone. Raises InputError where there is no such list.
    """
    rows = table(project, events, event)
    if any(row.is_outdated for row in rows):
        recheck(project, events, event)
    return _printed(project, rows, paper, only_illegal, address)


def print_player_list(project: Workspace, row: Row, paper: str, address: str = "") -> PrintedFile:
    """The deck list of one player as PDF. Raises InputError where he has none."""
    return _printed(project, [row], paper, False, address)


def _printed(project: Workspace, rows: list[Row], paper: str, only_illegal: bool, address: str) -> PrintedFile:
    by_name = sorted((row for row in rows if row.entry), key=lambda row: row.player.name)
    if not by_name:
        raise InputError("there is no deck list yet", "Wait until one is handed in.")
    with event_checks(project, by_name[0].event.terms) as checks:
        reports = Reports(_report(checks, row) for row in by_name)
    return deck_list_book(project, reports, "pdf", paper, only_illegal, address)


def _report(checks: EventChecks, row: Row) -> Report:
    """The report of a list, with the player and the event in its head."""
    assert row.entry is not None
    report = checks.report(row.entry.text)
    headers = {
        **report.deck.headers, "player": row.player.name, "event": row.event.name,
        "date": row.event.terms.day.isoformat(),
    }  # fmt: skip
    return replace(report, deck=replace(report.deck, headers=headers))
