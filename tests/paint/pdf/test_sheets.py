import itertools
import subprocess
import sys
from io import BytesIO
from pathlib import Path as FilePath

import pikepdf
import pypdfium2
import pytest
from fontTools.ttLib import TTFont

import carddb
from carddb.core.errors import FontError, InputError
from carddb.core.units import Box, Size
from carddb.layout.display_list import UNSEEN, Face, Group, Path, PlacedImage, Stroke, rectangle
from carddb.layout.sheets.furniture import Caption, furnish
from carddb.layout.sheets.grid import sheet_grid
from carddb.layout.sheets.imposition import Page, impose
from carddb.layout.stock import CARDS, PAPERS, STOCKS
from carddb.layout.text.fonts import Font, FontBook
from carddb.paint.pdf.sheets import faces_pdf, sheets_pdf
from tests.paint.content import MM, drawn, near, opened
from tests.paint.samples import (
    CARD,
    SANS,
    SERIF,
    bled_pdf,
    book,
    drawn_pages,
    face,
    face_pdf,
    images,
    label,
    picture,
    run,
    spelt,
)
from tests.rows import every

FACES = [face(), face("War Elephants", "#008837"), Face(CARD, (run("BACK", 20000, 20000, SERIF, 9000),), "Back")]


def pages(count: int = 5, stock: str = "plain", flip: str = "long-edge", card: Size = CARD) -> list[Page]:
    grid = sheet_grid(card, STOCKS[stock], PAPERS["letter"])
    caption = Caption("Game", "Deck", "Free.")
    return [furnish(page, caption, label) for page in impose([(i % 2, 2) for i in range(count)], grid, flip)]


def pdf(sheets: list[Page] | None = None, faces: list[Face] | None = None, **options: object) -> bytes:
    settings = {"title": "Empires · Übung", "lang": "en-GB", "creation": 1_700_000_000} | options
    return sheets_pdf(drawn_pages(sheets or pages(), faces or FACES), book(), images(), **settings)  # type: ignore[arg-type]


def test_cards_lie_on_paper_to_a_hundredth_of_a_millimetre() -> None:
    """The corners of every trim are drawn where the plan says, on fronts and backs."""
    sheets = pages(3)
    file = opened(pdf(sheets))
    for sheet, page in zip(sheets[:1], file.pages, strict=False):
        corners = [point for name, points in drawn(page)[0] if name in ("m", "l", "re") for point in points]
        for box in sheet.trims:
            for x, y in ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)):
                assert any(near(corner, (x / 1000, y / 1000)) for corner in corners)


def test_turned_and_scaled_cards_lie_true() -> None:
    """A face turned to Avery stock, or scaled to a poker card, has its corners on the trim it was given."""
    for sheets in (pages(3, "avery-5388"), pages(9, card=CARDS["poker"], flip="short-edge")):
        page = opened(pdf(sheets)).pages[0]
        corners = [point for name, points in drawn(page)[0] if name in ("m", "l", "re") for point in points]
        for box in sheets[0].trims:
            middle = (box.x + box.width / 2) / 1000, box.y / 1000
            tops = [y for x, y in corners if abs(y - middle[1]) < 0.01]
            assert tops and any(near(corner, (corner[0], box.bottom / 1000)) for corner in corners)


def test_a_drawn_ruler_is_fifty_millimetres_long() -> None:
    """In the file's own coordinates the ruler's line is 50.8 mm, two inches."""
    paths, _ = drawn(opened(pdf()).pages[0])
    points = [points[0] for _, points in paths]
    lengths = [abs(a[1] - b[1]) for a, b in itertools.pairwise(points) if abs(a[0] - b[0]) < 1e-6]
    assert any(abs(length - 50.8) < 0.001 for length in lengths)


def test_trim_lines_render_where_they_are_planned() -> None:
    """Rendered at 600 dpi the coloured outline of the first card is found on its trim."""
    dpi = 600
    document = pypdfium2.PdfDocument(pdf())
    image = document[0].render(scale=dpi / 72).to_pil()
    box = pages()[0].trims[0]
    row = round((box.y + box.height * 0.9) / 25400 * dpi)
    coloured = [x for x in range(image.width) if image.getpixel((x, row))[:3] == (0x7B, 0x32, 0x94)]
    left, right = min(coloured), max(x for x in coloured if x < (box.right + 2000) / 25400 * dpi)
    assert abs(left - (box.x - 100) / 25400 * dpi) <= 1.5
    assert abs(right - box.right / 25400 * dpi) <= 2.5


@pytest.mark.parametrize(
    ("stock", "flip", "duplex"),
    [
        ("plain", "long-edge", "/DuplexFlipLongEdge"),
        ("plain", "short-edge", "/DuplexFlipShortEdge"),
        ("plain", "none", "/Simplex"),
    ],
)
def test_the_printer_is_told_scale_and_sides(stock: str, flip: str, duplex: str) -> None:
    """The file asks for its own size, for the right edge to turn on, and not for a tray by page size."""
    wishes = opened(pdf(pages(stock=stock, flip=flip), duplex=flip)).Root.ViewerPreferences
    assert wishes.PrintScaling == "/None"
    assert wishes.Duplex == duplex
    assert not wishes.PickTrayByPDFSize


def test_pages_have_their_boxes_labels_and_bookmarks() -> None:
    """Media and crop box are the paper, the trim box is the cards; labels name sheet and side, bookmarks headings."""
    file = opened(pdf(headings={0: ("Deck", "Generals"), 1: ("Deck", "Soldiers")}))
    first = file.pages[0]
    assert [float(number) for number in first.MediaBox] == [0, 0, 612, 792]
    assert first.CropBox == first.MediaBox
    assert [float(number) for number in first.TrimBox] == pytest.approx([90, 43.2, 522, 763.2], abs=0.001)
    assert next(float(number) for number in file.pages[3].BleedBox) < 522
    assert [page.label for page in file.pages] == ["1 front", "1 back", "2 front", "2 back"]
    with file.open_outline() as outline:
        assert outline.root[0].title == "Deck"
        assert [item.title for item in outline.root[0].children][:2] == ["Generals", "Soldiers"]


def test_the_file_says_its_title_and_language_and_no_author() -> None:
    """Title, language and the given date are in the file, nothing about anybody."""
    file = opened(pdf())
    assert str(file.Root.Lang) == "en-GB"
    assert str(file.docinfo.Title) == "Empires · Übung"
    assert str(file.docinfo.CreationDate).startswith("D:20231114221320")
    assert "/Author" not in file.docinfo


def test_fonts_are_embedded_once_and_only_as_far_as_used() -> None:
    """Two fonts on many pages are two embedded subsets, and no other font is named."""
    file = opened(pdf(pages(20)))
    fonts = [item for item in file.objects if isinstance(item, pikepdf.Dictionary) and item.get("/Type") == "/Font"]
    assert len(fonts) == 2
    for font in fonts:
        assert len(font.FontDescriptor.FontFile2.read_bytes()) < 20_000
    assert b"Helvetica" not in pdf()


def test_a_picture_used_on_forty_cards_is_in_the_file_once() -> None:
    """Copies draw one image object; JPEG bytes go in untouched, a mask goes with what is see-through."""
    key, data = picture("JPEG")
    ghost, ghost_data = picture("PNG", "RGBA")
    box = Box(1000, 1000, 30000, 20000)
    faces = [Face(CARD, (PlacedImage(key, box, box), PlacedImage(ghost, box, box)), f"Card {i}") for i in range(40)]
    sheets = impose([(i, None) for i in range(40)], sheet_grid(CARD, STOCKS["plain"], PAPERS["letter"]))
    file = opened(sheets_pdf(drawn_pages(sheets, faces), book(), {key: data, ghost: ghost_data}, title="t"))
    streams = [item for item in file.objects if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Image"]
    assert len(streams) == 3
    assert [stream.read_raw_bytes() == data for stream in streams].count(True) == 1
    assert sum("/SMask" in stream for stream in streams) == 1


def test_text_extracts_as_typed() -> None:
    """Kerned, tracked and accented text comes out of the file as the words that went in."""
    words = [
        "AVATAR To Te",
        "CARTHAGE AVATAR",
        "7/6 naïve “Łódź” ½ – −2",
        "(back\\slash) ffl fi",
        "One line of elephants",
    ]
    runs = [run(words[0], 6000, 20000), run(words[1], 6000, 30000, tracking=600)]
    runs += [run(text, 6000, 40000 + 8000 * i) for i, text in enumerate(words[2:])]
    data = face_pdf(Face(CARD, tuple(runs), "t"), book(), {})
    assert pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range().split("\r\n") == words


def test_more_characters_than_a_subset_holds_extract_too() -> None:
    """A run over more than 255 different characters is shown in several subsets and reads on without a break."""
    have = sorted(book().fonts[SERIF].characters)
    letters = "".join(chr(code) for code in have if chr(code).isalpha() and code < 0x250)[:290]
    assert len(set(letters)) > 256
    lines = [run(letters[i : i + 30], 5000, 10000 + 5000 * (i // 30), SERIF) for i in range(0, len(letters), 30)]
    data = face_pdf(Face(CARD, tuple(lines), "t"), book(), {})
    text = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range().replace("\r\n", "")
    assert text == letters


def test_characters_stand_where_their_advances_say() -> None:
    """The left edges of glyphs in the file follow our advances, not the font's, within a hundredth of a millimetre."""
    advances = (4000, 9000, 2500, 7000, 3000)
    line = spelt(5000, 20000, "HHHHH", SANS, 4000, advances)
    page = pypdfium2.PdfDocument(face_pdf(Face(CARD, (line,), "t"), book(), {}))[0].get_textpage()
    lefts = [page.get_charbox(i)[0] / MM for i in range(page.count_chars()) if page.get_text_range(i, 1) == "H"]
    steps = [b - a for a, b in itertools.pairwise(lefts)]
    assert steps == pytest.approx([advance / 1000 for advance in advances[:4]], abs=0.01)


def test_text_in_a_group_is_set_as_it_says() -> None:
    """What was set before a group, tracking and unseen words, is not set for the text in it."""
    words = spelt(5000, 60000, "HHHHH", SANS, 4000, (4000,) * 5)
    before = (run("ZZZ", 5000, 40000, tracking=2000), run("Z", 5000, 20000)._replace(colour=UNSEEN))
    alone, after = (
        Face(CARD, (*first, Group((words,)), Group((words._replace(y=70000),), opacity=500)), "t")
        for first in ((), before)
    )
    lefts, later = (_lefts(face, "H") for face in (alone, after))
    assert lefts == pytest.approx(later, abs=0.01) and len(lefts) == 10
    pictures = [
        pypdfium2.PdfDocument(face_pdf(face, book(), {}))[0].render(scale=2).to_pil() for face in (alone, after)
    ]
    assert len({picture.crop((0, 290, picture.width, 420)).tobytes() for picture in pictures}) == 1


def _lefts(face: Face, letter: str) -> list[float]:
    page = pypdfium2.PdfDocument(face_pdf(face, book(), {}))[0].get_textpage()
    return [page.get_charbox(i)[0] / MM for i in range(page.count_chars()) if page.get_text_range(i, 1) == letter]


@every("angle", [0, 90, 180, 270, 30])
def test_turned_text_runs_its_way(angle: int) -> None:
    """A run turned clockwise still extracts, and starts at its own point."""
    page = opened(face_pdf(Face(CARD, (run("turned text", 38000, 60000, angle=angle),), "t"), book(), {})).pages[0]
    assert near(drawn(page)[1][0], (38, 60))
    data = face_pdf(Face(CARD, (run("turned", 38000, 60000, angle=angle),), "t"), book(), {})
    assert pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range() == "turned"


def test_a_light_face_repeats_its_operators() -> None:
    """Copies of a face of few operators repeat them, each in its own place, and cost next to nothing."""
    one, many = (len(pdf(pages(count))) for count in (4, 40))
    assert many < one + 40_000
    content = opened(pdf(pages(4))).pages[0].Contents.read_bytes()
    assert content.count(b"/O400 gs") == 4


def test_a_group_is_seen_through_as_one() -> None:
    """Two overlapping shapes at half opacity are as light where they overlap as elsewhere."""
    box = Box(10000, 10000, 20000, 20000)
    shapes = (Path(rectangle(box), fill="#000000"), Path(rectangle(Box(20000, 20000, 20000, 20000)), fill="#000000"))
    data = face_pdf(Face(CARD, (Group(shapes, opacity=500),), "t"), book(), {})
    image = pypdfium2.PdfDocument(data)[0].render(scale=1).to_pil()
    levels = {image.getpixel((round(mm * MM), round(mm * MM)))[0] for mm in (15, 25, 35)}
    assert len(levels) == 1 and 120 < levels.pop() < 135


def test_a_clip_may_have_a_hole() -> None:
    """An even-odd clip leaves its inner outline out."""
    ring = (*rectangle(Box(10000, 10000, 30000, 30000)), *rectangle(Box(20000, 20000, 10000, 10000)))
    shape = Path(rectangle(Box(0, 0, 60000, 60000)), fill="#000000")
    data = face_pdf(Face(CARD, (Group((shape,), clip=ring, evenodd=True),), "t"), book(), {})
    image = pypdfium2.PdfDocument(data)[0].render(scale=1).to_pil()
    colours = [image.getpixel((round(mm * MM), round(mm * MM)))[0] for mm in (5, 15, 25, 35, 45)]
    assert colours == [255, 0, 255, 0, 255]


def test_a_single_face_has_its_trim_and_bleed() -> None:
    """A page of one card is the card with bleed, and its TrimBox is the card."""
    page = opened(bled_pdf(face(), book(), images(), 3000)).pages[0]
    assert [float(n) for n in page.MediaBox] == pytest.approx([0, 0, 82.2 * MM, 133 * MM], abs=0.001)
    assert [float(n) for n in page.TrimBox] == pytest.approx([3 * MM, 3 * MM, 79.2 * MM, 130 * MM], abs=0.001)


SCRIPT = """
import hashlib, sys
sys.path[:0] = [{root!r}]
from tests.paint.pdf.test_sheets import pdf
print(hashlib.sha256(pdf()).hexdigest())
"""


@pytest.mark.door
def test_the_same_input_gives_the_same_bytes_in_every_process() -> None:
    """Neither the hash seed, nor the time zone, nor SOURCE_DATE_EPOCH in the environment changes a byte."""
    code = SCRIPT.format(root=str(FilePath(carddb.__file__).parent.parent))
    settings = [
        {"PYTHONHASHSEED": "1", "TZ": "UTC"},
        {"PYTHONHASHSEED": "77", "TZ": "Asia/Tokyo", "SOURCE_DATE_EPOCH": "5"},
    ]
    answers = {
        subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True).stdout
        for env in settings
    }
    assert len(answers) == 1


def test_the_file_is_sound() -> None:
    """A strict reader finds nothing to complain of, and another title gives another file ID."""
    file = opened(pdf())
    assert file.check_pdf_syntax() == []
    assert file.trailer.ID != opened(pdf(title="Other")).trailer.ID


def test_a_font_without_truetype_outlines_is_refused() -> None:
    """A CFF font is answered with a sentence, not with a broken file."""
    odd = FontBook([Font(SANS, "Alegreya Sans", "500", b"OTTO" + bytes(100))])
    with pytest.raises(FontError, match="TrueType"):
        face_pdf(Face(CARD, (run("a", 0, 9000),), "t"), odd, {})
    with pytest.raises(FontError, match="not part of the job"):
        face_pdf(face(), FontBook([]), images())


@pytest.mark.parametrize("data", [b"\x00\x01\x00\x00" + bytes(60), b"\x00\x01\x00\x00"], ids=["empty", "cut off"])
def test_a_broken_font_is_refused(data: bytes) -> None:
    """Bytes that only begin like a font are answered with a sentence."""
    broken = FontBook([Font(SANS, "Alegreya Sans", "500", data)])
    shapes = (spelt(0, 10000, "a", SANS, 3000, (1500,)),)
    with pytest.raises(FontError):
        face_pdf(Face(CARD, shapes, "t"), broken, {})


def test_a_font_that_breaks_only_at_the_end_is_refused() -> None:
    """A glyph that points outside its table is found when the subset is made, and answered with a sentence."""
    font = TTFont(BytesIO(book().fonts[SANS].file.data), lazy=True)
    record = font.reader.tables["glyf"]
    data = bytearray(book().fonts[SANS].file.data)
    data[record.offset : record.offset + record.length] = b"\xff" * record.length
    broken = FontBook([Font(SANS, "Alegreya Sans", "500", bytes(data))])
    shapes = (spelt(0, 10000, "a", SANS, 3000, (1500,)),)
    with pytest.raises(FontError, match=f"{SANS} cannot be embedded"):
        face_pdf(Face(CARD, shapes, "t"), broken, {})


def test_a_picture_that_is_not_there_is_told() -> None:
    """A picture that no bytes belong to, and an empty job, are answered with a sentence."""
    with pytest.raises(InputError, match="picture"):
        face_pdf(face(), book(), {})
    with pytest.raises(InputError, match="nothing to print"):
        sheets_pdf([], book(), {}, title="t")
    with pytest.raises(InputError, match="nothing to print"):
        faces_pdf([], book(), {})


def test_hostile_words_do_no_harm() -> None:
    """Half characters in a title, control characters and unknown letters in a run still make a sound file."""
    shapes = (spelt(5000, 9000, "a\x00\r\n\ud800(\\", SANS, 3000, (1000,) * 7), spelt(0, 0, "", SANS, 3000, ()))
    nasty = Face(CARD, (*shapes, Path((), fill="#000000"), Path(rectangle(Box(0, 0, 9, 9)))), "\ud800 (\\) \x00")
    data = face_pdf(nasty, book(), {})
    assert opened(data).check_pdf_syntax() == []


def test_grey_is_printed_in_black_alone() -> None:
    """Colours without a hue are written as grey, so that black text is not mixed from four inks."""
    shapes = (Path(rectangle(Box(0, 0, 9000, 9000)), fill="#808080", stroke=Stroke("#000000", 200)),)
    content = opened(face_pdf(Face(CARD, shapes, "t"), book(), {})).pages[0].Contents.read_bytes()
    assert b"0.502 g\n" in content and b"0 G\n" in content and b"rg" not in content


def test_a_sheet_may_lack_backs() -> None:
    """Where a card has no back its place stays empty, and the marks still frame it."""
    grid = sheet_grid(CARD, STOCKS["plain"], PAPERS["letter"])
    sheets = impose([(0, None), (1, 2)], grid)
    bare = [sheet._replace(furniture=()) for sheet in sheets]
    file = opened(pdf(bare))
    assert len(file.pages) == 2
    assert file.pages[1].Contents.read_bytes().count(b" Tm") == 1
