"""An executor: what it does, and who is asked for, before any is opened."""

from __future__ import annotations

import copyreg
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Protocol, TypeVar
from urllib.parse import urlsplit

from carddb.core.errors import UsageError
from carddb.core.options import Option

MOST = 4
"""More processes than this wait for the one that gives them work or puts it together."""

Shared = TypeVar("Shared")
Task = TypeVar("Task")
Result = TypeVar("Result")

Work = Callable[[Shared, Task], Iterable[Result]]
"""A function of a module: what all tasks share, and one task; it gives its results one after the other."""
_EXAMPLE = "An address is tls://HOST:8786, on this machine also tcp://127.0.0.1:8786."


class Executor(Protocol):
    """Does tasks, and gives their results in the order of the tasks, whoever is done first.

    `workers` are the processes beside this one. With `is_remote` they see neither the files nor the environment of this
    machine, and with `trust` they may run the `rules.py` of games that are not carddb's own.
    """

    workers: int
    is_remote: bool
    trust: bool

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        """Yields all results. A task is asked for when a worker is soon free for it. Raises CarddbError."""
        ...


class InProcess:
    """Does the tasks itself, when their results are asked for."""

    workers = 0
    is_remote = False
    trust = False

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        for task in tasks:
            yield from work(shared, task)


ALONE = InProcess()
"""This process, which keeps nothing between two calls."""


@dataclass(frozen=True, slots=True)
class ExecutorRequest:
    """Who does the work: `processes` of this machine (None: as there are cores), or the Dask scheduler of `cluster`.

    The files are the certificates of `tls://`; without them Dask's own configuration names them. With `trust` the
    cluster may run the `rules.py` of games that are not carddb's own.
    """

    processes: Annotated[int | None, Option("Processes.", least=1, most=64, flag="--jobs")] = None
    cluster: Annotated[str, Option("A Dask scheduler: tls://HOST:8786.", "", metavar="ADDRESS")] = ""
    tls_ca: Annotated[Path | None, Option("What you know the cluster by.", exists=True, metavar="FILE")] = None
    tls_cert: Annotated[Path | None, Option("What the cluster knows you by.", exists=True, metavar="FILE")] = None
    tls_key: Annotated[Path | None, Option("The key of --tls-cert.", exists=True, metavar="FILE")] = None
    trust: Annotated[bool, Option("The cluster may run the rules.py of games of one's own.")] = False

    def check(self) -> None:
        """Raises UsageError for what does not go together, before any work."""
        if not self.cluster:
            if self.trust or self.tls_ca or self.tls_cert or self.tls_key:
                raise UsageError("--trust and the certificates go with --cluster", "Name a scheduler: --cluster.")
            return
        if self.processes is not None:
            raise UsageError("--jobs is about this machine, --cluster about others", "Leave one of them out.")

        check_address(self.cluster)


HERE = ExecutorRequest(processes=1)
"""This process alone."""
CORES = ExecutorRequest()
"""Processes of this machine, as there are cores and tasks."""


def cores() -> int:
    """Returns how many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def process_count(processes: int | None, tasks: int) -> int:
    """Returns how many workers do so many tasks: at most `processes` (None: the cores), 0 where one has all to do."""
    workers = min(processes or min(cores(), MOST), tasks)
    return workers if workers > 1 else 0


def _frozen(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


copyreg.pickle(MappingProxyType, lambda values: (_frozen, (dict(values),)))  # Python itself refuses to pickle one


def check_address(address: str) -> None:
    """Raises UsageError for what is no address, and for `tcp://` to another machine.

    Whoever can reach a scheduler without certificates may run programs on it and on all its workers.
    """
    parts = urlsplit(address)
    try:
        is_whole = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and parts.port is not None
    except ValueError:  # a port that is no number
        is_whole = False
    if not is_whole or parts.path or parts.query or parts.fragment:
        raise UsageError(f"{address!r} is not the address of a Dask scheduler", _EXAMPLE)
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname or ""):
        raise UsageError(
            f"{address} leaves this machine without encryption, and whoever reaches that port can run programs there",
            f"Use tls:// with certificates: tls://{parts.netloc}. The handbook says how they are made.",
        )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
