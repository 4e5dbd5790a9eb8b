from itertools import combinations
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Box, Size
from carddb.layout.sheets.margin_text import MarginSlot, MarginSpace, Where
from tests.rows import every

PAPER = Size(200_000, 300_000)
CARDS = Box(40_000, 50_000, 120_000, 200_000)
SIDES = ("left", "right", "top", "bottom")


def room(*marks: Box) -> MarginSpace:
    return MarginSpace(PAPER, CARDS, CARDS.grown(1_000), marks, (), 1_000)


@every(
    "side, angle, box",
    [
        ("left", 270, Box(34_000, 230_000, 4_000, 20_000)),
        ("right", 90, Box(162_000, 50_000, 4_000, 20_000)),
        ("top", 0, Box(40_000, 44_000, 20_000, 4_000)),
        ("bottom", 0, Box(40_000, 252_000, 20_000, 4_000)),
    ],
)
def test_words_start_where_they_are_read_from(side: str, angle: int, box: Box) -> None:
    """A thing at the start lies a gap off the bleed: at the foot on the left, which is read upwards."""
    assert room().place(side, 20_000, 4_000, "start", 3_000) == MarginSlot(box, angle)


def test_points_of_a_spot_turn_with_it() -> None:
    """Along runs upwards on the left and downwards on the right, and the words' tops face outwards."""
    box = Box(10_000, 20_000, 3_000, 50_000)
    assert MarginSlot(box, 270).at(1_000, 200) == (10_200, 69_000)
    assert MarginSlot(box, 90).at(1_000, 200) == (12_800, 21_000)
    assert MarginSlot(Box(10_000, 20_000, 50_000, 3_000), 0).at(1_000, 200) == (11_000, 20_200)


def test_things_stand_beyond_the_marks_if_they_can() -> None:
    """Beyond the marks where there is depth for it, else between two marks, else nowhere."""
    marks = [Box(x, 252_000, 0, 4_000) for x in (40_000, 100_000, 160_000)]
    beyond = room(*marks).place("bottom", 80_000, 4_000, "start", 3_000)
    assert beyond and beyond.box.y == 257_000
    between = room(*marks).place("bottom", 40_000, 4_000, "start", 42_000)
    assert between and between.box.right < 100_000 and between.box.y < 256_000
    assert room(*marks).place("bottom", 80_000, 4_000, "start", 42_000) is None


def test_a_thing_is_put_on_a_level_with_another() -> None:
    """What ends a line begins beside what starts it, three millimetres off at least, if both have room."""
    margin = room()
    first = margin.place("bottom", 50_000, 3_000, "start", 3_000)
    assert first
    second = margin.place("bottom", 60_000, 3_000, "end", 3_000, level=first)
    assert second and second.box.y == first.box.y and second.box.right == CARDS.right
    third = margin.place("bottom", 60_000, 3_000, "end", 3_000, level=first)
    assert third and third.box.y > first.box.bottom


things = st.tuples(
    st.sampled_from(SIDES),
    st.integers(1_000, 90_000),
    st.integers(1_000, 12_000),
    st.sampled_from(get_args(Where)),
    st.booleans(),
    st.booleans(),
)


@given(st.lists(things, min_size=1, max_size=12), st.integers(0, 10_000))
def test_nothing_that_is_placed_touches_anything(
    wanted: list[tuple[str, int, int, Where, bool, bool]], inset: int
) -> None:
    """Whatever is placed keeps off the cards, the marks, the others and the paper's edge."""
    marks = [Box(x, y, 0, 4_000) for x in (40_000, 100_000, 160_000) for y in (44_000, 252_000)]
    margin = room(*marks)
    boxes = []
    for side, length, thickness, where, within, floating in wanted:
        spot = margin.place(side, length, thickness, where, inset, beside_cards=within, floating=floating)
        if spot:
            boxes.append(spot.box)
    inside = Box(0, 0, PAPER.width, PAPER.height).grown(-inset)
    for box in boxes:
        assert inside.contains(box)
        assert not box.overlaps(CARDS.grown(1_000))
        assert not any(box.overlaps(mark) for mark in marks)
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
