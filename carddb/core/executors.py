"""Executors of long work: this process, further processes of this machine, or the workers of a Dask cluster.

An executor runs a function on many tasks and returns the results in the order of the tasks, so results do not depend on
which executor was used. This module knows nothing of games or cards.
"""

from __future__ import annotations

import copyreg
import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from ctypes import c_byte
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from itertools import islice, takewhile
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from carddb.core.errors import CarddbError, UsageError
from carddb.core.options import Option

MOST = 4
"""The most processes by default: more would wait for the process that hands out work and collects results."""

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

Work = Callable[[Shared, Task], Iterable[Result]]
"""A module-level function that takes what all tasks share and one task, and yields the task's results."""


class Executor(Protocol):
    """Runs tasks and returns their results in the order of the tasks, whichever finishes first.

    `workers` is the number of processes beside this one. If `is_remote`, they see neither the files nor the environment
    of this machine. If `trust`, they may run the `rules.py` of games that are not bundled with carddb.
    """

    workers: int
    is_remote: bool
    trust: bool

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        """Yields the results of `work(shared, task)` for each of `tasks`, in order.

        Tasks are read as workers become free. Raises CarddbError if a result is lost.
        """
        ...


class InProcess:
    """Runs each task in this process, when its results are read."""

    workers = 0
    is_remote = False
    trust = False

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        for task in tasks:
            yield from work(shared, task)


ALONE = InProcess()
"""The executor of this process; it keeps no state between two calls."""


@dataclass(frozen=True, slots=True)
class ExecutorRequest:
    """The workers to use: `processes` of this machine, or those of the Dask scheduler at the address `cluster`.

    If `processes` is None, there is one for each core, at most MOST. The `tls_` files are the certificates for
    `tls://`; without them Dask's own configuration is used. If `trust`, the cluster may run `rules.py` of games not
    bundled with carddb.
    """

    processes: Annotated[int | None, Option("The number of processes.", least=1, most=64, flag="--jobs")] = None
    cluster: Annotated[str, Option("The Dask scheduler to use: tls://HOST:8786.", "", metavar="ADDRESS")] = ""
    tls_ca: Annotated[
        Path | None, Option("The certificate authority that verifies the cluster.", exists=True, metavar="FILE")
    ] = None
    tls_cert: Annotated[Path | None, Option("Your certificate, shown to the cluster.", exists=True, metavar="FILE")] = (
        None
    )
    tls_key: Annotated[Path | None, Option("The private key of --tls-cert.", exists=True, metavar="FILE")] = None
    trust: Annotated[bool, Option("Allow the cluster to run the rules.py of your own games.")] = False

    def check(self) -> None:
        """Raises UsageError for an unusable address or options that exclude each other, before any work begins."""
        if not self.cluster:
            if self.trust or self.tls_ca or self.tls_cert or self.tls_key:
                remedy = "Name a scheduler with --cluster, or leave them out."
                raise UsageError("--trust and the options --tls-... only work with --cluster", remedy)
            return
        if self.processes is not None:
            raise UsageError("--jobs and --cluster cannot be combined", "Leave one of them out.")
        parts = urlsplit(self.cluster)
        try:
            is_whole = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and parts.port is not None
        except ValueError:  # the port is not a number
            is_whole = False
        if not is_whole or parts.path or parts.query or parts.fragment:
            example = "Write tls://HOST:8786, or on this machine tcp://127.0.0.1:8786."
            raise UsageError(f"{self.cluster!r} is not the address of a Dask scheduler", example)
        # Whoever can reach a scheduler without certificates may run programs on it and on all its workers.
        if parts.scheme == "tcp" and not _is_loopback(parts.hostname or ""):
            raise UsageError(
                f"{self.cluster} leaves this machine without encryption, and whoever reaches that port can run "
                "programs there",
                f"Use tls:// with certificates: tls://{parts.netloc}. The handbook says how to make them.",
            )


HERE = ExecutorRequest(processes=1)
"""A request for only this process."""
CORES = ExecutorRequest()
"""A request for a process for each core of this machine, but for at most MOST."""


def cores() -> int:
    """Returns the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def process_count(processes: int | None, tasks: int) -> int:
    """Returns the number of worker processes for `tasks` tasks: at most `processes`, or one for each core up to MOST.

    Returns 0 if one worker would do, because then this process does the work itself.
    """
    workers = min(processes or min(cores(), MOST), tasks)
    return workers if workers > 1 else 0


def _frozen(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


# Python does not pickle a mappingproxy, nor its type, which is in no module under its name.
copyreg.pickle(MappingProxyType, lambda values: (_frozen, (dict(values),)))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


_AHEAD = 2
"""Tasks queued per worker, so that it does not wait for the next."""


def can_copy() -> bool:
    """Returns whether workers can be forked from this process, so that work and shared data need no pickling."""
    return sys.platform == "linux" and threading.active_count() == 1


class ProcessPool:
    """An executor that starts its processes for each call of `map` and ends them when the results are complete."""

    is_remote = False
    trust = False

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def map(
        self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]
    ) -> Generator[Result, None, None]:
        """Starts the processes, and yields the results of `work(shared, task)` for each task in order.

        A task whose process died is run once more. Raises CarddbError if that process dies too, or none can be started.
        """
        results = self._results(partial(work, shared), enumerate(tasks))
        next(results)
        return results

    def _results(self, job: _Job, rest: Iterator[_Part]) -> Generator[Any, None, None]:
        """Yields None once the processes have started, then the results."""
        waiting: deque[_Part] = deque()
        lost: int | None = None
        while True:
            attempt = self._attempt(job, waiting, rest)
            try:
                next(attempt)
                if lost is None:
                    yield None
                yield from attempt
            except BrokenProcessPool as fault:
                number, _ = waiting[0]
                if number == lost:
                    remedy = "There may be too little memory for several processes: use --jobs 1."
                    raise CarddbError("a worker process ended before its part of the work was done", remedy) from fault
                lost = number
            else:
                return

    def _attempt(self, job: _Job, waiting: deque[_Part], rest: Iterator[_Part]) -> Generator[Any, None, None]:
        """Yields None once processes run, then the results of `waiting` and `rest`; finished parts leave `waiting`."""
        with _opened(self.workers, job) as pool:
            futures = deque(_submitted(pool, part) for part in waiting)
            results: list[Any] = [None]
            while True:
                broken: BrokenProcessPool | None = None
                try:
                    for part in islice(rest, _AHEAD * self.workers - len(waiting)):
                        waiting.append(part)
                        futures.append(_submitted(pool, part))
                except BrokenProcessPool as fault:  # raised after the results that came before it
                    broken = fault
                yield from results
                if broken:
                    raise broken
                if not futures:
                    return
                results = futures.popleft().result()
                waiting.popleft()


_Job = Callable[[Any], Iterable[Any]]
"""The data that a worker receives once: the function, with what all its tasks share."""
_Part = tuple[int, Any]
"""A task and its number."""


@contextmanager
def _opened(workers: int, job: _Job) -> Iterator[ProcessPoolExecutor]:
    """Opens a pool. At the end, its workers stop after the result that they are computing."""
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
    """Submits a part to the pool, which may start a process for it."""
    with _starting():
        return pool.submit(_work_on, part[1])


@contextmanager
def _starting() -> Iterator[None]:
    """Blocks Ctrl-C while a process starts, so that it never receives it. Raises CarddbError if none can be started."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if sys.platform != "win32" else None
    try:
        yield
    except OSError as fault:
        for process in multiprocessing.active_children():  # they wait for a pool that was never started
            process.kill()
            process.join()
        raise CarddbError(f"no further process can be started: {fault}", "Use --jobs 1.") from fault
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def open_executor(request: ExecutorRequest, tasks: int) -> Iterator[Executor]:
    """Yields the executor that `request` describes, for `tasks` tasks. Raises CarddbError if it is not available."""
    request.check()
    if request.cluster:
        try:
            from carddb.core.cluster import open_cluster  # Dask, which is an extra
        except ImportError:
            raise CarddbError("--cluster needs Dask", 'Install it: pip install "carddb[cluster]".') from None

        tls = {"tls_ca_file": request.tls_ca, "tls_client_cert": request.tls_cert, "tls_client_key": request.tls_key}
        with open_cluster(request.cluster, request.trust, **tls) as executor:
            yield executor
    elif workers := process_count(request.processes, tasks):
        yield ProcessPool(workers)
    else:
        yield ALONE


# These functions run in a worker.

_WORKING = threading.Lock()
_begun: list[tuple[_Job, c_byte]] = []
"""The job of this worker process, and a byte that is set when it shall stop."""


def _begin(job: _Job, stop: c_byte) -> None:
    """Prepares a worker process for `job`, with the byte `stop`. It ignores Ctrl-C, which its parent handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()  # the garbage collector then does not touch, and so not copy, old objects
    _begun.append((job, stop))
    threading.Thread(target=_end_with_parent, args=[stop], daemon=True).start()


def _work_on(task: Any) -> list[Any]:
    """Returns the results of a task; only the first ones if `stop` is set meanwhile."""
    job, stop = _begun[-1]
    with _WORKING:
        return list(takewhile(lambda _: not stop.value, job(task)))


def _end_with_parent(stop: c_byte) -> None:
    """Ends this process when its parent has ended and the result being computed is finished."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    stop.value = True
    with _WORKING:
        os._exit(1)
