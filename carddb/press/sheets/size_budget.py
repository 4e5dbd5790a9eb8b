"""A file within a size limit: its pictures are printed coarser for it, words and lines never."""

from __future__ import annotations

import math
from collections.abc import Callable

from carddb.core.errors import OutputError
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import PrintedSheets

LEAST_DPI = 72
_TRIES = 6
_CLOSE = 0.85
"""A file that fills this much of what is allowed is not tried to be made finer again."""


def within_budget(options: SheetOptions, print_with: Callable[[SheetOptions], PrintedSheets]) -> PrintedSheets:
    """What `print_with` prints within `options.most_bytes`, its pictures as fine as a few tries find.

    Raises OutputError where it is too large with pictures at 72 pixels per inch.
    """
    printed = print_with(options)
    most = options.most_bytes
    if not most or len(printed.data) <= most:
        return printed
    best: PrintedSheets | None = None
    dpi, fine = options.art_dpi, options.art_dpi
    for left in reversed(range(_TRIES)):
        if not printed.art_bytes:
            break
        printed = print_with(options._replace(art_dpi=dpi, tight=True))
        if len(printed.data) <= most:
            best = printed
            if dpi == options.art_dpi or len(printed.data) > most * _CLOSE:
                break
        else:
            fine = dpi
        coarse = best.art_dpi + 1 if best else LEAST_DPI
        if fine <= coarse:
            break
        dpi = LEAST_DPI if left == 1 and not best else min(max(_next(printed, most), coarse), fine - 1)
    if best is None:
        raise _too_large(printed, most)
    return best


def _next(printed: PrintedSheets, most: int) -> int:
    """The resolution at which the pictures would just fit, their bytes growing with its square."""
    room = most - (len(printed.data) - printed.art_bytes)
    finest = min(printed.art_dpi, printed.art_finest)
    return round(finest * math.sqrt(max(0, room) * 0.97 / max(1, printed.art_bytes)))


def _too_large(printed: PrintedSheets, most: int) -> OutputError:
    size, art = len(printed.data), printed.art_bytes
    message = (
        f"the file would have {size:,} bytes, more than the {most:,} allowed: "
        f"its pictures take {art:,} at {printed.art_dpi} dpi, its words and lines {size - art:,}"
    )
    return OutputError(message, "Allow more with --max-mb, or print fewer cards into one file.")
