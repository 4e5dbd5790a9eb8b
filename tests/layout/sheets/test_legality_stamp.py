"""The stamp of a deck that is not legal: in the margin of every page, and on nothing that is cut."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.display_list import Path, Run, Shape
from carddb.layout.sheets.crop_marks import EDGES, crop_marks
from carddb.layout.sheets.furniture import Caption, furnish, legality_stamp
from carddb.layout.sheets.grid import sheet_grid
from carddb.layout.sheets.imposition import Page, impose
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from tests.paint.samples import label
from tests.rows import every

TEXT = "NOT LEGAL on 2026-11-22: Libyan Spearmen: 6 copies, at most 5 of a common card (E-21), and 2 more"


def pages(card: Size, paper: str = "letter", stock: str = "plain", margin: int = 6350, count: int = 2) -> list[Page]:
    grid = sheet_grid(card, STOCKS[stock], PAPERS[paper], margin)
    return impose([(0, 1)] * count, grid)


def ground(shapes: tuple[Shape, ...]) -> Box:
    path = shapes[0]
    assert isinstance(path, Path)
    xs = [point[0] for _, point in path.ops if point]
    ys = [point[1] for _, point in path.ops if point]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def said(shapes: tuple[Shape, ...]) -> str:
    return "".join(shape.text for shape in shapes if isinstance(shape, Run))


@given(
    st.builds(Size, st.integers(30_000, 130_000), st.integers(30_000, 180_000)),
    st.sampled_from(sorted(PAPERS)),
    st.integers(3_000, 20_000),
    st.integers(1, 5),
)
def test_a_stamp_touches_no_card_and_no_mark(card: Size, paper: str, margin: int, count: int) -> None:
    """It lies on the paper, clear of every slot with its bleed and of every mark, on both sides of the sheet."""
    try:
        sides = pages(card, paper, margin=margin, count=count)
        stamped = [legality_stamp(page, TEXT, label) for page in sides]
    except UsageError:
        assume(False)
    for page, shapes in zip(sides, stamped, strict=True):
        box = ground(shapes)
        assert box.x >= 0 and box.y >= 0 and box.right <= page.size.width and box.bottom <= page.size.height
        assert not any(box.overlaps(placed.clip) for placed in page.placed)
        assert not any(box.overlaps(slot) for slot in page.slots)
        for mark in crop_marks(page, EDGES):
            points = [point for _, point in mark.ops if point]
            assert not any(box.x < x < box.right and box.y < y < box.bottom for x, y in points)


@every(
    "card, paper, stock",
    [
        ("index-3x5", "letter", "plain"),
        ("poker", "letter", "plain"),
        ("poker", "a4", "plain"),
        ("index-3x5", "letter", "avery-5388"),
    ],
)
def test_usual_sheets_have_room_for_a_whole_reason(card: str, paper: str, stock: str) -> None:
    """On the papers and cards that people have, the reason is said to its end on both sides."""
    for page in pages(CARDS[card], paper, stock):
        assert said(legality_stamp(page, TEXT, label)) == TEXT


def test_a_long_reason_is_cut_between_words() -> None:
    """What finds no room ends with an ellipsis; the verdict and the day are always there."""
    (page, _) = pages(CARDS["poker"])
    text = said(legality_stamp(page, TEXT + " and so on" * 60, label))
    assert text.startswith("NOT LEGAL on 2026-11-22:") and text.endswith(" …") and "on and …" not in text[:90]


def test_the_furniture_carries_the_stamp_last() -> None:
    """A stamp lies over whatever else is in the margin; without one a sheet is as it ever was."""
    sides = pages(CARDS["index-3x5"])
    for page in sides:
        plain, stamped = (furnish(page, Caption("G", "D", stamp=text), label) for text in ("", TEXT))
        assert stamped.furniture[: len(plain.furniture)] == plain.furniture
        assert said(stamped.furniture[len(plain.furniture) :]) == TEXT
