"""The calibration page: scales along its edges that are read against a lamp, gauges, and instructions for the user."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from carddb.core.units import UM_PER_MM, Box, Size, points
from carddb.layout.calibration.registration import (
    CELL,
    DEPTH,
    EDGE,
    FRONT_HALF,
    LETTERS,
    NUMBERS,
    RIGHT,
    SLACK,
    STEP,
    STRIP,
    ZERO,
    Calibration,
    Reading,
    Vernier,
    back_lines,
    front_lines,
    page_adjustment,
    room_of,
    ruler_lengths,
    scales,
)
from carddb.layout.display_list import Face, Path, Run, Shape, Stroke, line, rectangle
from carddb.layout.sheets.grid import MARGIN, turn_axis, whole_page
from carddb.layout.sheets.imposition import Page, Side
from carddb.layout.stock import paper_label
from carddb.layout.text.text_setting import Setter, Setting, Style

INK = "#000000"
FINE = Stroke(INK, 180)
HAIR = Stroke(INK, 120)
LONG = 380
"""The width of the long line on the back."""
SPACE = 2_000
BOX = 8_000
"""The height of a box to write in; SPACE is the gap between two such boxes."""
_PALE = "#d5d5d5"
_SEEN_THROUGH = "#9c9c9c"
_SMALLEST = points(6)
_CIRCLE = 0.5523
"""The length of a Bézier handle for a quarter circle of radius 1."""


@dataclass(frozen=True, slots=True)
class LabelWriter:
    """Sets texts in one font family."""

    setter: Setter
    family: str

    def line(
        self, text: str, x: int, y: int, size: float, align: str = "start", weight: int = 400, colour: str = INK
    ) -> tuple[Run, ...]:
        """Returns one line of text of `size` points, with its baseline at `y`."""
        style = Style(self.family, points(size), weight, colour=colour)
        return self.setter.line(text, style, x, y, align).runs

    def centred(
        self, text: str, place: tuple[int, int], size: float, weight: int = 400, colour: str = INK
    ) -> tuple[Run, ...]:
        """Returns one line of text, centred on the point `place`."""
        return self.line(text, place[0], place[1] + points(size * 0.345), size, "middle", weight, colour)

    def block(
        self, text: str, box: Box, size: float, gap: int = 450, valign: str = "top"
    ) -> tuple[tuple[Run, ...], int]:
        """Returns the paragraphs of `text`, set in `box` at `size` points or as much smaller as needed (at least 6
        points), and the y at which they end.
        """
        setting = Setting(valign=valign, leading=1250, gap=gap, smallest=_SMALLEST, shrink=True)
        block = self.setter.fit(text, Style(self.family, points(size)), box, setting)
        return block.runs, box.y + block.height


def scale_shapes(scale: Vernier, writer: LabelWriter) -> Iterator[Shape]:
    """Yields the shapes of a scale's front side: lines with a gap, their numbers, and the cells with the letters."""
    for _, start, end in front_lines(scale):
        yield line(*start, *end, FINE)
    for number in range(NUMBERS):
        yield from _number(number, scale, writer)
    for place, letter in enumerate(LETTERS):
        along = (place - len(LETTERS) // 2) * CELL
        (x1, y1), (x2, y2) = scale.at(along - CELL // 2, STRIP[0]), scale.at(along + CELL // 2, STRIP[1])
        cell = Box(min(x1, x2), min(y1, y2), abs(x1 - x2), abs(y1 - y2))
        yield Path(rectangle(cell), fill=None if place % 2 else _PALE, stroke=HAIR)
        yield from writer.centred(letter, scale.at(along, STRIP[1] + 1400 if place % 2 else STRIP[0] - 1400), 7.2, 700)


def _number(number: int, scale: Vernier, writer: LabelWriter) -> tuple[Run, ...]:
    """Returns the label of one line of the scale.

    Even numbers are set outside the lines and odd ones inside, because one row has no room for all of them.
    """
    along, inwards = (number - ZERO) * STEP, 1 if number % 2 else -1
    if scale.axis == "x":
        return writer.centred(str(number), scale.at(along, inwards * 5_400), 6.4)
    x, y = scale.at(along, inwards * 4_800)
    return writer.line(str(number), x, y + 780, 6.4, "start" if inwards == scale.side else "end")


def example(x: int, y: int, writer: LabelWriter) -> Iterator[Shape]:
    """Yields a sample scale as it looks when the sheet is held against a lamp, with its reading below."""
    scale = Vernier("x", x, y, 1)
    shown = Reading("D", 16)
    for long, start, end in back_lines(scale, shown.front - shown.back):
        if abs(start[0] - x) <= FRONT_HALF:
            foot = end[1] - (SLACK if long else 2_000)
            yield line(*start, end[0], foot, Stroke(_SEEN_THROUGH, LONG if long else FINE.width))
    yield from scale_shapes(scale, writer)
    yield from writer.line("Example:", x - FRONT_HALF + 1_300, y + 13_200, 7.5, "start")
    yield from writer.line(f"{shown}", x - FRONT_HALF + 1_300, y + 16_600, 9.5, "start", 700)


def boxes(x: int, y: int, width: int, names: tuple[str, ...], writer: LabelWriter) -> Iterator[Shape]:
    """Yields a row of boxes to write in, each labelled with one of `names`, with commas between the boxes."""
    for place, name in enumerate(names):
        left = x + place * (width + SPACE)
        yield Path(rectangle(Box(left, y, width, BOX)), stroke=HAIR)
        yield from writer.line(name, left + 700, y + 2_400, 6, colour="#555555")
        if place + 1 < len(names):
            yield from writer.line(",", left + width + SPACE // 2, y + BOX - 1_200, 10, "middle", 700)


def rulers(room: Box, lengths: tuple[int, int], writer: LabelWriter) -> Iterator[Shape]:
    """Yields two millimetre rulers of the given `lengths`: across the bottom of `room`, and down its right side."""
    across, down = (length // UM_PER_MM for length in lengths)
    y, x = room.bottom - 7_500, room.right - 3_500
    yield line(room.x, y, room.x + lengths[0], y, FINE)
    for tick in range(across + 1):
        at = room.x + tick * UM_PER_MM
        yield line(at, y, at, y - _tick(tick), FINE if tick % 10 == 0 else HAIR)
        if tick % 10 == 0:
            unit = " mm" if tick == across else ""
            yield from writer.line(f"{tick}{unit}", at, y + 2_700, 6.5, "middle")
    top = y - lengths[1]
    yield line(x, top, x, y, FINE)
    for tick in range(down + 1):
        at = top + tick * UM_PER_MM
        yield line(x, at, x - _tick(tick), at, FINE if tick % 10 == 0 else HAIR)
        if tick % 10 == 0:
            yield from writer.line(f"{tick}", x + 700, at + 780, 6.5)


def _tick(millimetre: int) -> int:
    return 3_400 if millimetre % 10 == 0 else 2_400 if millimetre % 5 == 0 else 1_500


def disc(x: int, y: int, radius: int, fill: str | None = None, stroke: Stroke | None = None) -> Path:
    """Returns a circle round (`x`, `y`), made of four Bézier curves."""
    r, h = radius, round(radius * _CIRCLE)
    ops = (
        ("M", (x + r, y)),
        ("C", (x + r, y + h, x + h, y + r, x, y + r)),
        ("C", (x - h, y + r, x - r, y + h, x - r, y)),
        ("C", (x - r, y - h, x - h, y - r, x, y - r)),
        ("C", (x + h, y - r, x + r, y - h, x + r, y)),
        ("Z", ()),
    )
    return Path(ops, fill, stroke)


_DRAWING_BADGE = 8_000
_RULER = Stroke("#9c9c9c", 900)
_BAR = Stroke(INK, 1_600)
_TICKS = 7
_TICK = 5_000
_LAMP = Size(2 * FRONT_HALF + 4_000, 24_000)


def sheet_drawing(size: Size, writer: LabelWriter) -> Face:
    """Returns a drawing of the whole sheet with its numbered scales. Raises UsageError if the paper is too small."""
    shapes: list[Shape] = [Path(rectangle(Box(0, 0, size.width, size.height)), fill="#ffffff")]
    for number, scale in enumerate(scales(size), start=1):
        shapes += _bar(scale)
        place = scale.at(0, _DRAWING_BADGE + _TICK)
        shapes += [disc(*place, _DRAWING_BADGE, fill=INK), *writer.centred(str(number), place, 36, 700, "#ffffff")]
    return Face(size, (*shapes, *_rulers(size)), "Where the scales stand on the sheet")


def lamp_drawing(writer: LabelWriter) -> Face:
    """Returns a drawing of one scale as it looks against a lamp, with its reading."""
    ground = Path(rectangle(Box(0, 0, _LAMP.width, _LAMP.height)), fill="#ffffff")
    shapes = example(_LAMP.width // 2, 6_500, writer)
    return Face(_LAMP, (ground, *shapes), "A scale against a lamp, and its reading")


def _bar(scale: Vernier) -> Iterator[Shape]:
    yield line(*scale.at(-FRONT_HALF, 0), *scale.at(FRONT_HALF, 0), _BAR)
    for tick in range(_TICKS):
        along = (2 * tick - _TICKS + 1) * FRONT_HALF // (_TICKS - 1)
        yield line(*scale.at(along, -_TICK // 2), *scale.at(along, _TICK // 2), _BAR)


def _rulers(size: Size) -> Iterator[Shape]:
    """Yields the two rulers as plain lines; yields nothing if the page has no room for them."""
    lengths = ruler_lengths(size)
    if lengths is None:
        return
    room = room_of(size)
    x, y = room.right - 3_500, room.bottom - 7_500
    yield line(room.x, y, room.x + lengths[0], y, _RULER)
    yield line(x, y - lengths[1], x, y, _RULER)


_BADGE = 2_000
_RING = 6_500
_DOT = 1_500
_WIDE = 130_000
"""From this width on, the example is set beside the instructions, and all boxes are in one row."""
_HEAD, _FIGURE, _TYPED, _FOOT = 21_000, 28_000, 21_000, 16_000
"""The heights of the title, the example, a row of boxes, and the horizontal ruler."""
_BESIDE = 12_000
"""The width of the vertical ruler."""
_CARD_HEAD = EDGE + DEPTH + 300
"""The y at which the text begins on a page of index-card size."""


def calibration_pages(page: Calibration, setter: Setter, family: str) -> list[Page]:
    """Returns the front and the back of the calibration sheet, drawn with the correction in `page`.

    Raises UsageError if the paper is too small.
    """
    writer = LabelWriter(setter, family)
    grid = whole_page(page.size)
    front = (*_scales(page, writer), *(_card(page, writer) if len(scales(page.size)) < 6 else _sheet(page, writer)))
    faces: tuple[tuple[Side, tuple[Shape, ...]], ...] = (("front", front), ("back", _back(page, writer)))
    return [
        Page(grid, side, 1, 1, grid.slots, 0, (), shapes, adjust=page_adjustment(page.correction, page.size, side))
        for side, shapes in faces
    ]


def _scales(page: Calibration, writer: LabelWriter) -> Iterator[Shape]:
    for number, scale in enumerate(scales(page.size), start=1):
        yield from scale_shapes(scale, writer)
        place = scale.at(-FRONT_HALF - _BADGE - 1_700, 0)
        yield disc(*place, _BADGE, fill=INK)
        yield from writer.centred(str(number), place, 9, 700, "#ffffff")


def _back(page: Calibration, writer: LabelWriter) -> tuple[Shape, ...]:
    """Returns the shapes of the back: the lines, the dot, and a line of text at a place where the front is blank."""
    lines = [
        line(*_turned(start, page), *_turned(end, page), Stroke(INK, LONG if long else FINE.width))
        for scale in scales(page.size)
        for long, start, end in back_lines(scale)
    ]
    dot = disc(*_turned(_ring_place(page.size), page), _DOT, fill=INK)
    if len(scales(page.size)) < 6:
        return (*lines, dot)
    foot = _turned((page.size.width // 2, room_of(page.size).bottom - 1_500), page)
    return (*lines, dot, *writer.centred(f"Back of calibration page {page.code}. Nothing is read here.", foot, 6.5))


def _turned(place: tuple[int, int], page: Calibration) -> tuple[int, int]:
    corner = turn_axis(page.size, page.flip).mirror(Box(*place, 0, 0))
    return corner.x, corner.y


def _ring_place(size: Size) -> tuple[int, int]:
    """Returns the centre of the ring on the front, through which the dot of the back must shine."""
    if len(scales(size)) < 6:
        return size.width // 2, _CARD_HEAD + 17_000
    room = room_of(size)
    return room.right - _RING, room.y + _RING


def _sheet(page: Calibration, writer: LabelWriter) -> Iterator[Shape]:
    """Yields the texts and rulers of a page that is larger than an index card."""
    room, lengths = room_of(page.size), ruler_lengths(page.size)
    assert lengths is not None
    wide = room.width >= _WIDE
    yield from _ring(page.size)
    yield from writer.line("Printer calibration", room.x, room.y + 6_000, 20 if room.width > 75_000 else 16, weight=700)
    facts, foot = writer.block(_facts(page), Box(room.x, room.y + 8_300, room.width - 2 * _RING - 4_000, 14_000), 8)
    top = max(room.y + _HEAD, foot + 1_500)
    column = room.width - (58_000 if wide else _BESIDE)
    used = top - room.y + _TYPED + _FOOT + (0 if wide else _FIGURE + _TYPED)
    runs, foot = writer.block(_steps(page, lengths), Box(room.x, top, column, room.height - used), 11)
    yield from facts
    yield from runs
    if wide:
        yield from example(room.right - _BESIDE - FRONT_HALF, top + 7_000, writer)
        foot = max(foot, top + _FIGURE)
    else:
        yield from example(room.x + FRONT_HALF, foot + 10_000, writer)
        foot += _FIGURE
    yield from _typed(page, Box(room.x, foot + 4_000, room.width - _BESIDE, 0), wide, writer)
    yield from rulers(room, lengths, writer)


def _typed(page: Calibration, room: Box, wide: bool, writer: LabelWriter) -> Iterator[Shape]:
    """Yields the command to type, with boxes for readings and measured lengths, in one row if `wide`, else in two."""
    measured = writer.line("--measured", 0, 0, 9, weight=600)
    label = sum(run.width for run in measured) + 2_000
    width = (room.width - label - 9 * SPACE) // 8 if wide else (room.width - 5 * SPACE) // 6
    command, y = writer.block(f"**{page.command} --read**", Box(room.x, room.y, room.width, 8_000), 9)
    y += 1_800
    yield from command
    yield from boxes(room.x, y, width, ("1", "2", "3", "4", "5", "6"), writer)
    x, y = (room.x + 6 * (width + SPACE) + SPACE, y) if wide else (room.x, y + BOX + 3_000)
    yield from writer.line("--measured", x, y + 5_500, 9, weight=600)
    yield from boxes(x + label, y, width, ("across", "down"), writer)


def _card(page: Calibration, writer: LabelWriter) -> Iterator[Shape]:
    """Yields the texts of an index card, which has no room for rulers."""
    size, c = page.size, page.correction
    left = MARGIN + 300
    width = size.width - 2 * left
    yield from _ring(size)
    head = (
        f"**Printer calibration** · **{page.name or 'any printer'}**\n"
        f"tray {page.tray} · {paper_label(size)} · {page.flip.replace('-', ' ')} · page **{page.code}**\n{c.move}"
    )
    yield from writer.block(head, Box(left, _CARD_HEAD, width, 8_000), 7, 0)[0]
    foot = size.height - EDGE - DEPTH - 1_000 - BOX
    side, top = EDGE + DEPTH + 900, _CARD_HEAD + 25_500
    words = (
        f"Against a lamp the dot must lie in the ring, else use --flip {page.other_flip}.\n"
        "At 1 to 4 read the **letter** by the long line, the **number** whose gap a line fills.\nType this:"
    )
    yield from writer.block(words, Box(side, top, size.width - 2 * side, foot - 6_600 - top), 8)[0]
    yield from writer.block(f"**{page.command} --read**", Box(left, foot - 6_200, width, 5_800), 7, valign="bottom")[0]
    yield from boxes(left, foot, (width - 3 * SPACE) // 4, ("1", "2", "3", "4"), writer)


def _facts(page: Calibration) -> str:
    """Returns the text that names the page's printer and paper, and the correction with which it is drawn."""
    turned = f"turned on the {page.flip.replace('-', ' ')}"
    where = f"**{page.name or 'any printer'}** · tray {page.tray} · {paper_label(page.size)} · {turned}"
    return f"{where} · page **{page.code}**\nDrawn with {page.correction.full}"


def _steps(page: Calibration, lengths: tuple[int, int]) -> str:
    across, down = (length // UM_PER_MM for length in lengths)
    return (
        "**1**  Print both sides at 100 %, not fitted. Hold the sheet against a lamp, this side towards you: the dot "
        f"of the back must lie in the ring. If it does not, make the page again with --flip {page.other_flip}.\n"
        "**2**  Each scale, 1 to 6, reads a letter and a number: the *letter* by the long line of the back, and the "
        "*number* whose gap a line of the back fills.\n"
        f"**3**  Measure the rulers: {across} mm across, {down} mm down. Leave --measured out if you trust them.\n"
        f"**4**  Type this with what you read, and make a new page: it should read {RIGHT} six times, give or take one."
    )


def _ring(size: Size) -> Iterator[Shape]:
    yield disc(*_ring_place(size), _RING, stroke=Stroke(INK, 250))
