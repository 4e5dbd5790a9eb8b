"""Which executor is wanted: processes of this machine, or a cluster by its address."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from carddb.errors import UsageError
from carddb.executors.executor import Executor
from carddb.executors.local_processes import local_processes, process_count


@dataclass(frozen=True, slots=True)
class ExecutorRequest:
    """Who does the work: `processes` of this machine (None: as there are cores), or the Dask scheduler of `cluster`.

    The files are the certificates of `tls://`; without them Dask's own configuration names them. With `trust` the
    cluster may run the `rules.py` of games that are not carddb's own.
    """

    processes: int | None = None
    cluster: str = ""
    tls_ca: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    trust: bool = False

    def check(self) -> None:
        """Raises UsageError for what does not go together, before any work."""
        if not self.cluster:
            if self.trust or self.tls_ca or self.tls_cert or self.tls_key:
                raise UsageError("--trust and the certificates go with --cluster", "Name a scheduler: --cluster.")
            return
        if self.processes is not None:
            raise UsageError("--jobs is about this machine, --cluster about others", "Leave one of them out.")
        from carddb.executors.cluster_address import check_address

        check_address(self.cluster)


HERE = ExecutorRequest(processes=1)
"""This process alone."""
CORES = ExecutorRequest()
"""Processes of this machine, as there are cores and tasks."""


@contextmanager
def open_executor(request: ExecutorRequest, tasks: int) -> Iterator[Executor]:
    """What does so many tasks. Raises CarddbError where it cannot be had."""
    request.check()
    if not request.cluster:
        with local_processes(process_count(request.processes, tasks)) as executor:
            yield executor
        return
    from carddb.executors.cluster import open_cluster

    with open_cluster(request.cluster, request.tls_ca, request.tls_cert, request.tls_key) as executor:
        yield executor
