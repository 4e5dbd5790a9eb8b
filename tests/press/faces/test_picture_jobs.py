"""Pictures drawn by several processes."""

from __future__ import annotations

import itertools
import multiprocessing.util
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core import executors as pool
from carddb.core.errors import CarddbError, OutputError
from carddb.core.executors import MOST, ExecutorRequest, InProcess, ProcessPool, open_executor, process_count
from carddb.paint.pdf.sheets import faces_pdf
from carddb.paint.raster_job import RasterJob, RasterPage, raster_page
from carddb.press.faces.card_pictures import MOST_AT_ONCE, draw_files, share
from tests.paint.samples import book, face, images
from tests.rows import usually

COLOURS = ("#7b3294", "#008837", "#a6611a", "#0571b0", "#ca0020")


def jobs(folder: Path, number: int) -> Iterator[RasterJob]:
    """Jobs of two pictures each, no two alike."""
    for at in range(number):
        faces = [face(f"{at} {colour}", colour) for colour in COLOURS[at % 4 : at % 4 + 2]]
        canvases = (raster_page(page, (76, 127), 25, folder / f"{at}-{page}.png") for page in range(2))
        yield RasterJob(faces_pdf(faces, book(), images()), tuple(canvases))


@pytest.fixture(params=["copies", "fresh"], autouse=True)
def start(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How workers are started: as copies of the program, where the system can, or as fresh interpreters."""
    if request.param == "copies" and sys.platform != "linux":
        pytest.skip("a process is not copied safely here")
    monkeypatch.setattr(pool, "can_copy", lambda: request.param == "copies")
    return str(request.param)


def drawn(work: Iterator[RasterJob], workers: int) -> list[RasterPage]:
    """What a crew of so many wrote."""
    with open_executor(ExecutorRequest(processes=workers), workers) as executor:
        return list(draw_files(executor, work))


@pytest.mark.door
def test_the_number_of_processes_changes_no_byte(tmp_path: Path) -> None:
    """None, two or three workers write the same files, and tell of them in the same order."""
    told: dict[int, list[RasterPage]] = {}
    for workers in (1, 2, 3):
        told[workers] = drawn(jobs(tmp_path / str(workers), 7), workers)
        assert [written.file.name for written in told[workers]] == [
            f"{at}-{page}.png" for at in range(7) for page in (0, 1)
        ]
    files = [[path.read_bytes() for path in sorted((tmp_path / str(workers)).iterdir())] for workers in told]
    assert files[0] == files[1] == files[2] and len(files[0]) == 14


@usually("workers", [1, 2])
def test_what_cannot_be_written_is_the_same_sentence(tmp_path: Path, workers: int) -> None:
    """An error of a worker is the program's own, with its remedy."""
    (tmp_path / "2-0.png").mkdir()
    with pytest.raises(OutputError, match=r"2-0\.png is a folder") as told:
        drawn(jobs(tmp_path, 5), workers)
    assert told.value.remedy == "Name a file in it."


@pytest.mark.full
def test_jobs_are_asked_for_as_they_are_needed(tmp_path: Path) -> None:
    """No more jobs are made than the workers are given ahead."""
    made: list[int] = []

    def counted() -> Iterator[RasterJob]:
        for number, job in enumerate(jobs(tmp_path, 30)):
            made.append(number)
            yield job

    assert len(list(islice(draw_files(ProcessPool(2), counted()), 2))) == 2
    assert len(made) <= 5


def ending(folder: Path, number: int) -> Iterator[int]:
    """A task that gives its number; as often as there are files in a folder, the process ends at 3."""
    for path in folder.glob("*") if number == 3 else ():
        path.unlink()
        os._exit(7)
    yield number


@pytest.mark.door
@pytest.mark.full
def test_a_lost_worker_costs_its_part(tmp_path: Path) -> None:
    """New processes do what is not done yet, and all results come once and in their order."""
    (tmp_path / "once").touch()
    assert list(ProcessPool(2).map(ending, tmp_path, range(20))) == list(range(20))
    assert not list(tmp_path.iterdir())


@pytest.mark.door
@usually("submitted", range(1, 12), 5)
@pytest.mark.full
def test_a_result_that_came_before_the_loss_is_given(submitted: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pool that is found broken when the next part is given to it has lost nothing that was done already."""
    submit, count = pool._submitted, itertools.count()

    def broken(processes: ProcessPoolExecutor, part: Any) -> Future[list[Any]]:
        if next(count) == submitted:
            raise BrokenProcessPool
        return submit(processes, part)

    monkeypatch.setattr(pool, "_submitted", broken)
    assert list(ProcessPool(2).map(repeated, None, range(12))) == list(range(12))


def repeated(_shared: None, number: int) -> Iterator[int]:
    yield number


@pytest.mark.door
@pytest.mark.full
def test_a_part_that_ends_every_worker_is_told(tmp_path: Path) -> None:
    """Neither a traceback nor an endless wait where a process dies again and again; what was done before is there."""
    for number in range(9):
        (tmp_path / str(number)).touch()
    results = ProcessPool(2).map(ending, tmp_path, range(20))
    assert list(islice(results, 3)) == [0, 1, 2]
    with pytest.raises(CarddbError, match="ended before its part of the work was done") as told:
        next(results)
    assert "--jobs 1" in told.value.remedy


@pytest.mark.parametrize("possible", [0, 1])
def test_a_process_that_cannot_be_started_is_told(
    tmp_path: Path, start: str, possible: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no process can be had, or too few, the remedy is to do without; none is left."""
    where, name = (os, "fork") if start == "copies" else (multiprocessing.util, "spawnv_passfds")
    original, times = getattr(where, name), iter(range(possible))

    def refused(*arguments: Any) -> Any:
        if next(times, None) is None:
            raise BlockingIOError("there are too many")
        return original(*arguments)

    monkeypatch.setattr(where, name, refused)
    with pytest.raises(CarddbError, match="no further process can be started") as told:
        drawn(jobs(tmp_path, 3), 2)
    assert "--jobs 1" in told.value.remedy
    monkeypatch.undo()
    assert not multiprocessing.active_children()


_ENDLESS = """
import os, signal, sys
sys.path[:] = {path!r}
from pathlib import Path
from itertools import count
from tests.press.faces.test_picture_jobs import jobs
from carddb.core import executors as pool
from carddb.press.faces.card_pictures import draw_files
pool.can_copy = lambda: {copies}
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be switched off
work = (next(jobs(Path({folder!r}), 1)) for _ in count())
for number, written in enumerate(draw_files(pool.ProcessPool(2), work)):
    if number == 4:
        os.kill({whom}, signal.{signal})
"""


@pytest.mark.door
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent")
@usually("whom, signal", [("os.getpid()", name) for name in ("SIGINT", "SIGTERM", "SIGKILL")] + [("0", "SIGINT")])
@pytest.mark.full
def test_no_worker_outlives_the_program(tmp_path: Path, start: str, whom: str, signal: str) -> None:
    """However the program ends, its workers end with whole files, and say nothing of a Ctrl-C that they get too."""
    code = _ENDLESS.format(
        path=sys.path, folder=str(tmp_path), copies=start == "copies", whom=whom, signal=signal
    )  # fmt: skip
    process = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    assert process.stderr
    errors = process.stderr.read()  # to its end, which comes when nobody can write to it any more
    assert process.wait() != 0
    assert errors.count(b"KeyboardInterrupt") == (signal == "SIGINT")
    left = [path.name for path in tmp_path.iterdir()]
    assert left and not any(name.startswith(".") for name in left)


@given(st.integers(1, 64) | st.none(), st.integers(0, 3_000))
def test_there_are_no_more_workers_than_jobs(asked: int | None, number: int) -> None:
    """As many as asked, never more than there is work for, and none for a single one."""
    workers = process_count(asked, number)
    assert workers != 1 and workers <= number and workers <= (asked or MOST)


@given(st.integers(0, 8), st.integers(0, 3_000))
def test_all_workers_have_as_much_to_do(workers: int, pictures: int) -> None:
    """What two workers draw differs by less than a job, and a job has no more than its bound."""
    executor = InProcess()
    executor.workers = workers
    size = share(executor, pictures)
    jobs = [min(size, pictures - start) for start in range(0, pictures, size)]
    assert 1 <= size <= MOST_AT_ONCE and all(job > 0 for job in jobs)
    if workers:
        drawn_by = [sum(jobs[hand::workers]) for hand in range(workers)]
        assert max(drawn_by) - min(drawn_by) <= size
