"""Work in several processes of this machine, by `concurrent.futures`.

On Linux a worker is a copy of this process, so that what it shares need not be sent; a process with threads, whose
locks a copy may find closed for ever, and other systems get fresh interpreters. Workers end with their parent, however
that ends.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from ctypes import c_byte
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Any, NamedTuple

from carddb.core.errors import CarddbError
from carddb.core.executors.executor import Result, Shared, Task, Work

_AHEAD = 2
"""Tasks that a worker is given at once, so that it does not wait for the next."""


def can_copy() -> bool:
    """Returns whether workers are copies of this process, so that their work and what it shares need no pickle."""
    return sys.platform == "linux" and threading.active_count() == 1


class ProcessPool:
    """So many processes, which are started for each `map` and end with it."""

    is_remote = False
    trust = False

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(
        self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[Result, None, None]:
        """Starts the processes and yields the results; tasks whose process was lost are done again, each once.

        Raises CarddbError, also where no process can be started.
        """
        results = self._results(_Job(work, shared), map(_Part, tasks))
        next(results)
        return results

    def _results(self, job: _Job, rest: Iterator[_Part]) -> Generator[Any, None, None]:
        """Yields None when the processes are started, then the results."""
        waiting: deque[_Part] = deque()
        lost: _Part | None = None
        while True:
            attempt = self._attempt(job, waiting, rest)
            try:
                next(attempt)
                if lost is None:
                    yield None
                yield from attempt
            except BrokenProcessPool as fault:
                if waiting[0] is lost:
                    remedy = "Is there room in memory? Use --jobs 1."
                    raise CarddbError("a process that did a part of the work ended too early", remedy) from fault
                lost = waiting[0]
            else:
                return

    def _attempt(self, job: _Job, waiting: deque[_Part], rest: Iterator[_Part]) -> Generator[Any, None, None]:
        """Yields None when the processes are started, then the results of the parts that are `waiting` and of the rest.

        Parts that are done are not waiting any more.
        """
        with _opened(self.workers, job) as pool:
            futures = deque(_submitted(pool, part) for part in waiting)
            results: list[Any] = [None]
            while True:
                for part in islice(rest, _AHEAD * self.workers - len(waiting)):
                    waiting.append(part)
                    futures.append(_submitted(pool, part))
                yield from results
                if not futures:
                    return
                results = futures.popleft().result()
                waiting.popleft()


class _Job(NamedTuple):
    """What a worker is told once: the function, and what all its tasks share."""

    work: Work[Any, Any, Any]
    shared: Any


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A task; two equal ones are two parts."""

    task: Any


@contextmanager
def _opened(workers: int, job: _Job) -> Iterator[ProcessPoolExecutor]:
    """Opens a pool, and lets its workers finish no more than the results that they are at."""
    with _starting():
        context = multiprocessing.get_context("fork" if can_copy() else "spawn")
        stop = context.Value("b", False, lock=False)
        pool = ProcessPoolExecutor(workers, context, _begin, (job, stop))
    try:
        yield pool
    finally:
        stop.value = True
        pool.shutdown(cancel_futures=True)


def _submitted(pool: ProcessPoolExecutor, part: _Part) -> Future[list[Any]]:
    """Gives a part to a pool, which starts processes for it."""
    with _starting():
        return pool.submit(_work_on, part.task)


@contextmanager
def _starting() -> Iterator[None]:
    """Holds back Ctrl-C, of which a process that is started meanwhile does not hear then.

    Raises CarddbError where the system gives no process.
    """
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if sys.platform != "win32" else None
    try:
        yield
    except OSError as fault:
        for process in multiprocessing.active_children():  # they wait for a pool that did not begin
            process.kill()
            process.join()
        raise CarddbError(f"no further process can be started: {fault}", "Use --jobs 1.") from fault
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


# What a worker does.

_WORKING = threading.Lock()
_begun: list[tuple[_Job, c_byte]] = []
"""The job of this worker, and whether it shall stop."""


def _begin(job: _Job, stop: c_byte) -> None:
    """Gets a worker ready. Ctrl-C is its parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # what is old is not looked at again, and so not copied
    _begun.append((job, stop))
    threading.Thread(target=_end_with_parent, args=[stop], daemon=True).start()


def _work_on(task: Any) -> list[Any]:
    """Returns the results of a task; they are not complete where nobody waits for them any more."""
    job, stop = _begun[-1]
    with _WORKING:
        return list(takewhile(lambda _: not stop.value, job.work(job.shared, task)))


def _end_with_parent(stop: c_byte) -> None:
    """Ends this process once its parent is gone and the result that it is at is there."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    stop.value = True
    with _WORKING:
        os._exit(1)
