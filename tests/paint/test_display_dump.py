from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from carddb.core.units import Box
from carddb.layout.display_list import Face, Group, Path, Stroke, rectangle
from tests.paint.display_dump import dump
from tests.paint.samples import CARD, face, run, spelt

GOLDEN = """\
face 76.200 x 127.000 "A \\"name\\""
  path fill #ffffff stroke #000000 0.150 butt miter dash 1.000 0.500 M -1.000 0.000 L 2.000 0.000 L 2.000 4.005 Z
  group opacity 0.500 clip evenodd M 0.000 0.000 L 1.000 0.000 L 1.000 1.000 L 0.000 1.000 Z
    text 1.000 -0.002 "né" "Cardo 700" 3.175 #123456 angle 90 field "name" advances 1.500 0.000
"""


def test_a_dump_is_read_like_a_page() -> None:
    """One line a shape, millimetres with three decimals, what lies in a group is indented."""
    corner = (("M", (-1000, 0)), ("L", (2000, 0)), ("L", (2000, 4005)), ("Z", ()))
    path = Path(corner, fill="#ffffff", stroke=Stroke("#000000", 150, dash=(1000, 500)))
    line = spelt(1000, -2, "né", "Cardo 700", 3175, (1500, 0), "#123456", 90, "name")
    group = Group((line,), clip=rectangle(Box(0, 0, 1000, 1000)), evenodd=True, opacity=500)
    assert dump(Face(CARD, (path, group), 'A "name"')) == GOLDEN


def test_a_dump_tells_faces_apart() -> None:
    """Equal faces have equal dumps; a micrometre makes another."""
    one = face()
    assert dump(one) == dump(face())
    moved = run("another", 6001, 30000)
    assert dump(replace(one, shapes=(*one.shapes[:4], moved, *one.shapes[5:]))) != dump(one)


@settings(max_examples=25, deadline=None)
@given(st.text(), st.text())
def test_words_cannot_break_a_line(title: str, text: str) -> None:
    """However odd the words, a shape stays one line."""
    line = spelt(0, 0, text, "Cardo 700", 3175, (0,) * len(text))
    assert len(dump(Face(CARD, (line,), title)).split("\n")) == 3
