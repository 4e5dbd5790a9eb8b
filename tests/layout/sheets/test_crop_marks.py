from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.display_list import Path
from carddb.layout.sheets.crop_marks import (
    FOLD,
    HAIRLINE,
    MARKS,
    OUTLINE,
    Marking,
    crop_marks,
    cut_order,
    numbers,
    segments,
)
from carddb.layout.sheets.grid import sheet_grid, turn_axis
from carddb.layout.sheets.imposition import Page, bounds, impose
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from tests.layout.sheets.samples import PLAIN, Job, jobs

PLAINLY = Marking()
markings = st.builds(Marking, marks=st.sampled_from(MARKS), guides=st.booleans())


def pages(count: int, card: str = "poker", gutter: int = 0, flip: str = "long-edge", paper: str = "a4") -> list[Page]:
    grid = sheet_grid(CARDS[card], PLAIN, PAPERS[paper], gutter=Size(gutter, gutter))
    return impose([(0, 1)] * count, grid, flip)


def extent(path: Path) -> Box:
    xs = [points[0] for _, points in path.ops]
    ys = [points[1] for _, points in path.ops]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def crossing(line: Box, box: Box) -> bool:
    """Whether a line without thickness runs through the inside of a box."""
    if line.width == 0:
        return box.x < line.x < box.right and line.y < box.bottom and box.y < line.bottom
    return box.y < line.y < box.bottom and line.x < box.right and box.x < line.right


def test_a_full_sheet_has_two_marks_a_cut() -> None:
    """Three by three cards need eight cuts without a gutter and twelve with one, each marked at both ends, once."""
    for gutter, cuts in ((0, 8), (2000, 12)):
        marks = crop_marks(pages(9, gutter=gutter)[0])
        assert len(marks) == 2 * cuts == len(set(marks))
        assert all(mark.stroke == HAIRLINE and HAIRLINE.width == 150 for mark in marks)


def test_marks_begin_off_the_trim_and_have_their_length() -> None:
    """A mark begins 1.5 mm outside the block and is 4 mm long; where there is more bleed it begins beyond it."""
    page = pages(4, "index-3x5")[0]
    assert Box(page.block.x, page.block.y - 5500, 0, 4000) in segments(page, PLAINLY)
    grid = sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["a4"], bleed=3175)
    (page,) = impose([(0, None)] * 4, grid)
    assert Box(page.block.x, page.block.y - 7175, 0, 4000) in segments(page, PLAINLY)


def test_a_partial_sheet_is_marked_round_its_cards_only() -> None:
    """One card has eight marks close to it; four of nine have them where the cuts end."""
    one = pages(1)[0]
    assert len(segments(one, PLAINLY)) == 8
    assert all(one.trims[0].grown(5500).contains(mark) for mark in segments(one, PLAINLY))
    four = pages(4)[0]
    assert len(segments(four, PLAINLY)) == 2 * len(cut_order(four.grid, 4)) == 14
    assert all(bounds(four.trims).grown(5500).contains(mark) for mark in segments(four, PLAINLY))


def test_marks_at_every_card_stand_where_the_gutter_leaves_room() -> None:
    """With `cards` marks stand in gutters too, between the bleeds; without room or gutter they are those of `edges`."""
    all_cards = Marking("cards")
    wide, narrow, none = (pages(8, "poker", gutter)[0] for gutter in (6000, 3000, 0))
    inner = set(segments(wide, all_cards)) - set(segments(wide, PLAINLY))
    slots = wide.slots
    assert len(slots) == 8 and Box(slots[0].x, slots[0].bottom + 1500, 0, 3000) in inner
    assert len(inner) == 3 * 4 + 8 * 1
    for page in (narrow, none):
        assert segments(page, all_cards) == segments(page, PLAINLY)


def test_guides_run_from_edge_to_edge_and_around_the_cards() -> None:
    """A guide reaches both edges of the paper and is interrupted by cards and their bleed."""
    page = pages(8, gutter=6000)[0]
    lines = segments(page, Marking("none", guides=True))
    down = sorted((box.y, box.bottom) for box in lines if box.width == 0 and box.x == page.slots[0].x)
    assert down[0][0] == 0 and down[-1][1] == page.size.height
    assert len(down) == 5


def test_outlines_are_thin_lines_on_every_trim_drawn_once() -> None:
    """Nine cards without a gutter share edges: twenty-four lines, on both sides."""
    for page in pages(9):
        lines = [mark for mark in crop_marks(page, Marking("none", outlines=True)) if mark.stroke == OUTLINE]
        assert len(lines) == 24 == len(set(lines))


def test_no_marks_is_no_marks() -> None:
    """With `none` nothing is drawn; another word is misuse."""
    assert crop_marks(pages(9)[0], Marking("none")) == ()
    with pytest.raises(UsageError, match="Did you mean edges"):
        Marking("edge")


def test_stock_that_is_not_cut_has_no_marks() -> None:
    """Perforated stock and index cards need no crop marks."""
    grid = sheet_grid(CARDS["index-3x5"], STOCKS["avery-5388"], PAPERS["letter"])
    assert crop_marks(impose([(0, None)], grid)[0], Marking("cards", True, True)) == ()


def test_a_fold_is_a_dashed_line_with_the_same_marks_on_either_side() -> None:
    """The fold runs from edge to edge, and what is marked before it is marked behind it."""
    grid = sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"], fold=True)
    (page,) = impose([(0, 1)] * 4, grid)
    (fold,) = [extent(mark) for mark in crop_marks(page) if mark.stroke == FOLD]
    assert fold == Box(107_950, 0, 0, 279_400)
    assert grid.fold
    assert {grid.fold.mirror(box) for box in segments(page, PLAINLY)} == set(segments(page, PLAINLY))
    assert not any(crossing(box, fold) or box.right == fold.x for box in segments(page, PLAINLY))


@given(jobs, markings)
def test_marks_keep_to_the_paper_and_off_the_cards(job: Job, marking: Marking) -> None:
    """No mark, guide or number lies in a card or its bleed, none is drawn twice, all lie on the paper."""
    check_marks(job, marking)


def check_marks(job: Job, marking: Marking) -> None:
    for page in job.pages[-2:]:
        whole = Box(0, 0, page.size.width, page.size.height)
        lines = segments(page, marking)
        assert len(lines) == len(set(lines))
        for line in lines:
            assert whole.contains(line)
            assert not any(crossing(line, placed.clip) for placed in page.placed)
            assert not any(crossing(line, trim) for trim in page.trims)
        boxes = [*numbers(page, marking).values()]
        assert page.side == "front" or not boxes
        for box in boxes:
            assert whole.contains(box)
            assert not any(box.overlaps(placed.clip) for placed in page.placed)
            assert not any(crossing(line, box) for line in lines)
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


@given(jobs, markings)
def test_both_sides_carry_the_same_marks(job: Job, marking: Marking) -> None:
    """Seen through the paper, the marks of the back are those of the front."""
    both = job.pages
    if len(both) < 2 or both[1].side == "front":
        return
    axis = turn_axis(job.paper, job.flip)
    for front, back in zip(both[::2], both[1::2], strict=True):
        assert set(map(axis.mirror, segments(back, marking))) == set(segments(front, marking))


def test_the_cut_order_stands_at_the_marks_of_the_front() -> None:
    """Each cut of a full sheet has its number beside the mark it begins at, on the side of the card it frees."""
    front, back = pages(9)
    found = numbers(front, PLAINLY)
    assert [*found] == [str(n) for n in range(1, 9)]
    assert numbers(back, PLAINLY) == {}
    top, bottom = found["1"], found["2"]
    assert top.y > front.block.y and bottom.bottom < front.block.bottom
    assert top.right <= front.block.x - 1500
    assert numbers(pages(1, "index-5x8")[0], PLAINLY) == {}, "a sheet of one card needs no order"


@pytest.mark.full
@settings(max_examples=10_000)
@given(jobs, markings)
def test_marks_at_full_size(job: Job, marking: Marking) -> None:
    """No mark, guide or number lies in a card or its bleed, none is drawn twice, all lie on the paper."""
    check_marks(job, marking)
