"""The table of an event: a row a player with deck, verdict, first reason, fingerprint; filtered, searched, sorted."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from carddb.app.events.checks import outdated
from carddb.app.events.gate import is_open
from carddb.app.events.rows import COLUMNS, STATES, Row
from carddb.app.events.tournament import event_json
from carddb.app.workspace.clock import now
from carddb.app.workspace.workspace import Workspace
from carddb.core.amounts import amount
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean, strip_accents
from carddb.events.records import Event
from carddb.events.store import Events
from carddb.read.tables.formula_text import csv_table

SORTS = ("verdict", "player", "deck", "reason", "fingerprint", "since")
_HEX = re.compile(r"[0-9a-f]{5,}")


def table(project: Workspace, events: Events, event: Event) -> list[Row]:
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
    return f"{amount(len(rows), 'player')}: {', '.join(parts) or 'none'}."


def table_json(event: Event, rows: Sequence[Row]) -> dict[str, Any]:
    """The shape of `event show --json`."""
    return {
        "schema": "carddb.event/1", "event": event_json(event), "players": [row.to_json() for row in rows],
        "summary": {"players": len(rows), **tally(rows)},
    }  # fmt: skip


def table_csv(rows: Iterable[Row]) -> bytes:
    """The table as CSV, its texts escaped for spreadsheet programs."""
    return csv_table(COLUMNS, (row.cells() for row in rows))
