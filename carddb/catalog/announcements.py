"""Adds announcements to the catalogue, and terms of ban lists; none is ever changed or removed."""

from __future__ import annotations

import sqlite3
from datetime import date, datetime
from typing import NamedTuple

from carddb.bans.lint import KnownCards, added, faults, formats, groups, lint
from carddb.bans.log import Log
from carddb.bans.log_data import parts_of, plain_announcement
from carddb.bans.replacement import expanded
from carddb.catalog import records
from carddb.catalog.banlog import AnnounceResult, has_terms
from carddb.core.dates import moment_text
from carddb.findings import Finding, Place, error, has_errors

_ADD_TERMS = """
INSERT INTO ban_terms (game, sample, in_force_from, recorded_at, author, source, data) VALUES (?, ?, ?, ?, ?, ?, ?)"""

_ADD = """
INSERT INTO announcement (game, sample, name, made, effective, recorded_at, author, source, data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"""


class Stamp(NamedTuple):
    """When something was recorded, by whom, from where."""

    recorded_at: datetime
    author: str
    source: str

    def columns(self) -> tuple[str, str, str]:
        """As the tables have them."""
        return moment_text(self.recorded_at), self.author, self.source


def plan(current: Log, incoming: Log, cards: KnownCards) -> AnnounceResult:
    """The result of adding a file's announcements to a log, and its lists, levels and groups where it has any."""
    base = _with_terms(current, incoming)
    if not base.lists:
        where = next(iter(cards.places.values()), Place())
        fix = "Load a bans.yaml with lists and levels first: carddb load bans.yaml --game G."
        return AnnounceResult(
            current, current, findings=(error("ban_list_unknown", "the game has no ban lists", where, fix=fix),)
        )
    announced = expanded(base._replace(announcements=current.announcements), incoming.announcements)
    same = [each for each in announced if current.announcement(each.id) == each]
    new = [each for each in announced if each not in same]
    terms = parts_of(base) != parts_of(current)
    findings = (*(_terms(base, cards) if terms else ()), *faults(base, new, cards))
    log = base if has_errors(findings) else added(base, new)
    return AnnounceResult(
        log, current, tuple(each.id for each in new), tuple(each.id for each in same), terms, findings
    )


def _with_terms(current: Log, incoming: Log) -> Log:
    """The log with the terms of a file: only those where it has lists, else its levels and groups are added."""
    if incoming.lists:
        return incoming._replace(announcements=current.announcements)
    return current._replace(levels={**current.levels, **incoming.levels}, groups={**current.groups, **incoming.groups})


def _terms(base: Log, cards: KnownCards) -> list[Finding]:
    """What is wrong with new terms: unknown formats of lists, unknown cards in groups, and names that they lack and
    that earlier announcements use."""
    earlier = [finding for finding in lint(base) if finding.code.endswith("_unknown")]
    return [*formats(base, cards), *groups(base, cards), *earlier]


def write(
    connection: sqlite3.Connection, game: str, sample: bool, result: AnnounceResult, day: date, stamp: Stamp
) -> None:
    """Adds what a plan adds; its terms are in force from a day, the first of a game always."""
    if result.terms:
        since = day.isoformat() if has_terms(connection, game, sample) else None
        terms = records.record(records.TermsRecord, game, since, parts_of(result.log))
        connection.execute(_ADD_TERMS, (game, int(sample), terms.in_force_from, *stamp.columns(), terms.data))
    connection.executemany(_ADD, [_row(game, sample, result.log, id_, stamp) for id_ in result.added])


def _row(game: str, sample: bool, log: Log, id_: str, stamp: Stamp) -> tuple[object, ...]:
    announcement = log.announcement(id_)
    assert announcement is not None
    plain = plain_announcement(announcement)
    moment = moment_text(announcement.made)
    record = records.record(records.AnnouncementRecord, game, id_, moment, plain["effective"], plain)
    return (game, int(sample), record.name, record.made, record.effective, *stamp.columns(), record.data)
