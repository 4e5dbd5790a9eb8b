"""How cards of several sizes lie on sheets: those of one size by themselves, what is left of each together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Box, Size, mm
from carddb.layout.drawing.outline import rectangle
from carddb.layout.drawing.shapes import outline_of
from carddb.layout.sheets.crop_marks import Marking, cut_order, segments
from carddb.layout.sheets.grid import cutter_for, sheet_grid, turn_axis
from carddb.layout.sheets.imposition import Page, Placed
from carddb.layout.sheets.shared_sheets import Item
from carddb.layout.stock import CARDS, PAPERS, STOCKS, card_size
from carddb.press.sheets.card_sheets import CardSheets, in_mosaics, sheet_blocks
from carddb.press.sheets.options import PieceKind, SheetOptions

_BACK = 1000
"""What the number of a back is more than that of its front."""
POKER, TAROT, LANDSCAPE, TOKEN = map(card_size, ("poker", "tarot", "3.5x2.5in", "25x25mm"))


def sheets_of(counts: dict[Size, int], options: SheetOptions, backs: bool = True) -> CardSheets:
    """Sheets with so many cards of each size, every one with a number of its own."""
    groups: dict[PieceKind, list[Item]] = {}
    number = 0
    for size, count in counts.items():
        for _ in range(count):
            groups.setdefault(PieceKind(size), []).append((number, number + _BACK if backs else None))
            number += 1
    copies = [copy for group in groups.values() for copy in group]
    return CardSheets(copies, sheet_blocks(groups, options), options)


def test_cards_of_one_picture_stay_together() -> None:
    """Six cards of one picture begin a row of a sheet that holds them all, or are parted upright; others fill it."""
    single, part = (1, 1), (3, 2)
    mosaics = {number: part if number % 10 < 6 else single for number in range(20)}
    copies: list[Item] = [(number, None) for number in range(20)]
    nine = sheet_grid(card_size("poker"), STOCKS["plain"], PAPERS["letter"], mm(6))
    placed = [front for front, _ in in_mosaics(copies, mosaics, nine)]
    assert placed == [*range(6), 6, 7, 8, *range(10, 16), 9, 16, 17, 18, 19]
    four = sheet_grid(card_size("index-3x5"), STOCKS["plain"], PAPERS["letter"], mm(6))
    placed = [front for front, _ in in_mosaics(copies, mosaics, four)]
    assert placed[:12] == [0, 1, 3, 4, 2, 6, 5, 7, 10, 11, 13, 14] and sorted(placed) == [*range(20)]


small = st.builds(Size, st.integers(20_000, 80_000), st.integers(20_000, 80_000))
sizes = st.one_of(st.sampled_from([POKER, TAROT, LANDSCAPE, TOKEN, CARDS["mini"], CARDS["small-square"]]), small)
flips = st.sampled_from(["long-edge", "short-edge", "none"])
gutters = st.one_of(st.just(Size(0, 0)), st.builds(Size, st.integers(0, 8_000), st.integers(0, 8_000)))


@st.composite
def sheet_options(draw: st.DrawFn) -> SheetOptions:
    """Options of sheets to cut on which every one of these sizes has room, folded or not."""
    return SheetOptions(
        paper=draw(st.sampled_from(["letter", "a4", "tabloid"])),
        margin=draw(st.integers(0, 20_000)),
        gutter=draw(gutters),
        bleed=draw(st.one_of(st.none(), st.integers(0, 5_000))),
        fold=draw(st.booleans()),
        flip=draw(flips),
    )


jobs = st.builds(
    sheets_of, st.dictionaries(sizes, st.integers(1, 12), min_size=2, max_size=4), sheet_options(), backs=st.booleans()
)


def fronts_and_backs(page: Page) -> tuple[list[Placed], list[Placed]]:
    fronts = [placed for placed in page.placed if placed.face < _BACK]
    return fronts, [placed for placed in page.placed if placed.face >= _BACK]


@given(jobs)
def test_no_card_touches_another_or_the_margin(sheets: CardSheets) -> None:
    """No trim or bleed of a card covers the trim of another, and every trim lies inside the printable area."""
    for page in sheets.pages():
        margin = sheets.options.margin
        inside = Box(margin, margin, page.size.width - 2 * margin, page.size.height - 2 * margin)
        assert all(inside.contains(placed.box) for placed in page.placed)
        for one, other in combinations(page.placed, 2):
            assert not one.clip.overlaps(other.box) and not other.clip.overlaps(one.box)


@given(jobs)
def test_every_back_lies_behind_its_front(sheets: CardSheets) -> None:
    """Each copy is printed once, and its back covers its trim however the sheet is turned or folded."""
    pages = list(sheets.pages())
    fronts = [placed for page in pages for placed in fronts_and_backs(page)[0]]
    assert Counter(placed.face for placed in fronts) == Counter(front for front, _ in sheets.copies)
    wanted = {back for _, back in sheets.copies if back is not None}
    printed: set[int] = set()
    for number, page in enumerate(pages):
        if page.side == "back":
            continue
        behind = page if page.grid.fold else pages[number + 1] if page.flip != "none" else None
        if behind is None:
            continue
        hinge = page.grid.fold or turn_axis(page.size, page.flip)
        backs = {placed.face - _BACK: placed for placed in fronts_and_backs(behind)[1]}
        for front in fronts_and_backs(page)[0]:
            if back := backs.get(front.face):
                printed.add(back.face)
                assert hinge.mirror(front.box) == back.box and hinge.turned(front.angle) == back.angle
    two_sided = sheets.options.fold or sheets.options.flip != "none"
    assert printed == (wanted if two_sided else set())


@given(jobs)
def test_every_cut_goes_right_through(sheets: CardSheets) -> None:
    """Cuts across go through the whole sheet and through no card; those down go through their band and no card of it.

    Every edge of every card is on a cut, and no mark touches a card.
    """
    for page in sheets.pages():
        grid = page.grid
        cuts = cut_order(grid, page.filled)
        for slot in grid.slots[: page.filled]:
            edges = {("across", slot.y), ("across", slot.bottom), ("down", slot.x), ("down", slot.right)}
            covering = [cut for cut in cuts if cut.through or cut.covers(slot)]
            assert edges <= {(cut.axis, cut.position) for cut in covering}
            for cut in covering:
                first, last = (slot.y, slot.bottom) if cut.axis == "across" else (slot.x, slot.right)
                assert not first < cut.position < last
        assert all(cut.through == (cut.axis == "across") for cut in cuts)
        for marking in (Marking(), Marking("cards", guides=True)):
            assert not any(mark.overlaps(trim) for mark in segments(page, marking) for trim in page.trims)


@given(jobs)
def test_sheets_are_shared_only_where_that_saves_some(sheets: CardSheets) -> None:
    """A job with shared sheets takes fewer than its sizes apart; one without has each size on its own grid."""
    counts = Counter(size for page in sheets.pages() if page.side == "front" for size in trim_sizes(page))
    apart = 0
    for size, count in counts.items():
        options = sheets.options
        grid = sheet_grid(
            size, STOCKS["plain"], PAPERS[options.paper], options.margin, options.gutter,
            bleed=options.bleed, fold=options.fold,
        )  # fmt: skip
        apart += -(-count // len(grid.slots))
    shared = any(grid.is_shared for grid, _ in sheets.blocks)
    assert sheets.sheet_count < apart if shared else sheets.sheet_count == apart


def trim_sizes(page: Page) -> Sequence[Size]:
    """The sizes of the cards of a front, as they are when they stand upright."""
    lying = [(Size(placed.box.width, placed.box.height), placed.angle) for placed in fronts_and_backs(page)[0]]
    return [size.turned if angle % 180 else size for size, angle in lying]


def test_what_is_left_of_each_size_shares_a_sheet() -> None:
    """Whole sheets of a size stay by themselves; one tarot, three poker cards and seven tokens lie on one Letter."""
    sheets = sheets_of({TAROT: 1, POKER: 12, TOKEN: 7}, SheetOptions())
    assert [(grid.cards, len(copies)) for grid, copies in sheets.blocks] == [
        ((POKER,), 9),
        ((TAROT, POKER, TOKEN), 11),
    ]
    assert sheets.label == "plain Letter, 2.5 × 3.5 in, 2.75 × 4.75 in, 25 × 25 mm"


@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
def test_cards_lie_turned_where_that_saves_a_sheet(flip: str) -> None:
    """Five landscape cards and a poker card share a sheet when they and their backs are turned; fewer lie upright."""
    ((grid, _),) = sheets_of({LANDSCAPE: 2, POKER: 1}, SheetOptions()).blocks
    assert [band.angle for band in grid.bands] == [0, 0]
    sheets = sheets_of({LANDSCAPE: 5, POKER: 1}, SheetOptions(flip=flip))
    ((grid, _),) = sheets.blocks
    assert [(band.card, band.angle) for band in grid.bands] == [(LANDSCAPE, 270), (POKER, 270)]
    front, back = sheets.pages()
    assert {placed.angle for placed in front.placed} == {270}
    assert {placed.angle for placed in back.placed} == {90 if flip == "long-edge" else 270}


@pytest.mark.parametrize("stock", ["card", "avery-5388"])
def test_stock_that_is_not_cut_is_never_shared(stock: str) -> None:
    """Single cards and cards that are torn off have one size a page."""
    size = Size.parse("3x5in")
    sheets = sheets_of({size: 2, size.turned: 1}, SheetOptions(stock=stock))
    assert [len(copies) for _, copies in sheets.blocks] == [2, 1] and not any(
        grid.is_shared for grid, _ in sheets.blocks
    )


def test_a_wide_margin_is_kept_clear() -> None:
    """The first band of a shared sheet begins below a margin that is wider than the room of a footer."""
    sheets = sheets_of({POKER: 1, TOKEN: 1}, SheetOptions(margin=mm(25)))
    ((grid, _),) = sheets.blocks
    assert min(slot.y for slot in grid.slots) == mm(25)


def test_faces_bleed_towards_empty_places() -> None:
    """On the last sheet, and beside skipped places, a card has its full bleed where it has no neighbour, else none."""
    for options, count, number in ((SheetOptions(), 12, 2), (SheetOptions(skip=(5,)), 8, 1)):
        fronts = [page for page in sheets_of({POKER: count}, options).pages() if page.side == "front"]
        boxes = {placed.box for placed in fronts[number - 1].placed}
        for placed in fronts[number - 1].placed:
            box = placed.box
            beside = {"x": box._replace(x=box.right), "y": box._replace(y=box.bottom)}
            assert placed.clip.right - box.right == (0 if beside["x"] in boxes else 1500)
            assert placed.clip.bottom - box.bottom == (0 if beside["y"] in boxes else 1500)


def test_backs_may_have_more_bleed() -> None:
    """`back_bleed` widens backs alone, between cards by at most half the gutter; crop marks stay outside of it."""
    options = SheetOptions(back_bleed=3000, gutter=Size(4000, 4000))
    front, back = sheets_of({POKER: 4}, options).pages()
    assert {placed.clip.height - placed.box.height for placed in front.placed} == {3000}
    assert {placed.box.x - placed.clip.x for placed in back.placed} == {2000, 3000}
    clips = [placed.clip for placed in back.placed]
    assert not any(mark.overlaps(clip) for mark in segments(back, Marking()) for clip in clips)


def test_pieces_of_other_shapes_have_sheets_or_rows_of_their_own() -> None:
    """Cards of one size and two shapes do not mix; a machine gives every rectangle round corners."""
    disc = outline_of("circle", TOKEN, lambda _: "")
    cards: list[Item] = [(n, None) for n in range(6)]
    groups = {PieceKind(TOKEN): cards[:3], PieceKind(TOKEN, disc): cards[3:]}
    sheets = CardSheets(cards, sheet_blocks(groups, SheetOptions()), SheetOptions())
    (page,) = sheets.pages()
    assert [band.outline for band in page.grid.bands] == [None, disc] and [
        bool(placed.window) for placed in page.placed
    ] == [False] * 3 + [True] * 3
    machine = SheetOptions(cutter=cutter_for("cricut"), corner=2000)
    assert machine.outline(TOKEN, None) == rectangle(TOKEN, 2000) and machine.outline(TOKEN, disc) is disc
