"""Whether the ground of a face goes on in colour to its edge, so that a cut that misses shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carddb.core.units import Size
from carddb.layout.colours import contrast
from carddb.layout.display_list import Face, Group, Path, Picture, Run, Shape, rectangle
from carddb.layout.drawing.background import PAPER, BackgroundStack, Fill

_INSET = 100
"""How far inside the trim the colour is looked at, in micrometres."""
_POINTS = 12
"""At how many points of each side."""
_VISIBLE = 1.1
"""The contrast to paper from which on a sliver is seen."""
_PICTURE = "#808080"


def has_tinted_edge(face: Face) -> bool:
    """Whether half of a face's edge or more is not white; a picture counts as grey."""
    stack = BackgroundStack()
    _lay(stack, face.shapes)
    points = list(_edge_points(face.size))
    tinted = sum(contrast(stack.colour_at(x, y), PAPER) >= _VISIBLE for x, y in points)
    return 2 * tinted >= len(points)


def _lay(stack: BackgroundStack, shapes: Iterable[Shape]) -> None:
    """Puts the fills of shapes on a stack, in drawing order."""
    for shape in shapes:
        if isinstance(shape, Group):
            outer = stack.clips
            if shape.clip:
                stack.clips = (*outer, Fill(Path(shape.clip, evenodd=shape.evenodd), PAPER))
            _lay(stack, shape.shapes)
            stack.clips = outer
        elif isinstance(shape, Picture):
            stack.add(Path(rectangle(shape.clip), _PICTURE), _PICTURE, "solid")
        elif not isinstance(shape, Run) and shape.fill and shape.ops:
            stack.add(shape, shape.fill, "solid")


def _edge_points(size: Size) -> Iterator[tuple[int, int]]:
    """Points near the four sides, evenly spread."""
    for number in range(_POINTS):
        x, y = ((2 * number + 1) * length // (2 * _POINTS) for length in (size.width, size.height))
        yield from ((x, _INSET), (x, size.height - _INSET), (_INSET, y), (size.width - _INSET, y))
