import re
import xml.etree.ElementTree as ElementTree
from base64 import b64decode
from io import BytesIO

import pytest
from PIL import Image

from carddb.core.errors import InputError
from carddb.core.units import Box
from carddb.layout.display_list import Face, PlacedImage
from carddb.paint.svg import svg
from tests.paint.samples import CARD, book, face, images, run

NS = "{http://www.w3.org/2000/svg}"


def test_a_proof_is_drawn_in_millimetres() -> None:
    """The picture has the card's size, and one user unit is a millimetre."""
    root = ElementTree.fromstring(svg(face(), book(), images()))
    assert (root.get("width"), root.get("viewBox")) == ("76.2mm", "0 0 76.2 127")
    assert root.findtext(f"{NS}title") == "Hannibal Barca"


def test_text_is_live_and_every_character_has_its_place() -> None:
    """A line of text is text, with as many positions as characters, in a font that is in the file."""
    root = ElementTree.fromstring(svg(face(), book(), images()))
    texts = {element.text: element for element in root.iter(f"{NS}text")}
    line = texts["CARTHAGE AVATAR"]
    assert len(line.get("x", "").split()) == len("CARTHAGE AVATAR")
    assert f'font-family:"{line.get("font-family")}"' in (root.findtext(f"{NS}style") or "")


def test_hostile_words_stay_words() -> None:
    """Markup and control characters in a text do not become markup."""
    nasty = Face(CARD, (run("<script>&\"'", 0, 9000),), "</title><script>\x00\ud800")
    root = ElementTree.fromstring(svg(nasty, book(), {}))
    assert not list(root.iter(f"{NS}script"))
    assert [element.text for element in root.iter(f"{NS}text")] == ["<script>&\"'"]


def test_the_same_face_gives_the_same_proof() -> None:
    """Two proofs of one face are equal; a picture that is not there is told."""
    assert svg(face(), book(), images()) == svg(face(), book(), images())
    with pytest.raises(InputError, match="picture"):
        svg(face(), book(), {})


@pytest.mark.full
def test_a_picture_for_a_screen_is_reduced_to_its_resolution() -> None:
    """Even noise of 1 MB weighs under 100 kB on a page and keeps its place; a proof has it as it is."""
    noise = Image.effect_noise((900, 1500), 60).convert("RGB")
    file = BytesIO()
    noise.save(file, "PNG")
    data = file.getvalue()
    shown = Face(CARD, (PlacedImage("k", Box(0, 0, *CARD), Box(0, 0, *CARD)),), "Photograph")
    small, whole = (svg(shown, book(), {"k": data}, dpi=dpi) for dpi in (220, 0))
    assert len(data) > 1_000_000 and len(whole) > len(data) and len(small) < 100_000
    assert re.sub('href="[^"]*"', "", small) == re.sub('href="[^"]*"', "", whole)
    encoded = small.partition("base64,")[2].partition('"')[0]
    assert Image.open(BytesIO(b64decode(encoded))).size == (330, 550)
