"""Rectangles, outlines, SVG path data and basic shapes as absolute segments, and the matrices that place them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, groupby
from typing import NamedTuple, TypeVar

from carddb.core.plain_text import amount
from carddb.core.units import Box, Size
from carddb.layout.display_list import Op, Run

Matrix = tuple[float, float, float, float, float, float]
"""(a, b, c, d, e, f) as in SVG: x' = a x + c y + e, y' = b x + d y + f."""

Segment = tuple[str, tuple[float, ...]]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)

_COMMAND = re.compile(r"([MmLlHhVvCcSsQqTtAaZz])([^MmLlHhVvCcSsQqTtAaZz]*)")
_NUMBER = re.compile(r"-?+(?:\d++\.?+\d*+|\.\d++)(?:[eE][-+]?+\d++)?+")
_NUMBERS = re.compile(rf"(?:[\s,]*+{_NUMBER.pattern})*+[\s,]*+")
_ARITY = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
_KAPPA = 0.5522847498
_TRANSFORMS = "write translate, scale, rotate or matrix, with their numbers in parentheses"
_TRANSFORM = re.compile(r"\s*+([a-zA-Z]++)\s*+\(([^)]*+)\)\s*+,?+")


Number = TypeVar("Number", float, Fraction)
Six = tuple[Number, Number, Number, Number, Number, Number]


def multiply(outer: Six[Number], inner: Six[Number]) -> Six[Number]:
    """Returns the matrix that applies `inner` first, then `outer`; both are of floats, or of exact fractions."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def apply(matrix: Six[Number], x: Number | int, y: Number | int) -> tuple[Number, Number]:
    """Returns the point to which a matrix moves the point (`x`, `y`)."""
    a, b, c, d, e, f = matrix
    return a * x + c * y + e, b * x + d * y + f


def scale_of(matrix: Matrix) -> float:
    """Returns the factor by which a matrix scales lengths, on average over all directions."""
    return math.sqrt(abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))


@lru_cache(maxsize=360)
def direction(angle: int) -> tuple[float, float]:
    """Returns the unit vector at `angle` degrees clockwise from the x axis, exact for multiples of 90."""
    quarters = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}
    turned = angle % 360
    return quarters.get(turned) or (math.cos(math.radians(turned)), math.sin(math.radians(turned)))


LARGEST = 1e6
"""The largest absolute value of a number in a drawing, in the drawing's units."""


def finite(text: str) -> float:
    """Returns `text` as a number. Raises ValueError if it is not a number, or its absolute value exceeds LARGEST."""
    try:
        number = float(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a number") from None
    if not abs(number) <= LARGEST:
        raise ValueError(f"{text} is too large: numbers must be at most {LARGEST:,.0f}")
    return number


def parse_transform(text: str) -> Matrix:
    """Returns the matrix of an SVG transform list. Raises ValueError if `text` is not a valid list."""
    result, at = IDENTITY, 0
    while match := _TRANSFORM.match(text, at):
        at = match.end()
        numbers = [finite(n) for n in re.split(r"[\s,]+", match[2].strip()) if n]
        result = multiply(result, _one_transform(match[1], numbers))
    if text[at:].strip():
        raise ValueError(f"{text!r} is not a transform; {_TRANSFORMS}")
    if not all(map(math.isfinite, result)):
        raise ValueError("the numbers of the transforms are too large")
    return result


def _one_transform(name: str, args: list[float]) -> Matrix:
    match name, args:
        case "translate", [x]:
            return (1, 0, 0, 1, x, 0)
        case "translate", [x, y]:
            return (1, 0, 0, 1, x, y)
        case "scale", [s]:
            return (s, 0, 0, s, 0, 0)
        case "scale", [x, y]:
            return (x, 0, 0, y, 0, 0)
        case "rotate", [angle]:
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            return (cos, sin, -sin, cos, 0, 0)
        case "rotate", [angle, x, y]:
            return multiply(multiply((1, 0, 0, 1, x, y), _one_transform("rotate", [angle])), (1, 0, 0, 1, -x, -y))
        case "matrix", [a, b, c, d, e, f]:
            return (a, b, c, d, e, f)
    raise ValueError(f"{name}({' '.join(map(str, args))}) is not a transform; {_TRANSFORMS}")


@lru_cache(maxsize=512)
def parse_path(data: str) -> tuple[Segment, ...]:
    """Returns SVG path data as M, L, C and Z segments with absolute coordinates in user units. Raises ValueError."""
    parser = _PathParser()
    first = _COMMAND.search(data)
    if _numbers(data[: first.start()] if first else data):
        raise ValueError("path data (d) must begin with a command letter, such as M")
    for match in _COMMAND.finditer(data):
        parser.add(match[1], _numbers(match[2]))
    return tuple(parser.out)


def _numbers(text: str) -> list[float]:
    """Returns the numbers after a command letter. Raises ValueError for other text, or if a number is out of range.

    As in SVG, a minus sign or a second decimal point also begins a new number.
    """
    whole = _NUMBERS.match(text)
    end = whole.end() if whole else 0
    if end < len(text):
        raise ValueError(f"path data (d) cannot contain {text[end]!r}")
    numbers = [float(number) for number in _NUMBER.findall(text)]
    if max(map(abs, numbers), default=0.0) > LARGEST:
        raise ValueError(f"a number in {text.strip()!r} is too large: numbers must be at most {LARGEST:,.0f}")
    return numbers


class _PathParser:
    """Collects the segments of a path, tracking the current point, the sub-path's start and the last control point."""

    def __init__(self) -> None:
        self.x = self.y = self.start_x = self.start_y = 0.0
        self.control: tuple[str, float, float] = ("", 0.0, 0.0)
        self.out: list[Segment] = []

    def add(self, command: str, numbers: list[float]) -> None:
        """Adds the segments of a command letter and the numbers after it, which may repeat the command."""
        arity = _ARITY[command.upper()]
        count, rest = divmod(len(numbers), arity) if arity else (1, len(numbers))
        if rest or not count:
            raise ValueError(f"the path command {command} takes {amount(arity, 'number')}, not {len(numbers)}")
        if command in "Mm" and count > 1:  # further points are lines
            self._step(command, numbers[:2])
            self.add("L" if command == "M" else "l", numbers[2:])
        else:
            for at in range(0, max(1, len(numbers)), max(1, arity)):
                self._step(command, numbers[at : at + arity])

    def _step(self, command: str, n: list[float]) -> None:
        upper = command.upper()
        if command in "Hh":
            n = [n[0] + (self.x if command == "h" else 0.0), self.y]
        elif command in "Vv":
            n = [self.x, n[0] + (self.y if command == "v" else 0.0)]
        elif command == "a":
            n = [*n[:5], n[5] + self.x, n[6] + self.y]
        elif command != upper:
            n = [v + (self.y if i % 2 else self.x) for i, v in enumerate(n)]
        if upper == "Z":
            self.out.append(("Z", ()))
            self.x, self.y = self.start_x, self.start_y
        elif upper == "M":
            self.out.append(("M", (n[0], n[1])))
            self.start_x, self.start_y = n[0], n[1]
        elif upper in "LHV":
            self.out.append(("L", (n[0], n[1])))
        elif upper in "CS":
            first = (n[0], n[1]) if upper == "C" else self._reflected("C")
            self._curve(first, (n[-4], n[-3]), (n[-2], n[-1]))
            self.control = ("C", n[-4], n[-3])
        elif upper in "QT":
            q = (n[0], n[1]) if upper == "Q" else self._reflected("Q")
            end = (n[-2], n[-1])
            c1 = (self.x + 2 / 3 * (q[0] - self.x), self.y + 2 / 3 * (q[1] - self.y))
            self._curve(c1, (end[0] + 2 / 3 * (q[0] - end[0]), end[1] + 2 / 3 * (q[1] - end[1])), end)
            self.control = ("Q", *q)
        else:
            self._arc(n)
        if upper != "Z":
            last = self.out[-1][1]
            self.x, self.y = last[-2], last[-1]
        if upper not in "CSQT":
            self.control = ("", 0.0, 0.0)

    def _reflected(self, kind: str) -> tuple[float, float]:
        if self.control[0] != kind:
            return self.x, self.y
        return 2 * self.x - self.control[1], 2 * self.y - self.control[2]

    def _curve(self, c1: tuple[float, float], c2: tuple[float, float], end: tuple[float, float]) -> None:
        self.out.append(("C", (*c1, *c2, *end)))

    def _arc(self, n: list[float]) -> None:
        """Adds an elliptical arc as cubic curves (SVG 1.1, appendix F.6)."""
        rx, ry, turn, large, sweep, x, y = abs(n[0]), abs(n[1]), math.radians(n[2]), bool(n[3]), bool(n[4]), n[5], n[6]
        if not rx or not ry or (x, y) == (self.x, self.y):
            self.out.append(("L", (x, y)))
            return
        cos, sin = math.cos(turn), math.sin(turn)
        dx, dy = (self.x - x) / 2, (self.y - y) / 2
        px, py = cos * dx + sin * dy, -sin * dx + cos * dy
        grow = math.sqrt(max(1.0, (px / rx) ** 2 + (py / ry) ** 2))
        rx, ry = rx * grow, ry * grow
        under = max(0.0, (rx * ry) ** 2 - (rx * py) ** 2 - (ry * px) ** 2)
        root = math.sqrt(under / ((rx * py) ** 2 + (ry * px) ** 2)) * (1 if large != sweep else -1)
        cx, cy = root * rx * py / ry, -root * ry * px / rx
        start = math.atan2((py - cy) / ry, (px - cx) / rx)
        span = math.atan2((-py - cy) / ry, (-px - cx) / rx) - start
        if sweep and span < 0:
            span += 2 * math.pi
        elif not sweep and span > 0:
            span -= 2 * math.pi
        middle = (cos * cx - sin * cy + (self.x + x) / 2, sin * cx + cos * cy + (self.y + y) / 2)
        place: Matrix = (cos * rx, sin * rx, -sin * ry, cos * ry, *middle)
        pieces = max(1, math.ceil(abs(span) / (math.pi / 2) - 1e-9))
        step = span / pieces
        k = 4 / 3 * math.tan(step / 4)
        for i in range(pieces):
            a, b = start + i * step, start + (i + 1) * step
            c1 = apply(place, math.cos(a) - k * math.sin(a), math.sin(a) + k * math.cos(a))
            c2 = apply(place, math.cos(b) + k * math.sin(b), math.sin(b) - k * math.cos(b))
            self._curve(c1, c2, (x, y) if i == pieces - 1 else apply(place, math.cos(b), math.sin(b)))


def rect(x: float, y: float, width: float, height: float, rx: float = 0) -> tuple[Segment, ...]:
    """Returns a rectangle with corners rounded by the radius `rx`."""
    right, bottom = x + width, y + height
    if not rx:
        return (("M", (x, y)), ("L", (right, y)), ("L", (right, bottom)), ("L", (x, bottom)), ("Z", ()))
    rx = min(rx, width / 2, height / 2)
    k = rx * (1 - _KAPPA)
    return (
        ("M", (x + rx, y)), ("L", (right - rx, y)), ("C", (right - k, y, right, y + k, right, y + rx)),
        ("L", (right, bottom - rx)), ("C", (right, bottom - k, right - k, bottom, right - rx, bottom)),
        ("L", (x + rx, bottom)), ("C", (x + k, bottom, x, bottom - k, x, bottom - rx)),
        ("L", (x, y + rx)), ("C", (x, y + k, x + k, y, x + rx, y)), ("Z", ()),
    )  # fmt: skip


def ellipse(cx: float, cy: float, rx: float, ry: float) -> tuple[Segment, ...]:
    """Returns an ellipse as four cubic curves, clockwise from the top."""
    kx, ky = rx * _KAPPA, ry * _KAPPA
    return (
        ("M", (cx, cy - ry)),
        ("C", (cx + kx, cy - ry, cx + rx, cy - ky, cx + rx, cy)),
        ("C", (cx + rx, cy + ky, cx + kx, cy + ry, cx, cy + ry)),
        ("C", (cx - kx, cy + ry, cx - rx, cy + ky, cx - rx, cy)),
        ("C", (cx - rx, cy - ky, cx - kx, cy - ry, cx, cy - ry)),
        ("Z", ()),
    )


def polygon(points: str, close: bool) -> tuple[Segment, ...]:
    """Returns the outline of a polygon (`close`) or polyline from its `points`. Raises ValueError unless they are
    pairs.
    """
    numbers = [finite(n) for n in re.split(r"[\s,]+", points.strip()) if n]
    if len(numbers) % 2 or not numbers:
        raise ValueError(f"points needs pairs of numbers, but has {amount(len(numbers), 'number')}")
    pairs = list(zip(numbers[::2], numbers[1::2], strict=True))
    body: list[Segment] = [("M", pairs[0]), *(("L", pair) for pair in pairs[1:])]
    return (*body, ("Z", ())) if close else tuple(body)


@lru_cache(maxsize=512)
def place(segments: tuple[Segment, ...], matrix: Matrix) -> tuple[Op, ...]:
    """Returns the segments, transformed by a matrix into micrometres and rounded to whole micrometres."""
    a, b, c, d, e, f = matrix
    out: list[Op] = []
    for command, n in segments:  # no inner loop over the points: 40 ms instead of 56 for the emblems of CDG
        points: tuple[int, ...] = ()
        if len(n) == 2:
            x, y = n
            points = round(a * x + c * y + e), round(b * x + d * y + f)
        elif n:
            x, y, x2, y2, x3, y3 = n
            points = (
                round(a * x + c * y + e), round(b * x + d * y + f), round(a * x2 + c * y2 + e),
                round(b * x2 + d * y2 + f), round(a * x3 + c * y3 + e), round(b * x3 + d * y3 + f),
            )  # fmt: skip
        out.append((command, points))
    return tuple(out)


class QrCode(NamedTuple):
    """A code with `size` modules per side; `path` is SVG path data of its dark modules, with 1 unit per module."""

    size: int
    path: str


def qr_code(text: str) -> QrCode:
    """Returns the QR code of a text (ISO/IEC 18004), error correction M. Raises ValueError if the text is too long."""
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


CHORDS = 8
"""The number of straight lines that replace a curve."""

Point = tuple[float, float]
Edges = tuple[tuple[Point, Point], ...]


class Extent(NamedTuple):
    """A rectangle given by the positions of its four sides."""

    left: int
    top: int
    right: int
    bottom: int

    @classmethod
    def of(cls, box: Box) -> Extent:
        return cls(box.x, box.y, box.right, box.bottom)

    @property
    def box(self) -> Box:
        return Box(self.left, self.top, self.right - self.left, self.bottom - self.top)

    def holds(self, other: Extent, slack: int = 0) -> bool:
        return (
            other.left >= self.left - slack
            and other.top >= self.top - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )

    def grown(self, by: int) -> Extent:
        return Extent(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def overlaps(self, other: Extent) -> bool:
        """Returns whether the two rectangles have a common area."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom

    def common(self, other: Extent) -> Extent:
        """Returns the rectangle that both have in common; if they do not overlap, its sides are in reverse order."""
        left, top = max(self.left, other.left), max(self.top, other.top)
        return Extent(left, top, min(self.right, other.right), min(self.bottom, other.bottom))

    def within(self, window: Extent | None) -> Extent:
        """Returns the part of the rectangle that is in `window`; all of it if that is None."""
        return self.common(window) if window else self

    def inset(self, face: Size) -> int:
        """Returns the distance from the nearest edge of a face, negative if the rectangle extends beyond the face."""
        return min(self.left, self.top, face.width - self.right, face.height - self.bottom)


def union(spans: Iterable[Extent]) -> Extent:
    """Returns the bounding rectangle of one or more rectangles."""
    lefts, tops, rights, bottoms = zip(*spans, strict=True)
    return Extent(min(lefts), min(tops), max(rights), max(bottoms))


def span_of_path(ops: tuple[Op, ...]) -> Extent:
    """Returns the bounding rectangle of the points of an outline, including the control points of curves."""
    places = [*chain.from_iterable([points for _, points in ops])]
    xs, ys = places[::2], places[1::2]
    return Extent(min(xs), min(ys), max(xs), max(ys))


def is_rectangle(ops: tuple[Op, ...]) -> bool:
    """Returns whether an outline is a single rectangle with horizontal and vertical sides."""
    if len(ops) != 5 or [letter for letter, _ in ops] != ["M", "L", "L", "L", "Z"]:
        return False
    corners = {points for _, points in ops[:4]}
    return len(corners) == 4 and len({x for x, _ in corners}) == 2 and len({y for _, y in corners}) == 2


def letter_box(run: Run, above: int = 800, below: int = 250) -> Extent:
    """Returns the bounding rectangle of a run's letters, at any angle of the run.

    `above` and `below` are how far letters reach above and below the baseline, in thousandths of the em.
    """
    size, width = run.words[0].size, run.width
    top, bottom = -(-size * above // 1000), size * below // 1000
    if not run.angle:
        return Extent(run.x, run.y - top, run.x + width, run.y + bottom)
    corners = [letter_point(run, along, up) for along in (0, width) for up in (top, -bottom)]
    xs, ys = ([round(corner[axis]) for corner in corners] for axis in (0, 1))
    return Extent(min(xs), min(ys), max(xs), max(ys))


def letter_point(run: Run, along: float, up: float) -> Point:
    """Returns the point that is `along` micrometres from the start of a run's baseline and `up` above the baseline."""
    cos, sin = direction(run.angle)
    return run.x + along * cos + up * sin, run.y + along * sin - up * cos


def edges(ops: tuple[Op, ...], closed: bool = True) -> Iterator[tuple[Point, Point]]:
    """Yields the straight edges of an outline, one loop after another; curves are replaced by short chords.

    If `closed`, every loop is closed, as for filling; otherwise only loops that end with Z are closed.
    """
    start = here = (0.0, 0.0)
    for command, n in ops:
        if command == "M":
            if closed and here != start:
                yield here, start
            start = here = (n[0], n[1])
        elif command == "Z":
            if here != start:
                yield here, start
            here = start
        elif command == "L":
            yield here, (n[0], n[1])
            here = (n[0], n[1])
        else:
            ends = (here, n[:2], n[2:4], n[4:])
            for step in range(1, CHORDS + 1):
                point = on_curve(ends, step / CHORDS)
                yield here, point
                here = point
    if closed and here != start:
        yield here, start


def on_curve(ends: Sequence[Sequence[float]], t: float) -> Point:
    """Returns the point at `t` (0 to 1) of a cubic curve; `ends` are its start, its two control points and its end."""
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    (x1, y1), (x2, y2), (x3, y3), (x4, y4) = ends
    return a * x1 + b * x2 + c * x3 + d * x4, a * y1 + b * y2 + c * y3 + d * y4


def covers(edges: Edges, x: float, y: float, evenodd: bool) -> bool:
    """Returns whether the point (`x`, `y`) is inside an outline, by the even-odd or the non-zero rule."""
    winding = crossings = 0
    for (x1, y1), (x2, y2) in edges:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
            winding += 1 if y2 > y1 else -1
    return bool(crossings % 2) if evenodd else winding != 0


@lru_cache(maxsize=1024)  # most outlines are the same on all cards of a game
def core(ops: tuple[Op, ...], span: Extent, evenodd: bool) -> Extent | None:
    """Returns a large rectangle inside a convex outline with the bounds `span`; None if it is not convex."""
    outline = tuple(edges(ops))
    if not _convex(outline):
        return None
    width, height = span.right - span.left, span.bottom - span.top
    for percent in (0, 2, 4, 8, 15):
        inset = min(width, height) * percent // 100 + 1
        inner = Extent(span.left + inset, span.top + inset, span.right - inset, span.bottom - inset)
        left, top, right, bottom = inner
        corners = ((left, top), (right, top), (left, bottom), (right, bottom))
        if all(covers(outline, x, y, evenodd) for x, y in corners):
            return inner
    return None


def _convex(edges: Edges) -> bool:
    """Returns whether an outline is one closed convex loop."""
    turns = set()
    corners = list(zip(edges, (*edges[1:], *edges[:1]), strict=True))
    for (a, b), (c, d) in corners:
        if b != c:
            return False
        cross = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
        if abs(cross) > 1e-6:
            turns.add(cross > 0)
    tops = sum((one[1][1] - one[0][1] < 0) != (two[1][1] - two[0][1] < 0) for one, two in corners)
    return len(turns) == 1 and tops <= 2
