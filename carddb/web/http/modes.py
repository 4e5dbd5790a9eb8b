"""Errors with an HTTP status, the access modes of a server (owner, public, event), and what outlasts a restart."""

from __future__ import annotations

import hmac
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from pydantic import BaseModel, ConfigDict, Field
from starlette.datastructures import Headers
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from carddb.app.events.entries import MOST_BYTES
from carddb.app.events.tournament import CODE_MINUTES, MOST_PLAYERS, clean_code, new_code, token_hash
from carddb.app.tables.tables import MOST_TABLES
from carddb.core.cache import LruCache, is_ours
from carddb.core.errors import CarddbError, InputError, OutputError, UsageError
from carddb.core.files import read_file, settings_folder, write_file

_MOST_BYTES = 65_536


class _Stored(BaseModel):
    """A server as stored: its key, the hash of the secret with which sessions began, and when each session ends.

    `ends` maps the hash of each session's cookie to a time in seconds since 1970.
    """

    model_config = ConfigDict(strict=True, extra="forbid")
    key: Annotated[str, Field(min_length=32)]
    secret: str = ""
    ends: dict[str, float] = {}


def memory_path(catalogue: Path) -> Path | None:
    """Returns the path of a server's file for a catalogue, in the user's settings; None if there is no home folder.

    It is not beside the catalogue, because a project that comes from somebody else could bring a key that they know.
    """
    folder = settings_folder()
    return folder / "servers" / f"{sha256(str(catalogue.absolute()).encode()).hexdigest()}.json" if folder else None


class Memory:
    """The key and the sessions of a server, in a file that only its user can read.

    Without a path, or if others may write to its folder, key and sessions last for one run.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        if path:
            with suppress(OSError):
                path.parent.mkdir(0o700, parents=True, exist_ok=True)
            self._path = path if is_ours(path.parent) else None
        stored = self._read()
        self._stored = stored or _Stored(key=token_urlsafe(24))
        if stored is None:
            self._write()

    def token(self, purpose: str) -> str:
        """Returns the token for `purpose`, which stays the same after a restart and reveals no other token."""
        return hmac.new(self._stored.key.encode(), purpose.encode(), "sha256").hexdigest()

    def sessions(self, secret: str) -> dict[str, float]:
        """Returns the end of each session, in seconds since 1970, by its cookie's hash; none for another `secret`."""
        return dict(self._stored.ends) if self._stored.secret == secret else {}

    def keep_sessions(self, secret: str, ends: dict[str, float]) -> None:
        """Replaces the stored sessions by `ends`, as in `sessions`; `secret` is the hash of their secret."""
        self._stored = _Stored(key=self._stored.key, secret=secret, ends=ends)
        self._write()

    def _read(self) -> _Stored | None:
        """Returns the content of the file; None if there is no file, or if it has another structure."""
        with suppress(OSError, ValueError, InputError):
            return _Stored.model_validate_json(read_file(self._path, _MOST_BYTES)) if self._path else None
        return None

    def _write(self) -> None:
        if self._path:
            with suppress(OSError, OutputError):
                self._path.touch(0o600)  # a file that is rewritten keeps its permissions
                write_file(self._path, self._stored.model_dump_json().encode())


class HttpError(CarddbError):
    """An error that the server answers with `status`; the default 503 means that the client may try again later."""

    status = 503

    def __init__(self, message: str, remedy: str = "", status: int = 0) -> None:
        super().__init__(message, remedy)
        if status:
            self.status = status


class Unknown(HttpError):
    """The error for a URL that names something that does not exist."""

    status = 404


class Forbidden(HttpError):
    """The error for a request that this server does not allow to its sender."""

    status = 403


@contextmanager
def unknown() -> Iterator[None]:
    """In a `with` statement, raises Unknown for UsageError, so that an unknown name is answered 404, not 400."""
    try:
        yield
    except UsageError as fault:
        raise Unknown(fault.message, fault.remedy) from fault


def text_bytes(text: str) -> bytes:
    """Encodes text as UTF-8, with a lone surrogate as an escape that JSON reads as the same surrogate."""
    return text.encode("utf-8", "backslashreplace")


def refused(status: int, error: str, remedy: str, headers: Mapping[str, str] | None = None) -> Response:
    """Answers with an error and its remedy as JSON."""
    text = json.dumps({"error": error, "remedy": remedy}, ensure_ascii=False, separators=(",", ":"))
    return Response(text_bytes(text), status, headers, media_type="application/json")


SAFE = ("GET", "HEAD")
_OPEN = ("/healthz", "/static/style.css", "/static/skin.css", "/static/mark.svg")
_OPEN_FONTS = "/static/fonts/"
"""Paths that need no token: health, and the look of a refusal, which is the same everywhere."""
_OWN_BODY, _PUBLIC_BODY = 32_000_000, 1_000_000


class ServerMode:
    """Decides which requests a server answers, after host and origin were checked, and how large they may be.

    This base class is the mode of a public server, on which every request may pass.
    """

    def __init__(self) -> None:
        self.begun = Rate(_MOST_BEGUN, seconds=_DAY)

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Returns the refusal of a request; None if the request may pass."""
        if _begins(scope) and self.begun.is_full(client_of(scope)):
            remedy = "Go on with one of them, or begin another tomorrow."
            return refused(503, "too many tables were begun from your address", remedy, _LATER)
        return None

    def most_bytes(self, scope: Scope) -> int:
        """Returns the greatest size of a request's body in bytes."""
        return _PUBLIC_BODY

    def seconds(self, scope: Scope) -> float | None:
        """Returns the seconds that the worker may take for a request; None for the default."""
        return None

    def note(self, scope: Scope, status: int) -> Response | None:
        """Notes the status of the worker's answer. Returns an answer to send instead of it, or None."""
        if _begins(scope) and status == 303:
            self.begun.note(client_of(scope))
        return None

    def client(self, scope: Scope) -> str:
        """Returns the name under which a request waits for the worker; empty for a client that is always next."""
        return client_of(scope)


class OwnerMode(ServerMode):
    """The mode of the owner's own server, on which only the owner's browsers and programs pass.

    A program sends `token`. A browser opens an address with a token that works once, and gets the secret `cookie` in
    exchange. The cookie outlives the server, so that an open browser stays signed in.
    """

    def __init__(self, token: str, cookie: str) -> None:
        super().__init__()
        self._token, self._cookie = token, cookie
        self._entries = {token}

    def entry(self) -> str:
        """Returns a new token for the address that one browser opens."""
        token = token_urlsafe(24)
        self._entries.add(token)
        return token

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Exchanges a token in the URL for a cookie by a redirect. Refuses requests with neither token nor cookie."""
        if scope["path"] in _OPEN or scope["path"].startswith(_OPEN_FONTS):
            return None
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        cookie = cookie_parser(headers.get("cookie", "")).get(cookie_name(headers, "carddb"), "")
        # A browser sends a cookie to every port of a host, even for pages of other programs there.
        is_own_page = headers.get("sec-fetch-site", "none") in ("none", "same-origin")
        is_known = _equal(bearer, self._token) or (_equal(cookie, self._cookie) and is_own_page)
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        tokens = {value for name, value in query if name == "token"} if scope["method"] == "GET" else set()
        entered = {entry for entry in self._entries for token in tokens if _equal(token, entry)}
        self._entries -= entered
        if entered or (tokens and is_known):
            rest = urlencode([(name, value) for name, value in query if name != "token"])
            # Two strokes at the beginning would be the name of another host.
            place = "/" + quote(scope["path"].lstrip("/"), safe="/") + (f"?{rest}" if rest else "")
            response: Response = RedirectResponse(place, status_code=303)
            if not is_own_page:
                # From a file, a redirect would still count as opened by another page, and not send the cookie.
                response = Response(headers={"Refresh": f"0; url={place}"})
            response.set_cookie(cookie_name(headers, "carddb"), self._cookie, httponly=True, samesite="strict")
            return response
        if is_known:
            return None
        remedy = "Open the address that carddb printed; it works in one browser, so start carddb again for another."
        return refused(403, "this browser has no access to these pages", remedy)

    def most_bytes(self, scope: Scope) -> int:
        return _OWN_BODY


def _equal(text: str, secret: str) -> bool:
    """Returns True if two texts are equal. The time that it takes reveals nothing."""
    return hmac.compare_digest(text.encode(), secret.encode())


SESSION_HOURS = 8
_MOST_SESSIONS, _MOST_LINKS = 20, 2000
_DESK_BODY, _PLAYER_BODY = 10_000_000, MOST_BYTES + 20_000
"""The most bytes of a request from the organiser, who may upload many decks at once, and from a player."""
_DESK_SECONDS = 120.0
_MOST_FAULTS, _MOST_WRITES, _MINUTE = 30, 30, 60.0
"""The most in a minute: refused requests from one IP address, and forms sent with one player's link."""
_MOST_TRIES, _MOST_TRIES_OF_ONE = 100, 5
"""The number of wrong tries after which a code for signing in ends: from all IP addresses together, and from one."""
_MOST_JOINED, _MOST_BEGUN, _DAY = MOST_PLAYERS // 2, MOST_TABLES // 2, 86_400.0
"""The most from one IP address in a day, half of what a server has room for: new players, and new tables."""
_LATER = {"Retry-After": "60"}
_OPEN_AT_EVENTS = ("/", "/healthz", "/sign-in", "/favicon.ico", "/standings", "/standings.json")
_ROOMS_AT_EVENTS = (
    "/static/",
    "/skins/",
    "/check/",
    "/cards/",
    "/build/",
    "/bans/",
    "/rules/",
    "/referee/",
    "/handbook/",
    "/api/v1/faces/",
)
PLAYER, JOIN, _BEGIN = "/p/", "/join/", "/tables/begin/"


class Sessions:
    """The organisers' sessions, which end after `SESSION_HOURS`, or when the event gets another secret.

    Only hashes of cookies are kept. `secret` is the hash of the organiser's secret.
    """

    def __init__(self, memory: Memory | None = None, secret: str = "", clock: Callable[[], float] = time.time) -> None:
        self._ends: LruCache[str, float] = LruCache(_MOST_SESSIONS)
        self._memory, self._secret, self._clock = memory or Memory(None), secret, clock
        for cookie, end in self._memory.sessions(secret).items():
            self._ends.put(cookie, end)

    def begin(self) -> str:
        """Begins a session and returns its cookie. If there are too many, the session unused for longest ends."""
        token = token_urlsafe(24)
        self._ends.put(token_hash(token), self._clock() + SESSION_HOURS * 3600)
        self._keep()
        return token

    def holds(self, token: str) -> bool:
        """Returns True if `token` is the cookie of a session that has not ended."""
        return (self._ends.find(token_hash(token)) or 0.0) > self._clock()

    def end(self, token: str) -> None:
        """Ends the session with this cookie."""
        self._ends.pop(token_hash(token))
        self._keep()

    def _keep(self) -> None:
        self._memory.keep_sessions(self._secret, {cookie: self._ends.find(cookie) or 0.0 for cookie in [*self._ends]})


class Rate:
    """A limit on how often something may happen in `seconds`, for each key. Only a limited number of keys is kept."""

    def __init__(self, most: int, clock: Callable[[], float] = time.monotonic, seconds: float = _MINUTE) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._moments: LruCache[str, list[float]] = LruCache(1000)

    def note(self, key: str) -> None:
        """Counts one event for `key` now."""
        self._moments.put(key, [*self._recent(key), self._clock()])

    def is_full(self, key: str) -> bool:
        """Returns True if the limit for `key` is reached."""
        return len(self._recent(key)) >= self._most

    def _recent(self, key: str) -> list[float]:
        since = self._clock() - self._seconds
        return [moment for moment in self._moments.find(key) or () if moment > since]


class SignInCode:
    """A short code with which the organiser signs in on one more device, once and within `CODE_MINUTES`.

    There is one code at a time. It ends after many wrong tries, and a client that was wrong several times has to wait.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._code, self._end, self._left, self._clock = "", 0.0, 0, clock
        self._wrong = Rate(_MOST_TRIES_OF_ONE, clock, CODE_MINUTES * 60)

    def make(self) -> str:
        """Makes and returns a new sign-in code, such as `k7m-2np`; the previous one no longer works."""
        self._code, self._end, self._left = new_code(6), self._clock() + CODE_MINUTES * 60, _MOST_TRIES
        return f"{self._code[:3]}-{self._code[3:]}"

    def take(self, text: str, client: str) -> bool:
        """Returns True if `text` is the code, which ends then. Raises HttpError if the client was wrong too often."""
        if self._wrong.is_full(client):
            remedy = f"Use the secret, or wait {CODE_MINUTES} minutes."
            raise HttpError("too many wrong codes came from your address", remedy)
        is_valid = self._left > 0 and self._clock() < self._end
        if is_valid and _equal(clean_code(text), self._code):
            self._left = 0
            return True
        self._left -= 1
        self._wrong.note(client)
        return False


class EventMode(ServerMode):
    """The mode of a server for one event: organisers use the desk, players their links.

    Everybody may look at cards, rules and ban lists, check decks and ask the referee. All else is answered 403.
    """

    def __init__(self, key: str, memory: Memory | None = None, secret: str = "") -> None:
        super().__init__()
        self.desk = f"/events/{key}"
        self.sessions = Sessions(memory, secret)
        self.code = SignInCode()
        self.faults = Rate(_MOST_FAULTS)
        self.writes = Rate(_MOST_WRITES)
        self.joined = Rate(_MOST_JOINED, seconds=_DAY)
        self._good: LruCache[str, bool] = LruCache(_MOST_LINKS)
        """Links and codes that the worker knew."""

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        path = scope["path"]
        if self.is_organiser(headers) and (self.is_desk(path) or path.startswith("/sign-out")):
            return None
        if path in _OPEN_AT_EVENTS or f"{path}/".startswith(_ROOMS_AT_EVENTS):
            return None
        if link := _link_in(scope):
            if scope["method"] == "POST" and path.startswith(PLAYER):  # counted even if it fails
                if self.writes.is_full(link):
                    message = f"this link sent more than {_MOST_WRITES} forms within a minute"
                    return refused(503, message, "Wait a minute, and send the form again.", _LATER)
                self.writes.note(link)
            elif scope["method"] == "POST" and self.joined.is_full(client_of(scope)):
                message = "too many players registered from your address"
                return refused(503, message, "Ask the organiser for a link.", _LATER)
            return None
        if self.is_desk(path) and wants_page(scope):  # 307 brings what was typed along
            then = RedirectResponse(f"/sign-in?{urlencode({'then': path})}", 303 if scope["method"] in SAFE else 307)
            return self._counted(scope) or then
        words = "this page is not open to you", "Open your own link; organisers sign in at /sign-in."
        return self._counted(scope) or refused(403, *words)

    def most_bytes(self, scope: Scope) -> int:
        return _DESK_BODY if self.is_organiser(Headers(scope=scope)) else _PLAYER_BODY

    def seconds(self, scope: Scope) -> float | None:
        """Returns more seconds for the desk, which prints and checks all lists; None, the default, for others."""
        return _DESK_SECONDS if scope["path"].startswith(self.desk) else None

    def note(self, scope: Scope, status: int) -> Response | None:
        """Counts a request that was refused because its link or code is wrong, and notes a right link or code.

        Right ones pass whatever was refused before, because nobody can guess them. Returns a refusal after too many
        wrong ones, otherwise None.
        """
        link = _link_in(scope)
        if status == 403:
            self._good.pop(link)
            return self._counted(scope)
        if status < 400 and link:
            self._good.put(link, True)
        if status == 303 and link.startswith(JOIN):
            self.joined.note(client_of(scope))
        return None

    def _counted(self, scope: Scope) -> Response | None:
        """Counts a refused request. Returns a refusal if there were too many from its address, otherwise None."""
        client = client_of(scope)
        if self.faults.is_full(client):
            return refused(503, "too many requests from your address were refused", "Try again in a minute.", _LATER)
        self.faults.note(client)
        return None

    def client(self, scope: Scope) -> str:
        """Returns a player's link if it is known, otherwise the address; empty for the organiser, always next."""
        if self.is_organiser(Headers(scope=scope)):
            return ""
        link = _link_in(scope)
        return link if link.startswith(PLAYER) and self._good.find(link) else client_of(scope)

    def is_desk(self, path: str) -> bool:
        """Returns True if a path is one of the desk's pages."""
        return path == self.desk or path.startswith(f"{self.desk}/")

    def is_organiser(self, headers: Headers) -> bool:
        """Returns True if a request carries the cookie of an organiser's session."""
        return self.sessions.holds(session_cookie(headers))


def _begins(scope: Scope) -> bool:
    """Returns True if a request begins a table."""
    return scope["method"] == "POST" and str(scope["path"]).startswith(_BEGIN)


def _link_in(scope: Scope) -> str:
    """Returns the beginning of the path with a link or code, `/p/SECRET` or `/join/CODE`; empty for other paths."""
    path: str = scope["path"]
    return "/".join(path.split("/")[:3]) if path.startswith((PLAYER, JOIN)) else ""


def wants_page(scope: Scope) -> bool:
    """Returns True if a browser asks for a page, False if a script or another program asks for data."""
    return "text/html" in Headers(scope=scope).get("accept", "") and not scope["path"].startswith("/api/")


def client_of(scope: Scope) -> str:
    """Returns the IP address that a request comes from; empty if unknown."""
    client = scope.get("client")
    return str(client[0]) if client else ""


def cookie_name(headers: Headers, kind: str = "carddb_desk") -> str:
    """Returns the name of a cookie. It has the port, because cookies do not distinguish two servers on one host."""
    return f"{kind}_{urlsplit('//' + headers.get('host', '')).port or 80}"


def session_cookie(headers: Headers) -> str:
    """Returns the value of the session cookie; empty if there is none."""
    return cookie_parser(headers.get("cookie", "")).get(cookie_name(headers), "")


def form_token(secret: str, credential: str) -> str:
    """Returns the token of forms on pages that were opened with `credential`, a session cookie or a link."""
    return hmac.new(secret.encode(), credential.encode("utf-8", "replace"), sha256).hexdigest()
