"""Work on a Dask cluster, reached by the address of its scheduler.

Dask keeps the list of workers, gives the task of a worker that was lost to another, and moves the bytes. It does not
stop a running task and only warns of other versions; so a task looks for an event, and knows which carddb it is of.
"""

from __future__ import annotations

import hashlib
import logging
import pickle
import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from carddb.errors import CarddbError
from carddb.executors.cluster_task import run_task, unchanged
from carddb.executors.executor import Executor, Result, Shared, Task, Work
from carddb.version import __version__

if TYPE_CHECKING:
    from distributed import Client, Future

_AHEAD = 4
"""Tasks that wait for each worker, so that none is idle between two."""
_LEAST_AHEAD = 32
"""The same in all: workers may join later."""
_PATIENCE = 10
"""Seconds to wait for a scheduler, and for a result before looking whether there are workers."""
_QUIET = {"distributed.admin.large-graph-warning-threshold": "10GB", "distributed.comm.retry.count": 0}
"""A task may be as large as the faces it draws; that is no mistake to be warned of."""


@contextmanager
def open_cluster(address: str, ca: Path | None, certificate: Path | None, key: Path | None) -> Iterator[Executor]:
    """The workers of a scheduler.

    Raises CarddbError: the extra is not installed, nobody answers, there is no worker, or one has another carddb.
    """
    try:
        import dask
        from distributed import Client
        from distributed.security import Security
    except ImportError:
        raise CarddbError("a cluster needs Dask", 'Install it: pip install "carddb[cluster]".') from None
    files = {"tls_ca_file": ca, "tls_client_cert": certificate, "tls_client_key": key}
    tls_files = {name: str(path) for name, path in files.items() if path}
    with dask.config.set(_QUIET), _quiet_log(), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # other versions are looked at below
        try:
            security = Security(**tls_files, require_encryption=True) if address.startswith("tls:") else None
            client = Client(address, security=security, timeout=_PATIENCE, set_as_default=False)
        except (OSError, TypeError, ValueError) as fault:
            reason = str(fault).partition("\n")[0]
            message = f"no Dask scheduler can be used at {address}: {reason}"
            raise CarddbError(message, "Is it running? Are the address and the certificates right?") from fault
        with client:
            _check_versions(client, address)
            yield _Cluster(client, address)


class _Cluster:
    """Gives tasks to a scheduler, some ahead of those whose results are waited for."""

    is_remote = True

    def __init__(self, client: Client, address: str) -> None:
        self._client = client
        self._address = address
        self.workers = len(client.nthreads())

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        """Ends what is under way where nobody takes the results to their end."""
        name = f"carddb-{uuid4().hex}"
        data = pickle.dumps(shared, pickle.HIGHEST_PROTOCOL)
        # Made by a task, so that Dask makes it again where all that had it are lost; named by its content. The name
        # begins with another word than those of the tasks: else Dask takes it for one of them, and gives them all to
        # the worker that has it (of 20,000 decks one of two workers checked 18,000).
        place = self._client.submit(unchanged, data, key=f"shared-{hashlib.sha256(data).hexdigest()}", pure=True)
        waiting: deque[Future[bytes]] = deque()
        most = max(_LEAST_AHEAD, _AHEAD * self.workers)
        try:
            for number, task in enumerate(tasks):
                key = f"{name}-{number}"
                part = pickle.dumps((work, task), pickle.HIGHEST_PROTOCOL)
                # By themselves tasks that come together have no order, and the first is waited for.
                future = self._client.submit(run_task, place, part, __version__, name, key=key, priority=-number)
                waiting.append(future)
                if len(waiting) == most:
                    yield from self._results(waiting.popleft())
            while waiting:
                yield from self._results(waiting.popleft())
        finally:
            if waiting:
                self._stop(name, waiting)

    def _results(self, future: Future[bytes]) -> list[Any]:
        from concurrent.futures import CancelledError

        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker

        try:
            results: list[Any] = pickle.loads(self._data(future))
        except KilledWorker as fault:
            remedy = "Have they room in memory? Their own output says more."
            raise CarddbError("a part of the work ended one worker after the other", remedy) from fault
        except (CancelledError, CommClosedError) as fault:
            raise CarddbError(f"the scheduler at {self._address} is gone", "Start it, and run this again.") from fault
        return results

    def _data(self, future: Future[bytes]) -> bytes:
        """The result, as long as there are workers: Dask would wait for new ones for ever."""
        while True:
            try:
                data: bytes = future.result(timeout=_PATIENCE)
            except TimeoutError:
                if not self._client.nthreads():
                    remedy = "Start workers, and run this again."
                    raise CarddbError(f"the scheduler at {self._address} has lost all its workers", remedy) from None
            else:
                return data

    def _stop(self, name: str, waiting: Iterable[Future[bytes]]) -> None:
        """Drops what has not begun, and tells what runs that nobody waits for it."""
        from distributed import Event

        with suppress(OSError, RuntimeError):  # the scheduler may be gone
            Event(name, self._client).set()
            self._client.cancel(list(waiting))


def _check_versions(client: Client, address: str) -> None:
    """Raises CarddbError where the scheduler or a worker has no carddb or another, or there is no worker."""
    versions: Mapping[str, Any] = client.get_versions(packages=["carddb"])
    if not versions["workers"]:
        raise CarddbError(f"the scheduler at {address} has no workers", f"Start some: dask worker {address}.")
    for name, about in {"the scheduler": versions["scheduler"], **versions["workers"]}.items():
        version = about["packages"].get("carddb")
        if version != __version__:
            has = f"carddb {version}" if version else "no carddb"
            raise CarddbError(f"{name} has {has}, and this is {__version__}", "Install the same version everywhere.")


@contextmanager
def _quiet_log() -> Iterator[None]:
    """What Dask logs of lost connections is said in a sentence here."""
    logger = logging.getLogger("distributed")
    level = logger.level
    logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        logger.setLevel(level)
