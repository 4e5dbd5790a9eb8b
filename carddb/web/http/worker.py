"""A separate process that answers the requests of strangers, and is ended if a request takes too long."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import Event, Lock, Timer
from typing import Any, NamedTuple

from carddb.core.child_process import ChildProcess
from carddb.core.errors import CarddbError, UsageError

SECONDS = 10.0
"""The seconds that a request may take, not counting the start of the process."""
_NOT_STARTED = ("the server cannot start its worker process", "Its messages in the terminal say why.")
_SCOPE = ("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "headers", "client",
          "server", "root_path")  # fmt: skip
"""The keys of an ASGI scope that describe the request. The others belong to the server."""


@dataclass(frozen=True, eq=False)
class WorkerJob:
    """A request for the worker: its body, the `seconds` allowed (None: the default), and `begun`, set at its start."""

    scope: Mapping[str, Any]
    body: bytes = b""
    seconds: float | None = None
    begun: Event = field(default_factory=Event)


class Reply(NamedTuple):
    """A complete HTTP answer."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Worker:
    """A process that answers one request at a time. After it was ended, it is started again.

    `options` are the arguments for the process's own `Workspace` and `Front`, as `worker_child` reads them.
    """

    def __init__(self, options: object, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._options = options
        self._process: ChildProcess | None = None
        self._ready = False
        self._job: WorkerJob | None = None
        self._ending = Lock()

    def start(self) -> None:
        """Starts the process without waiting until it is ready. Raises CarddbError if it cannot be started."""
        if self._process is not None:
            return
        self._process = ChildProcess("carddb.web.server.worker_child")
        try:
            self._process.send(pickle.dumps(self._options))
        except OSError as fault:
            self.end()
            raise CarddbError(*_NOT_STARTED) from fault

    def answer(self, job: WorkerJob) -> Reply:
        """Returns the answer to a request. Raises UsageError if it takes too long, CarddbError without a process."""
        job.begun.set()
        self.start()
        process = self._process
        assert process is not None
        try:
            if not self._ready:
                process.receive()
                self._ready = True
            self._job = job
            limit = Timer(job.seconds or self.seconds, process.kill)
            limit.start()
            try:
                scope = {name: job.scope[name] for name in _SCOPE if name in job.scope}
                process.send(pickle.dumps((scope, job.body)))
                return Reply(*pickle.loads(process.receive()))
            finally:
                limit.cancel()
                with self._ending:
                    self._job = None
        except (EOFError, OSError) as fault:
            was_ready = self._ready
            self.end()
            if not was_ready:
                raise CarddbError(*_NOT_STARTED) from fault
            self.start()
            raise UsageError("the request took too much time or memory", "Ask for less at once.") from fault

    def end_job(self, job: WorkerJob) -> None:
        """Kills the process if it is working on `job`. It may be called while another thread waits for the answer."""
        with self._ending:
            if self._job is job and self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        process, self._process, self._ready = self._process, None, False
        if process:
            process.end()
