from io import BytesIO

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

from carddb.core.errors import FontError
from carddb.layout.display_list import Face, Group
from carddb.layout.text.fonts import Font, FontBook
from carddb.paint.font_subset import characters, cut
from tests.paint.samples import CARD, SERIF, book, face_pdf, run, spelt


def variable() -> Font:
    """A font of two letters whose weight axis widens them."""
    builder = FontBuilder(1000, isTTF=True)
    builder.setupGlyphOrder([".notdef", "space", "A", "B"])
    builder.setupCharacterMap({0x20: "space", 0x41: "A", 0x42: "B"})
    pen = TTGlyphPen(None)
    for point, draw in (((0, 0), pen.moveTo), ((0, 700), pen.lineTo), ((500, 700), pen.lineTo), ((500, 0), pen.lineTo)):
        draw(point)
    pen.closePath()
    box, none = pen.glyph(), TTGlyphPen(None).glyph()
    builder.setupGlyf({".notdef": none, "space": none, "A": box, "B": box})
    builder.setupHorizontalMetrics(dict.fromkeys((".notdef", "space", "A", "B"), (600, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Square", "styleName": "Thin", "psName": "Square-Thin"})
    builder.setupOS2()
    builder.setupPost()
    builder.setupFvar([("wght", 100, 100, 900, "Weight")], [])
    wider = [(0, 0), (0, 0), (400, 0), (400, 0), (0, 0), (400, 0), (0, 0), (0, 0)]
    from fontTools.ttLib.tables.TupleVariation import TupleVariation

    builder.setupGvar(
        {"A": [TupleVariation({"wght": (0, 1, 1)}, wider)], "B": [TupleVariation({"wght": (0, 1, 1)}, wider)]}
    )
    out = BytesIO()
    builder.font["head"].modified = builder.font["head"].created = 0
    builder.save(out)
    return Font("Square 900", "Square", "900", out.getvalue(), {"wght": 900.0})


def test_a_variable_font_is_fixed_at_its_axes() -> None:
    """Cut to the job's characters, a variable font has the width of its instance and no axes left."""
    font = TTFont(BytesIO(cut(variable(), "A")))
    assert "fvar" not in font and "gvar" not in font
    assert font["hmtx"]["A"][0] == 1000
    assert set(font.getBestCmap()) == {0x20, 0x41}


def test_cutting_is_repeatable() -> None:
    """The same characters give the same bytes, in whatever order they are named."""
    font = book().fonts[SERIF]
    assert cut(font, "ABC") == cut(font, "CBA")
    assert len(cut(font, "ABC")) < len(font.file.data) // 10


def test_two_weights_of_one_variable_font_live_in_one_file() -> None:
    """Instances that share a PostScript name are embedded side by side."""
    heavy = variable()
    light = Font("Square 100", "Square", "100", heavy.file.data, {"wght": 100.0})
    runs = (spelt(0, 9000, "AB", "Square 900", 1000, (1000, 1000)), spelt(0, 19000, "A", "Square 100", 1000, (600,)))
    data = face_pdf(Face(CARD, runs, "t"), FontBook([heavy, light]), {})
    assert b"Square-900" in data and b"Square-100" in data


def test_a_broken_font_is_told_by_name() -> None:
    """Bytes that are no font are answered with the font's key."""
    with pytest.raises(FontError, match="Odd 400"):
        cut(Font("Odd 400", "Odd", "400", b"\x00\x01\x00\x00" + bytes(40)), "A")


def test_a_glyph_of_endless_parts_is_refused() -> None:
    """Glyphs that are each twice the one before are counted by tables, and no drawing program gets them."""
    data = book().fonts[SERIF].file.data
    font = TTFont(BytesIO(data))
    names = [f"twice{number}" for number in range(40)]
    font.setGlyphOrder([*font.getGlyphOrder(), *names])
    below = font.getBestCmap()[ord("A")]
    for name in names:
        pen = TTGlyphPen(font["glyf"].glyphs)
        pen.addComponent(below, (1, 0, 0, 1, 0, 0))
        pen.addComponent(below, (1, 0, 0, 1, 9, 0))
        glyph, below = pen.glyph(), name
        glyph.xMin = glyph.yMin = glyph.xMax = glyph.yMax = 0
        font["glyf"][name], font["hmtx"][name] = glyph, (500, 0)
    for table in font["cmap"].tables:
        table.cmap[ord("A")] = below
    font.recalcBBoxes = False
    out = BytesIO()
    font.save(out)
    endless = Font("Endless 400", "Endless", "400", out.getvalue())
    with pytest.raises(FontError, match="501 parts, not up to 500"):
        cut(endless, "A")
    assert cut(endless, "B")


def test_characters_are_gathered_from_groups_too() -> None:
    """Every run counts, however deep it is."""
    shapes = (Group((Group((run("ab", 0, 0),)),)), run("bc", 0, 0), run("x", 0, 0, SERIF))
    assert characters([shapes]) == {"Alegreya Sans 500": {"a", "b", "c"}, SERIF: {"x"}}
