"""History: nothing is forgotten, and every day can be asked for."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.catalog.store import Catalog
from tests.catalog.samples import NOW, SPEC, load, new_catalog, opened, row

LATER = date(2026, 7, 1)
DAYS = [date(2026, 1, day) for day in range(1, 6)]
REFS = ["A", "B", "C"]


def test_history(tmp_path: Path) -> None:
    """A card's history says from when, recorded when, by whom, from where, and what changed."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann", war=3))) as catalog:
        moment = datetime(2026, 6, 2, 1, 0, 0, 999, tzinfo=timezone(timedelta(hours=2)))
        load(catalog, [row("A", "Ann", war=4)], LATER, author="Bob", source="d.csv", recorded_at=moment)
        first, second = catalog.history("test", "A")
        assert (first.kind, first.in_force_from, first.changes, first.recorded_at) == ("added", None, {}, NOW)
        assert (second.kind, second.in_force_from, second.changes) == ("changed", LATER, {"war": (3, 4)})
        assert (second.author, second.source) == ("Bob", "d.csv")
        assert second.recorded_at == datetime(2026, 6, 1, 23, 0, 0, tzinfo=UTC)
        assert (first.values["war"], second.values["war"]) == (3, 4)


def test_history_as_json(tmp_path: Path) -> None:
    """A revision tells itself as JSON."""
    with opened(new_catalog(tmp_path / "c.db", row("A", "Ann"))) as catalog:
        load(catalog, [row("A", "Anna")], LATER)
        first, second = (revision.to_json() for revision in catalog.history("test", "A"))
    assert first["in_force_from"] is None and first["recorded_at"] == "2026-06-01T12:00:00Z"
    assert second["in_force_from"] == "2026-07-01" and second["changes"] == {"name": ["Ann", "Anna"]}
    assert second["values"] == {"name": "Anna", "type": "unit", "set": "base"}


class Naive:
    """The catalogue as a list of what was said, asked by going through all of it."""

    def __init__(self) -> None:
        self.said: list[tuple[str, date, dict[str, Any] | None]] = []

    def state(self, ref: str, day: date) -> dict[str, Any] | None:
        """The values on a day: of the greatest day up to it, what was said last."""
        best = date.min
        values = None
        for said, from_day, said_values in self.said:
            if said == ref and best <= from_day <= day:
                best, values = from_day, said_values
        return values

    def load(self, rows: dict[str, dict[str, Any]], day: date, prune: bool) -> None:
        known = {ref for ref, _, _ in self.said}
        for ref, values in rows.items():
            if ref not in known:
                self.said.append((ref, date.min, values))
            elif self.state(ref, day) != values:
                self.said.append((ref, day, values))
        for ref in sorted(known - set(rows)):
            if prune and self.state(ref, day) is not None:
                self.said.append((ref, day, None))

    def names(self, ref: str, day: date) -> set[str]:
        """Every name up to a day."""
        return {values["name"] for said, start, values in self.said if said == ref and start <= day and values}


ROWS = st.dictionaries(st.sampled_from(REFS), st.sampled_from(["Ann", "Bea", "Cy"]), max_size=3)
LOADS = st.lists(st.tuples(ROWS, st.sampled_from(DAYS), st.booleans()), max_size=8)


def agree(path: Path, loads: list[tuple[dict[str, str], date, bool]]) -> None:
    """Loads into both, and compares every day."""
    naive = Naive()
    with Catalog.create(path) as catalog:
        for cards, day, prune in loads:
            rows = [row(ref, name) for ref, name in cards.items()]
            load(catalog, rows, day, prune=prune)
            naive.load({each.ref: each.values for each in rows}, day, prune)
        for day in (date(2020, 1, 1), *DAYS, date(2030, 1, 1)):
            pool = catalog.pool(SPEC, day=day)
            for ref in REFS:
                card, values = pool.get(ref), naive.state(ref, day)
                assert catalog.card(SPEC, ref, day=day) == card
                assert (card is None) == (values is None)
                if card and values:
                    assert values.items() <= card.values.items()
                    assert set(card.aliases) == naive.names(ref, day) - {card.name}
        assert sum(len(catalog.history("test", ref)) for ref in REFS) == len(naive.said)


@given(LOADS)
def test_state_on_a_day(tmp_path_factory: pytest.TempPathFactory, loads: list[Any]) -> None:
    """After any loads for any days, in any order, the state of every day is that of a naive model."""
    agree(tmp_path_factory.mktemp("c") / "c.db", loads)


@pytest.mark.full
@settings(max_examples=1000)
@given(LOADS)
def test_state_on_a_day_full(tmp_path_factory: pytest.TempPathFactory, loads: list[Any]) -> None:
    """The same, many times over."""
    agree(tmp_path_factory.mktemp("c") / "c.db", loads)
