from fractions import Fraction
from itertools import combinations, pairwise

import pytest
from paint_samples import label

from carddb.layout.correction import Correction, Printer, corrected
from carddb.layout.display import Path, Run, Shape
from carddb.layout.furniture import Caption, furnish
from carddb.layout.marks import crop_marks
from carddb.layout.sheet import Page, impose, plan
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from carddb.units import Box

CAPTION = Caption("Empires and Generals", "Carthage", "Copy it, share it, hand it on.")


def sheets(
    card: str, paper: str = "letter", stock: str = "plain", count: int = 1, flip: str = "long-edge"
) -> list[Page]:
    grid = plan(CARDS[card], STOCKS[stock], PAPERS[paper])
    return furnish(impose([(0, 1)] * count, grid, flip), CAPTION, label)


def words(shapes: tuple[Shape, ...]) -> list[str]:
    return [shape.text for shape in shapes if isinstance(shape, Run)]


def area(run: Run) -> Box:
    """About the room a line takes: its width, from the ascenders down to the descenders."""
    up, down = run.size * 3 // 4, run.size // 5
    if run.angle == 0:
        return Box(run.x, run.y - up, run.width, up + down)
    if run.angle == 90:
        return Box(run.x - down, run.y, up + down, run.width)
    return Box(run.x - up, run.y - run.width, up + down, run.width)


def test_the_footer_says_what_the_sheet_is() -> None:
    """Game, deck, side, sheet, stock and size stand on the left, the note on scale on the right."""
    front, back = sheets("index-3x5", count=3)
    assert "Empires and Generals · Carthage · fronts · sheet 1 of 1 · plain Letter, 3 × 5 in" in words(front.furniture)
    assert "Empires and Generals · Carthage · backs · sheet 1 of 1 · plain Letter, 3 × 5 in" in words(back.furniture)
    assert "Print at 100 %, not fitted. Copy it, share it, hand it on." in words(front.furniture)


HOME = Printer("home", "1", {PAPERS["letter"]: Correction(300, -200, 2094, 500, -500, 4000, 0)})


@pytest.mark.parametrize(("card", "stock"), [("index-3x5", "plain"), ("poker", "plain"), ("index-3x5", "avery-5388")])
@pytest.mark.parametrize("side", [0, 1])
def test_every_face_says_for_which_printer_it_was_corrected(card: str, stock: str, side: int) -> None:
    """Printer and move stand in the footer, shortened where there is little room, also between the marks."""
    pages = impose([(0, 1)] * 3, plan(CARDS[card], STOCKS[stock], PAPERS["letter"]))
    page = furnish(corrected(pages, HOME), CAPTION, label)[side]
    assert any("home" in text and "x +0.30 mm y −0.20 mm" in text for text in words(page.furniture))
    assert any(f"{page.side}s · sheet 1 of 1" in text for text in words(page.furniture))


def test_paper_that_was_not_calibrated_is_not_corrected_and_says_so() -> None:
    """A page that lies the other way gets the scale alone, each way its own; other paper gets nothing."""
    bare = impose([(0, 1)], plan(CARDS["poker"], STOCKS["plain"], PAPERS["letter"].turned))
    for page in corrected(bare, HOME):
        assert page.adjust is not None and (page.adjust[0], page.adjust[3]) == (1, Fraction(1004, 1000))
        assert page.corrected[0] == "printer home, tray 1: scale only, this way round"
    for page in corrected(impose([(0, 1)], plan(CARDS["poker"], STOCKS["plain"], PAPERS["a4"])), HOME):
        assert page.adjust is None
        assert page.corrected[0] == "printer home, tray 1: not corrected for this paper"
    assert corrected(bare, None) == bare


def test_the_footer_stands_where_the_style_sheet_says() -> None:
    """On plain Letter its baseline is at 273.4 mm, from the first left trim to the last right one."""
    runs = [shape for shape in sheets("index-3x5")[0].furniture if isinstance(shape, Run) and shape.y == 273_400]
    assert next(run.x for run in runs) == 31_750
    assert runs[-1].x + runs[-1].width == 184_150


def test_little_paper_below_puts_the_footer_between_the_marks() -> None:
    """On nine poker cards the footer is divided over the columns, so that no mark runs through it."""
    texts = words(sheets("poker")[0].furniture)
    assert "plain Letter, 2.5 × 3.5 in · print at 100 %" in texts
    assert "Empires and Generals · Carthage · fronts · sheet 1 of 1" in texts


@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
@pytest.mark.parametrize("paper", ["letter", "a4", "a3"])
@pytest.mark.parametrize("card", ["index-3x5", "index-5x7", "poker", "mini", "micro", "jumbo", "square-70mm"])
def test_furniture_stands_clear(card: str, paper: str, flip: str) -> None:
    """Words touch neither cards nor crop marks nor each other, and everything is on the paper."""
    for page in sheets(card, paper, count=30, flip=flip):
        whole = Box(0, 0, page.size.width, page.size.height)
        boxes = [area(shape) for shape in page.furniture if isinstance(shape, Run)]
        lines = [segment for mark in crop_marks(page) for segment in segments(mark)]
        for box in boxes:
            assert whole.contains(box)
            assert not any(box.overlaps(slot) for slot in page.slots)
            assert not any(box.overlaps(line) for line in lines)
        assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))


def segments(path: Path) -> list[Box]:
    points = [points for _, points in path.ops]
    return [Box(min(a, c), min(b, d), abs(a - c) + 1, abs(b - d) + 1) for (a, b), (c, d) in pairwise(points)]


@pytest.mark.parametrize(("card", "stock"), [("index-3x5", "plain"), ("poker", "plain"), ("index-3x5", "avery-5388")])
def test_the_ruler_is_true_on_both_sides(card: str, stock: str) -> None:
    """A sheet carries a line of 2 inches with 50 ticks a millimetre apart, on the front and on the back."""
    for page in sheets(card, stock=stock):
        assert {"50 mm", "2 in"} <= set(words(page.furniture))
        paths = [shape for shape in page.furniture if isinstance(shape, Path) and len(shape.ops) == 2]
        ends = [(path.ops[0][1], path.ops[1][1]) for path in paths]
        axis = [abs(x1 - x2) + abs(y1 - y2) for (x1, y1), (x2, y2) in ends]
        at = axis.index(50_800)
        along = 0 if ends[at][0][1] == ends[at][1][1] else 1
        ticks = sorted(abs(start[along] - ends[at][0][along]) for start, _ in ends[at + 1 : at + 52])
        assert ticks == [1000 * i for i in range(51)]


def test_avery_sheets_say_where_the_head_is() -> None:
    """Beside each turned card an arrow points to its head, on the left of fronts and on the right of backs."""
    front, back = sheets("index-3x5", stock="avery-5388", count=3)
    for page, side in ((front, min), (back, max)):
        heads = [shape for shape in page.furniture if isinstance(shape, Run) and shape.text == "head of card"]
        assert len(heads) == 3
        assert side(heads[0].x, page.size.width // 2) == heads[0].x
    assert not [shape for shape in front.furniture if isinstance(shape, Path) and shape in crop_marks(front)]


def test_a_page_that_is_the_card_stays_bare() -> None:
    """Nothing is printed on an index card but the card."""
    assert [page.furniture for page in sheets("index-3x5", stock="index-3x5")] == [(), ()]


def test_long_names_give_way() -> None:
    """A footer that would not fit loses the game's name, then the deck's, and keeps the sheet's number."""
    grid = plan(CARDS["index-3x5"], STOCKS["plain"], PAPERS["letter"])
    page = furnish(impose([(0, None)], grid), Caption("G" * 300, "D" * 300, "N" * 300), label)[0]
    assert any("sheet 1 of 1" in text for text in words(page.furniture))
    assert not any(len(text) > 200 for text in words(page.furniture))
