"""Many decks, checked by one process or several: the same answers, whoever gives them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from shutil import copytree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.app.decks import check_many as deck_batch
from carddb.app.decks.check import CheckRequest, Report
from carddb.app.decks.check_many import UnreadableDeck, answers_of, check_decks, check_many
from carddb.app.decks.meta import meta
from carddb.app.workspace.workspace import Notice
from carddb.core.errors import CarddbError
from carddb.core.executors import HERE, ExecutorRequest, InProcess, ProcessPool, process_count
from carddb.core.plain_text import json_bytes
from carddb.door import Project
from carddb.games import folders
from tests.app.decks.test_meta import DRAFT

TWO = ExecutorRequest(processes=2)
REQUEST = CheckRequest(on=date(2026, 12, 10))


@pytest.fixture
def club(tmp_path: Path) -> Project:
    """A folder of 79 decks: right ones, one with an unknown card, one of another game, one that cannot be read."""
    decks = tmp_path / "decks"
    copytree(folders()["cahrd"].path / "decks", decks)
    for number, path in enumerate(sorted(decks.glob("*.deck"))):
        for copy in range(18):
            (decks / f"{number}-{copy}.deck").write_bytes(path.read_bytes())
    (decks / "other.deck").write_text("Game: rishar\n\n1 Nobody\n", "utf-8")
    (decks / "mine.deck").write_text("Name: =1+1<b>\nPlayer: @Ann\nGame: cahrd\n\n1 Nobody\n", "utf-8")
    (decks / "torn.deck").write_text("Game: nobody's\n1 Card\n", "utf-8")
    (tmp_path / "draft.yaml").write_text(DRAFT, "utf-8")
    return Project(tmp_path)


@pytest.mark.full
def test_whoever_checks_the_answers_are_the_same(club: Project) -> None:
    """Rows, JSON and page of many decks are byte for byte those of their reports, from one process and from two."""
    reports = check_decks(club, club.folder / "decks", REQUEST)
    assert {report.verdict for report in reports} == {"legal", "illegal", "unreadable"}
    files = [json_bytes(reports.to_json()), reports.to_csv(), reports.to_page()]
    for executor in (HERE, TWO):
        with check_many(club, club.folder / "decks", REQUEST, ["rows", "json", "html"], executor) as decks:
            assert [*decks] == reports.rows()
            assert ["".join(decks.json()).encode(), b"".join(decks.csv()), b"".join(decks.page())] == files
            assert (decks.counts.sentence, decks.counts.exit_code) == (reports.sentence, reports.exit_code)


@pytest.mark.full
def test_a_missing_catalogue_is_made_once(club: Project) -> None:
    """Who asks makes it and is told; the processes find it."""
    told: list[Notice] = []
    project = Project(club.folder, on_notice=told.append)
    with check_many(project, club.folder / "decks", REQUEST, ["rows"], TWO) as decks:
        assert decks.counts.verdicts["legal"]
    assert [notice.code for notice in told] == ["catalogue_made"]


@pytest.mark.full
def test_a_meta_report_is_the_same(club: Project) -> None:
    """What decks say together, with what a draft would forbid of them, does not depend on who checks them."""
    one, two = (meta(club, club.folder / "decks", REQUEST, club.folder / "draft.yaml", who) for who in (HERE, TWO))
    assert one.affected and one.unread and one.files() == two.files() and one.to_json() == two.to_json()
    assert replace(one, game=two.game) == two


def killed_once(mark: Path, _: Project, reports: Iterable[Report | UnreadableDeck]) -> list[str]:
    """The verdicts of decks; the first process to be asked for them is killed."""
    try:
        mark.touch(exist_ok=False)
    except FileExistsError:
        return [report.verdict for report in reports]
    os.kill(os.getpid(), signal.SIGKILL)
    return []


@pytest.mark.skipif(sys.platform == "win32", reason="a signal is sent")
@pytest.mark.full
def test_a_lost_process_costs_its_part(club: Project) -> None:
    """Another process does the part again, and all answers come in their order."""
    decks = sorted((club.folder / "decks").glob("*.deck"))
    answer = partial(killed_once, club.folder / "mark")
    steps: list[str] = []
    answers = answers_of(club, decks, REQUEST, TWO, answer, steps.append)
    verdicts = [verdict for some in answers for verdict in some]
    assert verdicts == [report.verdict for report in check_decks(club, decks, REQUEST)]
    assert steps == [str(path) for path in decks]


class Unknown:
    """A task that no process can read."""

    def __reduce__(self) -> tuple[type[int], tuple[str]]:
        return int, ("none",)


def read(_: None, task: Unknown) -> Iterator[Unknown]:
    """Work that gives its task back."""
    yield task


def test_a_task_that_cannot_be_read_is_told(capfd: pytest.CaptureFixture[str]) -> None:
    """The processes end, and nobody waits for them for ever."""
    with pytest.raises(CarddbError, match="ended before its part of the work was done"):
        list(ProcessPool(2).map(read, None, [Unknown(), Unknown()]))
    assert "ValueError" in capfd.readouterr().err


@given(st.integers(0, 1_000_000), st.integers(1, 64))
def test_the_parts_are_all_decks(decks: int, workers: int) -> None:
    """One part begins where another ends; the first are small, none is larger than its bound or than a fair share."""
    executor = InProcess()
    executor.workers = workers
    parts = list(deck_batch._shares(decks, executor))
    ends = [at + size for at, size in parts]
    assert [at for at, _ in parts] == [0, *ends[:-1]][: len(parts)] and (ends or [0])[-1] >= decks
    assert all(size == deck_batch._AT_ONCE for _, size in parts[:workers])
    assert all(size <= max(deck_batch._AT_ONCE, decks // (4 * workers)) for _, size in parts)


@pytest.mark.parametrize(("decks", "asked", "workers"), [(999, None, 0), (1_000, None, 2), (99, 2, 2), (50, 2, 0)])
def test_processes_start_where_they_pay(
    decks: int, asked: int | None, workers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Unless a number is asked for a few hundred decks are checked by this process alone."""
    monkeypatch.setattr("carddb.core.executors.cores", lambda: 2)
    assert process_count(asked, deck_batch._process_tasks(ExecutorRequest(processes=asked), decks)) == workers
