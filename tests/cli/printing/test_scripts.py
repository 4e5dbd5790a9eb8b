"""Claims on a game whose cards are printed in languages that are shaped."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest

from carddb.press.faces.workshop import font_book
from tests.conftest import Told

Call = Callable[..., Told]
CARDS = {
    "ar": ("آدا عاصفة", "**عند الوصول:** خذ {icon:coin} واحدة (3 على الأكثر)."),
    "he": ("עדה סערה", "**בהגעה:** קח {icon:coin} אחד (3 לכל היותר)."),
    "th": ("เอดาพายุ", "**เมื่อมาถึง:** รับ {icon:coin} หนึ่งเหรียญ (สูงสุด 3)"),
    "hi": ("अदा तूफ़ान", "**आगमन:** एक {icon:coin} लें (अधिकतम 3)।"),
}


def letters(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())


@pytest.fixture
def game(call: Call) -> Call:
    """A new game with a card in four languages."""
    if not any(font.family == "Noto Sans Arabic" for font in font_book({}).fonts.values()):
        pytest.skip("the scripts extra is not installed")
    assert call("init", "--new-game", "harbour").code == 0
    for lang, (name, text) in CARDS.items():
        Path(f"harbour/cards.{lang}.csv").write_text(f"ref,name,text\nC-1,{name},{text}\n", "utf-8")
        assert call("load", f"harbour/cards.{lang}.csv").code == 0
    return call


@pytest.mark.full
def test_a_card_is_printed_in_four_scripts(game: Call) -> None:
    """Sheets in Arabic, Hebrew, Thai and Hindi are clean, and their words are read as they were written."""
    for lang, (name, text) in CARDS.items():
        said = game("sheets", "C-1", "--lang", lang, "-o", f"{lang}.pdf")
        assert said.code == 0, said.err
        with pypdfium2.PdfDocument(f"{lang}.pdf") as pdf:
            read = letters(pdf[0].get_textpage().get_text_range())
        assert letters(name) in read
        assert letters(text.partition("{")[0].replace("*", "")) in read


@pytest.mark.full
def test_a_drawing_of_a_card_has_its_words(game: Call) -> None:
    """An SVG has words from right to left as live text."""
    assert game("sheets", "C-1", "--lang", "ar", "--svg", "drawn").code == 0
    [drawing] = Path("drawn").glob("*.svg")
    source = drawing.read_text("utf-8")
    assert 'direction="rtl"' in source and ">عاصفة</text>" in source
