from collections.abc import Callable

import pytest

from carddb.core.errors import UsageError
from carddb.core.units import Size
from carddb.layout.stock import (
    CARDS,
    PAPERS,
    STOCKS,
    card_on,
    card_size,
    describe,
    paper_label,
    paper_size,
    stock_named,
)


def test_a_paper_may_be_named_or_measured() -> None:
    """A paper is known by its name in any letter case, or by its measures."""
    assert paper_size("A4") == Size(210_000, 297_000)
    assert paper_size("148x210mm") == PAPERS["a5"]


@pytest.mark.parametrize(
    ("ask", "word", "near"),
    [(paper_size, "leter", "letter"), (card_size, "pokr", "poker"), (stock_named, "avery-5338", "avery-5388")],
)
def test_an_unknown_name_is_answered_with_the_nearest(ask: Callable[[str], object], word: str, near: str) -> None:
    """A misspelt paper, card size or stock is misuse, and the nearest name is offered."""
    with pytest.raises(UsageError) as caught:
        ask(word)
    assert word in str(caught.value) and near in str(caught.value)


def test_a_playing_card_is_a_poker_card() -> None:
    """Two names may mean one size."""
    assert CARDS["playing-card"] == CARDS["poker"] == Size(63_500, 88_900)


def test_sizes_are_said_in_the_unit_that_defines_them() -> None:
    """Eighths of an inch are said in inches, all else in millimetres."""
    assert describe(CARDS["index-3x5"]) == "3 × 5 in"
    assert describe(CARDS["tarot"]) == "2.75 × 4.75 in"
    assert describe(Size(15_875, 15_875)) == "0.625 × 0.625 in"
    assert describe(CARDS["tcg"]) == "63 × 88 mm"
    assert describe(Size.parse("0.625x0.625in")) == "0.625 × 0.625 in"
    assert paper_label(PAPERS["letter"].turned) == "Letter"
    assert paper_label(Size(100_000, 100_000)) == "100 × 100 mm"


def test_stock_with_slots_gives_the_card_its_size() -> None:
    """On stock with slots a card takes the slot's size the way round the face is, unless a size is asked for."""
    avery, poker = STOCKS["avery-5388"], CARDS["poker"]
    assert card_on(avery, poker) == CARDS["index-3x5"]
    assert card_on(avery, poker.turned) == CARDS["index-3x5"].turned
    assert card_on(STOCKS["plain"], poker) == poker
    assert card_on(avery, poker, poker) == poker


def test_an_index_card_is_its_own_page() -> None:
    """On index stock the page is the card."""
    stock = stock_named("index-4x6")
    assert stock.paper == stock.card == CARDS["index-4x6"]
    assert not stock.cut


def test_a_page_may_be_a_card_of_any_size() -> None:
    """The stock `card` fixes no size and is not cut."""
    stock = stock_named("card")
    assert stock.card is None and not stock.cut and not stock.slots
    assert card_on(stock, CARDS["tarot"]) == CARDS["tarot"]
