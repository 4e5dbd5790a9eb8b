"""The browser front, without a server: bodies of the API, forms and addresses of the pages, uploads, the studio."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlencode

from starlette.types import ASGIApp, Message

from carddb.cli.main import run
from carddb.games import folders
from carddb.web.http.front import Front, FrontOptions
from carddb.web.http.guard import FORM_FIELD
from carddb.web.http.modes import form_token
from carddb.web.server.application import application
from tests.hostile.file_surfaces import questions
from tests.hostile.surface import DONE, LANTERNS, REFUSED, TOLD, Bench, open_project

FORM, _JSON = b"application/x-www-form-urlencoded", b"application/json"
_UPLOAD = b"multipart/form-data; boundary=B"
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
    return Bench(seeds, None, answerer(_JSON))


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
    return Bench(seeds, None, answerer(FORM))


def uploads(_folder: Path) -> Bench:
    """Forms with files: decks as text, table, XML and JSON, and cards that somebody owns."""
    deck = folders()["cahrd"].decks[0]
    files = {"d.deck": deck.read_bytes()}
    for name in ("d.csv", "d.cod", "d.json"):
        run(["-q", "decks", "convert", str(deck), "-o", name])
        files[name] = Path(name).read_bytes()
    own = ("own.csv", b"ref,count\nCAH-001,3\nCAH-002,1\n")
    seeds = [
        *(_upload("POST /check", {"game": "cahrd", "on": "2026-06-20"}, {"file": pair}) for pair in files.items()),
        *(_upload("POST /print/deck", {"game": "cahrd"}, {"file": pair}) for pair in files.items()),
        _upload("POST /print", {"game": "cahrd", "deck": _DECK}, {"owned": own}),
        _upload("POST /print/components", {"game": "guarda"}, {"file": ("d.deck", files["d.deck"])}),
    ]
    return Bench(seeds, None, answerer(_UPLOAD))


def studio(_folder: Path) -> Bench:
    """What changes the cards of a studio: cells, new cards, choices, storing."""
    shutil.copytree(LANTERNS, "lanterns", dirs_exist_ok=True)
    Path("carddb.toml").write_text('games = ["lanterns"]\ngame = "lanterns"\n', "utf-8")
    run(["-q", "load", "lanterns/cards.csv", "--game", "lanterns"])
    own = {"game": "lanterns", "ref": "L-01"}
    cells = json.dumps([["L-01", "name", "Lamp"], ["L-02", "light", "7"], ["L-03", "colours", "white; blue"]])
    new = {
        "ref": "L-90",
        "file": "lanterns/cards.csv",
        "field.name": "New lamp",
        "field.type": "lantern",
        "field.light": "2",
    }
    seeds = [
        _request("GET /studio?game=lanterns&card=L-01"),
        _request("GET /studio/state?game=lanterns"),
        _request("POST /studio/edit", urlencode({"game": "lanterns", "cells": cells})),
        _request("POST /studio/edit", urlencode({**own, "field.name": "A", "field.light": "x"})),
        _request("POST /studio/add", urlencode({**own, **new})),
        _request("POST /studio/choose", urlencode({**own, "field": "name", "which": "drop"})),
        _request("POST /studio/store", urlencode(own)),
    ]
    return Bench(seeds, None, answerer(FORM))


def _upload(line: str, fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]]) -> bytes:
    """A form with files, without its last line: the token follows."""
    parts = [(f'name="{name}"', text.encode()) for name, text in fields.items()]
    parts += [(f'name="{name}"; filename="{file}"', data) for name, (file, data) in files.items()]
    body = b"".join(_part(head, data) for head, data in parts)
    return line.encode() + b"\n" + body


def _part(head: str, data: bytes) -> bytes:
    return f"--B\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + data + b"\r\n"


def _request(line: str, body: str = "") -> bytes:
    return f"{line}\n{body}".encode()


def _question(line: bytes) -> bytes:
    question = json.loads(line)
    return _request(f"POST /api/v1/judge/{question['op']}", json.dumps(question["input"]))


def answerer(media_type: bytes) -> Callable[[bytes], str]:
    """Puts requests to a front of the working folder; an answer of 500 raises Broken."""
    front = Front(open_project(), FrontOptions())
    app, runner = application(front), asyncio.Runner()
    headers = [
        (b"host", b"localhost"),
        (b"content-type", media_type),
        (b"authorization", f"Bearer {front.token}".encode()),
    ]

    def end(path: bytes) -> bytes:
        """Returns the end of a body: the token of the pages' forms; those of events have their own."""
        own = (form_token(front.form_token, "") if path.startswith(b"/events/") else front.form_token).encode()
        if media_type == _UPLOAD:
            return _part(f'name="{FORM_FIELD}"', own) + b"--B--\r\n"
        return f"&{FORM_FIELD}=".encode() + own if media_type == FORM else b""

    def direct(data: bytes) -> str:
        line, _, body = data.partition(b"\n")
        method, _, address = line.partition(b" ")
        path, _, query = address.partition(b"?")
        scope: dict[str, object] = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http",
            "method": "POST" if method == b"POST" else "GET", "path": path.decode("utf-8", "replace"), "raw_path": path,
            "query_string": query, "headers": headers,
        }  # fmt: skip
        begin, answer = runner.run(answered(app, scope, body + end(path)))
        status = begin["status"]
        if status >= 500:
            raise Broken(f"{status} {answer[:250].decode('utf-8', 'replace')}")
        return DONE if status < 400 else TOLD if status == 422 else REFUSED

    return direct


async def answered(app: ASGIApp, scope: dict[str, object], body: bytes) -> tuple[Message, bytes]:
    """The beginning of the answer to a request, with status and headers, and its body."""
    messages: Iterator[Message] = iter([{"type": "http.request", "body": body, "more_body": False}])
    sent: list[Message] = []

    async def next_message() -> Message:
        return next(messages, {"type": "http.disconnect"})

    async def keep(message: Message) -> None:
        sent.append(message)

    await app(scope, next_message, keep)
    begin, *parts = sent
    return begin, b"".join(part.get("body", b"") for part in parts)
