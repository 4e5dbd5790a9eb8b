"""Faces for a printing press: how much cyan, magenta, yellow and black (CMYK) prints a colour, and no transparency.

Amounts of ink are in thousandths of full coverage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from carddb.core.units import to_mm
from carddb.findings import CardCount, Finding, error
from carddb.layout.colours import channels, mixed
from carddb.layout.display_list import OPAQUE, UNSEEN, Face, Group, Path, Picture, Run, Shape, rectangle, walk
from carddb.layout.drawing.bleed import PAPER, Fill, one_colour, span_of
from carddb.layout.drawing.path import Span, is_rectangle, span_of_path
from carddb.layout.ink import level, neutral

Ink = tuple[int, int, int, int]
"""Amounts of cyan, magenta, yellow and black."""

BLACK: Ink = (0, 0, 0, 1000)
FULL = 4000
"""The sum of all four inks at full coverage."""
OVER_INKS = ("uv", "white")
"""The plates that lie over or under the inks; foil is in their place."""
HAIRLINE = 350
"""The greatest width of a line, in micrometres, that is printed with only black if it is dark."""
_DARK = 0x40
"""Words and hairlines whose red, green and blue are all below this are black, as are areas near to grey: four inks, of
which no two plates meet to a hair, would blur their edges."""


@dataclass(frozen=True, eq=False)
class InkSpace:
    """The colours of a job for a printing press.

    `named` has the inks of colours that a game prescribes. Greys are printed with only black, and so is what is nearly
    black, and words and hairlines that are nearly grey. Other colours are printed by `transform`, which is a printer's
    colour profile, with at most `limit` ink in sum. `spots` has the colours that are printed by a plate of their own,
    with its name.
    """

    transform: Callable[[str], Ink]
    named: Mapping[str, Ink] = field(default_factory=lambda: MappingProxyType({}))
    limit: int = FULL
    spots: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def ink(self, colour: str, *, fine: bool = False) -> Ink:
        """Returns the inks of a colour; `fine` for words and hairlines."""
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
        """Returns the greatest sum of inks of any colour on a face, the colour, and its first place in micrometres."""
        sums = ((sum(self.ink(colour)), colour, x, y) for colour, x, y in self._areas(face.shapes))
        return max(sums, key=lambda some: some[0], default=(0, "", 0, 0))

    def overprints(self, shapes: tuple[Shape, ...]) -> bool:
        """Returns whether black words may be printed over all colours of these shapes within the limit."""
        if self.limit >= FULL:
            return True
        room = self.limit - BLACK[3]
        if any(isinstance(shape, Picture) for shape in walk(shapes)):
            return False
        return all(sum(self.ink(colour)[:3]) <= room for colour, _, _ in self._areas(shapes))

    def _areas(self, shapes: tuple[Shape, ...]) -> Iterator[tuple[str, int, int]]:
        """Yields each colour of fills, gradients and lines in the four inks, with the first point of the outline."""
        for path in walk(shapes):
            if isinstance(path, Path) and path.ops and (points := path.ops[0][1]):
                colours = [stop.colour for stop in path.gradient.stops] if path.gradient else [path.fill]
                for colour in (*colours, path.stroke and path.stroke.colour):
                    if colour and colour not in self.spots:
                        yield colour, points[-2], points[-1]


def limited(ink: Ink, limit: int) -> Ink:
    """Returns the ink with cyan, magenta and yellow reduced in proportion, so that all four total at most `limit`."""
    cyan, magenta, yellow, black = ink
    colours = cyan + magenta + yellow
    room = limit - black
    if colours <= room:
        return ink
    return cyan * room // colours, magenta * room // colours, yellow * room // colours, black


def mask(face: Face, colours: Collection[str]) -> Face | None:
    """Returns a face on which only what has one of `colours` is black and the rest white, or None if nothing has."""
    found: list[str] = []

    def seen(colour: str) -> str:
        if colour in colours:
            found.append(colour)
            return "#000000"
        return colour if colour == UNSEEN else PAPER

    shapes = tuple(_recoloured(shape, seen, PAPER) for shape in face.shapes)
    return replace(face, shapes=shapes) if found else None


def opaque(face: Face) -> tuple[Face, list[tuple[int, int]]]:
    """Returns a face whose transparent shapes have the opaque colours that they show on their ground.

    A transparent shape that lies on several colours or on a picture is left as it is; the places of these are returned
    too, in micrometres.
    """
    flattening = _Flattening()
    shapes = flattening.shapes(face.shapes, None)
    return replace(face, shapes=shapes), flattening.left


def for_press(face: Face, subject: CardCount, inks: InkSpace, flat: str) -> tuple[Face, list[Finding]]:
    """Returns a face as a press prints it, and findings about too much ink and about transparency that is left.

    `flat` is the name of a standard that allows no transparency, empty for one that does.
    """
    findings = []
    name = f"{subject.name or face.title or 'a face'}" + (f" [{subject.ref}]" if subject.ref else "")
    cards = (subject,) if subject.ref else ()
    if flat:
        face, left = opaque(face)
        if left:
            message = (
                f"{name}: a transparent shape at {_place(*left[0])} lies on several colours or on a picture, and "
                f"{flat} allows no transparency"
            )
            fix = "Give it an opaque colour, or put it on one colour."
            findings.append(error("transparency_left", message, cards=cards, fix=fix))
    total, colour, x, y = inks.heaviest(face)
    if total > inks.limit:
        percent, limit = total / 10, inks.limit / 10
        message = (
            f"{name}: the colour {colour} at {_place(x, y)} takes {percent:g} % ink, and at most {limit:g} % dries"
        )
        data = {"colour": colour, "total": percent, "limit": limit}
        fix = f"Give {colour} less ink under `inks` in game.yaml."
        findings.append(error("ink_limit", message, cards=cards, data=data, fix=fix))
    return face, findings


def _place(x: int, y: int) -> str:
    return f"{to_mm(x):.1f}, {to_mm(y):.1f} mm"


class _Flattening:
    """Removes the transparency of shapes in drawing order, each on the fills that were drawn before it."""

    def __init__(self) -> None:
        self.left: list[tuple[int, int]] = []
        self._fills: list[Fill] = []

    def shapes(self, shapes: tuple[Shape, ...], window: Span | None, opacity: int = OPAQUE) -> tuple[Shape, ...]:
        """Returns shapes without transparency. An `opacity` below OPAQUE says that their colours may not show."""
        out: list[Shape] = []
        for each in shapes:
            if isinstance(each, Group):
                out += self._group(each, window, opacity)
                continue
            shape = self._faded(each) if isinstance(each, Path) else each
            out.append(shape)
            if isinstance(shape, Picture):
                self._fills.append(Fill(Path(rectangle(shape.clip)), "", window, 0))
            elif isinstance(shape, Path) and shape.fill and shape.ops:
                self._fills.append(Fill(shape, shape.fill, window, opacity))
        return tuple(out)

    def _group(self, group: Group, window: Span | None, opacity: int) -> list[Shape]:
        if group.clip:
            window = span_of_path(group.clip).within(window)
            if not is_rectangle(group.clip):
                opacity = min(opacity, OPAQUE - 1)  # the fill is not sure to cover its rectangle
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
        if ground is None or any(isinstance(shape, Picture) for shape in walk(inner)):
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

    def _ground(self, shape: Shape, window: Span | None) -> str | None:
        """Returns the only colour under a shape with its lines, or None if there are several."""
        span = _reach(shape)
        return one_colour(self._fills, span.within(window)) if span else None

    def _leave(self, shape: Shape) -> None:
        span = span_of(shape)
        self.left.append((span.left, span.top) if span else (0, 0))


def _reach(shape: Shape) -> Span | None:
    """Returns the bounding rectangle of a shape with the width of its lines."""
    span = span_of(shape)
    widths = [leaf.stroke.width for leaf in walk((shape,)) if isinstance(leaf, Path) and leaf.stroke]
    by = (max(widths) + 1) // 2 if widths else 0
    return span and span.grown(by)


def _apart(shapes: tuple[Shape, ...]) -> bool:
    """Returns whether no two of some few shapes overlap, so that each can be transparent by itself."""
    spans = [span for shape in shapes if (span := _reach(shape))]
    if len(spans) > 200:
        return False
    return not any(one.overlaps(other) for at, one in enumerate(spans) for other in spans[:at])


def _recoloured(shape: Shape, colour_for: Callable[[str], str], cover: str = "") -> Shape:
    """Returns a shape with other colours; a picture stays, or becomes a rectangle of the colour `cover`."""
    if isinstance(shape, Group):
        inner = tuple(_recoloured(each, colour_for, cover) for each in shape.shapes)
        return replace(shape, shapes=inner, shared=False)
    if isinstance(shape, Picture) and cover:
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
