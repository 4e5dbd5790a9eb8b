"""How fast sheets are made: whole commands in turn with the reference row, ReportLab as its guide shows it.

    python -m tests.benchmarks.sheets [--rounds N] [--large]

prints the ratios of medians: time for 540 cards (and 5,400 with --large), for four copies of each, and memory for a
further card. The reference row is `naive.py`; with ReportLab's extra `accel` installed it is about three times faster.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.benchmarks.inputs import Project, write_project

SHEETS = ("--paper", "a4", "--gutter", "3mm", "--flip", "none", "--no-remember")
NAIVE = Path(__file__).with_name("naive.py")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sheets")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--large", action="store_true", help="5,400 cards too")
    given = parser.parse_args()
    accelerated = subprocess.run([sys.executable, "-c", "import _rl_accel"], capture_output=True, check=False)
    print(f"reference row: ReportLab {'with' if not accelerated.returncode else 'without'} rl_accel")
    with tempfile.TemporaryDirectory() as place:
        jobs = [(540, 0.35, 0.25), *([(5_400, 0.16, 0.11)] if given.large else [])]
        memory: dict[int, float] = {}
        for count, bound, aim in jobs:
            project = prepared(Path(place) / str(count), count)
            memory[count] = compare(project, count, bound, aim, given.rounds)
        if given.large:
            further = (memory[5_400] - memory[540]) / (5_400 - 540)
            print(f"memory per further card: {further:.1f} KiB (at most 10, aim 5)")
        copies(Path(place) / "540", given.rounds)


def prepared(folder: Path, count: int) -> Project:
    """A project whose catalogue holds the cards."""
    folder.mkdir()
    project = write_project(folder, count)
    run(project, "load", str(project.cards))
    run(project, *sheets("all.pdf"))
    return project


def compare(project: Project, count: int, bound: float, aim: float, rounds: int) -> float:
    """Prints the ratio for one size; gives the peak of memory in KiB."""
    ours, theirs, peaks = [], [], []
    for _ in range(rounds):
        took, peak = timed(project, sys.executable, "-m", "carddb", "-q", *sheets("all.pdf"))
        ours.append(took)
        peaks.append(peak)
        took, _ = timed(project, sys.executable, str(NAIVE), ".", str(project.cards), "naive.pdf")
        theirs.append(took)
    ratio = statistics.median(ours) / statistics.median(theirs)
    size = (project.folder / "all.pdf").stat().st_size / (project.folder / "naive.pdf").stat().st_size
    print(
        f"{count} cards: {ratio:.3f} of the reference row's time (at most {bound}, aim {aim}); bytes {size:.2f} of it"
    )
    return statistics.median(peaks)


def copies(folder: Path, rounds: int) -> None:
    """Prints the ratio of a deck of four copies of each card to one of one."""
    project = Project(folder, folder / "cards-540.csv")
    names = [f"TW-{number:05}" for number in range(1, 541)]
    for count in (1, 4):
        lines = "\n".join(f"{count} [{name}]" for name in names)
        (folder / f"{count}.deck").write_text(f"# carddb deck 1\nGame: tidewrack\n## Main\n{lines}\n", "utf-8")
    took: dict[int, list[float]] = {1: [], 4: []}
    for _ in range(rounds):
        for count, times in took.items():
            command = ("sheets", f"{count}.deck", "-o", f"{count}.pdf", "--allow-illegal", *SHEETS)
            times.append(timed(project, sys.executable, "-m", "carddb", "-q", *command)[0])
    ratio = statistics.median(took[4]) / statistics.median(took[1])
    print(f"four copies of each: {ratio:.2f} of one (at most 1.4, aim 1.25)")


def sheets(output: str) -> tuple[str, ...]:
    return ("sheets", "number>=1", "-o", output, *SHEETS)


def run(project: Project, *arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "carddb", "-q", *arguments], cwd=project.folder, check=True)


def timed(project: Project, *command: str) -> tuple[float, float]:
    """Seconds of a whole process, and its peak of memory in KiB."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=project.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return time.perf_counter() - start, usage.ru_maxrss


if __name__ == "__main__":
    main()
