"""What a stranger may cost: time, bytes and patience are bounded; a server that is killed leaves whole files."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from threading import Barrier
from urllib.parse import parse_qs, urlencode, urlsplit

import psutil
import pytest
from starlette.types import Message

from carddb.cli.main import run
from carddb.core.errors import UsageError
from carddb.web import api
from carddb.web.http import front, guard
from carddb.web.http.front import FrontOptions, Turns
from carddb.web.http.worker import Worker, WorkerJob
from carddb.web.server import application
from carddb.web.server import serving as serving_module
from tests.rows import usually
from tests.web.front import Answer, Server, serving

pytestmark = pytest.mark.door

DECK = "Name: Roads\nGame: cahrd\n\n## Main\n4 Trebuchet\n1 Hanibal Barca\n"
CHECK = "/api/v1/check"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("public"), public=True) as running:
        yield running


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("own")) as running:
        yield running


@pytest.mark.full
def test_what_takes_too_long_is_ended_and_the_next_is_answered(public: Server) -> None:
    """A stranger's request ends at the limit of time with 400; the worker that was ended is followed by another."""
    worker = public.front.worker
    worker.answer(WorkerJob({"type": "http", "method": "GET", "path": "/healthz", "headers": [], "query_string": b""}))
    patience, worker.seconds = worker.seconds, 0.0
    late = public.ask("/api/v1/judge/guarda.simulate", {"seed": 1, "max_turns": 10_000})
    worker.seconds = patience
    assert late.status == 400 and "too much time" in late.json()["error"] and late.json()["remedy"]
    assert public.ask(CHECK, {"deck": DECK}).status == 200


@pytest.mark.skipif(os.name != "posix", reason="a process is stopped as on POSIX")
def test_work_of_clients_that_went_away_is_given_up(public: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those that wait leave their places to others, and the process that worked for nobody is ended."""
    monkeypatch.setattr(application, "GRACE", 0.0)
    monkeypatch.setattr(public.front.worker, "seconds", 600.0)
    assert public.ask(CHECK, {"deck": DECK}).status == 200
    stopped = public.front.worker._process
    assert stopped is not None
    os.kill(stopped.pid, signal.SIGSTOP)  # it works at the first request without an end
    clients: list[socket.socket] = []
    for count in (1, front._MOST_OF_ONE):
        for _ in range(count):
            clients.append(socket.create_connection(("127.0.0.1", public.port), timeout=30))
            clients[-1].sendall(_head(public, 2) + b"{}")
        _ask_until(public, len(clients))
    assert public.ask(CHECK, {"deck": DECK}).status == 503
    for client in clients[1:]:
        client.close()
    _ask_until(public, 1)
    assert psutil.pid_exists(stopped.pid)
    clients[0].close()
    assert public.ask(CHECK, {"deck": DECK}).status == 200
    assert not psutil.pid_exists(stopped.pid)


def _ask_until(server: Server, waiting: int) -> None:
    """Asks what the server answers without its worker, until so many others wait for that."""
    for _ in range(10_000):
        if server.front._waiting == waiting:
            return
        server.ask("/healthz")
    raise AssertionError(f"{server.front._waiting} are waiting, not {waiting}")


def test_waiting_work_is_done_in_turns() -> None:
    """Whoever asks again and again has one turn a round like each other client; the desk is always next."""
    done: list[str] = []

    async def one(turns: Turns, client: str, name: str) -> None:
        await turns.take(client)
        await asyncio.sleep(0)
        done.append(name)
        turns.end()

    async def evening() -> None:
        turns = Turns()
        names = [("a", "a1"), ("a", "a2"), ("a", "a3"), ("a", "gone"), ("b", "b1"), ("c", "c1"), ("", "desk")]
        tasks = [asyncio.create_task(one(turns, client, name)) for client, name in names]
        await asyncio.sleep(0)
        tasks[3].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert turns.count("a") == 0

    asyncio.run(evening())
    assert done == ["a1", "desk", "a2", "b1", "c1", "a3"]


def test_who_waits_for_most_makes_room() -> None:
    """Where no more may wait, a client that waits for fewer takes the last turn of the one that waits for most."""

    async def evening() -> None:
        turns = Turns()
        tasks = [asyncio.create_task(turns.take(client)) for client in ("a", "a", "a", "b", "")]
        await asyncio.sleep(0)
        assert turns.make_room("c", ValueError()) and not turns.make_room("c", ValueError())
        await asyncio.sleep(0)
        assert [task.done() and bool(task.exception()) for task in tasks] == [False, False, True, False, False]
        for _ in range(4):
            turns.end()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(evening())


def test_a_question_without_bound_is_refused(public: Server) -> None:
    """What an operation computes is bounded by its question: more than its most is bad input."""
    for operation, question, field in [
        ("guarda.simulate", {"seed": 1, "max_turns": 10**9}, "max_turns"),
        ("cahrd.opening_odds", {"deck_size": 10**9, "officers": 3}, "deck_size"),
    ]:
        answer = public.ask(f"/api/v1/judge/{operation}", question).json()
        assert (answer["ok"], answer["reason"], answer["path"]) == (False, "bad_input", field)


def test_a_worker_that_cannot_start_says_so(tmp_path: Path) -> None:
    """A faulty project is an error of the server, and no request waits for ever."""
    (tmp_path / "carddb.toml").write_text("games = 7\n", "utf-8")
    worker = Worker((tmp_path, {}, FrontOptions(public=True), ""))
    with pytest.raises(Exception, match="cannot start") as caught:
        worker.answer(WorkerJob({"type": "http"}))
    assert not isinstance(caught.value, UsageError)


@pytest.mark.full
def test_two_hundred_at_once_are_answered_or_told_to_come_again(public: Server) -> None:
    """Each of 200 checks gets its report, or 503 with a time to come again, also if all connect before one asks."""
    connected = Barrier(200)

    def check(_: int) -> Answer:
        return public.ask(CHECK, {"deck": DECK}, connected=connected.wait)

    with ThreadPoolExecutor(200) as clients:
        answers = list(clients.map(check, range(200)))
    reports = [answer for answer in answers if answer.status == 200]
    assert len({answer.body for answer in reports}) == 1
    for answer in answers:
        assert answer.status == 200 or (answer.status == 503 and int(answer.headers["retry-after"]) > 0)


@pytest.mark.parametrize("path", ["/check", CHECK])
@pytest.mark.full
def test_a_deck_of_ten_thousand_lines_is_checked(public: Server, path: str) -> None:
    """A deck of 10,000 lines, the most that are read, has its verdict, as a page and as JSON."""
    deck = "Game: cahrd\n\n## Main\n" + "1 Trebuchet\n" * 9_990
    is_page = path == "/check"
    body = urlencode({"deck": deck}).encode() if is_page else {"deck": deck}
    answer = public.ask(path, body, headers=FORM if is_page else None)
    assert answer.status == 200
    assert b"Not legal" in answer.body if is_page else answer.json()["verdict"] == "illegal"
    assert b"9990 copies" in answer.body


@pytest.mark.parametrize("kind", ["own", "public"])
def test_fifty_megabytes_are_refused_unread(kind: str, request: pytest.FixtureRequest) -> None:
    """An upload of 50 MB is 413 by its head alone: none of its body needs to come."""
    server: Server = request.getfixturevalue(kind)
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(_head(server, 50_000_000))
        assert line.recv(64).startswith(b"HTTP/1.1 413")


@usually("sent", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nGET /h"])
def test_a_request_that_does_not_come_ends_its_connection(
    public: Server, sent: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A connection without a request, or with a part of its head, also of the next one, is ended by the server."""
    monkeypatch.setattr(serving_module, "_HEAD_SECONDS", 0.05)
    with socket.create_connection(("127.0.0.1", public.port), timeout=30) as line:
        line.sendall(sent)
        with contextlib.suppress(ConnectionResetError):
            while line.recv(1000):
                pass


def test_connections_that_ask_nothing_make_room(public: Server) -> None:
    """While 500 connections are silent, or stop within a head, everybody else is answered."""
    with contextlib.ExitStack() as lines:
        for number in range(500):
            line = lines.enter_context(socket.create_connection(("127.0.0.1", public.port), timeout=30))
            with contextlib.suppress(ConnectionError):
                line.sendall(b"GET / HTTP/1.1\r\nX: " if number % 2 else b"")
            if number % 50 == 49:
                assert public.ask("/healthz").status == 200


@pytest.mark.parametrize(
    "head",
    ["Host: 127.0.0.1:99999999", "Host: 127.0.0.1:" + "9" * 4301, "Host: [::1", "Host: [", "Host: 127.0.0.1:٣"],
)
def test_a_host_that_cannot_be_is_refused(own: Server, head: str) -> None:
    """A port of too many figures and a bracket that does not close are another host, and no fault of the server."""
    with socket.create_connection(("127.0.0.1", own.port), timeout=30) as line:
        line.sendall(f"GET /check?token=x HTTP/1.1\r\n{head}\r\n\r\n".encode())
        assert line.recv(64).startswith(b"HTTP/1.1 400")


def test_a_websocket_is_refused(own: Server, capfd: pytest.CaptureFixture[str]) -> None:
    """A handshake gets an answer as any other request; where a server program brings websockets, it is closed."""
    keys = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13"
    with socket.create_connection(("127.0.0.1", own.port), timeout=30) as line:
        line.sendall(f"GET /check HTTP/1.1\r\nHost: 127.0.0.1\r\n{keys}\r\n\r\n".encode())
        assert line.recv(64).startswith(b"HTTP/1.1 403")
    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    async def connect() -> Message:
        return {"type": "websocket.connect"}

    asyncio.run(application.application(own.front)({"type": "websocket", "path": "/"}, connect, keep))
    assert sent == [{"type": "websocket.close", "code": 1008}]
    assert "Traceback" not in capfd.readouterr().err


def test_a_slow_client_keeps_nobody_waiting(public: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """While a body stops coming others are answered, and in the end it is 408."""
    with socket.create_connection(("127.0.0.1", public.port), timeout=30) as line:
        line.sendall(_head(public, 1000) + b'{"deck": ')
        assert public.ask(CHECK, {"deck": DECK}).status == 200
    monkeypatch.setattr(guard, "_PATIENCE", 0.01)
    with socket.create_connection(("127.0.0.1", public.port), timeout=30) as line:
        line.sendall(_head(public, 1000) + b'{"deck": ')
        assert line.recv(64).startswith(b"HTTP/1.1 408")


def test_a_fault_of_its_own_is_one_line_without_content(
    own: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unexpected exception is 500 with error and remedy; the log has its place, and nothing of the deck."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError("1 Hanibal Barca")

    monkeypatch.setattr(api, "check_deck", broken)
    answer = own.ask(CHECK, {"deck": DECK})
    assert answer.status == 500 and "ZeroDivisionError" in answer.json()["error"] and answer.json()["remedy"]
    assert answer.headers["content-security-policy"] == guard.POLICY
    (line,) = caplog.messages
    assert (
        line.startswith(f"POST {CHECK}: ZeroDivisionError at ") and "Hanibal" not in caplog.text + answer.body.decode()
    )


@pytest.mark.parametrize("path", ["/tables/0123-secret", "/tables/0123-secret/save?x=1", "/p/secret", "/join/secret"])
def test_an_access_log_opens_no_table_and_no_list(path: str, caplog: pytest.LogCaptureFixture) -> None:
    """A line of uvicorn's log has the beginning of a path, and not what opens it."""
    application.public_application()
    log = logging.getLogger("uvicorn.access")
    log.addHandler(caplog.handler)
    log.error('%s - "%s %s HTTP/%s" %d', "1.2.3.4:5", "GET", path, "1.1", 200)
    log.removeHandler(caplog.handler)
    assert "secret" not in caplog.text and path[:3] in caplog.text and "1.2.3.4:5" in caplog.text


def test_only_a_public_front_listens_to_others(capsys: pytest.CaptureFixture[str]) -> None:
    """`--host 0.0.0.0` without `--public` is misuse."""
    assert run(["serve", "--host", "0.0.0.0", "--port", "0", "--no-open"]) == 2
    assert "--public" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
@usually("options", [[], ["--public"]], ids=["own", "public"])
def test_the_first_line_is_the_address_and_ctrl_c_ends_it(tmp_path: Path, options: list[str]) -> None:
    """Standard output begins with the address; an interruption ends with 130 and without a traceback."""
    with started(tmp_path, *options) as (server, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/" + ("" if options else r"\?token=\S+"), address)
        assert _asked(address, "/healthz") == 200
        server.send_signal(signal.SIGINT)
        rest, errors = server.communicate(timeout=60)
    assert (server.returncode, rest, errors) == (130, "", "\ninterrupted\n")


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_a_server_that_is_killed_while_it_writes_leaves_the_catalogue_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SIGKILL while the catalogue is made, and while a print is remembered: it is whole, or is made again."""
    monkeypatch.chdir(tmp_path)
    for path, body in [("/api/v1/cards?q=war%3E4", None), ("/print/file", {"q": "CAH-091"})]:
        before = _sizes(tmp_path)
        with started(tmp_path) as (server, address), ThreadPoolExecutor(1) as client:
            asked = client.submit(_asked, address, path, body)
            while not asked.done() and _sizes(tmp_path) == before:
                pass
            server.kill()
        assert run(["-q", "cards", "war>4"]) == 0
        with closing(sqlite3.connect("carddb.db")) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


def _sizes(folder: Path) -> dict[str, int]:
    """The files of the catalogue and how long they are."""
    files = (folder / f"carddb.db{ending}" for ending in ("", "-journal", "-wal"))
    return {file.name: file.stat().st_size for file in files if file.exists()}


def _head(server: Server, length: int) -> bytes:
    """The head of a check with a body of so many bytes."""
    lines = [f"POST {CHECK} HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Content-Length: {length}"]
    lines += [f"Authorization: Bearer {server.front.token}", "", ""]
    return "\r\n".join(lines).encode()


@contextmanager
def started(folder: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`carddb serve` in a process of its own, and the address that it prints."""
    command = [sys.executable, "-c", _START, "serve", "--no-open", "--port", "0", *options]
    paths = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
    with subprocess.Popen(
        command, cwd=folder, env={**os.environ, "PYTHONPATH": paths}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        try:
            yield server, server.stdout.readline().strip()
        finally:
            server.kill()


_START = """\
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background it may be switched off
runpy.run_module("carddb", run_name="__main__", alter_sys=True)
"""


def _asked(address: str, path: str, form: dict[str, str] | None = None) -> int:
    """The status of a request as the owner; 0 where the server goes before it answers."""
    parts = urlsplit(address)
    token = parse_qs(parts.query).get("token", [""])[0]
    connection = HTTPConnection(parts.netloc, timeout=60)
    headers = {"Authorization": f"Bearer {token}"}
    try:
        if form is not None:
            connection.request("GET", "/print", headers=headers)
            page = connection.getresponse().read().decode()
            found = re.search(r'name="form_token" value="([^"]+)"', page)
            form = {**form, "form_token": found.group(1) if found else ""}
        connection.request(
            "GET" if form is None else "POST", path, urlencode(form) if form else None, {**headers, **FORM}
        )
        return connection.getresponse().status
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()
