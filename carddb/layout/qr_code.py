"""QR codes as shapes: all dark modules of a code as one path with 1 unit per module (ISO/IEC 18004)."""

from __future__ import annotations

from itertools import groupby
from typing import NamedTuple


class QrCode(NamedTuple):
    """A code with `size` modules per side; `path` is SVG path data of its dark modules, with 1 unit per module."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """Returns the QR code of a text, with error correction level M. Raises ValueError if the text is too long."""
    import segno  # takes 40 ms to import, and only a deck list with a code needs it

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
