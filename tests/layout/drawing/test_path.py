"""Path data, shapes and transforms."""

from __future__ import annotations

import contextlib
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.layout.drawing import path
from tests.rows import every

numbers = st.floats(-500, 500, allow_nan=False).map(lambda n: round(n, 3))


def test_relative_commands_give_the_same_segments_as_absolute_ones() -> None:
    """A path in relative commands is the path in absolute ones."""
    absolute = path.parse_path("M10 10L20 10H30V20C30 30 20 30 10 20Z")
    relative = path.parse_path("m10 10l10 0h10v10c0 10-10 10-20 0z")
    assert absolute == relative


def test_smooth_curves_reflect_the_control_point() -> None:
    """S and T continue the curve before them."""
    assert path.parse_path("M0 0C0 10 10 10 10 0S20-10 20 0")[2] == ("C", (10, -10, 20, -10, 20, 0))
    assert path.parse_path("M0 0Q5 10 10 0T20 0")[2][1][-2:] == (20, 0)


def test_an_arc_ends_where_it_says_and_stays_on_its_circle() -> None:
    """A half circle of radius 5 passes through its top."""
    segments = path.parse_path("M0 0A5 5 0 0 1 10 0")
    assert segments[-1][1][-2:] == (10, 0)
    middle = segments[1][1][-2:]
    assert math.dist(middle, (5, 0)) == pytest.approx(5)


@every("data", ["10 10", "M10", "M10 10 L", "M0 0 X 3", "M0 0 L a b"])
def test_faulty_path_data_is_refused(data: str) -> None:
    """Path data that cannot be read raises ValueError."""
    with pytest.raises(ValueError, match="path"):
        path.parse_path(data)


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text makes the path reader fail in another way than ValueError."""
    with contextlib.suppress(ValueError):
        path.parse_path(text)


@given(numbers, numbers, numbers)
def test_a_turn_and_its_inverse_leave_a_point_where_it_was(x: float, y: float, angle: float) -> None:
    """Transforms multiply as SVG has it: the last one is applied first."""
    matrix = path.parse_transform(f"rotate({angle}) translate(3 4) translate(-3 -4) rotate({-angle})")
    assert path.apply(matrix, x, y) == pytest.approx((x, y), abs=1e-6)


def test_an_unknown_transform_names_the_known_ones() -> None:
    """skewX is not supported, and the message says what is."""
    with pytest.raises(ValueError, match="translate, scale, rotate or matrix"):
        path.parse_transform("skewX(3)")


def test_points_are_rounded_to_whole_micrometres() -> None:
    """Placed segments are integers."""
    placed = path.place(path.parse_path("M0.1234567 0L1 1"), (1000, 0, 0, 1000, 0, 0))
    assert placed == (("M", (123, 0)), ("L", (1000, 1000)))
