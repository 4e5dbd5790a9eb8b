"""Ban lists from files."""

from __future__ import annotations

from pathlib import Path

import pytest

from carddb.bans.lint import KnownCards, lint
from carddb.bans.log import (
    GroupSpec,
    LevelSpec,
    ListSpec,
    Window,
    announcement_of,
    log_of,
    parts_of,
    plain_announcement,
)
from carddb.findings import Severity
from carddb.game.parts import FieldSpec
from carddb.read.documents.bans import ReadBans, read_bans
from tests.bans.samples import NEW_YORK, card, group

FILE = """\
lists:
  long: {title: War, zone: America/New_York, format: war}
levels:
  1: {max_copies: 2, status: proposal}
  2: {max_copies: null, status: unknown}
groups:
  riders: {members: [A, B], at_most: 3}
window: [2, 20]
announcements:
- id: a
  made: 2026-06-01T18:00:00+02:00
  effective: 2026-06-10
  source: https://example.org/1
  changes:
  - {list: long, card: A, from: 0, to: 2, why: "Ärger: zu stark"}
  - {list: long, group: riders, from: off, to: on}
- {id: w, made: "2026-06-03T00:00:00Z", effective: 2026-06-09, kind: withdrawal, target: a}
"""


def read(folder: Path, text: str) -> ReadBans:
    path = folder / "bans.yaml"
    path.write_text(text, "utf-8")
    return read_bans(path)


def test_a_whole_file(tmp_path: Path) -> None:
    """Lists, levels, groups, window and announcements are read, moments in UTC."""
    found = read(tmp_path, FILE)
    assert found.findings == []
    assert found.log.lists == {"long": ListSpec("long", "War", NEW_YORK, "war")}
    assert found.log.levels == {1: LevelSpec(1, 2, "proposal"), 2: LevelSpec(2, None, "unknown")}
    assert found.log.groups == {"riders": GroupSpec("riders", ("A", "B"), at_most=3)}
    assert found.log.window == Window(2, 20)
    first, second = found.log.announcements
    assert first.made.isoformat() == "2026-06-01T16:00:00+00:00"
    assert first.changes == (card("A", 0, 2, why="Ärger: zu stark"), group("riders", 0, 1))
    assert (second.kind, second.target, second.changes) == ("withdrawal", "a", ())
    assert found.places[("a", 1)].line == 16 and found.places[("w",)].line == 17


def test_plain_data_and_back(tmp_path: Path) -> None:
    """What a log gives as plain data gives the same log again."""
    log = read(tmp_path, FILE).log
    told = tuple(announcement_of(plain_announcement(each)) for each in log.announcements)
    assert log_of(parts_of(log), told) == log


def test_a_single_announcement(tmp_path: Path) -> None:
    """A file may hold one announcement and nothing else."""
    found = read(tmp_path, "id: w\nmade: 2026-06-03T00:00:00Z\neffective: 2026-06-09\nkind: withdrawal\ntarget: a\n")
    assert [each.id for each in found.log.announcements] == ["w"] and not found.log.lists
    faulty = read(tmp_path, "id: w\nmade: yesterday\neffective: 2026-06-09\nkind: withdrawal\ntarget: a\n")
    assert [(f.code, f.where[0].line) for f in faulty.findings] == [("document_invalid", 2)]


def test_switches_as_other_programs_write_them(tmp_path: Path) -> None:
    """A group's off and on may stand as false and true."""
    found = read(tmp_path, FILE.replace("from: off, to: on", "from: false, to: true"))
    assert found.log.announcements[0].changes[1] == group("riders", 0, 1)


def test_an_id_that_stands_twice(tmp_path: Path) -> None:
    """Both lines of a repeated id are named."""
    found = read(tmp_path, FILE.replace("id: w", "id: a"))
    assert [(f.code, [place.line for place in f.where]) for f in found.findings] == [("ban_duplicate", [17, 10])]
    assert [each.kind for each in found.log.announcements] == ["change"]


def test_a_file_out_of_order(tmp_path: Path) -> None:
    """Announcements are put in the order in which they were made, and a warning says so."""
    found = read(tmp_path, FILE.replace("2026-06-03T", "2026-05-03T"))
    assert [each.id for each in found.log.announcements] == ["w", "a"]
    assert [(f.code, f.severity, f.where[0].line) for f in found.findings] == [("ban_order", Severity.WARNING, 17)]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("America/New_York", "Mars/Olympus", 2, "not a time zone"),
        ("zone: America/New_York", "zone: ../../etc/passwd", 2, "not a time zone"),
        ("at_most: 3", "at_most: 3, anchor: A", 7, "only one of"),
        ("[2, 20]", "[20, 2]", 1, "fewest"),
        ("max_copies: null, status: unknown", "max_copies: null, status: official", 5, "unknown"),
        ("18:00:00+02:00", "18:00:00", 11, "time zone"),
        ("2026-06-10", "2026-02-30", 12, "effective"),
        ("2026-06-10", "9999-12-31", 12, "not in a year"),
        ("2026-06-01T", "9999-12-30T", 11, "not a date with a time"),
        ("from: off", "from: 0", 16, "off to on"),
        ("card: A, from", "from", 15, "a card, a group, or both"),
        ("kind: withdrawal, target: a", "kind: withdrawal", 17, "target"),
        ("kind: withdrawal, target: a", "kind: correction, target: a", 17, "changes"),
        ("id: w", "id: 'w/../x'", 17, "pattern"),
        ("from: 0, to: 2", "from: 0, to: 2.5", 15, ""),
        ("why:", "reason:", 15, "not known here"),
    ],
)
def test_faults_are_named_with_their_line(tmp_path: Path, old: str, new: str, line: int, said: str) -> None:
    """A value that cannot be is a finding at its line."""
    findings = read(tmp_path, FILE.replace(old, new)).findings
    assert findings and all(finding.severity is Severity.ERROR for finding in findings)
    assert findings[0].where[0].line == line
    assert any(said in finding.message for finding in findings), findings


WIDE = """\
lists:
  long: {title: War, zone: UTC, format: war, budget: 7, surcharge_of: gold}
levels:
  1: {points: 3, status: official}
  2: {surcharge: 2, status: official}
  3: {at_most_different: 1, status: official}
  4: {exempt: true, status: official}
  5: {max_copies: 0, status: official}
groups:
  old: {set: First "Light", max_copies: 0}
  red: {query: "color:red", members: [A]}
announcements:
- id: beginning
  effective: 2020-01-01
  changes:
  - {list: long, card: A, from: 0, to: 1}
  - {list: long, group: red, from: off, to: on}
- id: joins
  effective: 2021-01-01
  changes:
  - {list: long, group: red, card: B, from: off, to: on}
- id: whole
  effective: 2022-01-01
  replaces:
    long: {cards: {A: 5, C: 3}, groups: [old]}
"""


def test_levels_with_prices_and_lists_with_budgets(tmp_path: Path) -> None:
    """A level may say points, a surcharge, how many different cards, or that a card is exempt; a list has a budget."""
    found = read(tmp_path, WIDE)
    assert found.findings == []
    assert (found.log.lists["long"].budget, found.log.lists["long"].surcharge_of) == (7, "gold")
    prices = [(each.points, each.surcharge, each.at_most_different, each.exempt) for each in found.log.levels.values()]
    assert prices[:3] == [(3, 0, None, False), (0, 2, None, False), (0, 0, 1, False)]
    assert prices[3:] == [(0, 0, None, True), (0, 0, None, False)]


def test_groups_by_query_and_by_set(tmp_path: Path) -> None:
    """A set is a query for that very set, whatever signs are in its name."""
    groups = read(tmp_path, WIDE).log.groups
    assert groups["old"].query == 'set:"First \\"Light\\""' and groups["old"].max_copies == 0
    assert groups["red"].query == "color:red" and groups["red"].members == ("A",)


def test_a_moment_that_nobody_knows(tmp_path: Path) -> None:
    """An announcement without `made` counts from its day on, whatever the notice, and is written without it again."""
    log = read(tmp_path, WIDE).log
    assert not any(each.made_known for each in log.announcements) and lint(log) == []
    assert "made" not in plain_announcement(log.announcements[0])


def test_a_list_that_is_replaced(tmp_path: Path) -> None:
    """A list that is replaced as a whole is one announcement; its changes follow from what the list was."""
    log = read(tmp_path, WIDE).log
    changes = {(each.card, each.group): (each.before, each.after) for each in log.announcements[2].changes}
    assert changes == {("A", ""): (1, 5), ("C", ""): (0, 3), ("", "old"): (0, 1), ("", "red"): (1, 0)}
    told = tuple(announcement_of(plain_announcement(each)) for each in log.announcements)
    assert log_of(parts_of(log), told) == log


def test_a_query_that_cannot_be_read(tmp_path: Path) -> None:
    """The query of a group is read when the file is loaded; one that the game does not understand is a finding."""
    found = read(tmp_path, WIDE)
    fields = {"color": FieldSpec(type="text"), "set": FieldSpec(type="choice")}
    assert lint(found.log, KnownCards(fields=fields)) == []
    (fault,) = lint(found.log, KnownCards(fields={"set": FieldSpec(type="choice")}, places=found.places))
    assert fault.code == "ban_query_invalid" and fault.where[0].line == 11 and "color" in fault.message
