"""How far one catalogue goes: `python -m tests.benchmarks.shared [CARDS...]`.

For each size: the load, the file, and the time of the processor for one card, for a query and for all cards. Then for
the first size: readers beside a writer, several writers at once, copies of the catalogue while it is written, and a ban
list of 10,000 announcements.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from statistics import median

from carddb.bans.state import state
from carddb.cards.query import parse
from carddb.catalog.store import Catalog
from carddb.door import Project
from tests.benchmarks.inputs import COLUMNS, KEY, game_file, rows, write_project
from tests.benchmarks.timing import ENVIRONMENT, carddb, seconds

SIZES = (10_000, 100_000)
BLOCK, MOST_IN_A_FILE = 10_000, 100_000
DAY = date(2026, 6, 20)
WRITES = 10
ANNOUNCEMENTS, TURNS = 10_000, 12
READER = """
import sys, time
from datetime import date
from pathlib import Path
from carddb.door import Project
from carddb.catalog.store import Catalog
game = Project(sys.argv[1]).game("tidewrack")
end, count = time.monotonic() + 5, 0
while time.monotonic() < end:
    with Catalog.open(Path(sys.argv[1]) / "carddb.db", must_exist=True) as catalog:
        assert catalog.card(game.spec, f"TW-{count % 9999 + 1:07}", day=date(2026, 6, 20))
    count += 1
print(count)
"""
WRITER = """
import sys, time
from carddb.core.errors import CatalogError
from carddb.door import Project
from pathlib import Path
folder, number, writes = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
project = Project(folder)
file = folder / f"one-{number}.csv"
longest, refused = 0.0, 0
for at in range(writes):
    file.write_text(f"ref,name,type\\nTW-{number * 100 + at + 1:07},Changed {number} {at},unit\\n", "utf-8")
    begin = time.perf_counter()
    try:
        project.load(file)
    except CatalogError:
        refused += 1
    longest = max(longest, time.perf_counter() - begin)
print(longest, refused)
"""


def main() -> None:
    sizes = tuple(map(int, sys.argv[1:])) or SIZES
    with tempfile.TemporaryDirectory() as place:
        for size in sizes:
            folder = Path(place) / str(size)
            filled(folder, size)
            reading(folder, size)
        folder = Path(place) / str(sizes[0])
        together(folder)
        copies(folder)
        announcements(folder)


def table(count: int) -> Iterator[dict[str, object]]:
    """Cards of the benchmark's game, the same names with another number in every block."""
    block = list(rows(min(count, BLOCK)))
    for at in range(count):
        row = block[at % BLOCK]
        yield {**row, "ref": f"TW-{at + 1:07}", "name": f"{row['name']} {at // BLOCK}", "number": at + 1, "art": ""}


def filled(folder: Path, count: int) -> None:
    """A project whose catalogue holds so many cards; says what that took."""
    folder.mkdir(parents=True)
    project = write_project(folder, min(count, BLOCK), pictures=False)
    (folder / KEY / "game.yaml").write_text(game_file(count), "utf-8")
    project.cards.unlink()
    cards, files = table(count), [folder / f"part-{at}.csv" for at in range(-(-count // MOST_IN_A_FILE))]
    for path in files:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(islice(cards, MOST_IN_A_FILE))
    spent = seconds(carddb("load", "--set", "all", *files, folder=folder))
    size = (folder / "carddb.db").stat().st_size
    print(f"{count:,} cards, loaded into {size / 1e6:.0f} MB: {spent.processor:.1f} s")


def reading(folder: Path, count: int) -> None:
    """Prints what a reader waits for."""
    game = Project(folder).game(KEY)
    path, last = folder / "carddb.db", f"TW-{count:07}"
    query = parse(f'name:"{next(table(BLOCK))["name"]}"', game.spec.all_fields())
    jobs: dict[str, Callable[[Catalog], object]] = {
        "one card": lambda catalog: catalog.card(game.spec, last, day=DAY),
        "a query": lambda catalog: catalog.search(game.spec, query, day=DAY),
        "all cards": lambda catalog: catalog.pool(game.spec, day=DAY),
    }
    for title, job in jobs.items():
        print(f"{count:,} cards, {title}: {waited(path, job, 1 if title == 'all cards' else 5)}", flush=True)


def waited(path: Path, job: Callable[[Catalog], object], times: int = 5) -> str:
    """The time of the processor for a job in a catalogue that is opened for it, the median."""
    spent = []
    for _ in range(times):
        begin = time.process_time()
        with Catalog.open(path, must_exist=True) as catalog:
            job(catalog)
        spent.append(time.process_time() - begin)
    return f"{median(spent) * 1000:,.1f} ms"


def together(folder: Path) -> None:
    """Readers beside a writer, and writers at once."""
    for writers in (0, 1):
        running = [started(WRITER, folder, 50, 10_000) for _ in range(writers)]
        readers = [started(READER, folder) for _ in range(2)]
        count = sum(int(reader.communicate()[0]) for reader in readers)
        for writer in running:
            writer.kill()
        print(f"two readers beside {('no', 'one')[writers]} writer: {count / 5:,.0f} readings a second", flush=True)
    for number in (1, 2, 4, 8):
        begin = time.perf_counter()
        running = [started(WRITER, folder, at, WRITES) for at in range(number)]
        told = [tuple(map(float, writer.communicate()[0].split())) for writer in running]
        rate = number * WRITES / (time.perf_counter() - begin)
        longest, refused = max(each[0] for each in told), sum(each[1] for each in told)
        rest = f"{rate:.1f} loads a second  {longest:.2f} s  {refused:.0f}"
        print(f"writers at once ({number}): {rest}", flush=True)


def announcements(folder: Path) -> None:
    """A list that has changed every day for 27 years: the load, and how it stands on its last day."""
    first = date(1999, 1, 1)
    entries = []
    for at in range(ANNOUNCEMENTS):
        made, turn = first + timedelta(days=at), at // TURNS
        change = f"list: open, card: TW-{at % TURNS + 1:07}, from: {turn % 2}, to: {(turn + 1) % 2}, why: Because"
        moments = f"made: {made}T12:00:00Z, effective: {made + timedelta(days=7)}"
        entries.append(f"- {{id: a-{at:05}, {moments}, changes: [{{{change}}}]}}")
    file = folder / "bans.yaml"
    head = "lists:\n  open: {title: Open, zone: UTC}\nlevels:\n  1: {max_copies: 1, status: official}\nannouncements:\n"
    file.write_text(head + "\n".join(entries) + "\n", "utf-8")
    spent = seconds(carddb("load", file, "--game", KEY, folder=folder))
    path, last = folder / "carddb.db", first + timedelta(days=ANNOUNCEMENTS + 7)
    title = f"{ANNOUNCEMENTS:,} announcements,"
    print(f"{title} loaded: {spent.processor:.1f} s", flush=True)
    print(f"{title} read: {waited(path, lambda catalog: catalog.ban_log(KEY, day=last), 3)}", flush=True)
    stands = waited(path, lambda catalog: state(catalog.ban_log(KEY, day=last), "open", last), 3)
    print(f"{title} read, with the list of a day: {stands}", flush=True)


def started(code: str, folder: Path, *words: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", code, str(folder), *map(str, words)]
    return subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)


def copies(folder: Path) -> None:
    """A copy by SQLite itself while a writer works."""
    writer = started(WRITER, folder, 60, 10_000)
    time.sleep(1)
    begin = time.perf_counter()
    path = folder / "copy.db"
    subprocess.run(["sqlite3", folder / "carddb.db", f".backup {path}"], check=True)
    spent = time.perf_counter() - begin
    writer.kill()
    fault = subprocess.run(["sqlite3", path, "PRAGMA integrity_check"], check=True, capture_output=True, text=True)
    size = path.stat().st_size / 1e6
    assert fault.stdout.strip() == "ok"
    print(f"a copy of {size:.0f} MB beside a writer: {spent:.2f} s", flush=True)


if __name__ == "__main__":
    main()
