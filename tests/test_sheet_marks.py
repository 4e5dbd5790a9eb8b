from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.layout.display import Path
from carddb.layout.grid import plan
from carddb.layout.marks import HAIRLINE, crop_marks
from carddb.layout.sheet import Page, impose
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from carddb.layout.turn import turn_axis
from carddb.units import Box, Size

PLAIN = STOCKS["plain"]


def pages(count: int, card: str = "poker", gutter: int = 0, flip: str = "long-edge") -> list[Page]:
    grid = plan(CARDS[card], PLAIN, PAPERS["a4"], gutter=Size(gutter, gutter))
    return impose([(0, 1)] * count, grid, flip)


def extent(path: Path) -> Box:
    xs = [points[0] for _, points in path.ops]
    ys = [points[1] for _, points in path.ops]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def straight(marks: tuple[Path, ...]) -> list[Box]:
    return [extent(mark) for mark in marks if len(mark.ops) == 2]


def crosses(marks: tuple[Path, ...]) -> list[Box]:
    return [extent(mark) for mark in marks if len(mark.ops) == 4]


def test_a_full_sheet_has_two_marks_a_cut_line() -> None:
    """Without a gutter 3 × 3 cards need eight lines, each marked at both ends once, and four crosses inside."""
    marks = crop_marks(pages(9)[0])
    assert len(straight(marks)) == 16 == len(set(straight(marks)))
    assert len(crosses(marks)) == 4
    assert all(mark.stroke == HAIRLINE and HAIRLINE.width == 150 for mark in marks)


def test_marks_begin_off_the_trim_and_have_their_length() -> None:
    """A mark begins 1.5 mm outside the block and is 4 mm long."""
    page = pages(4, "index-3x5")[0]
    first = straight(crop_marks(page))[0]
    assert first == Box(page.block.x, page.block.y - 5500, 0, 4000)


def test_with_a_gutter_every_card_edge_is_marked_and_nothing_crosses() -> None:
    """With a gutter 3 × 3 cards have twelve lines, and no cross stands between them."""
    marks = crop_marks(pages(9, gutter=2000)[0])
    assert len(straight(marks)) == 24
    assert not crosses(marks)


def test_empty_columns_and_rows_have_no_marks() -> None:
    """One card on a sheet is marked by its own four lines, two by five lines."""
    assert len(straight(crop_marks(pages(1)[0]))) == 8
    assert len(straight(crop_marks(pages(2)[0]))) == 10
    assert not crosses(crop_marks(pages(4)[0]))
    assert len(crosses(crop_marks(pages(5)[0]))) == 1


def test_stock_that_is_not_cut_has_no_marks() -> None:
    """Perforated stock and index cards need no crop marks."""
    grid = plan(CARDS["index-3x5"], STOCKS["avery-5388"], PAPERS["letter"])
    assert crop_marks(impose([(0, None)], grid)[0]) == ()


@settings(max_examples=25, deadline=None)
@given(
    st.integers(1, 20),
    st.sampled_from(["poker", "index-3x5", "mini", "jumbo"]),
    st.integers(0, 5000),
    st.sampled_from(["long-edge", "short-edge"]),
)
def test_both_sides_carry_the_same_marks(count: int, card: str, gutter: int, flip: str) -> None:
    """Seen through the paper, the marks of the back are those of the front; none touches a card or leaves the paper."""
    both = pages(count, card, gutter, flip)
    for front, back in zip(both[::2], both[1::2], strict=True):
        marks = crop_marks(front)
        mirrored = {turn_axis(front.size, flip).mirror(box) for box in map(extent, crop_marks(back))}
        assert mirrored == set(map(extent, marks))
        whole = Box(0, 0, front.size.width, front.size.height)
        for box in straight(marks):
            assert whole.contains(box)
            assert not any(slot.grown(1499).overlaps(box.grown(1)) for slot in front.slots)
