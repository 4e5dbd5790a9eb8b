"""The worker process that answers the requests of strangers: a fresh interpreter with all games loaded.

It reads pickled requests from its standard input, which only the server writes, and writes pickled answers to its
standard output. It ends when its input ends.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from starlette.types import ASGIApp, Message

from carddb.app.workspace.workspace import Workspace
from carddb.core.child_process import receive, send
from carddb.web.http.front import Front
from carddb.web.http.worker import Reply
from carddb.web.server.application import rooms

if sys.platform != "win32":
    import resource

MEMORY = 2 << 30
"""The greatest size of the process's address space in bytes."""


def serve() -> None:
    """Answers requests from the parent until the input ends."""
    source, out = sys.stdin.buffer, sys.stdout.buffer
    sys.stdout = sys.stderr  # printed text must not get between the answers
    with suppress(EOFError, OSError), asyncio.Runner() as runner:
        folder, place, options, form_token = pickle.loads(receive(source))
        front = Front(Workspace(folder, **place), options, form_token)
        if options.public:
            front.referee.operations()
        if sys.platform != "win32":
            with suppress(OSError, ValueError):
                resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.getrlimit(resource.RLIMIT_AS)[1]))
        app = rooms(front)
        send(out, b"ready")
        while True:
            scope, body = pickle.loads(receive(source))
            send(out, pickle.dumps(tuple(runner.run(_answer(app, scope, body)))))
    os._exit(0)


async def _answer(app: ASGIApp, scope: dict[str, Any], body: bytes) -> Reply:
    """Returns the answer of `app` to a request whose body is complete."""
    messages: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])
    sent: list[Message] = []

    async def next_message() -> Message:
        return next(messages, {"type": "http.disconnect"})

    async def keep(message: Message) -> None:
        sent.append(message)

    await app(scope, next_message, keep)
    begin, *parts = sent
    return Reply(begin["status"], list(begin["headers"]), b"".join(part.get("body", b"") for part in parts))
