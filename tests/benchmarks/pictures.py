"""How fast pictures of cards are made: `python -m tests.benchmarks.pictures`.

One PNG a card at 300 dots per inch with bleed by two processes, in turn with `naive_png.py`, Pillow's own way by one:
for the first time, and again, when the faces of the last run are in the cache.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.inputs import write_project
from tests.benchmarks.sheets import forget_faces
from tests.benchmarks.timing import Ratio, alternate, carddb, command

CARDS = 270
NAIVE = Path(__file__).with_name("naive_png.py")


def measure(folder: Path) -> None:
    project = write_project(folder, CARDS)
    carddb("load", str(project.cards), folder=folder)()
    words = ("sheets", "number>=1", "--png", "ours", "--bleed", "3mm", "--dpi", "300", "--jobs", "2", "--no-remember")
    naive = command(sys.executable, NAIVE, ".", project.cards, "theirs", folder=folder)
    ours = carddb(*words, folder=folder)
    print_times("first time", alternate(ours, naive, 2, before=forget_faces))
    print_times("again", alternate(ours, naive, 2))


def print_times(when: str, ratio: Ratio) -> None:
    """Prints how many times as fast as the other one job is."""
    times = sorted(1 / each for each in ratio.wall)
    print(f"{CARDS} pictures a second, {when}: {times[len(times) // 2]:.1f}  "
          f"{times[0]:.1f} to {times[-1]:.1f}  –  –  –  at least 9  12")  # fmt: skip


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        measure(Path(place))
