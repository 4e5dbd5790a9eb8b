"""Files no larger than asked for: pictures give way, words never."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.errors import OutputError
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import LEAST_DPI, PrintedSheets, within_budget
from tests.conftest import Told
from tests.paint.pdf.test_images import images
from tests.press.faces.art_samples import photograph, saved
from tests.press.test_press import page_text


def press(words: int, art: int, native: int, tries: list[int]) -> Callable[[SheetOptions], PrintedSheets]:
    """A press whose pictures take `art` bytes at 300 dpi, and have no more than `native` pixels an inch."""

    def made(options: SheetOptions) -> PrintedSheets:
        tries.append(options.art_dpi)
        finest = min(options.art_dpi, native)
        size = round(art * (finest / 300) ** 2)
        return PrintedSheets(bytes(words + size), 1, 1, 1, art_bytes=size, art_dpi=options.art_dpi, art_finest=finest)

    return made


def test_a_file_that_fits_is_printed_once() -> None:
    """Without a limit, or within it, nothing is tried."""
    for most in (0, 1_000_000, 600_000):
        tries: list[int] = []
        assert len(within_budget(SheetOptions(most_bytes=most), press(100_000, 500_000, 999, tries)).data) == 600_000
        assert tries == [300]


@given(st.integers(1_000, 200_000), st.integers(10_000, 3_000_000), st.integers(80, 400), st.floats(0.02, 1.2))
def test_the_limit_is_kept_and_used(words: int, art: int, native: int, share: float) -> None:
    """In a few tries the file is within the limit and no coarser than it must be, or refused at 72 dpi."""
    tries: list[int] = []
    made = press(words, art, native, tries)
    most = round(words + share * art)
    try:
        printed = within_budget(SheetOptions(most_bytes=most), made)
    except OutputError as refusal:
        assert words + art * (LEAST_DPI / 300) ** 2 > most
        assert f"{most:,}" in str(refusal)
    else:
        assert len(printed.data) <= most
        assert len(printed.data) > 0.7 * most or printed.art_finest >= min(native, 300)
    assert len(tries) <= 8 and min(tries) >= LEAST_DPI


def test_what_words_alone_fill_is_refused() -> None:
    """Without pictures there is nothing to give way: both numbers are told after one try."""
    tries: list[int] = []
    with pytest.raises(OutputError, match=r"5,000 bytes, more than the 4,000 allowed") as caught:
        within_budget(SheetOptions(most_bytes=4_000), press(5_000, 0, 300, tries))
    assert caught.value.exit_code == 3 and tries == [300]


@pytest.fixture
def carddb(call: Callable[..., Told]) -> Callable[..., Told]:
    """A folder with a catalogue whose soldiers all show one photograph."""
    Path("a.png").write_bytes(saved(photograph(900, 600), "PNG"))
    rows = [f"X-{n},Soldier {n},soldier,common,1,1,a.png" for n in range(4)]
    Path("cards.csv").write_text("\n".join(["ref,name,type,rarity,strength,life,art", *rows]))
    assert call("load", "cards.csv", "--set", "x", "--game", "empires-and-generals").code == 0
    return call


@pytest.mark.full
def test_pictures_give_way_and_words_do_not(carddb: Callable[..., Told]) -> None:
    """The command keeps to its limit, says at what resolution, and the text and its fonts are as they were."""
    assert carddb("sheets", "set:x", "-o", "full.pdf").code == 0
    told = carddb("sheets", "set:x", "-o", "small.pdf", "--max-mb", "0.2")
    assert told.code == 0 and " dpi, for 0.2 MB" in told.err
    full, small = Path("full.pdf").read_bytes(), Path("small.pdf").read_bytes()
    assert len(small) <= 200_000 < len(full)
    assert page_text(full) == page_text(small)
    assert int(images(full)[0].Width) > int(images(small)[0].Width)
    with pikepdf.open("full.pdf") as one, pikepdf.open("small.pdf") as other:
        fonts = [sorted(str(f.BaseFont) for f in pdf.pages[0].Resources.Font.values()) for pdf in (one, other)]
    assert fonts[0] == fonts[1]


@pytest.mark.full
def test_a_limit_that_cannot_be_kept_writes_nothing(carddb: Callable[..., Told]) -> None:
    """Exit code 3, both numbers, and no file; a limit of nothing, or for PNGs, is misuse."""
    told = carddb("sheets", "set:x", "-o", "small.pdf", "--max-mb", "0.01")
    assert told.code == 3 and "more than the 10,000 allowed" in told.err
    assert not Path("small.pdf").exists()
    assert carddb("sheets", "set:x", "-o", "small.pdf", "--max-mb", "0").code == 2
    assert carddb("sheets", "set:x", "--png", "out", "--max-mb", "1").code == 2
    assert carddb("sheets", "set:x", "-o", "small.pdf", "--art-dpi", "20").code == 2


@pytest.mark.full
def test_components_keep_to_a_limit(carddb: Callable[..., Told]) -> None:
    """What has no pictures is written within its limit or refused."""
    assert carddb("components", "empires-and-generals", "attack-resolution", "-o", "a.pdf", "--max-mb", "5").code == 0
    assert carddb("components", "empires-and-generals", "-o", "b.pdf", "--max-mb", "0.001").code == 3
    assert not Path("b.pdf").exists()
