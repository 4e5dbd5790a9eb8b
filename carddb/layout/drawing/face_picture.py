"""A finished picture as a whole face: how it lies on the trim, and how it goes on beyond the cut."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from carddb.core.errors import FontError
from carddb.core.units import Box, Size
from carddb.layout.display_list import Group, Picture, Shape, rectangle
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.art import Vector, coarse
from carddb.layout.drawing.bleed import REACH
from carddb.layout.drawing.face_drawing import FaceDrawing
from carddb.layout.drawing.svg_parser import Art, Note
from carddb.layout.text.text_setting import Setter

Fit = Literal["fit", "fill", "stretch"]
FIELD = "face_image"
_NEAR = 1000
"""A picture that ends as near to the trim as this goes on beyond it."""
_EDGE = 400
"""How much of a picture's edge is drawn out to go on beyond the trim."""
_OVERLAP = 200
"""How far what is beyond the edge reaches under the picture, so that no line of paper shows between them."""


def placed(art: Art | Vector, size: Size, fit: Fit) -> Box:
    """Where the whole picture lies: within the face, over all of it, or pulled to its shape; centred."""
    if fit == "stretch":
        return Box(0, 0, size.width, size.height)
    scales = size.width / art.width, size.height / art.height
    scale = min(scales) if fit == "fit" else max(scales)
    width, height = round(art.width * scale), round(art.height * scale)
    return Box((size.width - width) // 2, (size.height - height) // 2, width, height)


def picture_shapes(
    art: Art | Vector, name: str, size: Size, fit: Fit, setter: Setter
) -> tuple[tuple[Shape, ...], list[Note]]:
    """What a face of that size shows of a picture, and what may be worth a finding."""
    box = placed(art, size, fit)
    if isinstance(art, Vector):
        return _drawing(art, name, box, size, setter)
    widest = max(box.width, round(box.height * art.width / art.height))
    shapes = tuple(Picture(art.key, part.box, part.clip, 0, FIELD) for part in _parts(box, size))
    return shapes, coarse(art, box._replace(width=widest), FIELD, name)


class _Span(NamedTuple):
    """A stretch of a picture along one side of the face: where it shows, and where all of it would lie."""

    start: int
    end: int
    origin: int
    length: int


class _Part(NamedTuple):
    """One drawing of the picture: where all of it would lie, and what of that shows."""

    box: Box
    clip: Box


def _parts(box: Box, size: Size) -> Iterator[_Part]:
    """The picture's edges drawn out beyond the trim, then the picture itself over them."""
    across = list(_spans(box.x, box.width, size.width))
    down = list(_spans(box.y, box.height, size.height))
    for x in across:
        for y in down:
            yield _Part(
                Box(x.origin, y.origin, x.length, y.length), Box(x.start, y.start, x.end - x.start, y.end - y.start)
            )


def _spans(origin: int, length: int, side: int) -> Iterator[_Span]:
    """Along one side: the two edges where they go on beyond the trim, the picture itself last."""
    start, end = max(origin, -REACH), min(origin + length, side + REACH)
    edge = min(_EDGE, length)
    if -REACH < start <= _NEAR:
        yield _drawn_out(start, start + edge, -REACH, start, origin, length)
    if side - _NEAR <= end < side + REACH:
        yield _drawn_out(end - edge, end, end, side + REACH, origin, length)
    yield _Span(start, end, origin, length)


def _drawn_out(source: int, source_end: int, start: int, end: int, origin: int, length: int) -> _Span:
    """A stretch of the picture drawn out to lie from `start` to `end`, and a little under its neighbour."""
    scale = (end - start) / (source_end - source)
    under = -_OVERLAP if start == source_end else 0, _OVERLAP if end == source else 0
    return _Span(start + under[0], end + under[1], round(start - (source - origin) * scale), round(length * scale))


def _drawing(art: Vector, name: str, box: Box, size: Size, setter: Setter) -> tuple[tuple[Shape, ...], list[Note]]:
    """The shapes of a drawing as a face: its grounds go on beyond the trim as those of templates do."""
    across, down = box.width / art.width, box.height / art.height
    matrix = (across, 0.0, 0.0, down, box.x - art.view[0] * across, box.y - art.view[1] * down)
    inner = FaceDrawing(setter, svg_parser.Library(), {})
    try:
        inner.draw(art.root, matrix, size)
    except (svg_parser.Fault, FontError) as fault:
        reason = {"picture": name, "reason": fault.message, "fix": fault.remedy}
        return (), [Note("art_unsupported", FIELD, name, reason)]
    left, right = (_outermost(*side) for side in ((box.x, 0, -REACH), (box.right, size.width, REACH)))
    top, bottom = (_outermost(*side) for side in ((box.y, 0, -REACH), (box.bottom, size.height, REACH)))
    return (Group(tuple(inner.shapes), rectangle(Box(left, top, right - left, bottom - top))),), inner.notes


def _outermost(edge: int, trim: int, reach: int) -> int:
    """How far a drawing may show on one side: its own edge, or beyond the trim where that edge reaches it."""
    inside = trim - edge if reach > 0 else edge - trim
    return trim + reach if inside <= _NEAR else edge
