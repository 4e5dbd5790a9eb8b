"""Server-sent events, by which an open page learns at once that something changed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from carddb.web.http.modes import HttpError

MOST_STREAMS, MOST_OF_ONE = 64, 32
"""The most pages that may listen at the same time: of all clients together, and of one client."""
_HEARTBEAT = 15.0
"""The seconds without a change after which a comment line is sent, by which closed pages are noticed."""
_RETRY = 1000
"""The milliseconds after which a page reconnects when its stream has ended."""


class StreamMessage(NamedTuple):
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
        self._open: dict[object, str] = {}
        self._ended = asyncio.Event()

    def answer(self, events: AsyncIterator[StreamMessage], client: str = "") -> Response:
        """Returns a response that streams `events` until the page is closed.

        Raises HttpError if too many pages listen, of all clients together or of this client.
        """
        of_client = sum(each == client for each in self._open.values()) if client else 0
        if len(self._open) >= self.most or of_client >= MOST_OF_ONE:
            raise HttpError("too many open pages wait for changes", "Load the page again to see what changed.")
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        place = object()
        self._open[place] = client  # from now on, because many may ask before the first is sent anything

        def leave() -> None:
            self._open.pop(place, None)

        return _Stream(self._lines(events, leave), leave, headers)

    def end(self) -> None:
        """Ends all streams."""
        self._ended.set()

    async def _lines(self, events: AsyncIterator[StreamMessage], leave: Callable[[], None]) -> AsyncIterator[bytes]:
        ended = asyncio.ensure_future(self._ended.wait())
        coming: asyncio.Future[StreamMessage] = asyncio.ensure_future(anext(events))
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
            leave()
            ended.cancel()
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming


class _Stream(StreamingResponse):
    """A response that frees its place when it ends, even if its client left before it began."""

    def __init__(self, lines: AsyncIterator[bytes], leave: Callable[[], None], headers: Mapping[str, str]) -> None:
        super().__init__(lines, media_type="text/event-stream", headers=headers)
        self._leave = leave

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._leave()


async def changes(
    signature: Callable[[], object], kind: str = "changed", pause: float = 0.2
) -> AsyncIterator[StreamMessage]:
    """Yields an event when `signature()`, such as a file's size and time, changes; calls it every `pause` seconds."""
    last = signature()
    while True:
        await asyncio.sleep(pause)
        now = signature()
        if now != last:
            last = now
            yield StreamMessage(kind)
