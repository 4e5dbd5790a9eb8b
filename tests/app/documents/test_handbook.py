"""A book of chapters: links, figures, contents and index, on paper and on the web."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pikepdf
import pypdfium2
import pytest

from carddb.app.documents import HandbookFiles
from carddb.door import Project
from carddb.games import Game
from carddb.press.documents.handbook import Handbook, chapter_html, handbook_html, handbook_pdf, read_handbook
from tests.conftest import Told
from tests.paint.documents.samples import words_on_paper, words_on_the_web
from tests.rows import usually

INDEX = "# Dykes\n\nAll of them.\n\n- [Water](water.md): what is held back.\n- [Bricks](more/bricks.md)\n"
WATER = """\
# Water

It is wet. See [how bricks are laid](bricks.md#laying).

## Holding it

A **sluice** lets <b>some</b> of it through; `carddb hold --all` shows how much.

```console
$ carddb hold water   # &amp; nothing else
held  4
```

![War elephants](face:EG-CAR-016 "Elephants") ![A back](back:EG-CAR-016)
"""
BRICKS = """\
# Bricks

## Laying

Every **sluice** has some. **Mortar** is between them.

## `carddb hold`

| Option | What it does |
|---|---|
| `--all` | **Everything** |

![A sheet](sheet:empires-and-generals/legal?paper=a4)
"""


@pytest.fixture
def chapters(tmp_path: Path) -> Path:
    """The chapters of a small book."""
    folder = tmp_path / "book"
    (folder / "more").mkdir(parents=True)
    for name, text in (("index.md", INDEX), ("water.md", WATER), ("more/bricks.md", BRICKS)):
        (folder / name).write_text(text, "utf-8")
    return folder


@pytest.fixture
def book(chapters: Path, game: Game) -> Handbook:
    read = read_handbook(chapters, lambda: {game.key: game})
    assert not read.findings
    return read


def test_chapters_stand_in_the_order_of_the_title_page(book: Handbook) -> None:
    """A file that is linked is a chapter, wherever it lies; its number goes with the order of the links."""
    assert [(part.title, part.file, part.facts) for part in book.book.chapters] == [
        ("Water", "water.md", ("Chapter 1", "Dykes")),
        ("Bricks", "bricks.md", ("Chapter 2", "Dykes")),
    ]


@pytest.mark.full
def test_contents_and_index_name_the_pages_on_which_things_stand(book: Handbook) -> None:
    """Each heading and each term is on the page that contents and index name; a command stands under its verb."""
    data, count = handbook_pdf(book, "letter", 0)
    pdf = pypdfium2.PdfDocument(data)
    pages = [page.get_textpage().get_text_range() for page in pdf]
    assert len(pages) == count == 6
    contents = dict(re.findall(r"^(.+?) (\d+)\r?$", pages[2], re.M))
    for title in ("Water", "Holding it", "Bricks", "Laying", "carddb hold"):
        assert title in pages[int(contents[title]) - 1], title
    listed = dict(re.findall(r"^(.+?)\s+([\d, ]+?)\r?$", pages[-1], re.M))
    assert listed["sluice"] == "4, 5" and listed["hold"] == "5"
    assert listed["mortar"] == listed["everything"] == "5"
    assert contents["Index"] == "6" and pages[5].startswith("Index")


def test_links_lead_to_their_sections(book: Handbook) -> None:
    """Every link on paper leads to a place in the file; on the web, to a page and an id that are there."""
    file = pikepdf.open(io.BytesIO(handbook_pdf(book, "letter", 0)[0]))
    numbers = {page.obj.objgen: number for number, page in enumerate(file.pages)}
    links = [[numbers[note.Dest[0].objgen] for note in page.get("/Annots", [])] for page in file.pages]
    assert not links[0] and links[1] == [3, 4], "behind the cover, the title page leads to the chapters"
    assert links[3] == [4], "a chapter leads to another"
    assert links[2].count(3) and links[2].count(4) and set(links[5]) == {3, 4}, "so do contents and index"
    web = {name: data.decode() for name, data in handbook_html(book)}
    assert set(web) == {"index.html", "water.html", "bricks.html", "terms.html"}
    for name, text in web.items():
        for address in re.findall(r'href="([^"]+)"', text):
            page, _, section = address.partition("#")
            assert not section or f'id="{section}"' in web[page or name], address


def test_paper_and_web_have_the_same_words(chapters: Path) -> None:
    """The words of each chapter in the PDF are those of its web page; pictures, which have words too, left out."""
    for path in chapters.rglob("*.md"):
        path.write_text(re.sub(r"^!.*\n", "", path.read_text("utf-8"), flags=re.M), "utf-8")
    book = read_handbook(chapters, dict)
    # The facts stand before the lead on paper, and behind it on the web; only paper has a cover, which has the lead.
    facts = re.compile(
        r" Chapter \d Dykes|(?<=Dykes)(?: Handbook)? All of them\.| How to read it Dykes|(?: [\da-f]{4}-[\da-f]{4})$"
    )
    on_paper = facts.sub("", " ".join(words_on_paper(handbook_pdf(book, "letter", 0)[0])))
    for name, data in handbook_html(book):
        assert name == "terms.html" or facts.sub("", " ".join(words_on_the_web(data))) in on_paper, name


def test_a_page_shows_where_it_stands_in_the_book(chapters: Path) -> None:
    """Of the parts of the title page only that of the page is open; the page is marked, and leads to its neighbours."""
    index = (
        "# Dykes\n\n## To read\n\n- [Water](water.md)\n\n## To look up\n\n- [Bricks](bricks.md)\n- [Water](water.md)\n"
    )
    (chapters / "index.md").write_text(index, "utf-8")
    for path in chapters.rglob("*.md"):
        path.write_text(re.sub(r"^!.*\n", "", path.read_text("utf-8"), flags=re.M), "utf-8")
    page = _page(read_handbook(chapters, dict), "water")
    assert re.findall(r"<details( open)?><summary>([^<]+)", page) == [(" open", "To read"), ("", "To look up")]
    assert re.findall(r'href="([^"]+)" aria-current', page) == ["water.html"]
    assert re.findall(r'<a rel="(\w+)" href="([^"]+)"', page) == [("prev", "index.html"), ("next", "bricks.html")]


@pytest.mark.full
def test_pictures_are_drawn_once_and_have_words_for_who_does_not_see_them(book: Handbook) -> None:
    """On paper a picture is a form with a tag that says what it shows, its letters are text; on the web an image."""
    file = pikepdf.open(io.BytesIO(handbook_pdf(book, "letter", 0)[0]))
    told = [str(tag.Alt) for tag in file.objects if isinstance(tag, pikepdf.Dictionary) and "/Alt" in tag]
    assert sorted(told) == ["A back", "A sheet", "Empires and Generals", "War elephants"], "the cover has its plate"
    text = pypdfium2.PdfDocument(handbook_pdf(book, "letter", 0)[0])[3].get_textpage().get_text_range()
    assert "War Elephants" in text
    pictures = re.findall(r'<img src="data:image/png;base64,[\w+/=]+" [^>]*alt="([^"]+)"', _page(book, "water"))
    assert pictures == ["War elephants", "A back"]


@pytest.mark.full
def test_signs_of_markup_are_words(book: Handbook) -> None:
    """What looks like HTML in a chapter is shown, not read, in sentences and in code."""
    page = _page(book, "water")
    assert "&lt;b&gt;some&lt;/b&gt;" in page and "# &amp;amp; nothing else" in page
    assert "<script" not in page and "<b>some" not in page
    assert "$ carddb hold water   # &amp; nothing else" in unescape(page)


@pytest.mark.full
@pytest.mark.door
def test_the_same_chapters_give_the_same_bytes(chapters: Path, book: Handbook, game: Game) -> None:
    """Read and set anew, as a whole or a page alone, the files are the same; another day is another file."""
    again = read_handbook(chapters, lambda: {game.key: game})
    assert handbook_pdf(again, "a4", 0) == handbook_pdf(book, "a4", 0)
    pages = list(handbook_html(book))
    assert list(handbook_html(again)) == pages
    assert [(name, chapter_html(again.book, name, lambda: {game.key: game})) for name, _ in pages] == pages
    assert handbook_pdf(again, "a4", 86_400) != handbook_pdf(book, "a4", 0)


@usually(
    ("text", "code", "words"),
    [
        ("See [bricks](brick.md).", "link_unknown", "brick.md"),
        ("See [bricks](bricks.md#baking).", "link_unknown", "bricks.md#baking"),
        ("![x](face:NONE-1)", "figure_unknown", "no game comes with a card 'NONE-1'"),
        ("![x](component:nothing/mat)", "figure_unknown", "there is no game 'nothing'"),
        ("![x](component:empires-and-generals/mat)", "figure_unknown", "has no component 'mat'"),
        ("![x](sheet:empires-and-generals/none)", "figure_unknown", "comes with no deck 'none'"),
        ("![x](sheet:empires-and-generals/legal?side=left)", "figure_unknown", "no sheet has a side 'left'"),
        ("![x](sheet:empires-and-generals/legal?paper=a9)", "figure_unknown", "a9"),
        ("![x](charges:beast)", "figure_unknown", "no family of charges 'beast'"),
        ("![x](face:EG-CAR-016?ink=red)", "figure_unknown", "there is no ink 'red'"),
        ("![x](face:EG-CAR-016?paper=a4)", "figure_unknown", "the picture of a face has no key 'paper'"),
        ("<!-- x --> {y}", "markup_unknown", "{y}"),
    ],
)
def test_what_leads_nowhere_is_a_finding(chapters: Path, game: Game, text: str, code: str, words: str) -> None:
    """A link, a figure or a sign that is not known is an error that names its file."""
    (chapters / "water.md").write_text(f"# Water\n\n## One\n\n{text}\n", "utf-8")
    found = read_handbook(chapters, lambda: {game.key: game}).findings
    assert [finding.code for finding in found] == [code] and words in found[0].message
    assert str(found[0].where[0]).partition(":")[0].endswith("water.md")


def test_the_verb_writes_a_file_or_a_folder(call: Callable[..., Told], folder: Path) -> None:
    """A name that ends in .pdf is one file; one without an ending is a folder; others are misuse."""
    assert call("handbook", "-o", "book.txt").code == 2
    assert not list(folder.iterdir())


def test_a_folder_of_pages_is_a_published_one(folder: Path) -> None:
    """Pages of an earlier handbook go, files of others stay, and the first page comes last of all that is new."""
    site = folder / "site"
    HandbookFiles(Project(folder), {"index.html": b"old", "gone.html": b"old"}, "").write(site)
    (site / "CNAME").write_text("cards.example", "utf-8")
    HandbookFiles(Project(folder), {"index.html": b"new", "cards.html": b"new"}, "").write(site)
    assert sorted(path.name for path in site.iterdir() if path.suffix != ".lock") == [
        "CNAME", "cards.html", "index.html", "publication.json",
    ]  # fmt: skip
    assert (site / "index.html").read_bytes() == b"new"


def _page(book: Handbook, name: str) -> str:
    return dict(handbook_html(book))[f"{name}.html"].decode()
