from fractions import Fraction
from itertools import combinations

import pikepdf
import pypdfium2
import pytest
from PIL import Image

from carddb.core.units import Box, points
from carddb.layout.calibration import (
    CELL,
    GAP,
    LETTERS,
    NONE,
    NUMBERS,
    STEP,
    STRIP,
    ZERO,
    Calibration,
    Correction,
    ScaleReading,
    Vernier,
    about_middle,
    registered,
    room_of,
    ruler_lengths,
    scales,
)
from carddb.layout.display_list import Path, Run, walk
from carddb.layout.drawing.face import DrawingKit
from carddb.layout.sheets.grid import MARGIN
from carddb.layout.sheets.imposition import Matrix, adjusted
from carddb.layout.stock import paper_name, paper_size
from carddb.press.faces.workshop import house_kit
from carddb.press.sheets.proof import calibration_pages, calibration_pdf
from tests.layout.misprint import SAME, Affine, Printer, affine, drawn, read
from tests.paint.content import opened
from tests.rows import usually

PAPERS = ["letter", "a4", "a5", "a3", "tabloid", "5x8in", "11x8.5in", "210x148mm", "3x5in", "4x6in"]
APPLIED = Correction(310, -120, 2094, 1500, -800, 4016, -1996)


@pytest.fixture(scope="module")
def kit() -> DrawingKit:
    return house_kit()


def faces(page: Calibration, kit: DrawingKit) -> tuple[list[Run], list[Run]]:
    front, back = calibration_pages(kit, page)
    on_front, on_back = ([run for run in walk(side.furniture) if isinstance(run, Run)] for side in (front, back))
    return on_front, on_back


def area(run: Run) -> Box:
    """About the room of a line without its descenders."""
    return Box(run.x, run.y - run.size * 7 // 10, run.width, run.size * 7 // 10)


@usually("paper", PAPERS)
@usually("flip", ["long-edge", "short-edge"])
@pytest.mark.full
def test_every_word_can_be_read_and_printed(paper: str, flip: str, kit: DrawingKit) -> None:
    """Nothing is smaller than 6 points, runs into another word, or lies where printers leave the paper white."""
    page = Calibration(paper_size(paper), flip, APPLIED, "the-one-in-the-cellar", "rear")
    printed = Box(0, 0, page.size.width, page.size.height).grown(-MARGIN)
    for runs in faces(page, kit):
        assert not [run.text for run in runs if run.size < points(6) or not printed.contains(area(run))]
        assert not [(a.text, b.text) for a, b in combinations(runs, 2) if area(a).overlaps(area(b))]
    for side in calibration_pages(kit, page):
        spots = [
            (values[i], values[i + 1])
            for shape in walk(side.furniture)
            if isinstance(shape, Path)
            for _, values in shape.ops
            for i in range(0, len(values), 2)
        ]
        assert all(printed.contains(Box(x, y, 0, 0)) for x, y in spots)


@usually("paper", PAPERS)
def test_the_page_says_what_it_is_and_what_to_type(paper: str, kit: DrawingKit) -> None:
    """Name, tray, paper, settings and the command with the page's code stand on the front; the back has its code."""
    page = Calibration(paper_size(paper), "short-edge", APPLIED, "home", "2")
    front, back = ("".join(f"{run.text} " for run in runs) for runs in faces(page, kit))
    words = " ".join(front.split())
    for part in ("home", "tray 2", "short edge", "x +0.31 mm, y −0.12 mm, angle +0.120°", f"page {page.code}"):
        assert part in words, part
    option = "" if paper == "letter" else f"--paper {paper_name(page.size)} "
    assert f"carddb printer set home {option}--tray 2 --page {page.code} --read" in words
    if len(scales(page.size)) == 6:
        assert "back 100.15 × 99.92 %, scale 100.40 × 99.80 %" in words
        assert page.code in back


def test_a_code_tells_pages_apart() -> None:
    """Another printer, tray, paper, flip or correction has another code; the same page has the same one."""
    size = paper_size("letter")
    pages = [
        Calibration(size, "long-edge"),
        Calibration(size, "short-edge"),
        Calibration(size.turned, "long-edge"),
        Calibration(size, "long-edge", name="home"),
        Calibration(size, "long-edge", tray="2"),
        Calibration(size, "long-edge", APPLIED),
    ]
    assert len({page.code for page in pages}) == len(pages)
    assert Calibration(size, "long-edge", Correction(), "").code == pages[0].code


@usually("paper", PAPERS)
def test_rulers_are_drawn_as_long_as_they_say(paper: str, kit: DrawingKit) -> None:
    """Two lines of 100 mm, of 50 mm where there is no more room, and none on a card."""
    size = paper_size(paper)
    front = calibration_pages(kit, Calibration(size, "long-edge"))[0]
    lines = [shape.ops for shape in walk(front.furniture) if isinstance(shape, Path) and len(shape.ops) == 2]
    rulers = ruler_lengths(size)
    if rulers is None:
        assert len(scales(size)) == 4
        return
    assert rulers == (100_000, 100_000) or min(size.width, size.height) < 150_000
    ends = [(first[1], last[1]) for first, last in lines]
    for axis in (0, 1):
        lengths = {abs(a[axis] - b[axis]) for a, b in ends if room_of(size).contains(Box(a[0], a[1], 0, 0))}
        assert rulers[axis] in lengths


# What a file says is done to its back, found without asking the program.


def matrices(page: pikepdf.Page) -> list[list[float]]:
    operations = pikepdf.parse_content_stream(page)
    return [[float(number) for number in each.operands] for each in operations if str(each.operator) == "cm"]


@usually("flip", ["long-edge", "short-edge"])
@usually("paper", ["letter", "11x8.5in", "3x5in"], "3x5in")
def test_the_back_differs_from_nominal_by_the_correction(paper: str, flip: str) -> None:
    """One more matrix stands after the page's own: on the back the whole correction, on the front the scale alone."""
    size = paper_size(paper)
    nominal = opened(calibration_pdf(Calibration(size, flip)))
    file = opened(calibration_pdf(Calibration(size, flip, APPLIED)))
    for side, plain, page in zip(("front", "back"), nominal.pages, file.pages, strict=True):
        assert matrices(plain)[0] == matrices(page)[0]
        assert len(matrices(plain)) + 1 == len(matrices(page))
        assert matrices(page)[1] == pytest.approx(drawn(APPLIED, size, side), abs=1e-6)
        assert page.MediaBox == plain.MediaBox


def test_a_page_without_a_correction_is_not_moved() -> None:
    """A correction of nothing adds nothing to the file."""
    pages = opened(calibration_pdf(Calibration(paper_size("a4"), "long-edge"))).pages
    assert [len(matrices(page)) for page in pages] == [1, 1]


def test_a_box_follows_the_matrix() -> None:
    """The rectangle round what a matrix has moved."""
    one, none = Fraction(1), Fraction(0)
    shift: Matrix = (one, none, none, one, Fraction(300), Fraction(-200))
    assert adjusted(Box(1000, 2000, 500, 400), shift) == Box(1300, 1800, 500, 400)
    turn = about_middle((none, one, -one, none), (0, 0), paper_size("100x100mm"))
    assert adjusted(Box(0, 0, 10_000, 20_000), turn) == Box(80_000, 0, 20_000, 10_000)


# Printed, misprinted, turned over and held against a lamp.

DPI = 500
UM = 25_400 / DPI


def misprinted(picture: Image.Image, what: Affine) -> Image.Image:
    """A page as it comes out of a printer that does that to it."""
    a, b, c, d, e, f = what
    area = a * d - b * c
    back = (d / area, -c / area, (c * f - d * e) / area / UM, -b / area, a / area, (b * e - a * f) / area / UM)
    return picture.transform(picture.size, Image.Transform.AFFINE, back, Image.Resampling.BILINEAR, fillcolor=255)


def through(page: Calibration, back: Affine) -> Image.Image:
    """The back as it shines through the front."""
    sheet = pypdfium2.PdfDocument(calibration_pdf(page))[1].render(scale=DPI / 72).to_pil().convert("L")
    sideways = (page.flip == "long-edge") == (page.size.height >= page.size.width)
    over = Image.Transpose.FLIP_LEFT_RIGHT if sideways else Image.Transpose.FLIP_TOP_BOTTOM
    return misprinted(sheet, back).transpose(over)


def dark(picture: Image.Image, scale: Vernier, along: int, inwards: int, half: int, reach: int) -> int:
    """How much ink lies round a point of a scale."""
    (x1, y1), (x2, y2) = scale.at(along - half, inwards - reach), scale.at(along + half, inwards + reach)
    left, right, top, bottom = (round(n / UM) for n in (min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)))
    return 255 * (right - left) * (bottom - top) - sum(picture.crop((left, top, right, bottom)).tobytes())


def seen(picture: Image.Image, scale: Vernier) -> ScaleReading:
    """The number whose gap is darkest in its middle, and the letter in whose cell most of the long line lies."""
    number = max(
        range(NUMBERS), key=lambda n: dark(picture, scale, (n - ZERO) * STEP, 0, 100, GAP // 3) / (1 + (n == ZERO) / 50)
    )
    middle = (STRIP[0] + STRIP[1]) // 2
    cells = [(place - len(LETTERS) // 2) * CELL for place in range(len(LETTERS))]
    letter = max(range(len(LETTERS)), key=lambda place: dark(picture, scale, cells[place], middle, CELL // 2, 300))
    return ScaleReading(LETTERS[letter], number)


@usually(
    "paper, flip", [("3x5in", "short-edge"), ("a5", "long-edge"), ("a5", "short-edge"), ("210x148mm", "long-edge")]
)
def test_the_printed_scales_read_what_geometry_says(paper: str, flip: str) -> None:
    """Rasterised, misprinted and turned over, the picture reads as computed, and once corrected it reads zero."""
    size = paper_size(paper)
    back = affine(size, 1730, -860, 0.2, 1.0, 1.0)
    printer = Printer(size, flip, SAME, back)
    page = Calibration(size, flip)
    picture = through(page, back)
    readings = [seen(picture, scale) for scale in scales(size)]
    for found, said in zip(readings, read(printer, NONE), strict=True):
        assert found.letter == said.letter and abs(found.number - said.number) <= 1
    correction = registered(readings, size, flip, NONE)
    picture = through(Calibration(size, flip, correction), back)
    for scale in scales(size):
        again = seen(picture, scale)
        assert again.letter == "F" and abs(again.number - ZERO) <= 1
