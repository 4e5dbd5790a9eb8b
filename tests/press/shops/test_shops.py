"""The figures of print shops, and what a shop does not take."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from carddb.core.errors import UsageError
from carddb.core.units import Size
from carddb.press.sheets.options import Press
from carddb.press.shops.shops import Kind, Shop, profile, profiles
from carddb.read.documents.strict_models import checked
from tests.rows import every

# Uploads and trims as the shops' own customers write them down, in pixels.
TABLE = {
    "mpc-poker": ((822, 1122), (750, 1050)),
    "mpc-bridge": ((747, 1122), (675, 1050)),
    "mpc-tarot": ((897, 1497), (825, 1425)),
    "mpc-domino": ((597, 1122), (525, 1050)),
    "mpc-business": ((672, 1122), (600, 1050)),
    "mpc-micro": ((447, 597), (375, 525)),
    "tgc-poker": ((825, 1125), (750, 1050)),
    "tgc-bridge": ((750, 1125), (675, 1050)),
    "tgc-tarot": ((900, 1500), (825, 1425)),
    "tgc-jumbo": ((1125, 1725), (1050, 1650)),
    "tgc-mini": ((600, 825), (525, 750)),
    "tgc-micro": ((450, 600), (375, 525)),
    "tgc-domino": ((600, 1125), (525, 1050)),
    "tgc-business": ((675, 1125), (600, 1050)),
    "tgc-small-square": ((825, 825), (750, 750)),
    "tgc-square": ((1125, 1125), (1050, 1050)),
}


@every("name", TABLE)
def test_a_profile_has_the_pixels_of_its_shop(name: str) -> None:
    """Page and trim are the shop's, to the pixel."""
    pixels, trim = TABLE[name]
    found = profile(name)
    assert found.pixels == pixels
    assert found.trim == Size(*(round(length * 25400 / 300) for length in trim))


def test_bleed_and_safe_area_are_the_shops_own() -> None:
    """The same words, an eighth of an inch, are 36 pixels in one shop and 37.5 in the other."""
    assert (profile("mpc-poker").bleed, profile("tgc-poker").bleed) == (3048, 3175)
    assert profile("tgc-poker").bleed + profile("tgc-poker").safe == 75 * 25400 // 300
    pdf = profile("drivethru-poker")
    assert (pdf.upload, pdf.bleed, pdf.safe) == ("198 × 270 pt", 3175, 3175)


@every("name", profiles())
def test_every_profile_says_where_it_comes_from(name: str) -> None:
    """Source and date stand beside the figures, and how sure each product is."""
    found = profile(name)
    assert found.shop.source and found.shop.read and found.shop.products[found.key].sure


def test_an_unknown_profile_is_answered_with_the_nearest_and_all() -> None:
    """The nearest comes first, then the list."""
    with pytest.raises(UsageError) as told:
        profile("mpc-pokr")
    assert told.value.remedy.startswith("Did you mean mpc-poker?")
    assert all(name in told.value.remedy for name in profiles())
    assert profile("MPC-Poker").name == "mpc-poker"


@every(
    "name, kind, press, why",
    [
        ("tgc-poker", "png", Press(b""), "does not take CMYK: it takes RGB only"),
        ("tgc-poker", "pdf", None, "does not take PDF"),
        ("drivethru-poker", "png", None, "does not take PNG: it takes one PDF for each deck"),
        ("drivethru-poker", "pdf", Press(b"", "PDF/X-4"), "does not take PDF/X-4: it asks for PDF/X-1a:2003"),
        ("mpc-poker", "pdf", None, "mpc-poker cannot be made as PDF"),
        ("mpc-poker", "svg", None, "mpc-poker cannot be made as SVG"),
        ("mpc-poker", "png", Press(b""), "takes pictures in RGB, not CMYK"),
    ],
)
def test_what_a_shop_refuses_is_a_sentence(name: str, kind: Kind, press: Press | None, why: str) -> None:
    """Neither a kind nor a colour that the shop does not take is made."""
    with pytest.raises(UsageError, match=why):
        profile(name).accepts(kind)
        if press:
            profile(name).press(press)


@pytest.mark.parametrize(("name", "kind"), [("mpc-poker", "png"), ("tgc-tarot", "png"), ("drivethru-poker", "pdf")])
def test_what_a_shop_takes_passes(name: str, kind: Kind) -> None:
    """Each shop takes what it is for."""
    profile(name).accepts(kind)


GOOD = {
    "name": "Shop", "dpi": 300, "bleed": "36px", "safe": "36px", "colour": "rgb", "takes": ["png"],
    "files": "{side}-{number}-{name}", "backs": "apart", "source": "a test", "read": "2026-11",
    "products": {"poker": {"page": "822x1122px", "trim": "750x1050px", "sure": "made up"}},
}  # fmt: skip


@every(
    "wrong",
    [
        {"bled": "36px"},
        {"bleed": "36 pixels"},
        {"bleed": "37px"},
        {"safe": "400px"},
        {"dpi": "many"},
        {"dpi": 0},
        {"takes": []},
        {"takes": ["bmp"]},
        {"refuses": {"white": "too bright"}},
        {"files": "{side}"},
        {"files": "{name} {card.ref}"},
        {"products": {}},
        {"products": {"poker": {"page": "822x1122px", "sure": "made up", "colour": "red"}}},
        {"products": {"poker": {"page": "69.6x95mm", "sure": "made up"}}},
    ],
)
def test_a_faulty_shop_is_refused(wrong: dict[str, object]) -> None:
    """No key, length, kind or name is taken on trust, and the figures must agree."""
    checked(Shop, GOOD)
    with pytest.raises(ValidationError):
        checked(Shop, {**GOOD, **wrong})
