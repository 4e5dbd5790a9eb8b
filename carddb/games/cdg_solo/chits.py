"""The row of chits that counts a side's cards (S-32 to S-36)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from carddb.play.fields import Count
from carddb.play.question import Answer, BadInput, Part, operation, refuse

LIMIT = 12
"""The counters stop here (SR-7)."""


@dataclass(frozen=True, slots=True)
class Chits:
    """Chits 1 to `total`, of which 1 to `flipped` are turned over."""

    total: int
    flipped: int = 0

    @property
    def unflipped(self) -> int:
        return self.total - self.flipped

    def flip(self, count: int = 1) -> Chits:
        """The next ones turned over; none where none is left (SR-7)."""
        return replace(self, flipped=min(self.total, self.flipped + count))

    def add(self, count: int = 1) -> Chits:
        """Further ones at the right end. Refuses `chit_over_limit`."""
        refuse(chit_over_limit=self.total + count > LIMIT)
        return replace(self, total=self.total + count)

    def remove(self, count: int = 1) -> Chits:
        """The highest unflipped ones taken away; none where none is left."""
        return replace(self, total=max(self.flipped, self.total - count))

    def to_json(self) -> dict[str, int]:
        return {"total": self.total, "flipped": self.flipped}


class ChitsText(Part):
    """A row of chits in a question."""

    total: Count
    flipped: Count

    def row(self, path: str) -> Chits:
        """The row that is written here. Raises BadInput; refuses `chit_over_limit`."""
        if self.flipped > self.total:
            raise BadInput(f"{path}.flipped" if path else "flipped")
        refuse(chit_over_limit=self.total > LIMIT)
        return Chits(self.total, self.flipped)


@operation("S-32", "S-33", "S-34", "S-36", "S-74", "SR-7")
def chits(
    total: Count, flipped: Count, action: Literal["flip", "add", "remove", "reset"], n: Count | None = None
) -> Answer:
    """A row of chits after chits are turned over, added or taken away, or laid out anew for a hand of `n`."""
    row = ChitsText(total=total, flipped=flipped).row("")
    if action == "reset":
        return laid_out(row.total if n is None else n).to_json()
    count = 1 if n is None else n
    return {"flip": row.flip, "add": row.add, "remove": row.remove}[action](count).to_json()


def laid_out(hand: int) -> Chits:
    """A fresh row for a hand. Refuses `chit_over_limit`, `hand_size_out_of_range`."""
    refuse(chit_over_limit=hand > LIMIT, hand_size_out_of_range=hand < 1)
    return Chits(hand)
