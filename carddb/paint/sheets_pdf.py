"""Sheets and single faces as PDF, to scale: bytes that depend on nothing but the arguments.

The operators of a face are made once. A light face is repeated for each copy, for deflate folds the repeats of a
page; a heavy one is a form XObject where its repeats lie on other pages, or further back than deflate looks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Protocol

from carddb.errors import InputError
from carddb.layout.display_list import Face
from carddb.layout.fonts import FontBook
from carddb.layout.imposition import Matrix, Page, Placed, adjusted, bounds, face_matrix
from carddb.paint.content_stream import StreamBuilder
from carddb.paint.operators import number
from carddb.paint.pdf_content import PdfContent, page_matrix
from carddb.paint.pdf_writer import Content, PdfWriter
from carddb.paint.stream_parts import ContentStream
from carddb.units import Box, Size, to_points

_DUPLEX = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge", "none": "Simplex"}
_HEAVY = 2_000
"""Bytes of operators above which a face of several pages is smaller and faster as a form XObject (measured)."""
_WINDOW = 32_768
"""How far deflate looks back: a longer face is not folded with its copy on the same page."""
_MOST_KEPT = 256
"""Faces whose operators are remembered: those of a page and the backs of a game."""


class Faces(Protocol):
    """Faces by number: a list, or a bank that draws them when they are asked for."""

    def __getitem__(self, number: int, /) -> Face: ...


def sheets_pdf(
    pages: Iterable[Page],
    faces: Faces,
    book: FontBook,
    images: Mapping[str, bytes],
    *,
    title: str,
    lang: str = "en",
    duplex: str = "long-edge",
    two_sided: bool = True,
    creation: int = 0,
    heading: Callable[[int], tuple[str, ...]] | None = None,
    sketched: Callable[[int], ContentStream] | None = None,
) -> bytes:
    """Imposed sheets, painted as they come: `Placed.face` counts in `faces`, `images` are picture files by key.

    `duplex` is the flip; `heading` gives the bookmarks under which a face stands, outermost first; `sketched` gives
    the operators of a face, where somebody has them. The file asks to be printed at its own size. `creation` is in
    seconds since 1970. Raises InputError, FontError.
    """
    paper = PdfWriter(title, lang, creation, _preferences(duplex if two_sided else "none"))
    painter = PdfContent(paper, book, images)
    sketcher = StreamBuilder(book)
    contents = _Contents(painter, sketched or (lambda number: sketcher.face(faces[number])))
    marked: set[tuple[str, ...]] = set()
    for count, page in enumerate(pages):
        painter.page = count
        parts = [contents.placed(placed) for placed in page.placed]
        furniture = painter.content(sketcher.sketch(page.size, page.furniture))
        drawing = _joined(page.size, [*parts, furniture], page.adjust)
        trims = page.trims or page.slots
        clips = [placed.clip for placed in page.placed] or trims
        if heading and page.side == "front":
            for placed in page.placed:
                _bookmark(paper, page, placed, marked, heading(placed.face))
        label = f"{page.number} {page.side}" if two_sided else str(page.number)
        trim, bleed = (adjusted(box, page.adjust) for box in (bounds(trims), bounds((*clips, *trims))))
        paper.page(page.size, drawing, label, _within(trim, page.size), _within(bleed, page.size))
    if not paper.pages:
        raise InputError("there is nothing to print", "Choose at least one card.")
    return painter.finish()


class _Contents:
    """The operators of faces, made when first placed; what is heavy and comes again on another page is a form."""

    def __init__(self, painter: PdfContent, sketched: Callable[[int], ContentStream]) -> None:
        self._painter = painter
        self._sketched = sketched
        self._known: dict[int, tuple[Size, Content, int]] = {}

    def placed(self, placed: Placed) -> Content:
        """A face clipped to its trim with bleed, and moved into its box."""
        size, content = self._of(placed.face)
        return Content(f"q {_into(size, placed.box, placed.clip, placed.angle)}{content.code}Q\n", content.names)

    def _of(self, number: int) -> tuple[Size, Content]:
        known = self._known.pop(number, None)
        page = self._painter.page
        if known is None:
            sketch = self._sketched(number)
            known = sketch.size, self._painter.content(sketch), page
        elif len(known[1].code) > (_WINDOW if known[2] == page else _HEAVY):
            known = known[0], self._painter.once(known[1]), known[2]
        if len(self._known) >= _MOST_KEPT:
            del self._known[next(iter(self._known))]
        self._known[number] = known
        return known[0], known[1]


@lru_cache(maxsize=512)
def _into(size: Size, box: Box, clip: Box, angle: int) -> str:
    matrix = " ".join(number(part) for part in face_matrix(size, Placed(0, box, clip, angle)))
    return f"{clip.x} {clip.y} {clip.width} {clip.height} re W n {matrix} cm\n"


def faces_pdf(
    faces: Sequence[Face],
    book: FontBook,
    images: Mapping[str, bytes],
    *,
    title: str = "",
    lang: str = "en",
    creation: int = 0,
    bleed: int = 0,
) -> bytes:
    """One page a face, with `bleed` micrometres round its TrimBox. Raises InputError, FontError."""
    if not faces:
        raise InputError("there is nothing to print", "Choose at least one card.")
    paper = PdfWriter(title, lang, creation, _preferences("none"))
    painter = PdfContent(paper, book, images)
    sketcher = StreamBuilder(book)
    for index, face in enumerate(faces, start=1):
        painter.page = index
        size = Size(face.size.width + 2 * bleed, face.size.height + 2 * bleed)
        content = painter.content(sketcher.face(face))
        shifted = Content(f"q 1 0 0 1 {bleed} {bleed} cm\n{content.code}Q\n", content.names)
        page = Box(0, 0, size.width, size.height)
        if face.title:
            paper.bookmark(face.title, 0)
        paper.page(size, _joined(size, [shifted]), str(index), page.grown(-bleed), page)
    return painter.finish()


def face_pdf(
    face: Face,
    book: FontBook,
    images: Mapping[str, bytes],
    *,
    lang: str = "en",
    creation: int = 0,
    bleed: int = 0,
) -> bytes:
    """One face on a page of its own size. Raises InputError, FontError."""
    return faces_pdf([face], book, images, title=face.title, lang=lang, creation=creation, bleed=bleed)


def _preferences(duplex: str) -> dict[str, str | bool]:
    return {
        "PrintScaling": "None",
        "Duplex": _DUPLEX[duplex],
        "PickTrayByPDFSize": False,
        "DisplayDocTitle": True,
    }


def _joined(size: Size, parts: Sequence[Content], adjust: Matrix | None = None) -> Content:
    """The content of a page, moved as a whole for its printer."""
    moved = f"{' '.join(map(number, adjust))} cm\n" if adjust else ""
    code = page_matrix(size) + moved + "".join(part.code for part in parts)
    return Content(code, frozenset().union(*(part.names for part in parts)))


def _within(box: Box, size: Size) -> Box:
    left, top = max(0, box.x), max(0, box.y)
    return Box(left, top, min(size.width, box.right) - left, min(size.height, box.bottom) - top)


def _bookmark(
    paper: PdfWriter, page: Page, placed: Placed, seen: set[tuple[str, ...]], heading: tuple[str, ...]
) -> None:
    """An entry for each heading that a face is the first to stand under."""
    for level, title in enumerate(heading):
        above = heading[: level + 1]
        if above not in seen:
            seen.add(above)
            paper.bookmark(title, level, to_points(placed.box.x), to_points(page.size.height - placed.box.y))
