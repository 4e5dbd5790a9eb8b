"""Sheets and single faces as PDF, true to scale; the bytes depend only on the arguments.

The operators of a face are made once. A small face is repeated for each copy, because deflate compresses repetitions on
the same page. A large one becomes a form XObject if its copies are on other pages, or further apart than deflate's
window.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from types import MappingProxyType
from typing import NamedTuple

from carddb.core.units import Box, Size, to_points
from carddb.layout.display_list import Face
from carddb.layout.prepress import InkSpace
from carddb.layout.sheets.imposition import Matrix, Placed, adjusted, bounds, face_matrix
from carddb.layout.text.fonts import FontBook
from carddb.paint.pdf.content import PdfContent, page_matrix
from carddb.paint.pdf.content_stream import ContentStream, DrawnPage
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import StreamBuilder, number, outline
from carddb.paint.pdf.prepress import Prepress
from carddb.paint.pdf.writer import Content, PdfWriter

_DUPLEX = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge", "none": "Simplex"}
_HEAVY = 2_000
"""The number of bytes above which a face on several pages is smaller and faster as a form XObject (measured)."""
_WINDOW = 32_768
"""The window of deflate in bytes; a longer face is not compressed by reference to its copy on the same page."""
_MOST_CONTENTS = 256
"""The most faces whose content is cached: enough for the faces on a page and the backs of a game."""
_NO_HEADINGS: Mapping[int, tuple[str, ...]] = MappingProxyType({})


def sheets_pdf(
    pages: Iterable[DrawnPage],
    book: FontBook,
    images: Mapping[str, bytes] | PdfImages,
    *,
    title: str,
    lang: str = "en",
    duplex: str = "long-edge",
    two_sided: bool = True,
    creation: int = 0,
    headings: Mapping[int, tuple[str, ...]] = _NO_HEADINGS,
    prepress: Prepress | None = None,
) -> bytes:
    """Returns imposed sheets as PDF; `images` is `{key: bytes of the image file}`.

    Pages are written one by one as they arrive. `duplex` is the flip. `headings` are the titles of the bookmarks under
    which a face is listed, outermost first, by `Placed.face`. The file requests printing at actual size. `creation` is
    in seconds since 1970. With `prepress`, the file is made for a printing press, with whose inks the pages must be
    drawn. Raises InputError if there are no pages or an image is faulty, and FontError if a font cannot be embedded.
    """
    preferences = _preferences(duplex if two_sided else "none") if prepress is None else {"DisplayDocTitle": True}
    paper = PdfWriter.of_file(title, lang, creation, preferences, prepress)
    painter = PdfContent(paper, book, images)
    contents = PageContents(painter, book, prepress.inks if prepress else None)
    bookmarks: set[tuple[str, ...]] = set()
    for count, drawn in enumerate(pages):
        painter.page = count
        page, drawing = drawn.page, contents.of(drawn)
        trims = page.trims or page.slots
        clips = [placed.clip for placed in page.placed] or trims
        for placed in page.placed if page.side == "front" else ():
            heading = headings.get(placed.face, ())
            for level, words in enumerate(heading):
                if (above := heading[: level + 1]) not in bookmarks:
                    bookmarks.add(above)
                    left, top = to_points(placed.box.x), to_points(page.size.height - placed.box.y)
                    paper.bookmark(words, level, left, top)
        label = f"{page.number} {page.side}" if two_sided else str(page.number)
        trim, bleed = (adjusted(box, page.adjust) for box in (bounds(trims), bounds((*clips, *trims))))
        paper.page(page.size, drawing, label, _within(trim, page.size), _within(bleed, page.size))
    return painter.finish()


class _FaceContent(NamedTuple):
    """The operators that draw a face in this file, its size, and the index of the page on which it was first placed."""

    size: Size
    content: Content
    page: int


class PageContents:
    """Makes the contents of imposed pages in one file; a large face that recurs on another page becomes a form."""

    def __init__(self, painter: PdfContent, book: FontBook, inks: InkSpace | None = None) -> None:
        self._painter = painter
        self._builder = StreamBuilder(book, inks)
        self._faces: dict[int, _FaceContent] = {}

    def of(self, drawn: DrawnPage) -> Content:
        """Returns the content of a page: its faces, then what is around them (marks, ruler and texts)."""
        page, parts = drawn.page, []
        for placed in page.placed:  # clip each face to its trim with bleed, and move it into its box
            size, content, _ = self._face(placed.face, drawn.streams[placed.face])
            moved = _into(size, placed._replace(face=0))  # the same operators for all faces at this place
            parts.append(Content(f"q {moved}{content.code}Q\n", content.names))
        furniture = self._painter.content(self._builder.stream(page.size, page.furniture))
        return _joined(page.size, [*parts, furniture], page.adjust)

    def _face(self, number: int, stream: ContentStream) -> _FaceContent:
        page = self._painter.page
        face = self._faces.pop(number, None)
        if face is None:
            face = _FaceContent(stream.size, self._painter.content(stream), page)
        elif len(face.content.code) > (_WINDOW if face.page == page else _HEAVY):
            face = face._replace(content=self._painter.once(face.content))
        if len(self._faces) >= _MOST_CONTENTS:
            del self._faces[next(iter(self._faces))]
        self._faces[number] = face
        return face


@lru_cache(maxsize=512)
def _into(size: Size, placed: Placed) -> str:
    """Returns the operators that clip to the box of a face with its bleed, and move the face into its box."""
    clip, matrix = placed.clip, " ".join(map(number, face_matrix(size, placed)))
    window = outline(placed.window) if placed.window else f"{clip.x} {clip.y} {clip.width} {clip.height} re "
    return f"{window}W n {matrix} cm\n"


def faces_pdf(
    faces: Sequence[Face],
    book: FontBook,
    images: Mapping[str, bytes] | PdfImages,
    *,
    title: str = "",
    lang: str = "en",
    creation: int = 0,
) -> bytes:
    """Returns a PDF with one page per face, which has the face's title as a bookmark.

    Raises InputError if there are no faces or an image is faulty, and FontError if a font cannot be embedded.
    """
    streams, titles = map(StreamBuilder(book).face, faces), [face.title for face in faces]
    return streams_pdf(streams, book, images, title=title, lang=lang, creation=creation, titles=titles)


def streams_pdf(
    streams: Iterable[ContentStream],
    book: FontBook,
    images: Mapping[str, bytes] | PdfImages,
    *,
    title: str = "",
    lang: str = "en",
    creation: int = 0,
    bleed: int = 0,
    titles: Iterable[str] = repeat(""),
) -> bytes:
    """Returns a PDF with a page for each content stream, extended by `bleed` micrometres around its TrimBox.

    A page with a title in `titles`, which are by page, gets a bookmark. Raises InputError if there are no pages or an
    image is faulty, and FontError if a font cannot be embedded.
    """
    paper = PdfWriter.of_file(title, lang, creation, _preferences("none"))
    painter = PdfContent(paper, book, images)
    for count, (stream, words) in enumerate(zip(streams, titles, strict=False), start=1):
        painter.page = count
        size = Size(stream.size.width + 2 * bleed, stream.size.height + 2 * bleed)
        content = painter.content(stream)
        shifted = Content(f"q 1 0 0 1 {bleed} {bleed} cm\n{content.code}Q\n", content.names)
        page = Box(0, 0, size.width, size.height)
        if words:
            paper.bookmark(words, 0)
        paper.page(size, _joined(size, [shifted]), str(count), page.grown(-bleed), page)
    return painter.finish()


def _preferences(duplex: str) -> dict[str, str | bool]:
    return {"PrintScaling": "None", "Duplex": _DUPLEX[duplex], "PickTrayByPDFSize": False, "DisplayDocTitle": True}


def _joined(size: Size, parts: Sequence[Content], adjust: Matrix | None = None) -> Content:
    """Returns the content of a page of `size` from its parts, transformed as a whole by the matrix `adjust`, if any."""
    moved = f"{' '.join(map(number, adjust))} cm\n" if adjust else ""
    code = page_matrix(size) + moved + "".join(part.code for part in parts)
    return Content(code, frozenset().union(*(part.names for part in parts)))


def _within(box: Box, size: Size) -> Box:
    left, top = max(0, box.x), max(0, box.y)
    return Box(left, top, min(size.width, box.right) - left, min(size.height, box.bottom) - top)
