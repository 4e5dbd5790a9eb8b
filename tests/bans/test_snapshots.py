"""Whole lists of another database, a file for each day, as announcements of one list."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

from carddb.bans.state import state
from carddb.read.documents.bans import read_bans

HEAD = """\
lists: {standard: {title: Standard, zone: UTC, budget: 7}}
levels:
  1: {max_copies: 0, status: official}
  2: {at_most_different: 1, status: official}
  3: {points: 3, status: official}
snapshots:
  files: lists/*.json
  list: format_id
  effective: date_start
  levels: {banned: 1, restricted: 2, points.3: 3}
"""


def _written(folder: Path, *snapshots: dict[str, object]) -> Path:
    (folder / "lists").mkdir(exist_ok=True)
    for number, snapshot in enumerate(snapshots):
        (folder / "lists" / f"{number}.json").write_text(json.dumps(snapshot), "utf-8")
    (folder / "bans.yaml").write_text(HEAD, "utf-8")
    return folder / "bans.yaml"


def _snapshot(number: int, day: str, **lists: object) -> dict[str, object]:
    return {"id": f"s-{number}", "format_id": "standard", "date_start": day, **lists}


def test_each_snapshot_replaces_the_list_from_its_day_on(tmp_path: Path) -> None:
    """Forty files, in any order, are forty announcements; the list of a day is that of the last one before it."""
    many = [_snapshot(n, f"20{40 - n:02}-01-01", banned=[f"c{n}"], restricted=["r", f"c{n}"]) for n in range(40)]
    read = read_bans(_written(tmp_path, *many, {**_snapshot(50, "2030-01-01"), "format_id": "other"}))
    assert read.findings == [] and len(read.log.announcements) == 40
    on = state(read.log, "standard", date(2020, 6, 1)).cards
    assert {ref: standing.level for ref, standing in on.items() if standing.level} == {"c20": 1, "r": 2}


def test_keys_with_dots_lead_into_objects(tmp_path: Path) -> None:
    """Cards that cost points stand under the number of points."""
    read = read_bans(_written(tmp_path, _snapshot(1, "2020-01-01", points={"3": ["a"], "1": ["b"]})))
    assert {ref: each.level for ref, each in state(read.log, "standard", date(2020, 6, 1)).cards.items()} == {"a": 3}


def test_faults_are_told_in_their_own_file(tmp_path: Path) -> None:
    """A snapshot without a day, or no file at all, is a finding with its place."""
    read = read_bans(_written(tmp_path, {"id": "s-1", "format_id": "standard", "banned": []}))
    assert read.findings and read.findings[0].where[0].file.endswith("0.json")
    (tmp_path / "lists" / "0.json").unlink()
    (found,) = read_bans(tmp_path / "bans.yaml").findings
    assert "matches lists/*.json" in found.message and found.where[0].line
