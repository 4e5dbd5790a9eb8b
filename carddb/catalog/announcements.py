"""Ban lists in the catalogue: announcements are added, but never changed or removed."""

from __future__ import annotations

import json
import sqlite3
from datetime import date
from typing import NamedTuple

from carddb.bans.lint import KnownCards, added, expanded, faults, formats, groups, lint
from carddb.bans.log import Announcement, Log, Window, announcement_of, log_of, parts_of, plain_announcement
from carddb.catalog.connection import SQL, Stamp
from carddb.catalog.load import canonical
from carddb.catalog.search import has_terms
from carddb.core.dates import moment_text
from carddb.core.errors import CatalogError
from carddb.findings import Finding, Place, error, has_errors


class AnnounceResult(NamedTuple):
    """The ids of added announcements, and of those that existed before. If a finding is an error, nothing was written.

    `before` and `log` are the log before and after. `terms` is True if lists, levels or groups were added or changed.
    `applied` is True if `log` has the announcements, even if nothing was written because their notice is wrong.
    """

    log: Log
    before: Log = Log()
    added: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    terms: bool = False
    findings: tuple[Finding, ...] = ()
    applied: bool = False

    @property
    def refused(self) -> bool:
        """True if nothing was written because of errors."""
        return has_errors(self.findings)


def log(connection: sqlite3.Connection, game: str, day: date, sample: bool) -> Log:
    """Returns a game's log with the lists, levels and groups of `day`; if `sample`, sample ones. Raises CatalogError.

    Those that were described only later are in it as well, since announcements may name them earlier. The window is the
    widest of all, since each announcement was checked against the window of its time.
    """
    rows, announcements = _read(connection, game, sample)
    if not rows:
        return Log()
    if len(rows) == 1:
        return rows[0][1]._replace(announcements=announcements)
    windows = [log.window for _, log in rows]
    widest = Window(min(window.least for window in windows), max(window.most for window in windows))
    dated = tuple(
        (date.fromisoformat(since) if since else date.min, _with_later([log for _, log in rows[at:]]))
        for at, (since, _) in enumerate(rows)
    )
    return Log(announcements=announcements, window=widest, dated=dated).on(day)


def _with_later(logs: list[Log]) -> Log:
    """Returns the first of several logs, extended by lists, levels and groups that only later ones have."""
    merged, *later = logs
    for log in later:
        merged = merged._replace(
            lists={**log.lists, **merged.lists},
            levels={**log.levels, **merged.levels},
            groups={**log.groups, **merged.groups},
        )
    return merged


def latest(connection: sqlite3.Connection, game: str, sample: bool) -> Log:
    """Returns a game's log with the latest lists, levels and groups. Raises CatalogError if it is unreadable."""
    rows, announcements = _read(connection, game, sample)
    return rows[-1][1]._replace(announcements=announcements) if rows else Log()


def _read(
    connection: sqlite3.Connection, game: str, sample: bool
) -> tuple[list[tuple[str | None, Log]], tuple[Announcement, ...]]:
    """Returns the lists, levels and groups from each day on, as pairs of day and log, and all announcements."""
    terms = connection.execute(SQL["ban_terms"], (game, int(sample))).fetchall()
    rows = connection.execute(SQL["announcements"], (game, int(sample))).fetchall() if terms else []
    try:
        logs = [(since, log_of(json.loads(data))) for since, data in terms]
        return logs, tuple(announcement_of(json.loads(data)) for (data,) in rows)
    except (ValueError, KeyError, TypeError) as fault:
        message = f"the catalogue is damaged: the ban lists of {game} cannot be read"
        raise CatalogError(message, "Put back a copy with carddb restore COPY.") from fault


def plan(current: Log, incoming: Log, cards: KnownCards) -> AnnounceResult:
    """Returns the result of adding a file's announcements, lists, levels and groups to the log `current`.

    A file with lists replaces all lists, levels and groups; without lists, its levels and groups are added. Findings
    about them are unknown formats, unknown cards in groups, and names that only earlier announcements use.
    """
    if incoming.lists:
        base = incoming._replace(announcements=current.announcements)
    else:
        levels, groups_ = {**current.levels, **incoming.levels}, {**current.groups, **incoming.groups}
        base = current._replace(levels=levels, groups=groups_)
    if not base.lists:
        where = next(iter(cards.places.values()), Place())
        fix = "First load a file with lists and levels: carddb load bans.yaml --game GAME."
        return AnnounceResult(
            current, current, findings=(error("ban_list_unknown", "the game has no ban lists", where, fix=fix),)
        )
    announced = expanded(base._replace(announcements=current.announcements), incoming.announcements)
    same = [each for each in announced if current.announcement(each.id) == each]
    new = [each for each in announced if each not in same]
    terms = parts_of(base) != parts_of(current)
    findings = faults(base, new, cards)
    if terms:
        # Earlier announcements may use names that the new terms lack.
        earlier = [finding for finding in lint(base) if finding.code.endswith("_unknown")]
        findings = [*formats(base, cards), *groups(base, cards), *earlier, *findings]
    applied = not has_errors(finding for finding in findings if finding.code != "ban_window")
    if applied and has_errors(findings):
        # A waiver lets the log show what the announcements would do with a notice that is allowed.
        new = [each._replace(waiver=each.waiver or "not announced yet") for each in new]
    log = added(base, new) if applied else base
    new_ids, same_ids = (tuple(each.id for each in each_of) for each_of in (new, same))
    return AnnounceResult(log, current, new_ids, same_ids, terms, tuple(findings), applied)


def write(
    connection: sqlite3.Connection, game: str, sample: bool, result: AnnounceResult, day: date, stamp: Stamp
) -> None:
    """Writes what a plan adds. New lists, levels and groups are in force from `day`, the first from the beginning."""
    if result.terms:
        since = day.isoformat() if has_terms(connection, game, sample) else None
        row = (game, int(sample), since, *stamp.columns(), canonical(parts_of(result.log)))
        connection.execute(SQL["add_ban_terms"], row)
    added_ids = set(result.added)
    for each in result.log.announcements:
        if each.id in added_ids:
            days = moment_text(each.made), each.effective.isoformat()
            values = (game, int(sample), each.id, *days, *stamp.columns(), canonical(plain_announcement(each)))
            connection.execute(SQL["add_announcement"], values)
