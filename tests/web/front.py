"""A front for tests: a real server on the loopback in a thread of its own, and a client that keeps its cookie."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import uvicorn

from carddb.door import Project
from carddb.web.http.front import LOOPBACK, Front, FrontOptions
from carddb.web.server.application import application
from carddb.web.server.serving import Connection


class Answer(NamedTuple):
    """What the server answered."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Server(NamedTuple):
    """A running front and where it listens."""

    front: Front
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ask(
        self,
        path: str,
        body: Any = None,
        *,
        method: str = "",
        headers: Mapping[str, str] | None = None,
        owner: bool = True,
        connected: Callable[[], object] = lambda: None,
    ) -> Answer:
        """Asks once, by default as the owner, and calls `connected` before; a body that is no bytes is sent as JSON."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        own = {"Authorization": f"Bearer {self.front.token}"} if owner else {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.connect()
            connected()
            connection.request("GET" if data is None else "POST", path, data, {**own, **(headers or {})})
            answer = connection.getresponse()
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read())
        finally:
            connection.close()


@contextmanager
def serving(folder: Path, **options: Any) -> Iterator[Server]:
    """A front of a folder while the block runs."""
    front = Front(Project(folder), FrontOptions(**{"hosts": LOOPBACK, **options}))
    listener = socket.create_server(("127.0.0.1", 0))
    ready = threading.Event()

    class Started(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)
            ready.set()

        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            front.streams.end()
            await super().shutdown(sockets)

    server = Started(
        uvicorn.Config(
            application(front),
            log_level="error",
            access_log=False,
            timeout_graceful_shutdown=1,
            http=Connection,
            ws="none",
        )
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    assert ready.wait(30), "the server did not start"
    try:
        yield Server(front, listener.getsockname()[1])
    finally:
        server.should_exit = True
        thread.join(10)
        listener.close()
