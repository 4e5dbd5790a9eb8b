"""Inputs for one surface after the other, in child processes that are watched."""

from __future__ import annotations

import contextlib
import io
import multiprocessing
import os
import random
import resource
import tempfile
import time
import traceback
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from carddb.cli.main import run
from carddb.core.errors import CarddbError
from tests.hostile.report import MEGABYTES, SECONDS, TURNS, Row
from tests.hostile.surface import DONE, REFUSED, TOLD, Bench, Surface

_PATIENCE = 60.0
"""Seconds on the clock after which a case is a hang, however busy the machine."""
_REPORT = 1.0
"""Seconds between two reports of a child."""
_WHOLE = 100
"""One case of so many is read by the commands where a surface can be read without them."""
ENDS = {0: DONE, 1: TOLD, 2: REFUSED, 3: REFUSED, 4: TOLD}


def fuzz(surface: Surface, seed: int, cases: range) -> Row:
    """Tries the inputs of these numbers. An input is known by the surface, the seed and its number."""
    row = Row("mutations", surface.name)
    start, skipped = cases.start, set[int]()
    while start < cases.stop:
        start = _child(surface, seed, range(start, cases.stop), skipped, row)
    return row


def _child(surface: Surface, seed: int, cases: range, skipped: set[int], row: Row) -> int:
    """Tries inputs in a child; the number to go on with. What ended the child is a fault, and skipped from now on."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    current = context.Value("q", cases.start, lock=False)
    process = context.Process(target=_run_cases, args=(surface, seed, cases, frozenset(skipped), theirs, current))
    process.start()
    theirs.close()
    following = cases.start
    try:
        for reached, part in _reports(ours, current):
            following = reached
            row.merge(part)
            if part.megabytes > MEGABYTES:
                break
        else:
            row.add("hang", _PATIENCE)
            row.faults.append(f"case {seed}/{current.value}: no answer in {_PATIENCE:.0f} s")
            skipped.add(current.value)
    except EOFError:
        process.join()
        if process.exitcode == 1:
            raise RuntimeError(f"{surface.name} cannot be tried") from None
        if following < cases.stop:
            row.add("crash")
            row.faults.append(f"case {seed}/{current.value}: the process ended, {process.exitcode}")
            skipped.add(current.value)
    process.kill()
    process.join()
    return following


def _reports(pipe: Connection, current: Any) -> Iterator[tuple[int, Row]]:
    """What a child reports, until one case takes too long. Raises EOFError where the child has ended."""
    case, since = current.value, time.monotonic()
    while time.monotonic() - since < _PATIENCE:
        if pipe.poll(_REPORT):
            yield pipe.recv()
        if current.value != case:
            case, since = current.value, time.monotonic()


def _run_cases(
    surface: Surface, seed: int, cases: range, skipped: frozenset[int], pipe: Connection, current: Any
) -> None:
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        os.environ.update(
            CARDDB_CACHE=str(Path(name) / "cache"),
            CARDDB_PRINTERS=str(Path(name) / "printers.json"),
            CARDDB_SHOW_CRASH="yes",
            HOME=name,
        )
        with contextlib.redirect_stdout(_Output()), contextlib.redirect_stderr(_Output()):
            bench = surface.prepare(Path(name))
            _try_sound(surface, bench)
            before, row, sent = _megabytes(), Row("mutations", surface.name), time.monotonic()
            for number in cases:
                current.value = number
                if number not in skipped:
                    _try(surface, bench, seed, number, row, before)
                if time.monotonic() - sent > _REPORT or row.megabytes > MEGABYTES or number == cases[-1]:
                    pipe.send((number + 1, row))
                    row, sent = Row("mutations", surface.name), time.monotonic()
    pipe.close()


def _try_sound(surface: Surface, bench: Bench) -> None:
    """Raises AssertionError where no sound input is read: then nothing would be tried."""
    for commands_only in (True, False):
        sound = [_end_of(bench, seed, commands_only) for seed in bench.seeds[:3]]
        if sound and not any(ended in (DONE, TOLD) for ended, _ in sound):
            raise AssertionError(f"no sound input of {surface.name} is read: {sound}")


def _try(surface: Surface, bench: Bench, seed: int, number: int, row: Row, before: float) -> None:
    data = surface.make(bench.seeds, random.Random(f"{surface.name}/{seed}/{number}"))
    began = time.process_time()
    ended, fault = _end_of(bench, data, number % _WHOLE == 0)
    seconds, megabytes = time.process_time() - began, max(0.0, _megabytes() - before)
    row.add(ended, seconds, megabytes)
    if not fault and (megabytes > MEGABYTES or (seconds > SECONDS and seconds > _seconds_of_turns())):
        fault = f"{seconds:.1f} s, {megabytes:.0f} MB"
    if fault:
        row.faults.append(f"case {seed}/{number}: {fault}")


def _seconds_of_turns() -> float:
    """Measures what the turns of a plain loop that a case is compared with take on this machine at this moment."""
    began = time.process_time()
    for _ in range(TURNS // 30):
        pass
    return 30 * (time.process_time() - began)


def _end_of(bench: Bench, data: bytes, by_commands: bool) -> tuple[str, str]:
    """How the reading of an input ends, and the last line of a traceback."""
    try:
        if bench.commands and (by_commands or not bench.direct):
            codes = [run(["-q", *command]) for command in bench.commands(data)]
            unknown = [code for code in codes if code not in ENDS]
            return ENDS.get(max(codes, default=2), TOLD), f"exit code {unknown}" if unknown else ""
        assert bench.direct
        return bench.direct(data), ""
    except CarddbError:
        return REFUSED, ""
    except BaseException as fault:
        frames = traceback.extract_tb(fault.__traceback__)
        place = next((frame for frame in reversed(frames) if "carddb" in frame.filename), frames[-1])
        return "crash", f"{type(fault).__name__}: {fault} ({Path(place.filename).name}:{place.lineno})"[:300]


class _Output(io.TextIOWrapper):
    """A stream that nobody reads."""

    def __init__(self) -> None:
        super().__init__(io.BufferedWriter(io.FileIO(os.devnull, "w")), "utf-8", "backslashreplace")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
