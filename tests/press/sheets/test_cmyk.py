"""Sheets, components and boxes in the inks of a printing press."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from tests.conftest import OUTSIDE, Told
from tests.paint.pdf.test_prepress import PROFILE, RGB, contents, plates

pytestmark = [
    pytest.mark.door,
    pytest.mark.skipif(not (shutil.which("gs") and PROFILE.is_file()), reason="Ghostscript is not installed"),
]
PRESS = ("--colour", "cmyk", "--icc", str(PROFILE))


@pytest.mark.parametrize(
    "arguments",
    [
        ("sheets", "RIS-006", "--cutter", "silhouette"),
        ("components", "guarda", "player-mat"),
        ("components", "rishar", "quick-reference"),
        ("box", "guarda"),
    ],
    ids=" ".join,
)
def test_every_sheet_has_no_colour_but_ink(call: Callable[..., Told], arguments: tuple[str, ...]) -> None:
    """Pieces, marks and captions are in CMYK in what all verbs of sheets print, without transparency in PDF/X-1a."""
    told = call(*arguments, "-o", "a.pdf", *PRESS, "--standard", "x1a")
    assert told.code == 0, told.err
    pdf = pikepdf.open("a.pdf")
    found = [each for page in pdf.pages for each in contents(page, page.Resources, set())]
    assert not RGB & {each for kind, each in found if kind == "operator"}
    assert {each for kind, each in found if kind == "space"} <= {"/DeviceCMYK", "/DeviceGray"}
    drawn = [each for kind, each in found if kind in ("form", "image")]
    assert all(isinstance(each, pikepdf.Object) for each in drawn)
    soft = [each for each in drawn if isinstance(each, pikepdf.Object) and {"/SMask", "/Group"} & set(each.keys())]
    assert not soft and pdf.docinfo["/GTS_PDFXVersion"] == "PDF/X-1a:2003"


def own(call: Callable[..., Told], folder: Path, inks: str) -> tuple[str, str]:
    """A toy game with inks for its blue, as options of a command."""
    shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns")
    spec = folder / "lanterns" / "game.yaml"
    spec.write_text(f'{spec.read_text("utf-8")}\ninks: {{"#223366": {inks}}}\n', "utf-8")
    assert call("--games", str(folder), "load", str(OUTSIDE / "lanterns" / "cards.csv"), "--game", "lanterns").code == 0
    return "--games", str(folder)


def test_a_plate_of_its_own_is_in_every_file(call: Callable[..., Told], folder: Path) -> None:
    """What a game prints with foil is on the plate of that name, on sheets of cards and of components."""
    games = own(call, folder, "{cmyk: [0, 20, 70, 20], spot: foil}")
    for arguments in (("sheets", "game:lanterns"), ("components", "lanterns", "token")):
        assert call(*games, *arguments, "-o", "a.pdf", *PRESS).code == 0
        assert plates(Path("a.pdf").read_bytes(), folder, "foil")["foil"].getbbox()


def test_too_much_ink_goes_to_no_press(call: Callable[..., Told], folder: Path) -> None:
    """The finding names colour, place, sum and limit, and nothing is written; another limit lets it pass."""
    games = own(call, folder, "{cmyk: [90, 90, 90, 40]}")
    for arguments in (("sheets", "game:lanterns"), ("components", "lanterns", "token")):
        told = call(*games, *arguments, "-o", "a.pdf", *PRESS)
        assert told.code in (1, 3) and "needs 310 % ink, but more than 300 % does not dry" in told.err
        assert not Path("a.pdf").exists()
        assert call(*games, *arguments, "-o", "b.pdf", *PRESS, "--ink-limit", "320").code == 0
