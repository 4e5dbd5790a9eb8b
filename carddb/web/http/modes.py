"""Refusals as answers, and how a front is run: what may pass for its owner, for strangers, and at an event."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from secrets import token_urlsafe
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from carddb.app.events.entries import MOST_BYTES
from carddb.core.cache import LruCache
from carddb.core.errors import CarddbError, UsageError


class HttpError(CarddbError):
    """A request that the front does not serve; `status` is that of the answer, 503 where it may come again."""

    status = 503

    def __init__(self, message: str, remedy: str = "", status: int = 0) -> None:
        super().__init__(message, remedy)
        if status:
            self.status = status


class Unknown(HttpError):
    """An error: the thing that an address names is not there."""

    status = 404


class Forbidden(HttpError):
    """An error: this front does not do that for whoever asks."""

    status = 403


@contextmanager
def unknown() -> Iterator[None]:
    """Answers 404, not 400, where an address names something that is not there: UsageError becomes Unknown."""
    try:
        yield
    except UsageError as fault:
        raise Unknown(fault.message, fault.remedy) from fault


def text_bytes(text: str) -> bytes:
    """Encodes text as UTF-8; half a character (a lone surrogate) as an escape, which JSON reads as that half."""
    return text.encode("utf-8", "backslashreplace")


def refused(status: int, error: str, remedy: str, headers: Mapping[str, str] | None = None) -> Response:
    """Answers with what is wrong and what to do about it."""
    text = json.dumps({"error": error, "remedy": remedy}, ensure_ascii=False, separators=(",", ":"))
    return Response(text_bytes(text), status, headers, media_type="application/json")


SAFE = ("GET", "HEAD")
_OPEN = ("/healthz",)
"""The addresses that are answered without the token."""
_OWN_BODY, _PUBLIC_BODY = 32_000_000, 1_000_000


class Mode:
    """Says which requests a front answers, after host and origin are right, and how large they may be.

    This one is for strangers: everybody may pass.
    """

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Returns the answer to a request that may not pass; None for one that may."""
        return None

    def most_bytes(self, scope: Scope) -> int:
        """Returns the most bytes of a request."""
        return _PUBLIC_BODY

    def seconds(self, scope: Scope) -> float | None:
        """Returns the seconds that a request may take in the worker; None for the usual."""
        return None

    def note(self, scope: Scope, status: int) -> None:
        """Takes note of the status with which the worker has answered a request."""


class OwnerMode(Mode):
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
            response.set_cookie(cookie_name(headers, "carddb"), self._token, httponly=True, samesite="strict")
            return response
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        cookie = cookie_parser(headers.get("cookie", "")).get(cookie_name(headers, "carddb"), "")
        if self._right(bearer) or self._right(cookie):
            return None
        return refused(403, "this front is its owner's", "Open the address that `carddb serve` printed.")

    def most_bytes(self, scope: Scope) -> int:
        return _OWN_BODY

    def _right(self, token: str) -> bool:
        return hmac.compare_digest(token.encode(), self._token.encode())


SESSION_HOURS = 8
_MOST_SESSIONS = 20
_DESK_BODY, _PLAYER_BODY = 10_000_000, MOST_BYTES + 20_000
"""The most bytes of a request of the organiser, who drops many decks at once, and of a player."""
_DESK_SECONDS = 120.0
_MOST_FAULTS, _MOST_WRITES, _MINUTE = 30, 30, 60.0
"""Refused requests of one address, and lists handed in by one link, in a minute."""
_OPEN_AT_EVENTS = ("/", "/healthz", "/sign-in", "/favicon.ico")
PLAYER, JOIN = "/p/", "/join/"


class Sessions:
    """The sessions of organisers, some hours each. Only hashes of their cookies are kept, in memory alone."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._ends: LruCache[str, float] = LruCache(_MOST_SESSIONS)
        self._clock = clock

    def begin(self) -> str:
        """Returns the cookie of a new session; where there are too many, the one unused for longest ends."""
        token = token_urlsafe(24)
        self._ends.put(_digest(token), self._clock() + SESSION_HOURS * 3600)
        return token

    def holds(self, token: str) -> bool:
        """Returns true for the cookie of a session that has not ended."""
        return (self._ends.find(_digest(token)) or 0.0) > self._clock()

    def end(self, token: str) -> None:
        """Ends a session."""
        self._ends.pop(_digest(token))


class Rate:
    """A limit on how often something happens in a minute, by a key; the keys are bounded in number."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._clock = clock
        self._moments: LruCache[str, list[float]] = LruCache(1000)

    def note(self, key: str) -> None:
        """Counts that it has happened now."""
        self._moments.put(key, [*self._recent(key), self._clock()])

    def is_full(self, key: str) -> bool:
        """Returns true where it may not happen again yet."""
        return len(self._recent(key)) >= self._most

    def _recent(self, key: str) -> list[float]:
        since = self._clock() - _MINUTE
        return [moment for moment in self._moments.find(key) or () if moment > since]


class EventMode(Mode):
    """The mode of a front for one event: the desk, the links of players and registration pass, all else is 403."""

    def __init__(self, key: str) -> None:
        self.desk = f"/events/{key}"
        self.sessions = Sessions()
        self.faults = Rate(_MOST_FAULTS)
        self.writes = Rate(_MOST_WRITES)

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Returns the answer to a request that may not pass; None for one that may."""
        path = scope["path"]
        if self.is_organiser(headers) and (path == self.desk or path.startswith((f"{self.desk}/", "/sign-out"))):
            return None
        if path.startswith("/static/"):
            return None
        client = client_of(scope)
        if self.faults.is_full(client):
            return refused(503, "too many requests were refused", "Come again in a minute.", {"Retry-After": "60"})
        if path in _OPEN_AT_EVENTS or path.startswith((PLAYER, JOIN)):
            if scope["method"] == "POST" and path.startswith(PLAYER):  # what a link writes is counted, done or refused
                if self.writes.is_full(path):
                    return refused(503, "too many lists in a minute", "Wait a minute.", {"Retry-After": "60"})
                self.writes.note(path)
            return None
        self.faults.note(client)
        return refused(403, "this is not open to you", "Open your own link; organisers sign in at /sign-in.")

    def most_bytes(self, scope: Scope) -> int:
        """Returns the most bytes of a request."""
        return _DESK_BODY if self.is_organiser(Headers(scope=scope)) else _PLAYER_BODY

    def seconds(self, scope: Scope) -> float | None:
        """Returns the seconds that a request may take: the organiser prints and checks all lists at once."""
        return _DESK_SECONDS if scope["path"].startswith(self.desk) else None

    def note(self, scope: Scope, status: int) -> None:
        """Counts a link or a code that opened nothing."""
        if status == 403:
            self.faults.note(client_of(scope))

    def is_organiser(self, headers: Headers) -> bool:
        """Returns true for a request with the cookie of a session."""
        return self.sessions.holds(session_cookie(headers))


def client_of(scope: Scope) -> str:
    """Returns the address that a request comes from."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def cookie_name(headers: Headers, kind: str = "carddb_desk") -> str:
    """Returns the name of a cookie, with the port: cookies know none, and two fronts may run side by side."""
    return f"{kind}_{urlsplit('//' + headers.get('host', '')).port or 80}"


def session_cookie(headers: Headers) -> str:
    """Returns the value of the session's cookie; empty without one."""
    return cookie_parser(headers.get("cookie", "")).get(cookie_name(headers), "")


def form_token(secret: str, credential: str) -> str:
    """Returns the token of a form on a page that one session or one link has opened: of no use to any other."""
    return hmac.new(secret.encode(), credential.encode("utf-8", "replace"), sha256).hexdigest()


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
