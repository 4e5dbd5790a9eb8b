"""Print jobs in the catalogue."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from carddb.cards.print_history import PrintedCard, PrintJob
from carddb.catalog.store import Catalog
from carddb.core.errors import CatalogError
from tests.catalog.samples import new_catalog, opened, rows_of

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
OX, COW = PrintedCard("a", "Ox", 3, "f1", "b"), PrintedCard("b", "Cow", 1, "f2", "b")


def add(path: Path, day: int, title: str, *looks: PrintedCard, size: str = "63x88 mm") -> None:
    with opened(path) as catalog:
        catalog.add_print_job(PrintJob("g", title, size, looks), on=date(2026, 11, day), recorded_at=NOW)


def last(path: Path, title: str, day: int = 30, size: str = "63x88 mm") -> PrintJob | None:
    with opened(path) as catalog:
        return catalog.last_print_job("g", title, size, until=date(2026, 11, day))


def test_the_last_job_of_a_title_is_found(tmp_path: Path) -> None:
    """Of a title the last job counts, on an earlier day the last one until then."""
    path = new_catalog(tmp_path / "carddb.db")
    add(path, 1, "My deck", OX, COW)
    add(path, 5, "My deck", OX._replace(front="f9"))
    add(path, 6, "Another", COW)
    assert last(path, "My deck") == PrintJob("g", "My deck", "63x88 mm", (OX._replace(front="f9"),))
    assert last(path, "My  deck", 4) == PrintJob("g", "My  deck", "63x88 mm", (OX, COW))


def test_a_new_title_is_compared_with_every_job(tmp_path: Path) -> None:
    """Of a title never printed each card counts as it was printed last at that size, whatever for."""
    path = new_catalog(tmp_path / "carddb.db")
    add(path, 1, "One", OX, COW)
    add(path, 2, "Two", COW._replace(front="f7", copies=2))
    add(path, 3, "Three", OX._replace(front="f8"), size="57x89 mm")
    assert last(path, "New") == PrintJob("g", "New", "63x88 mm", (OX, COW._replace(front="f7", copies=2)), False)
    assert last(path, "New", size="1x1 mm") is None
    with opened(path) as catalog:
        assert catalog.last_print_job("other", "One", "63x88 mm") is None


def test_a_card_with_two_pictures_is_remembered_with_both(tmp_path: Path) -> None:
    """Each picture of a card has its copies in a job; for another title those of its last job count, no older ones."""
    path = new_catalog(tmp_path / "carddb.db")
    both = OX, OX._replace(front="f5", copies=1)
    add(path, 1, "My deck", *both)
    add(path, 1, "My deck", *reversed(both))
    assert last(path, "My deck") == PrintJob("g", "My deck", "63x88 mm", both)
    assert last(path, "New") == PrintJob("g", "New", "63x88 mm", both, False)
    assert rows_of(path, "SELECT count(*) FROM print_job") == [(1,)]
    add(path, 2, "Another", OX._replace(front="f6"))
    assert last(path, "New") == PrintJob("g", "New", "63x88 mm", (OX._replace(front="f6"),), False)


def test_the_same_again_takes_no_room(tmp_path: Path) -> None:
    """A job that repeats the one before it is not written twice; one that goes back to an older state is."""
    path = new_catalog(tmp_path / "carddb.db")
    add(path, 1, "My deck", COW, OX)
    add(path, 2, "My deck", OX, COW)
    assert rows_of(path, "SELECT count(*) FROM print_job") == [(1,)]
    add(path, 3, "Another", OX)
    add(path, 4, "My deck", OX, COW)
    assert rows_of(path, "SELECT count(*) FROM print_job") == [(3,)]


def test_a_locked_catalogue_is_said(tmp_path: Path) -> None:
    """While another program writes, no job is recorded and the error says why."""
    path = new_catalog(tmp_path / "carddb.db")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CatalogError, match="in use"), Catalog.open(path, must_exist=True, timeout=0) as catalog:
            catalog.add_print_job(PrintJob("g", "t", "s", (OX,)), on=date(2026, 1, 1), recorded_at=NOW)
    assert rows_of(path, "SELECT count(*) FROM print_job") == [(0,)]
