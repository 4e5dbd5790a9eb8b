"""Makes a face from a template and a card (rendered, parsed, drawn and checked) or from a finished picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree

from carddb.core.errors import FontError, TemplateError
from carddb.core.plain_text import shortened
from carddb.core.units import Box, Size, mm, points, to_mm, to_points
from carddb.findings import CardCount, Finding, error, warning
from carddb.layout.display_list import Face, Group, PlacedImage, Shape, rectangle
from carddb.layout.drawing import legibility, svg_parser
from carddb.layout.drawing.art import BLOCKY, MISSING, Artwork, Flaw, Vector, coarse
from carddb.layout.drawing.bleed import REACH
from carddb.layout.drawing.face_drawing import FaceDrawing, drawn_vector
from carddb.layout.drawing.path import Matrix
from carddb.layout.drawing.svg_parser import Art, DrawingError, DrawingFault, Library
from carddb.layout.drawing.text_elements import MAX_TEXT, TextBox
from carddb.layout.stock import size_name
from carddb.layout.templates.template import PARTS, Templates
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.markup import unread_words
from carddb.layout.text.text_setting import Setter, Setting, Style

Fit = Literal["fit", "fill", "stretch"]
FIELD = "face_image"
_NEAR = 1000
"""A picture whose edge is at most this far from the trim is extended beyond the trim."""
_EDGE = 400
"""The width of the strip at a picture's edge that is stretched to extend beyond the trim."""
_OVERLAP = 200
"""The overlap of the stretched strip and the picture, so that no line of paper is visible between them."""


def placed(art: Art | Vector, size: Size, fit: Fit) -> Box:
    """Returns the box of the whole picture: centred inside the face (fit) or covering it (fill), or distorted to it."""
    if fit == "stretch":
        return Box(0, 0, size.width, size.height)
    scales = size.width / art.width, size.height / art.height
    scale = min(scales) if fit == "fit" else max(scales)
    width, height = round(art.width * scale), round(art.height * scale)
    return Box((size.width - width) // 2, (size.height - height) // 2, width, height)


def picture_shapes(
    art: Art | Vector, name: str, size: Size, fit: Fit, setter: Setter, bleed: int = 0
) -> tuple[tuple[Shape, ...], list[DrawingFault]]:
    """Returns the shapes of a picture on a face of `size`, and what is wrong with the picture.

    `bleed` is the width, in micrometres, of the bleed that the picture itself has around the trim.
    """
    inner = placed(art, Size(size.width + 2 * bleed, size.height + 2 * bleed), fit)
    box = inner._replace(x=inner.x - bleed, y=inner.y - bleed)
    if isinstance(art, Vector):
        return _drawing(art, name, box, size, setter)
    widest = max(box.width, round(box.height * art.width / art.height))
    down = list(_spans(box.y, box.height, size.height))
    shapes = [
        PlacedImage(
            art.key,
            Box(x.origin, y.origin, x.length, y.length),
            Box(x.start, y.start, x.end - x.start, y.end - y.start),
            field=FIELD,
        )
        for x in _spans(box.x, box.width, size.width)
        for y in down
    ]
    return tuple(shapes), coarse(art, box._replace(width=widest), FIELD, name)


class _Span(NamedTuple):
    """A part of a picture along one axis: where it is visible, and the start and length of the whole picture."""

    start: int
    end: int
    origin: int
    length: int


def _spans(origin: int, length: int, side: int) -> Iterator[_Span]:
    """Yields the parts of a picture along a face's axis with the length `side`: strips beyond the trim, then itself."""
    start, end = max(origin, -REACH), min(origin + length, side + REACH)
    edge = min(_EDGE, length)
    if -REACH < start <= _NEAR:
        yield _drawn_out(start, start + edge, -REACH, start, origin, length)
    if side - _NEAR <= end < side + REACH:
        yield _drawn_out(end - edge, end, end, side + REACH, origin, length)
    yield _Span(start, end, origin, length)


def _drawn_out(source: int, source_end: int, start: int, end: int, origin: int, length: int) -> _Span:
    """Returns the strip from `source` to `source_end`, stretched to reach from `start` to `end` and overlap a bit."""
    scale = (end - start) / (source_end - source)
    under = -_OVERLAP if start == source_end else 0, _OVERLAP if end == source else 0
    return _Span(start + under[0], end + under[1], round(start - (source - origin) * scale), round(length * scale))


def _drawing(
    art: Vector, name: str, box: Box, size: Size, setter: Setter
) -> tuple[tuple[Shape, ...], list[DrawingFault]]:
    """Returns the shapes of an SVG drawing as a whole face; its backgrounds extend beyond the trim as in templates."""
    across, down = box.width / art.width, box.height / art.height
    matrix = (across, 0.0, 0.0, down, box.x - art.view[0] * across, box.y - art.view[1] * down)
    inner = drawn_vector(art, matrix, setter, DrawingFault("art_unsupported", FIELD, name), size)
    if not inner.shapes:
        return (), inner.notes
    left, right = (_outermost(*side) for side in ((box.x, 0, -REACH), (box.right, size.width, REACH)))
    top, bottom = (_outermost(*side) for side in ((box.y, 0, -REACH), (box.bottom, size.height, REACH)))
    return (Group(tuple(inner.shapes), rectangle(Box(left, top, right - left, bottom - top))),), inner.notes


def _outermost(edge: int, trim: int, reach: int) -> int:
    """Returns where a drawing is clipped on one side: at its `edge`, or `reach` beyond the trim if it is near that."""
    inside = trim - edge if reach > 0 else edge - trim
    return trim + reach if inside <= _NEAR else edge


_MARK = re.compile('data-at="([^"]*)"')
_MOST_STEPS = 100
"""The most steps (pairs of size and height) that `text_fit` tries for a text."""
_MOST_TRIED = 100_000
"""The most characters that `text_fit` sets, in all its steps together."""
_PLACE = re.compile(r": line \d+, column \d+$")
"""A line and column of the rendered drawing, which the user never sees, at the end of a parser's message."""


@dataclass
class DrawingKit:
    """Everything that faces are made from: templates, fonts, shared symbols, and pictures by their name in cards."""

    templates: Templates
    book: FontBook
    library: Library = field(default_factory=Library)
    art: Mapping[str, Artwork] = field(default_factory=dict)
    is_right_to_left: bool = False
    """True if the language of the texts is written from right to left."""
    art_bleed: int = 0
    """The width of the bleed that the pictures of cards themselves have, in micrometres."""

    def __post_init__(self) -> None:
        self.setter = Setter(self.book, self.library.icons, self.is_right_to_left)
        self.measures = _measures(self.setter)


class DrawnFace(NamedTuple):
    """A face, the findings about it, and the pictures on it as `{name: key}`."""

    face: Face
    findings: tuple[Finding, ...] = ()
    pictures: Mapping[str, str] = MappingProxyType({})


def with_measures(kit: DrawingKit, context: Mapping[str, Any], size: Size | None) -> dict[str, Any]:
    """Returns `context`, with what every template gets: functions that measure texts, `size`, and `ink_mode`.

    `size` in it is the name of the card size, for which a template may have its own layout; empty if it has no name.
    """
    return {**kit.measures, "size": size_name(size), "ink_mode": "full", **context}


def draw(
    kit: DrawingKit, template: str, context: Mapping[str, Any], subject: CardCount, size: Size | None = None
) -> DrawnFace:
    """Returns the face that a template draws, at the template's own size or, if given, scaled and centred on `size`.

    `subject` is the card that findings name. Raises TemplateError, with template and line, if the drawing is faulty.
    """
    context = with_measures(kit, context, size)
    card = context.get("card")
    bleeds = {card.get("art", ""): kit.art_bleed} if kit.art_bleed and isinstance(card, Mapping) else {}
    drawing = FaceDrawing(kit.setter, kit.library, kit.art, bleeds)
    try:
        target, matrix = _draw_into(drawing, kit.templates.render(template, context), size)
    except (DrawingError, FontError) as fault:
        raise _located(kit, template, context, size, fault) from fault
    face = Face(target, tuple(drawing.shapes), drawing.title, max(matrix[0] / 1000, 1.0))
    hidden = legibility.hidden_notes(face, matrix, drawing.signs, drawing.fan, kit.is_right_to_left)
    notes = _by_cause([*drawing.notes, *legibility.notes(face, drawing.icons), *hidden])
    findings = tuple(_finding(note, subject, kit.book) for note in notes)
    return DrawnFace(face, findings, drawing.pictures)


_OF_OVERFLOW = ("text_outside", "text_overlap", "contrast_low")
"""The codes of faults that an overlong text may cause in each of its lines."""
_OF_FIELD = (*_OF_OVERFLOW, "text_too_small")
"""The codes of faults of which only the first is kept for each card field, however many lines the field has."""


def _by_cause(notes: Sequence[DrawingFault]) -> list[DrawingFault]:
    """Returns the faults without those that an overlong text causes, and only the first of a kind for each field."""
    over = [note for note in notes if note.kind == "text_overflow"]
    fields = {note.field for note in over if note.field}
    texts = [" ".join(note.text.split()) for note in over if not note.field]
    first: dict[tuple[str, ...], DrawingFault] = {}
    for note in notes:
        said = {note.field: note.text, str(note.data.get("other_field", note.field)): str(note.data.get("other", ""))}
        follows = any(
            name in fields if name else any(text.strip() and text.strip() in whole for whole in texts)
            for name, text in said.items()
        )
        if note.kind in _OF_OVERFLOW and follows:
            continue
        whole = note.field and note.kind in _OF_FIELD
        first.setdefault((note.kind, note.field, "" if whole else note.text), note)
    return [*first.values()]


def _draw_into(drawing: FaceDrawing, text: str, size: Size | None) -> tuple[Size, Matrix]:
    """Draws the text of an SVG file, scaled to `size` if given. Returns the size of the face and the drawing's matrix.

    Raises DrawingError if the drawing is faulty, and FontError if a font family is unknown.
    """
    root = svg_parser.parse(text)
    target, matrix = svg_parser.fitted(root, size)
    drawing.draw(root, matrix, target)
    return target, matrix


def draw_picture(kit: DrawingKit, picture: str, fit: Fit, subject: CardCount, size: Size) -> DrawnFace:
    """Returns a face that consists of one finished picture; it has no shapes if the picture cannot be shown."""
    artwork = kit.art.get(picture, MISSING)
    if isinstance(artwork, Flaw):
        note = DrawingFault(artwork.code, FIELD, picture, {"picture": picture, **artwork.data})
        return DrawnFace(Face(size, (), subject.name), (_finding(note, subject, kit.book),))
    shapes, notes = picture_shapes(artwork, picture, size, fit, kit.setter, kit.art_bleed)
    findings = tuple(_finding(note, subject, kit.book) for note in notes)
    return DrawnFace(Face(size, shapes, subject.name), findings, {picture: artwork.key})


def _measures(setter: Setter) -> dict[str, Any]:
    """Returns the functions by which templates measure texts; sizes are in points, widths and heights in millimetres.

    `text_width` returns a width, `text_lines` the number of lines, and `text_known` whether the fonts have every
    character of a text. `text_fit` returns the first of the given `steps` (pairs of type size and available height) at
    which a text fits, or the last step if it fits at none.
    """

    def style(family: str, size: float, weight: int, italic: bool, tracking: float) -> Style:
        return Style(family, points(size), weight, italic, tracking=mm(tracking))

    def short(text: str) -> str:
        text = str(text)
        if len(text) > MAX_TEXT:
            raise ValueError(f"a text has more than {MAX_TEXT:,} characters")
        return text

    def text_width(
        text: str, family: str, size: float, weight: int = 400, tracking: float = 0, italic: bool = False
    ) -> float:
        width = setter.width(short(text), style(family, size, weight, italic, tracking))
        return to_mm(max(0, width - mm(tracking)))

    def text_lines(text: str, width: float, family: str, size: float, weight: int = 400, italic: bool = False) -> int:
        return setter.count_lines(short(text), style(family, size, weight, italic, 0), mm(width))

    def text_known(text: str, family: str, weight: int = 400, italic: bool = False) -> bool:
        return not setter.words(short(text), style(family, 8, weight, italic, 0)).missing

    def text_fit(
        text: str,
        width: float,
        family: str,
        steps: Sequence[Sequence[float]],
        leading: float = 1.2,
        gap: float = 0.4,
        weight: int = 400,
        italic: bool = False,
    ) -> dict[str, float]:
        if len(steps) > _MOST_STEPS:
            raise ValueError(f"text_fit has {len(steps)} steps, but at most {_MOST_STEPS} are allowed")
        if len(short(text)) * len(steps) > _MOST_TRIED:
            raise ValueError(f"a text has more than {_MOST_TRIED:,} characters in all steps of text_fit")
        setting = Setting(leading=round(leading * 1000), gap=round(gap * 1000))
        fit = {"step": 0, "size": 0.0, "room": 0.0, "height": 0.0}
        for step, (size, room) in enumerate(steps):
            height = setter.height(short(text), style(family, size, weight, italic, 0), mm(width), setting)
            fit = {"step": step, "size": size, "room": room, "height": to_mm(height)}
            if height <= mm(room):
                break
        return fit

    return {"text_width": text_width, "text_lines": text_lines, "text_known": text_known, "text_fit": text_fit}


def _located(
    kit: DrawingKit, template: str, context: Mapping[str, Any], size: Size | None, fault: DrawingError | FontError
) -> TemplateError:
    """Returns the fault as a TemplateError with the line of the template, found by rendering with line marks."""
    where, line, message = template, 0, fault.message
    drawing = ""
    try:
        drawing = kit.templates.render(template, context, marked=True)
        _draw_into(FaceDrawing(kit.setter, kit.library, kit.art), drawing, size)
    except DrawingError as again:
        at = again.element.get("data-at", "") if again.element is not None else ""
        if isinstance(again.__cause__, ElementTree.ParseError):
            row, column = again.__cause__.position
            lines = drawing.split("\n")
            marks = _MARK.findall("\n".join([*lines[: row - 1], lines[row - 1][:column]]))
            # The parts that come with carddb are well-formed.
            at = next((mark for mark in reversed(marks) if not mark.startswith(PARTS)), "")
            message = _PLACE.sub("", message)
        if at:
            where, _, number = at.rpartition(":")
            line = int(number)
    except (FontError, TemplateError):  # with line marks, the drawing may be too long
        pass
    return TemplateError(message, where, line, fault.remedy)


_WARNINGS = ("text_shrunk", "text_overlap", "icon_faint", "hidden_in_hand")
"""The codes of faults that are warnings, besides a picture that is blurred but not blocky; all others are errors."""
_WITHOUT_IT = ("{reason}; the face is drawn without it", "")
_ROOM = "Shorten the text, choose a card size with more room for it, or enlarge its data-box in the template."
_WORDS: Mapping[str, tuple[str, str]] = {
    "icon_unknown": ("the game has no icon {icon!r}", ""),
    "image_missing": _WITHOUT_IT,
    "image_outside_project": _WITHOUT_IT,
    "image_too_large": _WITHOUT_IT,
    "image_invalid": _WITHOUT_IT,
    "art_unsupported": (
        "the drawing cannot be shown, and the face is drawn without it: {reason}",
        "Use plain fills, gradients and outlines, or export the drawing as PNG.",
    ),
    "art_low_resolution": (
        "the picture has {per_inch} pixels per inch at the printed size; it needs at least {least} to look sharp",
        "Use a picture with more pixels, or print on a smaller card.",
    ),
    "text_outside": ("the text extends beyond the card", "Shorten the text, or move it inwards in the template."),
    "text_overflow": ("at {size_pt:.1f} pt, the text is {over} for its box", _ROOM),
    "text_shrunk": ("the text fits into its box only at {size_pt:.1f} pt instead of {wanted_pt:.1f} pt", _ROOM),
    "text_too_small": (
        "the text is set at {size_pt:.2f} pt; it needs at least {least_pt:.0f} pt to be readable",
        "Print on a larger card, or give the text a larger font-size or data-min in the template.",
    ),
    "text_overlap": ("the text overlaps “{other}”", "Move one of the two texts in the template, or shorten one."),
    "contrast_low": (
        "the contrast of the text, {colour} on {ground}, is {ratio}; it must be at least {least} to be readable",
        "Give the text the colour {better} in the template, or put it on a background of more contrast.",
    ),
    "hidden_in_hand": (
        "no whole line or symbol of the field is in the corner of 10 × 30 mm that shows when cards are held in a hand",
        "In the template, place a whole line or symbol of the field in the upper left 10 × 30 mm (the upper right for "
        "Arabic and Hebrew), or remove the field from data-fan.",
    ),
    "icon_faint": (
        "the icon {icon!r} cannot be told from its background: {colour} on {ground}",
        "Give the icon a fill that differs from the background, or change the colour of the background.",
    ),
    "glyph_missing": ("the text is printed without {codes}, which no font of the game has", "{hint}"),
}
"""The message and the remedy of a finding about a face, by its code; the data of the fault fill the braces.

A length in micrometres, such as `size_um`, is also available in points, as `size_pt`. If the fault has a remedy of its
own, that one is used."""


def _finding(note: DrawingFault, subject: CardCount, book: FontBook) -> Finding:
    data = dict(note.data)
    own_fix, _ = str(data.pop("fix", "")), data.pop("reason", "")
    lengths = {key: value for key, value in data.items() if key.endswith("_um")}
    shown: dict[str, Any] = {key.replace("_um", "_pt"): to_points(value) for key, value in lengths.items()}
    if note.kind == "text_overflow":
        over = (("over_width_pt", "wide"), ("over_height_pt", "high"))
        shown["over"] = " and ".join(f"{shown[key]:.1f} pt too {word}" for key, word in over if shown[key])
    elif note.kind == "glyph_missing":
        shown["codes"] = ", ".join(f"{char} (U+{ord(char):04X})" for char in data["characters"])
        shown["hint"] = book.hint(data["characters"])
    message, fix = (text.format(**note.data, **shown) for text in _WORDS.get(note.kind, ("", "")))
    if note.kind == "icon_unread":
        message, fix = unread_words(data["mark"])
    fix = own_fix or fix
    is_soft = note.kind == "art_low_resolution" and data["per_inch"] >= BLOCKY
    say = warning if note.kind in _WARNINGS or is_soft else error
    words = shortened(" ".join(note.text.split()), 40)
    text = f"{subject}, {note.field or 'face'}: {message}: “{words}”"
    return say(note.kind, text, cards=(subject,), data={"field": note.field, **data}, fix=fix)


def text_boxes(kit: DrawingKit, template: str, context: Mapping[str, Any], size: Size | None = None) -> list[TextBox]:
    """Returns the text boxes, in micrometres, of a template filled in for a card, at its own size or scaled to `size`.

    Raises TemplateError, FontError or DrawingError if the drawing is faulty.
    """
    drawing = FaceDrawing(kit.setter, kit.library, kit.art)
    _draw_into(drawing, kit.templates.render(template, with_measures(kit, context, size)), size)
    return drawing.text_elements.boxes
