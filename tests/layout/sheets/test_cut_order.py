import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from carddb.core.units import Box, Size
from carddb.layout.sheets.crop_marks import SheetCut, cut_order
from carddb.layout.sheets.grid import Grid, sheet_grid
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from tests.layout.sheets.samples import PLAIN, Job, jobs


def lines(count: int, gutter: int) -> int:
    """The lines that part so many cards in a row from each other and from the paper."""
    return 2 * count if gutter else count + 1


def parted(piece: Box, cut: SheetCut) -> list[Box]:
    """The two pieces of a straight cut from edge to edge, or the piece if the cut lies beside it."""
    at = cut.position
    if cut.axis == "across" and piece.y < at < piece.bottom:
        return [Box(piece.x, piece.y, piece.width, at - piece.y), Box(piece.x, at, piece.width, piece.bottom - at)]
    if cut.axis == "down" and piece.x < at < piece.right:
        return [Box(piece.x, piece.y, at - piece.x, piece.height), Box(at, piece.y, piece.right - at, piece.height)]
    return [piece]


def reached(piece: Box, cut: SheetCut) -> bool:
    """Whether a cut is made in a piece: the piece lies along it and is not parted there already."""
    low, high = (piece.x, piece.right) if cut.axis == "across" else (piece.y, piece.bottom)
    return low < cut.end and cut.start < high


@given(jobs, st.data())
def test_following_the_order_yields_exactly_the_cards(job: Job, data: st.DataObject) -> None:
    """Each cut parts its pieces from edge to edge, no card is hurt, and at the end every card is a piece by itself."""
    grid = job.grid
    assume(grid is not None)
    assert grid is not None
    check_guillotine(grid, data.draw(st.integers(1, len(grid.slots))))


def check_guillotine(grid: Grid, filled: int) -> None:
    cards = grid.slots[:filled]
    sheet = Box(0, 0, grid.paper.width, grid.paper.height)
    if grid.fold:  # what lies on the table after folding and gluing
        half = grid.fold.twice // 2
        sheet = Box(0, 0, half, sheet.height) if grid.fold.upright else Box(0, 0, sheet.width, half)
    pieces = [sheet]
    for number, cut in enumerate(cut_order(grid, filled), start=1):
        assert cut.number == number
        made = [piece for piece in pieces if reached(piece, cut) and len(parted(piece, cut)) == 2]
        at_paper_edge = (
            cut.position in (sheet.x, sheet.right)
            if cut.axis == "down"
            else cut.position
            in (
                sheet.y,
                sheet.bottom,
            )
        )
        assert made or at_paper_edge, "a cut that parts nothing is no cut"
        if cut.through:
            assert all((piece.x, piece.right) == (sheet.x, sheet.right) for piece in made)
        pieces = [part for piece in pieces for part in (parted(piece, cut) if piece in made else [piece])]
        for card in cards:
            assert sum(piece.overlaps(card) for piece in pieces) == 1, "a card was cut in two"
    assert set(cards) <= set(pieces)


@given(jobs, st.data())
def test_a_sheet_takes_as_many_cuts_as_the_formula_says(job: Job, data: st.DataObject) -> None:
    """r + c + 2 cuts, with gutters 2(r + c); a partial sheet counts only the rows and columns that have cards."""
    grid = job.grid
    assume(grid is not None)
    assert grid is not None
    check_count(grid, len(grid.slots))
    check_count(grid, data.draw(st.integers(1, len(grid.slots))))


def check_count(grid: Grid, filled: int) -> None:
    rows, columns = -(-filled // grid.columns), min(filled, grid.columns)
    wanted = lines(rows, grid.gutter.height) + lines(columns, grid.gutter.width)
    assert len(cut_order(grid, filled)) == wanted
    if filled == len(grid.slots):
        if grid.gutter == Size(0, 0):
            assert wanted == grid.rows + grid.columns + 2
        elif min(grid.gutter.width, grid.gutter.height) > 0:
            assert wanted == 2 * (grid.rows + grid.columns)


@pytest.mark.full
@settings(max_examples=10_000)
@given(jobs, st.integers(1, 99))
def test_cut_orders_at_full_size(job: Job, filled: int) -> None:
    """Following the order yields exactly the cards, in as many cuts as the formula says."""
    grid = job.grid
    if grid is not None:
        check_guillotine(grid, min(filled, len(grid.slots)))
        check_count(grid, min(filled, len(grid.slots)))


def told(cuts: tuple[SheetCut, ...]) -> list[tuple[str, float, float, float]]:
    return [(cut.axis, cut.position / 1000, cut.start / 1000, cut.end / 1000) for cut in cuts]


def test_the_cuts_right_through_come_first_and_of_each_kind_the_outer_ones() -> None:
    """Four cards on Letter: top, bottom, between the rows; then left, right, between the columns."""
    cuts = cut_order(sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["letter"]))
    assert told(cuts) == [
        ("across", 10.16, 31.75, 184.15),
        ("across", 264.16, 31.75, 184.15),
        ("across", 137.16, 31.75, 184.15),
        ("down", 31.75, 10.16, 264.16),
        ("down", 184.15, 10.16, 264.16),
        ("down", 107.95, 10.16, 264.16),
    ]
    assert [cut.through for cut in cuts] == [True] * 3 + [False] * 3


def test_a_partial_sheet_is_cut_only_where_there_are_cards() -> None:
    """Four of nine cards: the last row has one card, and the cuts between the others do not reach it."""
    grid = sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"])
    assert len(cut_order(grid, 1)) == 4
    cuts = cut_order(grid, 4)
    rows = [slot.y / 1000 for slot in grid.slots[::3]]
    assert [cut.position / 1000 for cut in cuts if cut.through] == [rows[0], rows[2], rows[1]]
    assert [cut.end / 1000 for cut in cuts if not cut.through] == [rows[2], rows[1], rows[2], rows[1]]


def test_stock_that_is_not_cut_has_no_cuts() -> None:
    """Perforated and single cards are not cut, and neither is an empty sheet."""
    assert cut_order(sheet_grid(CARDS["index-3x5"], STOCKS["avery-5388"], PAPERS["letter"])) == ()
    assert cut_order(sheet_grid(CARDS["poker"], STOCKS["card"], PAPERS["letter"])) == ()
    assert cut_order(sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"]), 0) == ()
