"""The guard before every request: hosts, origins, the mode's refusals, bodies that are too large, strict headers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from carddb.web.http.front import LOOPBACK, Front
from carddb.web.http.modes import SAFE, HttpError, refused

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing inline, and nothing from elsewhere."""
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HEEDED = {"Cross-Origin-Opener-Policy": "same-origin"}
"""The headers that browsers heed with TLS or on one's own machine alone, and complain of elsewhere."""
FORM_HEADER, FORM_FIELD = "X-Carddb-Form", "form_token"
_PATIENCE = 20.0
"""Seconds for the next part of a body to come."""


class Guard:
    """An ASGI application before another: what may not pass is answered here."""

    def __init__(self, app: ASGIApp, front: Front) -> None:
        self.app = app
        self.front = front

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        answer, refusal = _Answer(send, _headers(scope)), self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, answer)
        else:
            await self.app(scope, _Body(receive, self.front.mode.most_bytes(scope)), answer)

    def _refusal(self, scope: Scope) -> Response | None:
        """Returns the answer to a request that may not pass; None for one that may."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self.front.options.hosts:
            return refused(400, f"this is not the host {_name(host)!r}", "Use the address that carddb printed.")
        if not scope["query_string"].isascii():
            return refused(400, "the address has bytes that no address has", "Write them as %C3%A9.")
        if scope["method"] not in SAFE and not _same_origin(headers, scope["scheme"], host):
            return refused(403, "the request comes from another page", "Use the pages of this server.")
        length, most = headers.get("content-length", ""), self.front.mode.most_bytes(scope)
        if length.isdecimal() and int(length) > most:
            fault = _too_large(most)
            return refused(fault.status, fault.message, fault.remedy)
        return self.front.mode.refusal(scope, headers)


def _too_large(most_bytes: int) -> HttpError:
    """Returns the error of a body of more bytes than the front takes, to be raised."""
    most = f"{most_bytes // 1_000_000} MB" if most_bytes >= 1_000_000 else f"{most_bytes // 1_000} kB"
    return HttpError(f"the request is larger than {most}", "Send less at once.", 413)


def _headers(scope: Scope) -> dict[str, str]:
    """Returns the headers of every answer to a request."""
    is_trusted = scope["scheme"] == "https" or _name(Headers(scope=scope).get("host", "")) in LOOPBACK
    return {**_HEADERS, **_HEEDED} if is_trusted else _HEADERS


def _name(host: str) -> str:
    """Returns a host without its port, in lower case."""
    name, colon, port = host.rpartition(":")
    return (name if colon and port.isdecimal() else host).lower()


def _same_origin(headers: Headers, scheme: str, host: str) -> bool:
    """Returns true for a request from a page of the same server, or from no page at all."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin)[:2] == (scheme, host) or urlsplit(origin).netloc == host


class _Body:
    """The body of a request as it comes, ended where it is too large or too slow."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = self._left = most
        self._whole = False

    async def __call__(self) -> Message:
        if self._whole:
            return await self._receive()  # waits until the client goes
        try:
            message = await asyncio.wait_for(self._receive(), _PATIENCE)
        except TimeoutError:
            raise HttpError("the rest of the request did not come", "Send it again.", 408) from None
        self._left -= len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._left < 0:
            raise _too_large(self._most)
        return message


class _Answer:
    """A sender that adds the headers of every answer; an answer may have a stricter policy of its own."""

    def __init__(self, send: Send, headers: Mapping[str, str]) -> None:
        self._send = send
        self._headers = headers

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in self._headers.items():
                headers.setdefault(name, value)
        await self._send(message)
