"""Nets of boxes for cards: panels of paper, joined where they are folded."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, NamedTuple

from carddb.core.units import Box, Size, mm
from carddb.layout.drawing.outline import Line, Outline, polygon
from carddb.layout.sheets.imposition import bounds

Style = Literal["tuck", "two-part", "dividers"]
Place = tuple[int, int]

_TAB = mm(12)
"""The width of a tab that is glued."""
_TUCK = mm(15)
"""The length of the flap that is tucked in, and the greatest length of a dust flap."""
_TAPER = mm(2)
_LOOSE = 500
"""The distance by which a flap is narrower on each side than the edge that it is joined to, so that it slips in."""
_NOTCH = mm(9)
"""The greatest radius of the thumb notch."""
_NOTCH_STEPS = 24
_LID = (2, 3)
"""The share of a box's depth that the sides of its lid cover, as numerator and denominator."""
_AROUND_BASE = 500
"""The width by which a lid exceeds its base together with the paper on both sides."""
_DIVIDER_TAB = mm(8)
_TABS, _FEW = 3, 4
"""The number of positions across a divider that its tab can have; up to `_FEW` dividers each have their own."""


class Inside(NamedTuple):
    """The inner size of a box: the width and height of its front, and its depth, in micrometres."""

    width: int
    height: int
    depth: int


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel of a net: `points` run clockwise, and the panel is folded along the line from the last to the first.

    That line lies on edge number `edge` of the panel called `parent`, counted from 0. `face` names the panel of the
    template that is printed on it, rotated by `angle` degrees clockwise; a `glued` panel ends up out of sight.
    """

    name: str
    points: tuple[Place, ...]
    parent: str = ""
    edge: int = 0
    face: str = ""
    angle: int = 0
    glued: bool = False

    @property
    def box(self) -> Box:
        """The bounding rectangle."""
        xs, ys = zip(*self.points, strict=True)
        return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))

    @property
    def has_notch(self) -> bool:
        """True if the panel's upper edge has a notch for the thumb."""
        return len(self.points) > _NOTCH_STEPS

    @property
    def face_size(self) -> Size:
        """The width and height of the artwork that is printed on the panel, before it is rotated."""
        size = Size(self.box.width, self.box.height)
        return size.turned if self.angle % 180 else size

    def flap(
        self, edge: int, name: str, depth: int, *, taper: int = 0, inset: int = 0, face: str = "", angle: int = 0,
        glued: bool = False,
    ) -> Panel:  # fmt: skip
        """Returns a panel that is joined to edge number `edge` (from 0) of this panel and reaches `depth` outwards.

        It begins `inset` inside both ends of the edge, and narrows by `taper` on both sides. All are in micrometres.
        """
        (x, y), (end_x, end_y) = self.points[edge], self.points[edge + 1]
        length = abs(end_x - x) + abs(end_y - y)
        along = (end_x - x) // length, (end_y - y) // length
        out = along[1], -along[0]
        places = ((inset, 0), (inset + taper, depth), (length - inset - taper, depth), (length - inset, 0))
        points = tuple((x + a * along[0] + b * out[0], y + a * along[1] + b * out[1]) for a, b in places)
        return Panel(name, points, self.name, edge, face, angle, glued)


@dataclass(frozen=True, slots=True)
class Net:
    """Panels that are cut out in one piece, each joined to another; the first panel's last point repeats its first."""

    name: str
    panels: tuple[Panel, ...]

    @property
    def outline(self) -> Outline:
        """The outline of the net and its fold lines, measured from the upper left corner of its bounds."""
        folds: tuple[Line, ...] = tuple((("M", panel.points[0]), ("L", panel.points[-1])) for panel in self.panels[1:])
        cut = polygon(_without_repeats(self._around(self.panels[0])))
        return Outline(cut, folds).moved((1, 0, 0, 1, -self.bounds.x, -self.bounds.y))

    @property
    def bounds(self) -> Box:
        return bounds(tuple(panel.box for panel in self.panels))

    def _around(self, panel: Panel) -> Iterator[Place]:
        """Yields, clockwise, the corners of the cut line around a panel and all panels that are joined to it."""
        for edge, (start, _) in enumerate(pairwise(panel.points)):
            yield start
            for other in self.panels:
                if other.parent == panel.name and other.edge == edge:
                    yield from self._around(other)
        yield panel.points[-1]


def nets(style: Style, inside: Inside, thickness: int) -> tuple[Net, ...]:
    """Returns the net of a tuck box, or for another style the nets of lid and base; `thickness` is the paper's."""
    if style == "tuck":
        return (tuck_box(inside),)
    more = 2 * thickness + _AROUND_BASE  # the cards lie in the base, and the lid goes over it
    share, of = _LID
    lid = Inside(inside.width + more, inside.height + more, max(1, inside.depth * share // of))
    return _tray("lid", lid, "front", "end", 180), _tray("base", inside, "back", "wall", 0)


def tuck_box(inside: Inside) -> Net:
    """Returns the net of a box whose lid is tucked in: with dust flaps, a glued side and bottom, and a thumb notch."""
    wide, high, deep = inside
    radius, middle = notch_radius(wide), wide // 2
    angles = (math.pi * step / _NOTCH_STEPS for step in range(_NOTCH_STEPS + 1))
    notch = [(middle - round(radius * math.cos(a)), round(radius * math.sin(a))) for a in angles]
    front = Panel("front", ((0, 0), *notch, (wide, 0), (wide, high), (0, high), (0, 0)), face="front")
    left_edge = len(front.points) - 2
    right = front.flap(left_edge - 2, "right", deep, face="side", angle=90)
    back = right.flap(1, "back", wide, face="back")
    left = front.flap(left_edge, "left", deep, face="side", angle=90)
    lid = back.flap(0, "lid", deep, face="end", angle=180)
    bottom = back.flap(2, "bottom", deep, face="end")
    dust = max(1, min(_TUCK, wide // 2 - _LOOSE))
    loose = min(_LOOSE, deep // 8)
    taper = min(_TAPER, deep // 4)
    return Net("tuck box", (
        front, right, back, left, lid, bottom,
        back.flap(1, "tab", min(_TAB, deep - _LOOSE), taper=_TAPER, glued=True),
        lid.flap(1, "tuck", min(_TUCK, high // 2), taper=_TAPER, inset=_LOOSE),
        bottom.flap(1, "bottom tab", min(_TAB, high // 2), taper=_TAPER, inset=_LOOSE, glued=True),
        *(side.flap(edge, f"{side.name} dust {edge}", dust, taper=taper, inset=loose)
          for side in (left, right) for edge in (0, 2)),
    ))  # fmt: skip


def notch_radius(width: int) -> int:
    """Returns the radius of the thumb notch in the upper edge of a front that is `width` wide."""
    return min(_NOTCH, width // 6)


def _tray(name: str, inside: Inside, face: str, side_face: str, turn: int) -> Net:
    """Returns the net of a lid or base; with a `turn` of 180, the tops of the faces on its sides are at the folds."""
    wide, high, deep = inside
    root = Panel(name, ((0, 0), (wide, 0), (wide, high), (0, high), (0, 0)), face=face)
    sides = [root.flap(n, f"side {n}", deep, face=side_face, angle=(turn + 90 * n) % 360) for n in range(4)]
    tab, taper = min(_TAB, wide // 3), min(_TAPER, deep // 4)
    tabs = [
        side.flap(edge, f"{side.name} tab {edge}", tab, taper=taper, inset=min(_LOOSE, deep // 8), glued=True)
        for side in sides[1::2]
        for edge in (0, 2)
    ]
    return Net(name, (root, *sides, *tabs))


def divider(card: Size, number: int, count: int) -> tuple[Size, Outline, Box]:
    """Returns the size and outline of divider `number` (from 0) of `count`, and the box of its tab, which shifts."""
    tabs = count if count <= _FEW else _TABS
    width, step = card.width, card.width // tabs
    size = Size(width, card.height + _DIVIDER_TAB)
    left = number % tabs * step
    right = width if number % tabs == tabs - 1 else left + step
    shoulder, top = _DIVIDER_TAB, min(_TAPER, step // 8)
    points = [(left, shoulder), (left + top, 0), (right - top, 0), (right, shoulder), (width, shoulder)]
    corners = _without_repeats([(0, shoulder), *points, (width, size.height), (0, size.height)])
    return size, Outline(polygon(corners)), Box(left + top, 0, right - left - 2 * top, shoulder)


def placed(net: Net, room: Box) -> Net:
    """Returns the net, moved to the middle of `room` on the sheet."""
    bounds = net.bounds
    across = room.x + (room.width - bounds.width) // 2 - bounds.x
    down = room.y + (room.height - bounds.height) // 2 - bounds.y
    moved = (tuple((x + across, y + down) for x, y in panel.points) for panel in net.panels)
    return Net(net.name, tuple(replace(panel, points=points) for panel, points in zip(net.panels, moved, strict=True)))


def _without_repeats(points: Iterable[Place]) -> list[Place]:
    """Returns points without those that equal the point before them, and without a last point that equals the first."""
    kept: list[Place] = []
    for point in points:
        if not kept or point != kept[-1]:
            kept.append(point)
    return kept[:-1] if kept[0] == kept[-1] else kept
