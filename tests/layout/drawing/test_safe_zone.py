"""Words near the cut."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Size
from carddb.findings import CardCount, Severity
from carddb.layout.display_list import Face, Run
from carddb.layout.drawing.legibility import SafeArea
from carddb.layout.drawing.outline import Outline, rectangle
from carddb.layout.drawing.shapes import outline_of
from tests.paint.samples import CARD, run, spelt

HANNIBAL, MAGO = CardCount("A-1", "Hannibal"), CardCount("A-2", "Mago")
INSET = 3000


def looked(*runs: Run) -> SafeArea:
    area = SafeArea(INSET, "the shop")
    area.check(Face(CARD, runs), HANNIBAL)
    return area


def test_words_inside_the_safe_area_are_no_finding() -> None:
    """A line well inside is passed over."""
    assert looked(run("well inside", 10_000, 20_000)).findings() == []


def test_words_near_the_cut_are_a_warning_with_both_numbers() -> None:
    """The finding names field, card, the distance and what is asked for."""
    words = spelt(1_200, 20_000, "near", "Cardo 700", 3000, (1500,) * 4, field="name")
    (found,) = looked(words).findings()
    assert (found.code, found.severity, found.cards) == ("outside_safe", Severity.WARNING, (HANNIBAL,))
    assert found.data == {"field": "name", "distance_um": 1200, "safe_um": INSET}
    assert "1.20 mm" in found.message and "3.00 mm" in found.message and "near" in found.message


def test_words_keep_away_from_an_outline() -> None:
    """Words in the corner of a disc are outside, though far from the sides of its face; those in a round-cornered
    rectangle count from its sides.
    """
    corner = Face(CARD, (spelt(8_000, 12_000, "near", "Cardo 700", 3000, (1500,) * 4, field="name"),))
    for outline, count in ((ellipse_of(CARD), 1), (rectangle(CARD), 0), (None, 0)):
        area = SafeArea(INSET, "the shop")
        area.check(corner, HANNIBAL, outline)
        assert len(area.findings()) == count


def ellipse_of(size: Size) -> Outline:
    return outline_of("circle", size, lambda _: "")


def test_a_field_is_told_once_at_its_worst() -> None:
    """One warning a field, whatever the cards; the nearest words are quoted."""
    area = SafeArea(INSET, "the shop")
    for subject, x in ((HANNIBAL, 2_000), (MAGO, 500)):
        area.check(Face(CARD, (spelt(x, 20_000, "w", "Cardo 700", 3000, (1500,), field="ref"),)), subject)
    (found,) = area.findings()
    assert found.cards == (HANNIBAL, MAGO)
    assert found.message.startswith("Mago [A-2]") and "the same is true of 1 more card" in found.message


@given(st.integers(0, 359), st.integers(-5_000, 80_000), st.integers(-5_000, 130_000), st.integers(1, 20_000))
def test_turned_words_are_measured_where_they_lie(angle: int, x: int, y: int, width: int) -> None:
    """A word is outside just where the face turned with it, by a half turn, says so too."""
    here = looked(spelt(x, y, "w", "Cardo 700", 2000, (width,), angle=angle)).findings()
    there = looked(
        spelt(CARD.width - x, CARD.height - y, "w", "Cardo 700", 2000, (width,), angle=(angle + 180) % 360)
    ).findings()
    assert [f.data["distance_um"] for f in here] == [f.data["distance_um"] for f in there]
