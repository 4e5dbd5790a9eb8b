import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Size
from carddb.layout.calibration import (
    NONE,
    PITCH,
    RANGE,
    RIGHT,
    STEP,
    Correction,
    ScaleReading,
    back_matrix,
    example,
    parse_reading,
    registered,
    scales,
    with_back,
    with_scale,
)
from carddb.layout.drawing.path import apply
from carddb.layout.stock import paper_size
from tests.layout.misprint import SAME, Printer, affine, apart, read
from tests.rows import every

FLIPS = ["long-edge", "short-edge"]
SIX = ["letter", "a4", "a5", "a3", "5x8in", "11x8.5in", "210x148mm"]
FOUR = ["3x5in", "4x6in"]

RESOLUTION = PITCH - STEP
ROUNDING = RESOLUTION / 2
"""A reading is right to half a mark."""
SPREAD = {6: 3.7, 4: 1.7}
"""How much six, or four, roundings can add up to at a corner of the paper, at the worst."""
SECOND_ORDER = 40
"""What is left of a turn times a stretch (a skew, which is not corrected), at a corner, in micrometres."""


def bound(size: Size) -> float:
    return ROUNDING * SPREAD[len(scales(size))] + SECOND_ORDER


def micrometres(most: int) -> st.SearchStrategy[int]:
    return st.integers(-most, most)


def stretch(most: float) -> st.SearchStrategy[float]:
    return st.floats(1 - most, 1 + most)


@st.composite
def printers(draw: st.DrawFn, papers: list[str], stretched: float) -> Printer:
    """A back off by up to 2.5 mm, half a degree and `stretched`, on top of a front that is off as well."""
    size = paper_size(draw(st.sampled_from(papers)))
    tenth = stretch(stretched / 5)
    front = affine(
        size, draw(micrometres(1000)), draw(micrometres(1000)), draw(st.floats(-0.1, 0.1)), draw(tenth), draw(tenth)
    )
    back = affine(
        size,
        draw(micrometres(2500)),
        draw(micrometres(2500)),
        draw(st.floats(-0.5, 0.5)),
        draw(stretch(stretched)),
        draw(stretch(stretched)),
    )
    return Printer(size, draw(st.sampled_from(FLIPS)), front, back)


@given(printers(SIX, 0.005))
def test_one_page_brings_the_sides_together(printer: Printer) -> None:
    """After one reading the corners of the paper meet as well as marks of a tenth of a millimetre allow."""
    found = registered(read(printer, NONE), printer.size, printer.flip, NONE)
    assert max(apart(printer, found)) <= bound(printer.size)


@given(printers(FOUR, 0.0004))
def test_four_readings_are_enough_for_a_card(printer: Printer) -> None:
    """On an index card move and turn are found; its stretch is too little to be measured."""
    found = registered(read(printer, NONE), printer.size, printer.flip, NONE)
    assert max(abs(found.back_x), abs(found.back_y)) <= 1
    assert max(apart(printer, found)) <= bound(printer.size) + 40


@given(printers([*SIX, *FOUR], 0.0004))
def test_a_corrected_page_reads_zero(printer: Printer) -> None:
    """A second page, drawn with what the first one read, reads F10 at every scale, give or take one mark."""
    found = registered(read(printer, NONE), printer.size, printer.flip, NONE)
    for reading in read(printer, found):
        assert reading.letter == RIGHT[0] and abs(reading.number - int(RIGHT[1:])) <= 1


@given(
    printers(SIX, 0.004),
    st.builds(
        Correction,
        x=micrometres(900),
        y=micrometres(900),
        angle=micrometres(2000),
        back_x=micrometres(900),
        back_y=micrometres(900),
        scale_x=micrometres(4000),
        scale_y=micrometres(4000),
    ),
)
def test_a_reading_adds_to_what_was_applied(printer: Printer, applied: Correction) -> None:
    """Whatever correction a page was drawn with, its reading leads to the same good end, and leaves the scale alone."""
    found = registered(read(printer, applied), printer.size, printer.flip, applied)
    assert max(apart(printer, found)) <= bound(printer.size)
    assert (found.scale_x, found.scale_y) == (applied.scale_x, applied.scale_y)


@every("paper", [*SIX, *FOUR])
@every("flip", FLIPS)
def test_roundings_add_up_to_no_more_than_is_said(paper: str, flip: str) -> None:
    """How far each reading moves the corners, added up as if all were rounded the worst way."""
    size = paper_size(paper)
    right = [parse_reading(RIGHT, "")] * len(scales(size))
    across, down = [0.0] * 4, [0.0] * 4
    for place in range(len(right)):
        one_more = [*right[:place], ScaleReading("F", 11), *right[place + 1 :]]
        matrix = back_matrix(registered(one_more, size, flip, NONE), size)
        for corner, (x, y) in enumerate((x, y) for x in (0, size.width) for y in (0, size.height)):
            to = apply(matrix, x, y)
            across[corner] += abs(float(to[0] - x)) / RESOLUTION
            down[corner] += abs(float(to[1] - y)) / RESOLUTION
    assert max(across + down) <= SPREAD[len(right)]


@every("flip", FLIPS)
@every("paper", ["letter", "11x8.5in", "3x5in"])
@every("x, y", [(5000, 5000), (-5000, 5000), (5000, -5000), (-RANGE + 100, 0), (0, RANGE - 100)])
def test_five_millimetres_can_be_read(paper: str, flip: str, x: int, y: int) -> None:
    """A back that is 5 mm off both ways is read and corrected exactly, for such a move falls on a mark."""
    size = paper_size(paper)
    printer = Printer(size, flip, SAME, affine(size, x, y, 0, 1, 1))
    assert registered(read(printer, NONE), size, flip, NONE) == Correction(x=-x, y=-y)


def test_a_page_that_is_right_reads_f10() -> None:
    """Where nothing is off every scale reads F10, and F10 asks for no correction."""
    for paper in (*SIX, *FOUR):
        size = paper_size(paper)
        readings = read(Printer(size, "long-edge", SAME, SAME), NONE)
        assert {str(reading) for reading in readings} == {RIGHT}
        assert registered(readings, size, "long-edge", NONE) == NONE


def test_wrong_numbers_of_readings_are_refused_with_a_right_example() -> None:
    """Six scales want six readings; the example given can itself be typed."""
    for paper, count in (("letter", 6), ("3x5in", 4)):
        size = paper_size(paper)
        good = [parse_reading(part, "") for part in example(size).split(",")]
        assert len(good) == count and registered(good, size, "long-edge", NONE).plausible
        with pytest.raises(UsageError, match=f"{count} readings are needed, not {count - 1}") as refused:
            registered(good[1:], size, "long-edge", NONE)
        assert f"--read {example(size)}" in refused.value.remedy


@every("place", range(6))
@every("wrong", ["D", "H"])
def test_a_wrong_letter_is_noticed(place: int, wrong: str) -> None:
    """Six readings contradict each other when one letter is two millimetres off."""
    size = paper_size("letter")
    readings = [ScaleReading("F", 10)] * 6
    readings[place] = ScaleReading(wrong, 10)
    with pytest.raises(UsageError, match="cannot all be right"):
        registered(readings, size, "long-edge", NONE)


@every("text", ["", "7C", "I7", "C21", "C", "C-1", "M3", "C7 F2", "C٣"])
def test_what_no_scale_reads_is_refused(text: str) -> None:
    """Letters and numbers that stand on no scale are misuse, with a right example."""
    with pytest.raises(UsageError, match="is not a reading") as refused:
        parse_reading(text, "--read E6,E2")
    assert "--read E6,E2" in refused.value.remedy


def test_paper_that_is_too_small_is_refused() -> None:
    """Scales need room; the sentence says how much."""
    for size in (Size(50_000, 50_000), paper_size("5x3in")):
        with pytest.raises(UsageError, match="too small for a calibration page"):
            scales(size)


@given(
    st.builds(
        Correction,
        x=micrometres(9000),
        y=micrometres(9000),
        angle=micrometres(20_000),
        back_x=micrometres(9000),
        back_y=micrometres(9000),
        scale_x=micrometres(9000),
    )
)
def test_a_correction_is_its_matrix(correction: Correction) -> None:
    """From numbers to a matrix and back nothing is lost."""
    size = paper_size("a4")
    assert with_back(correction, back_matrix(correction, size), size) == correction


def test_measured_rulers_add_to_the_scale() -> None:
    """A ruler of 99.6 mm asks for 0.4 % more than the page was drawn with."""
    once = with_scale(NONE, (100_000, 100_000), (99_600, 100_200))
    assert once == NONE._replace(scale_x=4016, scale_y=-1996)
    assert with_scale(once, (100_000, 50_000), (100_000, 50_000)) == once
