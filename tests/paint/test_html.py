"""The skins of pages."""

from __future__ import annotations

from carddb.layout.colours import contrast
from carddb.paint.html import Skin, skin_css
from tests.rows import every

COLOURS = ("#8e1b2e", "#a63a2b", "#5a3ea3", "#24567a", "#cf4418", "#000000", "#ffffff", "#ffff00", "#00ff88", "#808080")
GROUNDS = ("#fdfcf9", "#ffffff", "#f9f5ea", "#f6f4fa", "#1a1a1a", "#cc2200")


@every("accent, ground", [(accent, ground) for accent in COLOURS for ground in GROUNDS])
def test_texts_and_marks_can_be_read_on_any_ground(accent: str, ground: str) -> None:
    """Whatever accent and ground a game names, by day and by night, texts and marks have a contrast of 4.5 to 1."""
    for colours in (Skin(accent, ground).light, Skin(accent, ground).dark):
        for behind in ("paper", "tint", "field-ground"):
            for front in ("ink", "mid", "accent"):
                assert contrast(colours[front], colours[behind]) >= 4.5, (front, behind)
        assert contrast(colours["on-accent"], colours["accent"]) >= 4.5


def test_a_skin_names_its_families_and_colours() -> None:
    """The style sheet of a skin has its families in quotes, without what could end them, and its own accent."""
    css = skin_css(Skin("#24567a", heading='Ar"vo;}')).decode()
    assert '--heading:"Arvo","Spectral",' in css and "--accent:#24567a;" in css
