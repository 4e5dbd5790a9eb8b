"""All figures in one table for each benchmark: `python -m tests.benchmarks [--full] [--write] [NAME...]`.

Every benchmark of this folder in turn, each as a process of its own, so that none finds what another left in memory;
with names only those. A row that has a bound says it. Ratios are of runs that stand next to each other, so they mean
the same on a busy machine; seconds do not. All of them together take less than half an hour on two idle cores; with
`--full`, which adds the largest cases, about two hours. `--write` puts the tables into the handbook.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import chain, islice, repeat
from pathlib import Path

import psutil

from tests.benchmarks.timing import ENVIRONMENT

RATIO = ("Ratio", "Range", "Processors", "carddb", "Other", "Bound", "Aim")
BENCHMARKS = {
    "startup": ("A command, from its start to its end", "Compared with importing only the libraries that the command "
                "cannot do without; `--version` with `python -c pass`.", RATIO),
    "decks": ("Checking decks", "Compared with counting names in plain dicts, which answers yes or no.", RATIO),
    "play": ("Questions and games", "Compared with the same lines read and written as JSON.", ("Figure",)),
    "sheets": ("Printing", "Compared with ReportLab as its guide shows it, with as many plain cards.", RATIO),
    "pictures": ("Pictures of cards", "Compared with Pillow in one process; carddb uses two.", RATIO),
    "catalogue": ("Loading a catalogue", "Compared with `sqlite-utils insert --csv`, which checks nothing.", RATIO),
    "web": ("Pages in the browser", "Times by the clock; megabytes are those of each process, the largest first.",
            ("One worker", "Two workers")),
    "events": ("An evening's deck lists", "Times by the clock, from the first list to the last.", ("Figure",)),
    "rounds": ("Rounds of a tournament", "Times by the clock.", ("Figure", "Bound")),
    "studio": ("The studio", "How long the browser shows the old state after a file or a cell has changed.",
               ("Median", "Range")),
    "many": ("Several processes", "The same work in one process, in two, and by [two workers](cluster.md).",
             ("Time", "Processors", "Efficiency", "Of processors")),
    "shared": ("One catalogue for many", "Seconds of the processor for [one catalogue](shared.md) with many readers.",
               ("Figure", "Longest", "Refused")),
}  # fmt: skip
"""The benchmarks in order, each with the heading of its table, a sentence about it, and the columns after the first."""
FULL = {
    "sheets": ("--large",),
    "many": ("--games", "200000", "--decks", "1000000", "--hands", "20000000"),
    "shared": ("10000", "100000", "1000000"),
}
"""What the benchmarks with large cases are told beside."""
CHAPTER = Path(__file__).parents[2] / "carddb" / "handbook" / "figures.md"
HEADING = "## Measured\n"
"""What follows it in the chapter is what `--write` writes."""
_SPACES = re.compile(r"\s{2,}|: ")
"""Between the cells of a printed line."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some alone, of {', '.join(BENCHMARKS)}")
    parser.add_argument("--full", action="store_true", help="the largest cases too")
    parser.add_argument("--write", action="store_true", help=f"into the chapter {CHAPTER.name} too")
    options = parser.parse_args()
    if unknown := set(options.names) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    failed: list[str] = []
    lines = []
    for line in report(options.names or BENCHMARKS, options.full, failed):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        text, heading, _ = CHAPTER.read_text("utf-8").partition(HEADING)
        CHAPTER.write_text("\n".join((f"{text}{heading}", *lines, "")), "utf-8")
    return 1 if failed else 0


def report(names: Iterable[str], full: bool, failed: list[str]) -> Iterator[str]:
    """The machine, and a table for each benchmark with one of these names, as lines of Markdown."""
    begin = time.monotonic()
    yield f"{machine()}\n"
    for name in names:
        title, sentence, columns = BENCHMARKS[name]
        yield f"### {title}\n\n{sentence}\n\n| What | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}"
        for cells in rows(name, FULL.get(name, ()) if full else (), failed):
            yield f"| {' | '.join(islice(chain(cells, repeat('')), len(columns) + 1)).replace('–', '')} |"
        yield ""
    yield f"All of this took {(time.monotonic() - begin) / 60:.0f} minutes."


def machine() -> str:
    """What the figures were measured on, and how busy it was at the beginning."""
    memory = psutil.virtual_memory().total / 2**30
    day = datetime.now(UTC).date()
    return (
        f"{day}, {platform.system()} on {platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GB, "
        f"Python {platform.python_version()}; the load before the first row was {psutil.getloadavg()[0]:.1f}."
    )


def rows(name: str, words: tuple[str, ...], failed: list[str]) -> Iterator[list[str]]:
    """The lines of a benchmark, each as what was measured and its figures; one that failed says so."""
    command = (sys.executable, "-u", "-m", f"tests.benchmarks.{name}", *words)
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            assert process.stdout
            for line in process.stdout:
                yield _SPACES.split(line.strip())
        errors.seek(0)
        reason = errors.read().strip().rpartition("\n")[2]
    if process.returncode:
        failed.append(name)
        yield ["not measured", reason or f"exit code {process.returncode}"]


if __name__ == "__main__":
    sys.exit(main())
