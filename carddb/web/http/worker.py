"""A process that answers the requests of strangers, and is ended where one takes too long."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Lock, Timer
from typing import Any, NamedTuple

from carddb.core.child_process import ChildProcess
from carddb.core.errors import CarddbError, UsageError

SECONDS = 10.0
"""The seconds that one request may take, once the process is ready."""
_SCOPE = ("type", "asgi", "http_version", "method", "scheme", "path", "raw_path", "query_string", "headers", "client",
          "server", "root_path")  # fmt: skip
"""The keys of a scope that make the request; the rest belongs to the server."""


class WorkerOptions(NamedTuple):
    """The project that a worker shows, whether it prints, the event that it is for, with what its forms carry.

    `tables` is the folder of its tables, where it has any.
    """

    folder: Path
    catalog: Path | None
    games: tuple[Path, ...]
    sheets: bool
    event: str = ""
    form_token: str = ""
    tables: Path | None = None


@dataclass(frozen=True, eq=False)
class WorkerJob:
    """A request for the worker with its body.

    `seconds` is what it may take, None for the usual; `begun` is set once it is worked at.
    """

    scope: Mapping[str, Any]
    body: bytes = b""
    seconds: float | None = None
    begun: Event = field(default_factory=Event)


class Reply(NamedTuple):
    """An answer as it is sent."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


class Worker:
    """One process, started anew after it was ended. It answers one request after the other."""

    def __init__(self, options: WorkerOptions, seconds: float = SECONDS) -> None:
        self.seconds = seconds
        self._options = options
        self._process: ChildProcess | None = None
        self._ready = False
        self._job: WorkerJob | None = None
        self._ending = Lock()

    def start(self) -> None:
        """Starts the process, which gets ready by itself. Raises CarddbError."""
        if self._process is not None:
            return
        self._process = ChildProcess("carddb.web.server.worker_child")
        try:
            self._process.send(pickle.dumps(self._options))
        except OSError as fault:
            self.end()
            raise CarddbError("the server cannot start its work", "Look at what it wrote.") from fault

    def answer(self, job: WorkerJob) -> Reply:
        """Returns the answer to a request. Raises UsageError where it takes too long, CarddbError."""
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
                raise CarddbError("the server cannot start its work", "Look at what it wrote.") from fault
            self.start()
            raise UsageError("this takes too long, or too much memory", "Ask for less at once.") from fault

    def end_job(self, job: WorkerJob) -> None:
        """Ends the process where it is at work at this job; for another thread than that which waits for the answer."""
        with self._ending:
            if self._job is job and self._process is not None:
                self._process.kill()

    def end(self) -> None:
        """Ends the process, wherever it is."""
        process, self._process, self._ready = self._process, None, False
        if process:
            process.end()
