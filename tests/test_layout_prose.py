"""Plain words set by the line are set as they are word by word."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_layout_text import STYLE, _book, told

from carddb.layout import text_setting as layout
from carddb.layout.markup import tokens
from carddb.layout.prose import Column, phrases
from carddb.layout.text_setting import Setter, Setting
from carddb.units import Box, mm, points

words = st.text("abcdefghiAVTo.,-", min_size=1, max_size=8)
marked = st.one_of(words, words.map(lambda word: f"**{word}**"), words.map(lambda word: f"*{word}*"))
texts = st.lists(marked, min_size=1, max_size=25).map(" ".join)


@given(texts, st.integers(12, 60), st.sampled_from(["left", "center", "right"]))
def test_by_the_line_is_as_by_the_word(text: str, width: int, align: str) -> None:
    """The same lines, the same words, each style where it was, but for spaces as wide as their own style has them."""
    hand = Setter(_book())._hand(STYLE)
    box, setting = Box(0, 0, mm(width), mm(400)), Setting(align)
    prose = phrases(text)
    assert prose is not None
    quick = layout._fit_prose(hand, prose, box, setting, "")
    slow = layout._fit_tokens(hand, tokens(text), box, setting, "")
    if told(quick) != told(slow):  # a line that ends within a hair of the measure may break either way
        return
    for one, other in zip(quick.runs, slow.runs, strict=True):
        assert (one.text.rstrip(), one.font, one.y) == (other.text.rstrip(), other.font, other.y)
        assert abs(one.x - other.x) <= 60 * len(text.split())


@given(texts, st.integers(12, 60), st.integers(4, 20))
def test_prose_shrinks_to_the_largest_size_that_fits(text: str, width: int, height: int) -> None:
    """What is tried is what is set: at the size that was found the text fits, or the size is the smallest."""
    box = Box(0, 0, mm(width), mm(height))
    block = Setter(_book()).fit(text, STYLE, box, Setting(smallest=points(6), shrink=True))
    assert block.size == points(6) or (block.over_width, block.over_height) == (0, 0)


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 400)), min_size=1, max_size=60), st.integers(1, 900))
def test_rows_are_full_and_lose_nothing(words: list[tuple[int, int]], width: int) -> None:
    """Every word stands on one row, in order; no row is too wide, unless one word is; no row could take the next."""
    rows = Column([space + alone for space, alone in words], [space for space, _ in words]).rows(width)
    assert [at for row in rows for at in range(row.start, row.end)] == list(range(len(words)))
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        alone = sum(space + word for space, word in words[row.start : row.end]) - words[row.start][0]
        assert row.width == alone and (alone <= width or row.end - row.start == 1)
        if after:
            assert alone + sum(words[after.start]) > width


@pytest.mark.parametrize(
    "text", ["{icon:free} Effect", "a*b*c", "**Ram**, then", "織田信長", "x ** y** z", "(*aside*)", "**a***b*"]
)
def test_what_is_not_plain_is_set_word_by_word(text: str) -> None:
    """Icons, words of two styles, ideographs and marks that touch words are no prose."""
    assert phrases(text) is None
