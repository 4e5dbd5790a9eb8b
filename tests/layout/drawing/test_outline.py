"""Outlines of pieces: their shapes, their bleed, and the distance of words from them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Size
from carddb.layout.drawing.outline import Outline, flattened, polygon, rectangle
from carddb.layout.drawing.path import Extent, covers, edges
from carddb.layout.drawing.shapes import outline_of
from tests.rows import every

SIZE = Size(40_000, 30_000)
NOTCHED = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"><path d="{}"/>{}</svg>'
HEART = "M2 1 C3 -1 5 1 2 3 C-1 1 1 -1 2 1 Z"


def shape(text: str, size: Size = SIZE, drawing: str = NOTCHED.format(HEART, "")) -> Outline:
    return outline_of(text, size, lambda _: drawing)


def test_each_shape_fills_its_piece() -> None:
    """Every shape reaches all four sides of its piece, and curves are replaced by lines within a hundredth of a mm."""
    for text in ("rectangle 3mm", "rectangle", "circle", "hexagon flat", "hexagon pointed", "standee 6mm", "die"):
        points = flattened(shape(text).path)
        for axis, side in enumerate(SIZE):
            assert (min(p[axis] for p in points), max(p[axis] for p in points)) == (0, side), text
    disc = flattened(shape("circle", Size(40_000, 40_000)).path)
    middles = [((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in zip(disc, [*disc[1:], disc[0]], strict=True)]
    assert all(abs(math.dist(middle, (20_000, 20_000)) - 20_000) < 12 for middle in middles)


def test_a_standee_is_folded_in_its_middle_and_above_its_bases() -> None:
    """A standee has three lines to score, across its width."""
    assert [(fold[0][1], fold[1][1]) for fold in shape("standee 6mm").folds] == [
        ((0, y), (40_000, y)) for y in (6_000, 15_000, 24_000)
    ]


def test_a_drawing_is_stretched_to_its_piece() -> None:
    """The viewBox of a drawing becomes the piece; its paths `score` and `perforate` become further lines."""
    further = '<path id="score" d="M0 1 H4 M0 2 H4"/><path id="perforate" d="M1 0 V3"/>'
    outline = shape("heart.svg", drawing=NOTCHED.format("M0 0 H4 V3 H0 Z", further))
    assert outline.path == rectangle(SIZE, 0).path
    assert outline.folds == tuple((("M", (0, y)), ("L", (40_000, y))) for y in (10_000, 20_000))
    assert outline.perforations == ((("M", (10_000, 0)), ("L", (10_000, 30_000))),)


@every(
    "text, drawing, reason",
    [
        ("star", "", "there is no shape"),
        ("standee 20mm", "", "no room"),
        ("x.svg", "<svg", "not well-formed"),
        ("x.svg", NOTCHED.format("M0 0 H4 V3", ""), "not have exactly one closed path"),
        ("x.svg", NOTCHED.format("M0 0 H4 V3 Z M1 1 H2 V2 Z", ""), "not have exactly one closed path"),
        ("x.svg", NOTCHED.format("M0 0 Z", ""), "1 points"),
        ("x.svg", NOTCHED.format("M0 0 H5 V3 Z", ""), "extends beyond the viewBox"),
        ("x.svg", NOTCHED.format("M0 0 C900000 0 4 3 0 3 Z", ""), "extends far beyond the viewBox"),
        ("circle 3mm", "", "there is no shape"),
        ("hexagon", "", "there is no shape"),
        ("hexagon flat 3mm", "", "there is no shape"),
        ("x.svg", NOTCHED.format("M0 0 H4 V3 Z", '<path d="M0 0 H1 V1 Z"/>'), "several paths"),
        ("x.svg", NOTCHED.format("M0 0" + " L4 0 L0 3" * 1500 + " Z", ""), "at most 2,000"),
        ("x.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3"/>', "not have exactly one closed path"),
    ],
)
def test_what_is_no_outline_is_refused(text: str, drawing: str, reason: str) -> None:
    """A shape that does not exist, and a drawing without one closed path, are refused with the reason."""
    with pytest.raises(UsageError, match=reason):
        shape(text, drawing=drawing)


@given(st.sampled_from(["circle", "hexagon flat", "hexagon pointed", "heart.svg"]), st.integers(200, 5_000), st.data())
def test_bleed_is_what_lies_near_the_piece(text: str, by: int, data: st.DataObject) -> None:
    """A point is in the grown outline if it is in the piece or at most the bleed away from it, and not if it is further
    away; miters at flat corners may add a little.
    """
    outline = shape(text)
    grown, own = tuple(edges(outline.grown(by))), tuple(edges(polygon(flattened(outline.path))))
    x, y = data.draw(st.integers(-8_000, 48_000)), data.draw(st.integers(-8_000, 38_000))
    away = 0 if covers(own, x, y, False) else min(distance((x, y), *edge) for edge in own)
    if away < by * 0.98 - 2:
        assert covers(grown, x, y, False)
    elif away > by * 1.03 + 2:
        assert not covers(grown, x, y, False)


def distance(point: tuple[float, float], a: tuple[float, float], b: tuple[float, float]) -> float:
    """The distance of a point from a line, sampled."""
    steps = [(a[0] + (b[0] - a[0]) * t / 200, a[1] + (b[1] - a[1]) * t / 200) for t in range(201)]
    return min(math.dist(point, step) for step in steps)


def test_words_keep_their_distance_from_the_outline() -> None:
    """The corners of a rectangle count in a disc, the notch in a heart; what is outside has a distance below 0."""
    disc = shape("circle", Size(40_000, 40_000))
    assert abs(disc.inset(Extent(10_000, 10_000, 30_000, 30_000)) - (20_000 - round(math.hypot(10_000, 10_000)))) < 60
    assert disc.inset(Extent(1_000, 1_000, 39_000, 39_000)) < -5_000
    heart = shape("heart.svg")
    assert 0 < heart.inset(Extent(15_000, 11_000, 25_000, 13_000)) <= 1_000
    assert heart.inset(Extent(15_000, 8_000, 25_000, 13_000)) <= 0
