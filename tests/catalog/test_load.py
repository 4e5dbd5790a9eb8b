"""Loading: by reference, all of it or nothing, and never twice."""

from __future__ import annotations

import os
import signal
from datetime import date
from pathlib import Path

import pytest

from carddb.cards.cards import ReadCard
from carddb.cards.changes import differences
from carddb.catalog.search import LoadResult
from carddb.catalog.store import Catalog
from carddb.core.errors import CatalogError
from carddb.findings import Place, Severity
from tests.catalog.samples import DAY, SPEC, load, new_catalog, opened, row, rows_of
from tests.catalog.test_connection import run

LATER = date(2026, 7, 1)
LATEST = date(2026, 8, 1)


def refs(result: LoadResult) -> dict[str, list[str]]:
    """What a load did, by kind, without the empty ones."""
    kinds = {
        kind: [change.ref for change in getattr(result, kind)] for kind in ("added", "changed", "restored", "retired")
    }
    return {kind: refs for kind, refs in {**kinds, "unchanged": list(result.unchanged)}.items() if refs}


def names(catalog: Catalog, day: date) -> dict[str, str]:
    return {card.ref: card.name for card in catalog.pool(SPEC, day=day)}


def test_added_are_always_in_force(tmp_path: Path) -> None:
    """A new card is in force on every day, the days before it was loaded among them."""
    with Catalog.create(tmp_path / "c.db") as catalog:
        assert refs(load(catalog, [row("B"), row("A")])) == {"added": ["B", "A"]}
        for day in (date.min, DAY, date.max):
            assert list(names(catalog, day)) == ["A", "B"]


def test_changes_have_a_day(tmp_path: Path) -> None:
    """A change is told field by field with old and new value, and counts from its day on."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann", war=3, text="x"))) as catalog:
        result = load(catalog, [row("A", "Anna", war=4, pull=False)], LATER)
        (change,) = result.changed
        assert change.fields == {"name": ("Ann", "Anna"), "war": (3, 4), "pull": (None, False), "text": ("x", None)}
        assert (change.name, change.until) == ("Anna", None)
        assert names(catalog, DAY) == {"A": "Ann"} and names(catalog, LATER) == {"A": "Anna"}


def test_true_is_not_one() -> None:
    """Values that Python holds equal and a file does not are told apart."""
    assert differences({"a": 1, "b": 1, "c": 2}, {"a": True, "b": 1.0, "c": 2}) == {"a": (1, True), "b": (1, 1.0)}


def test_the_same_writes_nothing(tmp_path: Path) -> None:
    """Rows as they stand in the catalogue leave not even a revision."""
    path = new_catalog(tmp_path / "c.db", row("A"), row("B"))
    before = path.read_bytes()
    with opened(path) as catalog:
        assert refs(load(catalog, [row("B"), row("A", text=None)], LATER)) == {"unchanged": ["B", "A"]}
        assert refs(load(catalog, [], LATER)) == {}
    assert path.read_bytes() == before


def test_what_is_not_in_the_file_stays(tmp_path: Path) -> None:
    """Without prune nothing is removed."""
    with opened(new_catalog(tmp_path / "c.db", row("A"), row("B"))) as catalog:
        load(catalog, [row("B", "Bea")])
        assert names(catalog, DAY) == {"A": "Card A", "B": "Bea"}


def test_prune_retires(tmp_path: Path) -> None:
    """Prune retires, from the day on, the cards of the file's sets that it lacks, in natural order."""
    path = new_catalog(tmp_path / "c.db", row("A-10"), row("A-9"), row("B"), row("C", set="other"))
    with opened(path) as catalog:
        assert refs(load(catalog, [row("B")], LATER, prune=True)) == {"retired": ["A-9", "A-10"], "unchanged": ["B"]}
        assert list(names(catalog, LATER)) == ["B", "C"] and len(names(catalog, DAY)) == 4
        assert catalog.card(SPEC, "A-9", day=LATER) is None
        assert refs(load(catalog, [row("B")], LATER, prune=True)) == {"unchanged": ["B"]}


def test_loading_restores(tmp_path: Path) -> None:
    """A retired card that is loaded again is in force again from that day, changed or not."""
    with opened(new_catalog(tmp_path / "c.db", row("A"), row("B"))) as catalog:
        load(catalog, [row("B")], LATER, prune=True)
        result = load(catalog, [row("A", "Anna")], LATEST)
        assert refs(result) == {"restored": ["A"]} and result.restored[0].fields == {"name": ("Card A", "Anna")}
        assert "A" not in names(catalog, LATER) and names(catalog, LATEST)["A"] == "Anna"
        assert [revision.kind for revision in catalog.history("test", "A")] == ["added", "retired", "restored"]


def test_sets_may_change(tmp_path: Path) -> None:
    """A card may move to another set; prune does not take it for missing in the old one."""
    with opened(new_catalog(tmp_path / "c.db", row("A"), row("B"))) as catalog:
        result = load(catalog, [row("A", set="new"), row("B")], LATER, sets={"base", "new"}, prune=True)
        assert refs(result) == {"changed": ["A"], "unchanged": ["B"]}
        assert result.changed[0].fields == {"set": ("base", "new")}
        assert catalog.sets("test", day=LATER) == {"base": 1, "new": 1} and catalog.sets("test", day=DAY) == {"base": 2}


def test_backdated_change(tmp_path: Path) -> None:
    """A change for an earlier day counts until the later one that is recorded already, and says so."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann"))) as catalog:
        load(catalog, [row("A", "Anna")], LATEST)
        (change,) = load(catalog, [row("A", "Annie")], LATER).changed
        assert change.until == LATEST and change.fields == {"name": ("Ann", "Annie")}
        assert [names(catalog, day)["A"] for day in (DAY, LATER, LATEST)] == ["Ann", "Annie", "Anna"]
        assert [revision.in_force_from for revision in catalog.history("test", "A")] == [None, LATER, LATEST]


def test_last_recorded_wins(tmp_path: Path) -> None:
    """Of two changes for one day the one recorded last counts."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann"))) as catalog:
        load(catalog, [row("A", "Anna")], LATER)
        load(catalog, [row("A", "Annie")], LATER)
        assert names(catalog, LATER) == {"A": "Annie"}


def test_dry_run(tmp_path: Path) -> None:
    """A dry run tells what would happen, needs no lock and writes nothing."""
    path = new_catalog(tmp_path / "c.db", row("A"), row("B"))
    with opened(path) as writer:
        load(writer, [row("X")])
        with opened(path) as catalog:
            result = load(catalog, [row("A", "Anna"), row("C")], prune=True, dry_run=True)
            assert refs(result) == {"added": ["C"], "changed": ["A"], "retired": ["B"]}
            assert names(catalog, DAY) == {"A": "Card A", "B": "Card B"}
    assert rows_of(path, "SELECT ref FROM card") == [("A",), ("B",), ("X",)]


def test_faulty_rows(tmp_path: Path) -> None:
    """Faulty rows are findings with their places, all of them at once, and nothing of the file is written."""
    rows = [
        row("A"),
        row("", line=4),
        row("B", "\n", line=5),
        ReadCard("C", {"type": "unit", "set": "base"}, Place()),
        row("D", war=float("nan"), line=7),
        row("E", type=3, line=8),
    ]
    with Catalog.create(tmp_path / "c.db") as catalog:
        result = load(catalog, rows)
        assert result.refused and refs(result) == {} and len(names(catalog, DAY)) == 0
    places = [(finding.code, finding.where[0].line, finding.severity) for finding in result.findings]
    assert places == [("record_invalid", line, Severity.ERROR) for line in (4, 5, 0, 7, 8)]
    assert all(finding.fix for finding in result.findings)
    assert [finding.message for finding in result.findings][2] == "C has no name"


def test_a_file_that_fails(tmp_path: Path) -> None:
    """A row that the database refuses takes its whole file back, and leaves the file before it alone."""
    path = new_catalog(tmp_path / "c.db", row("A"))
    rows_of(
        path, "CREATE TRIGGER no BEFORE INSERT ON revision WHEN NEW.card_id = 4 BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    with opened(path) as catalog:
        load(catalog, [row("B")])
        with pytest.raises(CatalogError):
            load(catalog, [row("C"), row("D"), row("E")])
        assert list(names(catalog, DAY)) == ["A", "B"]
    assert rows_of(path, "SELECT rowid FROM card_words WHERE card_words MATCH 'card'") == [(1,), (2,)]


def test_a_command_that_fails(tmp_path: Path) -> None:
    """An exception takes back everything that was loaded in the block."""
    path = new_catalog(tmp_path / "c.db", row("A"))
    with pytest.raises(KeyError), opened(path) as catalog:
        load(catalog, [row("B")])
        raise KeyError
    with opened(path) as catalog:
        assert list(names(catalog, DAY)) == ["A"]


@pytest.mark.full
def test_killed(tmp_path: Path) -> None:
    """A program killed before the end leaves the catalogue as it was."""
    path = new_catalog(tmp_path / "c.db", row("A"))
    script = """
import os, signal, sys
from pathlib import Path
from tests.catalog.samples import *
with opened(Path(sys.argv[1])) as catalog:
    print(load(catalog, [row(f"B-{n}", "x" * 1000) for n in range(5000)] + [row("A", "Anna")]).changed[0].name)
    sys.stdout.flush()
    os.kill(os.getpid(), signal.SIGKILL)
"""
    result = run(script, path)
    assert (result.stdout, result.returncode) == ("Anna\n", -signal.SIGKILL)
    with opened(path) as catalog:
        assert names(catalog, DAY) == {"A": "Card A"}
        assert refs(load(catalog, [row("B")])) == {"added": ["B"]}


def test_strange_source(tmp_path: Path) -> None:
    """A file name that is no text is written as well as it can be."""
    source = os.fsdecode(b"caf\xe9.csv")
    with Catalog.create(tmp_path / "c.db") as catalog:
        load(catalog, [row("A")], source=source)
        assert catalog.history("test", "A")[0].source == "caf?.csv"


def test_as_json(tmp_path: Path) -> None:
    """A result tells itself as JSON."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann"), row("B"))) as catalog:
        load(catalog, [row("A", "Anna")], LATEST)
        out = load(catalog, [row("A", "Annie"), row("B")], LATER).to_json()
    change = {"ref": "A", "name": "Annie", "fields": {"name": ["Ann", "Annie"]}, "until": "2026-08-01"}
    empty: dict[str, list[object]] = {"added": [], "restored": [], "retired": [], "findings": []}
    assert out == {**empty, "changed": [change], "unchanged": ["B"]}
