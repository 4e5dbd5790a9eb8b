"""The same input gives the same bytes, on whatever day it is asked."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from carddb.app.workspace import clock
from tests.conftest import Told
from tests.rows import usually

pytestmark = [pytest.mark.door, pytest.mark.usefixtures("anew")]

Call = Callable[..., Told]


@pytest.fixture(autouse=True)
def no_epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files name the day that they speak of."""
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


class Tomorrow(date):
    """A calendar that is years ahead."""

    @classmethod
    def today(cls) -> Tomorrow:
        return cls(2031, 7, 8)


@usually(
    "command",
    [
        ("guide", "guarda", "-o"),
        ("guide", "guarda", "--on", "2026-06-20", "-o"),
        ("printer", "calibrate", "-o"),
        ("export", "--game", "rishar", "--on", "2026-06-20", "-o"),
        ("components", "guarda", "--on", "2026-06-20", "-o"),
    ],
    ("components", "guarda", "--on", "2026-06-20", "-o"),
    ids=" ".join,
)
def test_no_day_but_the_one_that_was_asked_for(
    command: tuple[str, ...], call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rule sheets, the page of scales, XLSX exports and components are the same today and years later."""
    ending = "xlsx" if command[0] == "export" else "pdf"
    call(*command, f"now.{ending}")
    monkeypatch.setattr(clock, "date", Tomorrow)
    monkeypatch.setattr(time, "time", lambda: 1_900_000_000.0)
    call(*command, f"later.{ending}")
    now, later = Path(f"now.{ending}").read_bytes(), Path(f"later.{ending}").read_bytes()
    assert now and now == later


@pytest.mark.full
def test_a_day_that_was_asked_for_is_named(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule sheet names the day of --on; SOURCE_DATE_EPOCH names another moment in every file."""
    call("guide", "guarda", "--on", "2026-06-20", "-o", "day.pdf")
    assert b"D:20260620000000" in Path("day.pdf").read_bytes()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    call("guide", "guarda", "--on", "2026-06-20", "-o", "epoch.pdf")
    assert b"D:19700102000000" in Path("epoch.pdf").read_bytes()


def test_a_part_that_another_process_does_names_the_moment_of_who_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """SOURCE_DATE_EPOCH goes with the day to the workers of a cluster, and theirs is not looked at."""
    plain = clock.moment()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    asked = clock.moment()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "7")
    with clock.standing_at(asked):
        assert clock.creation(None) == clock.creation(date(2026, 6, 20)) == 86_400
        assert clock.moment() == asked
    with clock.standing_at(plain):
        assert clock.creation(date(1980, 1, 2)) - clock.creation(None) == 86_400
