"""Files for a printing press: the inks on their plates, and the keys of PDF/X."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path as FilePath

import pikepdf
import pytest
from PIL import Image, ImageCms

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.colours import mixed
from carddb.layout.display_list import Face, Gradient, Group, Path, PlacedImage, Stop, rectangle
from carddb.layout.prepress import FULL, Ink, opaque
from carddb.layout.sheets.grid import whole_page
from carddb.layout.sheets.imposition import Page, Placed
from carddb.paint.pdf.images import PdfImages
from carddb.paint.pdf.operators import StreamBuilder
from carddb.paint.pdf.output_profile import prepress_of
from carddb.paint.pdf.prepress import Prepress, Standard
from carddb.paint.pdf.sheets import sheets_pdf
from tests.paint.samples import book, drawn_pages, run

PROFILE = FilePath("/usr/share/color/icc/ghostscript/default_cmyk.icc")
pytestmark = [
    pytest.mark.door,
    pytest.mark.skipif(not (shutil.which("gs") and PROFILE.is_file()), reason="Ghostscript is not installed"),
]
X1A: Standard = "PDF/X-1a:2003"
X4: Standard = "PDF/X-4"
SIZE = Size(40_000, 60_000)
RED = {"#aa2233": (0, 900, 800, 50)}
RGB = {"rg", "RG", "sc", "SC", "scn", "SCN", "cs", "CS"}


def area(colour: str, x: int, y: int, width: int, height: int, gradient: Gradient | None = None) -> Path:
    return Path(rectangle(Box(x, y, width, height)), fill=colour, gradient=gradient)


def image(mode: str, kind: str = "PNG") -> bytes:
    """A picture of noise, the same each time; with alpha, its left half is clear."""
    if mode == "P":
        return saved(Image.open(BytesIO(image("RGB"))).quantize(16), kind)
    bands = len(Image.new(mode, (1, 1)).getbands())
    picture = Image.frombytes(mode, (80, 80), random.Random(7).randbytes(80 * 80 * bands))
    if mode == "RGBA":
        picture.putalpha(Image.new("L", (80, 80), 255))
        picture.paste((0, 0, 0, 0), (0, 0, 40, 80))
    return saved(picture, kind)


def saved(picture: Image.Image, kind: str) -> bytes:
    out = BytesIO()
    picture.save(out, kind)
    return out.getvalue()


PICTURES = [image("RGB"), image("RGB", "JPEG"), image("RGBA"), image("P"), image("L"), image("L", "JPEG")]
FILES = {hashlib.sha256(data).hexdigest(): data for data in PICTURES}


def everything() -> Face:
    """A face with words, a gradient, a transparent group, a fading gradient and pictures of all kinds."""
    fade = Gradient((0, 0, 1, 0), (9000, 0, 0, 9000, 2000, 0), (Stop(0.0, "#204060", 900), Stop(1.0, "#aa2233", 100)))
    shade = fade._replace(stops=tuple(stop._replace(opacity=1000) for stop in fade.stops))
    pictures = [
        PlacedImage(key, box := Box(1000 + 6000 * at, 40_000, 5000, 5000), box) for at, key in enumerate(FILES)
    ]  # fmt: skip
    return Face(
        SIZE,
        (
            area("#e8e0d0", 0, 0, 40_000, 30_000),
            area("#aa2233", 1000, 1000, 8000, 8000, shade),
            area("#aa2233", 11_000, 1000, 8000, 8000, fade),
            Group((area("#204060", 21_000, 1000, 8000, 8000),), opacity=500),
            run("Black words", 2000, 20_000),
            *pictures,
        ),
    )


def printed(face: Face, press: Prepress) -> bytes:
    """The face on a page of its own size, without marks."""
    images = PdfImages(FILES, 300, prepress=press, strict=True)
    box = Box(0, 0, *face.size)
    grid = whole_page(face.size)._replace(bleed=0)
    page = Page(grid, "front", 1, 1, grid.slots, 1, (Placed(0, box, box, 0),))
    face = face if press.blends else opaque(face)[0]
    pages = drawn_pages([page], [face], StreamBuilder(book(), press.inks))
    return sheets_pdf(pages, book(), images, title="A <title>", duplex="none", prepress=press)


def press(standard: Standard, named: dict[str, Ink] | None = None, limit: int = FULL) -> Prepress:
    return prepress_of(PROFILE.read_bytes(), standard, named or {}, limit)


def plates(data: bytes, folder: FilePath, *spots: str) -> dict[str, Image.Image]:
    """The plates of the first page at 100 dots per inch, by ink: 255 is full ink."""
    file = folder / "in.pdf"
    file.write_bytes(data)
    command = ["gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=tiffsep", "-r100", "-dOverprint=/enable",
               f"-sOutputFile={folder}/p.tif", str(file)]  # fmt: skip
    subprocess.run(command, check=True, timeout=60, capture_output=True)
    names = ("Cyan", "Magenta", "Yellow", "Black", *spots)
    return {name: Image.open(folder / f"p({name}).tif").point(lambda value: 255 - value) for name in names}


def at(inks: dict[str, Image.Image], x: int, y: int) -> list[float]:
    """The percentages of ink at a place in micrometres."""
    return [round(float(plate.getpixel((x * 100 // 25_400, y * 100 // 25_400))) / 2.55, 1)  # type: ignore[arg-type]
            for plate in inks.values()]  # fmt: skip


def contents(
    part: pikepdf.Page | pikepdf.Object, resources: pikepdf.Object, seen: set[tuple[int, int]]
) -> Iterator[tuple[str, object]]:
    """Every operator, image, graphics state, shading and form of a page, forms followed into."""
    for instruction in pikepdf.parse_content_stream(part):
        yield "operator", str(instruction.operator)
    for state in dict(resources.get("/ExtGState", {})).values():
        yield "state", state
    for shading in dict(resources.get("/Shading", {})).values():
        yield "space", str(shading.ColorSpace)
    for item in dict(resources.get("/XObject", {})).values():
        if item.objgen in seen:
            continue
        seen.add(item.objgen)
        yield ("form" if item.Subtype == "/Form" else "image"), item
        if item.Subtype == "/Form":
            yield from contents(item, item.Resources, seen)
        else:
            yield "space", str(item.get("/ColorSpace"))


@pytest.mark.parametrize("standard", [X1A, X4])
def test_no_page_and_no_form_has_a_colour_but_ink(standard: Standard) -> None:
    """No operator, picture or shading is RGB; PDF/X-1a has no soft mask, group or opacity either."""
    pdf = pikepdf.open(BytesIO(printed(everything(), press(standard))))
    found = [each for page in pdf.pages for each in contents(page, page.Resources, set())]
    assert not RGB & {each for kind, each in found if kind == "operator"}
    assert {each for kind, each in found if kind == "space"} == {"/DeviceCMYK", "/DeviceGray"}
    assert sum(kind == "image" for kind, _ in found) == len(PICTURES)
    states = [each for kind, each in found if kind == "state"]
    drawn = [each for kind, each in found if kind in ("form", "image")]
    assert any("/OP" in state for state in states)  # type: ignore[operator]
    soft = [each for each in drawn if "/SMask" in each or "/Group" in each]  # type: ignore[operator]
    soft += [state for state in states if {"/SMask", "/ca", "/CA", "/BM"} & set(state.keys())]  # type: ignore[attr-defined]
    assert bool(soft) == (standard == X4)
    assert any("/Mask" in each for each in drawn) == (standard == X1A)  # type: ignore[operator]


@pytest.mark.parametrize(("standard", "version"), [(X1A, "1.4"), (X4, "1.6")])
def test_the_file_says_what_the_standard_asks_for(standard: Standard, version: str) -> None:
    """Version, intent with its profile, metadata, information, boxes, ids and fonts are there and agree."""
    data = printed(everything(), press(standard))
    pdf = pikepdf.open(BytesIO(data))
    assert pdf.pdf_version == version and not pdf.is_encrypted
    (intent,) = pdf.Root.OutputIntents
    assert str(intent.S) == "/GTS_PDFX" and str(intent.OutputConditionIdentifier) == "Artifex CMYK SWOP Profile"
    assert intent.DestOutputProfile.N == 4 and intent.DestOutputProfile.read_bytes() == PROFILE.read_bytes()
    info, one = pdf.docinfo, standard == X1A
    assert info.Trapped == "/False" and {"/Title", "/CreationDate", "/ModDate", "/Creator", "/Producer"} <= info.keys()
    assert (info.get("/GTS_PDFXVersion"), info.get("/GTS_PDFXConformance")) == ((standard,) * 2 if one else (None,) * 2)
    with pdf.open_metadata() as metadata:
        key = "{http://ns.adobe.com/pdfx/1.3/}" if one else "{http://www.npes.org/pdfx/ns/id/}"
        assert metadata[f"{key}GTS_PDFXVersion"] == standard
        assert metadata["dc:title"] == info.Title == "A <title>"
        assert metadata["pdf:Trapped"] == "False" and metadata["xmpMM:DocumentID"]
        assert metadata["xmp:CreateDate"] == metadata["xmp:ModifyDate"] == "1970-01-01T00:00:00Z"
    assert len(pdf.trailer.ID) == 2
    for page in pdf.pages:
        media, bleed, trim = ([float(side) for side in page[key]] for key in ("/MediaBox", "/BleedBox", "/TrimBox"))
        assert media[0] <= bleed[0] <= trim[0] < trim[2] <= bleed[2] <= media[2]
    fonts = [each for each in pdf.objects if isinstance(each, pikepdf.Dictionary) and each.get("/Type") == "/Font"]
    assert fonts and all("/FontFile2" in font.FontDescriptor for font in fonts)
    assert data == printed(everything(), press(standard))


def test_the_plates_hold_the_inks_of_the_game(tmp_path: FilePath) -> None:
    """A named colour, a grey and white are on their plates as they should; black words leave the colours under them."""
    letter = run("I", 2000, 25_000, size=30_000)
    face = Face(SIZE, (area("#aa2233", 0, 0, 40_000, 30_000), area("#808080", 0, 30_000, 40_000, 9000), letter))
    inks = plates(printed(face, press(X4, RED)), tmp_path)
    assert at(inks, 30_000, 10_000) == pytest.approx([0, 90, 80, 5], abs=1)
    assert at(inks, 30_000, 35_000) == pytest.approx([0, 0, 0, 50], abs=1)
    assert at(inks, 30_000, 50_000) == [0, 0, 0, 0]
    black = inks["Black"].point(lambda value: 255 * (value > 250))
    assert black.getbbox() is not None
    left, top, right, bottom = black.getbbox() or (0, 0, 0, 0)
    middle = ((left + right) // 2 * 254, (top + bottom) // 2 * 254)
    assert at(inks, *middle) == pytest.approx([0, 90, 80, 100], abs=1)
    inks = plates(printed(face, press(X4, RED, 2400)), tmp_path)
    assert at(inks, *middle) == [0, 0, 0, 100]


def test_foil_and_varnish_have_plates_of_their_own(tmp_path: FilePath) -> None:
    """Foil takes the place of the inks, varnish lies over them, and both plates hold nothing else."""
    spots = {"#c0a040": "foil", "#00ff00": "uv"}
    job = prepress_of(PROFILE.read_bytes(), X1A, RED | {"#c0a040": (0, 200, 700, 200)}, spots=spots)
    shapes = (
        area("#aa2233", 0, 0, 40_000, 60_000),
        area("#c0a040", 0, 0, 20_000, 20_000),
        Group((area("#00ff00", 0, 30_000, 20_000, 20_000),)),
        run("Words on it", 22_000, 40_000),
    )
    inks = plates(printed(Face(SIZE, shapes), job), tmp_path, "foil", "uv")
    assert at(inks, 10_000, 10_000) == pytest.approx([0, 0, 0, 0, 100, 0], abs=1)
    assert at(inks, 10_000, 40_000) == pytest.approx([0, 90, 80, 5, 0, 100], abs=1)
    assert at(inks, 30_000, 10_000) == pytest.approx([0, 90, 80, 5, 0, 0], abs=1)


@pytest.mark.parametrize("standard", [X1A, X4])
def test_no_place_of_a_page_is_over_the_limit(standard: Standard, tmp_path: FilePath) -> None:
    """Pictures, gradients and words together stay at most at the limit."""
    inks = plates(printed(everything(), press(standard, RED, 2400)), tmp_path)
    sums = [sum(parts) for parts in zip(*(plate.tobytes() for plate in inks.values()), strict=True)]
    assert 500 < max(sums) <= 2.4 * 255 + 4


def test_an_opaque_mix_is_printed_through_the_profile(tmp_path: FilePath) -> None:
    """In PDF/X-1a a half transparent colour on a ground has the inks of the colour that it shows."""
    shapes = (area("#e8e0d0", 0, 0, 40_000, 60_000), Group((area("#204060", 9000, 9000, 20_000, 9000),), opacity=500))
    job = press(X1A)
    inks = plates(printed(Face(SIZE, shapes), job), tmp_path)
    due = [amount / 10 for amount in job.inks.ink(mixed("#204060", "#e8e0d0", 500))]
    assert at(inks, 15_000, 13_000) == pytest.approx(due, abs=1)


def test_only_a_profile_of_a_printer_in_cmyk_is_taken() -> None:
    """A profile of a screen and a file that is none are refused in a sentence."""
    screen = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    for data, why in ((screen, "not of a CMYK printer"), (b"no profile", "cannot be read")):
        with pytest.raises(UsageError, match=why):
            prepress_of(data, X4, {})
