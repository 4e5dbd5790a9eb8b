"""Work on a Dask cluster, reached by the address of its scheduler.

Dask keeps the list of workers, repeats the tasks of a lost worker on another, and moves the bytes. It does not stop
running tasks, and only warns if versions differ. Therefore each task checks an event that tells it to stop, and carries
the version of carddb that sent it.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import time
import warnings
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from functools import lru_cache
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar
from uuid import uuid4

import dask
from distributed import Client, Event, Future
from distributed.comm import CommClosedError
from distributed.scheduler import KilledWorker
from distributed.security import Security

from carddb.core.errors import CarddbError
from carddb.core.version import __version__

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

_AHEAD = 4
"""Tasks queued per worker, so that no worker is idle between two tasks."""
_LEAST_AHEAD = 32
"""The least number of queued tasks in all, since workers may join later."""
_PATIENCE = 10
"""Seconds to wait for a scheduler, and to wait for a result before checking whether any worker is left."""
_QUIET = {"distributed.admin.large-graph-warning-threshold": "10GB", "distributed.comm.retry.count": 0}
"""Settings of Dask: no warning of large tasks, which carry the faces to draw, and no second attempt to connect."""
_SECONDS_BETWEEN = 1.0
"""Seconds after which a running task asks again whether to stop, by a message to the scheduler and its answer."""
_ONE_AT_A_TIME = Lock()
"""Makes a worker with several threads do one task at a time, because drawing pages is not thread-safe."""


@contextmanager
def open_cluster(address: str, trust: bool, **tls_files: Path | None) -> Iterator[ClusterExecutor]:
    """Connects to a scheduler in the block, and yields its executor; `tls_files` are arguments of Dask's `Security`.

    If `trust`, workers may run `rules.py` of games not bundled with carddb. Raises CarddbError if nobody answers, there
    are no workers, or one has another version of carddb.
    """
    named = {name: str(path) for name, path in tls_files.items() if path}
    with dask.config.set(_QUIET), _quiet_log(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # versions are compared below
        try:
            security = Security(**named, require_encryption=True) if address.startswith("tls:") else None
            client = Client(address, security=security, timeout=_PATIENCE, set_as_default=False)
        except (OSError, TypeError, ValueError) as fault:
            reason = str(fault).partition("\n")[0]
            message = f"no Dask scheduler can be used at {address}: {reason}"
            remedy = "Check that it is running, and that the address and the certificates are right."
            raise CarddbError(message, remedy) from fault
        with client:
            _check_versions(client, address)
            yield ClusterExecutor(client, address, trust)


class ClusterExecutor:
    """An executor that sends tasks to a scheduler and keeps more tasks queued than the one it waits for."""

    is_remote = True

    def __init__(self, client: Client, address: str, trust: bool) -> None:
        self._client = client
        self._address = address
        self.workers = len(client.nthreads())
        self.trust = trust

    def map(
        self, work: Callable[[Shared, Task], Iterable[Result]], shared: Shared, tasks: Iterable[Task]
    ) -> Iterator[Result]:
        """Yields the results of `work(shared, task)` for each of `tasks`, in order.

        If the caller stops reading, the other tasks are stopped. Raises CarddbError if a task fails.
        """
        name = f"carddb-{uuid4().hex}"
        data = zlib.compress(pickle.dumps((work, shared), pickle.HIGHEST_PROTOCOL), 1)
        # The shared data are the result of a task named by their content, so that Dask makes them again if all workers
        # that had them are lost. The name begins differently from those of the other tasks, because otherwise Dask puts
        # all in one group and on the worker that has the data (of 20,000 decks, one of two workers checked 18,000).
        place = self._client.submit(_unchanged, data, key=f"shared-{hashlib.sha256(data).hexdigest()}", pure=True)
        waiting: deque[Future[bytes]] = deque()
        rest, most = enumerate(tasks), max(_LEAST_AHEAD, _AHEAD * self.workers)
        try:
            while True:
                for number, task in islice(rest, most - len(waiting)):
                    key, part = f"{name}-{number}", pickle.dumps(task, pickle.HIGHEST_PROTOCOL)
                    # Without a priority, Dask runs tasks in any order, but the first result is waited for first.
                    future = self._client.submit(_run, place, part, __version__, name, key=key, priority=-number)
                    waiting.append(future)
                if not waiting:
                    return
                results = self._results(waiting[0])
                waiting.popleft()
                yield from results
        finally:
            if waiting:  # the tasks that have not begun are cancelled, and the event stops the running ones
                with suppress(OSError, RuntimeError):  # the scheduler may be gone
                    Event(name, self._client).set()
                    self._client.cancel(list(waiting))

    def _results(self, future: Future[bytes]) -> list[Any]:
        """Returns the results of a task. Raises CarddbError if all workers are lost; Dask would wait forever."""
        while True:
            try:
                results: list[Any] = pickle.loads(future.result(timeout=_PATIENCE))
            except TimeoutError:
                if not self._client.nthreads():
                    remedy = f"Start workers (dask worker {self._address}), and run this command again."
                    raise CarddbError(f"the scheduler at {self._address} has lost all its workers", remedy) from None
            except KilledWorker as fault:
                remedy = "Read the output of the workers for the cause, such as too little memory."
                raise CarddbError("a part of the work made one worker after the other crash", remedy) from fault
            except (CancelledError, CommClosedError) as fault:
                remedy = "Start the scheduler again, and run this command again."
                raise CarddbError(f"the scheduler at {self._address} no longer answers", remedy) from fault
            else:
                return results


def _check_versions(client: Client, address: str) -> None:
    """Raises CarddbError if there are no workers, or the scheduler or a worker has no carddb or another version."""
    versions: Mapping[str, Any] = client.get_versions(packages=["carddb"])
    if not versions["workers"]:
        raise CarddbError(f"the scheduler at {address} has no workers", f"Start workers: dask worker {address}.")
    for name, about in {"the scheduler": versions["scheduler"], **versions["workers"]}.items():
        version = about["packages"].get("carddb")
        if version != __version__:
            has = f"carddb {version}" if version else "no carddb"
            problem = f"{name} has {has}, but this machine has carddb {__version__}"
            raise CarddbError(problem, "Install the same version of carddb everywhere.")


@contextmanager
def _quiet_log() -> Iterator[None]:
    """Silences the log of Dask, because lost connections are reported as errors here."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)


# These functions run in a worker. Data are passed as bytes, because Dask inspects every other object.


def _unchanged(data: bytes) -> bytes:
    """Returns `data`, which all tasks share, as the result of a task: Dask can send results from worker to worker."""
    return data


def _run(job: bytes, task: bytes, version: str, stop: str) -> bytes:
    """Returns the pickled results of `task` until the event `stop` is set. Raises CarddbError for another `version`."""
    if version != __version__:
        remedy = "Install the same version of carddb everywhere."
        raise CarddbError(f"a worker has carddb {__version__}, but your machine has carddb {version}", remedy)
    results: list[Any] = []
    with _ONE_AT_A_TIME:
        work, shared = _opened(job)
        last_look = time.monotonic()
        for result in work(shared, pickle.loads(task)):
            results.append(result)
            if time.monotonic() - last_look > _SECONDS_BETWEEN:
                if Event(stop).is_set():
                    break
                last_look = time.monotonic()
    return pickle.dumps(results, pickle.HIGHEST_PROTOCOL)


@lru_cache(maxsize=4)
def _opened(job: bytes) -> Any:
    return pickle.loads(zlib.decompress(job))
