"""Claims on documents with letters that are shaped: rule sheets on paper and in a browser."""

from __future__ import annotations

import io
import unicodedata

import pikepdf
import pypdfium2
import pytest

from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.documents.flow import Columns
from carddb.layout.stock import paper_size
from carddb.paint.documents.html import html_document
from carddb.paint.documents.pdf import PdfResources, document_pdf
from tests.paint.documents.samples import document, voice

ARABIC = "كل لاعب يبدأ بـ **خمس عملات** ويسحب *ثلاث بطاقات* من Guarda، السَّلامُ عَلَيْكُم."
THAI = "ผู้เล่นแต่ละคนเริ่มต้นด้วยเหรียญ **ห้าเหรียญ** แล้วจั่วการ์ดสามใบจากสำรับ"
HINDI = "हर खिलाड़ी **पाँच सिक्कों** से शुरू करता है और तीन पत्ते निकालता है।"
TEXT = f"""\
{ARABIC}

## كيف تلعب

1. {THAI}
2. {HINDI}

- {ARABIC}

| البطاقة | العدد |
|---|--:|
| سفينة | 12 |

> **ملاحظة.** لا شيء هنا.
"""


@pytest.fixture(scope="module")
def fonts() -> DocumentFonts:
    """Those of every document, with the fonts of the extra."""
    made = voice()
    if not any(font.family == "Noto Sans Arabic" for font in made.book.fonts.values()):
        pytest.skip("the scripts extra is not installed")
    return made


def letters(text: str) -> str:
    """What is read, without spaces, ends of lines and the marks of Markdown."""
    return "".join(unicodedata.normalize("NFC", text).replace("*", "").split())


def on_paper(data: bytes) -> str:
    with pypdfium2.PdfDocument(data) as pdf:
        return letters("".join(page.get_textpage().get_text_range() for page in pdf))


def test_a_rule_sheet_is_read_as_it_was_written(fonts: DocumentFonts) -> None:
    """All words of paragraphs, lists, tables and notes are found in the PDF, each as often as it was written."""
    data, _ = document_pdf(document(TEXT, "هاربور", lang="ar"), PdfResources(fonts, paper_size("letter")))
    read = on_paper(data)
    for word in TEXT.split():
        if any(map(str.isalpha, word)):
            assert letters(word) in read, word
    assert read.count(letters(ARABIC.rsplit(maxsplit=1)[-1])) == 2


@pytest.mark.full
def test_a_long_paragraph_goes_on_in_the_next_column(fonts: DocumentFonts) -> None:
    """A paragraph that is cut loses no word, and leaves no line alone."""
    text = f"{ARABIC}\n\n## Long\n\n{' '.join([THAI.replace('*', '')] * 90)}\n"
    data, pages = document_pdf(document(text, lang="ar"), PdfResources(fonts, paper_size("a4")))
    assert pages > 1
    assert on_paper(data).count("ผู้เล่น") == 90


def test_columns_and_tables_begin_on_the_right(fonts: DocumentFonts) -> None:
    """In a language from right to left the first column of a table, and of a page, is the right one."""
    text = "Lead.\n\n## B\n\n| One | Two |\n|---|---|\n| first | second |\n"
    places = {}
    for lang in ("en", "ar"):
        data, _ = document_pdf(document(text, lang=lang), PdfResources(fonts, paper_size("a4")))
        with pypdfium2.PdfDocument(data) as pdf:
            page = pdf[0].get_textpage()
            found = [page.search(word).get_next() for word in ("first", "second")]
            places[lang] = [page.get_charbox(start)[0] for start, _ in found]
    assert places["en"] == sorted(places["en"]) and places["ar"] == sorted(places["ar"], reverse=True)
    columns = Columns(2, 200, 10, is_right_to_left=True)
    assert (columns.left(0), columns.left(1)) == (210, 0)


def test_what_is_shaped_is_tagged(fonts: DocumentFonts) -> None:
    """A heading in Arabic is a heading for who has the file read aloud."""
    data, _ = document_pdf(document("Lead.\n\n## كيف تلعب\n", lang="ar"), PdfResources(fonts, paper_size("a4")))
    with pikepdf.open(io.BytesIO(data)) as pdf:
        kinds = {str(item.S) for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/S" in item}
    assert "/H2" in kinds


def test_a_page_of_the_web_runs_as_its_language_does(fonts: DocumentFonts) -> None:
    """A page in Arabic begins on the right and has fonts that join letters; one in English stays as it is."""
    page = html_document(document(TEXT, lang="ar"), fonts)
    assert b'<html lang="ar" dir="rtl">' in page and b'"Noto Sans Arabic"' in page
    page = html_document(document(), fonts)
    assert b'<html lang="en">' in page and b"Noto Sans Arabic" not in page
