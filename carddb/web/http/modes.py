"""Who may pass: one's own front asks for its token, a public one lets everybody read."""

from __future__ import annotations

import hmac
from typing import Protocol
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from carddb.web.http.refusals import refused

SAFE = ("GET", "HEAD")
_OPEN = ("/healthz",)
"""What is answered without the token."""
_OWN_BODY, _PUBLIC_BODY = 32_000_000, 1_000_000


class Mode(Protocol):
    """How a front is run: which requests pass, after host and origin are right, and how large they may be."""

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that may not pass; None for one that may."""

    def most_bytes(self, scope: Scope) -> int:
        """The most bytes of a request."""

    def seconds(self, scope: Scope) -> float | None:
        """What a request may take in the worker; None for the usual."""

    def note(self, scope: Scope, status: int) -> None:
        """How the worker has answered a request."""


class PublicMode:
    """A front for strangers: everybody may pass."""

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """None: what a public front has is for everybody."""
        return None

    def most_bytes(self, scope: Scope) -> int:
        """The most bytes of a stranger's request."""
        return _PUBLIC_BODY

    def seconds(self, scope: Scope) -> float | None:
        """None: what every request may take."""
        return None

    def note(self, scope: Scope, status: int) -> None:
        """Nothing follows from it."""


class OwnerMode:
    """A front on one's own machine: who has the token of its address gets a cookie, and all others nothing."""

    def __init__(self, token: str) -> None:
        self._token = token

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Exchanges the token of the address for a cookie; refuses who has neither cookie nor token."""
        if scope["path"] in _OPEN:
            return None
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if scope["method"] in SAFE and any(name == "token" and self._right(value) for name, value in query):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            place = quote(scope["path"], safe="/") + (f"?{rest}" if rest else "")
            response = RedirectResponse(place, status_code=303)
            response.set_cookie(_cookie(headers), self._token, httponly=True, samesite="strict")
            return response
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        if self._right(bearer):
            return None
        cookies = cookie_parser(headers.get("cookie", ""))
        if not self._right(cookies.get(_cookie(headers), "")):
            return refused(403, "this front is its owner's", "Open the address that `carddb serve` printed.")
        return None

    def most_bytes(self, scope: Scope) -> int:
        """The most bytes of a request on one's own machine."""
        return _OWN_BODY

    def seconds(self, scope: Scope) -> float | None:
        """None: one's own requests have no worker."""
        return None

    def note(self, scope: Scope, status: int) -> None:
        """Nothing follows from it."""

    def _right(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())


def _cookie(headers: Headers) -> str:
    """The cookie's name: cookies know no port, and two fronts may run side by side."""
    return f"carddb_{urlsplit('//' + headers.get('host', '')).port or 80}"
