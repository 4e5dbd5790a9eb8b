"""`python -m tests.hostile [--kills 1000] [--mutations 1000000] [--only PART] [--seed N]`: exit 1 for any fault.

A fault is a traceback, a case of more than 5 s or 200 MB, or a loss. It names its surface, seed and number: the same
run finds it again.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator

from tests.hostile import kills, media
from tests.hostile.fuzzing import fuzz
from tests.hostile.report import Row, table
from tests.hostile.surfaces import SURFACES

PARTS = ("mutations", "kills", "two at once", "disks", "caches")


def main() -> int:
    """Runs the parts and prints the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument("--kills", type=int, default=1_000, help="kills at random moments of writing verbs")
    parser.add_argument("--mutations", type=int, default=1_000_000, help="mutated inputs of all surfaces")
    parser.add_argument("--only", action="append", default=[], help="a part, or a surface")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    rows, began = [], time.monotonic()
    for row in _rows(options):
        rows.append(row)
        seconds = time.monotonic() - began
        line = f"{seconds:6.0f} s  {row.part}: {row.name}, {row.tried:,} cases, {len(row.faults)} faults"
        print(line, file=sys.stderr, flush=True)
    print(table(rows))
    return int(any(row.faults for row in rows))


def _rows(options: argparse.Namespace) -> Iterator[Row]:
    def selected(part: str, name: str) -> bool:
        return not options.only or part in options.only or name in options.only

    whole = sum(surface.share for surface in SURFACES)
    for surface in SURFACES:
        if selected("mutations", surface.name):
            yield fuzz(surface, round(options.mutations * surface.share / whole), options.seed)
    for verb in kills.VERBS:
        if selected("kills", verb.name):
            yield kills.killed(verb, max(1, options.kills // len(kills.VERBS)), options.seed)
    for verb in kills.VERBS:
        if selected("two at once", verb.name):
            yield kills.at_once(verb)
    if selected("disks", ""):
        yield from media.disks()
    if selected("caches", ""):
        yield media.caches(options.seed, max(5, options.kills // 20))


if __name__ == "__main__":
    sys.exit(main())
