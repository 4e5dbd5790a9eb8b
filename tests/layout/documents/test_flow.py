"""Pieces of a document in the columns of its pages."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.layout.documents.flow import Balance, Bookmark, Columns, FlowItem, FlowPage, balanced, flow

COLUMNS = Columns(2, 100, 10)


@dataclass
class Block:
    """Lines of ten points, cut between any two; `whole` ones are never cut."""

    name: str
    lines: int
    whole: bool = False

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        return width, self.lines * 10

    def split(self, width: float, height: float) -> list[Block]:
        fits = int(height // 10)
        if self.whole or fits < 1:
            return []
        if fits >= self.lines:
            return [self]
        return [Block(self.name, fits), Block(self.name, self.lines - fits)]


@dataclass
class Heading:
    """A heading of eight points, which is never cut."""

    name: str
    continued: bool = False

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        return width, 8

    def split(self, width: float, height: float) -> list[Heading]:
        return []


def told(sheet: FlowPage) -> list[tuple[str, float, float]]:
    return [(placed.piece.flowable.name, placed.x, placed.y) for placed in sheet.placed]


def test_columns_end_level() -> None:
    """What does not fill a page is shared by its columns."""
    sheets = flow([FlowItem(Block(name, 4)) for name in "abcd"], COLUMNS, 300, 300)
    assert [told(sheet) for sheet in sheets] == [[("a", 0, 0), ("b", 0, 40), ("c", 110, 0), ("d", 110, 40)]]


def test_what_an_item_belongs_to_is_repeated_at_the_head_of_a_column() -> None:
    """An item that begins a column stands below what it belongs to; one with the same in the middle does not."""
    items = [
        FlowItem(Block("a", 4)),
        *(FlowItem(Block(name, 4, whole=True), again=Block("again", 1)) for name in "bcd"),
    ]
    (sheet,) = flow(items, COLUMNS, 300, 300)
    assert told(sheet) == [("a", 0, 0), ("b", 0, 40), ("again", 110, 0), ("c", 110, 10), ("d", 110, 50)]


def test_a_full_page_is_followed_by_another() -> None:
    """The first column is filled, then the second, then the next page's; a block may be cut."""
    (first, second) = flow([FlowItem(Block("a", 25)), FlowItem(Block("b", 15))], COLUMNS, 150, 200)
    assert told(first) == [("a", 0, 0), ("a", 110, 0), ("b", 110, 100)]
    assert {name for name, _, _ in told(second)} == {"b"}


def test_a_heading_never_parts_from_what_follows() -> None:
    """A piece that is kept goes to the next column with the first lines of its text."""
    pieces = [
        FlowItem(Block("a", 14)),
        FlowItem(Block("heading", 1), keep=True),
        FlowItem(Block("b", 9)),
        FlowItem(Block("c", 30)),
    ]
    (first, *_) = flow(pieces, COLUMNS, 150, 150)
    assert ("heading", 110, 0) in told(first) and ("b", 110, 10) in told(first)


def test_what_is_wide_goes_across_with_its_heading() -> None:
    """A wide table parts the columns above it from those below, and its heading is as wide as it."""
    pieces = [
        FlowItem(Block("a", 4)), FlowItem(Block("heading", 1), keep=True), FlowItem(Block("table", 5), wide=True),
        FlowItem(Block("b", 2)), FlowItem(Block("c", 2)),
    ]  # fmt: skip
    (sheet,) = flow(pieces, COLUMNS, 300, 300)
    assert [(p.piece.flowable.name, p.width) for p in sheet.placed] == [
        ("a", 100), ("a", 100), ("heading", 210), ("table", 210), ("b", 100), ("c", 100),
    ]  # fmt: skip


def test_what_is_pinned_stands_at_the_foot_and_what_follows_begins_above() -> None:
    """The foot has its height and space taken off the page; where it does not fit, it stands on the next page."""
    foot = FlowItem(Block("foot", 3), before=10, wide=True, pinned=True)
    text, more = FlowItem(Block("text", 20)), FlowItem(Block("more", 2), wide=True)
    [sheet] = flow([text, foot, more], COLUMNS, 300, 300)
    assert told(sheet) == [("text", 0, 0), ("text", 110, 0), ("more", 0, 100), ("foot", 0, 270)]
    sheets = flow([text, foot, more], COLUMNS, 110, 200)
    assert [told(sheet)[-1] for sheet in sheets] == [("text", 110, 0), ("foot", 0, 170)]


def test_space_is_opened_so_that_columns_and_pages_end_together() -> None:
    """A page with a little room left ends at its foot in each column; of a last page, only the columns end together."""
    pieces = [FlowItem(Block(str(number), 5, whole=True), before=20) for number in range(10)]
    first, last = balanced(pieces, COLUMNS, 215, 180)
    assert (first.bands[0].ends, last.bands[0].ends) == ([215, 215], [120, 120])


def test_text_fills_the_page_before_a_figure_that_floats() -> None:
    """A figure without room stands at the top of the next page; what follows it in its section comes before it."""
    pieces = [FlowItem(Block("a", 5)), FlowItem(Block("figure", 8, whole=True), floats=True), FlowItem(Block("b", 7))]
    sheets = flow(pieces, Columns(1, 100, 0), 100, 100)
    assert [told(sheet) for sheet in sheets] == [
        [("a", 0, 0), ("b", 0, 50)],
        [("figure", 0, 0), ("b", 0, 80)],
    ]


@pytest.mark.parametrize(
    ("lines", "told_on"),
    [(7, [["a"], ["figure", "heading", "b"]]), (5, [["a", "heading", "b"], ["figure"]])],
)
def test_a_figure_stays_before_the_next_section_unless_a_third_of_the_page_were_blank(
    lines: int, told_on: list[list[str]]
) -> None:
    """The next section begins before the last one's figure only where the page would be left empty."""
    heading = FlowItem(Block("heading", 1), keep=True, bookmark=Bookmark("Next", 1))
    pieces = [
        FlowItem(Block("a", lines)),
        FlowItem(Block("figure", 8, whole=True), floats=True),
        heading,
        FlowItem(Block("b", 1)),
    ]
    sheets = flow(pieces, Columns(1, 100, 0), 100, 100)
    assert [[name for name, _, _ in told(sheet)] for sheet in sheets] == told_on


def test_text_fills_the_page_before_a_wide_figure() -> None:
    """A figure over all columns without room goes to the next page, and the text after it stands before it."""
    pieces = [
        FlowItem(Block("a", 20)),
        FlowItem(Block("figure", 25, whole=True), wide=True, floats=True),
        FlowItem(Block("b", 30)),
    ]
    sheets = flow(pieces, COLUMNS, 300, 300)
    assert [sorted({name for name, _, _ in told(sheet)}) for sheet in sheets] == [["a", "b"], ["figure"]]


def test_a_heading_has_three_lines_below_it() -> None:
    """A heading with a single line and a list goes to the next column, with the line and the list."""
    heading = FlowItem(Block("heading", 1), keep=True)
    pieces = [
        FlowItem(Block("a", 27)),
        heading,
        FlowItem(Block("b", 1)),
        FlowItem(Block("c", 3)),
        FlowItem(Block("d", 30)),
    ]
    (sheet, *_) = flow(pieces, COLUMNS, 300, 300)
    assert ("heading", 110, 0) in told(sheet)


def test_a_piece_higher_than_a_page_is_placed_all_the_same() -> None:
    """Something that cannot be cut and does not fit ends nowhere, but nothing after it is lost."""
    sheets = flow([FlowItem(Block("high", 50, whole=True)), FlowItem(Block("b", 1))], COLUMNS, 100, 100)
    assert [name for sheet in sheets for name, _, _ in told(sheet)] == ["high", "b"]


pieces = st.builds(
    lambda lines, whole, before, keep, wide: FlowItem(Block("", lines, whole), before, keep, wide),
    st.integers(1, 30), st.booleans(), st.sampled_from([0.0, 5.0]), st.booleans(),
    st.integers(0, 9).map(lambda n: n == 0),
)  # fmt: skip


@given(st.lists(pieces, max_size=30))
def test_nothing_is_lost_and_nothing_overlaps(given_pieces: list[FlowItem]) -> None:
    """All lines are there in their order, and within a column each piece stands below the one before."""
    named = [
        FlowItem(Block(str(n), p.flowable.lines, p.flowable.whole), p.before, p.keep, p.wide)
        for n, p in enumerate(given_pieces)
    ]
    sheets = flow(named, COLUMNS, 120, 150)
    order = [p.piece.flowable for sheet in sheets for p in sheet.placed]
    lines = {piece.flowable.name: 0 for piece in named}
    for block in order:
        lines[block.name] += block.lines
    assert lines == {piece.flowable.name: piece.flowable.lines for piece in named}
    assert [int(block.name) for block in order] == sorted(int(block.name) for block in order)
    for sheet in sheets:
        for one, other in zip(sheet.placed, sheet.placed[1:], strict=False):
            assert other.x != one.x or other.y >= one.y + one.height - 0.01


def test_the_last_page_is_not_nearly_empty() -> None:
    """If little is left for the last page, the others are filled less; with `count` there are as many pages."""
    pieces = [FlowItem(Block(str(number), 1)) for number in range(64)]
    one = Columns(1, 100, 0)
    assert [len(page.placed) for page in flow(pieces, one, 300, 300)] == [30, 30, 4]
    lines = [len(page.placed) for page in balanced(pieces, one, 300, 300)]
    assert len(lines) == 3 and lines[-1] >= 9
    assert len(balanced(pieces, one, 300, 300, 4)) == 4


def test_text_goes_on_before_a_figure_that_needs_the_next_page() -> None:
    """What follows a figure fills the page that the figure leaves, so that no page ends half empty before a picture."""
    pieces = [
        FlowItem(Block("a", 30)),
        FlowItem(Block("figure", 20, whole=True), wide=True, floats=True),
        FlowItem(Block("b", 40)),
    ]
    first, second = flow(pieces, COLUMNS, 300, 300)
    assert {name for name, _, _ in told(first)} == {"a", "b"}
    assert told(second)[0] == ("figure", 0, 0)


def test_a_few_lines_over_are_taken_by_all_pages() -> None:
    """Pages are filled a little more than usual if the document then takes one page less, but not for more lines."""
    one = Columns(1, 100, 0)
    assert len(flow([FlowItem(Block(str(number), 1)) for number in range(60)], one, 299, 299)) == 3
    for lines, pages in ((60, 2), (61, 3)):
        pieces = [FlowItem(Block(str(number), 1)) for number in range(lines)]
        assert len(balanced(pieces, one, 299, 299)) == pages


def test_a_page_shares_its_hole_with_the_page_before() -> None:
    """What is left blank before a block that does not fit is spread over two pages."""
    lines = [FlowItem(Block(str(number), 1)) for number in range(60)]
    pieces = [*lines[:40], FlowItem(Block("high", 25, whole=True)), *lines[40:]]
    one = Columns(1, 100, 0)
    assert [len(page.placed) for page in flow(pieces, one, 300, 300)] == [30, 10, 6, 15]
    assert [len(page.placed) for page in balanced(pieces, one, 300, 300)] == [20, 20, 3, 18]


def test_a_page_with_text_from_behind_a_figure_is_as_good_as_others() -> None:
    """Blank space is shared too where text fills the page before a figure: that text is no piece that goes on."""
    one = Columns(1, 100, 0)
    lines = [FlowItem(Block(str(number), 1)) for number in range(44)]
    figure = FlowItem(Block("figure", 16, whole=True), floats=True)
    pieces = [*lines[:14], FlowItem(Block("table", 8, whole=True)), figure, *lines[14:]]
    assert [round(page.bottom) for page in balanced(pieces, one, 300, 300, aim=Balance(opened=0))] == [250, 250, 180]


def test_a_last_page_may_be_short_in_a_book() -> None:
    """How full the last page becomes depends on the share that is aimed at; the page before is as full as it can be."""
    one, lines = Columns(1, 100, 0), [FlowItem(Block(str(number), 1)) for number in range(40)]
    for filled, pages in ((0.6, [23, 17]), (0.3, [30, 10])):
        aim = Balance(opened=0, filled=filled)
        assert [len(page.placed) for page in balanced(lines, one, 300, 300, aim=aim)] == pages


def test_a_heading_with_little_below_moves_to_the_next_column() -> None:
    """With a line below it a heading always moves on, with two if the first part of its own section would part."""
    for lines, level, names in ((2, 2, ["a"]), (2, 1, ["a", "one", "line"]), (1, 1, ["a"])):
        pieces = [
            FlowItem(Block("a", 24)),
            FlowItem(Heading("one"), keep=True, bookmark=Bookmark("one", 1)),
            FlowItem(Block("line", lines)),
            FlowItem(Heading("two"), keep=True, bookmark=Bookmark("two", level)),
            FlowItem(Block("text", 20)),
        ]
        first, *_ = flow(pieces, Columns(1, 100, 0), 280, 280)
        assert [name for name, _, _ in told(first)] == names
