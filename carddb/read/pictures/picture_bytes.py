"""What the readers of picture files share: their answer, numbers out of bytes."""

from __future__ import annotations

from typing import Literal, NamedTuple

from carddb.core.errors import CellFault
from carddb.read.pictures.picture_metadata import tags

MOST_PARTS = 100_000
"""Segments or chunks of one file."""
CUT_OFF, DAMAGED = "is cut off", "is damaged"


class Coded(NamedTuple):
    """Coded pixels that a PDF takes as they are: `spans` of the file, `palette` RGB triples where there is one."""

    spans: tuple[tuple[int, int], ...]
    channels: int
    bits: int = 8
    palette: bytes = b""


class Head(NamedTuple):
    """Kind (JPEG, PNG, WEBP, GIF, BMP, TIFF), pixels as stored, and the turn that sets them upright (EXIF, 1 to 8).

    `coded` is there where the picture is whole, upright, in sRGB, of 8 bits or fewer and not see-through.
    """

    kind: str
    width: int
    height: int
    orientation: int = 1
    coded: Coded | None = None

    @property
    def upright(self) -> tuple[int, int]:
        """Width and height once it is turned."""
        return (self.height, self.width) if self.orientation > 4 else (self.width, self.height)


def number(data: bytes, at: int, size: int, order: Literal["big", "little"] = "big") -> int:
    """A whole number of `size` bytes. Raises CellFault where the file ends before it."""
    part = data[at : at + size]
    if len(part) < size:
        raise CellFault("image_invalid", CUT_OFF)
    return int.from_bytes(part, order)


def turn(data: bytes) -> int:
    """The orientation that a TIFF or EXIF block notes, 1 to 8."""
    value = tags(data).get(0x0112, 1)
    return value if 1 <= value <= 8 else 1
