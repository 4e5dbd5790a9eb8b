"""Claims on scripts whose letters join, change or run from right to left."""

from __future__ import annotations

import functools
import io
import unicodedata
from itertools import pairwise

import pypdfium2
import pytest
import uharfbuzz as hb

from carddb.core.units import Box, Size, mm
from carddb.layout.display_list import Face, Run
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.scripts import clusters
from carddb.layout.text.text_setting import Block, Setter, Setting, Style
from carddb.paint.font_subset import cut_for_web
from carddb.paint.svg import svg
from carddb.press.faces.workshop import font_book
from tests.paint.samples import face_pdf
from tests.rows import every

STYLE = Style("Spectral", 4000)
TEXTS = {
    "Arabic": "اسحب **ثلاث بطاقات** (3)، ثم اختر Guarda واحدة. السَّلامُ عَلَيْكُم",
    "Hebrew": "שלוף **שלושה קלפים** (3), ואז בחר Guarda אחד. שָׁלוֹם!",
    "Thai": "จั่วการ์ด**สามใบ** (3) แล้วเลือก Guarda ผู้เล่นที่น้ำแข็ง",
    "Devanagari": "डेक से **तीन कार्ड** निकालें (3), फिर Guarda चुनें। क्षत्रिय",
}


@functools.cache
def book() -> FontBook:
    """The fonts of the extra among others."""
    fonts = font_book({})
    if not any(font.family == "Noto Sans Arabic" for font in fonts.fonts.values()):
        pytest.skip("the scripts extra is not installed")
    return fonts


def fitted(text: str, width: int = mm(200), setting: Setting | None = None, *, is_right_to_left: bool = False) -> Block:
    setter = Setter(book(), is_right_to_left=is_right_to_left)
    return setter.fit(text, STYLE, Box(0, 0, width, mm(100)), setting or Setting())


def face(block: Block, width: int = mm(200)) -> Face:
    return Face(Size(width, mm(100)), tuple(block.runs))


def words_of(text: str) -> list[str]:
    """As they are set: canonically composed."""
    return unicodedata.normalize("NFC", text).replace("**", "").split()


def lines(block: Block) -> list[list[Run]]:
    return [[run for run in block.runs if run.y == y] for y in sorted({run.y for run in block.runs})]


@every("text", TEXTS.values())
def test_a_text_is_read_as_it_was_written(text: str) -> None:
    """The words of a PDF come out letter by letter as they went in, with marks, figures and names among them."""
    data = face_pdf(face(fitted(text)), book(), {})
    with pypdfium2.PdfDocument(io.BytesIO(data)) as document:
        assert words_of(document[0].get_textpage().get_text_range()) == words_of(text)


def test_letters_that_are_all_joined_are_embedded() -> None:
    """A word of which no glyph is that of a letter alone is written, and read."""
    data = face_pdf(face(fitted("ببب")), book(), {})
    with pypdfium2.PdfDocument(io.BytesIO(data)) as document:
        assert document[0].get_textpage().get_text_range().strip() == "ببب"


@every("text", TEXTS.values())
def test_words_touch_and_overlap_nowhere(text: str) -> None:
    """Runs of a line stand from left to right, each at the end of the one before but for a space."""
    for runs in lines(fitted(text, mm(60))):
        for one, other in pairwise(runs):
            assert 0 <= other.x - (one.x + one.width) <= 1500


@every("text", TEXTS.values())
def test_an_svg_has_the_words_in_order(text: str) -> None:
    """Words that are shaped are live text, which the browser joins."""
    drawn = svg(face(fitted(text)), book(), {})
    for word in words_of(text.replace("**", " ")):
        if not word.isascii() and word.isalpha():
            assert f">{word}</text>" in drawn


def test_letters_join() -> None:
    """An Arabic letter is another glyph at the beginning, in the middle and at the end of a word."""
    [run] = fitted("ببب").runs
    letters = [cluster.glyphs[-1][0].id for cluster in run.words[0].clusters()]
    assert len(set(letters)) == 3


def test_a_paragraph_begins_where_it_runs_from() -> None:
    """Without an alignment a Hebrew paragraph begins on the right; left stays left."""
    text = "שלום"
    [run] = fitted(text, mm(50)).runs
    assert run.x + run.width == mm(50)
    [run] = fitted(text, mm(50), Setting(align="left")).runs
    assert run.x == 0
    [run] = fitted(text, mm(50), Setting(direction="ltr")).runs
    assert run.x == 0


def test_a_language_decides_where_a_name_comes_first() -> None:
    """A paragraph that begins with a Latin name runs as it does; in a language from right to left, as that."""
    text = "Guarda שלום"
    first = fitted(text).runs[0]
    assert first.text.startswith("Guarda") and first.x == 0
    runs = fitted(text, is_right_to_left=True).runs
    assert runs[-1].text.startswith("Guarda") and runs[-1].x + runs[-1].width == mm(200)


def test_icons_stand_where_the_words_have_them() -> None:
    """An icon after the first Hebrew word is to the left of it."""
    block = fitted("שלום {icon:sword} קלף")
    [icon] = block.icons
    first, second = sorted(block.runs, key=lambda run: run.x)
    assert first.x + first.width < icon.x < second.x


def test_a_line_of_thai_ends_between_letters() -> None:
    """A line without spaces is broken, but not between a letter and its marks, its vowel or a last consonant."""
    word = "ผู้เล่นที่น้ำแข็ง"
    assert "".join(clusters(word * 5)) == word * 5
    assert list(clusters(word)) == ["ผู้", "เล่น", "ที่", "น้ำ", "แข็ง"]
    block = fitted(word * 5, mm(30))
    assert len(lines(block)) > 2 and not block.over_width


def test_a_space_of_no_width_parts_thai_words() -> None:
    """U+200B is where a line may end, and is not drawn."""
    block = fitted("สาม\u200bใบ")
    assert block.missing == "" and "".join(run.text for run in block.runs) == "สามใบ"


def test_latin_words_stay_characters() -> None:
    """Words in simple scripts have no glyphs of their own, whatever stands beside them."""
    for run in fitted("Guarda Ωμέγα Щит 3 שלום").runs:
        assert bool(run.words[0].glyphs) == ("ש" in run.text)


def test_a_font_that_shapes_has_the_parts_of_letters() -> None:
    """The Thai vowel am is drawn from two signs, which a page's own font has too."""
    font = book().fonts["Noto Sans Thai 400"]
    assert {0x0E33, 0x0E4D, 0x0E32} <= set(hb.Face(cut_for_web(font, "ำ", ("kern",))).unicodes)
