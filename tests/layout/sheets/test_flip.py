import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.errors import UsageError
from carddb.core.units import Box, Size
from carddb.layout.sheets.grid import Hinge, turn_axis
from carddb.layout.stock import PAPERS
from tests.rows import every

boxes = st.builds(Box, *(st.integers(0, 300_000) for _ in range(4)))
hinges = st.builds(Hinge, st.booleans(), st.integers(0, 600_001))


@given(boxes, hinges, st.sampled_from([0, 90, 180, 270]))
def test_turning_twice_is_turning_back(box: Box, hinge: Hinge, angle: int) -> None:
    """A reflection undoes itself, for places and for angles."""
    assert hinge.mirror(hinge.mirror(box)) == box
    assert hinge.turned(hinge.turned(angle)) == angle


@every(
    "paper, flip, upright",
    [
        (PAPERS["a4"], "long-edge", True),
        (PAPERS["a4"], "short-edge", False),
        (PAPERS["a4"].turned, "long-edge", False),
        (PAPERS["a4"].turned, "short-edge", True),
    ],
)
def test_a_sheet_turns_about_the_middle_along_the_edge_that_is_named(paper: Size, flip: str, upright: bool) -> None:
    """The long edge of upright paper is upright, that of lying paper level."""
    assert turn_axis(paper, flip) == Hinge(upright, paper.width if upright else paper.height)


def test_an_unknown_flip_is_answered_with_the_nearest() -> None:
    """A misspelt edge is misuse."""
    with pytest.raises(UsageError, match="Did you mean long-edge"):
        turn_axis(PAPERS["a4"], "longedge")
