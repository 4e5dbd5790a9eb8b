"""What a run has done so far: one line of JSON for each piece, so that it can go on, and what failed be tried again."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from tests.hostile.report import Row


class Piece(NamedTuple):
    """Some cases of a surface or a verb, `start` to before `stop`."""

    part: str
    name: str
    seed: int
    start: int
    stop: int


Results = dict[Piece, Row]


def pieces(part: str, name: str, seed: int, cases: int, most: int) -> Iterator[Piece]:
    """The cases of a surface or a verb in pieces of at most so many."""
    for start in range(0, cases, most):
        yield Piece(part, name, seed, start, min(cases, start + most))


def read_results(paths: Iterable[Path]) -> Results:
    """The rows by piece, of every file that is there; the last row of a piece counts."""
    results: Results = {}
    for path in paths:
        for line in path.read_text("utf-8").splitlines() if path.exists() else ():
            data = json.loads(line)
            piece = Piece(*data["piece"])
            ends, faults = Counter(data["ends"]), list(data["faults"])
            results[piece] = Row(piece.part, piece.name, ends, data["seconds"], data["megabytes"], faults)
    return results


def add_result(path: Path, piece: Piece, row: Row, took: float) -> None:
    """Appends the row of a piece, with the seconds on the clock that it took."""
    data = {
        "piece": piece, "ends": row.ends, "seconds": round(row.seconds, 2), "megabytes": round(row.megabytes, 1),
        "took": round(took, 1), "faults": row.faults,
    }  # fmt: skip
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(data) + "\n")


def summed(results: Results) -> list[Row]:
    """One row for each surface and verb, in the order of the pieces."""
    rows: dict[tuple[str, str], Row] = {}
    for piece, row in results.items():
        rows.setdefault(piece[:2], Row(piece.part, piece.name)).merge(row)
    return list(rows.values())
