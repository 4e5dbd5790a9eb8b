"""Mutated inputs for one surface after the other, in child processes that are watched."""

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
from multiprocessing.connection import Connection
from pathlib import Path

from carddb.cli.main import run
from tests.hostile.mutation import mutated
from tests.hostile.report import MEGABYTES, SECONDS, Row
from tests.hostile.surfaces import Surface

_PATIENCE = 60.0
"""Seconds on the clock after which a case is a hang, however busy the machine."""
_CASES = 2_000
"""The cases of one child: what memory a module has taken is given back with it."""
ENDS = {0: "done", 1: "told", 2: "refused", 3: "refused", 4: "told"}


def fuzz(surface: Surface, cases: int, seed: int) -> Row:
    """Runs so many mutated inputs. A case is known by the surface, the seed and its number."""
    row = Row("mutations", surface.name)
    number = 0
    while number < cases:
        number = _child(surface, seed, number, min(cases, number + _CASES), row)
    return row


def _child(surface: Surface, seed: int, start: int, end: int, row: Row) -> int:
    """Runs a part in a child; the number of the case to go on with."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.get_context("fork").Process(target=_run_cases, args=(surface, seed, start, end, theirs))
    process.start()
    theirs.close()
    number = start
    try:
        while ours.poll(_PATIENCE):
            ended, seconds, megabytes, fault = ours.recv()
            row.add(ended, seconds, megabytes)
            if fault or seconds > SECONDS or megabytes > MEGABYTES:
                place = f"case {seed}/{number}: {fault or f'{seconds:.1f} s, {megabytes:.0f} MB'}"
                row.faults.append(place)
            number += 1
            if megabytes > MEGABYTES:
                break
        else:
            row.add("hang", _PATIENCE)
            row.faults.append(f"case {seed}/{number}: no answer in {_PATIENCE:.0f} s")
            number += 1
    except EOFError:
        if number < end:
            row.add("crash")
            row.faults.append(f"case {seed}/{number}: the process ended, {process.exitcode}")
            number += 1
    process.kill()
    process.join()
    return number


def _run_cases(surface: Surface, seed: int, start: int, end: int, pipe: Connection) -> None:
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        os.environ.update(
            CARDDB_CACHE=str(Path(name) / "cache"),
            CARDDB_PRINTERS=str(Path(name) / "printers.json"),
            CARDDB_SHOW_CRASH="yes",
            HOME=name,
        )
        with contextlib.redirect_stdout(_Output()), contextlib.redirect_stderr(_Output()):
            seeds = surface.prepare(Path(name))
            sound = [_end_of(surface, seed_) for seed_ in seeds[:3]]
            if start == 0 and not any(ended in ("done", "told") for ended, _ in sound):
                raise AssertionError(f"no sound input of {surface.name} is read: {sound}")
            before = _megabytes()
            for number in range(start, end):
                choose = random.Random(f"{surface.name}/{seed}/{number}")
                began = time.process_time()
                ended, fault = _end_of(surface, mutated(seeds, choose))
                pipe.send((ended, time.process_time() - began, max(0.0, _megabytes() - before), fault))
    pipe.close()


def _end_of(surface: Surface, data: bytes) -> tuple[str, str]:
    """How the commands end, and the last line of a traceback."""
    codes = []
    try:
        for command in surface.read(data):
            codes.append(run(["-q", *command]))
    except BaseException as fault:
        frames = traceback.extract_tb(fault.__traceback__)
        place = next((frame for frame in reversed(frames) if "carddb" in frame.filename), frames[-1])
        return "crash", f"{type(fault).__name__}: {fault} ({Path(place.filename).name}:{place.lineno})"[:300]
    unknown = [code for code in codes if code not in ENDS]
    return (ENDS[max(codes)], "") if codes and not unknown else ("told", f"exit code {unknown}" if unknown else "")


class _Output(io.TextIOWrapper):
    """A stream that nobody reads."""

    def __init__(self) -> None:
        super().__init__(io.BufferedWriter(io.FileIO(os.devnull, "w")), "utf-8", "backslashreplace")


def _megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
