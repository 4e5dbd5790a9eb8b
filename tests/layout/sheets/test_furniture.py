from collections.abc import Iterator
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.core.units import Box, Size, points
from carddb.layout.display_list import Group, Path, Run, Shape, walk
from carddb.layout.sheets.crop_marks import EDGES, MARKS, OUTLINE, Marking, fold_lines, numbers, segments
from carddb.layout.sheets.furniture import Caption, furnish, has_ruler
from carddb.layout.sheets.grid import sheet_grid, turn_axis
from carddb.layout.sheets.imposition import Page, bounds, clips, impose, renumber
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from tests.layout.sheets.samples import PLAIN, Job, jobs
from tests.paint.samples import label
from tests.rows import every, usually

CAPTION = Caption("Empires and Generals", "Carthage", "Copy it, share it.", "7c41e90b", "9f3a2b1c", "home")


def sheets(
    card: str, paper: str = "letter", stock: str = "plain", count: int = 1, flip: str = "long-edge", fold: bool = False
) -> list[Page]:
    grid = sheet_grid(CARDS[card], STOCKS[stock], PAPERS[paper], fold=fold)
    return [furnish(page, CAPTION, label) for page in impose([(0, 1)] * count, grid, flip)]


def words(page: Page) -> list[str]:
    return [shape.text for shape in walk(page.furniture) if isinstance(shape, Run)]


def area(shape: Shape) -> Box:
    """The room a shape takes; a line of text from its ascenders down to its descenders."""
    if isinstance(shape, Group):
        return bounds(tuple(area(inner) for inner in shape.shapes))
    if isinstance(shape, Path):
        points = [(n[i], n[i + 1]) for _, n in shape.ops for i in range(0, len(n), 2)]
        return bounds(tuple(Box(x, y, 0, 0) for x, y in points))
    assert isinstance(shape, Run)
    up, down = shape.size * 3 // 4, shape.size // 5
    if shape.angle == 0:
        return Box(shape.x, shape.y - up, shape.width, up + down)
    if shape.angle == 90:
        return Box(shape.x - down, shape.y, up + down, shape.width)
    return Box(shape.x - up, shape.y - shape.width, up + down, shape.width)


def parts(page: Page) -> Iterator[Box]:
    """Everything that stands around the cards: marks, numbers, ruler, sign, texts; not the outlines of the cards."""
    for shape in page.furniture:
        for part in shape.shapes if isinstance(shape, Group) else [shape]:
            first = part.shapes[0] if isinstance(part, Group) else part
            if not (isinstance(first, Path) and first.stroke == OUTLINE):
                yield area(part)


def bled(page: Page) -> list[Box]:
    """Every slot of a page with its bleed, also the empty ones."""
    boxes = list(clips(page.grid, page.grid.bleed))
    if page.side == "back":
        boxes = list(map(turn_axis(page.size, page.flip).mirror, boxes))
    return boxes + (list(map(page.grid.fold.mirror, boxes)) if page.grid.fold else [])


def check_clear(page: Page) -> None:
    whole = Box(0, 0, page.size.width, page.size.height)
    cards = [placed.clip for placed in page.placed]
    boxes = list(parts(page))
    for box in boxes:
        assert whole.contains(box)
        assert not any(box.overlaps(card) for card in cards)
    assert not [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)]


@usually("flip", ["long-edge", "short-edge", "none", "fold"])
@usually("paper", ["letter", "a4", "a5"])
def test_nothing_touches_a_card_or_anything_else(paper: str, flip: str) -> None:
    """With common cards, with and without gutter, furniture keeps clear of bleed, marks and itself on both sides."""
    for card, gutter in product(("poker", "index-3x5", "mini"), (0, 3_000)):
        check_common(card, paper, flip, gutter)


@pytest.mark.full
def test_nothing_touches_anything_on_every_paper_with_every_card() -> None:
    """On every paper, with every card and several gutters, furniture keeps clear of bleed, marks and itself."""
    for card, paper, flip, gutter in product(CARDS, PAPERS, ("long-edge", "short-edge", "fold"), (0, 1_000, 3_000)):
        check_common(card, paper, flip, gutter)


def check_common(card: str, paper: str, flip: str, gutter: int) -> None:
    fold = flip == "fold"
    way = "long-edge" if fold else flip
    job = Job(CARDS[card], PAPERS[paper], gutter=Size(gutter, gutter), flip=way, fold=fold, count=8)
    for page in job.pages[-2:]:
        furnished = furnish(page, CAPTION, label)
        check_clear(furnished)
        assert not any(area(run).overlaps(slot) for run in texts(furnished) for slot in bled(page))


def texts(page: Page) -> list[Run]:
    return [shape for shape in walk(page.furniture) if isinstance(shape, Run)]


markings = st.builds(Marking, marks=st.sampled_from(MARKS), guides=st.booleans(), outlines=st.booleans())


@given(jobs, markings)
@settings(max_examples=15)
def test_nothing_touches_anything_whatever_the_job(job: Job, marking: Marking) -> None:
    """For any card, paper, margin, gutter, bleed and marking nothing overlaps, and everything is on the paper."""
    check_job(job, marking)


def check_job(job: Job, marking: Marking) -> None:
    for page in job.pages[-2:]:
        furnished = furnish(page, CAPTION, label, marking=marking)
        check_clear(furnished)
        assert all(run.size >= points(6) for run in texts(furnished))
        assert has_ruler(page, marking) == room_for_a_ruler(page, marking) == ("50 mm" in words(furnished))


@pytest.mark.full
@settings(max_examples=1_000)
@given(jobs, markings)
def test_nothing_touches_anything_at_full_size(job: Job, marking: Marking) -> None:
    """For any card, paper, margin, gutter, bleed and marking nothing overlaps, and everything is on the paper."""
    check_job(job, marking)


def room_for_a_ruler(page: Page, marking: Marking) -> bool:
    """Whether a ruler would fit along any margin: pushed to the left and up it touches the edge or a thing."""
    block = bounds(tuple(bled(page)))
    filled = (page.filled, len(page.slots))
    taken = [*bled(page), *fold_lines(page)]
    for each in filled:
        side = Page(page.grid, page.side, 1, 1, page.slots, each, (), flip=page.flip)
        taken += [*segments(side, marking), *numbers(side, marking).values()]
    inside = Box(0, 0, page.size.width, page.size.height).grown(-3_000)
    near = [box.grown(1_000) for box in taken]
    for width, height in ((58_200, 4_400), (64_700, 3_000), (4_400, 58_200), (3_000, 64_700)):
        for x in {inside.x, *(box.right for box in near)}:
            for y in {inside.y, *(box.bottom for box in near)}:
                ruler = Box(x, y, width, height)
                if width > height and ruler.bottom > block.y and ruler.y < block.bottom:
                    continue
                if height > width and ruler.right > block.x and ruler.x < block.right:
                    continue
                if inside.contains(ruler) and not any(ruler.overlaps(box) for box in near):
                    return True
    return False


@usually("paper", ["letter", "a4", "legal", "a3", "tabloid"])
@usually("card", ["poker", "index-3x5", "mini", "tarot", "square-70mm"])
def test_every_usual_sheet_has_a_ruler_and_a_sign_on_both_faces(card: str, paper: str) -> None:
    """Where there is room, and on usual sheets there is, both faces have a ruler, a sign and all there is to say."""
    for page in sheets(card, paper, count=40):
        said = " ".join(words(page))
        for text in ("50 mm", "2 in", "actual size (100 %)", "long edge", "Carthage", "7c41e90b", "9f3a2b1c"):
            assert text in said, text
        assert paper.capitalize() in said
        assert f"sheet {page.number} of {page.total}" in said


@every(
    "card, stock, fold",
    [
        ("index-3x5", "plain", False),
        ("poker", "plain", False),
        ("index-3x5", "avery-5388", False),
        ("tcg", "plain", True),
    ],
)
def test_the_ruler_is_true_on_both_sides(card: str, stock: str, fold: bool) -> None:
    """The ends of its millimetres are 50.000 mm apart with 49 ticks between, those of its inches 50.8 mm."""
    for page in sheets(card, stock=stock, fold=fold):
        (ruler,) = [
            part for part in walk_groups(page) if any(isinstance(s, Run) and s.text == "50 mm" for s in part.shapes)
        ]
        lines = [path.ops for path in ruler.shapes if isinstance(path, Path)]
        (x1, y1), (x2, y2) = (end for _, end in lines[0])
        along = 0 if y1 == y2 else 1
        assert abs(x1 - x2) + abs(y1 - y2) == 50_800
        zero = (x1, y1)[along]
        ticks = sorted(abs(op[0][1][along] - zero) for op in lines[1:52])
        assert ticks == [1000 * n for n in range(51)]
        assert sorted(abs(op[0][1][along] - zero) for op in lines[52:]) == [3175 * n for n in range(17)]


def walk_groups(page: Page) -> list[Group]:
    return [
        part for shape in page.furniture if isinstance(shape, Group) for part in shape.shapes if isinstance(part, Group)
    ]


def test_what_sheets_have_in_common_is_made_once() -> None:
    """Full sheets share one group of shapes a side, whatever their number and hash; each has its own words."""
    grid = sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"])
    pages = [
        furnish(page, Caption("Game", fingerprint=f"{n:08x}"), label)
        for n, page in enumerate(impose([(0, 1)] * 27, grid))
    ]
    fronts, backs = pages[::2], pages[1::2]
    for side in (fronts, backs):
        assert len({id(page.furniture[0]) for page in side}) == 1
        assert len({run.text for page in side for run in page.furniture[1:] if isinstance(run, Run)}) == 3
    assert fronts[0].furniture[0] is not backs[0].furniture[0]


def test_a_page_keeps_what_it_has() -> None:
    """The joining marks of a tiled mat stay where furniture is added."""
    (page,) = impose([(0, None)], sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"]))
    own = Path((("M", (0, 0)), ("L", (1, 1))))
    assert furnish(Page(page.grid, "front", 1, 1, page.slots, 1, (), (own,)), CAPTION, label).furniture[0] == own


def test_the_footer_of_index_cards_is_one_line_below_the_marks() -> None:
    """On Letter the name of a sheet begins at the first left trim, and the notice ends at the last right one."""
    front = sheets("index-3x5", count=4)[0]
    line = next(run for run in texts(front) if run.text.startswith("Empires and Generals · Carthage · fronts"))
    notice = next(run for run in texts(front) if run.text == "Copy it, share it.")
    assert line.x == 31_750 and line.y == notice.y > front.block.bottom + 5_500
    assert notice.x + notice.width == 184_150


def test_narrow_margins_carry_their_words_upright() -> None:
    """Nine poker cards leave a quarter inch above and below, so that ruler, sign and words stand at the sides."""
    front = sheets("poker", count=9)[0]
    assert {run.angle for run in texts(front) if len(run.text) > 3} == {90, 270}


def test_a_folded_sheet_says_what_to_do() -> None:
    """It is printed on one side, folded with the print outwards, glued, and then cut."""
    (page,) = sheets("poker", count=4, fold=True)
    said = " ".join(words(page))
    assert "Fold outwards at the dashed line" in said and "glue, then cut" in said
    assert "fronts and backs" in said and "both sides" not in said


def test_one_sided_sheets_say_so() -> None:
    """Where nothing is printed on the other side there is no sign, and the scale says one side."""
    (page,) = sheets("index-3x5", flip="none")
    said = " ".join(words(page))
    assert "one side" in said and "flip" not in said


def test_short_edge_is_told_and_drawn_differently() -> None:
    """The sign names the edge, and its bold edge is the one the sheet turns at."""
    long, short = (sheets("index-3x5", flip=flip)[0] for flip in ("long-edge", "short-edge"))
    assert any("flip on the long edge" in text for text in words(long))
    assert any("flip on the short edge" in text for text in words(short))


def test_blank_backs_are_furnished_too() -> None:
    """A back without cards has its ruler and its words, and no marks."""
    grid = sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["letter"])
    pages = renumber([*impose([(0, None)], grid), *impose([(0, 1)] * 4, grid)])
    blank = furnish(pages[1], CAPTION, label)
    assert "50 mm" in words(blank) and "sheet 1 of 2" in " ".join(words(blank))
    assert segments(pages[1], EDGES) == ()


def test_avery_sheets_say_where_the_head_is() -> None:
    """Beside each turned card an arrow points to its head, on the left of fronts and on the right of backs."""
    front, back = sheets("index-3x5", stock="avery-5388", count=3)
    for page, side in ((front, min), (back, max)):
        heads = [run for run in texts(page) if run.text == "head of card"]
        assert len(heads) == 3
        assert side(heads[0].x, page.size.width // 2) == heads[0].x
        check_clear(page)


def test_a_page_that_is_the_card_stays_bare() -> None:
    """Nothing is printed on an index card but the card."""
    assert [page.furniture for page in sheets("index-3x5", stock="index-3x5")] == [(), ()]
    assert [page.furniture for page in sheets("poker", stock="card")] == [(), ()]


def test_long_names_give_way() -> None:
    """Names that would not fit are cut or left out, and the sheet keeps its number."""
    grid = sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["letter"])
    page = furnish(impose([(0, None)], grid)[0], Caption("G" * 300, "D" * 300, "N" * 300), label)
    assert any("sheet 1 of 1" in text for text in words(page))
    assert not any(len(text) > 200 for text in words(page))


def test_less_room_leaves_out_the_lesser_things() -> None:
    """As the paper grows small the notice goes first, then parts of the name; the ruler stays longest."""
    said = []
    for edge in range(15_000, 3_000, -600):
        paper = Size(63_500 + 2 * edge, 88_900 + 2 * edge)
        grid = sheet_grid(CARDS["poker"], PLAIN, paper, margin=3_000)
        page = furnish(impose([(0, 1)], grid)[0], CAPTION, label)
        check_clear(page)
        text = " ".join(words(page))
        said.append(("50 mm" in text, "sheet 1 of 1" in text, "Copy it" in text))
    assert said[0] == (True, True, True)
    assert sum(kept[0] for kept in said) >= sum(kept[1] for kept in said) >= sum(kept[2] for kept in said)


def test_a_folded_sheet_in_a_two_sided_job_has_a_blank_back() -> None:
    """Beside sheets with backs a folded one gets an empty back, furnished without touching anything."""
    folded = impose([(0, 1)], sheet_grid(CARDS["poker"], PLAIN, PAPERS["letter"], fold=True))
    pages = renumber([*folded, *impose([(0, 1)], sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["letter"]))])
    assert [page.side for page in pages] == ["front", "back"] * 2
    for page in pages:
        check_clear(furnish(page, CAPTION, label))
