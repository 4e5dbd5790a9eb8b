"""Pictures drawn by several processes: each takes jobs, writes their files and reports them.

A worker is a fresh interpreter that knows only how to draw pages, so it starts fast and alike on every system. It
reads jobs from its standard input and ends with it: whatever becomes of the program, no worker outlives it. What draws
pages is imported where they are drawn, which is in the workers where there are any. The copies of a process that
`forked_workers` makes exist on Linux alone and may not be made beside threads; so the two pools stay apart.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle, takewhile
from queue import SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import BinaryIO

from carddb.errors import CarddbError
from carddb.paint.raster_job import PngFile, RasterJob
from carddb.press.forked_workers import MOST, cores

MOST_AT_ONCE = 24
"""Pictures a job: enough that their fonts are embedded for several, few enough that the first are soon there."""
_AHEAD = 2
"""Jobs that a worker is given at once, so that it does not wait for the next."""
_CODE = "import os, sys; sys.path[:] = {path!r}; from carddb.press.worker_pool import serve; serve(); os._exit(0)"
"""All is written and reported when it ends, so it leaves without clearing memory."""
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_KEEP_MEMORY = {f"MALLOC_{what}_THRESHOLD_": "1000000000" for what in ("MMAP", "TRIM")}
"""Tells the GNU C library to use memory again rather than give it back: a quarter of a worker's time."""


def worker_count(processes: int | None, pictures: int, at_once: int = MOST_AT_ONCE) -> int:
    """How many workers draw so many pictures, of which a job has `at_once`: at most `processes` (None: the cores).

    None where there is work for one alone.
    """
    workers = min(processes or min(cores(), MOST), -(-pictures // at_once))
    return workers if workers > 1 else 0


@contextmanager
def worker_pool(workers: int) -> Iterator[WorkerPool]:
    """Starts workers, which get ready while their first jobs are made, and ends them.

    Raises CarddbError where one cannot be started.
    """
    with ExitStack() as stack:
        yield WorkerPool([stack.enter_context(_Worker()) for _ in range(workers)])


class WorkerPool:
    """Who draws: workers, or where there are none the program itself."""

    def __init__(self, workers: Sequence[_Worker]) -> None:
        self._workers = workers

    def share(self, pictures: int) -> int:
        """How many of so many pictures to put into a job, so that all workers have as much to do."""
        workers = max(1, len(self._workers))
        rounds = max(1, -(-pictures // (workers * MOST_AT_ONCE)))
        return max(1, -(-pictures // (workers * rounds)))

    def press(self, jobs: Iterable[RasterJob]) -> Iterator[PngFile]:
        """Draws and writes the pictures of all jobs, in their order, whoever draws them. Raises CarddbError.

        A job is asked for when a worker is free for it.
        """
        if not self._workers:
            from carddb.paint.rasterizer import write_png_files

            for job in jobs:
                yield from write_png_files(job)
            return
        waiting: deque[_Worker] = deque()
        for worker, job in zip(cycle(self._workers), jobs, strict=False):
            worker.give(job)
            waiting.append(worker)
            if len(waiting) == _AHEAD * len(self._workers):
                yield from waiting.popleft().take()
        while waiting:
            yield from waiting.popleft().take()


class _Worker:
    """One process that draws. What the terminal sends to the program does not reach it."""

    def __init__(self) -> None:
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _CODE.format(path=sys.path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, **_KEEP_MEMORY},
                process_group=0 if os.name == "posix" else None,
                creationflags=_NEW_GROUP,
            )
        except OSError as fault:
            raise CarddbError(f"no further process can be started: {fault}", "Use --jobs 1.") from fault

    def __enter__(self) -> _Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Lets it finish the picture it is at, and no more."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe and pipe.close()
        self._process.wait()

    def give(self, job: RasterJob) -> None:
        assert self._process.stdin
        try:
            pickle.dump(job, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()
        except OSError as fault:
            raise _ended() from fault

    def take(self) -> list[PngFile]:
        assert self._process.stdout
        try:
            answer = pickle.load(self._process.stdout)
        except (EOFError, pickle.UnpicklingError) as fault:
            raise _ended() from fault
        if isinstance(answer, CarddbError):
            raise answer
        written: list[PngFile] = answer
        return written


def _ended() -> CarddbError:
    return CarddbError("a process that draws pictures ended too early", "Is there room in memory? Try --jobs 1.")


def serve() -> None:
    """What a worker does: one job after the other, until there are none or nobody waits for them any more."""
    from carddb.paint.rasterizer import write_png_files

    jobs: SimpleQueue[RasterJob | None] = SimpleQueue()
    alone = Event()
    # Jobs are read as they come, for the program does not wait until they are drawn.
    Thread(target=_read, args=(sys.stdin.buffer, jobs, alone), daemon=True).start()
    while job := jobs.get():
        try:
            answer: list[PngFile] | CarddbError = list(takewhile(lambda _: not alone.is_set(), write_png_files(job)))
        except CarddbError as fault:
            answer = fault
        if alone.is_set():
            return
        with suppress(OSError):
            pickle.dump(answer, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
            sys.stdout.buffer.flush()


def _read(source: BinaryIO, jobs: SimpleQueue[RasterJob | None], alone: Event) -> None:
    try:
        while True:
            jobs.put(pickle.load(source))
    except (EOFError, OSError, pickle.UnpicklingError):
        alone.set()
        jobs.put(None)
