"""Finished files as other programs see them; needs poppler's tools."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from carddb.cards.cards import Pool
from carddb.press.components.components import print_components
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import print_cards

pytestmark = [
    pytest.mark.door,
    pytest.mark.skipif(not shutil.which("pdffonts"), reason="poppler-utils is not installed"),
]


def told(tool: str, *arguments: str) -> str:
    """What one of poppler's programs says."""
    return subprocess.run([tool, *arguments], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="module")
def sheet(workshop: Workshop, pool: Pool, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four cards on Letter paper, both sides."""
    path = tmp_path_factory.mktemp("printed") / "sheet.pdf"
    cards = [(card, 1) for card in list(pool)[:4]]
    path.write_bytes(print_cards(workshop, cards, SheetOptions(), "Four cards", "four").data)
    return path


@pytest.mark.full
def test_every_font_is_embedded_and_subset(sheet: Path, workshop: Workshop, tmp_path: Path) -> None:
    """No font is left to the printer to guess."""
    other = tmp_path / "components.pdf"
    other.write_bytes(print_components(workshop, [], SheetOptions()).data)
    for path in (sheet, other):
        fonts = [line.split() for line in told("pdffonts", str(path)).splitlines()[2:]]
        assert fonts
        assert all(line[-5:-2] == ["yes", "yes", "yes"] for line in fonts)


def test_the_page_says_its_size_trim_and_title(sheet: Path) -> None:
    """Letter paper, the block of cards as TrimBox, the title, two pages."""
    said = told("pdfinfo", "-box", str(sheet))
    assert "Four cards" in said and "Pages:           2" in said
    assert "612 x 792 pts (letter)" in said
    trim = next(line.split()[1:] for line in said.splitlines() if line.startswith("TrimBox"))
    assert [float(n) for n in trim] == [90, 43.2, 522, 763.2]


def test_text_comes_out_as_it_was_typed(sheet: Path, pool: Pool) -> None:
    """Names and rules text are copied without stray spaces or ligatures."""
    text = " ".join(told("pdftotext", str(sheet), "-").split())
    for card in list(pool)[:4]:
        assert card.name in text
        assert card.ref in text
