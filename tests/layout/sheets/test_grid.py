from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.sheets.grid import FOOTER, sheet_grid, whole_page
from carddb.layout.sheets.imposition import bounds
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from tests.layout.sheets.samples import PLAIN, Job, jobs
from tests.rows import every

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


@every("name", COUNTS)
def test_as_many_cards_fit_as_the_table_says(name: str) -> None:
    """Each standard card fits as often on Letter, A4, Tabloid and A3 as geometry allows."""
    found = tuple(
        len(sheet_grid(CARDS[name], PLAIN, PAPERS[paper]).slots) for paper in ("letter", "a4", "tabloid", "a3")
    )
    assert found == COUNTS[name]


def test_index_cards_on_letter_lie_where_the_style_sheet_says() -> None:
    """Four 3 × 5 in cards on Letter begin at 1.25 in and 0.4 in, leaving room for the footer."""
    grid = sheet_grid(CARDS["index-3x5"], PLAIN, PAPERS["letter"])
    assert [(slot.x, slot.y) for slot in grid.slots] == [
        (31750, 10160),
        (107950, 10160),
        (31750, 137160),
        (107950, 137160),
    ]
    assert grid.label == "plain Letter, 3 × 5 in"
    assert grid.bands[0].angle == 0


def test_five_by_seven_is_turned() -> None:
    """Two 5 × 7 in cards fit on Letter only when they are turned."""
    grid = sheet_grid(CARDS["index-5x7"], PLAIN, PAPERS["letter"])
    assert len(grid.slots) == 2 and grid.bands[0].angle == 270


def test_a_grid_that_exactly_fills_the_page_keeps_its_last_column() -> None:
    """Three columns of a third of the room are three columns, not two."""
    grid = sheet_grid(Size(70_000, 99_000), PLAIN, PAPERS["a4"], margin=0)
    assert len(grid.slots) == 9
    for width, columns in ((70_000, 3), (70_001, 2)):
        assert len(sheet_grid(Size(width, 99_000), PLAIN, Size(210_000, 99_000), margin=0).slots) == columns
    assert len(sheet_grid(Size(69_000, 98_000), PLAIN, PAPERS["a4"], margin=0, gutter=Size(1_500, 1_500)).slots) == 9


def test_a_card_that_does_not_fit_is_misuse_and_both_sizes_are_named() -> None:
    """A card larger than the paper is refused rather than shrunk."""
    with pytest.raises(UsageError) as caught:
        sheet_grid(Size(300_000, 300_000), PLAIN, PAPERS["a4"])
    assert "300 × 300 mm" in str(caught.value) and "210 × 297 mm" in str(caught.value)


@every("options", [{"margin": -1}, {"gutter": Size(0, -1)}, {"bleed": -1}, {"margin": 200_000}])
def test_an_impossible_option_is_misuse(options: dict[str, Any]) -> None:
    """Negative lengths and margins wider than the paper are told, not computed with."""
    with pytest.raises(UsageError):
        sheet_grid(CARDS["poker"], PLAIN, PAPERS["a4"], **options)


def test_a_card_too_small_to_cut_is_refused() -> None:
    """A card of a few micrometres would make millions of slots."""
    with pytest.raises(UsageError, match="too small"):
        sheet_grid(Size(10, 10), PLAIN, PAPERS["a4"])


def test_avery_cards_are_turned_to_the_left() -> None:
    """Avery 5388 has three slots of 5 × 3 in, and upright cards lie in them with their heads to the left."""
    grid = sheet_grid(CARDS["index-3x5"], STOCKS["avery-5388"], PAPERS["a4"])
    assert grid.paper == PAPERS["letter"] and grid.bands[0].angle == 270 and not grid.cut
    assert [(slot.x, slot.y) for slot in grid.slots] == [(44450, 25400), (44450, 101600), (44450, 177800)]
    assert sheet_grid(CARDS["index-3x5"].turned, STOCKS["avery-5388"], PAPERS["a4"]).bands[0].angle == 0


def test_stock_gives_only_its_own_cards() -> None:
    """A size that the stock does not have is misuse."""
    with pytest.raises(UsageError, match="avery-5388"):
        sheet_grid(CARDS["poker"], STOCKS["avery-5388"], PAPERS["letter"])


@given(jobs)
def test_slots_keep_to_themselves_and_to_the_margins(job: Job) -> None:
    """Slots never overlap, keep the gutter, and stay inside the margins; where none fits, none could."""
    check_slots(job)


def check_slots(job: Job) -> None:
    grid = job.grid
    inside = Box(0, 0, job.paper.width, job.paper.height).grown(-job.margin)
    if grid is None:
        ways = (job.card, job.card.turned)
        assert job.fold or not any(size.width <= inside.width and size.height <= inside.height for size in ways)
        return
    assert all(inside.contains(slot) for slot in grid.slots)
    assert len(grid.slots) == grid.columns * grid.rows
    for one, other in combinations(grid.slots[:12], 2):
        across = max(one.x - other.right, other.x - one.right)
        down = max(one.y - other.bottom, other.y - one.bottom)
        assert across >= grid.gutter.width if across >= 0 else down >= grid.gutter.height
    assert list(grid.slots) == sorted(grid.slots, key=lambda slot: (slot.y, slot.x))


@given(jobs)
def test_no_further_column_and_row_would_fit(job: Job) -> None:
    """The grid takes all the room there is: one more column or row would leave the margins or cross the fold."""
    check_full(job)


def check_full(job: Job) -> None:
    grid = job.grid
    if grid is None:
        return
    slot, block = grid.slots[0], bounds(grid.slots)
    width, height = job.paper.width - 2 * job.margin, job.paper.height - 2 * job.margin
    if grid.fold:
        clear = grid.fold.twice // 2 - (block.right if grid.fold.upright else block.bottom)
        assert clear >= max(3000, job.bleed)
        if grid.fold.upright:
            width = job.paper.width // 2 - job.margin - clear
        else:
            height = job.paper.height // 2 - job.margin - clear
    assert block.width + job.gutter.width + slot.width > width
    assert block.height + job.gutter.height + slot.height > height


@given(jobs)
def test_the_block_is_centred_and_makes_room_for_the_footer(job: Job) -> None:
    """The block is centred across; it is moved up only as far as the footer needs and the margin allows."""
    grid = job.grid
    if grid is None or job.fold:
        return
    block = bounds(grid.slots)
    assert abs(block.x - (job.paper.width - block.right)) <= 1
    below = job.paper.height - block.bottom
    assert block.y >= job.margin
    assert below >= FOOTER or block.y == job.margin
    assert abs(block.y - below) <= 1 or block.y == job.margin or below == FOOTER


def test_gutters_may_differ_between_columns_and_rows() -> None:
    """A gutter has two lengths: columns 2 mm apart, rows 5 mm."""
    grid = sheet_grid(CARDS["tcg"], PLAIN, PAPERS["a4"], gutter=Size(2_000, 5_000))
    assert (grid.columns, grid.rows) == (3, 3)
    assert grid.slots[1].x - grid.slots[0].right == 2_000
    assert grid.slots[3].y - grid.slots[0].bottom == 5_000


@every(
    "card, paper, pairs, upright",
    [
        ("index-3x5", "letter", 2, True),
        ("poker", "letter", 4, True),
        ("poker", "a4", 4, True),
        ("mini", "a4", 9, False),
    ],
)
def test_as_many_pairs_as_fit_lie_beside_a_fold(card: str, paper: str, pairs: int, upright: bool) -> None:
    """With a fold, half the paper holds the fronts, side by side with their backs unless more fit above them."""
    grid = sheet_grid(CARDS[card], PLAIN, PAPERS[paper], fold=True)
    assert len(grid.slots) == pairs
    assert grid.fold is not None and grid.fold.upright == upright


def test_a_wide_card_is_folded_from_above() -> None:
    """Where only one above the other fits, the fold is level."""
    grid = sheet_grid(Size(190_000, 100_000), PLAIN, PAPERS["a4"], fold=True)
    assert grid.fold is not None and not grid.fold.upright
    with pytest.raises(UsageError, match="beside its back"):
        sheet_grid(Size(190_000, 190_000), PLAIN, PAPERS["a4"], fold=True)


def test_only_plain_paper_is_folded() -> None:
    """Perforated and single cards are printed on both sides or not at all."""
    for stock in ("avery-5388", "index-3x5", "card"):
        with pytest.raises(UsageError, match="cannot be folded"):
            sheet_grid(CARDS["index-3x5"], STOCKS[stock], PAPERS["letter"], fold=True)


def test_a_page_may_be_a_card_of_any_size_with_bleed_where_it_is_asked_for() -> None:
    """On the stock `card` the page is the card, and larger by the bleed only where one is named."""
    grid = sheet_grid(CARDS["poker"], STOCKS["card"], PAPERS["a4"])
    assert grid.bare and grid.paper == CARDS["poker"] and grid.slots == (Box(0, 0, 63_500, 88_900),)
    bled = sheet_grid(CARDS["poker"], STOCKS["card"], PAPERS["a4"], bleed=3_175)
    assert bled.bare and bled.paper == Size(69_850, 95_250) and bled.slots == (Box(3_175, 3_175, 63_500, 88_900),)


def test_landscape_cards_turn_on_index_stock() -> None:
    """A card wider than high is turned to lie in the slot of an index card."""
    grid = sheet_grid(CARDS["index-3x5"].turned, STOCKS["index-3x5"], PAPERS["letter"])
    assert grid.paper == CARDS["index-3x5"] and grid.bands[0].angle == 270 and grid.bare


def test_a_mat_may_be_its_own_page() -> None:
    """A whole page has one slot, the page."""
    assert whole_page(PAPERS["a4"]).slots == (Box(0, 0, 210_000, 297_000),)


@pytest.mark.full
@settings(max_examples=10_000)
@given(jobs)
def test_grids_at_full_size(job: Job) -> None:
    """Slots keep apart, keep inside the margins and take all the room there is."""
    check_slots(job)
    check_full(job)
