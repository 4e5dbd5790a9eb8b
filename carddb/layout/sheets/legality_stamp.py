"""A bold line across the margin: why what is printed may not be played.

Lengths in micrometres. The stamp lies on whatever else is in the margin, but never on a card, its bleed or a mark.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from carddb.core.errors import UsageError
from carddb.core.units import Box
from carddb.layout.display_list import Path, Run, Shape, rectangle
from carddb.layout.sheets.crop_marks import LENGTH, OFFSET, offset
from carddb.layout.sheets.imposition import Page

Label = Callable[[str, int, int, int, str, int], tuple[Run, ...]]

_GROUND, _LETTERS = "#9b1c1c", "#ffffff"
_TYPE = 2600
_THICKNESS = 3800
_BASELINE = 2800
_PADDING = 1800
_GAP = 300
_INSETS = (6350, 4200, 3000)
"""What printers leave unprinted, from most to the best."""
_HEADING = 15_000
"""What the heading on stock that is not cut takes above the cards."""
_LEAST = 40_000
"""A shorter stamp is of no use."""


class _Strip(NamedTuple):
    box: Box
    angle: int

    @property
    def length(self) -> int:
        return self.box.height if self.angle else self.box.width


def legality_stamp(page: Page, text: str, label: Label) -> tuple[Shape, ...]:
    """Light words on a dark ground: above, beside or below the cards, where they have most room.

    A text that is too long is cut. Raises UsageError where there is no margin to put it in.
    """
    strips = list(_strips(page))
    if not strips:
        raise UsageError(
            "the margin has no room for the stamp of a deck that is not legal",
            "Use --stock plain with a --margin of 6.35mm or more.",
        )
    width = _width(label(text, 0, 0, _TYPE, "start", 0)) + 2 * _PADDING
    strip = next((strip for strip in strips if strip.length >= width), max(strips, key=lambda strip: strip.length))
    shown = _cut(text, strip.length - 2 * _PADDING, label)
    length = _width(label(shown, 0, 0, _TYPE, "start", 0)) + 2 * _PADDING
    box, middle = strip.box, strip.length // 2
    if strip.angle:
        background = Box(box.x, box.y + middle - length // 2, box.width, length)
        x, y = box.right - _BASELINE, box.y + middle
    else:
        background = Box(box.x + middle - length // 2, box.y, length, box.height)
        x, y = box.x + middle, box.y + _BASELINE
    words = [run._replace(colour=_LETTERS) for run in label(shown, x, y, _TYPE, "middle", strip.angle)]
    return (Path(rectangle(background), _GROUND), *words)


def _width(runs: tuple[Run, ...]) -> int:
    return sum(run.width for run in runs)


def _cut(text: str, room: int, label: Label) -> str:
    """As many whole words as find room, and an ellipsis."""
    words = text.split(" ")
    for count in range(len(words), 0, -1):
        shown = " ".join(words[:count])
        shown = shown if count == len(words) else shown.rstrip(" ,;:(") + " …"
        if _width(label(shown, 0, 0, _TYPE, "start", 0)) <= room:
            return shown
    return words[0]


def _strips(page: Page) -> Iterator[_Strip]:
    """Where it may lie, best first: beyond the marks above, beside and below the cards, or between those below."""
    block, size = page.block, page.size
    reach = offset(page.grid) + LENGTH + _GAP if page.grid.cut else _HEADING
    for inset in _INSETS:
        if block.y - reach - _THICKNESS >= inset:
            yield _Strip(Box(inset, block.y - reach - _THICKNESS, size.width - 2 * inset, _THICKNESS), 0)
        if not page.grid.cut:
            continue
        if size.width - block.right - reach - _THICKNESS >= inset:
            yield _Strip(Box(block.right + reach, inset, _THICKNESS, size.height - 2 * inset), 90)
        if size.height - block.bottom - reach - _THICKNESS >= inset:
            yield _Strip(Box(inset, block.bottom + reach, size.width - 2 * inset, _THICKNESS), 0)
    slot = next(slot for slot in page.slots if slot.bottom == block.bottom)
    below = Box(slot.x + OFFSET, block.bottom + OFFSET + _GAP, slot.width - 2 * OFFSET, _THICKNESS)
    if page.grid.cut and below.width >= _LEAST and below.bottom <= size.height:
        yield _Strip(below, 0)
