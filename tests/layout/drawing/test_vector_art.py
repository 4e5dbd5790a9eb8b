"""Drawings as pictures on faces: tidied to the dialect, placed and cut like pictures, bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Box
from carddb.findings import Severity
from carddb.layout.display_list import Group, Path, PlacedImage, rectangle, walk
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.art import MOST_DRAWN, Flaw, Vector, read_vector, spread
from carddb.layout.drawing.bleed import REACH
from carddb.layout.text.fonts import FontBook
from tests.layout.drawing.test_face import codes, face
from tests.rows import every

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 10">'
IMAGE = '<image href="a.svg" x="10" y="5" width="10" height="10" data-focus="{}"/>'


def vector(body: str, head: str = HEAD) -> Vector:
    return read_vector("k", f"{head}{body}</svg>")


def drawn(book: FontBook, body: str, focus: str = "0.5 0.5") -> list[Path]:
    """The paths of a drawing shown as a picture."""
    found = face(book, IMAGE.format(focus), art={"a.svg": vector(body)})
    assert codes(found) == []
    return [shape for shape in walk(found.face.shapes) if isinstance(shape, Path)]


@given(
    st.integers(1, 5000), st.integers(1, 5000), st.integers(100, 90_000), st.integers(100, 90_000),
    st.floats(0, 1), st.floats(0, 1),
)  # fmt: skip
def test_a_picture_fills_its_window(width: int, height: int, wide: int, high: int, x: float, y: float) -> None:
    """Whatever its proportions and its focus, a picture covers its window and overhangs in one direction only."""
    window = Box(1000, 2000, wide, high)
    box = spread(svg_parser.Art("k", width, height), window, (x, y))
    assert box.grown(1).contains(window)
    assert box.width == wide or box.height == high
    assert abs(box.width * height - box.height * width) <= max(width, height)


@pytest.mark.parametrize(("focus", "left"), [("0 0.5", 10_000), ("0.5 0.5", 5_000), ("1 0.5", 0)])
def test_a_drawing_is_placed_and_cut_like_a_picture(book: FontBook, focus: str, left: int) -> None:
    """It fills its window, what overhangs is cut off by a group, and its focus stays in sight."""
    found = face(book, IMAGE.format(focus), art={"a.svg": vector('<rect width="20" height="10"/>')})
    [group] = found.face.shapes
    assert isinstance(group, Group)
    assert group.clip == rectangle(Box(10_000, 5_000, 10_000, 10_000))
    [path] = walk(group.shapes)
    assert isinstance(path, Path)
    assert path.ops[0] == ("M", (left, 5_000)) and path.ops[2] == ("L", (left + 20_000, 15_000))


def test_a_drawing_at_the_edge_fills_the_bleed(book: FontBook) -> None:
    """Covering the whole face, a drawing is spread over the bleed like a picture, and its own parts grow no further."""
    body = '<image href="a.svg" width="60" height="40"/>'
    found = face(book, body, art={"a.svg": vector('<rect width="20" height="10"/>')})
    window = Box(0, 0, 60_000, 40_000).grown(REACH)
    [path] = walk(found.face.shapes)
    assert isinstance(path, Path)
    assert path.ops == rectangle(Box(-20_000, -REACH, 100_000, window.height))


def test_what_programs_write_for_themselves_is_left_out(book: FontBook) -> None:
    """Metadata, foreign elements and idle attributes go; style, classes, px and rgb() become plain attributes."""
    body = """
    <metadata><rdf xmlns="urn:x">by me</rdf></metadata><desc>a desk</desc><title>Desk</title>
    <x:view xmlns:x="urn:inkscape" x:zoom="2"/>
    <style>/* made by hand */ .a, .b { fill: rgb(255, 0, 100%) } .b{stroke-width:2px;stroke:#123456}</style>
    <rect class="a" width="1px" height="1" fill="#00ff00" style="fill-opacity:1;-x-label:none"/>
    <rect class="b" width="1" height="1" style="fill:#abc;stroke-miterlimit:4"/>
    <g style="display:none"><filter/></g>
    """
    one, other = drawn(book, body)
    assert (one.fill, other.fill) == ("#ff00ff", "#aabbcc")
    assert other.stroke and (other.stroke.colour, other.stroke.width) == ("#123456", 2000)


def test_xlink_and_a_missing_view_box_are_understood(book: FontBook) -> None:
    """Old references are followed, and width and height stand in for a viewBox."""
    head = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="20px" height="10">'
    found = vector('<defs><rect id="r" width="2" height="2"/></defs><use x:href="#r" x="4"/>', head)
    assert found.view == (0, 0, 20, 10)
    shown = face(book, IMAGE.format("0 0"), art={"a.svg": found})
    assert [path.ops[0] for path in walk(shown.face.shapes) if isinstance(path, Path)] == [("M", (14_000, 5_000))]


@every(
    "body, says, instead",
    [
        ("<pattern/>", "<pattern> is not an SVG element", "repeat them"),
        ('<rect filter="url(#f)" width="1" height="1"/>', "the attribute 'filter'", "export the picture as PNG"),
        ('<rect fill-opacity="0.5"/>', "the attribute 'fill-opacity'", "opacity"),
        ('<rect fill="teal" width="1" height="1"/>', "'teal' is not a colour", "#rrggbb"),
        ('<use href="#absent"/>', "no element has the id", ""),
        ('<text font-family="Comic" font-size="3">x</text>', "no font family", ""),
        ("<script>alert(1)</script>", "<script> is not an SVG element", "nothing moves"),
    ],
)
def test_what_the_dialect_lacks_is_a_finding(book: FontBook, body: str, says: str, instead: str) -> None:
    """The finding names the element and the nearest supported thing; the face is drawn without the picture."""
    found = face(book, '<rect width="1" height="1"/>' + IMAGE.format("0 0"), art={"a.svg": vector(body)})
    [finding] = found.findings
    assert finding.code == "art_unsupported" and finding.severity is Severity.ERROR
    assert says in finding.message and "a.svg" in finding.message
    assert instead in finding.fix
    assert len(found.face.shapes) == 1


def test_a_drawing_sees_neither_the_symbols_nor_the_pictures_of_the_game(book: FontBook) -> None:
    """What lies outside a drawing does not reach into it."""
    symbols = svg_parser.Library(
        [svg_parser.parse(f'{HEAD}<symbol id="icon-sun" viewBox="0 0 1 1"><rect/></symbol></svg>')]
    )
    assert "icon-sun" in symbols.by_id
    found = face(book, IMAGE.format("0 0"), art={"a.svg": vector('<use href="#icon-sun"/>')})
    assert codes(found) == ["art_unsupported"]


@every(
    "text, says",
    [
        ("<svg", "not well-formed"),
        ('<!DOCTYPE svg [<!ENTITY a "aaaa">]><svg viewBox="0 0 1 1">&a;</svg>', "document type"),
        ("<html/>", "it begins with <html>"),
        ("<svg/>", "viewBox"),
        ('<svg viewBox="0 0 0 1"/>', "viewBox"),
        (f'{HEAD}<image href="b.png"/></svg>', "<image> refers to another file"),
        (f'{HEAD}<use href="other.svg#a"/></svg>', "<use> refers to another file"),
        (f"{HEAD}<style>rect {{fill:red}}</style></svg>", "a rule for 'rect'"),
        (f"{HEAD}<style>@import url(x);</style></svg>", "more than rules"),
        (
            f"{HEAD}<style>{',.a'.join(['.a'] * 9_000)} {{fill:red}}</style></svg>",
            "more than 2,000 classes",
        ),
        (
            f"{HEAD}<style>.a {{{''.join(f'a{n}:b;' for n in range(9_000))}}}</style></svg>",
            "more than 2,000 classes",
        ),
        (HEAD + "<g>" * 100 + "</g>" * 100 + "</svg>", "nested deeper"),
        (f'{HEAD}<g id="a"><use href="#a"/></g></svg>', "nested deeper"),
        (HEAD + "<rect/>" * (MOST_DRAWN + 1) + "</svg>", "elements, but at most"),
    ],
)
def test_hostile_drawings_are_refused(text: str, says: str) -> None:
    """Entities, other files, style sheets, endless nesting and endless repetition are answered with a sentence."""
    with pytest.raises(svg_parser.DrawingError) as caught:
        read_vector("k", text)
    assert says in caught.value.message


def test_repetition_without_measure_is_refused() -> None:
    """Twenty symbols that each show the next twice would draw a million shapes."""
    chain = "".join(f'<g id="a{n}"><use href="#a{n + 1}"/><use href="#a{n + 1}"/></g>' for n in range(20))
    with pytest.raises(svg_parser.DrawingError, match="elements, but at most"):
        vector(f'<defs>{chain}<rect id="a20"/></defs><use href="#a0"/>')
    long = "".join(f'<g id="a{n}"><use href="#a{n + 1}"/></g>' for n in range(5000))
    with pytest.raises(svg_parser.DrawingError, match="nested deeper"):
        vector(f'<defs>{long}</defs><use href="#a0"/>')


@given(st.text(max_size=200), st.sampled_from(("{}", HEAD + "{}</svg>", HEAD + '<path d="{}"/></svg>')))
def test_any_text_is_a_drawing_or_a_fault(text: str, frame: str) -> None:
    """Arbitrary text is read or answered by svg_parser.DrawingError alone."""
    try:
        read_vector("k", frame.replace("{}", text))
    except svg_parser.DrawingError as fault:
        assert fault.message


@pytest.mark.parametrize(("width", "severity"), [(60, None), (50, Severity.WARNING), (20, Severity.ERROR)])
def test_too_few_pixels_are_told(book: FontBook, width: int, severity: Severity | None) -> None:
    """On 10 mm, 60 pixels are 152 an inch; 127 an inch are a warning and 51 an error, with both numbers."""
    found = face(book, IMAGE.format("0 0"), art={"a.svg": svg_parser.Art("k", width, width)})
    assert isinstance(walk(found.face.shapes)[0], PlacedImage)
    assert [finding.severity for finding in found.findings] == ([severity] if severity else [])
    for finding in found.findings:
        assert finding.code == "art_low_resolution"
        assert str(round(width * 2.54)) in finding.message and "150" in finding.message


def test_a_flawed_picture_is_told_in_its_own_words(book: FontBook) -> None:
    """The reason and the remedy of a picture that cannot be shown reach the finding."""
    flaw = Flaw("image_invalid", {"reason": "the picture a.svg is cut off", "fix": "Save it anew."})
    [finding] = face(book, IMAGE.format("0 0"), art={"a.svg": flaw}).findings
    assert (finding.code, finding.fix) == ("image_invalid", "Save it anew.")
    assert "is cut off; the face is drawn without it" in finding.message


def test_what_is_cut_off_is_no_ground_for_text(book: FontBook) -> None:
    """Dark parts of a drawing that its window hides do not count against the contrast of the words beside it."""
    art = {"a.svg": vector('<rect width="20" height="10" fill="#222222"/>')}
    words = '<text x="{}" y="11" font-family="Cardo" font-size="6pt">words</text>'
    beside, upon = (face(book, IMAGE.format("0 0") + words.format(x), art=art) for x in (21, 11))
    assert (codes(beside), codes(upon)) == ([], ["contrast_low"])
