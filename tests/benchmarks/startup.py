"""What a verb costs before any work of its own: `python -m tests.benchmarks.startup`.

Whole processes in a project in which everything was done once, in turn with the reference: `python -c pass` for the
version, else the libraries that the verb cannot do without, imported and nothing else.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.benchmarks.timing import alternate, carddb, command, print_ratio

ROUNDS = 7
READING = "import click, sqlite3"
PRINTING = f"{READING}, jinja2.sandbox, reportlab.pdfbase.pdfdoc, reportlab.pdfbase.ttfonts"
ASKING = "import click, pydantic"
NOBODY = "name:nobody"
CARD = "EG-CAR-001"


def measure(folder: Path) -> None:
    """One row a verb: on nothing where that can be said, else on one card or one deck."""
    carddb("init", folder=folder)()
    (folder / "question.json").write_text('{"hand": 9}', "utf-8")
    nothing = command(sys.executable, "-c", "pass", folder=folder)
    version = command(sys.executable, "-m", "carddb", "--version", folder=folder)
    print_ratio("carddb --version", alternate(version, nothing, ROUNDS), 6, 4)
    rows: tuple[tuple[str, tuple[str, ...], int], ...] = (
        (READING, ("cards", NOBODY), 1),
        (READING, ("show", CARD), 0),
        (READING, ("check", "sample.deck"), 0),
        (PRINTING, ("sheets", NOBODY, "-o", "sheets.pdf"), 1),
        (PRINTING, ("sheets", CARD, "-o", "sheets.pdf"), 0),
        (PRINTING, ("decklist", "sample.deck", "-o", "deck.pdf"), 0),
        (PRINTING, ("components", "empires-and-generals", "counters", "-o", "components.pdf"), 0),
        (PRINTING, ("proof", CARD, "-o", "proof.pdf"), 0),
        (ASKING, ("judge", "eg.hand_discard", "question.json"), 0),
    )
    for libraries, words, code in rows:
        reference = command(sys.executable, "-c", libraries, folder=folder)
        ours = carddb(*words, folder=folder, code=code)
        print_ratio(f"carddb {' '.join(words[:2])}", alternate(ours, reference, ROUNDS))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        measure(Path(made))
