"""Small faces, fonts and pictures that the tests of sheets and painters share."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from io import BytesIO

from PIL import Image

from carddb.core.assets import font_file
from carddb.core.units import Box, Size
from carddb.layout.display_list import Face, Group, Path, PlacedImage, Run, Stroke, Word, rectangle
from carddb.layout.sheets.imposition import Page
from carddb.layout.text.fonts import Font, FontBook
from carddb.paint.pdf.content_stream import DrawnPage
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import StreamBuilder
from carddb.paint.pdf.sheets import faces_pdf, streams_pdf

CARD = Size(76200, 127000)
SANS = "Alegreya Sans 500"
SERIF = "Cardo 700"


@cache
def book() -> FontBook:
    return FontBook(
        [
            Font(
                SANS,
                "Alegreya Sans",
                "500",
                font_file("fontpkg_alegreya_sans", "files/AlegreyaSans-Medium.ttf").read_bytes(),
            ),
            Font(SERIF, "Cardo", "700", font_file("fontpkg_cardo", "files/Cardo-Bold.ttf").read_bytes()),
        ]
    )


def drawn_pages(
    pages: Iterable[Page], faces: Sequence[Face], builder: StreamBuilder | None = None
) -> Iterator[DrawnPage]:
    """Pages with the content streams of their faces, which lie in `faces` by number."""
    builder = builder or StreamBuilder(book())
    for page in pages:
        yield DrawnPage(page, {placed.face: builder.face(faces[placed.face]) for placed in page.placed})


def face_pdf(face: Face, book: FontBook, images: Mapping[str, bytes] | PdfImages) -> bytes:
    return faces_pdf([face], book, images, title=face.title)


def bled_pdf(face: Face, book: FontBook, images: Mapping[str, bytes], bleed: int) -> bytes:
    return streams_pdf([StreamBuilder(book).face(face)], book, images, bleed=bleed)


def word(text: str, font: str, size: int, advances: tuple[int, ...], tracking: int = 0) -> Word:
    """A word whose width is the sum of its advances."""
    return Word(text, font, size, advances, sum(advances), tracking)


def spelt(
    x: int, y: int, text: str, font: str, size: int, advances: tuple[int, ...],
    colour: str = "#000000", angle: int = 0, field: str = "", tracking: int = 0,
) -> Run:  # fmt: skip
    """A run of one word with advances of one's own."""
    return Run(x, y, (word(text, font, size, advances, tracking),), colour, angle, field)


def run(text: str, x: int, y: int, font: str = SANS, size: int = 3175, tracking: int = 0, angle: int = 0) -> Run:
    ems = book().fonts[font].advances(text)
    advances = tuple(round(em * size) + tracking for em in ems)
    return spelt(x, y, text, font, size, advances, angle=angle, tracking=tracking)


def label(text: str, x: int, y: int, size: int, align: str, angle: int) -> tuple[Run, ...]:
    line = run(text, 0, 0, size=size, angle=angle)
    shift = {"start": 0, "middle": line.width // 2, "end": line.width}[align]
    dx, dy = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}[angle]
    return (spelt(x - dx * shift, y - dy * shift, text, SANS, size, line.advances, angle=angle),)


@cache
def picture(kind: str = "PNG", mode: str = "RGB") -> tuple[str, bytes]:
    grey = Image.linear_gradient("L").resize((30, 20))
    image = Image.merge(mode, [grey.rotate(180 * (i % 2)) for i in range(len(mode))])
    out = BytesIO()
    image.save(out, kind)
    return hashlib.sha256(out.getvalue()).hexdigest(), out.getvalue()


def face(title: str = "Hannibal Barca", colour: str = "#7b3294", size: Size = CARD) -> Face:
    """A face with every kind of shape, its outline on the trim."""
    key, _ = picture()
    return Face(
        size,
        (
            Path(rectangle(Box(0, 0, size.width, size.height)), fill="#ffffff", stroke=Stroke(colour, 200)),
            Group((Path(rectangle(Box(9000, 60000, 9000, 9000)), fill=colour),), opacity=400),
            Group(
                (Path(rectangle(Box(30000, 60000, 9000, 9000)), fill=colour),),
                clip=rectangle(Box(31000, 61000, 7000, 7000)),
            ),
            PlacedImage(key, Box(9000, 80000, 30000, 20000), Box(10000, 81000, 28000, 18000)),
            run(title, 6000, 16000, SERIF, 6350),
            run("7/6 naïve “Łódź” ½ – 1 000 −2", 6000, 30000),
            run("CARTHAGE AVATAR", 6000, 40000, tracking=500),
        ),
        title,
    )


def images() -> dict[str, bytes]:
    return dict([picture(), picture("JPEG")])
