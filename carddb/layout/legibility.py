"""Whether a drawn face can be read: size floor, contrast, nothing outside the trim."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from carddb.layout.display_list import UNSEEN, Face, Group, Op, Path, Run, Shape
from carddb.layout.svg_parser import Note
from carddb.units import Size, points

SMALLEST_TYPE = points(6)
LEAST_CONTRAST = 4.5
_PAPER = "#ffffff"
_SLACK = 20
"""Rounding of a scaled drawing, in micrometres."""
_CHORDS = 8

Point = tuple[float, float]
Edges = tuple[tuple[Point, Point], ...]


class Span(NamedTuple):
    """A rectangle by its sides."""

    left: int
    top: int
    right: int
    bottom: int

    def holds(self, other: Span, slack: int = 0) -> bool:
        return (
            other.left >= self.left - slack
            and other.top >= self.top - slack
            and other.right <= self.right + slack
            and other.bottom <= self.bottom + slack
        )


class Fill:
    """A filled outline as ground for text, within `span`: its own, and that of the `window` it is cut to."""

    def __init__(self, path: Path, colour: str, window: Span | None = None) -> None:
        self.path = path
        self.colour = colour
        self.span = _shared(_span(path.ops), window)

    @cached_property
    def edges(self) -> Edges:
        return tuple(edges(self.path.ops))

    @cached_property
    def core(self) -> Span | None:
        """A rectangle that the outline holds for certain; None where none was found."""
        return _core(self.edges, self.span, self.path.evenodd)

    def covers(self, x: int, y: int) -> bool:
        """Whether a point lies on it."""
        return _covers(self.edges, x, y, self.path.evenodd)


class Reader:
    """Reads a face in drawing order: told what is filled, it looks at each text that comes after."""

    def __init__(self, size: Size) -> None:
        self.notes: list[Note] = []
        self._face = Span(0, 0, size.width, size.height)
        self._grounds: list[Sequence[Fill]] = []

    def under(self, fills: Sequence[Fill]) -> None:
        """What is filled lies under all texts that follow."""
        self._grounds.append(fills)

    def text(self, runs: Sequence[Run], span: Span) -> bool:
        """Reads runs of one size and colour that lie within a rectangle.

        True where any such runs could be read anywhere in that rectangle.
        """
        first = runs[0]
        even = self._even(span) if self._face.holds(span) and first.words[0].size >= SMALLEST_TYPE - 1 else None
        if even is not None and contrast(first.colour, even) >= LEAST_CONTRAST:
            return True
        self.read(runs)
        return False

    def read(self, runs: Sequence[Run]) -> None:
        """Notes what is wrong with runs that belong together."""
        runs = [run for run in runs if run.colour != UNSEEN]
        if not runs:
            return
        baselines, whole = _extent(runs)
        even = self._even(whole) if whole else None
        inside = baselines is None or self._face.holds(baselines, _SLACK)
        for run in runs:
            size = run.words[0].size
            if size < SMALLEST_TYPE - 1:
                self._note("text_too_small", run, size_um=size, least_um=SMALLEST_TYPE)
            ratio = contrast(run.colour, even or self._ground(*_middle(run)))
            if ratio < LEAST_CONTRAST:
                self._note("contrast_low", run, ratio=round(ratio, 2), least=LEAST_CONTRAST)
            if not inside and not self._face.holds(_baseline(run), _SLACK):
                self._note("text_outside", run, x_um=run.x, y_um=run.y, width_um=run.width)

    def _note(self, kind: str, run: Run, **data: int | float) -> None:
        self.notes.append(Note(kind, run.field, run.text, data))

    def _even(self, span: Span) -> str | None:
        """The colour that all of a rectangle stands on; None where it may stand on several."""
        left, top, right, bottom = span
        for fills in reversed(self._grounds):
            for fill in reversed(fills):
                over = fill.span
                if over[0] < right and left < over[2] and over[1] < bottom and top < over[3]:
                    return fill.colour if fill.core and fill.core.holds(span) else None
        return _PAPER

    def _ground(self, x: int, y: int) -> str:
        """The colour of the last fill under a point, else paper."""
        for fills in reversed(self._grounds):
            for fill in reversed(fills):
                over = fill.span
                if over[0] <= x <= over[2] and over[1] <= y <= over[3] and fill.covers(x, y):
                    return fill.colour
        return _PAPER


def notes(face: Face) -> list[Note]:
    """Every run that is too small, too faint or outside the face."""
    reader = Reader(face.size)
    look(face.shapes, reader)
    return reader.notes


def look(shapes: Iterable[Shape], reader: Reader, window: Span | None = None) -> None:
    """Shows a reader some shapes in drawing order, cut to a window."""
    for shape in shapes:
        if isinstance(shape, Run):
            reader.read((shape,))
        elif isinstance(shape, Path):
            reader.under(fills((shape,), window))
        elif isinstance(shape, Group):
            look(shape.shapes, reader, _inner(shape, window))


def fills(shapes: Iterable[Shape], window: Span | None = None) -> tuple[Fill, ...]:
    """What of some shapes is filled, in drawing order, and shows in a window."""
    found: list[Fill] = []
    for shape in shapes:
        if isinstance(shape, Group):
            found.extend(fills(shape.shapes, _inner(shape, window)))
        elif isinstance(shape, Path) and shape.fill and shape.ops:
            fill = Fill(shape, shape.fill, window)
            if fill.span.left <= fill.span.right and fill.span.top <= fill.span.bottom:
                found.append(fill)
    return tuple(found)


def _inner(group: Group, window: Span | None) -> Span | None:
    return _shared(_span(group.clip), window) if group.clip else window


def _shared(one: Span, other: Span | None) -> Span:
    """What two rectangles have in common; sides change places where that is nothing."""
    if other is None:
        return one
    left, top = max(one.left, other.left), max(one.top, other.top)
    return Span(left, top, min(one.right, other.right), min(one.bottom, other.bottom))


@lru_cache(maxsize=1024)
def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


_ALONG = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


def _extent(runs: Sequence[Run]) -> tuple[Span | None, Span | None]:
    """The rectangle round the baselines of some runs, and that round their letters; None where one lies askew."""
    spans = [_baseline(run) for run in runs]
    if any(run.angle not in _ALONG for run in runs):
        return None, None
    left, top = min([span[0] for span in spans]), min([span[1] for span in spans])
    right, bottom = max([span[2] for span in spans]), max([span[3] for span in spans])
    reach = max([run.words[0].size for run in runs])
    if runs[0].angle:
        return Span(left, top, right, bottom), Span(left - reach, top - reach, right + reach, bottom + reach)
    return Span(left, top, right, bottom), Span(left, top - reach * 4 // 5, right, bottom + reach // 4)


def _baseline(run: Run) -> Span:
    across, down = _ALONG.get(run.angle, (0, 0))
    width = run.width
    x, y = run.x + across * width, run.y + down * width
    return Span(min(run.x, x), min(run.y, y), max(run.x, x), max(run.y, y))


def _middle(run: Run) -> tuple[int, int]:
    half, up = run.width // 2, run.size * 3 // 10
    dx, dy = {0: (half, -up), 90: (up, half), 180: (-half, up), 270: (-up, -half)}.get(run.angle, (0, 0))
    return run.x + dx, run.y + dy


def _span(ops: tuple[Op, ...]) -> Span:
    xs = [v for _, n in ops for v in n[::2]]
    ys = [v for _, n in ops for v in n[1::2]]
    return Span(min(xs), min(ys), max(xs), max(ys))


def _core(edges: Edges, span: Span, evenodd: bool) -> Span | None:
    """A rectangle that a convex outline holds: as much of its span as its corners leave."""
    if not _convex(edges):
        return None
    width, height = span.right - span.left, span.bottom - span.top
    for percent in (0, 2, 4, 8, 15):
        inset = min(width, height) * percent // 100 + 1
        core = Span(span.left + inset, span.top + inset, span.right - inset, span.bottom - inset)
        corners = ((core.left, core.top), (core.right, core.top), (core.left, core.bottom), (core.right, core.bottom))
        if all(_covers(edges, x, y, evenodd) for x, y in corners):
            return core
    return None


def _convex(edges: Edges) -> bool:
    """Whether an outline is one closed loop that always turns the same way, once round."""
    turns = set()
    for (a, b), (c, d) in zip(edges, (*edges[1:], *edges[:1]), strict=True):
        if b != c:
            return False
        cross = (b[0] - a[0]) * (d[1] - c[1]) - (b[1] - a[1]) * (d[0] - c[0])
        if abs(cross) > 1e-6:
            turns.add(cross > 0)
    tops = sum(
        (one[1][1] - one[0][1] < 0) != (two[1][1] - two[0][1] < 0)
        for one, two in zip(edges, (*edges[1:], *edges[:1]), strict=True)
    )
    return len(turns) == 1 and tops <= 2


def _covers(edges: Edges, x: float, y: float, evenodd: bool) -> bool:
    """Point in polygon, curves taken as short chords."""
    winding = crossings = 0
    for (x1, y1), (x2, y2) in edges:
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            crossings += 1
            winding += 1 if y2 > y1 else -1
    return bool(crossings % 2) if evenodd else winding != 0


def edges(ops: tuple[Op, ...]) -> Iterator[tuple[Point, Point]]:
    """The straight pieces round an outline, loop by loop, every loop closed; curves as short chords."""
    start = here = (0.0, 0.0)
    for command, n in ops:
        if command == "M":
            if here != start:
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
            x0, y0 = here
            for i in range(1, _CHORDS + 1):
                t = i / _CHORDS
                a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
                point = (a * x0 + b * n[0] + c * n[2] + d * n[4], a * y0 + b * n[1] + c * n[3] + d * n[5])
                yield here, point
                here = point
    if here != start:
        yield here, start
