"""Faces that need little ink: no art, no large fills, and what colours meant is told by patterns.

`light` draws in greys, `text` in black alone. Grounds become white and keep their outline where one saw it, coloured
areas are hatched (`layout.hatching`), words are black and stand on white, thin lines and small signs stay.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from typing import Any, NamedTuple

from carddb.layout.background import PAPER, Background, BackgroundStack, Fill, Layer, Printed, span_of, thickness
from carddb.layout.display_list import UNSEEN, Face, Group, Path, Picture, Run, Shape, Stroke, rectangle
from carddb.layout.geometry import Span, edges, letter_box, union
from carddb.layout.hatching import LINE, channels, hatch_of, hatching, level, neutral, pale
from carddb.layout.legibility import contrast
from carddb.units import Size

MODES = ("full", "light", "text")
BLACK = "#000000"
_SIGN = 1000
"""A coloured fill as thin as this is a line or a sign, and stays filled; a black one may be half as thick again."""
_BROAD = 5000
"""A black fill thicker than this gets its pattern whatever its form; a thinner one that is not convex is a drawing."""
_FINE = 2500
"""A fill thinner than this is hatched at half the pitch."""
_WIDE = 1000
"""A line wider than this is drawn as its two edges."""
_SEEN = 1.3
"""The contrast from which on the edge of a pale fill is an edge one saw."""
_FAINT = 350
"""What is seen through more than this, in thousandths, is left out."""
_AIR = 500
"""Between words and the hatching round them."""
_MOST_KEPT = 2000


class _InkStyle(NamedTuple):
    """How a mode draws outlines and hatching, and how pale and wide it leaves a drawing's own lines."""

    outline: Stroke
    hatch: str
    hatch_width: int
    palest: int
    widest: int
    widest_coloured: int

    def sign(self, colour: str) -> str:
        """The grey of a small sign that had this colour."""
        return "#" + 3 * f"{min(level(colour), self.palest):02x}"

    def line(self, colour: str) -> str:
        """The grey of a line that had this colour: what had a hue is as pale as may be."""
        return self.sign(colour if neutral(colour) else PAPER)


_MANNERS = {
    "light": _InkStyle(Stroke("#6e6e6e", 120, join="round"), "#808080", LINE, 0x80, 400, 150),
    "text": _InkStyle(Stroke(BLACK, 100, join="round"), BLACK, 70, 0, 250, 100),
}


def lightened(face: Face, mode: str) -> Face:
    """A face as one of the MODES prints it. For many faces of one job keep a `Lightener`."""
    return InkSaver(mode).face(face)


class InkSaver:
    """Lightens the faces of a job; what they share is lightened once, and shared again."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self._manner = _MANNERS.get(mode)
        self._known: dict[tuple[int, ...], _SavedGroup] = {}
        self._spans: dict[int, tuple[Group, Span | None]] = {}

    def face(self, face: Face) -> Face:
        """The same face with less ink."""
        if self._manner is None:
            return face
        return replace(face, shapes=self.shapes(face.shapes, face.size))

    def shapes(self, shapes: tuple[Shape, ...], size: Size) -> tuple[Shape, ...]:
        """Shapes that lie on bare paper of that size."""
        return shapes if self._manner is None else _FaceSaver(self._manner, size, self._again).shapes(shapes)

    def _again(self, group: Group, page: _FaceSaver) -> Group:
        """A shared group: lightened once for each set of grounds it lies on."""
        if group is not self._spans.get(id(group), (None,))[0]:
            _bounded(self._spans)
            self._spans[id(group)] = (group, span_of(group))
        span = self._spans[id(group)][1]
        below = page.backgrounds.under(span) if span else ()
        key = (id(group), *map(id, below))
        known = self._known.get(key)
        if known is None:
            start = len(page.backgrounds.layers)
            made = page.inside(group)
            page.backgrounds.merge(start)
            _bounded(self._known)
            self._known[key] = _SavedGroup(group, below, made, tuple(page.backgrounds.layers[start:]))
            return made
        page.backgrounds.layers += known.layers
        return known.made


class _SavedGroup(NamedTuple):
    """What became of a group on those layers; all are kept with it, so that nothing else can have their ids."""

    group: Group
    below: tuple[Layer, ...]
    made: Group
    layers: tuple[Layer, ...]


def _bounded(kept: dict[Any, Any]) -> None:
    if len(kept) >= _MOST_KEPT:
        kept.clear()


class _FaceSaver:
    """One face being lightened, in drawing order."""

    def __init__(self, manner: _InkStyle, size: Size, again: Callable[[Group, _FaceSaver], Group]) -> None:
        self.backgrounds = BackgroundStack()
        self._trim = Span(0, 0, size.width, size.height)
        self._manner = manner
        self._again = again
        self._veil = 1000

    def shapes(self, shapes: Iterable[Shape]) -> tuple[Shape, ...]:
        out: list[Shape] = []
        for is_text, some in groupby(shapes, lambda shape: isinstance(shape, Run)):
            if is_text:
                out += self._words([shape for shape in some if isinstance(shape, Run)])
                continue
            for shape in some:
                if isinstance(shape, Group):
                    out += self._group(shape)
                elif isinstance(shape, Picture):
                    out.append(self._frame(shape))
                elif isinstance(shape, Path) and shape.ops:
                    out += self._path(shape)
        return tuple(out)

    def _group(self, group: Group) -> list[Shape]:
        if group.opacity < _FAINT:
            return []
        made = self._again(group, self) if group.shared else self.inside(group)
        return [made] if made.shapes else []

    def inside(self, group: Group) -> Group:
        """A group with all that is in it, seen through no more."""
        outer = self.backgrounds.clips, self._veil
        self._veil = self._veil * group.opacity // 1000
        if group.clip:
            self.backgrounds.clips = (*self.backgrounds.clips, Fill(Path(group.clip, evenodd=group.evenodd), PAPER))
        shapes = self.shapes(group.shapes)
        self.backgrounds.clips, self._veil = outer
        return replace(group, shapes=shapes, opacity=1000)

    def _frame(self, picture: Picture) -> Path:
        """An empty frame where a picture was."""
        frame = Path(rectangle(picture.clip), PAPER, self._manner.outline)
        self.backgrounds.add(frame, "#808080", "white")
        return frame

    def _path(self, path: Path) -> list[Shape]:
        fill = veiled(path.fill, self._veil) if path.fill else None
        seen = self._seen(path, fill) if fill else False
        line: list[Shape] = self._line(path, veiled(path.stroke.colour, self._veil)) if path.stroke else []
        if fill is None:
            return line
        whole = Fill(path, fill).span.holds(self._trim)
        shapes, printed = _filled(path._replace(fill=fill, stroke=None), seen, whole or bool(line), self._manner)
        self.backgrounds.add(path, fill, printed)
        return [*shapes, *line]

    def _seen(self, path: Path, colour: str) -> bool:
        """Whether the edge of a path of that colour stood out from what it lay on."""
        points = [n[-2:] for _, n in path.ops if n]
        return any(
            contrast(colour, self.backgrounds.colour_at(x, y)) >= _SEEN
            for x, y in (points[0], points[len(points) // 2])
        )

    def _line(self, path: Path, colour: str) -> list[Shape]:
        """A path's own stroke: thin ones stay, wide ones become two edges with ticks between."""
        stroke, manner = path.stroke, self._manner
        assert stroke is not None
        bare = path._replace(fill=None)
        if pale(colour) and (path.fill is not None or not self._seen(path, colour)):
            return [bare._replace(stroke=stroke._replace(colour=PAPER))]
        if stroke.width <= _WIDE or stroke.dash:
            widest = manner.widest if neutral(colour) or _dotted(path, stroke) else manner.widest_coloured
            dark = stroke._replace(colour=manner.line(colour), width=min(stroke.width, widest))
            return [bare._replace(stroke=dark)]
        edge = manner.outline
        inner = stroke.width - 2 * edge.width
        lines = [stroke._replace(colour=edge.colour), stroke._replace(colour=PAPER, width=inner)]
        sign = hatch_of(colour)
        if sign:
            lines.append(stroke._replace(colour=manner.hatch, width=inner, cap="butt", dash=sign.rhythm))
        return [bare._replace(stroke=line) for line in lines]

    def _words(self, runs: Sequence[Run]) -> list[Shape]:
        """Texts in black, on white where they stood on a hatching."""
        boxes = [letter_box(run) for run in runs]
        grounds = [self._grounds(box) if run.colour != UNSEEN else [] for run, box in zip(runs, boxes, strict=True)]
        white: list[Shape] = []
        for ground in dict.fromkeys(ground for some in grounds for ground in some if ground.printed == "hatched"):
            for span in _patches([box for box, some in zip(boxes, grounds, strict=True) if ground in some]):
                patch = Path(rectangle(span.box), PAPER)
                white.append(_clipped(patch, ground))
                self.backgrounds.add(patch, ground.fill.colour, "white")
        return [*white, *(self._black(run, box) for run, box in zip(runs, boxes, strict=True))]

    def _grounds(self, box: Span) -> list[Background]:
        """The grounds along the middle of a rectangle and at its ends."""
        middle = (box.top + box.bottom) // 2
        found = [self.backgrounds.at(x, middle) for x in (box.left, (box.left + box.right) // 2, box.right)]
        return [ground for ground in dict.fromkeys(found) if ground]

    def _black(self, run: Run, box: Span) -> Run:
        if run.colour == UNSEEN:
            return run
        ground = self.backgrounds.at((box.left + box.right) // 2, (box.top + box.bottom) // 2)
        return run._replace(colour=PAPER if ground and ground.printed == "solid" else BLACK)


def veiled(colour: str, opacity: int) -> str:
    """A colour seen through on paper, as an opaque one."""
    if opacity >= 1000:
        return colour
    mixed = (255 - (255 - part) * opacity // 1000 for part in channels(colour))
    return "#" + "".join(f"{part:02x}" for part in mixed)


@lru_cache(maxsize=2048)
def _filled(path: Path, seen: bool, lined: bool, manner: _InkStyle) -> tuple[tuple[Shape, ...], Printed]:
    """A filled path without its fill; `seen` where its edge was, `lined` where it has a stroke that stays."""
    colour = path.fill or PAPER
    thick = thickness(path)
    if pale(colour):
        if seen and thick <= _SIGN:
            return (path._replace(fill=manner.line(BLACK)),), "solid"
        return (path._replace(fill=PAPER, stroke=manner.outline if seen and not lined else None),), "white"
    if thick <= (_SIGN * 3 // 2 if neutral(colour) else _SIGN):
        return (path._replace(fill=manner.sign(colour)),), "solid"
    edged = path._replace(fill=PAPER, stroke=None if lined else manner.outline)
    sign = hatch_of(colour)
    fill = Fill(path, colour)
    if sign is None or (neutral(colour) and thick < _BROAD and fill.core is None):
        return (edged,), "white"
    if thick < _FINE:
        sign = sign._replace(pitch=sign.pitch // 2)
    inner = hatching(sign, fill.span, manner.hatch, manner.hatch_width)
    shapes: tuple[Shape, ...] = (edged._replace(stroke=None), Group(inner, path.ops, path.evenodd))
    return (shapes if lined else (*shapes, edged._replace(fill=None))), "hatched"


def _dotted(path: Path, stroke: Stroke) -> bool:
    """Whether a line is nothing but dots, which would be lost if they were thinner."""
    return stroke.cap == "round" and all(math.dist(a, b) < stroke.width / 4 for a, b in edges(path.ops))


def _clipped(patch: Path, ground: Background) -> Shape:
    """A white patch no further than the ground it is to clear."""
    shape: Shape = patch
    core = ground.fill.core
    if core is None or not core.holds(Fill(patch, PAPER).span):
        shape = Group((shape,), ground.fill.path.ops, ground.fill.path.evenodd)
    for clip in ground.clips:
        shape = Group((shape,), clip.path.ops, clip.path.evenodd)
    return shape


def _patches(boxes: Sequence[Span]) -> list[Span]:
    """Rectangles round texts with some air; those that touch are one."""
    patches: list[Span] = []
    for left, top, right, bottom in boxes:
        new = Span(left - _AIR, top - _AIR * 3 // 5, right + _AIR, bottom + _AIR * 3 // 5)
        while touching := [patch for patch in patches if patch.overlaps(new)]:
            patches = [patch for patch in patches if patch not in touching]
            new = union([new, *touching])
        patches.append(new)
    return patches
