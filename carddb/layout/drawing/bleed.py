"""What reaches the edge of a face goes on beyond it, so that a cut a little off shows no white.

Plain rectangles without a turn and pictures do so of themselves; other shapes where `data-bleed="edge"` says so, and
nothing where it says `none`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from carddb.core.units import Box, Size
from carddb.layout.display_list import Path
from carddb.layout.drawing.geometry import is_rectangle

REACH = 5000
"""How far beyond the trim, in micrometres: more than any printer of cards asks for."""
_NEAR = 25

WAYS = ("edge", "none")


class Edges(NamedTuple):
    """The frame of a drawing as it lies on its face, and where its edges go on to.

    A drawing that leaves room beside it, because its face is of another shape, thus fills that room as well.
    """

    frame: Box
    beyond: Box

    @classmethod
    def of(cls, frame: Box, face: Size) -> Edges:
        return cls(frame, Box(0, 0, face.width, face.height).grown(REACH))

    def path(self, path: Path, way: str) -> list[Path]:
        """A painted outline with its fill grown over the edge; its line stays where it is."""
        if path.fill is None or way == "none" or not (way == "edge" or is_rectangle(path.ops)):
            return [path]
        grown = tuple((letter, self._points(points)) for letter, points in path.ops)
        if grown == path.ops:
            return [path]
        if path.stroke is None:
            return [path._replace(ops=grown)]
        return [path._replace(ops=grown, stroke=None), path._replace(fill=None)]

    def box(self, box: Box, way: str) -> Box:
        """The window of a picture, grown over the edges that it reaches."""
        if way == "none":
            return box
        left, top = self._across(box.x), self._down(box.y)
        return Box(left, top, self._across(box.right) - left, self._down(box.bottom) - top)

    def _points(self, points: tuple[int, ...]) -> tuple[int, ...]:
        moves: tuple[Callable[[int], int], ...] = (self._across, self._down)
        return tuple(moves[at % 2](place) for at, place in enumerate(points))

    def _across(self, x: int) -> int:
        return _moved(x, self.frame.x, self.frame.right, self.beyond.x, self.beyond.right)

    def _down(self, y: int) -> int:
        return _moved(y, self.frame.y, self.frame.bottom, self.beyond.y, self.beyond.bottom)


def _moved(place: int, first: int, last: int, before: int, after: int) -> int:
    """A place on the first or last line of the frame, or beyond it, moved outwards; any other as it is."""
    if place <= first + _NEAR:
        return min(place, before)
    if place >= last - _NEAR:
        return max(place, after)
    return place
