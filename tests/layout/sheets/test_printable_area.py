from carddb.layout.display_list import Face, Group
from carddb.layout.drawing.legibility import outside_printable
from tests.paint.samples import CARD, run


def face(*places: tuple[int, int]) -> Face:
    return Face(CARD, (Group(tuple(run("Effect", x, y) for x, y in places)),))


def test_words_at_the_edge_are_told_once_for_all_faces() -> None:
    """Two of three faces have words within 6.35 mm of the edge; the nearest is named with its distance."""
    middle, left, foot = face((30_000, 60_000)), face((5_000, 60_000), (30_000, 60_000)), face((30_000, 125_000))
    found = outside_printable([middle, left, foot], 6_350)
    assert found is not None and (found.code, found.severity.value) == ("outside_printable", "warning")
    assert "2 faces" in found.message and "6.35 mm" in found.message and "2 mm from the edge" in found.message
    assert found.data == {"faces": 2, "margin_um": 6_350, "nearest_um": 2_000}


def test_turned_words_are_measured_as_they_lie() -> None:
    """A line that reads upwards at the left edge is as near to it as its letters are high."""
    turned = Face(CARD, (run("Effect", 4_000, 60_000, angle=270),))
    found = outside_printable([turned], 3_000)
    assert found is not None and found.data["nearest_um"] == 4_000 + -3175 * 7 // 10


def test_a_printer_that_reaches_the_words_is_no_matter() -> None:
    """Nothing is said where all words lie inside, or where nobody says what the printer leaves white."""
    assert outside_printable([face((5_000, 60_000))], 5_000) is None
    assert outside_printable([face((0, 60_000))], 0) is None
    assert outside_printable([], 6_350) is None
