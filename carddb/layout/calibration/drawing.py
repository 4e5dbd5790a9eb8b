"""A small drawing of a calibration page, for a form: where its scales stand, by number, and one of them against a lamp.

Lengths in micrometres.
"""

from __future__ import annotations

from collections.abc import Iterator

from carddb.core.units import Box, Size
from carddb.layout.calibration.gauges import INK, LabelWriter, disc, example
from carddb.layout.calibration.page_value import room_of, ruler_lengths
from carddb.layout.calibration.registration import scales
from carddb.layout.calibration.vernier import FRONT_HALF, Vernier
from carddb.layout.display_list import Face, Path, Shape, Stroke, line, rectangle

_BADGE = 8_000
_RULER = Stroke("#9c9c9c", 900)
_BAR = Stroke(INK, 1_600)
_TICKS = 7
_TICK = 5_000
_LAMP = Size(2 * FRONT_HALF + 4_000, 24_000)


def sheet_drawing(size: Size, writer: LabelWriter) -> Face:
    """The sheet as it lies before one, its scales with their numbers. Raises UsageError for paper that is too small."""
    shapes: list[Shape] = [Path(rectangle(Box(0, 0, size.width, size.height)), fill="#ffffff")]
    for number, scale in enumerate(scales(size), start=1):
        shapes += _bar(scale)
        place = scale.at(0, _BADGE + _TICK)
        shapes += [disc(*place, _BADGE, fill=INK), *writer.centred(str(number), place, 36, 700, "#ffffff")]
    return Face(size, (*shapes, *_rulers(size)), "Where the scales stand on the sheet")


def lamp_drawing(writer: LabelWriter) -> Face:
    """One scale as it looks against a lamp, with its reading."""
    ground = Path(rectangle(Box(0, 0, _LAMP.width, _LAMP.height)), fill="#ffffff")
    shapes = example(_LAMP.width // 2, 6_500, writer)
    return Face(_LAMP, (ground, *shapes), "A scale against a lamp, and its reading")


def _bar(scale: Vernier) -> Iterator[Shape]:
    yield line(*scale.at(-FRONT_HALF, 0), *scale.at(FRONT_HALF, 0), _BAR)
    for tick in range(_TICKS):
        along = (2 * tick - _TICKS + 1) * FRONT_HALF // (_TICKS - 1)
        yield line(*scale.at(along, -_TICK // 2), *scale.at(along, _TICK // 2), _BAR)


def _rulers(size: Size) -> Iterator[Shape]:
    """The two rulers, where there is room for them."""
    lengths = ruler_lengths(size)
    if lengths is None:
        return
    room = room_of(size)
    x, y = room.right - 3_500, room.bottom - 7_500
    yield line(room.x, y, room.x + lengths[0], y, _RULER)
    yield line(x, y - lengths[1], x, y, _RULER)
