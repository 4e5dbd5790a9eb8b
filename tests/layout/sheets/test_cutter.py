"""Sheets for cutting machines: registration marks, places between them, and cut lines."""

from __future__ import annotations

import math
from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.drawing.outline import Outline, flattened
from carddb.layout.drawing.path import Point, covers, edges, span_of_path
from carddb.layout.drawing.shapes import outline_of
from carddb.layout.sheets.crop_marks import Marking, crop_marks, cut_order, cut_sheet, cut_sheets
from carddb.layout.sheets.grid import FEEDER, Grid, cutter_for, print_areas, sheet_grid
from carddb.layout.sheets.imposition import bounds, impose, placed_outlines
from carddb.layout.sheets.margin_text import room_of
from carddb.layout.sheets.shared_sheets import Batch, share_sheets
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from tests.rows import usually

PLAIN = STOCKS["plain"]
SILHOUETTE = cutter_for("silhouette")


def grid_of(card: Size, paper: Size = PAPERS["letter"], shape: str = "rectangle", **options: object) -> Grid:
    outline = outline_of(shape, card, lambda _: "")
    return sheet_grid(card, PLAIN, paper, outline=outline, **{"cutter": SILHOUETTE, **options})  # type: ignore[arg-type]


def test_a_silhouette_machine_has_a_square_and_two_angles() -> None:
    """Three marks, 10 mm from the edges: a square of 5 mm upper left, angles of 1 mm upper right and lower left."""
    square, *angles = SILHOUETTE.shapes(PAPERS["a4"])
    assert span_of_path(square.ops).box == Box(10_000, 10_000, 5_000, 5_000)
    assert [span_of_path(angle.ops).box for angle in angles] == [
        Box(195_000, 10_000, 5_000, 5_000), Box(10_000, 282_000, 5_000, 5_000)
    ]  # fmt: skip
    inked = [tuple(edges(angle.ops)) for angle in angles]
    assert covers(inked[0], 199_500, 14_500, False) and not covers(inked[0], 198_500, 14_500, False)
    assert covers(inked[1], 10_500, 282_500, False) and not covers(inked[1], 12_000, 285_500, False)


def test_other_machines_have_other_marks() -> None:
    """Four angles are for the model that wants them; Cricut prints its own; the inset and the arms can be set."""
    four = cutter_for("silhouette", 4, FEEDER, 12_000)
    boxes = [span_of_path(mark.ops).box for mark in four.shapes(PAPERS["a4"])]
    assert boxes == list(four.boxes(PAPERS["a4"])) and len(boxes) == 4
    assert boxes[3] == Box(210_000 - 15_875 - 12_000, 297_000 - 15_875 - 12_000, 12_000, 12_000)
    assert cutter_for("cricut").shapes(PAPERS["a4"]) == () and cutter_for("cricut").formats == ("svg",)
    with pytest.raises(UsageError, match="its own marks"):
        cutter_for("cricut", inset=5_000)


@given(
    st.sampled_from(["poker", "tcg", "mini", "index-3x5", "tarot", "micro"]), st.sampled_from(["letter", "a4", "a3"]),
    st.sampled_from([10_000, FEEDER]), st.sampled_from([3, 4]),
)  # fmt: skip
def test_cards_stay_clear_of_the_marks(card: str, paper: str, inset: int, marks: int) -> None:
    """Cards are centred, at least 1 mm apart, and none is nearer than 2 mm to a mark or nearer to the edge."""
    cutter = cutter_for("silhouette", marks, inset)
    grid = grid_of(CARDS[card], PAPERS[paper], cutter=cutter)
    left, right = min(s.x for s in grid.slots), max(s.right for s in grid.slots)
    assert abs(left + right - grid.paper.width) <= 1 and left >= inset
    for mark in cutter.boxes(grid.paper):
        assert not any(slot.overlaps(mark.grown(1_999)) for slot in grid.slots)
    assert not any(a.grown(499).overlaps(b.grown(499)) for a, b in combinations(grid.slots, 2))


def test_a_sheet_for_a_machine_has_its_marks_alone() -> None:
    """There are no crop marks and no cuts by hand; marks are on fronts, and the texts stay away from them."""
    front, back = impose([(0, 1)] * 4, grid_of(CARDS["poker"]))
    assert cut_order(front.grid) == () and len(crop_marks(front)) == 3 and crop_marks(back) == ()
    for side in ("left", "right", "top", "bottom"):
        if slot := room_of(front, Marking()).place(side, 60_000, 5_000, "start", 4_000):
            assert not any(slot.box.overlaps(mark.grown(4_900)) for mark in SILHOUETTE.boxes(front.size))


def test_what_cannot_be_cut_by_a_machine_is_refused() -> None:
    """A folded sheet and a stock in cards are refused with a remedy."""
    with pytest.raises(UsageError, match="folded"):
        grid_of(CARDS["poker"], fold=True)
    with pytest.raises(UsageError, match="avery"):
        sheet_grid(CARDS["index-3x5"], STOCKS["avery-5388"], PAPERS["letter"], cutter=SILHOUETTE)


def gap(one: Outline, other: Outline) -> float:
    """The distance of two outlines, of corners from sides."""

    def nearest(points: list[Point], corners: list[Point]) -> float:
        sides = list(pairwise([*corners, corners[0]]))
        return min(
            min(math.dist((x, y), (a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]))) for t in steps)
            for x, y in points for a, b in sides
        )  # fmt: skip

    steps = [step / 200 for step in range(201)]
    first, second = flattened(one.path), flattened(other.path)
    return min(nearest(first, second), nearest(second, first))


@usually("shape", ["hexagon pointed", "hexagon flat"])
@usually("size", [Size(26_000, 30_000), Size(30_000, 26_000), Size(30_000, 30_000)])
def test_hexagons_nest(shape: str, size: Size) -> None:
    """More hexagons than their boxes fit a sheet, and no two are nearer than the blade needs."""
    paper = Size(120_000, 130_000)
    grid = grid_of(size, paper, shape, cutter=None, gutter=Size(1_000, 1_000), margin=5_000)
    boxes = sheet_grid(size, PLAIN, paper, 5_000, Size(1_000, 1_000))
    assert len(grid.slots) > len(boxes.slots) and cut_order(grid) == ()
    whole = Box(5_000, 5_000, 110_000, 120_000)
    assert all(whole.contains(slot) for slot in grid.slots)
    near = [(a, b) for a, b in combinations(range(len(grid.slots)), 2) if grid.slots[a].overlaps(grid.slots[b])]
    outlines = placed_outlines(grid)
    gaps = [gap(one, other) for a, b in near for one, other in [(outlines[a], outlines[b])] if one and other]
    assert gaps and min(gaps) >= 995


@usually("shape", ["hexagon pointed", "hexagon flat"])
@usually("spares", [False, True])
def test_hexagons_nest_beside_pieces_of_other_sizes(shape: str, spares: bool) -> None:
    """On a shared sheet they need less height than their boxes, touch nobody, and no cut goes through them."""
    size, gutter = Size(26_000, 30_000), Size(1_000, 1_000)
    hexagons = Batch(size, ((0, None), (1, None)) * 8, spares, outline=outline_of(shape, size, lambda _: ""))
    squares = Batch(Size(20_000, 20_000), ((2, None),) * 9)
    (sheet,) = share_sheets([squares, hexagons], PAPERS["a4"], 5_000, gutter)
    band, others = (each.slots for each in sheet.grid.bands)
    assert len(sheet.items) == len(sheet.grid.slots) and (len(band) > 16 if spares else len(band) == 16)
    boxes = print_areas(sheet.grid.paper, 5_000, gutter, 1_500)[0].in_rows(size, 6, len(band), 0)
    assert bounds(band).height < bounds(boxes).height
    near = [(a, b) for a, b in combinations(range(len(band)), 2) if band[a].overlaps(band[b])]
    outlines = placed_outlines(sheet.grid)
    gaps = [gap(one, other) for a, b in near for one, other in [(outlines[a], outlines[b])] if one and other]
    assert gaps and min(gaps) >= 995
    across = {cut.position for cut in cut_order(sheet.grid) if cut.axis == "across"}
    assert across == {side for box in (bounds(band), *others) for side in (box.y, box.bottom)}


def test_cut_lines_are_where_the_cards_are_printed() -> None:
    """Each card of a sheet has its outline in the cut layer; the last sheet, with fewer cards, has lines of its own."""
    grid = grid_of(CARDS["poker"])
    pages = impose([(0, 1)] * (len(grid.slots) + 3), grid)
    first, last = cut_sheets(pages)
    assert [*cut_sheets(pages).values()] == [[1], [2]]
    assert [span_of_path(line).box for line in first.cut] == list(grid.slots)
    assert last.cut == first.cut[:3] and not last.score
    plain = impose([(0, None)], sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"]))
    assert cut_sheets(plain) == {} and cut_sheet(plain[0]).cut[0][0] == ("M", plain[0].slots[0][:2])


def test_a_turned_piece_is_cut_as_it_lies() -> None:
    """The folds of a standee that is rotated to save paper run down the sheet."""
    size = Size(30_000, 100_000)
    grid = grid_of(size, Size(260_000, 70_000), "standee 10mm", cutter=cutter_for("cricut"))
    assert grid.bands[0].angle == 270
    sheet = cut_sheet(impose([(0, None)], grid)[0])
    assert all(fold[0][1][0] == fold[1][1][0] for fold in sheet.score) and len(sheet.score) == 3


def test_places_can_be_skipped() -> None:
    """Skipped places stay empty; a number that the sheet does not have is refused."""
    grid = sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"])
    assert grid.without((3, 7)).slots == tuple(s for n, s in enumerate(grid.slots, 1) if n not in (3, 7))
    for places in ((10,), range(1, 10)):
        with pytest.raises(UsageError, match="places 1 to 9"):
            grid.without(tuple(places))
