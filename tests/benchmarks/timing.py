"""Two jobs side by side: run in turn, and the time of one told as a part of the other's.

A machine drifts, so seconds tell little; ratios of runs that stand next to each other tell more.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROUNDS = 5

_CHECKOUT = Path(__file__).parents[2]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(_CHECKOUT)}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)
"""As an installed program has it: nobody compiles modules anew at each start."""

Job = Callable[[], object]
ALONE = "–  –  –  –"
"""What follows a ratio of which nothing else was measured: no spread, no ratio of processors, and no times."""
_ALIKE = 0.1
"""The share by which two ratios may differ and are told as one."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What one run took, in seconds: by the clock, and of processors, those of commands it ran among them."""

    wall: float
    processor: float


@dataclass(frozen=True, slots=True)
class Ratio:
    """What one job took of another's time, from the runs of each, in turn."""

    ours: tuple[Spent, ...]
    theirs: tuple[Spent, ...]

    @property
    def wall(self) -> list[float]:
        return sorted(our.wall / their.wall for our, their in zip(self.ours, self.theirs, strict=True))

    @property
    def processor(self) -> list[float]:
        return sorted(our.processor / their.processor for our, their in zip(self.ours, self.theirs, strict=True))

    def __str__(self) -> str:
        """The cells `0.52  0.49 to 0.55  –  1.3 s  2.5 s`; the third is the processors' ratio where it is another."""
        ours, theirs = (median(spent.wall for spent in runs) for runs in (self.ours, self.theirs))
        clock, busy = median(self.wall), median(self.processor)
        processors = f"{busy:.2g}" if abs(busy / clock - 1) > _ALIKE else "–"
        spread = f"{clock:.2g}  {self.wall[0]:.2g} to {self.wall[-1]:.2g}"
        return f"{spread}  {processors}  {_time(ours)}  {_time(theirs)}"


def command(*words: str | Path, folder: Path, code: int = 0) -> Job:
    """A whole process that runs in a folder; what it prints is dropped. Raises AssertionError for another exit code."""
    quiet = subprocess.DEVNULL

    def run() -> None:
        done = subprocess.run(words, cwd=folder, env=ENVIRONMENT, check=False, stdout=quiet, stderr=quiet)
        assert done.returncode == code, words

    return run


def carddb(*words: str | Path, folder: Path, code: int = 0) -> Job:
    """The program as it stands in this checkout."""
    return command(sys.executable, "-m", "carddb", "-q", *words, folder=folder, code=code)


def seconds(job: Job) -> Spent:
    """One run of a job."""
    wall, processor = time.perf_counter(), _processors()
    job()
    return Spent(time.perf_counter() - wall, _processors() - processor)


def alternate(
    ours: Job, theirs: Job, rounds: int = ROUNDS, before: Job = lambda: None, before_theirs: Job = lambda: None
) -> Ratio:
    """Both jobs in turn, `rounds` times after one that does not count; `before` makes ready and is not timed."""
    runs: tuple[list[Spent], list[Spent]] = ([], [])
    for number in range(rounds + 1):
        for kept, ready, job in ((runs[0], before, ours), (runs[1], before_theirs, theirs)):
            ready()
            spent = seconds(job)
            if number:
                kept.append(spent)
    return Ratio(tuple(runs[0]), tuple(runs[1]))


def print_ratio(title: str, ratio: Ratio, bound: float | None = None, aim: float | None = None) -> None:
    """Prints a row: the ratio, what it may be at most, and what it should be."""
    limits = f"  at most {bound:g}  {aim:g}" if bound is not None and aim is not None else ""
    print(f"{title:44}  {ratio}{limits}", flush=True)


def _processors() -> float:
    each = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in each)


def _time(spent: float) -> str:
    return f"{spent * 1000:.0f} ms" if spent < 1 else f"{spent:.1f} s" if spent < 10 else f"{spent:.0f} s"
