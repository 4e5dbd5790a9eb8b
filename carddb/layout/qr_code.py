"""QR codes as shapes: the dark modules of a code as one path, a module a unit (ISO/IEC 18004)."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple


class QrCode(NamedTuple):
    """A code of `size` modules a side; `path` fills the dark ones, from 0 0 to `size` `size`."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """Returns the code of a text, with error correction M.

    Raises ValueError for a text of more than a code can hold.
    """
    import segno  # 40 ms, for a deck list with a code alone

    matrix = segno.make(text, error="m", micro=False).matrix
    runs = []
    for y, row in enumerate(matrix):
        x = 0
        for dark, group in groupby(row, bool):
            width = len(list(group))
            if dark:
                runs.append(f"M{x} {y}h{width}v1h-{width}z")
            x += width
    return QrCode(len(matrix), "".join(runs))
