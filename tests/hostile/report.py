"""The table of a run: what was tried, how it ended, and what must never happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

SECONDS = 5.0
"""The processor time that one case may always take."""
TURNS = 300_000_000
"""The turns of a plain loop whose time a case may take where the machine is slow or busy."""
MEGABYTES = 200
"""The memory that one case may take beyond what the sound input takes."""


@dataclass
class Row:
    """One surface or verb: the cases by how they ended, the dearest, and the faults with how to make them again."""

    part: str
    name: str
    ends: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    megabytes: float = 0.0
    faults: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        return sum(self.ends.values())

    def add(self, end: str, seconds: float = 0.0, megabytes: float = 0.0) -> None:
        """Counts a case."""
        self.ends[end] += 1
        self.seconds = max(self.seconds, seconds)
        self.megabytes = max(self.megabytes, megabytes)

    def merge(self, other: Row) -> None:
        """Adds the cases of another row of the same surface or verb."""
        self.ends += other.ends
        self.seconds = max(self.seconds, other.seconds)
        self.megabytes = max(self.megabytes, other.megabytes)
        self.faults += other.faults


HEADER = ("part", "surface", "tried", "done", "told", "refused", "worst s", "worst MB", "faults")


def table(rows: Sequence[Row], remarks: Sequence[str] = ()) -> str:
    """All rows as one table; the sum, remarks and faults below it."""
    lines: list[tuple[str, ...]] = [HEADER]
    for row in rows:
        ends = [row.ends[end] for end in ("done", "told", "refused")]
        figures = [f"{row.tried:,}", *(f"{end:,}" for end in ends)]
        lines.append((row.part, row.name, *figures, f"{row.seconds:.1f}", f"{row.megabytes:.0f}", str(len(row.faults))))
    widths = [max(len(line[column]) for line in lines) for column in range(len(HEADER))]
    text = [
        "  ".join(
            cell.ljust(width) if column < 2 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
    total = f"{sum(row.tried for row in rows):,} cases, {sum(len(row.faults) for row in rows):,} faults"
    shown = [f"{row.name}: {fault}" for row in rows for fault in row.faults[:10]]
    return "\n".join([*text, "", total, *remarks, *shown])
