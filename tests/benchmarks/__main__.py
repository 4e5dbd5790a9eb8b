"""All figures in one table: `python -m tests.benchmarks [NAME...]`.

Every benchmark of this folder in turn, each as a process of its own, so that none finds what another left in memory;
with names only those. A row that has a bound says it. Ratios are of runs that stand next to each other, so they mean
the same on a busy machine; seconds do not. All of them together take about an hour on two cores.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from tests.benchmarks.timing import ENVIRONMENT

BENCHMARKS = (
    "startup", "decks", "play", "sheets", "pictures", "catalogue", "web", "events", "studio", "many", "shared",
)  # fmt: skip
_SPACES = re.compile(r"\s{2,}|: ")
"""Between the name of a figure and the figure."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some alone, of {', '.join(BENCHMARKS)}")
    names = parser.parse_args().names or BENCHMARKS
    if unknown := set(names) - set(BENCHMARKS):
        parser.error(f"there is no benchmark {', '.join(sorted(unknown))}")
    failed: list[str] = []
    print("| Benchmark | What | Figure |\n|---|---|---|", flush=True)
    for name in names:
        for what, figure in rows(name, failed):
            print(f"| {name} | {what} | {figure} |", flush=True)
    return 1 if failed else 0


def rows(name: str, failed: list[str]) -> Iterator[tuple[str, str]]:
    """The lines of a benchmark, each as what was measured and its figure; one that failed says so."""
    words = (sys.executable, "-u", "-m", f"tests.benchmarks.{name}")
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:
        with subprocess.Popen(words, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=errors, text=True) as process:
            assert process.stdout
            for line in process.stdout:
                yield row(line)
        errors.seek(0)
        reason = errors.read().strip().rpartition("\n")[2]
    if process.returncode:
        failed.append(name)
        yield "not measured", reason or f"exit code {process.returncode}"


def row(line: str) -> tuple[str, str]:
    """A printed line as what was measured and its figure."""
    what, *figure = _SPACES.split(line.strip(), maxsplit=1)
    return what, _SPACES.sub(", ", figure[0]) if figure else ""


if __name__ == "__main__":
    sys.exit(main())
