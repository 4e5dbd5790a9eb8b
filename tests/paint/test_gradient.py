"""Gradients as fills: the same colours in PDF, PNG and SVG, what ink saving makes of them, and what is refused."""

from __future__ import annotations

import math
import re
from io import BytesIO

import pytest
from PIL import Image

from carddb.layout.colours import channels, mixed
from carddb.layout.display_list import Face, Gradient, Path, walk
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.art import read_vector
from carddb.layout.drawing.face_drawing import FaceDrawing
from carddb.layout.drawing.gradient import colour_at
from carddb.layout.ink import InkSaver, coverage
from carddb.layout.text.text_setting import Setter
from carddb.paint.rasterizer import page_png, png
from carddb.paint.svg import svg
from tests.layout.drawing.test_face import codes, face
from tests.paint.samples import bled_pdf, book
from tests.rows import every

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">'
STOPS = '<stop offset="0" stop-color="#ff0000"/><stop offset="0.5" stop-color="#ffff00"/><stop offset="1"/>'
FADE = '<stop offset="0" stop-opacity="0"/><stop offset="1" stop-opacity="0.8"/>'
SHAPE = '<rect x="5" y="5" width="50" height="30" fill="url(#g)"/>'


def drawn(body: str) -> Face:
    drawing = FaceDrawing(Setter(book(), {}, False), svg_parser.Library(), {})
    root = svg_parser.parse(f"{HEAD}{body}</svg>")
    size, matrix = svg_parser.fitted(root, None)
    drawing.draw(root, matrix, size)
    return Face(size, tuple(drawing.shapes), "t")


def gradient(shown: Face) -> Gradient:
    [path] = [shape for shape in walk(shown.shapes) if isinstance(shape, Path) and shape.gradient]
    assert path.gradient
    return path.gradient


@every(
    "defined",
    [
        f'<linearGradient id="g">{STOPS}</linearGradient>',
        f'<linearGradient id="g" x1="0%" y1="100%" x2="0%" y2="0%">{STOPS}</linearGradient>',
        f'<linearGradient id="g" x2="0.5" y2="0.5" spreadMethod="pad">{FADE}</linearGradient>',
        f'<linearGradient id="g" gradientUnits="userSpaceOnUse" x1="10" y1="10" x2="40" y2="10"'
        f' gradientTransform="rotate(30)">{STOPS}</linearGradient>',
        f'<radialGradient id="g">{STOPS}</radialGradient>',
        f'<radialGradient id="g" gradientUnits="userSpaceOnUse" cx="30" cy="20" r="15" fx="24" fy="16">{FADE}'
        "</radialGradient>",
        f'<linearGradient id="g" href="#h" x2="0" y2="1"/><radialGradient id="h">{STOPS}</radialGradient>',
    ],
)
def test_a_gradient_has_the_same_colours_on_every_way(defined: str) -> None:
    """At each point PDF and PNG show the colour that is calculated, and SVG states the gradient with these values."""
    shown = drawn(f"<defs>{defined}</defs>{SHAPE}")
    found = gradient(shown)
    picture = Image.open(BytesIO(png(shown, book(), {}, 254))).convert("RGB")
    for x in range(7_000, 55_000, 5_900):
        for y in range(7_000, 35_000, 4_300):
            seen = picture.getpixel((x // 100, y // 100))
            assert isinstance(seen, tuple)
            colour, opacity = colour_at(found, x, y)
            assert math.dist(seen, channels(mixed(colour, "#ffffff", opacity))) < 12, (x, y)
    text = svg(shown, book(), {})
    assert text.count('offset="') == len(found.stops) and 'fill="url(#g1)"' in text
    again = drawn(re.sub("<svg.*?>|</svg>|<title>.*?</title>", "", text))
    for x, y in ((9_000, 9_000), (30_000, 22_000), (50_000, 30_000)):
        one, other = colour_at(found, x, y), colour_at(gradient(again), x, y)
        assert math.dist(channels(one[0]), channels(other[0])) < 3 and abs(one[1] - other[1]) < 5


def test_a_gradient_goes_on_into_the_bleed() -> None:
    """A background with a gradient fills the bleed with the colours of its ends."""
    shown = drawn(f'<linearGradient id="g">{STOPS}</linearGradient><rect width="60" height="40" fill="url(#g)"/>')
    picture = Image.open(BytesIO(page_png(bled_pdf(shown, book(), {}, 3000), 0, 254))).convert("RGB")
    for x, colour in ((5, (255, 0, 0)), (650, (0, 0, 0))):
        seen = picture.getpixel((x, 200))
        assert isinstance(seen, tuple) and math.dist(seen, colour) < 5


def test_a_drawing_has_gradients_as_drawing_programs_write_them() -> None:
    """Stops in a style, stops taken over by xlink:href, and definitions outside of <defs> are understood."""
    art = read_vector(
        "k",
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10">'
        '<linearGradient id="a"><stop style="stop-color:#112233;stop-opacity:1"/>'
        '<stop offset="100%" style="stop-color:rgb(255, 0, 0);stop-opacity:0.5"/></linearGradient>'
        '<radialGradient id="SVGID_1_" xlink:href="#a" gradientUnits="userSpaceOnUse" cx="10px" cy="5" r="5"/>'
        '<rect width="20" height="10" style="fill:url(#SVGID_1_)"/></svg>',
    )
    found = face(book(), '<image href="a.svg" width="60" height="40"/>', art={"a.svg": art})
    assert codes(found) == []
    shown = gradient(found.face)
    assert [(stop.colour, stop.opacity) for stop in shown.stops] == [("#112233", 1000), ("#ff0000", 500)]
    assert colour_at(shown, 30_000, 20_000)[0] == "#112233"


@every(
    "body, says, instead",
    [
        (
            f'<linearGradient id="g" spreadMethod="reflect">{STOPS}</linearGradient>{SHAPE}',
            "'reflect'",
            "Repeat the stops",
        ),
        (f'<pattern id="g"/>{SHAPE}', "<pattern> is not an SVG element", "repeat them"),
        (f'<clipPath id="g"/>{SHAPE}', "a <clipPath> cannot be a fill", "as PNG"),
        ('<rect width="1" height="1" stroke="url(#g)"/>', "only the fill of a shape", "outlines"),
        ('<text fill="url(#g)" font-family="Cardo" font-size="3">x</text>', "only the fill of a shape", "outlines"),
        ('<rect width="1" height="1" filter="url(#f)"/>', "'filter'", "export the picture as PNG"),
        ('<rect width="1" height="1" class="gold"/>', "'class'", "as attributes"),
        (SHAPE, "no element has the id 'g'", ""),
        (f'<linearGradient id="g" href="#g"/>{SHAPE}', "to itself, or to too many others", "href"),
        (f'<radialGradient id="g" fx="2">{STOPS}</radialGradient>{SHAPE}', "outside its circle", "fx"),
        (f'<linearGradient id="g" gradientUnits="userSpaceOnUse">{STOPS}</linearGradient>{SHAPE}', "lacks x1", "four"),
    ],
)
def test_what_stays_outside_names_the_way_round_it(body: str, says: str, instead: str) -> None:
    """What gradients, filters and classes cannot be here is refused, with what to do instead."""
    with pytest.raises(svg_parser.DrawingError) as caught:
        drawn(body)
    assert says in caught.value.message and instead in caught.value.remedy


@pytest.mark.parametrize("mode", ["light", "text"])
def test_saving_ink_hatches_a_gradient_and_leaves_a_fade_out(mode: str) -> None:
    """An opaque gradient is hatched as its mean colour; one that fades, such as a shade over a picture, is left out."""
    opaque = drawn(f'<linearGradient id="g">{STOPS}</linearGradient>{SHAPE}')
    plain = drawn(SHAPE.replace("url(#g)", next(p.fill or "" for p in walk(opaque.shapes) if isinstance(p, Path))))
    assert InkSaver(mode).face(opaque).shapes == InkSaver(mode).face(plain).shapes
    fading = drawn(f'<linearGradient id="g">{FADE}</linearGradient>{SHAPE}')
    assert InkSaver(mode).face(fading).shapes == ()
    assert 0 < coverage(fading) < coverage(plain) < 1


def test_contrast_is_taken_from_the_gradient_under_each_letter() -> None:
    """White words are found where a gradient is light, and are fine where it is dark."""
    ground = (
        '<linearGradient id="g"><stop stop-color="#000000"/><stop offset="1" stop-color="#ffffff"/></linearGradient>'
        '<rect width="60" height="40" fill="url(#g)"/>'
        '<text x="{}" y="20" font-family="Cardo" font-size="10pt" fill="#ffffff">Ink</text>'
    )
    assert codes(face(book(), ground.format(5))) == []
    assert codes(face(book(), ground.format(45))) == ["contrast_low"]
