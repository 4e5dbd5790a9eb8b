"""What reaches the edge of a face goes on beyond it."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from carddb.core.units import Box, Size, mm
from carddb.layout.display_list import Group, Path, PlacedImage, Stroke, rectangle
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.bleed import REACH, Edges
from carddb.layout.text.fonts import FontBook
from tests.layout.drawing.test_face import face, shapes

SIZE = Size(60_000, 40_000)
FRAME = Edges.of(Box(0, 0, 60_000, 40_000), SIZE)
ALL = Box(-REACH, -REACH, 60_000 + 2 * REACH, 40_000 + 2 * REACH)


def spans(path: Path) -> tuple[int, int, int, int]:
    xs, ys = ([points[at] for _, points in path.ops if points] for at in (0, 1))
    return min(xs), min(ys), max(xs), max(ys)


def test_a_ground_goes_on_beyond_every_edge_it_reaches(book: FontBook) -> None:
    """A rectangle over the whole face fills the bleed; one inside it, or with round corners, stays as it is."""
    ground = '<rect width="60" height="40" fill="#123456"/>'
    for body, expected in (
        (ground, (-REACH, -REACH, 60_000 + REACH, 40_000 + REACH)),
        ('<rect y="30" width="60" height="10"/>', (-REACH, 30_000, 60_000 + REACH, 40_000 + REACH)),
        ('<rect x="1" y="1" width="58" height="38"/>', (1000, 1000, 59_000, 39_000)),
        ('<rect width="60" height="40" rx="3"/>', (0, 0, 60_000, 40_000)),
        ('<rect width="60" height="40" data-bleed="none"/>', (0, 0, 60_000, 40_000)),
    ):
        (shape,) = shapes(face(book, body))
        assert isinstance(shape, Path) and spans(shape) == expected, body


def test_a_shape_goes_on_where_the_template_says_so(book: FontBook) -> None:
    """`data-bleed="edge"` holds for all shapes inside a group, whatever their outline."""
    body = '<g data-bleed="edge"><path d="M0 0L60 0L30 20Z"/><circle cx="30" cy="20" r="20"/></g>'
    triangle, circle = shapes(face(book, body))
    assert isinstance(triangle, Path) and triangle.ops[1] == ("L", (60_000 + REACH, -REACH))
    assert isinstance(circle, Path) and spans(circle)[1] == -REACH and spans(circle)[0] == 10_000


def test_the_line_round_a_ground_stays_on_the_trim(book: FontBook) -> None:
    """Only the fill grows."""
    fill, line = shapes(face(book, '<rect width="60" height="40" stroke="#ff0000" stroke-width="0.5"/>'))
    assert isinstance(fill, Path) and fill.stroke is None and spans(fill)[0] == -REACH
    assert isinstance(line, Path) and line.fill is None and line.ops == rectangle(Box(0, 0, 60_000, 40_000))


def test_a_picture_is_scaled_to_cover_its_bleed(book: FontBook) -> None:
    """A picture at the left edge shows on beyond it and still covers all of its window."""
    art = {"a.png": svg_parser.Art("k", 100, 100)}
    (picture,) = shapes(face(book, '<image href="a.png" width="20" height="20" y="10"/>', art=art))
    assert isinstance(picture, PlacedImage)
    assert picture.clip == Box(-REACH, 10_000, 20_000 + REACH, 20_000)
    assert picture.box.contains(picture.clip)


def test_a_ground_fills_a_face_of_another_shape(book: FontBook) -> None:
    """A drawing that is scaled into a narrower face has its ground up to all edges, and beyond."""
    (shape,) = shapes(face(book, '<rect width="60" height="40"/>', Size(mm(30), mm(30))))
    assert isinstance(shape, Path) and spans(shape) == (-REACH, -REACH, 30_000 + REACH, 30_000 + REACH)


def test_a_clip_at_the_edge_opens_with_it(book: FontBook) -> None:
    """What is clipped to the whole face may go on beyond it as well."""
    body = '<clipPath id="c"><rect width="60" height="40"/></clipPath><g clip-path="url(#c)"><circle r="99"/></g>'
    (group,) = shapes(face(book, body))
    assert isinstance(group, Group) and spans(Path(group.clip)) == (-REACH, -REACH, 60_000 + REACH, 40_000 + REACH)


@given(st.integers(-200, 60_200), st.integers(-200, 40_200), st.integers(300, 60_000), st.integers(300, 40_000))
def test_nothing_moves_inside_the_trim(x: int, y: int, width: int, height: int) -> None:
    """A grown box is the old one inside the face, and reaches the bleed wherever the old one reached the edge."""
    box = Box(x, y, width, height)
    assume(box.overlaps(Box(100, 100, 59_800, 39_800)))
    grown = FRAME.box(box, "")
    assert grown.contains(box) and (ALL.contains(grown) or not ALL.contains(box))
    inner = Box(100, 100, 59_800, 39_800)
    for before, after, low, high in (
        ((box.x, box.right), (grown.x, grown.right), inner.x, inner.right),
        ((box.y, box.bottom), (grown.y, grown.bottom), inner.y, inner.bottom),
    ):
        for old, new in zip(before, after, strict=True):
            assert new == old or not low <= old <= high


@pytest.mark.parametrize("stroke", [None, Stroke("#000000", 100)])
def test_a_path_without_a_fill_stays(stroke: Stroke | None) -> None:
    """There is nothing to grow."""
    path = Path(rectangle(Box(0, 0, 60_000, 40_000)), stroke=stroke)
    assert FRAME.path(path, "edge") == [path]
