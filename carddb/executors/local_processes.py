"""Work in several processes of this machine.

A worker is a fresh interpreter that imports only what its work needs, so it starts fast and alike on every system. It
reads tasks from its standard input and ends with it: whatever becomes of the program, no worker outlives it. The copies
of a process that `carddb.press.forked_workers` makes have what the program has in memory, but exist on Linux alone and
may not be made beside threads; so the two stay apart.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from itertools import cycle, takewhile
from queue import SimpleQueue
from threading import Event, Thread
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple

from carddb.errors import CarddbError
from carddb.executors.executor import Executor, InProcess, Result, Shared, Task, Work

MOST = 4
"""More processes than this wait for the one that gives them work or puts it together."""
_AHEAD = 2
"""Tasks that a worker is given at once, so that it does not wait for the next."""
_ATTEMPTS = 3
"""A task that has ended so many workers is at fault itself."""
_CODE = (
    "import os, sys; sys.path[:] = {path!r}; from carddb.executors.local_processes import serve; serve(); os._exit(0)"
)
"""All is reported when it ends, so it leaves without clearing memory."""
_NEW_GROUP = getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
_KEEP_MEMORY = {f"MALLOC_{what}_THRESHOLD_": "1000000000" for what in ("MMAP", "TRIM")}
"""Tells the GNU C library to use memory again rather than give it back: a quarter of a worker's time with pictures."""


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


def process_count(processes: int | None, tasks: int) -> int:
    """How many workers do so many tasks: at most `processes` (None: the cores). None where there is work for one."""
    workers = min(processes or min(cores(), MOST), tasks)
    return workers if workers > 1 else 0


@contextmanager
def local_processes(workers: int) -> Iterator[Executor]:
    """Starts workers, which get ready while their first tasks are made, and ends them; with 0 no process is started.

    Raises CarddbError where one cannot be started.
    """
    if not workers:
        yield InProcess()
        return
    with ExitStack() as stack:
        yield _LocalProcesses([stack.enter_context(_Worker()) for _ in range(workers)])


class _Job(NamedTuple):
    """What a worker is told once: the function, and what all its tasks share."""

    work: Work[Any, Any, Any]
    shared: Any


class _Part(NamedTuple):
    """A task of that job."""

    task: Any


class _LocalProcesses:
    """Gives each worker tasks in turn."""

    is_remote = False

    def __init__(self, workers: list[_Worker]) -> None:
        self._workers = workers
        self.workers = len(workers)

    def map(self, work: Work[Shared, Task, Result], shared: Shared, tasks: Iterable[Task]) -> Iterator[Result]:
        job = pickle.dumps(_Job(work, shared), pickle.HIGHEST_PROTOCOL)
        for worker in self._workers:
            worker.begin(job)
        waiting: deque[_Worker] = deque()
        for worker, task in zip(cycle(self._workers), tasks, strict=False):
            worker.give(pickle.dumps(_Part(task), pickle.HIGHEST_PROTOCOL))
            waiting.append(worker)
            if len(waiting) == _AHEAD * len(self._workers):
                yield from waiting.popleft().take()
        while waiting:
            yield from waiting.popleft().take()


class _Worker:
    """One process that works. What the terminal sends to the program does not reach it."""

    def __init__(self) -> None:
        self._job = b""
        self._tasks: deque[bytes] = deque()
        self._process = _started()

    def __enter__(self) -> _Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Lets it finish the result it is at, and no more."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                pipe and pipe.close()
        self._process.wait()

    def begin(self, job: bytes) -> None:
        self._job = job
        self._send(job)

    def give(self, task: bytes) -> None:
        self._tasks.append(task)
        self._send(task)

    def take(self) -> list[Any]:
        """The results of the task that it was given first. A process that ended is replaced, and does its tasks anew.

        Raises CarddbError, also for a task that ends every process.
        """
        for _ in range(_ATTEMPTS):
            assert self._process.stdout
            try:
                answer = pickle.load(self._process.stdout)
            except (EOFError, pickle.UnpicklingError):
                self._replace()
                continue
            self._tasks.popleft()
            if isinstance(answer, CarddbError):
                raise answer
            results: list[Any] = answer
            return results
        remedy = "Is there room in memory? Use --jobs 1."
        raise CarddbError("a process that did a part of the work ended too early", remedy)

    def _send(self, message: bytes) -> None:
        assert self._process.stdin
        with suppress(OSError):  # that it has ended is seen when its answer is read
            self._process.stdin.write(message)
            self._process.stdin.flush()

    def _replace(self) -> None:
        self.__exit__(None, None, None)
        self._process = _started()
        for message in (self._job, *self._tasks):
            self._send(message)


def _started() -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            [sys.executable, "-c", _CODE.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, **_KEEP_MEMORY},
            process_group=0 if os.name == "posix" else None,
            creationflags=_NEW_GROUP,
        )
    except OSError as fault:
        raise CarddbError(f"no further process can be started: {fault}", "Use --jobs 1.") from fault


def serve() -> None:
    """What a worker does: one task after the other, until there are none or nobody waits for them any more."""
    messages: SimpleQueue[_Job | _Part | None] = SimpleQueue()
    alone = Event()
    # Tasks are read as they come, for the program does not wait until they are done.
    reader = Thread(target=_read, args=(sys.stdin.buffer, messages, alone), daemon=True)
    reader.start()
    job: _Job | None = None
    while message := messages.get():
        if isinstance(message, _Job):
            job = message
            continue
        assert job
        try:
            answer: Any = list(takewhile(lambda _: not alone.is_set(), job.work(job.shared, message.task)))
        except CarddbError as fault:
            answer = fault
        if alone.is_set():
            break
        with suppress(OSError):
            pickle.dump(answer, sys.stdout.buffer, pickle.HIGHEST_PROTOCOL)
            sys.stdout.buffer.flush()
    reader.join()  # it may have to say why it ended


def _read(source: BinaryIO, messages: SimpleQueue[_Job | _Part | None], alone: Event) -> None:
    try:
        while True:
            messages.put(pickle.load(source))
    except (EOFError, OSError, pickle.UnpicklingError):
        pass
    finally:  # also where a task cannot be read: then the process ends, and the program says so
        alone.set()
        messages.put(None)
