"""How fast sheets are made: whole commands in turn with the reference row, ReportLab as its guide shows it.

    python -m tests.benchmarks.sheets [--large]

prints ratios: time for 540 cards (and 5,400 with --large), bytes, four copies of each against one, memory for a
further card; and the two real sets that people print, all cards of Empires and Generals and of C.A.H.R.D., against
the reference row of as many plain cards. Each is printed for the first time and again, as after a change of a card:
the faces of the last run are in the cache then. The reference row is `naive.py`; ReportLab's extra `accel`
(`rl_accel`) makes it about three times faster, and should be installed beside it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from carddb.app.workspace.ban_file import load_samples
from carddb.catalog.store import Catalog
from carddb.core import cache
from carddb.games import folders, load
from tests.benchmarks.inputs import Project, write_project
from tests.benchmarks.timing import ALONE, ENVIRONMENT, alternate, carddb, command, print_ratio

SHEETS = ("--paper", "a4", "--gutter", "3mm", "--flip", "none", "--no-remember")
NAIVE = Path(__file__).with_name("naive.py")
REAL = ("empires-and-generals", "cahrd")
FIRST = {540: (0.48, 0.40), 5_400: (0.40, 0.30)}
AGAIN = {540: (0.33, 0.25), 5_400: (0.15, 0.11)}
"""By cards: what the ratio may be at most, and what it should be."""
ACCELERATED = ", with rl_accel" * bool(find_spec("_rl_accel"))


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.sheets")
    parser.add_argument("--large", action="store_true", help="5,400 cards too")
    counts = [540, 5_400] if parser.parse_args().large else [540]
    with tempfile.TemporaryDirectory() as place:
        projects = {count: prepared(Path(place) / str(count), count) for count in counts}
        for count, project in projects.items():
            compare(project, count)
        if len(counts) > 1:
            small, large = (peak(projects[count]) for count in counts)
            print(f"{'KiB of memory for a further card':44} {(large - small) / (counts[1] - counts[0]):.1f}  "
                  f"{ALONE}  at most 10  5")  # fmt: skip
        copies(projects[540].folder)
        for key in REAL:
            real_set(Path(place) / key, key)


def prepared(folder: Path, count: int) -> Project:
    """A project whose catalogue holds the cards."""
    folder.mkdir()
    project = write_project(folder, count)
    carddb("load", str(project.cards), folder=folder)()
    return project


def sheets(output: str) -> tuple[str, ...]:
    return ("sheets", "number>=1", "-o", output, *SHEETS)


def compare(project: Project, count: int) -> None:
    """Prints the ratios of time and of bytes for one size."""
    folder = project.folder
    naive = command(sys.executable, NAIVE, ".", project.cards, "naive.pdf", folder=folder)
    print_all = carddb(*sheets("all.pdf"), folder=folder)
    first = alternate(print_all, naive, 5, before=forget_faces)
    print_ratio(f"{count} cards, first time{ACCELERATED}", first, *FIRST[count])
    print_ratio(f"{count} cards, again{ACCELERATED}", alternate(print_all, naive, 5), *AGAIN[count])
    size = (folder / "all.pdf").stat().st_size / (folder / "naive.pdf").stat().st_size
    print(f"{'bytes of these sheets':44} {size:.2f}")


def real_set(folder: Path, key: str) -> None:
    """Prints the ratio of all sample cards of a game to the reference row of as many plain cards."""
    game, _ = load(folders()[key])
    assert game
    count = len(game.own_cards)
    folder.mkdir()
    project = write_project(folder, count)
    naive = command(sys.executable, NAIVE, ".", project.cards, "naive.pdf", folder=folder)
    words = ("--catalog", "real.db", "sheets", "set:sample", "--game", key, "-o", "real.pdf", "--no-remember")
    with Catalog.create(folder / "real.db") as catalog:
        load_samples(catalog, [game])
    print_set = carddb(*words, folder=folder)
    first = alternate(print_set, naive, 3, before=forget_faces)
    print_ratio(f"{count} cards of {key}, first time", first)
    print_ratio(f"{count} cards of {key}, again", alternate(print_set, naive, 3))


def forget_faces() -> None:
    """Takes the faces of earlier runs out of the cache."""
    folder = cache.location()
    for path in folder.glob("faces-*") if folder else ():
        path.unlink()


def copies(folder: Path) -> None:
    """Prints the ratio of a deck of four copies of each card to one of one."""
    for count in (1, 4):
        lines = "\n".join(f"{count} [TW-{number:05}]" for number in range(1, 541))
        (folder / f"{count}.deck").write_text(f"# carddb deck 1\nGame: tidewrack\n## Main\n{lines}\n", "utf-8")
    four, one = (
        carddb("sheets", f"{count}.deck", "-o", f"{count}.pdf", "--allow-illegal", *SHEETS, folder=folder)
        for count in (4, 1)
    )
    print_ratio("four copies of each, compared with one", alternate(four, one, 5), 1.4, 1.25)


def peak(project: Project) -> int:
    """The most memory that the sheets of a project take, in KiB."""
    words = (sys.executable, "-m", "carddb", "-q", *sheets("all.pdf"))
    process = subprocess.Popen(words, cwd=project.folder, env=ENVIRONMENT, stdout=subprocess.DEVNULL)
    _, _, usage = os.wait4(process.pid, 0)
    return usage.ru_maxrss


if __name__ == "__main__":
    main()
