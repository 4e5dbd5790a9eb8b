"""Ink on paper: how much ink a face takes, and faces redrawn so that they take less."""

from __future__ import annotations

import colorsys
import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import groupby, pairwise
from typing import Literal, NamedTuple, get_args

from carddb.core.units import Size
from carddb.layout.colours import channels, contrast, mean_colour, mixed
from carddb.layout.display_list import UNSEEN, Face, Group, Op, Path, PlacedImage, Run, Shape, Stroke, rectangle, walk
from carddb.layout.drawing.bleed import PAPER, Background, BackgroundStack, Fill, Printed, span_of, thickness
from carddb.layout.drawing.path import Edges, Extent, edges, letter_box, letter_point, span_of_path, union

CELL = 2000
"""The side of the square cells in which ink is measured, in micrometres."""
_OF_PICTURE = 0.55
"""The assumed darkness of a picture, which is typical of a painting in full colour."""
LETTERS = 0.2
"""The share of a rectangle, as high as the type size and as long as the line, that is covered by its letters."""
_LINES = 4
"""The number of scan lines in each row of cells."""

Bars = dict[int, dict[int, float]]
"""`{row: {column: share of the cell that a shape covers}}`."""


def coverage(face: Face) -> Fraction:
    """Returns the share of a face that is covered by ink, 0 to 1, rounded to thousandths."""
    cells = _Cells(face.size)
    cells.draw(face.shapes, None, 1.0)
    return cells.share()


@lru_cache(maxsize=1024)
def darkness(colour: str) -> float:
    """Returns the darkness of a colour, from 0 (white) to 1 (black)."""
    return 1 - sum(channels(colour)) / 765


class _Cells:
    def __init__(self, size: Size) -> None:
        self._columns, self._rows = -(-size.width // CELL), -(-size.height // CELL)
        self._size = size
        self._ink = [[0.0] * self._columns for _ in range(self._rows)]

    def share(self) -> Fraction:
        """Returns the mean darkness of the face; a cell at an edge counts only with its area on the face."""
        widths = [self._side(column, self._size.width) for column in range(self._columns)]
        total = sum(
            self._side(row, self._size.height) * sum(map(operator.mul, line, widths))
            for row, line in enumerate(self._ink)
        )
        return Fraction(round(1000 * total / (self._size.width * self._size.height)), 1000)

    @staticmethod
    def _side(number: int, whole: int) -> int:
        return min(CELL, whole - number * CELL)

    def draw(self, shapes: Iterable[Shape], within: Bars | None, opacity: float) -> None:
        """Draws the part of `shapes` inside `within` into the cells, in drawing order, with an opacity from 0 to 1."""
        for shape in shapes:
            if isinstance(shape, Group):
                inner = _common(within, self._bars(shape.clip, shape.evenodd)) if shape.clip else within
                self.draw(shape.shapes, inner, opacity * shape.opacity / 1000)
            elif isinstance(shape, Path):
                if shape.fill:
                    part = mean_colour(shape.gradient)[1] / 1000 if shape.gradient else 1.0
                    bars = _common(within, self._bars(shape.ops, shape.evenodd))
                    self._cover(bars, darkness(shape.fill), opacity * part)
                if shape.stroke:
                    self._line(shape.ops, shape.stroke, within, opacity)
            elif isinstance(shape, PlacedImage):
                self._cover(_common(within, self._bars(rectangle(shape.clip), False)), _OF_PICTURE, opacity)
            else:
                self._letters(shape, within, opacity)

    def _cover(self, bars: Bars, dark: float, opacity: float) -> None:
        for row, shares in bars.items():
            line = self._ink[row]
            for column, part in shares.items():
                line[column] += (dark - line[column]) * part * opacity

    def _add_ink(self, x: float, y: float, area: float, dark: float, within: Bars | None) -> None:
        column, row = int(x // CELL), int(y // CELL)
        if 0 <= row < self._rows and 0 <= column < self._columns:
            part = area / (CELL * CELL)
            if within is not None:
                part *= within.get(row, {}).get(column, 0.0)
            line = self._ink[row]
            line[column] += (dark - line[column]) * min(1.0, part)

    def _line(self, ops: tuple[Op, ...], stroke: Stroke, within: Bars | None, opacity: float) -> None:
        """Darkens the cells along the line with which an outline is drawn, one short step after another."""
        area = stroke.width * opacity * _inked(stroke)
        across = max(1, round(stroke.width / CELL))
        dark = darkness(stroke.colour)
        for (x1, y1), (x2, y2) in edges(ops, closed=False):
            length = math.hypot(x2 - x1, y2 - y1)
            if not length:
                continue
            steps = max(1, round(length / CELL))
            dx, dy = (x2 - x1) / steps, (y2 - y1) / steps
            ux, uy = -(y2 - y1) / length * stroke.width / across, (x2 - x1) / length * stroke.width / across
            for i in range(steps):
                for k in range(across):
                    aside = k - (across - 1) / 2
                    x, y = x1 + dx * (i + 0.5) + ux * aside, y1 + dy * (i + 0.5) + uy * aside
                    self._add_ink(x, y, area * length / steps / across, dark, within)

    def _letters(self, run: Run, within: Bars | None, opacity: float) -> None:
        if run.colour == UNSEEN:
            return
        steps = max(1, round(run.width / CELL))
        area = run.width / steps * run.size * LETTERS * opacity
        for i in range(steps):
            x, y = letter_point(run, run.width * (i + 0.5) / steps, run.size * 0.3)
            self._add_ink(x, y, area, darkness(run.colour), within)

    def _bars(self, ops: tuple[Op, ...], evenodd: bool) -> Bars:
        """Returns, by row and column, the share of each cell that is inside an outline, computed with scan lines."""
        bars: Bars = {}
        for line, crossings in _crossings(tuple(edges(ops)), self._rows * _LINES).items():
            row = bars.setdefault(line // _LINES, {})
            for left, right in _inside(sorted(crossings), evenodd):
                self._bar(row, left, right)
        return bars

    def _bar(self, row: dict[int, float], left: float, right: float) -> None:
        left, right = max(0.0, left / CELL), min(float(self._columns), right / CELL)
        if right <= left:
            return
        first, last = int(left), min(int(right), self._columns - 1)
        row[first] = row.get(first, 0.0) + (min(right, first + 1) - left) / _LINES
        for column in range(first + 1, last):
            row[column] = row.get(column, 0.0) + 1 / _LINES
        if last > first:
            row[last] = row.get(last, 0.0) + (right - last) / _LINES


def _crossings(pieces: Edges, lines: int) -> dict[int, list[tuple[float, int]]]:
    """Returns, for each scan line that the outline crosses, the x and direction (1 down, -1 up) of each crossing."""
    apart = CELL / _LINES
    crossings: dict[int, list[tuple[float, int]]] = {}
    for (x1, y1), (x2, y2) in pieces:
        if y1 == y2:
            continue
        way, slope = (1, (x2 - x1) / (y2 - y1)) if y2 > y1 else (-1, (x2 - x1) / (y2 - y1))
        low, high = min(y1, y2), max(y1, y2)
        first, end = max(0, math.ceil(low / apart - 0.5)), min(lines, math.ceil(high / apart - 0.5))
        for line in range(first, end):
            crossings.setdefault(line, []).append((x1 + ((line + 0.5) * apart - y1) * slope, way))
    return crossings


def _inside(crossings: list[tuple[float, int]], evenodd: bool) -> Iterator[tuple[float, float]]:
    winding, start = 0, 0.0
    for x, way in crossings:
        was = winding
        winding = 1 - winding if evenodd else winding + way
        if not was:
            start = x
        elif not winding:
            yield start, x


def _common(one: Bars | None, other: Bars) -> Bars:
    """Returns the shape that two shapes have in common: in each cell that both cover, the product of their shares."""
    if one is None:
        return other
    return {
        row: {column: one[row][column] * part for column, part in parts.items() if column in one[row]}
        for row, parts in other.items()
        if row in one
    }


def _inked(stroke: Stroke) -> float:
    """Returns the share of a line's length that is drawn, 0 to 1: less than 1 for a dashed line."""
    dash = stroke.dash * 2 if len(stroke.dash) % 2 else stroke.dash
    if not dash or not sum(dash):
        return 1.0
    caps = 0 if stroke.cap == "butt" else stroke.width * (0.785 if stroke.cap == "round" else 1)
    return min(1.0, sum(length + caps for length in dash[::2]) / sum(dash))


_GROUND_INSET = 100
"""The distance inside the trim at which the colour of the edge is sampled, in micrometres."""
_POINTS = 12
"""The number of points on each side at which the colour is sampled."""
_SLIVER_SEEN = 1.1
"""The least contrast to paper at which a sliver of colour is visible."""
_PICTURE = "#808080"


def has_tinted_edge(face: Face) -> bool:
    """Returns whether at least half of the points along a face's edge are not white; pictures count as grey."""
    stack = BackgroundStack()
    _lay(stack, face.shapes)
    points = list(_edge_points(face.size))
    tinted = sum(contrast(stack.colour_at(x, y), PAPER) >= _SLIVER_SEEN for x, y in points)
    return 2 * tinted >= len(points)


def _lay(stack: BackgroundStack, shapes: Iterable[Shape]) -> None:
    """Adds the fills of `shapes` to `stack` in drawing order."""
    for shape in shapes:
        if isinstance(shape, Group):
            outer = stack.clips
            if shape.clip:
                stack.clips = (*outer, Fill(Path(shape.clip, evenodd=shape.evenodd), PAPER))
            _lay(stack, shape.shapes)
            stack.clips = outer
        elif isinstance(shape, PlacedImage):
            stack.add(Path(rectangle(shape.clip), _PICTURE), _PICTURE, "solid")
        elif not isinstance(shape, Run) and shape.fill and shape.ops and not _is_fade(shape):
            stack.add(shape, shape.fill, "solid")


def _is_fade(path: Path) -> bool:
    """Returns whether the fill of a path is a gradient that becomes transparent, or nearly so."""
    return path.gradient is not None and min(stop.opacity for stop in path.gradient.stops) < _FAINT


def _edge_points(size: Size) -> Iterator[tuple[int, int]]:
    """Yields points just inside the four sides, evenly spaced."""
    for number in range(_POINTS):
        x, y = ((2 * number + 1) * length // (2 * _POINTS) for length in (size.width, size.height))
        right, bottom = size.width - _GROUND_INSET, size.height - _GROUND_INSET
        yield from ((x, _GROUND_INSET), (x, bottom), (_GROUND_INSET, y), (right, y))


LINE = 100
_DOT = 240
_BY_HUE = (
    (20, "vertical"),
    (40, "rising-horizontal"),
    (70, "dots"),
    (160, "falling"),
    (195, "falling-horizontal"),
    (255, "horizontal"),
    (305, "rising"),
    (340, "crossed"),
    (360, "vertical"),
)
"""The pattern for hues up to the given one, in degrees: gules, tenné, or, vert, turquoise, azure, purpure, murrey."""
_DARK, _MIDDLE = 60, 130
"""The grey levels (0 to 255) up to which the lines of a hatching have the smallest and the middle spacing."""
_PITCHES = (900, 1200, 1600)
_RHYTHMS = {
    "vertical": (100, 1100),
    "rising-horizontal": (100, 500, 500, 900),
    "dots": (100, 500),
    "falling": (100, 300, 100, 1500),
    "falling-horizontal": (100, 300, 500, 1100),
    "horizontal": (700, 700),
    "rising": (100, 300, 100, 300, 100, 1500),
    "crossed": (400, 300, 100, 1000),
    "grid": (300, 300),
    "broken": (1600, 800),
}
"""The dashes that show a hatching pattern inside a wide line: lengths of dash and gap by turns, in micrometres."""


class Hatch(NamedTuple):
    """A hatching pattern that stands for a colour, and the distance of its lines (pitch) in micrometres."""

    pattern: str
    pitch: int


@lru_cache(maxsize=1024)
def level(colour: str) -> int:
    """Returns the grey of a colour in a black-and-white copy, from 0 (black) to 255 (white): the luma of Rec. 601."""
    red, green, blue = channels(colour)
    return round(0.299 * red + 0.587 * green + 0.114 * blue)


@lru_cache(maxsize=1024)
def neutral(colour: str) -> bool:
    """Returns whether a colour is a grey, or so near to grey that its hue does not matter."""
    high, low = max(channels(colour)), min(channels(colour))
    return high - low < 16 or (high - low) * 100 < 15 * min(high + low, 510 - high - low)


@lru_cache(maxsize=1024)
def pale(colour: str) -> bool:
    """Returns whether a colour is nearly white as a background, that is, light and hardly tinted."""
    return level(colour) >= 200 and max(channels(colour)) - min(channels(colour)) < 44


@lru_cache(maxsize=1024)
def hatch_of(colour: str) -> Hatch | None:
    """Returns the hatching that stands for a colour, or None if the colour is nearly white.

    Equal colours get equal hatching, and hues more than 90° apart never get the same.
    """
    if pale(colour):
        return None
    grey = level(colour)
    pitch = _PITCHES[0 if grey <= _DARK else 1 if grey <= _MIDDLE else 2]
    if neutral(colour):
        return Hatch("grid" if grey <= 100 else "broken", pitch)
    hue = colorsys.rgb_to_hsv(*channels(colour))[0] * 360
    return Hatch(next(name for end, name in _BY_HUE if hue <= end), pitch)


@lru_cache(maxsize=512)
def hatching(hatch_of: Hatch, span: Extent, colour: str, width: int) -> tuple[Path, ...]:
    """Returns the lines of a hatching over a rectangle; where two areas with equal hatching meet, there is no seam."""
    pitch = hatch_of.pitch
    if hatch_of.pattern == "dots":
        ops = tuple(_rows(span, pitch))
        return (Path(ops, stroke=Stroke(colour, _DOT * width // LINE, "round", dash=(1, pitch - 1))),)
    if hatch_of.pattern == "broken":
        ops = tuple(_rows(span, 2 * pitch))
        return (Path(ops, stroke=Stroke(colour, width, dash=(pitch * 5 // 4, 2 * pitch - pitch * 5 // 4))),)
    pairs = {"grid": "horizontal-vertical", "crossed": "falling-rising"}
    ways = pairs.get(hatch_of.pattern, hatch_of.pattern).split("-")
    apart = pitch * (1 + len(ways)) // 2
    ops = tuple(op for way in ways for op in _lines(way, span, apart))
    return (Path(ops, stroke=Stroke(colour, width)),)


def _lines(way: str, span: Extent, pitch: int) -> Iterator[Op]:
    """Yields the lines of a hatching that run in one direction (`way`), `pitch` apart, counted from the origin."""
    left, top, right, bottom = span
    if way == "horizontal":
        for y in _steps(top, bottom, pitch):
            yield from _line(left, y, right, y)
    elif way == "vertical":
        for x in _steps(left, right, pitch):
            yield from _line(x, top, x, bottom)
    elif way == "falling":
        for c in _steps(top - right, bottom - left, pitch * 141 // 100):
            x1, x2 = max(left, top - c), min(right, bottom - c)
            yield from _line(x1, x1 + c, x2, x2 + c)
    else:
        for c in _steps(top + left, bottom + right, pitch * 141 // 100):
            x1, x2 = max(left, c - bottom), min(right, c - top)
            yield from _line(x1, c - x1, x2, c - x2)


def _rows(span: Extent, pitch: int) -> Iterator[Op]:
    """Yields horizontal lines for dashes laid out like bricks: every other line begins half a pitch further right."""
    apart = max(1, pitch // 2)
    for y in _steps(span.top, span.bottom, apart):
        shift = pitch // 2 if y // apart % 2 else 0
        yield from _line((span.left - shift) // pitch * pitch + shift, y, span.right, y)


def _steps(low: int, high: int, pitch: int) -> range:
    return range(low + (pitch // 2 - low) % pitch, high, pitch)


def _line(x1: int, y1: int, x2: int, y2: int) -> tuple[Op, Op]:
    return ("M", (x1, y1)), ("L", (x2, y2))


InkMode = Literal["full", "light", "text"]
INK_MODES: tuple[InkMode, ...] = get_args(InkMode)
BLACK = "#000000"
_SYMBOL = 1000
"""A coloured fill up to this thickness is a line or an icon, and stays filled; for grey or black the limit is 1.5 ×."""
_BROAD = 5000
"""A grey or black fill that is thinner than this and not convex is part of a drawing, and is not hatched."""
_SIGN = 400
"""In mode `text`, an icon thicker than this is drawn as its outline."""
_AMONG_WORDS = range(1800, 3900)
"""The longer side of an icon among words, which stays filled in mode `text`; smaller fills are parts of drawings."""
_FINE = 2500
"""A fill thinner than this is hatched at half the pitch."""
_WIDE = 1000
"""A line wider than this is drawn as its two edges."""
_VISIBLE = 1.3
"""The least contrast at which the edge of a pale fill is visible."""
_PALEST = 0x80
"""The palest grey of lines and small icons."""
_THINNEST = 50
"""No line is made thinner than this; a dot of a printer with 600 dots per inch is 42 wide."""
_ORNAMENT = 2.0
"""In mode `text`, a line or a small fill with less contrast to its background than this is left out."""
_SAMPLES = 8
"""The most points of a path at which it is compared with its background."""
_FAINT = 350
"""Groups with less opacity than this, in thousandths, are left out."""
_AIR = 500
"""The white space between a text or an icon and the hatching around it."""
_SLIVER = 3700
"""Strips of hatching beside or between texts that are narrower than this are unrecognizable and are left out."""
_SIGN_SIDE, _SOLID_SIDE = 6000, 40_000
"""The shorter side of an icon on hatching, which gets a white background, and the longer side of a sign, at most."""
_COUNTER = 18_000
"""Faces with a side of at most this length are counters, without hatching: beside words, only shreds would be left."""
_COUNTER_LINE = 176
"""The width of outlines on counters, 0.5 pt in black: hairlines are lost at the cut of such small pieces."""
_BAND, _BAND_SHAPE = 12_000, 1.8
"""A coloured area whose shorter side is at most _BAND, and whose longer side is at least _BAND_SHAPE times as long, is
a band for words and icons, and stays white; in mode `text`, a grey or black area too."""
_PICTURE_SIDE = 8000
"""In mode `text`, a clipped drawing without words whose shorter side is longer than this is a picture and is left out;
if it is narrower than half the face, it is part of an emblem, and its outline stays."""
_MOUNT = 1500
"""The greatest distance between a picture's window and the frame around it, which is left out with the picture."""
_INSET = 60
"""Half the width of an outline, which white patches must not cover."""


class _InkStyle(NamedTuple):
    """The style of outlines and hatching in one ink mode, and the greatest width of the drawing's lines.

    Mode `text` (`black`) prints in black what `light` prints in grey, but with thinner lines or wider spacing, so that
    it takes no more ink.
    """

    black: bool
    outline: Stroke
    hatch: str
    """The colour of the lines of hatching; empty for none."""
    hatch_width: int
    spacing: int
    """The factor by which the lines of a hatching are further apart than usual."""
    widest: int
    widest_coloured: int
    band: Stroke
    """The outline of a band for words, which stays white."""
    counter: bool = False
    """True for a counter, whose lines are black and not thinned for their colour."""
    in_sign: bool = False
    """True inside a sign, which is solid as a whole."""
    scale: float = 1.0
    """The factor by which the drawing was enlarged; so are the widths up to which its lines and icons stay filled."""

    def grey(self, brightness: int) -> str:
        """Returns the colour of lines and small icons with a grey level; it is black in mode `text` and on counters."""
        return BLACK if self.black or self.counter else "#" + 3 * f"{brightness:02x}"

    def for_counter(self) -> _InkStyle:
        """Returns the style for counters: no hatching, and outlines that are visible on a small piece."""
        width = _COUNTER_LINE
        outline = self.outline._replace(colour=BLACK, width=width)
        return self._replace(hatch="", outline=outline, widest=width, widest_coloured=width, counter=True)

    def line(self, stroke: Stroke, colour: str, widest: int) -> Stroke:
        """Returns the grey or black stroke, at most `widest` wide, that replaces `stroke` of the given colour.

        It takes no more ink than `stroke`. A coloured line gets the palest grey allowed.
        """
        grey = min(level(colour), _PALEST) if neutral(colour) else _PALEST
        ink = 255 - max(grey, level(colour))
        width = min(stroke.width, widest)
        dotted = stroke.dash and not (self.black and stroke.cap != "round")  # thinner dots would disappear
        if not (self.counter or dotted):
            width = min(width, max(_THINNEST, width * ink // (255 if self.black else 255 - grey)))
        return stroke._replace(colour=self.grey(grey), width=width)


_STYLES = {
    "light": _InkStyle(
        False, Stroke("#6e6e6e", 120, join="round"), "#808080", LINE, 1, 265, 150, Stroke("#404040", 176)
    ),
    "text": _InkStyle(True, Stroke(BLACK, 60, join="round"), BLACK, 65, 2, 210, 120, Stroke(BLACK, 100)),
}


def paler_lines(shapes: Iterable[Shape], least: int) -> tuple[Shape, ...]:
    """Returns the shapes, with each line thinner than `least` micrometres paler in proportion to its width.

    A screen shows no line thinner than a pixel, so the hairlines of a small preview would look like heavy bars.
    """

    def paler(shape: Shape) -> Shape:
        if isinstance(shape, Group):
            return replace(shape, shapes=paler_lines(shape.shapes, least))
        if not isinstance(shape, Path) or not shape.stroke or shape.stroke.width >= least:
            return shape
        colour = mixed(shape.stroke.colour, "#ffffff", 1000 * shape.stroke.width // least)
        return shape._replace(stroke=shape.stroke._replace(colour=colour))

    return tuple(map(paler, shapes))


class InkSaver:
    """Reduces the ink of the faces of a job."""

    def __init__(self, mode: str) -> None:
        self._style = _STYLES.get(mode)

    def face(self, face: Face) -> Face:
        """Returns the face with less ink, or unchanged in mode `full`."""
        return replace(face, shapes=self.shapes(face.shapes, face.size, face.scale)) if self._style else face

    def shapes(self, shapes: tuple[Shape, ...], size: Size, scale: float = 1.0) -> tuple[Shape, ...]:
        """Returns shapes with less ink that are drawn on blank paper of `size`, enlarged by the factor `scale`."""
        return shapes if self._style is None else _FaceSaver(self._style._replace(scale=scale), size).shapes(shapes)


class _FaceSaver:
    """Reduces the ink of one face, shape by shape in drawing order."""

    def __init__(self, style: _InkStyle, size: Size) -> None:
        self.backgrounds = BackgroundStack()
        self._trim = Extent(0, 0, size.width, size.height)
        self._style = style.for_counter() if min(size.width, size.height) <= _COUNTER else style
        self._opacity = 1000
        self._left_out: list[Extent] = []

    def shapes(self, shapes: Iterable[Shape]) -> tuple[Shape, ...]:
        out: list[Shape] = []
        for is_text, some in groupby(shapes, lambda shape: isinstance(shape, Run)):
            if is_text:
                out += self._words([shape for shape in some if isinstance(shape, Run)])
                continue
            for shape in some:
                if isinstance(shape, Group):
                    out += self._group(shape)
                elif isinstance(shape, PlacedImage):  # an empty frame takes its place
                    frame = Path(rectangle(shape.clip), PAPER, self._style.outline)
                    self.backgrounds.add(frame, "#808080", "white")
                    out.append(frame)
                elif isinstance(shape, Path) and shape.ops and not self._frames_nothing(shape):
                    out += self._path(shape)
        return tuple(out)

    def _group(self, group: Group) -> list[Shape]:
        """Returns a group with less ink and opaque, on white if it is an icon on hatching.

        In mode `text`, a picture is replaced by its outline or left out.
        """
        if group.opacity < _FAINT:
            return []
        span = span_of(group)
        if self._style.black and group.clip and span and self._is_picture(group, span):
            window = span_of_path(group.clip)
            if 2 * _sides(window)[0] < _sides(self._trim)[0]:
                return self._path(Path(group.clip, PAPER, self._style.outline, group.evenodd))
            self._left_out.append(window)
            return []
        white = self._white_under(span) if span else []
        outer = self.backgrounds.clips, self._opacity, self._style
        if span and self._is_sign(group, span):
            self._style = self._style._replace(in_sign=True)
        self._opacity = self._opacity * group.opacity // 1000
        if group.clip:
            self.backgrounds.clips = (*self.backgrounds.clips, Fill(Path(group.clip, evenodd=group.evenodd), PAPER))
        shapes = self.shapes(group.shapes)
        self.backgrounds.clips, self._opacity, self._style = outer
        return [*white, replace(group, shapes=shapes, opacity=1000)] if shapes else []

    @staticmethod
    def _is_sign(group: Group, span: Extent) -> bool:
        """Returns whether a group is dark fills that are thin for its size, and lines; outlined ones are drawings."""
        if not group.is_plain or max(_sides(span)) > _SOLID_SIDE or not all(isinstance(s, Path) for s in group.shapes):
            return False
        fills = [s for s in group.shapes if isinstance(s, Path) and s.fill]
        faint = any(s.stroke or _VISIBLE <= contrast(s.fill or PAPER, PAPER) < _ORNAMENT for s in fills)
        return bool(fills) and not faint and 5 * max(map(thickness, fills)) <= 2 * min(_sides(span))

    def _is_picture(self, group: Group, span: Extent) -> bool:
        """Returns whether a clipped group is a picture: a large drawing without words, on at most 3/5 of the face."""
        (wide, high), face = _sides(span_of_path(group.clip)), _sides(self._trim)
        is_window = 5 * wide * high <= 3 * face[0] * face[1] and min(_sides(span)) > _PICTURE_SIDE
        return is_window and not any(isinstance(shape, Run) for shape in walk(group.shapes))

    def _frames_nothing(self, path: Path) -> bool:
        """Returns whether a path is the frame of a picture that was left out."""
        span = span_of_path(path.ops)
        wide = span.right - span.left + 2 * _MOUNT
        return min(_sides(span)) > _PICTURE_SIDE and any(
            gone.holds(span, _MOUNT) and gone.right - gone.left < wide for gone in self._left_out
        )

    def _white_under(self, sign: Extent) -> list[Shape]:
        """Returns white under the box of a sign on hatching if it is as small as an icon, else nothing."""
        if min(_sides(sign)) > _SIGN_SIDE:
            return []
        background = self.backgrounds.at((sign.left + sign.right) // 2, (sign.top + sign.bottom) // 2)
        if background is None or background.printed != "hatched":
            return []
        return self._white(background, [sign])

    def _white(self, background: Background, boxes: Sequence[Extent]) -> list[Shape]:
        """Returns white rectangles around `boxes`, clipped to their hatched background."""
        patches = [Path(rectangle(span.box), PAPER) for span in _patches(boxes, background.fill.span)]
        for patch in patches:
            self.backgrounds.add(patch, background.fill.colour, "white")
        return [_clipped(patch, background) for patch in patches]

    def _path(self, path: Path) -> list[Shape]:
        """Returns a path with less ink; a gradient counts as its mean colour, and a gradient that fades is left out."""
        if path.fill and path.gradient:
            fill = None if _is_fade(path) else on_paper(path.fill, mean_colour(path.gradient)[1])
            path = path._replace(fill=fill, gradient=None)
        fill = on_paper(path.fill, self._opacity) if path.fill else None
        edge_visible = self._edge_visible(path, fill) if fill else False
        line: list[Shape] = self._line(path, on_paper(path.stroke.colour, self._opacity)) if path.stroke else []
        if fill is None:
            return line
        small = self._style.black and not pale(fill) and thickness(path) <= _SYMBOL * self._style.scale
        if small and self._is_ornament(path, fill):
            return line
        covers_face = Fill(path, fill).span.holds(self._trim)
        # Hatching on the whole face would only disturb what is drawn on it.
        if (covers_face and neutral(fill)) or (pale(fill) and self._on_solid(path)):
            self.backgrounds.add(path, fill, "white")
            return [path._replace(fill=PAPER, stroke=None), *line]
        shapes, printed = _filled(
            path._replace(fill=fill, stroke=None), edge_visible, covers_face or bool(line), self._style
        )
        self.backgrounds.add(path, fill, printed)
        return [*shapes, *line]

    def _edge_visible(self, path: Path, colour: str) -> bool:
        """Returns whether a path of this colour stands out from the drawing's background at its start or half-way."""
        points = [n[-2:] for _, n in path.ops if n]
        some = points[0], points[len(points) // 2]
        return any(contrast(colour, self.backgrounds.colour_at(x, y)) >= _VISIBLE for x, y in some)

    def _on_solid(self, path: Path) -> bool:
        """Returns whether a path begins on a fill that is printed solid, so that a pale path there stays white."""
        ground = self.backgrounds.at(*next(n[-2:] for _, n in path.ops if n))
        return ground is not None and ground.printed == "solid"

    def _is_ornament(self, path: Path, colour: str) -> bool:
        """Returns whether a path of this colour hardly contrasts with its background at the middles of its segments."""
        points = [n[-2:] for _, n in path.ops if n]
        middles = [((x1 + x2) // 2, (y1 + y2) // 2) for (x1, y1), (x2, y2) in pairwise(points)] or points
        some = middles[:: 1 + len(middles) // _SAMPLES]
        return not any(contrast(colour, self.backgrounds.colour_at(x, y)) >= _ORNAMENT for x, y in some)

    def _line(self, path: Path, colour: str) -> list[Shape]:
        """Returns the stroke of a path: a thin one stays, a wide one becomes two edges with dashes between them."""
        stroke, style = path.stroke, self._style
        assert stroke is not None
        bare = path._replace(fill=None)
        if pale(colour) and (path.fill is not None or not self._edge_visible(path, colour)):
            return [bare._replace(stroke=stroke._replace(colour=PAPER))]
        if style.black and self._is_ornament(path, colour):
            return []
        if style.in_sign and not style.counter:
            return [bare._replace(stroke=stroke._replace(colour=style.grey(min(level(colour), _PALEST))))]
        if stroke.width <= _WIDE * style.scale or stroke.dash:
            # A line of dots alone would disappear if they were thinner.
            pieces = edges(path.ops)
            dotted = stroke.cap == "round" and all(math.dist(a, b) < stroke.width / 4 for a, b in pieces)
            widest = style.widest if neutral(colour) or dotted else style.widest_coloured
            return [bare._replace(stroke=style.line(stroke, colour, widest))]
        edge = style.outline
        inner = stroke.width - 2 * edge.width
        lines = [stroke._replace(colour=edge.colour), stroke._replace(colour=PAPER, width=inner)]
        hatch = hatch_of(colour) if style.hatch else None
        if hatch:
            lines.append(stroke._replace(colour=style.hatch, width=inner, cap="butt", dash=_RHYTHMS[hatch.pattern]))
        return [bare._replace(stroke=line) for line in lines]

    def _words(self, runs: Sequence[Run]) -> list[Shape]:
        """Returns texts in black, or in white on a solid fill, with white patches under those that are on hatching."""
        boxes = [letter_box(run) for run in runs]
        on_hatching: dict[Background, list[Extent]] = {}
        for box in (box for run, box in zip(runs, boxes, strict=True) if run.colour != UNSEEN):
            middle = (box.top + box.bottom) // 2
            points = [(x, middle) for x in (box.left, (box.left + box.right) // 2, box.right)]
            for background in dict.fromkeys(self.backgrounds.at(*point) for point in points):
                if background and background.printed == "hatched":
                    on_hatching.setdefault(background, []).append(box)
        white = [patch for background, some in on_hatching.items() for patch in self._white(background, some)]
        return [*white, *(self._black(run, box) for run, box in zip(runs, boxes, strict=True))]

    def _black(self, run: Run, box: Extent) -> Run:
        if run.colour == UNSEEN:
            return run
        background = self.backgrounds.at((box.left + box.right) // 2, (box.top + box.bottom) // 2)
        return run._replace(colour=PAPER if background and background.printed == "solid" else BLACK)


def on_paper(colour: str, opacity: int) -> str:
    """Returns the opaque colour that `colour` with `opacity` (in thousandths) has on white paper."""
    if opacity >= 1000:
        return colour
    mixed = (255 - (255 - part) * opacity // 1000 for part in channels(colour))
    return "#" + "".join(f"{part:02x}" for part in mixed)


@lru_cache(maxsize=2048)
def _filled(path: Path, edge_visible: bool, stroked: bool, style: _InkStyle) -> tuple[tuple[Shape, ...], Printed]:
    """Returns the shapes that replace a filled path, and how its fill is printed.

    `edge_visible` says that its edge was visible in the drawing, `stroked` that it needs no further outline.
    """
    colour = path.fill or PAPER
    width = thickness(path) / style.scale
    if pale(colour):
        if edge_visible and (style.in_sign or width <= _SYMBOL):
            return (path._replace(fill=BLACK),), "solid"
        return (path._replace(fill=PAPER, stroke=style.outline if edge_visible and not stroked else None),), "white"
    edged = path._replace(fill=PAPER, stroke=None if stroked else style.outline)
    if style.in_sign or width <= (_SYMBOL * 3 // 2 if neutral(colour) else _SYMBOL):
        if (
            style.black
            and not style.in_sign
            and width > _SIGN
            and int(max(_sides(span_of_path(path.ops))) / style.scale) not in _AMONG_WORDS
        ):
            return (edged,), "white"
        return (path._replace(fill=style.grey(min(level(colour), _PALEST))),), "solid"
    hatch = hatch_of(colour) if style.hatch else None
    fill = Fill(path, colour)
    if hatch is None or (neutral(colour) and width < _BROAD and fill.core is None):
        return (edged,), "white"
    short, long = sorted(_sides(fill.span))
    if short <= _BAND and long >= _BAND_SHAPE * short and (style.black or not neutral(colour)):
        return (edged._replace(stroke=style.band),), "white"
    if width < _FINE:
        hatch = hatch._replace(pitch=hatch.pitch // 2)
    hatch = hatch._replace(pitch=hatch.pitch * style.spacing)
    inner = hatching(hatch, fill.span, style.hatch, style.hatch_width)
    shapes: tuple[Shape, ...] = (edged._replace(stroke=None), Group(inner, path.ops, path.evenodd))
    return (shapes if stroked else (*shapes, edged._replace(fill=None))), "hatched"


def _sides(span: Extent) -> tuple[int, int]:
    """Returns the width and the height of a rectangle."""
    return span.right - span.left, span.bottom - span.top


def _clipped(patch: Path, background: Background) -> Shape:
    """Returns a white patch, clipped to the visible part of the background on which it lies."""
    shape: Shape = patch
    core = background.fill.core
    if core is None or not core.holds(Fill(patch, PAPER).span):
        shape = Group((shape,), background.fill.path.ops, background.fill.path.evenodd)
    for clip in background.clips:
        shape = Group((shape,), clip.path.ops, clip.path.evenodd)
    return shape


def _patches(boxes: Sequence[Extent], ground: Extent) -> list[Extent]:
    """Returns `boxes` with white space around each; close ones are merged, those near an edge of `ground` reach it."""
    patches: list[Extent] = []
    for left, top, right, bottom in boxes:
        new = Extent(left - _AIR, top - _AIR * 3 // 5, right + _AIR, bottom + _AIR * 3 // 5)
        while near := [patch for patch in patches if patch.overlaps(new.grown(_SLIVER))]:
            patches = [patch for patch in patches if patch not in near]
            new = union([new, *near])
        patches.append(new)
    inner = ground.grown(-_INSET)
    return [_up_to_edges(patch, inner) for patch in patches]


def _up_to_edges(patch: Extent, ground: Extent) -> Extent:
    """Returns `patch`, extended to those edges of `ground` that are nearer than a sliver."""
    return Extent(
        min(patch.left, ground.left) if patch.left - ground.left < _SLIVER else patch.left,
        min(patch.top, ground.top) if patch.top - ground.top < _SLIVER else patch.top,
        max(patch.right, ground.right) if ground.right - patch.right < _SLIVER else patch.right,
        max(patch.bottom, ground.bottom) if ground.bottom - patch.bottom < _SLIVER else patch.bottom,
    )
