"""The guard that sees every request first: it checks host, origin, access and size, and adds security headers."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from carddb.core.plain_text import whole
from carddb.web.http.front import LOOPBACK, Front
from carddb.web.http.modes import SAFE, HttpError, refused

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""The content policy of pages: nothing inline, and nothing from other servers."""
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_HEEDED = {"Cross-Origin-Opener-Policy": "same-origin"}
"""Headers that browsers obey only with TLS or on localhost; elsewhere they warn about them."""
FORM_FIELD = "form_token"
_PATIENCE, _WHOLE = 20.0, 120.0
"""The seconds to wait for the next part of a request's body, and for all of it."""


class Guard:
    """An ASGI middleware that refuses requests itself, with `as_page` for browsers, and passes others on to `app`."""

    def __init__(
        self, app: ASGIApp, front: Front, as_page: Callable[[Scope, Response], Response] = lambda _, answer: answer
    ) -> None:
        self.app = app
        self.front = front
        self._as_page = as_page

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})  # no page of carddb asks for one
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_trusted = scope["scheme"] == "https" or _name(Headers(scope=scope).get("host", "")) in LOOPBACK
        answer, refusal = _with_headers(send, _HEADERS | (_HEEDED if is_trusted else {})), self._refusal(scope)
        if refusal is not None:
            await self._as_page(scope, refusal)(scope, receive, answer)
        else:
            await self.app(scope, _Body(receive, self.front.mode.most_bytes(scope)), answer)

    def _refusal(self, scope: Scope) -> Response | None:
        """Returns the refusal of a request; None if the request may pass."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if _name(host) not in self.front.options.hosts:
            return refused(400, f"this server has no host name {_name(host)!r}", "Use the address that carddb printed.")
        if not scope["query_string"].isascii():
            return refused(400, "the address has characters that are not allowed in it", "Write é as %C3%A9.")
        if scope["method"] not in SAFE and not _same_origin(headers, scope["scheme"], host):
            return refused(403, "the request comes from a page of another server", "Use the pages of this server.")
        length, most = headers.get("content-length", ""), self.front.mode.most_bytes(scope)
        size = whole(length, 18)
        if length and (size is None or size > most):
            fault = _too_large(most)
            return refused(fault.status, fault.message, fault.remedy)
        return self.front.mode.refusal(scope, headers)


def _too_large(most_bytes: int) -> HttpError:
    """Returns the error to raise for a body of more than `most_bytes` bytes."""
    most = f"{most_bytes // 1_000_000} MB" if most_bytes >= 1_000_000 else f"{most_bytes // 1_000} kB"
    return HttpError(f"the request is larger than the {most} allowed", "Send less at once.", 413)


def _name(host: str) -> str:
    """Returns `host` in lower case, without its port. Digits too large for a port are a part of the name."""
    name, colon, port = host.rpartition(":")
    is_port = port.isdecimal() and len(port) <= 5 and int(port) < 1 << 16
    return (name if colon and is_port else host).lower()


def _same_origin(headers: Headers, scheme: str, host: str) -> bool:
    """Returns True if a request comes from a page of this server, or from no page."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin)[:2] == (scheme, host) or urlsplit(origin).netloc == host


class _Body:
    """The receiver of a request's body. It raises HttpError when the body is too large or arrives too slowly."""

    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._most = self._left = most
        self._whole = False
        self._until = time.monotonic() + _WHOLE

    async def __call__(self) -> Message:
        if self._whole:
            return await self._receive()  # waits until the client disconnects
        try:
            left = max(0.0, self._until - time.monotonic())
            message = await asyncio.wait_for(self._receive(), min(_PATIENCE, left))
        except TimeoutError:
            raise HttpError("the rest of the request did not arrive in time", "Send the request again.", 408) from None
        self._left -= len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._left < 0:
            raise _too_large(self._most)
        return message


def _with_headers(send: Send, headers: Mapping[str, str]) -> Send:
    """Returns a sender that adds the security headers to an answer, except those that the answer sets itself."""

    async def sender(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = MutableHeaders(scope=message)
            for name, value in headers.items():
                own.setdefault(name, value)
        await send(message)

    return sender
