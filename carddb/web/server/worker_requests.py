"""Requests that the worker of a front answers, and what becomes of those whose client goes away."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from carddb.core.errors import CarddbError
from carddb.web.http.front import Front
from carddb.web.http.worker import Reply, WorkerJob

GRACE = 2.0
"""Seconds that work goes on for nobody. A new worker costs as much: whoever leaves at once must not cost one."""


class WorkerRequests:
    """An ASGI application whose answers the worker of a front makes."""

    def __init__(self, front: Front) -> None:
        self.front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        job = WorkerJob(scope, await Request(scope, receive).body(), self.front.mode.seconds(scope))
        answer = asyncio.ensure_future(self.front.run(lambda: self.front.worker.answer(job)))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait((answer, gone), return_when=asyncio.FIRST_COMPLETED)
            if not answer.done():
                await self._give_up(job, answer)
                return
        finally:
            gone.cancel()
        reply = answer.result()
        self.front.mode.note(scope, reply.status)
        await send({"type": "http.response.start", "status": reply.status, "headers": reply.headers})
        await send({"type": "http.response.body", "body": reply.body})

    async def _give_up(self, job: WorkerJob, answer: asyncio.Task[Reply]) -> None:
        """Frees the place of a job that waits; one that is worked at ends with its process, unless it is done soon."""
        if not job.begun.is_set():
            answer.cancel()
        await asyncio.wait((answer,), timeout=GRACE)
        if not answer.done():
            self.front.worker.end_job(job)
        with suppress(CarddbError, asyncio.CancelledError):
            await answer


async def _gone(receive: Receive) -> None:
    """Waits until the client has gone."""
    message: Mapping[str, Any] = {"type": ""}
    while message["type"] != "http.disconnect":
        message = await receive()
