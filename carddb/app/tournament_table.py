"""The table of an event: a row a player with deck, verdict, first reason, fingerprint; filtered, searched, sorted."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from carddb.app.clock import now
from carddb.app.tournament import event_json
from carddb.app.tournament_checks import outdated
from carddb.app.tournament_gate import is_open
from carddb.errors import UsageError
from carddb.events.records import Author, Entry, Event, Player
from carddb.events.store import Events
from carddb.names import did_you_mean, strip_accents
from carddb.plain_text import escaped

if TYPE_CHECKING:
    from carddb.app.project import Project

STATES = {
    "illegal": "Not legal", "not_checkable": "Not checkable", "until": "Not on the day", "legal": "Legal",
    "missing": "Missing",
}  # fmt: skip
"""What a row of the table may be, the gravest first; `until` is legal today, and not on the event's day."""
SORTS = ("verdict", "player", "deck", "reason", "fingerprint", "since")
COLUMNS = ("player", "deck", "verdict", "first reason", "fingerprint", "since", "version", "list", "remark")
_MOST_TWINS = 2
"""The players with the same cards that a row names."""
_HEX = re.compile(r"[0-9a-f]{5,}")


@dataclass(frozen=True, slots=True)
class Row:
    """A player with the latest version of his list, if he handed one in.

    `is_outdated`: cards or ban lists have changed since the check. `twins` have the same cards.
    """

    event: Event
    player: Player
    entry: Entry | None
    is_open: bool
    is_outdated: bool
    twins: tuple[str, ...]

    @property
    def state(self) -> str:
        """A key of `STATES`."""
        if self.entry is None:
            return "missing"
        verdict = self.entry.verdict
        return "until" if verdict.legal_until else verdict.verdict

    @property
    def words(self) -> str:
        """The verdict in words, with the last day of a deck that is not legal on the event's."""
        until = self.entry.verdict.legal_until if self.entry else None
        return f"Until {until.day} {until:%B}" if until else STATES[self.state]

    @property
    def deck(self) -> str:
        return self.entry.verdict.deck if self.entry else ""

    @property
    def reason(self) -> str:
        return self.entry.verdict.reason if self.entry else ""

    @property
    def fingerprint(self) -> str:
        return self.entry.verdict.fingerprint if self.entry else ""

    @property
    def since(self) -> datetime | None:
        """The moment of the verdict, where the event is."""
        return self.entry.since.astimezone(ZoneInfo(self.event.terms.zone)) if self.entry else None

    @property
    def remark(self) -> str:
        """What the organiser has to know besides the verdict."""
        corrected = self.entry is not None and self.entry.recorded_by is Author.ORGANISER and self.entry.version > 1
        parts = (
            "objects" if self.entry and self.entry.objection else "corrected" if corrected else "",
            f"same cards as {_first(self.twins)}" if self.twins else "",
            "to be checked again" if self.is_outdated else "",
        )
        return "; ".join(filter(None, parts))

    def cells(self) -> tuple[str, ...]:
        """The row as texts, in the order of `COLUMNS`."""
        since = f"{self.since:%Y-%m-%d %H:%M}" if self.since else ""
        version = str(self.entry.version) if self.entry else ""
        state = "open" if self.is_open else "locked"
        return (
            self.player.name, self.deck, self.words.lower(), self.reason, self.fingerprint, since, version, state,
            self.remark,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        entry = self.entry
        return {
            "player": self.player.name, "deck": self.deck, "state": self.state,
            "verdict": entry.verdict.verdict if entry else None, "reason": self.reason, "fingerprint": self.fingerprint,
            "since": entry.since.isoformat() if entry else None, "version": entry.version if entry else 0,
            "legal_until": entry.verdict.legal_until.isoformat() if entry and entry.verdict.legal_until else None,
            "open": self.is_open, "outdated": self.is_outdated, "same_cards_as": list(self.twins),
            "objection": entry.objection if entry else "",
        }  # fmt: skip


def _first(names: Sequence[str]) -> str:
    """`Ada, Ben`, or `Ada, Ben and 6 more`."""
    more = f" and {len(names) - _MOST_TWINS} more" if len(names) > _MOST_TWINS else ""
    return f"{', '.join(names[:_MOST_TWINS])}{more}"


def table(project: Project, events: Events, event: Event) -> list[Row]:
    """Every player of an event, the gravest first."""
    players, entries, moment = events.players(event), events.entries(event), now()
    old = {entry.id for entry in outdated(project, event, list(entries.values()))}
    names: dict[str, list[str]] = {}
    for player in players:
        if player.id in entries:
            names.setdefault(entries[player.id].verdict.fingerprint, []).append(player.name)
    rows = []
    for player in players:
        entry = entries.get(player.id)
        same = names[entry.verdict.fingerprint] if entry else []
        twins = tuple(name for name in same if name != player.name)
        is_old = entry is not None and entry.id in old
        rows.append(Row(event, player, entry, is_open(event, player, moment), is_old, twins))
    return in_order(rows)


def in_order(rows: Iterable[Row], sort: str = "verdict") -> list[Row]:
    """The rows sorted by a column, backwards with `-` before its name. Raises UsageError for an unknown one."""
    name = sort.removeprefix("-")
    if name not in SORTS:
        raise UsageError(f"the table is not sorted by {name!r}", did_you_mean(name, SORTS))
    by_name = sorted(rows, key=lambda row: strip_accents(row.player.name))

    def key(row: Row) -> str:
        if name == "verdict":
            return str(list(STATES).index(row.state))
        if name == "since":
            return row.entry.since.isoformat() if row.entry else ""
        return strip_accents(row.player.name if name == "player" else str(getattr(row, name)))

    return sorted(by_name, key=key, reverse=sort.startswith("-"))


def filtered(rows: Iterable[Row], state: str = "", words: str = "") -> list[Row]:
    """The rows of one state that have some words in player, deck, card or fingerprint. Raises UsageError."""
    if state and state not in STATES:
        raise UsageError(f"there are no decks that are {state!r}", did_you_mean(state, STATES))
    folded = strip_accents(" ".join(words.split()))
    return [row for row in rows if state in ("", row.state) and (not folded or _has(row, folded))]


def _has(row: Row, folded: str) -> bool:
    texts = (row.player.name, row.deck, row.entry.text if row.entry else "")
    return any(folded in strip_accents(text) for text in texts) or bool(with_fingerprint([row], folded))


def with_fingerprint(rows: Iterable[Row], text: str) -> list[Row]:
    """The rows whose fingerprint begins with the digits of a text, as they were read from a list or a code."""
    plain = re.sub(r"\s", "", text.lower()).rpartition("carddb1:")[2]
    if not _HEX.fullmatch(plain):
        return []
    return [row for row in rows if row.entry and row.fingerprint.rpartition(":")[2].startswith(plain)]


def tally(rows: Sequence[Row]) -> dict[str, int]:
    """How many rows have each state."""
    counts = Counter(row.state for row in rows)
    return {state: counts[state] for state in STATES}


def sentence(rows: Sequence[Row]) -> str:
    """`42 players: 9 not legal, 8 not on the day, 23 legal, 2 missing.`"""
    parts = [f"{count} {STATES[state].lower()}" for state, count in tally(rows).items() if count]
    return f"{len(rows)} player{'' if len(rows) == 1 else 's'}: {', '.join(parts) or 'none'}."


def table_json(event: Event, rows: Sequence[Row]) -> dict[str, Any]:
    """The shape of `event show --json`."""
    return {
        "schema": "carddb.event/1", "event": event_json(event), "players": [row.to_json() for row in rows],
        "summary": {"players": len(rows), **tally(rows)},
    }  # fmt: skip


def table_csv(rows: Iterable[Row]) -> bytes:
    """The table as CSV, its texts escaped for spreadsheet programs."""
    from carddb.read.formula_text import escaped_text

    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([escaped_text(escaped(cell)) for cell in row.cells()] for row in rows)
    return text.getvalue().encode()
