"""A book as PDF: a title page, the list of contents, a document a chapter, and the index, on numbered pages."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from carddb.core.units import Size
from carddb.layout.documents.blocks import Contents, ContentsLine, Document, DocumentFonts
from carddb.layout.documents.flow import FlowPage
from carddb.layout.documents.index import Mention, commands, index
from carddb.paint.documents.pdf import DocumentWriter, characters
from carddb.paint.documents.pieces import Figures, Ruled
from carddb.paint.documents.tags import Tags
from carddb.paint.documents.typography import TaggedParagraph, Typesetter

_CONTENTS, _INDEX = "Contents", "Index"
_ADDED = f"{_CONTENTS}{_INDEX}{string.ascii_uppercase}{string.digits}–, "
"""Characters that contents and index add to those of the documents."""
_MANY = 20
"""A chapter of more sections is looked up by the index; the contents only name it."""


class Book(NamedTuple):
    """A title page and the documents that follow it, in their order; each has a `file` of its own."""

    title: Document
    chapters: tuple[Document, ...]

    @property
    def documents(self) -> tuple[Document, ...]:
        return (self.title, *self.chapters)

    @property
    def targets(self) -> tuple[str, ...]:
        """Every link that leads somewhere: the documents and each of their sections."""
        return tuple(
            link
            for document in self.documents
            for link in (document.file, *(f"{document.file}#{s.anchor}" for s in document.sections if s.anchor))
        )


def book_pdf(
    book: Book, fonts: DocumentFonts, paper: Size, label: str, creation: int, figures: Figures
) -> tuple[bytes, int]:
    """Returns a book as PDF and the number of its pages; the same input gives the same bytes. Raises FontError."""
    letters = set(_ADDED).union(*(characters(document, label) for document in book.documents))
    setter = Typesetter(fonts, letters, {link: link for link in book.targets}, book.title.lang)
    writer = DocumentWriter(book.title, setter, paper, label, creation, figures)
    parts = [writer.tags.root.tag("Part") for _ in range(len(book.documents) + 2)]
    title = writer.flowed(book.title, parts[0])
    chapters = [writer.flowed(part, tag) for part, tag in zip(book.chapters, parts[2:], strict=False)]
    blank = _contents(book, [(0, sheet) for sheets in chapters for sheet in sheets], 0)
    listed = len(writer.flowed(blank, Tags().root))
    first = len(title) + listed + 1
    pages = list(enumerate((sheet for sheets in chapters for sheet in sheets), start=first))
    contents = _contents(book, pages, first + len(pages))
    mentions = _mentions(pages)
    last = index(_INDEX, mentions, commands(book.documents))
    sheets = [title, writer.flowed(contents, parts[1]), *chapters, writer.flowed(last, parts[-1])]
    documents = [book.title, contents, *book.chapters, last]
    data = writer.finish(list(zip(documents, sheets, strict=True)))
    return data, sum(map(len, sheets))


def _contents(book: Book, pages: Iterable[tuple[int, FlowPage]], index_page: int) -> Document:
    """Returns the list of contents: chapters and their sections, with their pages."""
    long = {document.file for document in book.chapters if len(document.sections) > _MANY}
    lines = [
        ContentsLine(mark.title, mark.level, str(number), mark.link)
        for number, sheet in pages
        for placed in sheet.placed
        if (mark := placed.piece.bookmark)
        if mark.level == 0 or (mark.level == 1 and mark.link.partition("#")[0] not in long)
    ]
    lines.append(ContentsLine(_INDEX, 0, str(index_page), ""))
    return Document(_CONTENTS, (Contents(tuple(lines)),), facts=(book.title.title,), accent=book.title.accent)


def _mentions(pages: Sequence[tuple[int, FlowPage]]) -> Iterator[Mention]:
    """Yields every term with the page on which it stands, and the last heading before it, which a link leads to."""
    link = ""
    for number, sheet in pages:
        for placed in sheet.placed:
            if placed.piece.bookmark and placed.piece.bookmark.link:
                link = placed.piece.bookmark.link
            for words in _words(placed.piece.flowable):
                yield from (Mention(term, str(number), link) for term in words.terms)


def _words(flowable: Any) -> Iterator[TaggedParagraph]:
    """Yields the paragraphs in a flowable."""
    match flowable:
        case TaggedParagraph():
            yield flowable
        case Ruled():
            for row in vars(flowable)["_cellvalues"]:
                for cell in row:
                    for inside in cell if isinstance(cell, list | tuple) else [cell]:
                        yield from _words(inside)
        case _:
            if isinstance(inside := getattr(flowable, "words", None), TaggedParagraph):
                yield inside
