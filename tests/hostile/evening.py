"""An evening with guests: forty players hand in lists to an event while others try to keep them from it."""

from __future__ import annotations

import http.client
import random
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from carddb.app.events.tournament import new_secret
from carddb.door import Project
from tests.app.events.samples import ILLEGAL, LEGAL, event_of
from tests.hostile.kills import environment
from tests.hostile.report import Row

WITH_GUESTS = "an evening with guests"
_PLAYERS, _MINUTES = 40, 1.5
_CONNECTIONS, _STREAMS = 200, 70
_PATIENCE = 30.0
"""Seconds on the clock after which a page is a disturbance, on a busy machine that does both sides."""
_FORM = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class _Evening:
    """The server, the event's addresses, and what came of the requests of players and guests."""

    port: int
    join: str
    desk: str
    secret: str
    end: float
    over: threading.Event = field(default_factory=threading.Event)
    seconds: dict[str, list[float]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    guests: Counter[str] = field(default_factory=Counter)

    def ask(self, client: str, path: str, form: Mapping[str, str] | None = None, cookie: str = "") -> _Answer:
        """One request by the client of an address, as a proxy on the same machine passes it on.

        A page is asked for again where its connection ended before the answer, as browsers do.
        """
        for _ in range(3 if form is None else 0):
            with suppress(ConnectionError):
                return self._asked(client, path, form, cookie)
        return self._asked(client, path, form, cookie)

    def _asked(self, client: str, path: str, form: Mapping[str, str] | None, cookie: str) -> _Answer:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)
        headers = {"X-Forwarded-For": client, "Accept": "text/html", **({"Cookie": cookie} if cookie else {})}
        try:
            body = urlencode(form) if form is not None else None
            connection.request("GET" if form is None else "POST", path, body, {**headers, **(_FORM if form else {})})
            answer = connection.getresponse()
            place, given = answer.headers.get("Location", ""), answer.headers.get("Set-Cookie", "").partition(";")[0]
            return _Answer(answer.status, answer.read(), place, given)
        finally:
            connection.close()

    def honest(
        self, what: str, client: str, path: str, form: Mapping[str, str] | None = None, cookie: str = ""
    ) -> bytes:
        """A request of somebody who means well, with its time; anything but its answer is a fault."""
        began = time.monotonic()
        try:
            answer = self.ask(client, path, form, cookie)
            if answer.status not in (HTTPStatus.OK, HTTPStatus.SEE_OTHER):
                self.faults.append(f"{what}: {answer.status} {_words(answer.body)}")
            return answer.place.encode() or answer.body
        except (OSError, http.client.HTTPException) as fault:
            self.faults.append(f"{what}: {fault!r}")
            return b""
        finally:
            self.seconds.setdefault(what, []).append(time.monotonic() - began)


@dataclass(frozen=True)
class _Answer:
    status: int
    body: bytes
    place: str
    cookie: str


def evening(name: str, seed: int) -> Row:
    """Players, the desk and one of each guest for some minutes: every page comes, and what it took is told.

    An evening of another name is one without guests, to compare the figures with.
    """
    row = Row("evening", name)
    with tempfile.TemporaryDirectory() as place, ExitStack() as stack:
        folder = Path(place)
        with event_of(Project(folder)) as (event, _):
            secret = new_secret(event)
        server = stack.enter_context(_served(folder, event.key))
        assert server.stdout is not None
        stack.callback(server.kill)
        port = urlsplit(server.stdout.readline().strip()).port
        assert port is not None
        shown = _Evening(
            port, f"/join/{event.join_code}", f"/events/{event.key}", secret, time.monotonic() + 60 * _MINUTES
        )
        pairs = [(_player, number) for number in range(_PLAYERS)]
        pairs += [
            (guest, number) for number, guest in enumerate((_organiser, *(_GUESTS if name == WITH_GUESTS else ())))
        ]
        threads = [threading.Thread(target=work, args=(shown, number, random.Random(f"{seed}/{number}")), daemon=True)
                   for work, number in pairs]  # fmt: skip
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if server.poll() is not None:
            row.faults.append(f"the server ended: {server.returncode}")
    for what, times in shown.seconds.items():
        for seconds in times:
            row.add("done", seconds)
        print(
            f"{what}: {len(times)}, median {statistics.median(times):.2f} s, slowest {max(times):.2f} s",
            file=sys.stderr,
        )
        row.faults += [f"{what}: {seconds:.1f} s" for seconds in times if seconds > _PATIENCE]
    row.ends["refused"] += sum(shown.guests.values())
    print(f"guests: {dict(shown.guests)}", file=sys.stderr)
    row.faults += shown.faults
    return row


def _served(folder: Path, key: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "carddb", "serve", "--no-open", "--port", "0", "--event", key]
    return subprocess.Popen(
        command, cwd=folder, env={**environment(folder), "PYTHONUNBUFFERED": "1"}, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip


def _words(page: bytes) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page.decode("utf-8", "replace")).split())[-200:]


def _token(page: bytes) -> str:
    found = re.search(rb'name="form_token" value="([^"]+)"', page)
    return found[1].decode() if found else ""


def _player(shown: _Evening, number: int, choose: random.Random) -> None:
    """Registers, hands in a list and another, prints it, and looks at it now and then."""
    client = f"10.1.0.{number}"
    shown.over.wait(choose.uniform(0, 20))
    page = shown.honest("join", client, shown.join)
    own = shown.honest(
        "register", client, shown.join, {"form_token": _token(page), "name": f"Player {number}"}
    ).decode()
    lists = (ILLEGAL, LEGAL, f"{LEGAL}\n1 Nobody")
    version = 0
    while time.monotonic() < shown.end and own.startswith("/p/"):
        page = shown.honest("a player's page", client, own)
        step = choose.random()
        if step < 0.25:
            text = f"{lists[version % 3]}\n# {version}"
            shown.honest(
                "a list handed in", client, own, {"form_token": _token(page), "deck": text, "seen": str(version)}
            )
            version += 1
        elif step < 0.3 and version:
            shown.honest("a player's PDF", client, f"{own}/list.pdf")
        shown.over.wait(choose.uniform(4, 16))


def _organiser(shown: _Evening, _: int, choose: random.Random) -> None:
    """Looks at the table all the time, and prints all lists."""
    client = "10.2.0.1"
    page = shown.ask(client, "/sign-in").body
    cookie = shown.ask(client, "/sign-in", {"form_token": _token(page), "secret": shown.secret}).cookie
    while time.monotonic() < shown.end:
        page = shown.honest("the desk", client, shown.desk, cookie=cookie)
        shown.over.wait(choose.uniform(2, 5))
    shown.honest(
        "all lists printed", client, f"{shown.desk}/print", {"form_token": _token(page), "paper": "a4"}, cookie
    )


def _silent(shown: _Evening, _: int, choose: random.Random) -> None:
    """Holds connections that ask nothing, half heads, and heads of a byte now and then."""
    lines: list[socket.socket] = []
    while time.monotonic() < shown.end:
        while len(lines) < _CONNECTIONS:
            with suppress(OSError):
                lines.append(socket.create_connection(("127.0.0.1", shown.port), timeout=5))
                lines[-1].sendall(choose.choice((b"", b"GET / HTTP/1.1\r\nX: ", b"G")))
                shown.guests["silent connections"] += 1
        for line in [*lines]:
            try:
                line.setblocking(False)
                line.send(b"a")
            except BlockingIOError:
                continue
            except OSError:
                lines.remove(line)
        shown.over.wait(1)
    for line in lines:
        line.close()


def _unread(shown: _Evening, _: int, choose: random.Random) -> None:
    """Asks for pages in many connections and reads none of the answers."""
    while time.monotonic() < shown.end:
        with ExitStack() as lines:
            for _number in range(_STREAMS):
                with suppress(OSError):
                    line = lines.enter_context(socket.create_connection(("127.0.0.1", shown.port), timeout=5))
                    line.sendall(
                        f"GET {shown.join} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Forwarded-For: 10.3.0.1\r\n\r\n".encode()
                    )
                    shown.guests["unread answers"] += 1
            shown.over.wait(choose.uniform(3, 6))


def _again(what: str, ask: Callable[[_Evening, random.Random], int]) -> Callable[..., None]:
    """Returns a guest that asks as often as he is answered."""

    def guest(shown: _Evening, _: int, choose: random.Random) -> None:
        while time.monotonic() < shown.end:
            try:
                status = ask(shown, choose)
            except (OSError, http.client.HTTPException):
                status = 0
            shown.guests[f"{what} {status}"] += 1
            shown.over.wait(0.01)

    return guest


def _wrong_link(shown: _Evening, choose: random.Random) -> int:
    return shown.ask("10.3.0.2", f"/p/{choose.randrange(1 << 60):x}").status


def _registration(shown: _Evening, choose: random.Random) -> int:
    form = {"form_token": _token(shown.ask("10.3.0.3", shown.join).body), "name": f"Guest {choose.randrange(1 << 40)}"}
    return shown.ask("10.3.0.3", shown.join, form).status


def _printer(shown: _Evening, _: int, choose: random.Random) -> None:
    """Hands in a list of unknown names, and asks for its PDF again and again, several at once."""
    client = "10.3.0.4"
    page = shown.ask(client, shown.join).body
    own = shown.ask(client, shown.join, {"form_token": _token(page), "name": "Printer"}).place
    unknown = "\n".join(f"1 {choose.randrange(1 << 60):x} {number}" for number in range(990))
    deck = {
        "form_token": _token(shown.ask(client, own).body),
        "deck": f"Game: cahrd\n\n## Main\n{unknown}",
        "seen": "0",
    }
    shown.ask(client, own, deck)
    printing = _again("PDF of 990 names", lambda shown, _: shown.ask(client, f"{own}/list.pdf").status)
    threads = [threading.Thread(target=printing, args=(shown, 0, choose), daemon=True) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


_GUESTS = (
    _silent, _unread, _printer, _again("a wrong link", _wrong_link),
    _again("a registration", _registration),
)  # fmt: skip
