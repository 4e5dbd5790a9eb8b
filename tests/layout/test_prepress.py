"""The inks of colours, and faces without transparency."""

from __future__ import annotations

from carddb.core.units import Box, Size
from carddb.layout.display_list import Face, Gradient, Group, Path, PlacedImage, Stop, Stroke, line, rectangle
from carddb.layout.prepress import BLACK, InkSpace, limited, opaque

SIZE = Size(60_000, 90_000)
SPACE = InkSpace(lambda _: (900, 800, 700, 400), {"#aa2233": (0, 900, 800, 50), "#000000": (600, 400, 400, 1000)}, 2400)


def area(colour: str, x: int, y: int, side: int, gradient: Gradient | None = None) -> Path:
    return Path(rectangle(Box(x, y, side, side)), fill=colour, gradient=gradient)


def test_a_colour_has_the_inks_of_the_game_or_black_or_those_of_the_profile() -> None:
    """Named colours come first, greys are black alone, the profile has the rest, and the sum is held."""
    assert SPACE.ink("#aa2233") == (0, 900, 800, 50)
    assert SPACE.ink("#000000") == (600, 400, 400, 1000)
    assert SPACE.ink("#ffffff") == (0, 0, 0, 0)
    assert SPACE.ink("#666666") == (0, 0, 0, 600)
    assert SPACE.ink("#123456") == (750, 666, 583, 400)
    assert sum(SPACE.ink("#123456")) <= SPACE.limit


def test_dark_words_and_hairlines_are_black_alone() -> None:
    """A rich black and a near black stay out of fine shapes; a coloured word keeps its inks."""
    assert SPACE.ink("#000000", fine=True) == SPACE.ink("#1a1412", fine=True) == BLACK
    assert SPACE.ink("#aa2233", fine=True) == (0, 900, 800, 50)
    assert SPACE.ink("#5a666f", fine=True)[:3] == (0, 0, 0) != SPACE.ink("#5a666f")[:3]
    assert SPACE.ink("#14171a") == BLACK and SPACE.ink("#0a0a38") != BLACK


def test_ink_is_taken_from_the_colours_not_from_black() -> None:
    """The sum is at most the limit, in the same proportion, and black is as before."""
    assert limited((1000, 500, 500, 1000), 2000) == (500, 250, 250, 1000)
    assert limited((100, 0, 0, 0), 2400) == (100, 0, 0, 0)


def test_black_overprints_only_where_the_sum_allows_it() -> None:
    """A face with a heavy colour or a picture knocks black words out, unless there is no limit."""
    light, heavy = area("#ffffff", 0, 0, 9), area("#aa2233", 0, 0, 9)
    picture = PlacedImage("k", Box(0, 0, 9, 9), Box(0, 0, 9, 9))
    assert SPACE.overprints((light,))
    assert not SPACE.overprints((light, heavy)) and not SPACE.overprints((Group((picture,)),))
    assert InkSpace(SPACE.transform, SPACE.named).overprints((heavy, picture))


def test_the_heaviest_colour_is_found_where_it_is() -> None:
    """The sum counts what the game names, with the first point of the outline."""
    space = InkSpace(SPACE.transform, {"#aa2233": (900, 900, 900, 0)}, 2400)
    found = space.heaviest(Face(SIZE, (area("#123456", 0, 0, 9), Group((area("#aa2233", 1000, 2000, 9),)))))
    assert found == (2700, "#aa2233", 1000, 2000)


def test_a_transparent_group_on_one_colour_becomes_opaque() -> None:
    """Fills, lines and fading gradients get the colour that they show; what was opaque is as before."""
    ground = area("#204060", 0, 0, 50_000)
    veil = Group((area("#ffffff", 1000, 1000, 9000), line(1000, 1000, 9000, 9000, Stroke("#000000", 200))), opacity=500)
    fade = Gradient((0, 0, 1, 1), (1, 0, 0, 1, 0, 0), (Stop(0.0, "#ffffff", 1000), Stop(1.0, "#ffffff", 0)))
    face, left = opaque(Face(SIZE, (ground, veil, area("#ffffff", 20_000, 20_000, 9000, fade))))
    assert not left
    _, group, faded = face.shapes
    assert isinstance(group, Group) and isinstance(faded, Path) and faded.gradient
    assert group.opacity == 1000
    fill, stroke = group.shapes
    assert isinstance(fill, Path) and isinstance(stroke, Path) and stroke.stroke
    assert (fill.fill, stroke.stroke.colour) == ("#90a0b0", "#102030")
    assert [(stop.colour, stop.opacity) for stop in faded.gradient.stops] == [("#ffffff", 1000), ("#204060", 1000)]


def test_parts_on_different_colours_are_mixed_apart() -> None:
    """Two shapes of a group that do not touch each have their own ground."""
    veil = Group((area("#ffffff", 1000, 1000, 900), area("#ffffff", 11_000, 1000, 900)), opacity=500)
    face, left = opaque(Face(SIZE, (area("#000000", 0, 0, 5000), area("#ff0000", 10_000, 0, 5000), veil)))
    assert not left
    assert [path.fill for group in face.shapes[2].shapes for path in group.shapes] == ["#808080", "#ff8080"]  # type: ignore[union-attr]


def test_what_lies_on_several_colours_is_left_and_told() -> None:
    """Neither an edge between two colours nor a picture is one ground."""
    veil = Group((area("#ffffff", 1000, 1000, 8000),), opacity=500)
    picture = PlacedImage("k", Box(0, 0, 9000, 9000), Box(0, 0, 9000, 9000))
    for under in (area("#000000", 0, 0, 5000), picture):
        face, left = opaque(Face(SIZE, (under, veil)))
        assert left == [(1000, 1000)] and face.shapes[1] == veil
