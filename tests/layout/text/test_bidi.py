"""Claims on the order of text that runs both ways (UAX 9)."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from carddb.layout.text import bidi
from tests.rows import every

_LETTERS = {"L": "a", "R": "\u05d0", "A": "\u0627", "1": "1", "2": "\u0663", " ": " ", "!": "!", "+": "+", ",": ","}
_LETTERS |= {"$": "$", "(": "(", ")": ")", "[": "[", "]": "]", "m": "\u0301", "t": "\t"}
_LETTERS |= {"<": "\u2066", ">": "\u2067", "?": "\u2068", "/": "\u2069", "{": "\u202a", "}": "\u202b", "^": "\u202c"}
"""A letter of each class by a short name; R and A are Hebrew and Arabic, < > ? isolates, / what ends them."""

_CASES = [
    # text, level of the paragraph, levels
    ("LRL", 0, "010"),
    ("R1R", 1, "121"),
    ("A1", 1, "12"),
    ("L 1", 1, "222"),
    ("R 1+1 L", 0, "1122200"),
    ("R1,1", 0, "1222"),
    ("A1,1", 0, "1222"),
    ("A1+1", 0, "1212"),
    ("2,2", 1, "222"),
    ("R $1", 0, "1122"),
    ("R 1$", 0, "1122"),
    ("L$1", 0, "000"),
    ("R!L", 0, "100"),
    ("R!L", 1, "112"),
    ("R!R", 0, "111"),
    ("L!L", 1, "222"),
    ("R (L) R", 1, "1112111"),
    ("L (R) L", 0, "0001000"),
    ("R (LR) L", 0, "10001000"),
    ("L (1) R", 1, "2222211"),
    ("R (1)", 0, "11121"),
    ("R[L)R", 1, "11211"),
    ("Rm", 0, "11"),
    ("mR", 0, "01"),
    ("L>R1/L", 0, "001200"),
    ("R<L/R", 0, "11211"),
    ("L?R/L", 0, "00100"),
    ("R t", 0, "100"),
    ("R  ", 0, "100"),
]


@every("names, base, levels", _CASES)
def test_levels_follow_the_algorithm(names: str, base: int, levels: str) -> None:
    """Each rule of the annex gives the level that it says."""
    text = "".join(_LETTERS[name] for name in names)
    assert "".join(map(str, bidi.levels(text, base))) == levels


@given(st.text(sorted(_LETTERS.values()), max_size=24), st.sampled_from((0, 1)))
def test_letters_keep_their_direction(text: str, base: int) -> None:
    """Letters from left to right have even levels and others odd ones; figures always run from left to right."""
    for char, level in zip(text, bidi.levels(text, base), strict=True):
        if char in "a1\u0663":
            assert level % 2 == 0
        elif char in "\u05d0\u0627":
            assert level % 2 == 1


@given(st.lists(st.integers(0, 6), max_size=12))
def test_a_line_keeps_all_its_items(levels: list[int]) -> None:
    """The order is a permutation; a line of one level runs one way."""
    order = bidi.visual_order(levels)
    assert sorted(order) == list(range(len(levels)))
    if len(set(levels)) == 1:
        assert order == sorted(order, reverse=levels[0] % 2 == 1)


def test_figures_stand_between_words_as_they_are_read() -> None:
    """Two Hebrew words round a number: the second word, the number as it is, the first word, from the left."""
    assert bidi.visual_order([1, 1, 1, 2, 2, 1, 1]) == [6, 5, 3, 4, 2, 1, 0]


def test_brackets_pair_beyond_other_characters() -> None:
    """Both brackets follow what they hold, and a canonical equal closes a pair (BD16)."""
    assert bidi.levels("a (\u05d0) b", 0) == [0, 0, 0, 1, 0, 0, 0]
    assert bidi.levels("\u05d0\u3008a\u232a\u05d0", 1) == [1, 1, 2, 1, 1]


def test_punctuation_from_right_to_left_is_mirrored() -> None:
    """Brackets change places, and keep what they open."""
    assert bidi.reversed_text("(!") == "!)"
