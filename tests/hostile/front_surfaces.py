"""The browser front, without a server: bodies of the API, and forms and addresses of the pages."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message

from carddb.games import folders
from carddb.web.application import application
from carddb.web.front import Front, FrontOptions
from carddb.web.guard import FORM_FIELD
from tests.hostile.file_surfaces import questions
from tests.hostile.surface import DONE, REFUSED, TOLD, Bench, open_project

_FORM, _JSON = b"application/x-www-form-urlencoded", b"application/json"
_DECK = "Name: Roads\nGame: cahrd\n\n## Main\n4 Trebuchet\n1 Hanibal Barca\n"
_DRAFT = (
    "id: x1\nmade: 2026-11-01T12:00:00Z\neffective: 2026-11-20\nchanges:\n"
    "- {list: short, card: CAH-001, from: 0, to: 1, why: Strong.}\n"
)


class Broken(Exception):
    """The front answered with a fault of its own."""


def api(folder: Path) -> Bench:
    """Requests to the API: a line of method and address, then the body."""
    deck = folders()["cahrd"].decks[0].read_text("utf-8")
    seeds = [
        _request("GET /api/v1/games"),
        _request("GET /api/v1/cards?q=type%3Aofficer&game=cahrd&on=2026-06-20"),
        _request("GET /api/v1/cards/cahrd/CAH-001?on=2026-06-20"),
        _request("GET /api/v1/faces/cahrd/CAH-001.svg?side=front&lang=en"),
        _request("GET /api/v1/bans/short?on=2026-06-20&known_at=2026-06-20T12:00"),
        _request("POST /api/v1/check", json.dumps({"deck": deck, "game": "cahrd", "on": "2026-06-20", "options": {}})),
        _request("POST /api/v1/check", json.dumps({"deck": _DECK, "format": "short", "editions": [], "event": None})),
        _request("POST /api/v1/sheets", json.dumps({"deck": "Game: cahrd\n1 CAH-001\n", "allow_illegal": True,
                                                    "paper": "a4", "gutter": "2mm"})),
        *(_question(seed) for seed in questions(folder).seeds[::4]),
    ]  # fmt: skip
    return Bench(seeds, None, _answerer(_JSON))


def forms(_folder: Path) -> Bench:
    """Addresses and forms of the pages, with the token that a page's own forms carry."""
    deck = {"deck": _DECK, "game": "cahrd", "on": "2026-06-20"}
    seeds = [
        _request("GET /check?game=cahrd"),
        _request("GET /cards?q=type%3Aofficer&game=cahrd&page=1"),
        _request("GET /cards/cahrd/CAH-001"),
        _request("GET /referee/eg.resolve_attack?attackers=3"),
        _request("GET /bans/short?on=2026-06-20"),
        _request("GET /rules/guarda"),
        _request("GET /handbook/decks"),
        _request("GET /print?q=ref%3ACAH-001&game=cahrd&paper=a4"),
        _request("POST /check", urlencode(deck)),
        _request("POST /check", urlencode({**deck, "fix": "0:0", "other": _DECK, "hand": "5"})),
        _request("POST /check", urlencode({**deck, "more": "CAH-001:1", "option.allow_printed_s": "true"})),
        _request("POST /check/list", urlencode({**deck, "paper": "a4"})),
        _request("POST /print", urlencode({**deck, "gutter": "2mm", "allow_illegal": "1"})),
        _request("POST /bans/draft", urlencode({"text": _DRAFT, "game": "cahrd", "folder": "."})),
    ]
    return Bench(seeds, None, _answerer(_FORM))


def _request(line: str, body: str = "") -> bytes:
    return f"{line}\n{body}".encode()


def _question(line: bytes) -> bytes:
    question = json.loads(line)
    return _request(f"POST /api/v1/judge/{question['op']}", json.dumps(question["input"]))


def _answerer(media_type: bytes) -> Callable[[bytes], str]:
    """Puts requests to a front of the working folder; an answer of 500 raises Broken."""
    front = Front(open_project(), FrontOptions())
    app, runner = application(front), asyncio.Runner()
    headers = [
        (b"host", b"localhost"),
        (b"content-type", media_type),
        (b"authorization", f"Bearer {front.token}".encode()),
    ]
    token = f"&{FORM_FIELD}={front.form_token}".encode() if media_type == _FORM else b""

    def direct(data: bytes) -> str:
        line, _, body = data.partition(b"\n")
        method, _, address = line.partition(b" ")
        path, _, query = address.partition(b"?")
        scope = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
            "method": "POST" if method == b"POST" else "GET", "path": path.decode("utf-8", "replace"), "raw_path": path,
            "query_string": query, "headers": headers,
        }  # fmt: skip
        status, answer = runner.run(_answered(app, scope, body + token))
        if status >= 500:
            raise Broken(f"{status} {answer[:250].decode('utf-8', 'replace')}")
        return DONE if status < 400 else TOLD if status == 422 else REFUSED

    return direct


async def _answered(app: ASGIApp, scope: dict[str, object], body: bytes) -> tuple[int, bytes]:
    messages: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])
    sent: list[Message] = []

    async def next_message() -> Message:
        return next(messages, {"type": "http.disconnect"})

    async def keep(message: Message) -> None:
        sent.append(message)

    await app(scope, next_message, keep)
    begin, *parts = sent
    return begin["status"], b"".join(part.get("body", b"") for part in parts)
