"""The row of chits that counts a side's cards (S-32 to S-36)."""

from __future__ import annotations

from typing import Annotated, Literal

from carddb.play.fields import Count, Words
from carddb.play.question import Answer, BadInput, Part, operation, refuse

LIMIT = 12
"""The counters stop here (SR-7)."""


class Chits(Part):
    """Chits 1 to `total`, of which 1 to `flipped` are turned over."""

    total: Count
    flipped: Count

    @property
    def unflipped(self) -> int:
        return self.total - self.flipped

    def flip(self, count: int = 1) -> Chits:
        """The next ones turned over; none where none is left (SR-7)."""
        return self.model_copy(update={"flipped": min(self.total, self.flipped + count)})

    def add(self, count: int = 1) -> Chits:
        """Further ones at the right end. Refuses `chit_over_limit`."""
        refuse(chit_over_limit=self.total + count > LIMIT)
        return self.model_copy(update={"total": self.total + count})

    def remove(self, count: int = 1) -> Chits:
        """The highest unflipped ones taken away; none where none is left."""
        return self.model_copy(update={"total": max(self.flipped, self.total - count)})

    def checked(self, path: str) -> Chits:
        """The row of a question, where it can be. Raises BadInput; refuses `chit_over_limit`."""
        if self.flipped > self.total:
            raise BadInput(f"{path}.flipped" if path else "flipped", least=0, most=self.total)
        refuse(chit_over_limit=self.total > LIMIT)
        return self


@operation("S-32", "S-33", "S-34", "S-36", "S-74", "SR-7")
def chits(
    total: Count,
    flipped: Count,
    action: Annotated[Literal["flip", "add", "remove", "reset"], Words("chit_actions")],
    n: Count | None = None,
) -> Answer:
    """A row of chits after chits are turned over, added or taken away, or laid out anew for a hand of `n`."""
    row = Chits(total=total, flipped=flipped).checked("")
    if action == "reset":
        return laid_out(row.total if n is None else n).model_dump()
    count = 1 if n is None else n
    return {"flip": row.flip, "add": row.add, "remove": row.remove}[action](count).model_dump()


def laid_out(hand: int) -> Chits:
    """A fresh row for a hand. Refuses `chit_over_limit`, `hand_size_out_of_range`."""
    refuse(chit_over_limit=hand > LIMIT, hand_size_out_of_range=hand < 1)
    return Chits(total=hand, flipped=0)
