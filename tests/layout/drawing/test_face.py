"""Templates to faces: the dialect, what is refused, what is found."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from carddb.core.errors import TemplateError
from carddb.core.units import Box, Size, mm
from carddb.findings import CardCount, Severity
from carddb.layout.colours import contrast
from carddb.layout.display_list import (
    Face,
    Group,
    Path,
    PlacedImage,
    Run,
    Shape,
    Stroke,
    line,
    rectangle,
    walk,
)
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.art import Artwork
from carddb.layout.drawing.face import DrawingKit, DrawnFace, draw
from carddb.layout.drawing.legibility import crowded
from carddb.layout.templates.template import Templates
from carddb.layout.text.fonts import FontBook
from tests.paint.samples import word
from tests.rows import every, usually

SUBJECT = CardCount("T-1", "Test")
TEXT = 'font-family="Cardo" font-size="10pt"'


def face(
    book: FontBook, body: str, size: Size | None = None, art: Mapping[str, Artwork] | None = None, **context: object
) -> DrawnFace:
    """A 60 × 40 mm face with this body."""
    source = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">\n{body}\n</svg>'
    kit = DrawingKit(Templates({"t/face.svg": source}), book, svg_parser.Library(), art or {})
    return draw(kit, "t/face.svg", context, SUBJECT, size)


def shapes(drawn: DrawnFace) -> list[Shape]:
    """What is drawn, whether or not it belongs together."""
    inner = (shape.shapes if isinstance(shape, Group) and shape.is_plain else (shape,) for shape in drawn.face.shapes)
    return [shape for some in inner for shape in some]


def codes(drawn: DrawnFace) -> list[str]:
    return [finding.code for finding in drawn.findings]


def test_a_millimetre_in_the_template_is_a_millimetre_on_the_face(book: FontBook) -> None:
    """One user unit is 1 mm."""
    drawn = face(book, '<rect x="1.5" y="2" width="10" height="3"/>')
    (shape,) = shapes(drawn)
    assert isinstance(shape, Path)
    assert shape.ops[0] == ("M", (1500, 2000))
    assert shape.ops[2] == ("L", (11500, 5000))
    assert drawn.face.size == Size(60000, 40000)


def test_a_face_scales_evenly_and_is_centred(book: FontBook) -> None:
    """On a size of another shape the face keeps its own."""
    drawn = face(book, '<rect x="0" y="0" width="60" height="40" data-bleed="none"/>', Size(mm(30), mm(30)))
    (shape,) = shapes(drawn)
    assert isinstance(shape, Path)
    assert shape.ops[0] == ("M", (0, 5000))


def test_a_symbol_is_drawn_in_its_box(book: FontBook) -> None:
    """`use` fits a symbol's viewBox into width and height."""
    symbol = '<symbol id="s" viewBox="-5 -5 10 10"><rect x="-5" y="-5" width="10" height="10"/></symbol>'
    drawn = face(book, symbol + '<use href="#s" x="10" y="10" width="4"/>')
    (shape,) = shapes(drawn)
    assert isinstance(shape, Path)
    assert shape.ops[0] == ("M", (10000, 10000))
    assert shape.ops[2] == ("L", (14000, 14000))


_SIGNS = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10">
<symbol id="box" viewBox="-5 -5 10 10"><rect x="-5" y="-5" width="10" height="10"/><circle r="3" fill="none"/></symbol>
<g id="ring" stroke="#102030"><circle r="4" opacity="0.5"/><g><path d="M0 0L9 1V4Z" fill="#aa0000"/></g></g>
<rect id="edge" width="60" height="40" fill-rule="evenodd"/>
</svg>"""
_USES = st.builds(
    "<g {} {} {}><use href='#{}' x='{}' y='2' {}/></g>".format,
    st.sampled_from(("", "transform='rotate(30)'", "transform='translate(0 0)'")),
    st.sampled_from(("", "fill='#336699'", "stroke='#010203'", "opacity='0.4'")),
    st.sampled_from(("", "data-bleed='none'", "data-bleed='edge'")),
    st.sampled_from(("box", "ring", "edge")),
    st.integers(0, 1),
    st.sampled_from(("", "width='8'", "stroke-width='2'", "opacity='0.3'")),
)


@given(st.lists(_USES, max_size=6), st.sampled_from((None, Size(mm(30), mm(30)), Size(mm(60), mm(40)))))
def test_a_sign_that_was_drawn_before_looks_as_drawn_anew(book: FontBook, uses: list[str], size: Size | None) -> None:
    """Faces that share a library of signs look like faces with one each, wherever and in whatever paint they stand."""
    sources = {f"t/{at}.svg": f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 60 40'>{use}{uses[0]}</svg>"
               for at, use in enumerate(uses)}  # fmt: skip
    shared = DrawingKit(Templates(sources), book, svg_parser.Library([svg_parser.parse(_SIGNS)]))
    for name in [*sources, *sources]:
        alone = DrawingKit(Templates(sources), book, svg_parser.Library([svg_parser.parse(_SIGNS)]))
        assert draw(shared, name, {}, SUBJECT, size) == draw(alone, name, {}, SUBJECT, size)


def test_a_clip_is_a_group_with_an_outline(book: FontBook) -> None:
    """`clip-path` cuts by the shapes of the clipPath, even-odd where asked."""
    clip = '<clipPath id="c"><path clip-rule="evenodd" d="M1 1H9V9H1Z"/></clipPath>'
    (group,) = shapes(face(book, clip + '<g clip-path="url(#c)"><circle cx="3" cy="3" r="9"/></g>'))
    assert isinstance(group, Group)
    assert group.evenodd
    assert group.clip[0] == ("M", (1000, 1000))


def test_a_picture_covers_its_box_by_its_focus(book: FontBook) -> None:
    """A wide picture in a square box loses its sides, not its focus."""
    art = {"a.png": svg_parser.Art("k", 200, 100)}
    drawn = face(book, '<image href="a.png" x="20" y="5" width="10" height="10" data-focus="1 0.5"/>', art=art)
    (picture,) = shapes(drawn)
    assert isinstance(picture, PlacedImage)
    assert (picture.box.x, picture.box.width, picture.box.height) == (10000, 20000, 10000)


def test_turned_text_keeps_its_angle(book: FontBook) -> None:
    """A text in a group turned by 180 degrees runs backwards."""
    drawn = face(book, f'<g transform="rotate(180 30 20)"><text x="10" y="10" {TEXT}>back</text></g>')
    (run,) = walk(drawn.face.shapes)
    assert isinstance(run, Run)
    assert (run.angle, run.x, run.y) == (180, 50000, 30000)


@every(
    "body, says",
    [
        ("<filter/>", "<filter> is not an SVG element that carddb supports"),
        ("<rectangle/>", "Did you mean rect?"),
        ('<rect style="fill:red"/>', "does not support the attribute 'style' of <rect>"),
        ('<rect fill="red"/>', "'red' is not a colour"),
        ('<rect width="wide"/>', "is not a number"),
        ('<rect stroke="#000000" stroke-dasharray="1 -1"/>', "has a length below 0"),
        ('<use href="#lam"/><symbol id="lamp" viewBox="0 0 1 1"/>', "Did you mean lamp?"),
        ("<text>no font</text>", "needs font-family"),
        ('<text font-family="Comic" font-size="9pt">x</text>', "no font family"),
        ('<text font-family="Cardo" font-size="0pt">x</text>', "cannot have the size 0pt"),
        (f'<g transform="skewX(3)"><text {TEXT}>x</text></g>', "not a transform"),
        (f'<g transform="scale(1 -1)"><text {TEXT}>x</text></g>', "a text is skewed, mirrored or stretched"),
        ('<path d="M0 0 X"/>', "path data"),
        ("<g>", "not well-formed"),
    ],
)
def test_what_is_not_supported_names_template_line_and_the_nearest(book: FontBook, body: str, says: str) -> None:
    """A fault in a template is an error that says where and what instead."""
    with pytest.raises(TemplateError) as caught:
        face(book, f"\n\n{body}")
    assert says in str(caught.value)
    assert str(caught.value).startswith("t/face.svg")
    if "well-formed" not in says and "font family" not in says:
        assert caught.value.line == 4


def test_a_symbol_that_uses_itself_is_refused(book: FontBook) -> None:
    """Endless drawings end in an error."""
    with pytest.raises(TemplateError, match="nested deeper"):
        face(book, '<g id="a"><use href="#a"/></g>')


def test_entities_are_refused(book: FontBook) -> None:
    """A document type cannot blow a face up."""
    kit = DrawingKit(Templates({"t/face.svg": '<!DOCTYPE svg [<!ENTITY a "b">]><svg viewBox="0 0 1 1"/>'}), book)
    with pytest.raises(TemplateError, match="document type"):
        draw(kit, "t/face.svg", {}, SUBJECT)


def test_an_unknown_variable_is_an_error_with_its_line(book: FontBook) -> None:
    """Jinja is strict: a misspelt field does not print as nothing."""
    with pytest.raises(TemplateError, match="nmae") as caught:
        face(book, f"\n<text {TEXT}>{{{{ card.nmae }}}}</text>", card={"name": "x"})
    assert caught.value.line == 3


@pytest.mark.parametrize(
    "attack", ["{{ ''.__class__.__mro__ }}", "{{ card.__init__.__globals__ }}", "{% set x = card.update({'a': 1}) %}"]
)
def test_templates_are_sandboxed(book: FontBook, attack: str) -> None:
    """A template cannot reach Python or change what it is given."""
    with pytest.raises(TemplateError):
        face(book, attack, card={"name": "x"})


def test_card_text_cannot_become_drawing(book: FontBook) -> None:
    """A name with angle brackets prints as it is."""
    drawn = face(book, f'<text x="1" y="9" {TEXT}>{{{{ name }}}}</text>', name='<rect width="9"/> & Co')
    (run,) = walk(drawn.face.shapes)
    assert isinstance(run, Run)
    assert run.text == '<rect width="9"/> & Co'


def test_text_that_does_not_fit_is_found(book: FontBook) -> None:
    """Overflow is an error that names the field and the points."""
    drawn = face(book, f'<text data-box="2 2 20 5" data-field="name" {TEXT}>far too long for its little box</text>')
    assert codes(drawn) == ["text_overflow"]
    assert "pt too high" in drawn.findings[0].message
    assert drawn.findings[0].data["field"] == "name"


def test_small_type_is_found_after_scaling(book: FontBook) -> None:
    """Ten points are readable, a third of them are not."""
    body = f'<text x="2" y="9" {TEXT}>word</text>'
    assert codes(face(book, body)) == []
    assert codes(face(book, body, Size(20000, 13333))) == ["text_too_small"]


@pytest.mark.parametrize(
    ("ink", "ground", "found"),
    [("#000000", "#ffffff", []), ("#ffffff", "#223366", []), ("#999999", "#ffffff", ["contrast_low"])],
)
def test_low_contrast_is_found_on_the_ground_it_stands_on(
    book: FontBook, ink: str, ground: str, found: list[str]
) -> None:
    """Contrast is taken against the last shape filled under the text."""
    under = f'<rect width="60" height="40" fill="#ffffff"/><circle cx="10" cy="10" r="9" fill="{ground}"/>'
    text = f'<text x="10" y="11" text-anchor="middle" fill="{ink}" {TEXT}>a</text>'
    assert codes(face(book, under + text)) == found


@every(
    "size, weight, found",
    [("17.5pt", 400, ["contrast_low"]), ("18pt", 400, []), ("14pt", 700, []), ("13.5pt", 700, ["contrast_low"])],
)
def test_large_text_has_a_bound_of_its_own(book: FontBook, size: str, weight: int, found: list[str]) -> None:
    """From 18 points on, or 14 in bold, a contrast of 3 is enough; smaller text needs 4.5."""
    text = f'<text x="2" y="20" fill="#8a8a8a" font-family="Alegreya Sans" font-weight="{weight}" font-size="{size}">a'
    assert codes(face(book, f"{text}</text>")) == found


def test_every_ground_under_a_text_counts(book: FontBook) -> None:
    """A line that begins on white and ends on a dark plate cannot be read to its end; the finding has all figures."""
    plate = '<rect x="24" y="2" width="30" height="14" fill="#333333"/>'
    drawn = face(book, plate + f'<text x="2" y="11" fill="#222222" {TEXT}>from the light into the dark</text>')
    assert codes(drawn) == ["contrast_low"]
    data = drawn.findings[0].data
    assert (data["colour"], data["ground"], data["least"]) == ("#222222", "#333333", 4.5)
    assert contrast(str(data["better"]), "#333333") >= 4.5


def test_a_glaze_darkens_what_is_under_it(book: FontBook) -> None:
    """A see-through fill counts as the mixture that is seen, not as its own colour."""
    glaze = '<g opacity="0.2"><rect width="60" height="40" fill="#000000"/></g>'
    text = f'<text x="2" y="11" fill="{{}}" {TEXT}>word</text>'
    assert codes(face(book, glaze + text.format("#000000"))) == []
    assert codes(face(book, glaze + text.format("#6f6f6f"))) == ["contrast_low"]


def test_text_outside_the_face_is_found(book: FontBook) -> None:
    """A line that runs off the card is an error."""
    assert codes(face(book, f'<text x="55" y="9" {TEXT}>runs off the card</text>')) == ["text_outside"]


def test_a_missing_glyph_is_found_with_the_remedy(book: FontBook) -> None:
    """A character that no font has is left out and named."""
    drawn = face(book, f'<text x="2" y="9" {TEXT}>a\U0001f409</text>')
    assert codes(drawn) == ["glyph_missing"]


def test_a_finding_quotes_a_text_on_one_line(book: FontBook) -> None:
    """Paragraphs are told on one line, cut off after forty letters."""
    text = "a🐉\n\n" + "word " * 20
    (finding,) = face(book, f'<text data-box="2 2 50 30" data-min="6pt" {TEXT}>{text}</text>').findings
    assert "\n" not in finding.message and finding.message.endswith("…”")


def test_japanese_is_a_finding_without_the_cjk_extra(book: FontBook) -> None:
    """織田信長 prints with the extra and is a finding without it."""
    latin = FontBook(
        [font for font in book.fonts.values() if font.family == "Cardo"], hints={"Hani": "pip install 'carddb[cjk]'"}
    )
    drawn = face(latin, f'<text x="2" y="9" {TEXT}>織田信長</text>')
    assert codes(drawn) == ["glyph_missing"]
    assert "carddb[cjk]" in drawn.findings[0].fix
    if any(font.family == "Noto Sans JP" for font in book.fonts.values()):
        assert codes(face(book, f'<text x="2" y="9" {TEXT}>織田信長</text>')) == []


def test_a_template_may_leave_out_what_no_font_has(book: FontBook) -> None:
    """`text_known` says whether all letters of a text can be printed."""
    asked = " ".join(f'{{{{ text_known("{text}", "Cardo") }}}}' for text in ("Æthelflæd", "a🐉"))
    assert face(book, f"<title>{asked}</title>").face.title == "True False"


def test_an_unknown_icon_is_found(book: FontBook) -> None:
    """An icon that the game lacks is an error, not a hole."""
    drawn = face(book, f'<text data-box="2 2 50 20" {TEXT}>{{icon:dragon}} here</text>')
    assert codes(drawn) == ["icon_unknown"] and "Choose one of: " in drawn.findings[0].fix


@every("mark", ["{icon:two words}", "{icon:free", "{icon:}", "{pearl}", "{Icon:free}"])
def test_what_is_no_icon_is_found(book: FontBook, mark: str) -> None:
    """What begins like an icon and is none would be printed as code; behind a backslash it is meant."""
    box = f'data-box="2 2 50 20" {TEXT}'
    assert codes(face(book, f"<text {box}>**{{{{ mark }}}}** here</text>", mark=mark)) == ["icon_unread"]
    assert codes(face(book, f"<text {box}>{{{{ mark }}}} here</text>", mark=f"\\{mark}")) == []


def test_bold_without_an_end_is_found(book: FontBook) -> None:
    """Two stars without a partner would be printed as stars; behind backslashes they are meant."""
    box = f'data-box="2 2 50 20" {TEXT}'
    assert codes(face(book, f"<text {box}>**Draw two.</text>")) == ["icon_unread"]
    assert codes(face(book, rf"<text {box}>\*\*Draw two.</text>")) == []


def test_an_icon_is_centred_whatever_its_view_box(book: FontBook) -> None:
    """A symbol that is drawn from its corner stands where one that is drawn round its centre stands."""

    def icon(view_box: str, corner: int) -> list[Shape]:
        square = f'<rect x="{corner}" y="{corner}" width="10" height="10"/>'
        library = svg_parser.Library(
            [
                svg_parser.parse(f'''<svg xmlns="http://www.w3.org/2000/svg"
            viewBox="0 0 1 1"><symbol id="icon-i" viewBox="{view_box}">{square}</symbol></svg>''')
            ]
        )
        text = f'<text data-box="2 2 50 20" {TEXT}>{{icon:i}}</text>'
        source = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">{text}</svg>'
        drawn = draw(DrawingKit(Templates({"t/face.svg": source}), book, library), "t/face.svg", {}, SUBJECT)
        return [shape for shape in shapes(drawn) if isinstance(shape, Path)]

    assert icon("0 0 10 10", 0) == icon("-5 -5 10 10", -5) != []


def test_a_plain_text_has_no_marks(book: FontBook) -> None:
    """In a field or an element that is plain, every character is printed."""
    library = svg_parser.Library((), {"rule"})
    for attribute in ('data-markup="plain"', 'data-field="rule"'):
        text = f'<text data-box="2 2 50 20" {attribute} {TEXT}>**a** {{icon:b}}</text>'
        source = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 40">{text}</svg>'
        drawn = draw(DrawingKit(Templates({"t/face.svg": source}), book, library), "t/face.svg", {}, SUBJECT)
        assert codes(drawn) == []
        assert "".join(s.text for s in shapes(drawn) if isinstance(s, Run)) == "**a** {icon:b}"


SCRIPTS = {
    "Arabic": "\u0644\u0627\u0639\u0628",
    "Thai": "\u0e01\u0e34\u0e19",
    "Devanagari": "\u0928\u092e\u0938\u094d\u0924\u0947",
}


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
def test_scripts_that_are_shaped_need_their_fonts(book: FontBook, text: str) -> None:
    """Arabic, Thai and Devanagari are set; without the fonts a finding says which extra has them."""
    body = f'<text x="2" y="9" {TEXT}>{text}</text>'
    if any(font.family == "Noto Sans Arabic" for font in book.fonts.values()):
        assert codes(face(book, body)) == []
    hints: dict[str, Any] = {"Hani": "pip install 'carddb[cjk]'"} | dict.fromkeys(
        ("Arab", "Thai", "Deva"), "pip install 'carddb[scripts]'"
    )
    latin = FontBook([font for font in book.fonts.values() if font.family == "Cardo"], hints=hints)
    drawn = face(latin, body)
    assert codes(drawn) == ["glyph_missing"]
    assert drawn.findings[0].fix == "pip install 'carddb[scripts]'"


@every(
    "body",
    [
        '<g transform="rotate(NaN)"><rect width="1" height="1"/></g>',
        '<rect width="1" height="1" stroke="#000000" stroke-width="inf"/>',
        '<path d="M 1e308 1e308 L 1 1"/>',
        '<g transform="scale(1e6)"><g transform="scale(1e6)"><rect width="1" height="1"/></g></g>',
        '<symbol id="s" viewBox="0 0 0 0"/><use href="#s" width="3"/>',
    ],
)
def test_numbers_that_cannot_be_drawn_are_refused(book: FontBook, body: str) -> None:
    """NaN, infinity and numbers beyond reason are a fault of the template."""
    with pytest.raises(TemplateError):
        face(book, body)


def _uses(deep: int) -> str:
    """Symbols of ten uses of the one before."""
    groups = "".join(f'<g id="a{n}">' + f'<use href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, deep))
    return f'<defs><g id="a0"><rect width="1" height="1"/></g>{groups}</defs><use href="#a{deep - 1}"/>'


@usually(
    ("body", "words"),
    [
        (_uses(12), "more than 50,000 elements"),
        ("<g>" * 3_000 + "</g>" * 3_000, "nested deeper than 60"),
        (f"<text {TEXT}>{{{{ 'a' * 20001 }}}}</text>", "a text has more than 20,000 characters"),
        (f"<text {TEXT}><tspan>{{{{ 'a' * 20001 }}}}</tspan></text>", "a text has more than 20,000 characters"),
        ("{{ text_width('a' * 20001, 'Spectral', 8) }}", "a text has more than 20,000 characters"),
        ("{% for x in range(99999) %}<rect/>{% endfor %}", "more than 400,000 characters"),
    ],
    ("<g>" * 3_000 + "</g>" * 3_000, "nested deeper than 60"),
)
def test_what_a_drawing_may_hold_is_bounded(book: FontBook, body: str, words: str) -> None:
    """Symbols that use symbols, elements in elements, and texts of many pages are refused with the line."""
    with pytest.raises(TemplateError, match=words) as caught:
        face(book, body)
    assert caught.value.line == 2


def test_words_over_words_are_found(book: FontBook) -> None:
    """Words on others are a warning that quotes both; lines above each other, shadows and covered words are none."""
    text = '<text x="{}" y="{}" {} fill="{}">{}</text>'
    one = text.format(10, 20, TEXT, "#000000", "Guard")
    [finding] = face(book, one + text.format(14, 21, TEXT, "#000000", "Harbour")).findings
    assert finding.code == "text_overlap" and finding.severity is Severity.WARNING
    assert "“Guard”" in finding.message and "“Harbour”" in finding.message
    cover = '<rect x="5" y="10" width="40" height="20" fill="#ffffff"/>'
    for fine in (
        text.format(10, 23.6, TEXT, "#000000", "Harbour"),
        text.format(10.3, 20.3, TEXT, "#000000", "Guard"),
        cover + text.format(14, 21, TEXT, "#000000", "Harbour"),
    ):
        assert codes(face(book, one + fine)) == []


def test_an_icon_in_the_colour_of_its_ground_is_found(book: FontBook) -> None:
    """In words and beside them an icon needs one part that differs from what is under it."""
    symbol = '<symbol id="icon-sun" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></symbol>'
    ground = '<rect width="60" height="40" fill="#224466"/>'
    used = '<use href="#icon-sun" x="5" y="5" width="10" height="10" fill="{}"/>'
    [finding] = face(book, symbol + ground + used.format("#224467")).findings
    assert finding.code == "icon_faint" and "'sun'" in finding.message and "#224466" in finding.message
    assert codes(face(book, symbol + ground + used.format("#ffffff"))) == []
    disc = '<circle cx="10" cy="10" r="6" fill="#ffffff"/>'
    assert codes(face(book, symbol + ground + disc + used.format("#224466"))) == []


def test_a_text_that_shrinks_much_says_so(book: FontBook) -> None:
    """Below 85 % of its size a text that fits is told with both sizes; above, it is not."""
    box = (
        '<text font-family="Cardo" font-size="12pt" data-box="2 2 50 12" data-fit="shrink" data-field="text">{}</text>'
    )
    assert codes(face(book, box.format("A tale of one line."))) == []
    [finding] = face(book, box.format("A long tale of a harbour and its guard. " * 4)).findings
    assert finding.code == "text_shrunk" and finding.severity is Severity.WARNING
    assert "instead of 12.0 pt" in finding.message


def test_a_text_that_does_not_fit_is_one_finding(book: FontBook) -> None:
    """However many of its lines leave the face, stand on other words or lie over the dark, the cause is told once."""
    body = (
        '<rect y="20" width="60" height="20" fill="#222222"/>'
        f'<text x="5" y="38" {TEXT} fill="#ffffff" data-field="foot">Harbour Guard of the West</text>'
        f'<text {TEXT} data-box="5 5 50 10" data-field="text">{"Many words of a long tale. " * 40}</text>'
    )
    assert codes(face(book, body)) == ["text_overflow"]
    small = (
        f'<text font-family="Cardo" font-size="4pt" data-box="5 5 20 30" data-field="text">{"So small a tale. " * 9}'
    )
    assert codes(face(book, small + "</text>")) == ["text_too_small"]


def test_a_second_end_of_the_drawing_is_one_fault(book: FontBook) -> None:
    """A `</svg>` too many is told as that, of the template itself, and not as a line of what it includes."""
    with pytest.raises(TemplateError) as caught:
        face(book, "<rect/></svg>")
    assert caught.value.template == "t/face.svg" and "there are more </svg>" in caught.value.reason


def test_what_does_not_show_in_a_hand_is_found(book: FontBook) -> None:
    """Each field of `data-fan` lies in the upper left 10 × 30 mm, as words or as a symbol; any other is a warning."""
    symbol = '<symbol id="mark" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4"/></symbol>'
    body = symbol + '<text x="{}" y="8" font-family="Cardo" font-size="9pt" data-field="cost">4</text>'
    body += '<g data-field="type"><use href="#mark" x="3" y="{}" width="6" height="6"/></g>'
    root = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 90" data-fan="cost type">{}</svg>'

    def found(x: int, y: int) -> list[str]:
        kit = DrawingKit(Templates({"t/face.svg": root.format(body.format(x, y))}), book)
        drawn = draw(kit, "t/face.svg", {}, SUBJECT)
        assert {finding.severity for finding in drawn.findings} <= {Severity.WARNING}
        return [str(finding.data["field"]) for finding in drawn.findings if finding.code == "hidden_in_hand"]

    assert found(4, 12) == []
    assert found(9, 12) == ["cost"]
    assert found(9, 26) == ["cost", "type"]


def test_words_too_near_to_frames_and_others_are_found() -> None:
    """Words keep 1.5 mm from the side of a frame and from another field; boxes round words and small lines are none."""
    words = Run(10_000, 20_000, (word("Guard", "f", 3000, (1500,) * 5),), field="name")
    frame = Path(rectangle(Box(3000, 3000, 54_000, 84_000)), stroke=Stroke("#000000", 200))

    def found(*shapes: Shape) -> list[str]:
        face = Face(Size(60_000, 90_000), (words, *shapes))
        return [finding.message for finding in crowded(face, CardCount("A-1", "Guard"))]

    assert found(frame) == []
    assert found(frame, line(4000, 21_600, 50_000, 21_600, Stroke("#000000", 100))) == []
    [near] = found(line(4000, 21_000, 50_000, 21_000, Stroke("#000000", 100)))
    assert "A-1" in near and "0.9 mm away from a line" in near
    assert found(line(10_000, 21_000, 16_000, 21_000, Stroke("#000000", 100))) == []
    assert found(Path(rectangle(Box(9000, 17_000, 20_000, 4000)), stroke=Stroke("#000000", 100))) == []
    other = words._replace(x=18_500, field="cost")
    assert "1.0 mm away from “Guard”" in found(other)[0] and found(other._replace(field="name")) == []
