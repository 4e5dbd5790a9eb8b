"""Turning and folding paper: where a box lies on the other side, and which way round.

A sheet that is turned over and a sheet that is folded are one case: all of it is reflected in a line, the middle
of the sheet or the fold. Lengths in micrometres, y downwards.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.units import Box, Size

Flip = Literal["long-edge", "short-edge", "none"]
FLIPS: tuple[Flip, ...] = get_args(Flip)
"""How a printer turns the paper; `none` prints fronts only."""


class Hinge(NamedTuple):
    """The line that paper is turned or folded about: upright or level, at half of `twice` from the left or the top."""

    upright: bool
    twice: int

    def mirror(self, box: Box) -> Box:
        """Where a box of one side lies as seen from the other."""
        if self.upright:
            return Box(self.twice - box.right, box.y, box.width, box.height)
        return Box(box.x, self.twice - box.bottom, box.width, box.height)

    def turned(self, angle: int) -> int:
        """How a back lies behind a front turned by `angle`, both in degrees clockwise.

        About an upright line art stays upright, about a level one it is turned by 180 degrees; a front turned by 90
        thus takes a back turned by 270 in the first case and by 90 in the second.
        """
        return ((0 if self.upright else 180) - angle) % 360


def turn_axis(paper: Size, flip: str) -> Hinge:
    """The line a printer turns this paper about. Raises UsageError for an unknown flip."""
    if flip not in FLIPS:
        raise UsageError(f"there is no flip {flip!r}", did_you_mean(flip, FLIPS))
    return middle(paper, (flip == "long-edge") == (paper.height >= paper.width))


def middle(paper: Size, upright: bool) -> Hinge:
    """The line that halves the paper."""
    return Hinge(upright, paper.width if upright else paper.height)
