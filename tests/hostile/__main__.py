"""`python -m tests.hostile`: exit 1 for any fault, and for a whole run that lacks cases.

A fault is a traceback, a case of more than 5 s (on a slow machine: of 300 million turns of a plain loop) or 200 MB, or
a loss. It names its surface, seed and number: the same run finds it again. With `--results FILE` each piece is written
when it is done; the same command goes on where it ended, and with `--again` it does what failed once more. Several
processes, each with a file and some `--only`, can share a run; `--table` then adds up their files.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from tests.hostile import kills, media
from tests.hostile.evening import WITH_GUESTS, evening
from tests.hostile.fuzzing import fuzz
from tests.hostile.report import Row, table
from tests.hostile.results import Piece, Results, add_result, pieces, read_results, summed
from tests.hostile.surfaces import MUTATIONS, SURFACES
from tests.hostile.writing_verbs import KILLS, VERBS

_AT_A_TIME = {"mutations": 2_000, "kills": 10}
"""The cases of one piece. Mutations: what memory a module has taken is given back with its process."""

Work = tuple[Piece, Callable[[], Row]]


def main() -> int:
    """Runs the parts and prints the table."""
    options = _options()
    results = read_results(options.results)
    if not options.table:
        _run(options, results)
    rows = summed(results)
    lacking = list(_lacking(rows))
    print(table(rows, [f"not a whole run: {words}" for words in lacking]))
    smaller = options.only or options.mutations < MUTATIONS or options.kills < KILLS
    return int(any(row.faults for row in rows) or (bool(lacking) and not smaller))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.hostile")
    parser.add_argument("--kills", type=int, default=KILLS, help="kills at random moments of writing verbs")
    parser.add_argument("--mutations", type=int, default=MUTATIONS, help="mutated inputs of all surfaces")
    parser.add_argument("--only", action="append", default=[], help="a part, a surface or a verb; several times")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--results", action="append", default=[], type=Path, help="the file of what is done")
    parser.add_argument("--again", action="store_true", help="do the pieces of the file that failed once more")
    parser.add_argument("--table", action="store_true", help="run nothing, add up the files")
    return parser.parse_args()


def _run(options: argparse.Namespace, results: Results) -> None:
    began = time.monotonic()
    for piece, work in _works(options):
        if {piece.part, piece.name}.isdisjoint(options.only) and options.only:
            continue
        if piece in results and not (options.again and results[piece].faults):
            continue
        start = time.monotonic()
        row = results[piece] = work()
        if options.results:
            add_result(options.results[-1], piece, row, time.monotonic() - start)
        line = f"{piece.part}: {piece.name} {piece.stop:,}, {len(row.faults)} faults"
        print(f"{time.monotonic() - began:6.0f} s  {line}", file=sys.stderr, flush=True)


def _works(options: argparse.Namespace) -> Iterator[Work]:
    """Every piece of a run of that size, with what does it."""
    seed = options.seed
    for surface in SURFACES:
        cases = round(surface.cases * options.mutations / MUTATIONS)
        for piece in pieces("mutations", surface.name, seed, cases, _AT_A_TIME["mutations"]):
            yield piece, partial(fuzz, surface, seed, range(piece.start, piece.stop))
    for verb in VERBS:
        cases = max(1, round(verb.kills * options.kills / KILLS))
        for piece in pieces("kills", verb.name, seed, cases, _AT_A_TIME["kills"]):
            yield piece, partial(kills.killed, verb, seed, range(piece.start, piece.stop))
    for verb in VERBS:
        yield Piece("two at once", verb.name, seed, 0, 1), partial(kills.at_once, verb)
    for verb in VERBS:
        yield Piece("disks", verb.name, seed, 0, 1), partial(media.full_disk, verb)
    yield Piece("disks", "read-only", seed, 0, 1), media.read_only
    for name in ("an evening without guests", WITH_GUESTS):
        yield Piece("evening", name, seed, 0, 1), partial(evening, name, seed)
    for piece in pieces("caches", "damaged", seed, max(5, options.kills // 20), 10):
        yield piece, partial(media.caches, seed, range(piece.start, piece.stop))


def _lacking(rows: list[Row]) -> Iterator[str]:
    """What a whole run lacks."""
    tried = {(row.part, row.name): row.tried for row in rows}
    for part, most in (("mutations", MUTATIONS), ("kills", KILLS)):
        count = sum(number for (row_part, _), number in tried.items() if row_part == part)
        if count < most:
            yield f"{count:,} {part} of {most:,}"
    for surface in SURFACES:
        count = tried.get(("mutations", surface.name), 0)
        if count < surface.least:
            yield f"{count:,} inputs of {surface.name}, of {surface.least:,}"
    for part in ("kills", "two at once", "disks"):
        if missing := [verb.name for verb in VERBS if (part, verb.name) not in tried]:
            yield f"{part}: none of {', '.join(missing)}"


if __name__ == "__main__":
    sys.exit(main())
