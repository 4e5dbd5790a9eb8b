"""Documents on paper and on the web: the same words, nothing from outside, the same bytes."""

from __future__ import annotations

import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reportlab.pdfbase import pdfmetrics

from carddb.core.errors import UsageError
from carddb.layout.documents.blocks import Beside, Document, DocumentFonts, Heading, Paragraph, Span, Squares, Table
from carddb.layout.documents.markdown import parse
from carddb.layout.stock import card_size, paper_size
from carddb.paint.documents.html import html_document
from carddb.paint.documents.pdf import DocumentWriter, PdfResources, cards_pdf, document_pdf, fitted_pdf
from carddb.paint.documents.typography import TypeStyle
from tests.paint.documents.samples import TEXT, document, voice, words_on_paper, words_on_the_web
from tests.rows import usually

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def plain_voice() -> DocumentFonts:
    return voice()


def pdf(made: Document, spoken: DocumentFonts, paper: str = "letter", creation: int = 0) -> bytes:
    return document_pdf(made, PdfResources(spoken, paper_size(paper), paper, creation))[0]


@pytest.mark.parametrize("paper", ["letter", "a4"])
def test_paper_and_web_have_the_same_words(plain_voice: DocumentFonts, paper: str) -> None:
    """The words of the PDF, read back in their order, are those of the web page."""
    made = document()
    on_paper = words_on_paper(pdf(made, plain_voice, paper))
    assert on_paper == words_on_the_web(html_document(made, plain_voice))
    assert "4,000" in on_paper and "D-6" in on_paper


def test_the_ids_of_a_row_stand_level_with_its_first_line(plain_voice: DocumentFonts) -> None:
    """However many rules the cells of a row state, their ids begin on its baseline, one row after another."""
    rows = "".join(
        f"| Row {at} {{D-{at}1, D-{at}2}} | up {{D-{at}3}} | down {{D-{at}4, D-{at}5}} |\n" for at in range(1, 7)
    )
    table = f"Lead.\n\n## A\n\n| Dyke | Here | There |\n|---|---|---|\n{rows}"
    with pypdfium2.PdfDocument(pdf(document(table, ids="margin"), plain_voice)) as file:
        text = file[0].get_textpage()
        feet = [[text.get_charbox(text.search(word).get_next()[0])[1] for word in (f"Row {at}", f"D-{at}1")]
                for at in range(1, 7)]  # fmt: skip
    assert all(abs(row - ids) < 0.5 for row, ids in feet), feet


def test_a_paragraph_is_parted_only_below_its_ids(plain_voice: DocumentFonts) -> None:
    """The first part of a paragraph is as high as all ids beside it, so that they do not run into those of others."""
    rules = ", ".join(f"D-{at}" for at in range(10, 22))
    (told,), _ = parse(f"{'word ' * 120}{{{rules}}}")
    assert isinstance(told, Paragraph)
    setter = DocumentWriter(document(ids="margin"), PdfResources(plain_voice, paper_size("letter"))).setter
    words = setter.words(told.content, TypeStyle("text", 10, 13))
    words.wrap(200, 1000)
    assert words.ids and words.ids.height > 26
    assert not words.split(200, 26)
    first, second = words.split(200, 52)
    first.wrap(200, 52)
    assert first.height == 52 and second.ids is None


@pytest.mark.door
def test_the_same_document_gives_the_same_bytes(plain_voice: DocumentFonts) -> None:
    """Twice the same, from another voice too; the day it was made is in the file and is an argument."""
    assert pdf(document(), plain_voice) == pdf(document(), voice())
    assert html_document(document(), plain_voice) == html_document(document(), voice())
    assert pdf(document(), plain_voice) != pdf(document(), plain_voice, creation=86_400)


def test_a_word_wider_than_its_column_is_cut(plain_voice: DocumentFonts) -> None:
    """A long address goes on in the next line, and no letter of it is outside the margins."""
    word = "https://example.org/" + "m" * 160
    data = pdf(document(f"Lead.\n\n## A\n\nSee {word} for more.\n"), plain_voice)
    with pypdfium2.PdfDocument(data) as file:
        page, width = file[0].get_textpage(), file[0].get_width()
        boxes = [page.get_charbox(at) for at in range(page.count_chars())]
        assert word in "".join(page.get_text_range().split())
    assert all(left > 30 and right < width - 30 for left, _, right, _ in boxes if right > left)


def test_no_font_of_the_system_is_looked_for(plain_voice: DocumentFonts, monkeypatch: pytest.MonkeyPatch) -> None:
    """A font that ReportLab does not know yet is put in without a search; the second document has the same bytes."""
    searched: list[str] = []
    monkeypatch.setattr(pdfmetrics, "bruteForceSearchForAFM", searched.append)
    monkeypatch.setattr(pdfmetrics, "_fonts", {})
    monkeypatch.setattr(pdfmetrics, "_dynFaceNames", {})
    assert pdf(document(), plain_voice) == pdf(document(), plain_voice)
    assert searched == []


def test_a_pdf_says_what_it_is(plain_voice: DocumentFonts) -> None:
    """Title, language, date, tags and embedded fonts stand in the file."""
    file = pikepdf.open(io.BytesIO(pdf(document(), plain_voice, creation=1_700_000_000)))
    assert file.docinfo["/Title"] == "Dykes & Sluices: Rules"
    assert str(file.docinfo["/CreationDate"]).startswith("D:20231114")
    assert str(file.Root.Lang) == "en" and file.Root.MarkInfo.Marked
    assert bool(file.Root.ViewerPreferences.DisplayDocTitle)
    fonts = [font for sheet in file.pages for font in sheet.Resources.Font.values()]
    assert fonts and all("/FontFile2" in font.FontDescriptor for font in fonts)


def test_headings_are_bookmarks(plain_voice: DocumentFonts) -> None:
    """The outline is the title, its sections, and the headings within them."""
    toc = pypdfium2.PdfDocument(pdf(document(), plain_voice)).get_toc()
    assert [(entry.level, entry.get_title()) for entry in toc] == [
        (0, "Dykes & Sluices"),
        (1, "Setting up"),
        (2, "Who begins"),
        (1, "Dykes"),
    ]


def test_tags_tell_headings_lists_and_cells(plain_voice: DocumentFonts) -> None:
    """The tree of tags has the document's structure in reading order, and every mark on a page belongs to it."""
    file = pikepdf.open(io.BytesIO(pdf(document(), plain_voice)))
    names: list[str] = []

    def walk(tag: pikepdf.Object) -> None:
        names.append(str(tag.S)[1:])
        for part in tag.K:
            if "/S" in part:
                walk(part)

    walk(file.Root.StructTreeRoot.K)
    told = [name for name in names if name in ("H1", "H2", "H3", "L", "Table", "TR", "TH", "TD")]
    assert told[:6] == ["H1", "H2", "L", "L", "H3", "L"]
    assert told[6:] == ["H2", "Table", *["TR", "TH", "TH", "TH"], *["TR", "TH", "TD", "TD"] * 2]
    for number, sheet in enumerate(file.pages):
        marked = [int(n) for n in re.findall(rb"/MCID (\d+)", sheet.Contents.read_bytes())]
        assert marked == list(range(len(file.Root.StructTreeRoot.ParentTree.Nums[2 * number + 1])))


def test_nothing_is_too_small_to_read(plain_voice: DocumentFonts) -> None:
    """No character is set under six points."""
    text = pypdfium2.PdfDocument(pdf(document(), plain_voice))[0].get_textpage()
    sizes = {pypdfium2.raw.FPDFText_GetFontSize(text, at) for at in range(text.count_chars())}
    assert min(size for size in sizes if size > 1) >= 6


@pytest.mark.parametrize("count", [1, 40])
def test_a_table_is_cut_between_rows_and_has_its_head_again(plain_voice: DocumentFonts, count: int) -> None:
    """Each row is there once and whole, and on every page the head stands over the rows."""
    rows = "\n".join(f"| Dyke{n} | {n} metres and some more words that take a line or two |" for n in range(count * 3))
    made = document(f"## Dykes\n\n| Head | Height |\n|---|---|\n{rows}\n")
    data = pdf(made, plain_voice)
    words = words_on_paper(data)
    assert [word for word in words if word.startswith("Dyke") and word[4:].isdigit()] == [
        f"Dyke{n}" for n in range(count * 3)
    ]
    assert words.count("Head") >= len(pypdfium2.PdfDocument(data))


def test_a_wide_table_has_its_heading_and_its_lead_above_it(plain_voice: DocumentFonts) -> None:
    """A table too wide for a column goes across the page, and what leads to it stands at the left above it."""
    head = "| " + " | ".join(f"Heading{n}" for n in range(9)) + " |\n|" + "---|" * 9
    made = document(f"## First\n\nWords.\n\n## Second\n\nThis leads to it.\n\n{head}\n| x |\n")
    text = pypdfium2.PdfDocument(pdf(made, plain_voice))[0].get_textpage()

    def left(words: str) -> int:
        found = text.search(words).get_next()
        assert found
        edge: float = text.get_charbox(found[0])[0]
        return round(edge)

    assert left("This leads") == left("Heading0")
    assert left("Heading8") > 400 and left("This leads") < 60 and left("Second") < 90


HOSTILE = """\
## <script>alert(1)</script> "quoted" 'too' & more

Text with </style><img src=x onerror=alert(1)> and </title>. {D-1}

| <b>a</b> | javascript:x |
|---|---|
| &lt;i&gt; | "onload=" |
"""


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def test_hostile_words_stay_words(plain_voice: DocumentFonts) -> None:
    """Whatever stands in title, notice, text or language, the page has no tag and no attribute but its own."""
    bad = '"><script>alert(1)</script>'
    blocks, _ = parse(HOSTILE)
    made = Document(bad, blocks, facts=(bad, bad), notice=bad, fingerprint=bad, lang=bad)
    reader = _Tags()
    reader.feed(html_document(made, plain_voice).decode())
    tags = {tag for tag, _ in reader.seen}
    assert not tags & {"script", "img", "b", "i", "iframe"}
    assert [dict(attrs) for tag, attrs in reader.seen if tag == "link"] == [{"rel": "icon", "href": "data:,"}]
    assert {name for _, attrs in reader.seen for name in attrs} <= {
        "lang", "charset", "name", "content", "class", "href", "rel", "id", "aria-label", "aria-labelledby", "scope",
        "role",
    }  # fmt: skip
    assert words_on_paper(pdf(made, plain_voice)) == words_on_the_web(html_document(made, plain_voice))


def test_a_page_needs_nothing_else(plain_voice: DocumentFonts) -> None:
    """No script and no address but within the page; its fonts are part of it."""
    text = html_document(document(), plain_voice).decode()
    assert "<script" not in text and "http" not in text and "@import" not in text
    assert all(url.startswith("data:font/ttf;base64,") for url in re.findall(r'url\("([^"]*)"\)', text))
    reader = _Tags()
    reader.feed(text)
    links = [attrs["href"] for tag, attrs in reader.seen if tag == "a"]
    ids = [attrs["id"] for _, attrs in reader.seen if "id" in attrs]
    assert links == ["#setting-up", "#dykes"] and len(ids) == len(set(ids))
    assert {link[1:] for link in links if link} <= set(ids)


def test_the_page_is_semantic(plain_voice: DocumentFonts) -> None:
    """One heading of the first level, landmarks, sections with names, tables with scopes."""
    reader = _Tags()
    reader.feed(html_document(document(), plain_voice).decode())
    tags = [tag for tag, _ in reader.seen]
    assert [tags.count(tag) for tag in ("h1", "header", "nav", "main", "footer", "section")] == [1, 1, 1, 1, 1, 2]
    assert [attrs.get("scope") for tag, attrs in reader.seen if tag == "th"] == ["col", "col", "row", "row"]
    assert all(attrs["aria-labelledby"] for tag, attrs in reader.seen if tag == "section")


@pytest.mark.door
@pytest.mark.skipif(BROWSER is None, reason="there is no browser")
@usually("width", [390, 1200])
def test_a_browser_shows_the_page_without_scrolling_sideways(
    plain_voice: DocumentFonts, width: int, tmp_path: Path
) -> None:
    """On a phone and on a desk nothing is wider than the window."""
    long = (
        "| " + " | ".join(f"A heading {n}" for n in range(7)) + " |\n|" + "---|" * 7 + "\n| " + "words and words | " * 7
    )
    made = document(TEXT + f"\n## Anextraordinarilylongwordthatnoonewouldeverthinkofsayingaloud\n\n{long}\n")
    (tmp_path / "page.html").write_bytes(html_document(made, plain_voice))
    frame = (
        f'<iframe id=f src="page.html" style="width:{width}px;height:800px;border:0"></iframe><p id=told></p><script>'
        "onload=()=>{const d=f.contentDocument.documentElement;"
        "told.textContent=JSON.stringify([d.scrollWidth,d.clientWidth,f.clientWidth,f.contentDocument.fonts.size])}</script>"
    )
    (tmp_path / "frame.html").write_text(frame, "utf-8")
    assert BROWSER
    done = subprocess.run(
        [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--allow-file-access-from-files",
         f"--user-data-dir={tmp_path / 'browser'}", "--window-size=1400,900", "--dump-dom", f"file://{tmp_path}/frame.html"],
        capture_output=True, text=True, check=True, timeout=120,
    )  # fmt: skip
    told = re.search(r'<p id="told">(.*?)</p>', done.stdout)
    assert told, done.stdout[-500:]
    wide, inside, window, fonts = json.loads(told[1])
    assert window == width and wide <= inside and fonts >= 5


@given(st.text(alphabet="ab #*>|-{}\n1.\u00a0éж字", max_size=60), st.booleans())
def test_any_document_is_painted(text: str, numbered: bool) -> None:
    """Whatever was read can be set on paper and on the web, in the same words."""
    spoken = voice()
    made = Document("T", parse(text)[0], numbered=numbered)
    on_paper, on_the_web = words_on_paper(pdf(made, spoken)), words_on_the_web(html_document(made, spoken))
    assert "".join(on_paper) == "".join(on_the_web)


def test_squares_facts_and_pictures_stand_where_they_belong(plain_voice: DocumentFonts) -> None:
    """Blocks side by side and the title of a table lose no word; squares and a picture in a cell are drawn."""
    head = (Squares(3, 1), Span("Level 1"))
    table = Table((head, ()), (((Span("Drums"),), (Span("C-1", quiet=True),)),), ("left", "right"), titled=True)
    facts = Beside(((Paragraph((Span("Announced", quiet=True),)),), (Heading(3, (Span("Notice"),)),)), ("below",))
    made = Document("List", (facts, table), numbered=False)
    bare = Document("List", (facts, replace(table, head=(head[1:], ()))), numbered=False)
    assert words_on_paper(pdf(made, plain_voice)) == words_on_paper(pdf(bare, plain_voice))
    assert {"Announced", "Notice", "Level", "Drums", "C-1"} <= {*words_on_paper(pdf(made, plain_voice))}

    def rectangles(data: bytes) -> int:
        page = pypdfium2.PdfDocument(data)[0]
        return sum(1 for shape in page.get_objects() if shape.type == pypdfium2.raw.FPDF_PAGEOBJ_PATH)

    assert rectangles(pdf(made, plain_voice)) == rectangles(pdf(bare, plain_voice)) + 3


@pytest.mark.full
def test_the_first_look_that_fits_is_printed(plain_voice: DocumentFonts) -> None:
    """Of the same words in several looks the first that takes no more pages than the last is printed."""
    rows = tuple(((Span(f"row{number}"),), (Span("x"),)) for number in range(60))

    def looks(*scales: float) -> list[Document]:
        tables = [Table(((Span("Rows"),), ()), rows, ("left", "right"), True, scale) for scale in scales]
        return [Document("List", (table,), numbered=False) for table in tables]

    def pages(*scales: float) -> int:
        return fitted_pdf([looks(*scales)], PdfResources(plain_voice, paper_size("letter")))[1]

    assert (pages(3.0, 1.0, 0.5), pages(4.0, 3.0)) == (1, pages(3.0))
    chosen = fitted_pdf([looks(3.0, 1.0, 0.5)], PdfResources(plain_voice, paper_size("letter"), "letter"))[0]
    assert chosen == pdf(looks(1.0)[0], plain_voice)


def test_cards_fill_their_paper(plain_voice: DocumentFonts) -> None:
    """A card is printed as often as the paper holds it, sets of several in whole rows; a larger one is refused."""
    made = Document("List", (Paragraph((Span("Drums"),)),), facts=("Game", "Day"), fingerprint="abcd", compact=True)
    data = cards_pdf([made], card_size("poker"), PdfResources(plain_voice, paper_size("letter")))
    assert words_on_paper(data).count("Drums") == 9
    longer = replace(made, blocks=tuple(Paragraph((Span(f"Drums {at}"),)) for at in range(20)))
    data = cards_pdf([longer], card_size("poker"), PdfResources(plain_voice, paper_size("letter")))
    words = words_on_paper(data)
    assert words.count("11") == words.count("12") == 3, "a set of two stands in each row"
    with pytest.raises(UsageError, match="does not fit on paper"):
        cards_pdf([made], paper_size("a4"), PdfResources(plain_voice, paper_size("a5")))
