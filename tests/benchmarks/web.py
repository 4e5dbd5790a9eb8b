"""What the browser front costs: `python -m tests.benchmarks.web`.

A deck checked over HTTP against in process; a gallery of sixty faces, cold and warm; checks a second with one and two
workers of a public front, and the share of the program that asks; the memory of a worker. Times of the clock, so the
machine has to be idle.
"""

from __future__ import annotations

import http.client
import json
import re
import resource
import socket
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from urllib.parse import urlencode

from carddb.app.decks.check import CheckRequest, check_deck
from carddb.door import Project
from tests.benchmarks.timing import ENVIRONMENT

DECK = Path(__file__).parents[2] / "carddb" / "games" / "cahrd" / "decks"
CHECKS, CLIENTS, FACES = 200, 4, 60


class Client:
    """A connection that stays open."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, path: str, body: object = None) -> bytes:
        """The body of an answer. Raises AssertionError for another than 200."""
        data = None if body is None else json.dumps(body).encode()
        self._connection.request("GET" if body is None else "POST", path, data)
        answer = self._connection.getresponse()
        text = answer.read()
        assert answer.status == 200, text
        return text


@contextmanager
def server(folder: Path, workers: int) -> Iterator[tuple[int, int]]:
    """A public front with so many workers: its port and its process."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    command = [sys.executable, "-m", "uvicorn", "carddb.web:app", "--port", str(port), "--workers", str(workers)]
    environment = {**ENVIRONMENT, "CARDDB_CATALOG": str(folder / "carddb.db"), "CARDDB_TABLES": str(folder / "tables")}
    with subprocess.Popen([*command, "--log-level", "error"], cwd=folder, env=environment) as process:
        try:
            _wait(port)
            yield port, process.pid
        finally:
            process.terminate()


def _wait(port: int) -> None:
    """Until the server answers."""
    while True:
        try:
            Client(port).ask("/healthz")
        except OSError:
            time.sleep(0.05)
        else:
            return


def seconds(job: Callable[[], object], times: int) -> float:
    """The median time of a job."""
    spent = []
    for _ in range(times):
        begin = time.perf_counter()
        job()
        spent.append(time.perf_counter() - begin)
    return median(spent)


def rate(port: int, deck: str) -> tuple[float, float]:
    """Checks a second with several clients, and the part of a processor that they take themselves."""

    def check(_: int) -> None:
        client = Client(port)
        for _ in range(CHECKS // CLIENTS):
            client.ask("/api/v1/check", {"deck": deck})

    before, begin = resource.getrusage(resource.RUSAGE_SELF), time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(check, range(CLIENTS)))
    wall, after = time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_SELF)
    return CHECKS / wall, (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / wall


def memory(process: int) -> str:
    """The megabytes that a process and all that it started hold for themselves, the most first (Linux)."""
    held = []
    for number in (process, *_children(process)):
        rows = Path(f"/proc/{number}/smaps_rollup").read_text("ascii")
        held.append(sum(int(size) for size in re.findall(r"^Private_\w+:\s+(\d+)", rows, re.M)) // 1024)
    return ", ".join(map(str, sorted(held, reverse=True)))


def _children(process: int) -> Iterator[int]:
    for task in Path(f"/proc/{process}/task").iterdir():
        for child in (task / "children").read_text("ascii").split():
            yield int(child)
            yield from _children(int(child))


TABLES = [
    ("solo", {"module": "generic-separate", "seed": "1"}),
    ("battle", {"deck_a": "rishar:the-long-wall.deck", "deck_b": "rishar:wolves-of-the-weald.deck", "seed": "1"}),
    ("playtest", {"deck_1": "cahrd:grain-roads.deck", "deck_2": "cahrd:walls-and-passes.deck", "seed": "1"}),
    ("playtest", {"deck_1": "guarda:five-by-five.deck", "seed": "1"}),
]


def tables(port: int) -> None:
    """Four tables begun, and the page of each looked at."""
    for kind, fields in TABLES:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", f"/tables/begin/{kind}", urlencode(fields), headers)
        answer = connection.getresponse()
        assert answer.status == 303, answer.read()
        Client(port).ask(answer.headers["location"])


def main() -> None:
    """Prints the figures."""
    deck = sorted(DECK.glob("*.deck"))[0].read_text("utf-8")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        project = Project(folder)
        request = CheckRequest(files=False)
        check_deck(project, deck, request)
        inside = seconds(lambda: json.dumps(check_deck(project, deck, request).to_json()), 40)
        told: dict[str, list[str]] = defaultdict(list)
        for workers in (1, 2):
            with server(folder, workers) as (port, process):
                client = Client(port)
                if workers == 1:
                    _one(client, deck, inside)
                rate(port, deck)
                checks, own = rate(port, deck)
                told["checks a second"].append(f"{checks:.0f}")
                told["processors taken by the clients of these"].append(f"{own:.2f}")
                if Path("/proc/self/smaps_rollup").exists():
                    told["megabytes by process"].append(memory(process))
                    tables(port)
                    told["the same with four tables open"].append(memory(process))
        for what, figures in told.items():
            print(what, *figures, sep="  ")


def _one(client: Client, deck: str, inside: float) -> None:
    """One client: a check beside one in process, and a gallery."""
    client.ask("/api/v1/check", {"deck": deck})
    outside = seconds(lambda: client.ask("/api/v1/check", {"deck": deck}), 40)
    print(f"a check over HTTP: {outside * 1000:.1f} ms\nthe same in process: {inside * 1000:.1f} ms")
    page = client.ask("/cards?q=&game=cahrd").decode()
    faces = list(dict.fromkeys(re.findall(r'src="(/api/v1/faces/[^"]+)"', page)))[:FACES]
    addresses = [face.replace("&amp;", "&") for face in faces]
    for word in ("cold", "warm"):
        spent = seconds(lambda: [client.ask(address) for address in addresses], 1)
        print(f"a gallery of {len(addresses)} faces, {word}: {spent * 1000:.0f} ms")


if __name__ == "__main__":
    main()
