"""Faces for a printing press: colours as amounts of cyan, magenta, yellow and black (CMYK), and no transparency.

Amounts of ink are in thousandths of full coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from carddb.core.units import to_mm
from carddb.findings import CardCount, Finding, error
from carddb.layout.colours import channels, mixed
from carddb.layout.display_list import OPAQUE, UNSEEN, Face, Group, Path, PlacedImage, Run, Shape, rectangle, walk
from carddb.layout.drawing.bleed import PAPER, Fill, one_colour, span_of
from carddb.layout.drawing.path import Extent, is_rectangle, span_of_path
from carddb.layout.ink import level, neutral

Ink = tuple[int, int, int, int]
"""The amounts of cyan, magenta, yellow and black, each from 0 to 1000."""

BLACK: Ink = (0, 0, 0, 1000)
FULL = 4000
"""The sum of all four inks at full coverage."""
OVER_INKS = ("uv", "white")
"""The spot plates that are printed over or under the four inks; the other one, foil, replaces them."""
HAIRLINE = 350
"""The greatest width, in micrometres, of a line that is printed with black alone if it is dark."""
_DARK = 0x40
"""Words and hairlines whose red, green and blue are all below this are printed with black alone, as are areas that are
nearly grey: the plates of four inks never align exactly, which would blur the edges."""


@dataclass(frozen=True, eq=False)
class InkSpace:
    """The inks that print each colour of a job for a printing press.

    `named` are the inks that a game prescribes, by colour. Greys and nearly black areas are printed with black alone,
    as are words and hairlines that are nearly grey. For other colours, `transform` (the printer's colour profile)
    returns the inks, which are reduced to at most `limit` in sum. `spots` are names of spot plates by colour.
    """

    transform: Callable[[str], Ink]
    named: Mapping[str, Ink] = field(default_factory=lambda: MappingProxyType({}))
    limit: int = FULL
    spots: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def ink(self, colour: str, *, fine: bool = False) -> Ink:
        """Returns the inks that print a colour; `fine` says that it is the colour of words or of a hairline."""
        parts = channels(colour)
        dark = max(parts) < _DARK
        if fine and dark:
            return BLACK
        if colour in self.named:
            return self.named[colour]
        if dark and neutral(colour):
            return BLACK
        if len(set(parts)) == 1 or (fine and neutral(colour)):
            return 0, 0, 0, 1000 - round(level(colour) * 1000 / 255)
        return limited(self.transform(colour), self.limit)

    def heaviest(self, face: Face) -> tuple[int, str, int, int]:
        """Returns the greatest sum of inks of any colour on a face, this colour, and the x and y of its first use."""
        sums = ((sum(self.ink(colour)), colour, x, y) for colour, x, y in self._areas(face.shapes))
        return max(sums, key=lambda some: some[0], default=(0, "", 0, 0))

    def overprints(self, shapes: tuple[Shape, ...]) -> bool:
        """Returns whether black words printed over any colour of these shapes stay within the limit of ink."""
        if self.limit >= FULL:
            return True
        room = self.limit - BLACK[3]
        if any(isinstance(shape, PlacedImage) for shape in walk(shapes)):
            return False
        return all(sum(self.ink(colour)[:3]) <= room for colour, _, _ in self._areas(shapes))

    def _areas(self, shapes: tuple[Shape, ...]) -> Iterator[tuple[str, int, int]]:
        """Yields (colour, x, y) for fills, gradients and lines, at a point of each; without colours of spot plates."""
        for path in walk(shapes):
            if isinstance(path, Path) and path.ops and (points := path.ops[0][1]):
                colours = [stop.colour for stop in path.gradient.stops] if path.gradient else [path.fill]
                for colour in (*colours, path.stroke and path.stroke.colour):
                    if colour and colour not in self.spots:
                        yield colour, points[-2], points[-1]


def limited(ink: Ink, limit: int) -> Ink:
    """Returns the ink with its colours, not black, reduced in proportion, so that the sum of all is at most `limit`."""
    cyan, magenta, yellow, black = ink
    colours = cyan + magenta + yellow
    room = limit - black
    if colours <= room:
        return ink
    return cyan * room // colours, magenta * room // colours, yellow * room // colours, black


def mask(face: Face, colours: Collection[str]) -> Face | None:
    """Returns a face with everything in one of `colours` black and the rest white; None if nothing would be black."""
    found: list[str] = []

    def seen(colour: str) -> str:
        if colour in colours:
            found.append(colour)
            return "#000000"
        return colour if colour == UNSEEN else PAPER

    shapes = tuple(_recoloured(shape, seen, PAPER) for shape in face.shapes)
    return replace(face, shapes=shapes) if found else None


def opaque(face: Face) -> tuple[Face, list[tuple[int, int]]]:
    """Returns a face on which each transparent shape has the opaque colour that it shows on the colour under it.

    Also returns the positions, in micrometres, of the transparent shapes that are left as they are, because they lie
    on several colours or on a picture.
    """
    flattening = _Flattening()
    shapes = flattening.shapes(face.shapes, None)
    return replace(face, shapes=shapes), flattening.left


def for_press(face: Face, subject: CardCount, inks: InkSpace, flat: str) -> tuple[Face, list[Finding]]:
    """Returns a face as a press prints it, and findings about too much ink and about transparency that is left.

    `flat` is the name of a standard that allows no transparency; empty if transparency is allowed.
    """
    findings = []
    name = f"{subject.name or face.title or 'a face'}" + (f" [{subject.ref}]" if subject.ref else "")
    cards = (subject,) if subject.ref else ()
    if flat:
        face, left = opaque(face)
        if left:
            message = (
                f"{name}: a transparent shape at {_place(*left[0])} lies on several colours or on a picture, but "
                f"{flat} allows no transparency"
            )
            fix = "In the template, give the shape an opaque colour, or put it on a single colour."
            findings.append(error("transparency_left", message, cards=cards, fix=fix))
    total, colour, x, y = inks.heaviest(face)
    if total > inks.limit:
        percent, limit = total / 10, inks.limit / 10
        message = (
            f"{name}: the colour {colour} at {_place(x, y)} needs {percent:g} % ink, but more than {limit:g} % does "
            "not dry"
        )
        data = {"colour": colour, "total": percent, "limit": limit}
        fix = f"Give {colour} less ink under `inks` in game.yaml."
        findings.append(error("ink_limit", message, cards=cards, data=data, fix=fix))
    return face, findings


def _place(x: int, y: int) -> str:
    return f"{to_mm(x):.1f}, {to_mm(y):.1f} mm"


class _Flattening:
    """Removes the transparency of shapes in drawing order, using the fills that were drawn before each shape."""

    def __init__(self) -> None:
        self.left: list[tuple[int, int]] = []
        self._fills: list[Fill] = []

    def shapes(self, shapes: tuple[Shape, ...], window: Extent | None, opacity: int = OPAQUE) -> tuple[Shape, ...]:
        """Returns shapes without transparency; their fills are recorded as visible in `window` with `opacity`."""
        out: list[Shape] = []
        for each in shapes:
            if isinstance(each, Group):
                out += self._group(each, window, opacity)
                continue
            shape = self._faded(each) if isinstance(each, Path) else each
            out.append(shape)
            if isinstance(shape, PlacedImage):
                self._fills.append(Fill(Path(rectangle(shape.clip)), "", window, 0))
            elif isinstance(shape, Path) and shape.fill and shape.ops:
                self._fills.append(Fill(shape, shape.fill, window, opacity))
        return tuple(out)

    def _group(self, group: Group, window: Extent | None, opacity: int) -> list[Shape]:
        if group.clip:
            window = span_of_path(group.clip).within(window)
            if not is_rectangle(group.clip):
                opacity = min(opacity, OPAQUE - 1)  # a clipped fill may not cover the whole of its rectangle
        if group.opacity == OPAQUE:
            return [replace(group, shapes=self.shapes(group.shapes, window, opacity))]
        if group.opacity <= 0:
            return []
        ground = self._ground(group, window)
        if ground is None and len(group.shapes) > 1 and _apart(group.shapes):
            parts = tuple(replace(group, shapes=(shape,), clip=(), shared=False) for shape in group.shapes)
            return self._group(replace(group, shapes=parts, opacity=OPAQUE, shared=False), window, opacity)
        before = len(self._fills)
        inner = self.shapes(group.shapes, window, opacity)
        del self._fills[before:]
        if ground is None or any(isinstance(shape, PlacedImage) for shape in walk(inner)):
            self._leave(group)
            return [group]

        def glazed_colour(colour: str) -> str:
            return colour if colour == UNSEEN else mixed(colour, ground, group.opacity)

        glazed = tuple(_recoloured(shape, glazed_colour) for shape in inner)
        return [replace(group, shapes=self.shapes(glazed, window, opacity), opacity=OPAQUE, shared=False)]

    def _faded(self, path: Path) -> Path:
        gradient = path.gradient
        if gradient is None or all(stop.opacity == OPAQUE for stop in gradient.stops):
            return path
        ground = self._ground(path, None)
        if ground is None:
            self._leave(path)
            return path
        stops = tuple(
            stop._replace(colour=mixed(stop.colour, ground, stop.opacity), opacity=OPAQUE) for stop in gradient.stops
        )
        return path._replace(gradient=gradient._replace(stops=stops))

    def _ground(self, shape: Shape, window: Extent | None) -> str | None:
        """Returns the colour under the fill and lines of a shape, or None if there are several colours."""
        span = _reach(shape)
        return one_colour(self._fills, span.within(window)) if span else None

    def _leave(self, shape: Shape) -> None:
        span = span_of(shape)
        self.left.append((span.left, span.top) if span else (0, 0))


def _reach(shape: Shape) -> Extent | None:
    """Returns the bounding rectangle of a shape, including the width of its lines; None for an empty shape."""
    span = span_of(shape)
    widths = [leaf.stroke.width for leaf in walk((shape,)) if isinstance(leaf, Path) and leaf.stroke]
    by = (max(widths) + 1) // 2 if widths else 0
    return span and span.grown(by)


def _apart(shapes: tuple[Shape, ...]) -> bool:
    """Returns whether no two shapes overlap, so that each can be made opaque separately; False for over 200 shapes."""
    spans = [span for shape in shapes if (span := _reach(shape))]
    if len(spans) > 200:
        return False
    return not any(one.overlaps(other) for at, one in enumerate(spans) for other in spans[:at])


def _recoloured(shape: Shape, colour_for: Callable[[str], str], cover: str = "") -> Shape:
    """Returns a shape in the colours that `colour_for` returns; pictures stay, or with `cover` become rectangles."""
    if isinstance(shape, Group):
        inner = tuple(_recoloured(each, colour_for, cover) for each in shape.shapes)
        return replace(shape, shapes=inner, shared=False)
    if isinstance(shape, PlacedImage) and cover:
        return Path(rectangle(shape.clip), cover)
    if isinstance(shape, Run):
        return shape._replace(colour=colour_for(shape.colour))
    if isinstance(shape, Path):
        stroke, gradient = shape.stroke, shape.gradient
        if gradient:
            stops = tuple(stop._replace(colour=colour_for(stop.colour)) for stop in gradient.stops)
            gradient = gradient._replace(stops=stops)
        return shape._replace(
            fill=shape.fill and colour_for(shape.fill),
            stroke=stroke and stroke._replace(colour=colour_for(stroke.colour)),
            gradient=gradient,
        )
    return shape
