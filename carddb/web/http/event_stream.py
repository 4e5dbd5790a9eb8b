"""Server-sent events: a page that stays open is told at once that something changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.responses import Response, StreamingResponse

from carddb.web.http.modes import HttpError

MOST_STREAMS = 64
"""Pages that may listen at once."""
_HEARTBEAT = 15.0
"""Seconds after which a line is sent though nothing has changed, so that a page that is gone is noticed."""
_RETRY = 1000
"""Milliseconds after which a page asks again when its stream has ended."""


class Event(NamedTuple):
    """Something that a page is told: the kind of the event, and a text of one line."""

    kind: str
    data: str = ""

    def encode(self) -> bytes:
        """Returns the event as it is sent."""
        return f"event: {self.kind}\ndata: {self.data}\n\n".encode()


class EventStreams:
    """The streams of one front: so many at once, and all ended together when the server ends."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self.most = most
        self._open = 0
        self._ended = asyncio.Event()

    def answer(self, events: AsyncIterator[Event]) -> Response:
        """Returns a response that lasts as long as its page is open. Raises HttpError where too many do."""
        if self._open >= self.most:
            raise HttpError(f"{self.most} pages listen already", "Load the page again to see what changed.")
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self._lines(events), media_type="text/event-stream", headers=headers)

    def end(self) -> None:
        """Ends every stream."""
        self._ended.set()

    async def _lines(self, events: AsyncIterator[Event]) -> AsyncIterator[bytes]:
        self._open += 1
        ended = asyncio.ensure_future(self._ended.wait())
        coming: asyncio.Future[Event] = asyncio.ensure_future(anext(events))
        try:
            yield f"retry: {_RETRY}\n\n".encode()
            while True:
                waiting: set[asyncio.Future[Any]] = {coming, ended}
                await asyncio.wait(waiting, timeout=_HEARTBEAT, return_when=asyncio.FIRST_COMPLETED)
                if ended.done():
                    return
                if not coming.done():
                    yield b": still here\n\n"
                    continue
                yield coming.result().encode()
                coming = asyncio.ensure_future(anext(events))
        except StopAsyncIteration:
            return
        finally:
            self._open -= 1
            ended.cancel()
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming


async def changes(signature: Callable[[], object], kind: str = "changed", pause: float = 0.2) -> AsyncIterator[Event]:
    """Tells whenever a signature, such as the size and time of a file, has changed; looks every `pause` seconds."""
    last = signature()
    while True:
        await asyncio.sleep(pause)
        now = signature()
        if now != last:
            last = now
            yield Event(kind)
