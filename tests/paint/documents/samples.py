"""A document with every kind of block, and how its words are read back from paper and from a page of the web."""

from __future__ import annotations

from html.parser import HTMLParser

import pypdfium2

from carddb.layout.documents.blocks import Document, DocumentFonts
from carddb.layout.documents.markdown import parse
from carddb.press.faces.workshop import font_book

TEXT = """\
Before all sections, *softly*. {D-1}

## Setting up

Hold the water **back**, by 4,000 bricks. {D-1, D-2, D-3, D-4}

1. Shuffle.
2. Begin on the left of the one who last saw the sea, and go on from there until all have begun.
   - Not twice.

   Nor thrice. {D-5}

### Who begins

> **Example** One dyke breaks.
>
> - The others hold.

## Dykes

| Dyke | Height | |
|---|--:|---|
| Old | 4 {D-6} | |
| New one | 12 | made of *stone* |

> No label here.
"""


def document(text: str = TEXT, title: str = "Dykes & Sluices", **rest: str) -> Document:
    """A document of a Markdown text."""
    blocks, found = parse(text)
    assert not found, found
    return Document(title, blocks, facts=("Rules", "by nobody"), notice="Ours.", fingerprint="12ab-34cd", **rest)  # type: ignore[arg-type]


def voice() -> DocumentFonts:
    """The families of every document."""
    return DocumentFonts(font_book({}), "Spectral", "Spectral", "IBM Plex Sans Condensed")


def words_on_paper(data: bytes, foot: float = 55, head: float = 50) -> list[str]:
    """The words of a PDF in reading order, without those at the foot of pages and at the head of later ones."""
    pdf = pypdfium2.PdfDocument(data)
    words: list[str] = []
    for number, page in enumerate(pdf):
        text = page.get_textpage()
        low, high = foot, page.get_height() - (head if number else 0)
        chars = [(text.get_text_range(at, 1), text.get_charbox(at)[1]) for at in range(text.count_chars())]
        inside = "".join(char for char, y in chars if char.isspace() or low < y < high)
        words += inside.replace("\ufffe", "-").split()  # the reader's sign for a hyphen at the end of a line
    return words


class _Reader(HTMLParser):
    """The words of a page but for its list of sections, the numbers of lists counted out."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.silent = ""
        self.counters: list[int | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("style", "nav", "title"):
            self.silent = tag
        if tag in ("ul", "ol") and not self.silent:
            self.counters.append(int(dict(attrs).get("start") or 1) if tag == "ol" else None)
        if tag == "li" and self.counters and self.counters[-1] is not None:
            self.words.append(f" {self.counters[-1]} ")
            self.counters[-1] += 1
        if tag in ("p", "li", "td", "th", "h1", "h2", "h3"):
            self.words.append(" ")

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent:
            self.silent = ""
        if tag in ("ul", "ol") and self.counters:
            self.counters.pop()

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.words.append(data)


def words_on_the_web(data: bytes) -> list[str]:
    """The words of a page of the web in reading order, without its list of sections and its fingerprint."""
    reader = _Reader()
    text = data.decode()
    reader.feed(text[: text.find('<p class="print">')] if '<p class="print">' in text else text)
    return "".join(reader.words).split()
