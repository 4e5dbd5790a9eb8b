"""Server-sent events, by which an open page learns at once that something changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.responses import Response, StreamingResponse

from carddb.web.http.modes import HttpError

MOST_STREAMS = 64
"""The number of pages that may listen at the same time."""
_HEARTBEAT = 15.0
"""The seconds after which a comment line is sent if nothing has changed, which reveals pages that were closed."""
_RETRY = 1000
"""The milliseconds after which a page reconnects when its stream has ended."""


class Event(NamedTuple):
    """A message to a page: the kind of event, and one line of text."""

    kind: str
    data: str = ""

    def encode(self) -> bytes:
        """Returns the event in the format in which it is sent."""
        return f"event: {self.kind}\ndata: {self.data}\n\n".encode()


class EventStreams:
    """The open event streams of one server. Their number is limited, and all end together with the server."""

    def __init__(self, most: int = MOST_STREAMS) -> None:
        self.most = most
        self._open = 0
        self._ended = asyncio.Event()

    def answer(self, events: AsyncIterator[Event]) -> Response:
        """Returns a response that streams `events` until the page is closed.

        Raises HttpError if too many pages listen.
        """
        if self._open >= self.most:
            raise HttpError(f"{self.most} pages listen already", "Load the page again to see what changed.")
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(self._lines(events), media_type="text/event-stream", headers=headers)

    def end(self) -> None:
        """Ends all streams."""
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
    """Yields an event whenever `signature()` returns something new, such as a file's size and time.

    Checks it every `pause` seconds.
    """
    last = signature()
    while True:
        await asyncio.sleep(pause)
        now = signature()
        if now != last:
            last = now
            yield Event(kind)
