"""Server-sent events: changes are told, a stream ends with its source and with the server, their number is bounded."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from carddb.web.http.event_stream import EventStreams, StreamMessage, changes
from carddb.web.http.modes import HttpError


async def listed(events: AsyncIterator[Any], count: int) -> list[Any]:
    return [await anext(events) for _ in range(count)]


async def three() -> AsyncIterator[StreamMessage]:
    for number in range(3):
        yield StreamMessage("changed", str(number))


def body_of(streams: EventStreams, events: AsyncIterator[StreamMessage]) -> AsyncIterator[bytes]:
    answer: Any = streams.answer(events)
    assert answer.media_type == "text/event-stream" and answer.headers["cache-control"] == "no-store"
    body: AsyncIterator[bytes] = answer.body_iterator
    return body


def test_events_are_sent_in_their_order_and_the_stream_ends_with_them() -> None:
    """A stream sends when to ask again, then each event with its kind and data, and ends after the last."""

    async def told() -> list[bytes]:
        return [line async for line in body_of(EventStreams(), three())]

    lines = asyncio.run(told())
    assert lines[0].startswith(b"retry: ")
    assert lines[1:] == [f"event: changed\ndata: {number}\n\n".encode() for number in range(3)]


def test_a_file_that_is_written_is_an_event(tmp_path: Path) -> None:
    """A change of the signature is an event; none comes while it is the same."""
    path = tmp_path / "x"
    path.write_text("a", "utf-8")

    async def told() -> StreamMessage:
        events = changes(lambda: path.stat().st_size, pause=0)
        coming = asyncio.ensure_future(anext(events))
        for _ in range(5):
            await asyncio.sleep(0)
        assert not coming.done()
        path.write_text("ab", "utf-8")
        return await coming

    assert asyncio.run(told()) == StreamMessage("changed")


def test_streams_end_together() -> None:
    """When the server ends, a stream that waits for its next event ends too."""

    async def told() -> list[bytes]:
        streams = EventStreams()
        body = body_of(streams, changes(lambda: 1, pause=0))
        first = await listed(body, 1)
        streams.end()
        return first + [line async for line in body]

    assert len(asyncio.run(told())) == 1


def test_the_number_of_streams_is_bounded() -> None:
    """A further page than there is room for is refused; there is room again when one has gone."""

    async def tried() -> None:
        streams = EventStreams(most=1)
        body: Any = body_of(streams, three())
        await listed(body, 1)
        with pytest.raises(HttpError):
            streams.answer(three())
        await body.aclose()
        streams.answer(three())

    asyncio.run(tried())
