"""Sheets and single faces as PDF, to scale: bytes that depend on nothing but the arguments.

The operators of a face are made once. A light face is repeated for each copy, for deflate folds the repeats of a
page; a heavy one is a form XObject where its repeats lie on other pages, or further back than deflate looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from carddb.errors import InputError
from carddb.layout.display import Face, Shape
from carddb.layout.fonts import FontBook
from carddb.layout.sheet import Matrix, Page, Placed, adjusted, bounds, face_matrix
from carddb.paint.operators import Painter, number, page_matrix
from carddb.paint.paper import Content, Paper
from carddb.paint.subset import characters
from carddb.units import Box, Size, to_points

_DUPLEX = {"long-edge": "DuplexFlipLongEdge", "short-edge": "DuplexFlipShortEdge", "none": "Simplex"}
_HEAVY = 2_000
"""Bytes of operators above which a face of several pages is smaller and faster as a form XObject (measured)."""
_WINDOW = 32_768
"""How far deflate looks back: a longer face is not folded with its copy on the same page."""


def sheets_pdf(
    pages: Sequence[Page],
    faces: Sequence[Face],
    book: FontBook,
    images: Mapping[str, bytes],
    *,
    title: str,
    lang: str = "en",
    duplex: str = "long-edge",
    creation: int = 0,
    bookmarks: bool = True,
) -> bytes:
    """Imposed sheets: `Placed.face` counts in `faces`, `images` are picture files by key, `duplex` is the flip.

    The file asks to be printed at its own size. `creation` is in seconds since 1970. Raises InputError, FontError.
    """
    if not pages:
        raise InputError("there is nothing to print", "Choose at least one card.")
    two_sided = any(page.side == "back" for page in pages)
    paper = Paper(title, lang, creation, _preferences(duplex if two_sided else "none"))
    drawn = sorted({placed.face for page in pages for placed in page.placed})
    drawings = [faces[index].shapes for index in drawn] + [page.furniture for page in pages]
    painter = Painter(paper, book, images, _needed(book, drawings))

    copies = Counter(placed.face for page in pages for placed in page.placed)
    spread = Counter(index for page in pages for index in {placed.face for placed in page.placed})

    @cache
    def content(index: int) -> Content:
        drawing = painter.shapes(faces[index].shapes)
        repeats = copies[index] if len(drawing.code) > _WINDOW else spread[index]
        return painter.once(drawing) if repeats > 1 and len(drawing.code) > _HEAVY else drawing

    for page in pages:
        parts = [_placed(placed, faces[placed.face].size, content(placed.face)) for placed in page.placed]
        drawing = _joined(page.size, [*parts, painter.shapes(page.furniture)], page.adjust)
        trims = page.trims or page.slots
        clips = [placed.clip for placed in page.placed] or trims
        if bookmarks:
            _bookmark(paper, page, faces)
        label = f"{page.number} {page.side}" if two_sided else str(page.number)
        trim, bleed = (adjusted(box, page.adjust) for box in (bounds(trims), bounds((*clips, *trims))))
        paper.page(page.size, drawing, label, _within(trim, page.size), _within(bleed, page.size))
    return paper.finish()


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
    paper = Paper(title, lang, creation, _preferences("none"))
    painter = Painter(paper, book, images, _needed(book, [face.shapes for face in faces]))
    for index, face in enumerate(faces, start=1):
        size = Size(face.size.width + 2 * bleed, face.size.height + 2 * bleed)
        content = painter.shapes(face.shapes)
        shifted = Content(f"q 1 0 0 1 {bleed} {bleed} cm\n{content.code}Q\n", content.names)
        page = Box(0, 0, size.width, size.height)
        if face.title:
            paper.bookmark(face.title, 0)
        paper.page(size, _joined(size, [shifted]), str(index), page.grown(-bleed), page)
    return paper.finish()


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


def _needed(book: FontBook, drawings: Sequence[tuple[Shape, ...]]) -> dict[str, set[str]]:
    """The characters of the job, which only variable fonts have to know beforehand."""
    return characters(drawings) if any(font.variations for font in book.fonts.values()) else {}


def _placed(placed: Placed, size: Size, content: Content) -> Content:
    """A face clipped to its trim with bleed, and moved into its box."""
    clip = placed.clip
    matrix = " ".join(number(part) for part in face_matrix(size, placed))
    window = f"{clip.x} {clip.y} {clip.width} {clip.height} re W n"
    return Content(f"q {window} {matrix} cm\n{content.code}Q\n", content.names)


def _joined(size: Size, parts: Sequence[Content], adjust: Matrix | None = None) -> Content:
    """The content of a page, moved as a whole for its printer."""
    moved = f"{' '.join(map(number, adjust))} cm\n" if adjust else ""
    code = page_matrix(size) + moved + "".join(part.code for part in parts)
    return Content(code, frozenset().union(*(part.names for part in parts)))


def _within(box: Box, size: Size) -> Box:
    left, top = max(0, box.x), max(0, box.y)
    return Box(left, top, min(size.width, box.right) - left, min(size.height, box.bottom) - top)


def _bookmark(paper: Paper, page: Page, faces: Sequence[Face]) -> None:
    """An entry for the sheet, and one for each different card on its front."""
    paper.bookmark(f"Sheet {page.number}, {page.side}s", 0)
    if page.side == "front":
        for title, box in _titles(page, faces):
            paper.bookmark(title, 1, to_points(box.x), to_points(page.size.height - box.y))


def _titles(page: Page, faces: Sequence[Face]) -> Iterator[tuple[str, Box]]:
    seen: set[str] = set()
    for placed in page.placed:
        title = faces[placed.face].title
        if title and title not in seen:
            seen.add(title)
            yield title, placed.box
