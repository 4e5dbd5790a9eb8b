"""The PDF and the SVG of a card have every letter at the same place; both are read as other programs read them.

The PNG is drawn from the card's PDF page, so it needs no proof of its own.
"""

from __future__ import annotations

import ctypes
import math
import re
import xml.etree.ElementTree as ElementTree
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from tests.conftest import GAME, Told

Letters = dict[str, list[tuple[float, float]]]
"""Where each character stands, in millimetres from the upper left corner: the start of its baseline."""

LEAST = 0.02
NS = "{http://www.w3.org/2000/svg}"
SAMPLE = ("set:sample", "--game", GAME)


def gathered(letters: Iterator[tuple[str, float, float]]) -> Letters:
    """By character and place, spaces left out: a reader makes some where it sees a gap."""
    out: Letters = defaultdict(list)
    for char, x, y in letters:
        if char.strip():
            out[char].append((x, y))
    return {char: sorted(places) for char, places in out.items()}


def in_pdf(page: pypdfium2.PdfPage) -> Iterator[tuple[str, float, float]]:
    """The characters of a page and where PDFium says they begin."""
    text = page.get_textpage()
    height = page.get_height()
    x, y = ctypes.c_double(), ctypes.c_double()
    for at in range(text.count_chars()):
        pdfium.FPDFText_GetCharOrigin(text, at, ctypes.byref(x), ctypes.byref(y))
        yield chr(pdfium.FPDFText_GetUnicode(text, at)), x.value * 25.4 / 72, (height - y.value) * 25.4 / 72


def in_svg(path: Path) -> Iterator[tuple[str, float, float]]:
    """The characters of a drawing, each at its own x of its element, moved and turned as the element says."""
    root = ElementTree.parse(path).getroot()
    assert (root.get("width"), root.get("height")) == ("76.2mm", "127mm") and root.get("viewBox") == "0 0 76.2 127"
    for element in root.iter(f"{NS}text"):
        words = "".join(element.itertext())
        left, top, cos, sin = placed(element.get("transform", ""))
        starts = [float(number) for number in element.get("x", "0").split()]
        down = float(element.get("y", "0"))
        assert len(starts) == len(words)
        for char, start in zip(words, starts, strict=True):
            yield char, left + start * cos - down * sin, top + start * sin + down * cos


def placed(transform: str) -> tuple[float, float, float, float]:
    """The origin of an element and how it is turned; moving and turning are all that text knows."""
    moved = re.search(r"translate\(([-\d.]+)[ ,]([-\d.]+)\)", transform)
    turned = re.search(r"rotate\(([-\d.]+)\)", transform)
    assert not re.sub(r"translate\([^)]*\)|rotate\([^)]*\)", "", transform).strip()
    angle = math.radians(float(turned[1])) if turned else 0.0
    return float(moved[1]) if moved else 0.0, float(moved[2]) if moved else 0.0, math.cos(angle), math.sin(angle)


def farthest(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> float:
    """How far the places of a character lie from their nearest partners, each of which is taken once."""
    rest = list(other)
    worst = 0.0
    for place in one:
        partner = min(rest, key=lambda spot: math.dist(spot, place))
        rest.remove(partner)
        worst = max(worst, math.dist(partner, place))
    return worst


@pytest.mark.full
def test_every_letter_stands_at_the_same_place_in_pdf_and_svg(call: Callable[..., Told]) -> None:
    """For every sample card the characters are the same, and none is more than 0.02 mm off: lines break alike."""
    assert call("sheets", *SAMPLE, "--stock", "index-3x5", "--flip", "none", "-o", "faces.pdf").code == 0
    assert call("sheets", *SAMPLE, "--svg", "svg").code == 0
    refs = [card["ref"] for card in call("cards", *SAMPLE, "--json").json()["cards"]]
    document = pypdfium2.PdfDocument("faces.pdf")
    assert len(document) == len(refs) == len(list(Path("svg").iterdir())) > 100
    for page, ref in zip(document, refs, strict=True):
        pdf, svg = gathered(in_pdf(page)), gathered(in_svg(Path("svg") / f"{ref}.svg"))
        assert {char: len(places) for char, places in pdf.items()} == {c: len(places) for c, places in svg.items()}, ref
        assert max(farthest(pdf[char], svg[char]) for char in svg) <= LEAST, ref
