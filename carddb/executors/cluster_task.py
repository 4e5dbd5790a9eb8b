"""What a worker of a cluster does with one task."""

from __future__ import annotations

import pickle
import time
from functools import lru_cache
from threading import Lock
from typing import Any

from carddb.errors import CarddbError
from carddb.version import __version__

_ONE_AT_A_TIME = Lock()
"""A worker with several threads does one task after the other: what draws pages knows no threads."""
_SECONDS_BETWEEN = 1.0
"""How often a task asks whether it is still wanted; to ask takes a message to the scheduler and back."""


def unchanged(data: bytes) -> bytes:
    """What all tasks share, as a result that Dask can send from worker to worker."""
    return data


def run_task(shared: bytes, task: bytes, version: str, stop: str) -> bytes:
    """The results of a task; they are not complete where the event `stop` says that nobody waits for them.

    All goes as bytes, for Dask looks through every object that it is given. Raises CarddbError for a task of another
    version of carddb.
    """
    if version != __version__:
        remedy = "Install the same version everywhere."
        raise CarddbError(f"a worker has carddb {__version__}, and this is {version}", remedy)
    results: list[Any] = []
    work, value = pickle.loads(task)
    with _ONE_AT_A_TIME:
        last_look = time.monotonic()
        for result in work(_opened(shared), value):
            results.append(result)
            if time.monotonic() - last_look > _SECONDS_BETWEEN:
                if _is_set(stop):
                    break
                last_look = time.monotonic()
    return pickle.dumps(results, pickle.HIGHEST_PROTOCOL)


def _is_set(event: str) -> bool:
    from distributed import Event

    return bool(Event(event).is_set())


@lru_cache(maxsize=4)
def _opened(shared: bytes) -> Any:
    return pickle.loads(shared)
