"""Executors of long work: this process, further processes of this machine, or the workers of a Dask cluster.

An executor runs a function on many tasks and returns the results in the order of the tasks, so results do not depend on
which executor was used. This package knows nothing of games or cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from carddb.core.errors import CarddbError
from carddb.core.executors.executor import (
    ALONE,
    CORES,
    HERE,
    MOST,
    Executor,
    ExecutorRequest,
    InProcess,
    ProcessPool,
    Result,
    Shared,
    Task,
    Work,
    cores,
    process_count,
)  # fmt: skip

__all__ = [
    "ALONE", "CORES", "HERE", "MOST", "Executor", "ExecutorRequest", "InProcess", "Result", "Shared", "Task", "Work",
    "cores", "open_executor", "process_count",
]  # fmt: skip


@contextmanager
def open_executor(request: ExecutorRequest, tasks: int) -> Iterator[Executor]:
    """Opens the executor that `request` describes, for `tasks` tasks. Raises CarddbError if it is not available."""
    request.check()
    if request.cluster:
        try:
            from carddb.core.executors.cluster import open_cluster  # Dask, which is an extra
        except ImportError:
            raise CarddbError("a cluster needs Dask", 'Install it: pip install "carddb[cluster]".') from None

        with open_cluster(request) as executor:
            yield executor
    elif workers := process_count(request.processes, tasks):
        yield ProcessPool(workers)
    else:
        yield ALONE
