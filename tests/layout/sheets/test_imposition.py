from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.sheets.grid import BLEED, sheet_grid
from carddb.layout.sheets.imposition import Page, Placed, clips, face_matrix, impose, renumber
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from tests.layout.sheets.samples import PLAIN, Job, jobs
from tests.rows import every

Point = tuple[Fraction, Fraction]


def seen_from_the_front(point: Point, page: Page, flip: str) -> Point:
    """Where a point on the other side of the paper lies, seen through it: the hand's movement in three dimensions.

    The sheet is turned by half about the edge that the printer is told; a folded one about its fold.
    """
    x, y = point
    width, height = page.size.width, page.size.height
    if page.grid.fold:
        at = Fraction(page.grid.fold.twice, 2)
        return (at - (x - at), y) if page.grid.fold.upright else (x, at - (y - at))
    left_and_right = height >= width if flip == "long-edge" else height < width  # the bound edge is upright
    return (width - x, y) if left_and_right else (x, height - y)


def point_of(placed: Placed, face: Size, u: Fraction, v: Fraction) -> Point:
    """Where a point of a face (0 to 1 across and down) comes to lie on the page."""
    a, b, c, d, e, f = face_matrix(face, placed)
    x, y = u * face.width, v * face.height
    return a * x + c * y + e, b * x + d * y + f


def sides(job: Job) -> list[tuple[Page, list[Placed], list[Placed]]]:
    """Each sheet with its fronts and its backs, on whichever page they lie."""
    out = []
    for page in job.pages:
        if page.side == "front":
            out.append((page, [p for p in page.placed if p.face < 1000], [p for p in page.placed if p.face >= 1000]))
        else:
            out[-1][2].extend(page.placed)
    return out


@given(jobs)
def test_a_back_lies_on_its_front_when_the_sheet_is_turned_or_folded(job: Job) -> None:
    """Turned or folded over, each back covers its own front, head on head, and its bleed the front's bleed."""
    check_backs(job)


def check_backs(job: Job) -> None:
    half, none, one = Fraction(1, 2), Fraction(0), Fraction(1)
    for page, fronts, backs in sides(job):
        assert len(backs) == (len(fronts) if job.fold or job.flip != "none" else 0)
        for front, back in zip(fronts, backs, strict=False):
            assert back.face == front.face + 1000
            for u, v in ((half, none), (half, one), (none, half), (one, half), (none, none)):
                # What is left on the back is right on the front: a card has two sides.
                behind = seen_from_the_front(point_of(back, job.card, one - u, v), page, job.flip)
                assert behind == point_of(front, job.card, u, v)
            for x, y in ((back.clip.x, back.clip.y), (back.clip.right, back.clip.bottom)):
                corner = seen_from_the_front((Fraction(x), Fraction(y)), page, job.flip)
                assert corner[0] in (front.clip.x, front.clip.right) and corner[1] in (front.clip.y, front.clip.bottom)


@given(jobs)
def test_bleed_never_reaches_the_next_card(job: Job) -> None:
    """Bleed boxes never reach a neighbour's trim or its bleed, nor a fold; outwards they have all their bleed."""
    check_bleed(job)


def check_bleed(job: Job) -> None:
    for page in job.pages[:2]:
        for placed in page.placed:
            assert placed.clip.contains(placed.box)
            assert placed.box.grown(job.bleed).contains(placed.clip)
        for one, other in combinations(page.placed[:14], 2):
            assert not one.clip.overlaps(other.clip)
            assert not one.clip.overlaps(other.box)
        if page.grid.fold:
            line, upright = Fraction(page.grid.fold.twice, 2), page.grid.fold.upright
            assert not any(
                (p.clip.x < line < p.clip.right) if upright else (p.clip.y < line < p.clip.bottom) for p in page.placed
            )
    for page in job.pages[:1]:
        fronts = [placed for placed in page.placed if placed.face < 1000]
        assert fronts[0].box.x - fronts[0].clip.x == fronts[0].box.y - fronts[0].clip.y == job.bleed


@given(jobs)
def test_every_copy_is_placed_once_in_order_and_partial_sheets_keep_their_slots(job: Job) -> None:
    """All cards are printed once, in order; the last sheet's cards lie in the first slots, never re-centred."""
    check_order(job)


def check_order(job: Job) -> None:
    sheets = sides(job)
    if not sheets:
        return
    grid = sheets[0][0].grid
    assert [p.face for _, fronts, _ in sheets for p in fronts] == list(range(job.count))
    assert len(sheets) == -(-job.count // len(grid.slots))
    for number, (page, fronts, _) in enumerate(sheets, start=1):
        assert (page.number, page.total, page.filled) == (number, len(sheets), len(fronts))
        assert page.slots == grid.slots
        assert [placed.box for placed in fronts] == list(grid.slots[: len(fronts)])
        assert [placed.clip for placed in fronts] == list(clips(grid, grid.bleed)[: len(fronts)])
        assert all(len(fronts) == len(grid.slots) for _, fronts, _ in sheets[:-1])


@pytest.mark.full
@settings(max_examples=10_000)
@given(jobs)
def test_sheets_at_full_size(job: Job) -> None:
    """Backs lie on their fronts, bleed keeps to itself, every copy is placed once and in order."""
    check_backs(job)
    check_bleed(job)
    check_order(job)


@every(
    "card, flip, angle",
    [
        (CARDS["poker"], "long-edge", 0),
        (CARDS["poker"], "short-edge", 180),
        (CARDS["poker"].turned, "long-edge", 90),
        (CARDS["poker"].turned, "short-edge", 270),
    ],
)
def test_backs_are_turned_by_the_rule(card: Size, flip: str, angle: int) -> None:
    """Turned over its upright axis a sheet keeps its backs upright, over the level one it turns them by half."""
    grid = sheet_grid(card, PLAIN, PAPERS["letter"])
    assert impose([(0, 1)], grid, flip)[1].placed[0].angle == angle
    landscape = sheet_grid(card.turned, PLAIN, PAPERS["letter"].turned)
    other = {"long-edge": "short-edge", "short-edge": "long-edge"}[flip]
    assert impose([(0, 1)], landscape, other)[1].placed[0].angle == angle


@given(st.integers(1, 40), st.data())
def test_a_card_without_a_back_leaves_its_place_empty(count: int, data: st.DataObject) -> None:
    """Where some cards have backs, the others' places on the back stay empty; where none has, there is no back."""
    backed = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    pages = impose(
        [(i, 99 if back else None) for i, back in enumerate(backed)], sheet_grid(CARDS["poker"], PLAIN, PAPERS["a4"])
    )
    fronts = [page for page in pages if page.side == "front"]
    assert len(pages) == len(fronts) * (2 if any(backed) else 1)
    assert sum(len(page.placed) for page in pages if page.side == "back") == sum(backed)
    assert {page.flip for page in pages} == {"long-edge" if any(backed) else "none"}


def test_without_a_flip_only_fronts_are_printed() -> None:
    """The flip `none` prints one side."""
    pages = impose([(0, 1)], sheet_grid(CARDS["poker"], PLAIN, PAPERS["a4"]), "none")
    assert [page.side for page in pages] == ["front"]
    with pytest.raises(UsageError, match="flip"):
        impose([(0, 1)], pages[0].grid, "sideways")


def test_a_folded_sheet_is_one_page_with_both_sides_of_its_cards() -> None:
    """Fronts on the left and backs on the right of the fold, upright, on one page without a back."""
    grid = sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["letter"], fold=True)
    (page,) = impose([(0, 1), (2, None)], grid, "long-edge")
    assert [(p.face, p.angle) for p in page.placed] == [(0, 0), (2, 0), (1, 0)]
    assert page.placed[0].box.right < 215_900 // 2 < page.placed[2].box.x
    assert len(page.trims) == 4 and page.flip == "none"
    assert page.block.x + page.block.right == 215_900


def test_single_cards_come_front_back_front_back() -> None:
    """On stock where the page is the card each card is followed by its back."""
    grid = sheet_grid(CARDS["index-3x5"], STOCKS["index-3x5"], PAPERS["letter"])
    pages = impose([(0, 9), (1, 9)], grid)
    assert [(page.side, page.placed[0].face) for page in pages] == [
        ("front", 0),
        ("back", 9),
        ("front", 1),
        ("back", 9),
    ]
    assert {page.size for page in pages} == {Size(76_200, 127_000)}


def test_bleed_reaches_outwards_and_between_cards_by_half_the_gutter() -> None:
    """A face is printed beyond its trim at the block's edges, and between cards by half the gutter at most."""
    page = impose(
        [(0, None)] * 9, sheet_grid(CARDS["poker"], PLAIN, PAPERS["a4"], gutter=Size(1_001, 9_000), margin=0)
    )[0]
    corner = page.placed[0]
    assert (corner.box.x - corner.clip.x, corner.box.y - corner.clip.y) == (BLEED, BLEED)
    assert (corner.clip.right - corner.box.right, corner.clip.bottom - corner.box.bottom) == (500, BLEED)


def test_a_face_of_another_size_is_scaled_evenly_and_centred() -> None:
    """A 3 × 5 in face on a poker card keeps its proportions and lies in the middle."""
    placed = Placed(0, Box(1000, 2000, 63_500, 88_900), Box(1000, 2000, 63_500, 88_900), 0)
    a, b, c, d, e, f = face_matrix(CARDS["index-3x5"], placed)
    assert a == d == Fraction(88_900, 127_000) and b == c == 0
    assert e - 1000 == 63_500 - (e - 1000) - a * 76_200
    assert f == 2000


def test_sheets_of_several_grids_are_counted_through() -> None:
    """One job has one count of sheets; a blank back keeps fronts and backs together, and stands nowhere else."""
    one = impose([(0, 1)] * 10, sheet_grid(CARDS["poker"], PLAIN, PAPERS["a4"]))
    other = impose([(0, None)] * 5, sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["a4"]))
    assert [(page.number, page.total) for page in renumber([*one, *other])] == [(n, 4) for n in (1, 1, 2, 2, 3, 4)]
    odd = other[:1]
    pages = renumber([*odd, *one])
    assert [page.side for page in pages] == ["front", "back"] * 3
    assert pages[1].placed == () and pages[1].trims == ()
    assert [page.side for page in renumber([*other, *one])] == ["front", "front", "front", "back", "front", "back"]
    assert [page.side for page in renumber(other)] == ["front", "front"]
    assert renumber([]) == []
