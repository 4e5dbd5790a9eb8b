"""What an event costs: `python -m tests.benchmarks.events`.

Two hundred decks checked again after an announcement, and two hundred players who register and hand in from eight
phones at once, over HTTP with the worker's limits. Times of the clock, so the machine has to be idle.
"""

from __future__ import annotations

import http.client
import re
import socket
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import urlencode, urlsplit

from carddb.app.events.entries import file_deck, recheck, submit_all
from carddb.app.events.tournament import new_event, open_events
from carddb.door import Project
from carddb.events.store import EventTerms
from tests.benchmarks.timing import ENVIRONMENT

DECKS = sorted((Path(__file__).parents[2] / "carddb" / "games" / "cahrd" / "decks").glob("*.deck"))
PLAYERS, PHONES = 200, 8
TERMS = EventTerms("Cup", "cahrd", None, date(2099, 6, 20), datetime(2099, 6, 19, tzinfo=UTC), "UTC")


def rechecked(folder: Path) -> tuple[float, float]:
    """The seconds in which the desk takes all decks, and in which it checks them again."""
    project, texts = Project(folder), [path.read_text("utf-8") for path in DECKS]
    with open_events(project) as events:
        event = new_event(project, events, TERMS, "dropped")
        decks = [file_deck(f"{n}.deck", f"{texts[n % len(texts)]}\n# {n}".encode()) for n in range(PLAYERS)]
        begin = time.perf_counter()
        submit_all(event, decks)
        middle = time.perf_counter()
        assert recheck(event).decks == PLAYERS
        return middle - begin, time.perf_counter() - middle


class Phone:
    """A player's browser without script."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def post(self, path: str, **fields: str) -> str:
        """Sends the form of a page, and gives the address where the answer leads."""
        page = self._ask("GET", path).decode()
        token = re.search(r'name="form_token" value="([^"]+)"', page)
        assert token, page
        self._ask("POST", path, urlencode({"form_token": token[1], **fields}))
        return self.place

    def _ask(self, method: str, path: str, body: str | None = None) -> bytes:
        headers = {"Content-Type": "application/x-www-form-urlencoded"} if body else {}
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        self.place = answer.headers.get("location", "")
        data = answer.read()
        assert answer.status == (303 if body else 200), data
        return data


def submitted(folder: Path) -> float:
    """The seconds in which all players have registered and handed in."""
    with open_events(Project(folder)) as events:
        new_event(Project(folder), events, TERMS, "submitted")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "carddb", "serve", "--event", "submitted", "--port", str(port)]
    with subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        join = next(line.split()[-1] for line in process.stdout if "/join/" in line)
        text = DECKS[0].read_text("utf-8")

        def hand_in(number: int) -> None:
            phone = Phone(port)
            page = phone.post(urlsplit(join).path, name=f"Player {number}")
            phone.post(page, deck=f"{text}\n# {number}", seen="0")

        try:
            begin = time.perf_counter()
            with ThreadPoolExecutor(PHONES) as phones:
                list(phones.map(hand_in, range(PLAYERS)))
            return time.perf_counter() - begin
        finally:
            process.terminate()


def main() -> None:
    """Prints the figures."""
    with tempfile.TemporaryDirectory() as name:
        first, again = rechecked(Path(name))
        print(f"{PLAYERS} decks, handed in by the desk: {first:.1f} s\nthe same, checked again: {again:.1f} s")
        print(f"{PLAYERS} players, registered and handed in over HTTP: {submitted(Path(name)):.1f} s")


if __name__ == "__main__":
    main()
