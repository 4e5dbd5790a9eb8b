"""Cutting machines, and the registration marks by which they find a printed sheet."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size, mm
from carddb.layout.display_list import Path, rectangle

Machine = Literal["silhouette", "cricut", "generic"]
FEEDER = 15_875
"""The inset of the marks that the sheet feeder of Silhouette machines needs: five eighths of an inch."""
INSET, ARM = mm(10), mm(5)
BLADE = mm(1)
"""The least space between two pieces that a machine cuts out."""
_MARKS: Mapping[str, int] = MappingProxyType({"silhouette": 3, "cricut": 0, "generic": 4})
"""The number of marks for each machine; the program of Cricut machines prints marks of its own."""
_SQUARE, _LINE = mm(5), mm(1)
_CLEAR = mm(2)
"""The least distance of a piece from a mark."""
_INK = "#000000"


class Cutter(NamedTuple):
    """A cutting machine: the number of its registration marks, their distance from the paper's edges, and the length of
    their arms, both in micrometres.
    """

    machine: Machine
    marks: int
    inset: int = INSET
    arm: int = ARM

    @property
    def formats(self) -> tuple[str, ...]:
        """The formats of files with cut lines that the program of the machine opens."""
        return ("svg",) if self.machine == "cricut" else ("svg", "dxf")

    def insets(self, margin: int) -> tuple[Size, ...]:
        """Returns the distances that pieces may keep from the paper's edges at the sides, and from top and bottom.

        With marks, either the columns or the rows of pieces are between the marks.
        """
        edge = max(margin, self.inset if self.marks else 0)
        beside = max(margin, self.inset + self._reach + _CLEAR)
        return (Size(beside, edge), Size(edge, beside)) if self.marks else (Size(edge, edge),)

    def boxes(self, paper: Size) -> tuple[Box, ...]:
        """Returns the places of the marks: upper left, upper right, lower left, and with four marks lower right."""
        left, right = self.inset, paper.width - self.inset - self.arm
        top, bottom = self.inset, paper.height - self.inset - self.arm
        places = [(left, top), (right, top), (left, bottom), (right, bottom)][: self.marks]
        boxes = [Box(x, y, self.arm, self.arm) for x, y in places]
        return (boxes[0]._replace(width=_SQUARE, height=_SQUARE), *boxes[1:]) if self.marks == 3 else tuple(boxes)

    @property
    def _reach(self) -> int:
        return max(self.arm, _SQUARE if self.marks == 3 else 0)

    def shapes(self, paper: Size) -> tuple[Path, ...]:
        """Returns the marks: angles that open inwards; of three marks, the first is a filled square."""
        boxes = self.boxes(paper)
        angles = [_angle(box, paper) for box in boxes]
        return (Path(rectangle(boxes[0]), _INK), *angles[1:]) if self.marks == 3 else tuple(angles)


def cutter_for(machine: Machine, count: int | None = None, inset: int | None = None, arm: int | None = None) -> Cutter:
    """Returns a cutting machine with its usual marks, or other ones. Raises UsageError if it cannot read them."""
    usual = _MARKS[machine]
    if not usual and (count or inset is not None or arm is not None):
        raise UsageError(f"the program of {machine} prints its own marks", "Leave the options of the marks out.")
    inset, arm = INSET if inset is None else inset, ARM if arm is None else arm
    if arm < 2 * _LINE:
        raise UsageError(f"arms of {arm / 1000:g} mm are too short to be found", "Use 5mm to 20mm.")
    return Cutter(machine, count or usual, inset, arm)


def _angle(box: Box, paper: Size) -> Path:
    """Returns an angle along the two sides of a box that are next to the paper's edges."""
    x, inner_x = (box.x, box.right) if 2 * box.x < paper.width else (box.right, box.x)
    y, inner_y = (box.y, box.bottom) if 2 * box.y < paper.height else (box.bottom, box.y)
    across, down = (_LINE if inner_x > x else -_LINE), (_LINE if inner_y > y else -_LINE)
    corners = [(x, y), (inner_x, y), (inner_x, y + down), (x + across, y + down), (x + across, inner_y), (x, inner_y)]
    return Path((("M", corners[0]), *(("L", corner) for corner in corners[1:]), ("Z", ())), _INK)
