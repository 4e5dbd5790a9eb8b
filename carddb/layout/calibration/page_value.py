"""A calibration page as a value: for which printer and paper, drawn with what, and what is to be typed.

The page itself is drawn by `calibration_page`. Lengths in micrometres.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from carddb.core.units import UM_PER_MM, Box, Size
from carddb.layout.calibration.registration import NONE, RAIL, Correction, scales
from carddb.layout.stock import paper_name

_CODE = "BCDFGHJKLMNPQRSTVWXZ"
"""Letters of a page's code: no vowels, so that no code is a word."""
_MOST = Size(152_000, 216_000)
"""The room that words and rulers need at most: on large paper they stand in the middle."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """A page to be printed: on which printer (none: any), tray and paper, how turned, drawn with which correction."""

    size: Size
    flip: str
    correction: Correction = NONE
    name: str = ""
    tray: str = "1"

    @property
    def code(self) -> str:
        """Four letters that say with what the page was drawn; part of what is typed, so a reading knows its page."""
        c = self.correction
        numbers = (c.x, c.y, c.angle, c.back_x, c.back_y, c.scale_x, c.scale_y)
        text = "|".join(map(str, (self.name, self.tray, self.size.width, self.size.height, self.flip, *numbers)))
        number = int.from_bytes(sha256(text.encode()).digest()[:8])
        return "".join(_CODE[number // len(_CODE) ** place % len(_CODE)] for place in range(4))

    @property
    def other_flip(self) -> str:
        return "short-edge" if self.flip == "long-edge" else "long-edge"

    @property
    def command(self) -> str:
        """What is to be typed, up to the readings."""
        paper, tray = paper_name(self.size), self.tray
        parts = (
            f"carddb printer set {self.name or 'NAME'}",
            f"--paper {paper}" if paper != "letter" else "",
            f"--tray {tray}" if tray != "1" else "",
            f"--page {self.code}",
        )
        return " ".join(filter(None, parts))


def ruler_lengths(size: Size) -> tuple[int, int] | None:
    """How long the rulers of a page are, across and down: 100 or 50 mm; None where there is no room for them."""
    if len(scales(size)) < 6:
        return None
    room = room_of(size)
    across, down = (100 if length >= 104 * UM_PER_MM else 50 for length in (room.width, room.height))
    return across * UM_PER_MM, down * UM_PER_MM


def room_of(size: Size) -> Box:
    """Where the words and rulers of a page stand: the room that the scales leave."""
    width, height = min(size.width - 2 * RAIL, _MOST.width), min(size.height - 2 * RAIL, _MOST.height)
    return Box((size.width - width) // 2, (size.height - height) // 2, width, height)
