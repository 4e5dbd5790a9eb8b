"""Nets of boxes: folded, their panels meet, and they hold the cards."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Box, Size, mm
from carddb.layout.box import Inside, Net, Panel, divider, nets, placed, tuck_box
from carddb.layout.drawing.outline import flattened
from carddb.layout.drawing.path import covers, edges

Vector = tuple[float, float, float]
MEETS = 100
"""Panels meet to a tenth of a millimetre."""

insides = st.builds(Inside, st.integers(mm(30), mm(130)), st.integers(mm(40), mm(180)), st.integers(mm(8), mm(90)))
thicknesses = st.integers(100, 1_000)


def plus(a: Vector, b: Vector, times: float = 1) -> Vector:
    return (a[0] + b[0] * times, a[1] + b[1] * times, a[2] + b[2] * times)


def folded(net: Net) -> dict[str, list[Vector]]:
    """The corners of all panels in space, after every fold has been made by a right angle."""
    root = net.panels[0]
    frames = {root.name: ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))}

    def point(name: str, x: float, y: float) -> Vector:
        origin, across, down, _ = frames[name]
        return plus(plus(origin, across, x), down, y)

    for panel in net.panels[1:]:
        _, across, down, inward = frames[panel.parent]
        (x, y), (end_x, end_y) = panel.points[0], panel.points[-1]
        length = math.dist((x, y), (end_x, end_y))
        along = ((end_x - x) / length, (end_y - y) / length)
        out = (along[1], -along[0])  # on the paper; folded, it points where the parent's inside was
        outward = plus(plus((0, 0, 0), across, out[0]), down, out[1])
        edge = plus(plus((0, 0, 0), across, along[0]), down, along[1])
        new_across = plus(plus((0, 0, 0), edge, along[0]), inward, out[0])
        new_down = plus(plus((0, 0, 0), edge, along[1]), inward, out[1])
        start = point(panel.parent, x, y)
        frames[panel.name] = (
            plus(plus(start, new_across, -x), new_down, -y), new_across, new_down, plus((0, 0, 0), outward, -1)
        )  # fmt: skip
    return {panel.name: [point(panel.name, *corner) for corner in panel.points] for panel in net.panels}


def meets(one: list[Vector], other: list[Vector]) -> bool:
    """Whether two edges are the same in space, in either direction."""
    return any(all(math.dist(a, b) <= MEETS for a, b in zip(one, way, strict=True)) for way in (other, other[::-1]))


def extents(corners: dict[str, list[Vector]], names: tuple[str, ...]) -> list[float]:
    points = [corner for name in names for corner in corners[name]]
    return sorted(max(p[axis] for p in points) - min(p[axis] for p in points) for axis in range(3))


@given(insides)
def test_a_tuck_box_closes(inside: Inside) -> None:
    """The last side meets the back, lid and bottom meet the front, tabs lie on the panels that they are glued to."""
    net = tuck_box(inside)
    corners = folded(net)
    front = corners["front"][-4:-1]  # upper right, lower right, lower left
    upper_left = corners["front"][0]
    assert meets(corners["left"][1:3], corners["back"][1:3])
    assert meets(corners["lid"][1:3], [upper_left, front[0]])
    assert meets(corners["bottom"][1:3], [front[1], front[2]])
    for name, panel in (("tab", "left"), ("tuck", "front"), ("bottom tab", "front")):
        axis = next(n for n in range(3) if len({round(corner[n]) for corner in corners[panel]}) == 1)
        assert all(abs(corner[axis] - corners[panel][0][axis]) <= MEETS for corner in corners[name]), name
    assert all(abs(a - b) <= MEETS for a, b in zip(extents(corners, ("front", "back")), sorted(inside), strict=True))


@given(insides, thicknesses)
def test_a_lid_goes_over_its_base(inside: Inside, thickness: int) -> None:
    """The sides of both parts meet at their corners; the lid is wider than the base by its paper, not by 2 mm more."""
    sizes = []
    for net in nets("two-part", inside, thickness):
        corners = folded(net)
        for n in range(4):
            assert meets(corners[f"side {n}"][2:4], corners[f"side {(n + 1) % 4}"][0:2])
        sizes.append(extents(corners, (net.name, *(f"side {n}" for n in range(4)))))
    lid, base = sizes
    assert all(abs(a - b) <= MEETS for a, b in zip(base, sorted(inside), strict=True))
    wide = {round(side) for side in lid} & {inside.width + 2 * thickness + 500, inside.height + 2 * thickness + 500}
    assert wide


@given(insides, thicknesses, st.sampled_from(["tuck", "two-part"]))
def test_a_net_is_one_piece_of_paper(inside: Inside, thickness: int, style: str) -> None:
    """No panel lies on another, the outline runs round all of them, and every fold is within it."""
    for net in nets(style, inside, thickness):  # type: ignore[arg-type]
        for one, other in combinations(net.panels, 2):
            assert not one.box.grown(-1).overlaps(other.box.grown(-1)), (one.name, other.name)
        outline = tuple(edges(net.outline.path))
        area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in outline)) / 2
        assert abs(area - sum(map(surface, net.panels))) <= 1e-6 * area
        for fold in net.outline.folds:
            (x, y), (end_x, end_y) = fold[0][1], fold[1][1]
            assert covers(outline, (x + end_x) / 2 - 0.5, (y + end_y) / 2 - 0.5, False)


def surface(panel: Panel) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in pairwise((*panel.points, panel.points[0])))) / 2


def test_faces_stand_upright_on_a_folded_box() -> None:
    """A net is put in the middle of its room; text on sides is rotated, and the lid reads from the front.

    The sides of a two-part lid hang from its top, those of its base stand on the bottom.
    """
    net = placed(tuck_box(Inside(mm(64), mm(90), mm(20))), Box(0, 0, mm(210), mm(297)))
    bounds = net.bounds
    assert abs(bounds.x + bounds.right - mm(210)) <= 1 and abs(bounds.y + bounds.bottom - mm(297)) <= 1
    faces = {panel.name: (panel.face, panel.angle, panel.face_size) for panel in net.panels if panel.face}
    assert faces["front"] == ("front", 0, Size(mm(64), mm(90))) and faces["lid"] == ("end", 180, Size(mm(64), mm(20)))
    assert faces["left"] == faces["right"] == ("side", 90, Size(mm(90), mm(20)))
    lid, base = nets("two-part", Inside(mm(64), mm(90), mm(20)), 300)
    for part, below in ((lid, 0), (base, 180)):
        assert {panel.name: panel.angle for panel in part.panels}["side 2"] == below


@given(st.integers(2, 21), st.data(), st.builds(Size, st.integers(mm(30), mm(130)), st.integers(mm(40), mm(180))))
def test_the_tabs_of_dividers_stand_side_by_side(count: int, data: st.DataObject, card: Size) -> None:
    """A divider is as wide as a card; its tab leaves the next one free, that of few dividers every other one.

    The outline goes round them.
    """
    number = data.draw(st.integers(0, count - 2))
    size, outline, tab = divider(card, number, count)
    other = divider(card, number + 1, count)[2]
    if count <= 4:
        tabs = [divider(card, each, count)[2] for each in range(count)]
        assert not any(one.overlaps(two) for one, two in combinations(tabs, 2))
    assert size.width == card.width and size.height > card.height and not tab.overlaps(other)
    points = flattened(outline.path)
    assert (max(x for x, _ in points), max(y for _, y in points)) == size and min(y for _, y in points) == 0
