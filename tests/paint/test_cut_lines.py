"""Cut lines as SVG and DXF: they fit the print."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pypdfium2
from PIL import Image, ImageChops, ImageDraw

from carddb.core.units import UM_PER_INCH, Box, Size
from carddb.layout.display_list import Face, Path, rectangle
from carddb.layout.drawing.outline import flattened, polygon
from carddb.layout.drawing.path import parse_path
from carddb.layout.drawing.shapes import outline_of
from carddb.layout.sheets.crop_marks import CutSheet, crop_marks, cut_sheet
from carddb.layout.sheets.grid import cutter_for, sheet_grid
from carddb.layout.sheets.imposition import Page, impose
from carddb.layout.stock import STOCKS
from carddb.paint.cut_lines import cut_dxf, cut_svg
from carddb.paint.pdf.sheets import sheets_pdf
from tests.paint.samples import book, drawn_pages, images
from tests.rows import usually

PAPER = Size(62_000, 70_000)
DPI = 1524
"""Three pixels are 0.05 mm."""


def page_of(shape: str, size: Size) -> Page:
    """A sheet of black pieces without bleed, with registration marks."""
    outline = outline_of(shape, size, lambda _: "")
    grid = sheet_grid(size, STOCKS["plain"], PAPER, bleed=0, outline=outline, cutter=cutter_for("silhouette"))
    page = impose([(0, None)] * len(grid.slots), grid)[0]
    return page._replace(furniture=crop_marks(page))


@usually(
    ("shape", "size"),
    [
        ("circle", Size(12_000, 12_000)),
        ("hexagon flat", Size(12_124, 10_500)),
        ("rectangle 0mm", Size(20_000, 31_010)),
    ],
)
def test_print_and_cut_lines_agree_to_a_twentieth_of_a_millimetre(shape: str, size: Size) -> None:
    """The raster of the PDF and that of the SVG, filled with black, differ nowhere by 0.05 mm; so do the marks."""
    page = page_of(shape, size)
    black = Face(size, (Path(rectangle(Box(0, 0, *size)), "#000000"),))
    pdf = sheets_pdf(drawn_pages([page], [black]), book(), images(), title="Cut")
    printed = pypdfium2.PdfDocument(pdf)[0].render(scale=DPI / 72).to_pil().convert("L")
    cut = Image.new("L", printed.size, 255)
    pen = ImageDraw.Draw(cut)
    scale = DPI * 1000 / UM_PER_INCH
    root = ET.fromstring(cut_svg(cut_sheet(page)))
    assert root.attrib["viewBox"] == "0 0 62 70" and root.attrib["width"] == "62mm"
    (layer,) = (group for group in root if group.attrib["id"] == "cut")
    for element in layer:
        line = tuple(
            (letter, tuple(round(n * 1000) for n in numbers)) for letter, numbers in parse_path(element.attrib["d"])
        )
        pen.polygon([(x / 1000 * scale, y / 1000 * scale) for x, y in flattened(line)], 0)
    for x, y, width, height in ((10, 10, 5, 5), (47, 10, 5, 1), (51, 10, 1, 5), (10, 55, 1, 5), (10, 59, 5, 1)):
        pen.rectangle([round(x * scale), round(y * scale), round((x + width) * scale), round((y + height) * scale)], 0)
    wrong = ImageChops.difference(printed, cut).point(lambda value: 255 if value > 127 else 0)
    assert len(layer) == len(page.slots) and narrowed(wrong).getbbox() is None


def narrowed(picture: Image.Image) -> Image.Image:
    """White where a square of three pixels is white: what is narrower than that is gone."""
    for step in ((1, 0), (1, 0), (0, 1), (0, 1)):
        picture = ImageChops.darker(picture, ImageChops.offset(picture, *step))
    return picture


def test_dxf_is_release_12_with_a_layer_for_each_kind_of_line() -> None:
    """Groups come in pairs; y points upwards in millimetres; closed outlines are closed polylines, folds are open."""
    fold = (("M", (0, 5_000)), ("L", (10_000, 5_000)))
    sheet = CutSheet(Size(20_000, 30_000), (polygon([(0, 0), (10_000, 0), (10_000, 10_010)]),), score=(fold,))
    lines = cut_dxf(sheet).decode().split("\n")[:-1]
    groups = list(zip(map(int, lines[::2]), lines[1::2], strict=True))
    assert groups[:4] == [(0, "SECTION"), (2, "HEADER"), (9, "$ACADVER"), (1, "AC1009")] and groups[-1] == (0, "EOF")
    assert [value for code, value in groups if code == 2][3:6] == ["score", "perforate", "cut"]
    starts = [at for at, group in enumerate(groups) if group == (0, "POLYLINE")]
    assert [(groups[at + 1], groups[at + 3]) for at in starts] == [((8, "score"), (70, "0")), ((8, "cut"), (70, "1"))]
    vertices = [at for at, group in enumerate(groups) if group == (0, "VERTEX")]
    assert [(groups[at + 2][1], groups[at + 3][1]) for at in vertices] == [
        ("0.000", "25.000"), ("10.000", "25.000"), ("0.000", "30.000"), ("10.000", "30.000"), ("10.000", "19.990")
    ]  # fmt: skip
