"""How fast cards are loaded: `python -m tests.benchmarks.catalogue [SQLITE_UTILS]`.

`carddb load` of 30,000 cards, checked, with revisions and a search index, into an empty catalogue, in turn with
`sqlite-utils insert --csv`, which checks nothing. SQLITE_UTILS is that program, where it is not on the path.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.inputs import KEY, write_project
from tests.benchmarks.timing import alternate, carddb, command, print_ratio

CARDS = 30_000


def measure(folder: Path, reference: str) -> None:
    project = write_project(folder, CARDS)
    empty = folder / "empty"
    carddb("init", "--bare", empty, "--game", KEY, folder=folder)()
    catalogue, theirs = folder / "carddb.db", folder / "theirs.db"

    def fresh() -> None:
        for rest in folder.glob("carddb.db-*"):
            rest.unlink()
        shutil.copy(empty / "carddb.db", catalogue)

    load = carddb("load", project.cards, folder=folder)
    insert = command(reference, "insert", theirs, "card", project.cards, "--csv", folder=folder)
    ratio = alternate(load, insert, 3, fresh, lambda: theirs.unlink(missing_ok=True))
    print_ratio(f"{CARDS:,} cards loaded from a CSV file", ratio, 0.6, 0.4)


if __name__ == "__main__":
    found = sys.argv[1] if len(sys.argv) > 1 else shutil.which("sqlite-utils")
    if not found:
        sys.exit("sqlite-utils is not installed: pip install sqlite-utils, anywhere, and name the program")
    with tempfile.TemporaryDirectory() as place:
        measure(Path(place), found)
