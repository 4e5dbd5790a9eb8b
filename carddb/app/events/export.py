"""An event as files: everything as JSON, each latest deck list as text, and the table as CSV, in one archive."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from carddb.app.events.table import table, table_csv
from carddb.app.events.tournament import event_json
from carddb.app.workspace.workspace import Workspace
from carddb.core.names import file_stems
from carddb.core.plain_text import json_bytes
from carddb.events.records import Entry, Event, Player
from carddb.events.store import Events

_DATE = (1980, 1, 1, 0, 0, 0)
"""The same event gives the same bytes."""


def export_json(events: Events, event: Event) -> dict[str, Any]:
    """An event with every player and every version of his deck list; neither links nor the secret are in it."""
    players = [player_json(player, events.versions(player)) for player in events.players(event)]
    return {"schema": "carddb.event-export/1", "event": event_json(event), "players": players}


def export_archive(project: Workspace, events: Events, event: Event) -> bytes:
    """A ZIP archive: `event.json`, `table.csv`, and the latest deck list of each player under `decks/`."""
    rows = [row for row in table(project, events, event) if row.entry]
    stems = file_stems(row.player.name for row in rows)
    files = {
        "event.json": json_bytes(export_json(events, event)),
        "table.csv": table_csv(table(project, events, event)),
    }
    files |= {f"decks/{stem}.deck": row.entry.text.encode() for stem, row in zip(stems, rows, strict=True) if row.entry}
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for name, data in files.items():
            target.writestr(zipfile.ZipInfo(name, _DATE), data, zipfile.ZIP_DEFLATED)
    return archive.getvalue()


def player_json(player: Player, versions: list[Entry]) -> dict[str, Any]:
    """A player with every version of his deck list, the latest last."""
    return {
        "name": player.name, "registered_at": player.registered_at.isoformat(), "locked": player.locked,
        "versions": [_version(entry) for entry in reversed(versions)],
    }  # fmt: skip


def _version(entry: Entry) -> dict[str, Any]:
    verdict = entry.verdict
    return {
        "version": entry.version, "recorded_at": entry.recorded_at.isoformat(), "recorded_by": entry.recorded_by.value,
        "text": entry.text, "deck": verdict.deck, "fingerprint": verdict.fingerprint, "verdict": verdict.verdict,
        "reason": verdict.reason, "counts": dict(verdict.counts), "findings": [dict(f) for f in verdict.findings],
        "since": entry.since.isoformat(), "checked_at": entry.checked_at.isoformat(), "objection": entry.objection,
    }  # fmt: skip
