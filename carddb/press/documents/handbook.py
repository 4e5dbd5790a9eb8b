"""Makes the handbook of carddb from Markdown files, with links and figures, as one PDF or as web pages.

The first file, `index.md`, is the title page. The files to which it links are the chapters, in that order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from carddb.core.errors import InputError
from carddb.core.names import did_you_mean
from carddb.core.version import __version__
from carddb.findings import Finding, Place, error
from carddb.layout.documents.blocks import (
    Block,
    Document,
    DocumentFonts,
    Figure,
    Paragraph,
    Picture,
    Span,
    contents,
    pictures,
    plain,
)
from carddb.layout.documents.index import index, mentions_by_section
from carddb.layout.documents.markdown import parse
from carddb.layout.stock import paper_label, paper_size
from carddb.paint.documents.html import html_document
from carddb.paint.documents.pdf import Book, PdfResources, book_pdf
from carddb.paint.documents.pieces import Figures
from carddb.press.documents.figures import Games, draw_figures
from carddb.press.documents.guide import fingerprint, opening
from carddb.press.faces.workshop import CODE_FAMILY, font_book, house_fonts

INDEX_FILE = "index.md"
_ACCENT = "#8a2f22"
_FAMILIES = ("Spectral", "Spectral", "IBM Plex Sans Condensed", CODE_FAMILY)
_LOOKED_UP = "generated"
"""The folder of the reference chapters, in which names and keys are looked up."""
_TERMS = "terms.md"
"""The file name of the generated index of terms."""
_PATHS = "How to read it"
_SIZE, _LEADING = 10.5, 14.0
"""The type size and the distance of lines, in points, of chapters that are not for reference."""


@dataclass(frozen=True, slots=True)
class Handbook:
    """The handbook as it was read: its documents, its drawn figures, and the findings about both."""

    book: Book
    figures: Figures
    findings: tuple[Finding, ...]


def read_handbook(folder: Path, games: Games) -> Handbook:
    """Reads the handbook from a folder of Markdown files. Raises InputError if one cannot be read."""
    book, findings = read_book(folder)
    covered = [(key, game.spec.name) for key, game in games().items() if game.folder.has_cover]
    # The cover has room for five pictures and the title.
    plates = Figure(tuple(Picture(f"cover:{key}", name) for key, name in covered[:5]))
    title, facts = f"{book.title.title} Handbook", (__version__,)
    cover = replace(book.title, title=title, is_cover=True, blocks=(plates,), columns=1, facts=facts, file="")
    figures, undrawn = _figures((*book.documents, cover), games)
    return Handbook(book._replace(cover=cover), figures, (*findings, *undrawn))


def _figures(documents: Iterable[Document], games: Games) -> tuple[Figures, list[Finding]]:
    shown = [(document.file, picture) for document in documents for picture in pictures(document.blocks)]
    return draw_figures(shown, games)


def read_book(folder: Path) -> tuple[Book, tuple[Finding, ...]]:
    """Returns the text of the handbook, without figures, and the findings about it. Raises InputError if unreadable."""
    title, findings = _read(folder / INDEX_FILE)
    files = dict.fromkeys(part.link for part in _links(title.blocks) if "#" not in part.link)
    paths = {path.name: path for path in sorted(folder.rglob("*.md"))}
    chapters: list[Document] = []
    for number, name in enumerate((file for file in files if file in paths), start=1):
        chapter, wrong = _read(paths[name])
        chapters.append(replace(chapter, facts=(f"Chapter {number}", title.title)))
        findings += wrong
    title = replace(title, fingerprint=fingerprint(*(path.read_text("utf-8") for path in paths.values())))
    book = Book(title, tuple(chapters))
    targets = book.targets
    for document in book.documents:
        for part in _links((Paragraph(document.lead), *document.blocks)):
            if part.link not in targets:
                message = f"the link “{plain((part,))}” leads to {part.link}, which is not in the handbook"
                fix = did_you_mean(part.link, targets, "Correct the link.")
                findings.append(error("link_unknown", message, Place(document.file), fix=fix))
    return book, tuple(findings)


def handbook_pdf(handbook: Handbook, paper: str, creation: int) -> tuple[bytes, int]:
    """Returns the handbook as PDF, with contents and index, and its number of pages.

    Raises UsageError for unknown paper, FontError if a font is missing.
    """
    size = paper_size(paper)
    fonts = DocumentFonts(font_book({}), *_FAMILIES)
    printing = PdfResources(fonts, size, paper_label(size), creation, handbook.figures)
    title = replace(handbook.book.title, title=_PATHS, lead=(), facts=(handbook.book.title.title,))
    # Chapters that are not for reference have one column, with margins that keep the lines short enough to read.
    chapters = tuple(
        chapter if chapter.compact else replace(chapter, columns=1, ids="margin", size=_SIZE, leading=_LEADING)
        for chapter in handbook.book.chapters
    )
    return book_pdf(handbook.book._replace(title=title, chapters=chapters), printing)


def handbook_html(handbook: Handbook) -> Iterator[tuple[str, bytes]]:
    """Yields a web page for each chapter and for the index, by file name. Raises FontError if a font is missing."""
    fonts, documents = house_fonts(), _with_terms(handbook.book)
    for name, document in documents.items():
        yield name, html_document(document, fonts, handbook.figures, [*documents.values()])


def chapter_html(book: Book, name: str, games: Games) -> bytes | None:
    """Returns page `name` of `handbook_html`, with its own figures only; None if there is none. Raises FontError."""
    documents = _with_terms(book)
    if name not in documents:
        return None
    figures, _ = _figures([documents[name]], games)
    return html_document(documents[name], house_fonts(), figures, [*documents.values()])


def _with_terms(book: Book) -> dict[str, Document]:
    """Returns the chapters and the index of terms, by the file names of their web pages."""
    terms = index("Index", mentions_by_section(book.documents))
    terms = replace(terms, file=_TERMS, facts=(book.title.title,), accent=_ACCENT)
    return {f"{document.file.removesuffix('.md')}.html": document for document in (*book.documents, terms)}


def _read(path: Path) -> tuple[Document, list[Finding]]:
    """Reads a file as a document of the handbook. Raises InputError if it cannot be read."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"{path} cannot be read: {fault}", "Install carddb again.") from fault
    blocks, findings = parse(text, str(path), links=True)
    title, lead, rest = opening(blocks)
    compact = path.parent.name == _LOOKED_UP
    return Document(title, rest, lead, numbered=False, file=path.name, accent=_ACCENT, compact=compact), findings


def _links(blocks: Sequence[Block]) -> Iterator[Span]:
    for content in contents(blocks):
        yield from (part for part in content if isinstance(part, Span) and part.link)
