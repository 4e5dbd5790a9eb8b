from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.errors import UsageError
from carddb.layout.sheet import (
    BLEED,
    FLIPS,
    FOOTER,
    MARGIN,
    Grid,
    Page,
    Placed,
    face_matrix,
    impose,
    plan,
    renumber,
    turns_sideways,
    whole_page,
)
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from carddb.units import Box, Size

PLAIN = STOCKS["plain"]
# name: copies on Letter, A4, Tabloid and A3 with no gutter and a margin of a quarter inch
COUNTS = {
    "index-3x5": (4, 4, 10, 10),
    "index-4x6": (2, 2, 4, 4),
    "index-5x8": (2, 1, 4, 4),
    "poker": (9, 9, 18, 18),
    "tcg": (9, 9, 18, 18),
    "bridge": (9, 9, 21, 21),
    "japanese": (9, 9, 21, 18),
    "tarot": (4, 4, 12, 12),
    "mini": (18, 18, 36, 36),
    "mini-euro": (12, 16, 36, 36),
    "mini-american": (18, 18, 40, 36),
    "small-square": (12, 12, 24, 24),
    "square-70mm": (6, 8, 15, 20),
    "square-3.5": (6, 6, 12, 12),
    "jumbo": (3, 4, 9, 8),
    "domino": (12, 12, 27, 27),
    "business-us": (12, 10, 24, 24),
    "business-eu": (9, 10, 21, 21),
    "micro": (36, 36, 78, 72),
    "id-1": (9, 10, 21, 21),
}

lengths = st.integers(20_000, 150_000)
sizes = st.builds(Size, lengths, lengths)
papers = st.sampled_from([*PAPERS.values(), PAPERS["letter"].turned, Size(300_001, 400_003)])


def grid_or_none(*args: object, **options: object) -> Grid | None:
    try:
        return plan(*args, **options)  # type: ignore[arg-type]
    except UsageError:
        return None


@pytest.mark.parametrize("name", COUNTS)
def test_as_many_cards_fit_as_the_table_says(name: str) -> None:
    """Each standard card fits as often on Letter, A4, Tabloid and A3 as geometry allows."""
    found = tuple(len(plan(CARDS[name], PLAIN, PAPERS[paper]).slots) for paper in ("letter", "a4", "tabloid", "a3"))
    assert found == COUNTS[name]


def test_index_cards_on_letter_lie_where_the_style_sheet_says() -> None:
    """Four 3 × 5 in cards on Letter begin at 1.25 in and 0.4 in, leaving room for the footer."""
    grid = plan(CARDS["index-3x5"], PLAIN, PAPERS["letter"])
    assert [(slot.x, slot.y) for slot in grid.slots] == [
        (31750, 10160),
        (107950, 10160),
        (31750, 137160),
        (107950, 137160),
    ]
    assert grid.label == "plain Letter, 3 × 5 in"
    assert grid.angle == 0


def test_five_by_seven_is_turned() -> None:
    """Two 5 × 7 in cards fit on Letter only when they are turned."""
    grid = plan(CARDS["index-5x7"], PLAIN, PAPERS["letter"])
    assert len(grid.slots) == 2 and grid.angle == 270
    assert len(plan(CARDS["index-5x7"], PLAIN, PAPERS["letter"], turn="never").slots) == 1


def test_a_grid_that_exactly_fills_the_page_keeps_its_last_column() -> None:
    """Three columns of a third of the room are three columns, not two."""
    grid = plan(Size(70_000, 99_000), PLAIN, PAPERS["a4"], margin=0)
    assert len(grid.slots) == 9
    assert len(plan(Size(70_001, 99_000), PLAIN, PAPERS["a4"], margin=0, turn="never").slots) == 6
    assert len(plan(Size(69_000, 99_000), PLAIN, PAPERS["a4"], margin=0, gutter=1_500, turn="never").slots) == 6
    assert len(plan(Size(69_000, 98_000), PLAIN, PAPERS["a4"], margin=0, gutter=1_500).slots) == 9


def test_a_card_that_does_not_fit_is_misuse_and_both_sizes_are_named() -> None:
    """A card larger than the paper is refused rather than shrunk."""
    with pytest.raises(UsageError) as caught:
        plan(Size(300_000, 300_000), PLAIN, PAPERS["a4"])
    assert "300 × 300 mm" in str(caught.value) and "210 × 297 mm" in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [{"turn": "sometimes"}, {"margin": -1}, {"gutter": -1}, {"margin": 200_000}],
    ids=lambda option: next(iter(option)),
)
def test_an_impossible_option_is_misuse(options: dict[str, object]) -> None:
    """Unknown turns, negative lengths and margins wider than the paper are told, not computed with."""
    with pytest.raises(UsageError):
        plan(CARDS["poker"], PLAIN, PAPERS["a4"], **options)  # type: ignore[arg-type]


def test_a_card_too_small_to_cut_is_refused() -> None:
    """A card of a few micrometres would make millions of slots."""
    with pytest.raises(UsageError, match="too small"):
        plan(Size(10, 10), PLAIN, PAPERS["a4"])


def test_avery_cards_are_turned_to_the_left() -> None:
    """Avery 5388 has three slots of 5 × 3 in, and upright cards lie in them with their heads to the left."""
    grid = plan(CARDS["index-3x5"], STOCKS["avery-5388"], PAPERS["a4"])
    assert grid.paper == PAPERS["letter"] and grid.angle == 270 and not grid.cut
    assert [(slot.x, slot.y) for slot in grid.slots] == [(44450, 25400), (44450, 101600), (44450, 177800)]
    assert plan(CARDS["index-3x5"].turned, STOCKS["avery-5388"], PAPERS["a4"]).angle == 0


def test_stock_gives_only_its_own_cards() -> None:
    """A size that the stock does not have is misuse."""
    with pytest.raises(UsageError, match="avery-5388"):
        plan(CARDS["poker"], STOCKS["avery-5388"], PAPERS["letter"])


@settings(max_examples=25, deadline=None)
@given(sizes, papers, st.integers(0, 15_000), st.integers(0, 8_000))
def test_slots_keep_to_themselves_and_to_the_margins(card: Size, paper: Size, margin: int, gutter: int) -> None:
    """Slots never overlap, keep the gutter, and stay inside the margins on both sides of the sheet."""
    check_slots(card, paper, margin, gutter)


@pytest.mark.full
@settings(max_examples=3000, deadline=None)
@given(sizes, papers, st.integers(0, 15_000), st.integers(0, 8_000))
def test_slots_keep_to_themselves_and_to_the_margins_at_full_size(
    card: Size, paper: Size, margin: int, gutter: int
) -> None:
    """Slots never overlap, keep the gutter, and stay inside the margins on both sides of the sheet."""
    check_slots(card, paper, margin, gutter)


def check_slots(card: Size, paper: Size, margin: int, gutter: int) -> None:
    grid = grid_or_none(card, PLAIN, paper, margin, gutter)
    if grid is None:
        fits = [size for size in (card, card.turned) if size.width + 2 * margin <= paper.width]
        assert not [size for size in fits if size.height + 2 * margin <= paper.height]
        return
    inside = Box(0, 0, paper.width, paper.height).grown(-margin)
    for flip in FLIPS:
        for page in impose([(0, 1)], grid, flip):
            assert all(inside.contains(slot) for slot in page.slots)
            for one, other in combinations(page.slots[:12], 2):
                assert not one.overlaps(other)
                apart = max(one.x - other.right, other.x - one.right, one.y - other.bottom, other.y - one.bottom)
                assert apart >= gutter


@settings(max_examples=25, deadline=None)
@given(sizes, papers)
def test_the_block_is_centred_and_makes_room_for_the_footer(card: Size, paper: Size) -> None:
    """The block is centred across; it is moved up only as far as the footer needs and the margin allows."""
    grid = grid_or_none(card, PLAIN, paper)
    if grid is None:
        return
    block = impose([(0, None)], grid)[0].block
    assert abs(block.x - (paper.width - block.right)) <= 1
    below = paper.height - block.bottom
    assert block.y >= MARGIN
    assert below >= FOOTER or block.y == MARGIN
    assert abs(block.y - below) <= 1 or block.y == MARGIN or below == FOOTER


def turned(x: Fraction, y: Fraction, page: Page, flip: str) -> tuple[Fraction, Fraction]:
    """Where a point on the back of a sheet is seen from the front, the sheet being turned about its middle."""
    if turns_sideways(page.size, flip):
        return page.size.width - x, y
    return x, page.size.height - y


def point(placed: Placed, face: Size, u: Fraction, v: Fraction) -> tuple[Fraction, Fraction]:
    """Where a point of a face (0 to 1 across and down) comes to lie on the page."""
    a, b, c, d, e, f = face_matrix(face, placed)
    x, y = u * face.width, v * face.height
    return a * x + c * y + e, b * x + d * y + f


@settings(max_examples=25, deadline=None)
@given(
    sizes,
    papers,
    st.sampled_from(["long-edge", "short-edge"]),
    st.sampled_from(["never", "always"]),
    st.integers(1, 30),
)
def test_a_back_lies_on_its_front_when_the_sheet_is_turned(
    card: Size, paper: Size, flip: str, turn: str, count: int
) -> None:
    """Turned over, each back covers its own front, head on head."""
    check_backs(card, paper, flip, turn, count)


@pytest.mark.full
@settings(max_examples=3000, deadline=None)
@given(
    sizes,
    papers,
    st.sampled_from(["long-edge", "short-edge"]),
    st.sampled_from(["never", "always"]),
    st.integers(1, 30),
)
def test_a_back_lies_on_its_front_at_full_size(card: Size, paper: Size, flip: str, turn: str, count: int) -> None:
    """Turned over, each back covers its own front, head on head."""
    check_backs(card, paper, flip, turn, count)


def check_backs(card: Size, paper: Size, flip: str, turn: str, count: int) -> None:
    grid = grid_or_none(card, PLAIN, paper, turn=turn)
    if grid is None:
        return
    pages = impose([(i, 1000 + i) for i in range(count)], grid, flip)
    half, none, one = Fraction(1, 2), Fraction(0), Fraction(1)
    for front_page, back_page in zip(pages[::2], pages[1::2], strict=True):
        assert (front_page.side, back_page.side) == ("front", "back")
        for front, back in zip(front_page.placed, back_page.placed, strict=True):
            assert back.face == front.face + 1000
            for u, v in ((half, none), (half, one), (none, half), (one, half), (none, none)):
                # What is left on the back is right on the front: a card has two sides.
                assert turned(*point(back, card, one - u, v), back_page, flip) == point(front, card, u, v)
            corner = turned(Fraction(back.clip.x), Fraction(back.clip.y), back_page, flip)
            assert corner[0] in (front.clip.x, front.clip.right) and corner[1] in (front.clip.y, front.clip.bottom)


@pytest.mark.parametrize(
    ("paper", "flip", "turn", "angle"),
    [
        ("letter", "long-edge", "never", 0),
        ("letter", "short-edge", "never", 180),
        ("letter", "long-edge", "always", 90),
        ("letter", "short-edge", "always", 270),
    ],
)
def test_backs_are_turned_by_the_rule(paper: str, flip: str, turn: str, angle: int) -> None:
    """Turned over its upright axis a sheet keeps its backs upright, over the level one it turns them by half."""
    grid = plan(CARDS["poker"], PLAIN, PAPERS[paper], turn=turn)
    assert impose([(0, 1)], grid, flip)[1].placed[0].angle == angle
    landscape = plan(CARDS["poker"], PLAIN, PAPERS[paper].turned, turn=turn)
    other = {"long-edge": "short-edge", "short-edge": "long-edge"}[flip]
    assert impose([(0, 1)], landscape, other)[1].placed[0].angle == angle


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 40), st.data())
def test_a_partial_sheet_is_padded_and_never_re_centred(count: int, data: st.DataObject) -> None:
    """The cards of the last sheet lie in the same slots as those of the first."""
    grid = plan(CARDS["poker"], PLAIN, PAPERS["a4"])
    backed = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    pages = impose([(i, 99 if back else None) for i, back in enumerate(backed)], grid)
    fronts = [page for page in pages if page.side == "front"]
    assert len(fronts) == -(-count // 9)
    assert [placed.face for page in fronts for placed in page.placed] == list(range(count))
    for number, page in enumerate(fronts, start=1):
        assert (page.number, page.total) == (number, len(fronts))
        assert page.slots == grid.slots
        assert [placed.box for placed in page.placed] == list(grid.slots[: page.filled])
    assert len(pages) == len(fronts) * (2 if any(backed) else 1)
    assert sum(len(page.placed) for page in pages if page.side == "back") == sum(backed)


def test_without_a_flip_only_fronts_are_printed() -> None:
    """The flip `none` prints one side."""
    pages = impose([(0, 1)], plan(CARDS["poker"], PLAIN, PAPERS["a4"]), "none")
    assert [page.side for page in pages] == ["front"]
    with pytest.raises(UsageError, match="flip"):
        impose([(0, 1)], pages[0].grid, "sideways")


def test_bleed_reaches_outwards_and_never_into_the_next_card() -> None:
    """A face is printed beyond its trim at the block's edges, and between cards by half the gutter at most."""
    for gutter in (0, 1_001, 9_000):
        page = impose([(0, None)] * 9, plan(CARDS["poker"], PLAIN, PAPERS["a4"], gutter=gutter, margin=0))[0]
        for one, other in combinations(page.placed, 2):
            assert not one.clip.overlaps(other.clip)
        corner = page.placed[0]
        assert (corner.box.x - corner.clip.x, corner.box.y - corner.clip.y) == (BLEED, BLEED)


def test_a_face_of_another_size_is_scaled_evenly_and_centred() -> None:
    """A 3 × 5 in face on a poker card keeps its proportions and lies in the middle."""
    placed = Placed(0, Box(1000, 2000, 63_500, 88_900), Box(1000, 2000, 63_500, 88_900), 0)
    a, b, c, d, e, f = face_matrix(CARDS["index-3x5"], placed)
    assert a == d == Fraction(88_900, 127_000) and b == c == 0
    assert e - 1000 == 63_500 - (e - 1000) - a * 76_200
    assert f == 2000


def test_sheets_of_several_grids_are_counted_through() -> None:
    """One job has one count of sheets, and where one sheet has a back, blank backs keep the others in step."""
    one = impose([(0, 1)] * 10, plan(CARDS["poker"], PLAIN, PAPERS["a4"]))
    other = impose([(0, None)] * 5, plan(CARDS["index-3x5"], PLAIN, PAPERS["a4"]))
    pages = renumber([*one, *other])
    assert [(page.number, page.total) for page in pages] == [(n, 4) for n in (1, 1, 2, 2, 3, 3, 4, 4)]
    assert [page.side for page in pages] == ["front", "back"] * 4
    assert pages[5].placed == pages[5].trims == ()
    assert [page.side for page in renumber(other)] == ["front", "front"]
    assert renumber([]) == []


def test_a_mat_may_be_its_own_page() -> None:
    """A whole page has one slot, the page."""
    page = impose([(0, None)], whole_page(PAPERS["a4"]))[0]
    assert page.block == Box(0, 0, 210_000, 297_000)
