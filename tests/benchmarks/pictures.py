"""How fast pictures of cards are made: `python -m tests.benchmarks.pictures`.

One PNG a card at 300 dots per inch with bleed by two processes, in turn with `naive_png.py`, Pillow's own way by one.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.inputs import write_project
from tests.benchmarks.timing import alternate, carddb, command

CARDS = 270
NAIVE = Path(__file__).with_name("naive_png.py")


def measure(folder: Path) -> None:
    project = write_project(folder, CARDS)
    carddb("load", str(project.cards), folder=folder)()
    words = ("sheets", "number>=1", "--png", "ours", "--bleed", "3mm", "--dpi", "300", "--jobs", "2", "--no-remember")
    naive = command(sys.executable, NAIVE, ".", project.cards, "theirs", folder=folder)
    ratio = alternate(carddb(*words, folder=folder), naive, 2)
    times = sorted(1 / each for each in ratio.wall)
    print(f"{CARDS} pictures by two processes / Pillow by one: {times[len(times) // 2]:.1f} times as fast "
          f"({times[0]:.1f}..{times[-1]:.1f})   at least 9, aim 12")  # fmt: skip


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        measure(Path(place))
