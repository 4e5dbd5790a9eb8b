"""Booklets: which page lies where, and what is on paper once it is folded."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import pikepdf
import pypdfium2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.paint.documents.pdf import BLANK, sides
from tests.conftest import OUTSIDE, Told
from tests.rows import usually

Call = Callable[..., Told]


@given(st.integers(0, 200))
def test_a_folded_booklet_is_read_in_order(pages: int) -> None:
    """Sheets laid in one another and leafed through have every page once, in its order, blank ones at the end."""
    printed = sides(pages)
    fronts, backs = printed[::2], printed[1::2]
    first_half = [number for front, back in zip(fronts, backs, strict=True) for number in (front.right, back.left)]
    second_half = [number for front, back in zip(fronts, backs, strict=True) for number in (front.left, back.right)]
    read = [*first_half, *reversed(second_half)]
    assert read == [*range(1, pages + 1), *[BLANK] * (-pages % 4)]


@usually("paper, size", [("letter", (792, 612)), ("a4", (841, 595))])
def test_a_booklet_has_two_pages_on_each_side(call: Call, tmp_path: Path, paper: str, size: tuple[int, int]) -> None:
    """Each side of a sheet is the paper lying, with its pages where they belong, to be turned over the short edge."""
    file = tmp_path / "guarda.pdf"
    told = call("guide", "guarda", "--booklet", "--paper", paper, "-o", file)
    sheets = pypdfium2.PdfDocument(file.read_bytes())
    total = int(told.err.split(" on ")[1].split()[0])
    assert total % 4 == 0  # no page is empty
    assert {tuple(map(int, sheet.get_size())) for sheet in sheets} == {size}
    for sheet, side in zip(sheets, sides(total), strict=True):
        text, half = sheet.get_textpage(), sheet.get_width() / 2
        left, right = (text.get_text_bounded(x, 0, x + half, 60) for x in (0, half))
        assert (f"{side.left} of {total}" in left) == (side.left != 1)  # the cover has no foot
        assert (f"{side.right} of {total}" in right) == (side.right != 1)
    with pikepdf.open(io.BytesIO(file.read_bytes())) as pdf:
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"


@given(st.integers(0, 200))
def test_a_booklet_from_right_to_left_is_the_mirror_of_the_other(pages: int) -> None:
    """Its fold is on the right: on each side of each sheet the two pages change places."""
    assert [(right, left) for left, right in sides(pages)] == [tuple(side) for side in sides(pages, "right")]


@pytest.mark.full
def test_a_rule_sheet_from_right_to_left_has_its_fold_on_the_right(call: Call, tmp_path: Path) -> None:
    """Page 1 is the left half of the first side, and the test sheet names the halves so; else it is the right half."""
    game = Path(copytree(OUTSIDE / "lanterns", tmp_path / "lanterns"))
    for name in ("guide.md", "guide.ar.md"):
        (game / name).write_text("# Lanterns\n\nLight them.\n", "utf-8")
    for lang, half in (("ar", 0), ("en", 1)):
        for binding, first in (("--booklet", "by nobody"), ("--booklet-test", "1 of")):  # the foot of the first page
            told = call("--games", game, "guide", "lanterns", "--lang", lang, binding, "-o", tmp_path / "b.pdf")
            assert told.code == 0, told.err
            front, inside = pypdfium2.PdfDocument((tmp_path / "b.pdf").read_bytes())
            width = front.get_width() / 2
            assert first in front.get_textpage().get_text_bounded(half * width, 0, half * width + width, 60)
        words = inside.get_textpage().get_text_range()
        assert f"2, inside {('right', 'left')[half]}" in words


@pytest.mark.full
def test_the_test_sheet_is_one_sheet(call: Call, tmp_path: Path) -> None:
    """It has the four pages of one sheet, each saying where it should be."""
    file = tmp_path / "test.pdf"
    assert call("guide", "guarda", "--booklet-test", "-o", file).code == 0
    texts = [sheet.get_textpage().get_text_range() for sheet in pypdfium2.PdfDocument(file.read_bytes())]
    assert len(texts) == 2
    assert "1, the front" in texts[0] and "4, the back" in texts[0]
    assert "2, inside left" in texts[1] and "3, inside right" in texts[1]


def test_a_web_page_is_not_bound(call: Call, tmp_path: Path) -> None:
    """A booklet is paper: for HTML it is misuse, and nothing is written."""
    told = call("guide", "guarda", "--booklet", "-o", tmp_path / "guarda.html")
    assert told.code == 2 and "only a PDF can be a booklet" in told.err and not list(tmp_path.glob("*.html"))
