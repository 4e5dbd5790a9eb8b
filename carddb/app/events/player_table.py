"""The table of an event's players and their deck lists, on screen, on paper and as files."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from carddb.app.decks.check import Report
from carddb.app.decks.check_many import Reports
from carddb.app.decks.lists import deck_list_book
from carddb.app.events.entries import EventChecks, basis, event_checks, recheck
from carddb.app.events.tournament import NOTE_KINDS, OpenEvent, event_json, is_open, note_json, shown_to_player
from carddb.app.workspace.clock import now
from carddb.app.workspace.published_folder import PrintedFile, zip_files
from carddb.core import groups
from carddb.core.dates import spoken
from carddb.core.errors import InputError, UsageError
from carddb.core.names import did_you_mean, file_stems, skeleton, strip_accents
from carddb.core.plain_text import amount, first_of, json_bytes
from carddb.events.store import Author, DeskNote, Event, EventTerms, ListVersion, Player, Verdict
from carddb.read.tables.grid import csv_table
from carddb.rounds.log import undone

STATES = {
    "illegal": "Not legal", "not_checkable": "Not checkable", "until": "Not on the day", "legal": "Legal",
    "missing": "Missing",
}  # fmt: skip
"""The words for the states of a row, the most serious first; `until` is legal today, but not on the event's day."""
COLUMNS = ("player", "deck", "verdict", "first reason", "fingerprint", "since", "version", "list", "remark")
_MISSING = Verdict("", "", "missing", "", (), {}, None, "")
_MOST_TWINS = 2
"""The most players with the same cards, or with similar names, that a row names."""


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player, with the latest version of the player's deck list (`entry`; None if there is none).

    `is_outdated` means that cards or ban lists have changed since the check. `twins` are the names of players with the
    same cards, `lookalikes` names that look the same as the player's; `notes` are the desk's notes on the player.
    """

    event: OpenEvent
    player: Player
    entry: ListVersion | None
    is_open: bool
    is_outdated: bool
    twins: tuple[str, ...]
    lookalikes: tuple[str, ...] = ()
    notes: tuple[DeskNote, ...] = ()

    @property
    def verdict(self) -> Verdict:
        """The verdict on the list; if there is no list, a verdict that says that it is missing."""
        return self.entry.verdict if self.entry else _MISSING

    @property
    def state(self) -> str:
        """The state of the row, a key of `STATES`."""
        return "until" if self.verdict.legal_until else self.verdict.verdict

    @property
    def words(self) -> str:
        """The state in words; for `until`, with the last day on which the deck is legal."""
        until = self.verdict.legal_until
        return f"Until {until.day} {until:%B}" if until else STATES[self.state]

    @property
    def since(self) -> datetime | None:
        """The moment since which the list has its verdict, in the time zone of the event; None without a list."""
        return self.entry.since.astimezone(ZoneInfo(self.event.terms.zone)) if self.entry else None

    @property
    def penalties(self) -> list[DeskNote]:
        return [note for note in self.notes if note.kind.is_penalty and not note.undone_at]

    @property
    def unread(self) -> int:
        """The number of messages and penalties that the player has not confirmed."""
        return sum(not note.read_at for note in shown_to_player(self.notes))

    @property
    def remark(self) -> str:
        """Remarks for the organiser besides the verdict, such as an objection, twins, penalties or unread messages."""
        corrected = self.entry is not None and self.entry.recorded_by is Author.ORGANISER and self.entry.version > 1
        parts = (
            "objects" if self.entry and self.entry.objection else "corrected" if corrected else "",
            f"same cards as {first_of(self.twins, _MOST_TWINS)}" if self.twins else "",
            f"name looks like {first_of(self.lookalikes, _MOST_TWINS)}" if self.lookalikes else "",
            ", ".join(NOTE_KINDS[note.kind].lower() for note in self.penalties),
            f"{amount(self.unread, 'message')} unread" if self.unread else "",
            "to be checked again" if self.is_outdated else "",
        )
        return "; ".join(filter(None, parts))

    def cells(self) -> tuple[str, ...]:
        """Returns the row as texts, in the order of `COLUMNS`."""
        since = f"{self.since:%Y-%m-%d %H:%M}" if self.since else ""
        version = str(self.entry.version) if self.entry else ""
        state = "open" if self.is_open else "locked"
        return (
            self.player.name, self.verdict.deck, self.words.lower(), self.verdict.reason, self.verdict.fingerprint,
            since, version, state, self.remark,
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        entry, verdict = self.entry, self.verdict
        return {
            "player": self.player.name, "deck": verdict.deck, "state": self.state,
            "verdict": verdict.verdict if entry else None, "reason": verdict.reason, "fingerprint": verdict.fingerprint,
            "since": entry.since.isoformat() if entry else None, "version": entry.version if entry else 0,
            "legal_until": verdict.legal_until.isoformat() if verdict.legal_until else None,
            "open": self.is_open, "outdated": self.is_outdated, "same_cards_as": list(self.twins),
            "looks_like": list(self.lookalikes), "objection": entry.objection if entry else "",
            "penalties": [note.kind.value for note in self.penalties], "unread": self.unread,
        }  # fmt: skip


def day_words(terms: EventTerms) -> str:
    """Returns the day of an event in words, such as `Sunday 29 November 2026`."""
    return f"{terms.day:%A} {spoken(terms.day)}"


def moment_words(terms: EventTerms, moment: datetime) -> str:
    """Returns a moment in words, such as `Sat 28 November 18:00`, in the time zone of the event."""
    local = moment.astimezone(ZoneInfo(terms.zone))
    return f"{local:%a} {local.day} {local:%B %H:%M}"


def left_words(left: timedelta) -> str:
    """Returns the time that is left in words, such as `3 days`, `4 h 17 min` or `12 min`; empty if none is left."""
    minutes = int(left.total_seconds()) // 60
    if left <= timedelta():
        return ""
    if minutes >= 48 * 60:
        return f"{minutes // (24 * 60)} days"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def grouped(fingerprint: str) -> str:
    """Returns a fingerprint such as `carddb1:7f3a9c21d0` as `7f3a 9c21 d0`, as it is read aloud and printed."""
    digits = fingerprint.rpartition(":")[2]
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


SORTS = ("verdict", "player", "deck", "reason", "fingerprint", "since")
_HEX = re.compile(r"[0-9a-f]{5,}")


def table(event: OpenEvent) -> list[PlayerRow]:
    """Returns the rows of all players of an event, sorted by verdict, the most serious first."""
    players, entries, moment = event.store.players(event), event.store.entries(event), now()
    notes = event.store.notes(event)
    present = basis(event)
    alike = groups.grouped((skeleton(player.name), player.name) for player in players)
    handed_in = ((entries[player.id], player.name) for player in players if player.id in entries)
    names = groups.grouped((entry.verdict.fingerprint, name) for entry, name in handed_in)
    rows = []
    for player in players:
        entry = entries.get(player.id)
        same = names[entry.verdict.fingerprint] if entry else []
        twins, lookalikes = (
            tuple(name for name in names if name != player.name) for names in (same, alike[skeleton(player.name)])
        )
        is_old = entry is not None and entry.verdict.basis != present
        is_free, own = is_open(event, player, moment), tuple(notes.get(player.id, ()))
        rows.append(PlayerRow(event, player, entry, is_free, is_old, twins, lookalikes, own))
    return in_order(rows)


def in_order(rows: Iterable[PlayerRow], sort: str = "verdict") -> list[PlayerRow]:
    """Returns the rows sorted by a column, reversed if `-` precedes it. Raises UsageError for an unknown column."""
    name = sort.removeprefix("-")
    if name not in SORTS:
        raise UsageError(f"the table cannot be sorted by {name!r}", did_you_mean(name, SORTS))
    by_name = sorted(rows, key=lambda row: strip_accents(row.player.name))

    def key(row: PlayerRow) -> str:
        if name == "verdict":
            return str(list(STATES).index(row.state))
        if name == "since":
            return row.entry.since.isoformat() if row.entry else ""
        return strip_accents(row.player.name if name == "player" else str(getattr(row.verdict, name)))

    return sorted(by_name, key=key, reverse=sort.startswith("-"))


def filtered(rows: Iterable[PlayerRow], state: str = "", words: str = "") -> list[PlayerRow]:
    """Returns the rows in a state (empty: in any) with `words` in the player's name, the deck or the fingerprint.

    Raises UsageError for an unknown state.
    """
    if state and state not in STATES:
        raise UsageError(f"{state!r} is not a state of a deck", did_you_mean(state, STATES))
    folded = strip_accents(" ".join(words.split()))

    def has_words(row: PlayerRow) -> bool:
        texts = (row.player.name, row.verdict.deck, row.entry.text if row.entry else "")
        return any(folded in strip_accents(text) for text in texts) or bool(with_fingerprint([row], folded))

    return [row for row in rows if state in ("", row.state) and (not folded or has_words(row))]


def with_fingerprint(rows: Iterable[PlayerRow], text: str) -> list[PlayerRow]:
    """Returns the rows whose fingerprint begins with the digits in `text`, as a printed list or a QR code has them."""
    plain = re.sub(r"\s", "", text.lower()).rpartition("carddb1:")[2]
    if not _HEX.fullmatch(plain):
        return []
    return [row for row in rows if row.entry and row.verdict.fingerprint.rpartition(":")[2].startswith(plain)]


def tally(rows: Sequence[PlayerRow]) -> dict[str, int]:
    """Returns the number of rows in each state, as `{state: count}`."""
    counts = Counter(row.state for row in rows)
    return {state: counts[state] for state in STATES}


def sentence(rows: Sequence[PlayerRow]) -> str:
    """Returns a summary such as `42 players: 9 not legal, 8 not on the day, 23 legal, 2 missing.`"""
    parts = [f"{count} {STATES[state].lower()}" for state, count in tally(rows).items() if count]
    return f"{amount(len(rows), 'player')}: {', '.join(parts) or 'none'}."


def table_json(event: Event, rows: Sequence[PlayerRow]) -> dict[str, Any]:
    """Returns what `event show --json` shows."""
    return {
        "schema": "carddb.event/1", "event": event_json(event), "players": [row.to_json() for row in rows],
        "summary": {"players": len(rows), **tally(rows)},
    }  # fmt: skip


def table_csv(rows: Iterable[PlayerRow]) -> bytes:
    """Returns the table as CSV, with its texts escaped for spreadsheet programs."""
    return csv_table(COLUMNS, (row.cells() for row in rows))


def export_json(event: OpenEvent) -> dict[str, Any]:
    """Returns an event with all players, all versions of their deck lists and all notes, without links and secrets.

    `log` has the changes of the rounds, in which players are given by their `id`.
    """
    players = [{"id": player.id, **player_json(event, player)} for player in event.store.players(event)]
    acts = event.store.acts(event)
    gone = undone(acts)
    log = [{**asdict(act), "undone": act.id in gone} for act in acts]
    return {"schema": "carddb.event-export/1", "event": event_json(event), "players": players, "log": log}


def export_archive(event: OpenEvent) -> bytes:
    """Returns a ZIP archive: `event.json`, `table.csv`, and the latest deck list of each player under `decks/`."""
    rows = table(event)
    texts = {row.player.name: row.entry.text for row in rows if row.entry}
    files = {"event.json": json_bytes(export_json(event)), "table.csv": table_csv(rows)}
    files |= {f"decks/{stem}.deck": text.encode() for stem, text in zip(file_stems(texts), texts.values(), strict=True)}
    return zip_files(files)


def player_json(event: OpenEvent, player: Player) -> dict[str, Any]:
    """Returns a player with every version of their deck list and every note on them, the latest last."""
    return {
        "name": player.name, "registered_at": player.registered_at.isoformat(), "locked": player.locked,
        "versions": [
            {
                "version": entry.version, "recorded_at": entry.recorded_at.isoformat(),
                "recorded_by": entry.recorded_by.value, "text": entry.text, "deck": entry.verdict.deck,
                "fingerprint": entry.verdict.fingerprint, "verdict": entry.verdict.verdict,
                "reason": entry.verdict.reason, "counts": dict(entry.verdict.counts),
                "findings": [dict(f) for f in entry.verdict.findings], "since": entry.since.isoformat(),
                "checked_at": entry.checked_at.isoformat(), "objection": entry.objection,
            }
            for entry in reversed(event.store.versions(player))
        ],
        "notes": [note_json(note) for note in event.store.notes(event).get(player.id, [])],
    }  # fmt: skip


def print_event_lists(
    event: OpenEvent, paper: str, only_illegal: bool = False, address: str = "", player: Player | None = None
) -> PrintedFile:
    """Returns the deck lists of all players of an event, or of one `player`, in one PDF, sorted by player.

    With `only_illegal`, the PDF has only the illegal lists. Before the lists of all players are printed, they are
    checked again if any is out of date, so that paper and table agree. Each list has a QR code with `address`, the page
    that finds a deck, and the fingerprint. Raises InputError if there is no list.
    """
    rows = [row for row in table(event) if player in (None, row.player)]
    if player is None and any(row.is_outdated for row in rows):
        recheck(event)
    by_name = sorted((row for row in rows if row.entry), key=lambda row: row.player.name)
    if not by_name:
        raise InputError("there is no deck list yet", "Wait until a player submits one.")
    with event_checks(event) as checks:
        reports = Reports(_report(checks, row) for row in by_name)
    return deck_list_book(event.project, reports, "pdf", paper, only_illegal, address)


def _report(checks: EventChecks, row: PlayerRow) -> Report:
    """Returns the report of a player's deck, checked now, with player, event and day in the headers of the deck."""
    assert row.entry is not None
    report = checks.report(row.entry.text)
    headers = {
        **report.deck.headers, "player": row.player.name, "event": row.event.name,
        "date": row.event.terms.day.isoformat(),
    }  # fmt: skip
    return replace(report, deck=replace(report.deck, headers=headers))
