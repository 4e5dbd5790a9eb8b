"""A small game, its rows, and a catalogue to load them into."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from carddb.cards.cards import ReadCard
from carddb.cards.query import parse
from carddb.catalog.search import LoadResult
from carddb.catalog.store import Catalog
from carddb.findings import Place
from carddb.game.game import GameSpec
from carddb.game.parts import FieldSpec, TypeSpec

SPEC = GameSpec(
    key="test",
    prefix="t",
    name="Test",
    fields={"text": FieldSpec(), "war": FieldSpec(type="integer")},
    types={"unit": TypeSpec(fields={"pull": FieldSpec(type="boolean", default=True)}), "place": TypeSpec()},
)
DAY = date(2026, 6, 1)
NOW = datetime(2026, 6, 1, 12, 0, 0, tzinfo=UTC)
OLDER = Path(__file__).parent / "older"
"""By version of the schema what it changed in the one before."""


def row(ref: str, name: str = "", line: int = 0, **values: Any) -> ReadCard:
    """A row with the least that a card has."""
    return ReadCard(ref, {"name": name or f"Card {ref}", "type": "unit", "set": "base", **values}, Place("c.csv", line))


def load(catalog: Catalog, rows: Iterable[ReadCard], day: date = DAY, **options: Any) -> LoadResult:
    """Loads rows of the set `base` in the name of Ann."""
    given: dict[str, Any] = {"sets": {"base"}, "author": "Ann", "source": "c.csv", "recorded_at": NOW}
    return catalog.load(SPEC, rows, day=day, **{**given, **options})


def new_catalog(path: Path, *rows: ReadCard) -> Path:
    """A catalogue of these rows."""
    with Catalog.create(path) as catalog:
        load(catalog, rows)
    return path


def older(path: Path, version: int) -> Path:
    """An empty catalogue as an older program made it, of this version of the schema."""
    with closing(sqlite3.connect(path)) as connection:
        for number in range(1, version + 1):
            connection.executescript((OLDER / f"{number}.sql").read_text("utf-8"))
    return path


def opened(path: Path, **options: Any) -> Catalog:
    """A catalogue that is there, without waiting for anybody."""
    return Catalog.open(path, must_exist=True, timeout=0, **options)


def rows_of(path: Path, statement: str) -> list[tuple[Any, ...]]:
    """What the bare database answers."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        return connection.execute(statement).fetchall()


def refs_of(catalog: Catalog, query: str, day: date = DAY, **options: Any) -> list[str]:
    """The references that a query finds."""
    return [card.ref for card in catalog.search(SPEC, parse(query, SPEC.all_fields()), day=day, **options)]
