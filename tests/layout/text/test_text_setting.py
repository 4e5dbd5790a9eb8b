"""Markup, breaking, fitting."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Box, mm, points
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.markup import plain
from carddb.layout.text.text_setting import Block, MeasuredParagraph, Setter, Setting, Style
from carddb.layout.text.words import Token, plain_tokens, tokens
from carddb.press.faces.workshop import font_book
from tests.rows import every

STYLE = Style("Alegreya Sans", points(9))
words = st.lists(st.text("abcdefghijklmnop", min_size=1, max_size=9), min_size=1, max_size=30).map(" ".join)
word = st.text("abcdefghiAVTo.,-", min_size=1, max_size=8)
marked = st.one_of(word, word.map(lambda each: f"**{each}**"), word.map(lambda each: f"*{each}*"))
marked_texts = st.lists(marked, min_size=1, max_size=25).map(" ".join)
measured_tokens = st.lists(
    st.tuples(st.integers(1, 50), st.integers(1, 400), st.booleans()), min_size=1, max_size=60
)  # gap, width, whether a line may end before it


def text_of(block: Block) -> str:
    """The text of a block, line by line."""
    lines: dict[int, str] = {}
    for run in block.runs:
        lines[run.y] = lines.get(run.y, "") + run.text
    return "\n".join(line.rstrip() for line in lines.values())


def test_markup_makes_bold_italic_and_icons() -> None:
    """`**bold**`, `*italic*` and `{icon:name}` are tokens of their own kinds."""
    (paragraph,) = tokens("{icon:free} **Effect** a *fine* day")
    assert [(t.text, t.bold, t.italic, t.icon) for t in paragraph] == [
        ("free", False, False, True),
        ("Effect", True, False, False),
        ("a", False, False, False),
        ("fine", False, True, False),
        ("day", False, False, False),
    ]


@every(
    "text, shown",
    [
        ("***both***", "bi:both"),
        ("**a *b* c**", "b:a bi:b b:c"),
        ("*a **b** c*", "i:a bi:b i:c"),
        ("**a {icon:free} c**", "b:a icon:free b:c"),
        (r"\*a\* \{icon:free} \\", ":*a* :{icon:free} :\\"),
        ("2 * 3 * 4 and **a*", ":2 :* :3 :* :4 :and :**a*"),
        ("**{sc:Free Men}** {sc:x", "bs:Free bs:Men :{sc:x"),
        ("one{br}two {br} three", ":one n:two n:three"),
        ("} a} {br", ":} :a} :{br"),
    ],
)
def test_marks_stand_in_one_another(text: str, shown: str) -> None:
    """Bold, italic, small capitals and icons nest; a backslash and a missing partner leave the character as it is."""
    kinds = [
        (token, "icon" if token.icon else "b" * token.bold + "i" * token.italic + "s" * token.small)
        for line in tokens(text)
        for token in line
    ]
    assert " ".join(f"{kind}{'n' * token.starts_line}:{token.text}" for token, kind in kinds) == shown


@given(st.text(r"ab *{}\\", max_size=24))
def test_a_text_of_marks_loses_no_letter(text: str) -> None:
    """Whatever stars and brackets stand there, letters stay in their order, and a plain text is left alone."""
    assert [char for char in plain(text) if char in "ab"] == [char for char in text if char in "ab"]
    assert "".join(token.text for line in plain_tokens(text) for token in line) == "".join(text.split())


def test_a_line_ends_where_its_author_ends_it(book: FontBook) -> None:
    """`{br}` begins a line without the gap of a paragraph."""
    setter = Setter(book)
    box, setting = Box(0, 0, mm(40), mm(40)), Setting(leading=1000, gap=500)
    heights = [setter.height(text, STYLE, box.width, setting) for text in ("one{br}two", "one\ntwo")]
    assert text_of(setter.fit("one{br}two", STYLE, box, setting)) == "one\ntwo"
    assert heights == [2 * STYLE.size, 2 * STYLE.size + STYLE.size // 2]


def test_small_capitals_are_capitals_of_two_sizes(book: FontBook) -> None:
    """A small letter is a smaller capital; what is measured is what is set."""
    setter = Setter(book)
    block = setter.fit("{sc:Free Men}", STYLE, Box(0, 0, mm(60), mm(20)), Setting())
    assert [(run.text.strip(), run.size) for run in block.runs] == [
        ("F", STYLE.size), ("REE", STYLE.size * 780 // 1000), ("M", STYLE.size), ("EN", STYLE.size * 780 // 1000)
    ]  # fmt: skip
    for one, other in pairwise(block.runs):
        assert other.x == one.x + one.width
    end = block.runs[-1].x + block.runs[-1].width
    assert setter.fit("{sc:Free Men}", STYLE, Box(0, 0, end, mm(20)), Setting()).over_width == 0


def test_a_lone_star_is_only_a_star() -> None:
    """A star without a partner stays in the text."""
    assert plain("5 * 4 and 3*2") == "5 * 4 and 3*2"


def test_a_plain_text_tells_icons_by_their_names() -> None:
    """A description has no markup: an icon is a word, with a space only where letters would touch."""
    assert plain("**Pay** {icon:pearl}: x{icon:sun-moon}y.{br}*End*") == "Pay pearl: x sun moon y. End"


def test_an_icon_never_parts_from_its_word(book: FontBook) -> None:
    """No line ends between an icon and the word after it."""
    (paragraph,) = tokens("word {icon:free} Effect")
    assert [token.breaks for token in paragraph] == [False, True, False]


@given(words)
def test_no_line_is_wider_than_its_box_and_no_word_is_lost(text: str) -> None:
    """Breaking keeps every word in order and inside the measure, unless one word alone is too wide."""
    setter = Setter(_book())
    width = mm(30)
    block = setter.fit(text, STYLE, Box(0, 0, width, mm(500)), Setting())
    assert text_of(block).split() == text.split()
    assert block.over_width == 0 or any(setter.width(word, STYLE) > width for word in text.split())


@given(words, st.integers(8, 40))
def test_a_text_that_fits_overflows_nothing(text: str, height: int) -> None:
    """Either the block is inside its box, or it says by how much it is not."""
    setter = Setter(_book())
    box = Box(0, 0, mm(40), mm(height))
    setting = Setting(smallest=points(6), shrink=True)
    block = setter.fit(text, STYLE, box, setting)
    height = setter.height(text, STYLE._replace(size=block.size), box.width, setting)
    assert (height <= box.height) == (block.over_height == 0)
    assert points(6) <= block.size <= STYLE.size


@given(marked_texts, st.integers(12, 60))
def test_words_of_all_styles_stand_in_order(text: str, width: int) -> None:
    """Each word has the font of its style, and a space as wide as that style's before it."""
    setter = Setter(_book())
    block = setter.fit(text, STYLE, Box(0, 0, mm(width), mm(400)), Setting())
    fonts = [(token.text, setter.letters(STYLE.family, 700 if token.bold else 400, token.italic).font.key)
             for token in tokens(text)[0]]  # fmt: skip
    assert [(each, run.font) for run in block.runs for each in run.text.split()] == fonts
    for one, other in pairwise(block.runs):
        if one.y == other.y:
            style = STYLE._replace(
                weight=setter.book.fonts[other.font].weight, italic=setter.book.fonts[other.font].italic
            )
            assert other.x == one.x + one.width and one.words[-1].width == setter.width(" ", style)


@given(marked_texts, st.integers(12, 60), st.integers(4, 20))
def test_what_is_shrunk_fits_or_is_at_its_smallest(text: str, width: int, height: int) -> None:
    """A size is tried with the widths that its words are set with."""
    box = Box(0, 0, mm(width), mm(height))
    block = Setter(_book()).fit(text, STYLE, box, Setting(smallest=points(6), shrink=True))
    assert block.size == points(6) or (block.over_width, block.over_height) == (0, 0)


@given(measured_tokens, st.integers(1, 900))
def test_rows_are_full_and_lose_nothing(measured: list[tuple[int, int, bool]], width: int) -> None:
    """Every token stands on one row, in order; only what cannot be broken is too wide; no row could take the next."""
    line = tuple(Token("a", spaced=True, breaks=breaks) for _, _, breaks in measured)
    rows = MeasuredParagraph(
        line, [each for _, each, _ in measured], [gap for gap, _, _ in measured], [None] * len(line)
    ).rows(width)

    def wide(start: int, end: int) -> int:
        return sum(gap + each for gap, each, _ in measured[start:end]) - measured[start][0]

    assert [at for row in rows for at in range(row.start, row.end)] == list(range(len(measured)))
    for row, after in zip(rows, [*rows[1:], None], strict=True):
        assert row.width == wide(row.start, row.end)
        assert row.width <= width or not any(token.breaks for token in line[row.start + 1 : row.end])
        if after:
            unit = next((at for at in range(after.start + 1, len(line)) if line[at].breaks), len(line))
            assert line[after.start].breaks and wide(row.start, unit) > width


def test_shrinking_stops_at_the_largest_size_that_fits(book: FontBook) -> None:
    """A tenth of a point more would not fit."""
    setter = Setter(book)
    text = "The quick brown fox jumps over the lazy dog and runs on into the wood until the evening comes."
    box = Box(0, 0, mm(30), mm(16))
    block = setter.fit(text, STYLE, box, Setting(smallest=points(5), shrink=True))
    larger = setter.fit(text, Style("Alegreya Sans", block.size + points(0.1)), box, Setting())
    assert block.size < STYLE.size
    assert not block.over_height
    assert larger.over_height or larger.over_width


def test_centred_lines_are_balanced(book: FontBook) -> None:
    """A centred text has no line much shorter than the others."""
    setter = Setter(book)
    block = setter.fit(
        "One line of elephants before the whole army, and a level plain.",
        STYLE,
        Box(0, 0, mm(60), mm(40)),
        Setting("center"),
    )
    widths = [sum(run.width for run in block.runs if run.y == y) for y in sorted({run.y for run in block.runs})]
    assert len(widths) == 2
    assert min(widths) > 0.7 * max(widths)


def test_a_paragraph_does_not_end_in_one_word(book: FontBook) -> None:
    """The last line borrows a word where the number of lines stays the same."""
    setter = Setter(book)
    full = setter.width("You may discard one resource card", STYLE)
    block = setter.fit("You may discard one resource card here", STYLE, Box(0, 0, full + 100, mm(40)), Setting())
    assert len(text_of(block).split("\n")[-1].split()) > 1


def test_ideographs_may_break_anywhere(book: FontBook) -> None:
    """A line of Japanese without spaces is broken between its characters."""
    if not any(font.family == "Noto Sans JP" for font in book.fonts.values()):
        pytest.skip("the cjk extra is not installed")
    block = Setter(book).fit("織田信長" * 10, STYLE, Box(0, 0, mm(20), mm(100)), Setting())
    assert not block.over_width
    assert text_of(block).replace("\n", "") == "織田信長" * 10


@given(st.text("織田の、。」）“（「％a1 ", min_size=1, max_size=40))
def test_no_line_begins_with_what_closes_or_ends_with_what_opens(text: str) -> None:
    """Full stops, commas and closing brackets stay with the ideograph before them, opening ones with that after."""
    for paragraph in tokens(text):
        for one, other in pairwise(paragraph):
            if other.breaks and not other.spaced:
                assert other.text[0] not in "、。」）％" and one.text[-1] not in "“（「"


def test_a_character_that_no_font_has_is_named(book: FontBook) -> None:
    """A missing glyph is reported, not drawn as a box."""
    block = Setter(book).fit("a \U0001f409 b", STYLE, Box(0, 0, mm(40), mm(10)), Setting())
    assert block.missing == "\U0001f409"
    assert text_of(block) == "a  b"


def test_tracking_does_not_widen_the_end_of_a_line(book: FontBook) -> None:
    """Letters set to the right edge end there, not a tracking space before it."""
    style = Style("Alegreya Sans", points(8), 700, tracking=400)
    runs = Setter(book).line("HAN", style, mm(50), 0, "end")
    assert runs[0].x + sum(run.width for run in runs) - 400 == mm(50)


_BOOKS: list[FontBook] = []


def _book() -> FontBook:
    """One book for the property tests, which take no fixtures."""
    if not _BOOKS:
        from carddb.games import folders, load
        from carddb.press.faces.workshop import font_book
        from tests.conftest import GAME

        game, _ = load(folders()[GAME])
        assert game
        _BOOKS.append(font_book(game.spec.fonts))
    return _BOOKS[0]


@given(st.text("0123456789/-.,:#", min_size=1, max_size=12))
def test_numbers_are_as_wide_as_they_are_shaped(text: str) -> None:
    """What is measured figure by figure is what HarfBuzz says of the whole, in every font of a document."""
    for font in font_book({}).fonts.values():
        ends = "a" + text + "a"  # with letters in it a word is measured as a whole
        if font.plain:
            assert font.advances(text)[:-1] == font.advances(ends)[1:-2], font.key
