"""A template and a card to a face, rendered, parsed, drawn and inspected; or a finished picture as a whole face."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, NamedTuple
from xml.etree import ElementTree

from carddb.core.errors import FontError, TemplateError
from carddb.core.units import Box, Size, mm, points, to_mm, to_points
from carddb.findings import CardCount, Finding, error, warning
from carddb.layout.display_list import Face, Group, Picture, Shape, rectangle
from carddb.layout.drawing import legibility, svg_parser
from carddb.layout.drawing.art import BLOCKY, MISSING, Artwork, Flaw, Vector, coarse
from carddb.layout.drawing.bleed import REACH
from carddb.layout.drawing.face_drawing import FaceDrawing
from carddb.layout.drawing.svg_parser import Art, Note
from carddb.layout.drawing.text_elements import MAX_TEXT, TextBox
from carddb.layout.stock import size_name
from carddb.layout.templates.template import Templates
from carddb.layout.text.fonts import FontBook
from carddb.layout.text.text_setting import Setter, Setting, Style

Fit = Literal["fit", "fill", "stretch"]
FIELD = "face_image"
_NEAR = 1000
"""A picture that ends as near to the trim as this goes on beyond it."""
_EDGE = 400
"""The width of a picture's edge that is drawn out to go on beyond the trim."""
_OVERLAP = 200
"""The overlap of what is beyond the edge and the picture, so that no line of paper shows between them."""


def placed(art: Art | Vector, size: Size, fit: Fit) -> Box:
    """Returns the box of the whole picture: within the face, over all of it, or pulled to its shape; centred."""
    if fit == "stretch":
        return Box(0, 0, size.width, size.height)
    scales = size.width / art.width, size.height / art.height
    scale = min(scales) if fit == "fit" else max(scales)
    width, height = round(art.width * scale), round(art.height * scale)
    return Box((size.width - width) // 2, (size.height - height) // 2, width, height)


def picture_shapes(
    art: Art | Vector, name: str, size: Size, fit: Fit, setter: Setter
) -> tuple[tuple[Shape, ...], list[Note]]:
    """Returns the shapes of a picture on a face of that size, and notes that may be worth a finding."""
    box = placed(art, size, fit)
    if isinstance(art, Vector):
        return _drawing(art, name, box, size, setter)
    widest = max(box.width, round(box.height * art.width / art.height))
    down = list(_spans(box.y, box.height, size.height))
    shapes = [
        Picture(
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
    """A stretch of a picture along one side of the face: where it shows, and where all of it would lie."""

    start: int
    end: int
    origin: int
    length: int


def _spans(origin: int, length: int, side: int) -> Iterator[_Span]:
    """Along one side: the two edges where they go on beyond the trim, the picture itself last."""
    start, end = max(origin, -REACH), min(origin + length, side + REACH)
    edge = min(_EDGE, length)
    if -REACH < start <= _NEAR:
        yield _drawn_out(start, start + edge, -REACH, start, origin, length)
    if side - _NEAR <= end < side + REACH:
        yield _drawn_out(end - edge, end, end, side + REACH, origin, length)
    yield _Span(start, end, origin, length)


def _drawn_out(source: int, source_end: int, start: int, end: int, origin: int, length: int) -> _Span:
    """Returns a stretch of the picture drawn out to lie from `start` to `end`, and a little under its neighbour."""
    scale = (end - start) / (source_end - source)
    under = -_OVERLAP if start == source_end else 0, _OVERLAP if end == source else 0
    return _Span(start + under[0], end + under[1], round(start - (source - origin) * scale), round(length * scale))


def _drawing(art: Vector, name: str, box: Box, size: Size, setter: Setter) -> tuple[tuple[Shape, ...], list[Note]]:
    """Returns the shapes of a drawing as a face: its grounds go on beyond the trim as those of templates do."""
    across, down = box.width / art.width, box.height / art.height
    matrix = (across, 0.0, 0.0, down, box.x - art.view[0] * across, box.y - art.view[1] * down)
    inner = FaceDrawing(setter, svg_parser.Library(), {})
    try:
        inner.draw(art.root, matrix, size)
    except (svg_parser.Fault, FontError) as fault:
        reason = {"picture": name, "reason": fault.message, "fix": fault.remedy}
        return (), [Note("art_unsupported", FIELD, name, reason)]
    left, right = (_outermost(*side) for side in ((box.x, 0, -REACH), (box.right, size.width, REACH)))
    top, bottom = (_outermost(*side) for side in ((box.y, 0, -REACH), (box.bottom, size.height, REACH)))
    return (Group(tuple(inner.shapes), rectangle(Box(left, top, right - left, bottom - top))),), inner.notes


def _outermost(edge: int, trim: int, reach: int) -> int:
    """Returns how far a drawing may show on one side: its own edge, or beyond the trim where it reaches that."""
    inside = trim - edge if reach > 0 else edge - trim
    return trim + reach if inside <= _NEAR else edge


_MARK = re.compile('data-at="([^"]*)"')
_MOST_STEPS = 100
"""Sizes and rooms that `text_fit` tries for a text."""
_MOST_TRIED = 100_000
"""Characters that `text_fit` sets, in all its steps together."""
_PLACE = re.compile(r": line \d+, column \d+$")
"""A place in the drawing, which nobody sees; the template has another."""


@dataclass
class Studio:
    """All that faces are made from: templates, fonts, shared symbols, pictures by the name a card gives them."""

    templates: Templates
    book: FontBook
    library: svg_parser.Library = field(default_factory=svg_parser.Library)
    art: Mapping[str, Artwork] = field(default_factory=dict)
    is_right_to_left: bool = False
    """Whether the language of the texts is written so."""

    def __post_init__(self) -> None:
        self.setter = Setter(self.book, self.library.icons, self.is_right_to_left)
        self.measures = _measures(self.setter)


class DrawnFace(NamedTuple):
    """A face, what is wrong with it, and the pictures that it shows: their keys by name."""

    face: Face
    findings: tuple[Finding, ...] = ()
    pictures: Mapping[str, str] = MappingProxyType({})


def with_measures(studio: Studio, context: Mapping[str, Any], size: Size | None) -> dict[str, Any]:
    """Returns a context for a template, with the functions that measure text and the name of the card's size.

    A template that has a layout for that size draws it; any other is scaled.
    """
    return {**studio.measures, "size": size_name(size), **context}


def draw(
    studio: Studio,
    template: str,
    context: Mapping[str, Any],
    subject: CardCount,
    size: Size | None = None,
) -> DrawnFace:
    """Draws a template at its own size, or scaled evenly and centred to `size`.

    Raises TemplateError naming template and line.
    """
    context = with_measures(studio, context, size)
    drawing = FaceDrawing(studio.setter, studio.library, studio.art)
    try:
        target = _draw_into(drawing, studio.templates.render(template, context), size)
    except (svg_parser.Fault, FontError) as fault:
        raise _located(studio, template, context, size, fault) from fault
    face = Face(target, tuple(drawing.shapes), drawing.title)
    first: dict[tuple[str, str, str], Note] = {}
    for note in (*drawing.notes, *legibility.notes(face)):
        first.setdefault((note.kind, note.field, note.text), note)
    findings = tuple(_finding(note, subject, studio.book) for note in first.values())
    return DrawnFace(face, findings, drawing.pictures)


def _draw_into(drawing: FaceDrawing, text: str, size: Size | None) -> Size:
    """Draws an SVG text at its own size or scaled to `size`; returns the size that it has. Raises Fault, FontError."""
    root = svg_parser.parse(text)
    target, matrix = svg_parser.fitted(root, size)
    drawing.draw(root, matrix, target)
    return target


def draw_picture(studio: Studio, picture: str, fit: Fit, subject: CardCount, size: Size) -> DrawnFace:
    """Returns a face that is one finished picture; it has no shapes where the picture cannot be shown."""
    artwork = studio.art.get(picture, MISSING)
    if isinstance(artwork, Flaw):
        note = Note(artwork.code, FIELD, picture, {"picture": picture, **artwork.data})
        return DrawnFace(Face(size, (), subject.name), (_finding(note, subject, studio.book),), {})
    shapes, notes = picture_shapes(artwork, picture, size, fit, studio.setter)
    findings = tuple(_finding(note, subject, studio.book) for note in notes)
    return DrawnFace(Face(size, shapes, subject.name), findings, {picture: artwork.key})


def _measures(setter: Setter) -> dict[str, Any]:
    """Functions for templates: `text_width` in mm, `text_lines`, `text_known` (whether the fonts have all of it), and
    `text_fit`, the step that a text takes.

    Sizes are given in points, widths in millimetres.
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
            raise ValueError(f"a text has more than {_MOST_STEPS} steps to try")
        if len(short(text)) * len(steps) > _MOST_TRIED:
            raise ValueError(f"a text has more than {_MOST_TRIED:,} characters in all its steps")
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
    studio: Studio, template: str, context: Mapping[str, Any], size: Size | None, fault: svg_parser.Fault | FontError
) -> TemplateError:
    """Returns the fault with its line, found by drawing marked templates once more."""
    where, line, message = template, 0, fault.message
    drawing = ""
    try:
        drawing = studio.templates.render(template, context, marked=True)
        _draw_into(FaceDrawing(studio.setter, studio.library, studio.art), drawing, size)
    except svg_parser.Fault as again:
        at = again.element.get("data-at", "") if again.element is not None else ""
        if isinstance(again.__cause__, ElementTree.ParseError):
            at, message = _last_mark(drawing, again.__cause__.position), _PLACE.sub("", message)
        if at:
            where, _, number = at.rpartition(":")
            line = int(number)
    except (FontError, TemplateError):  # with its marks the drawing may be too long
        pass
    return TemplateError(message, where, line, fault.remedy)


def _last_mark(drawing: str, position: tuple[int, int]) -> str:
    """Returns the mark of the last tag before a line and column of a marked drawing; empty where there is none."""
    line, column = position
    lines = drawing.split("\n")
    marks = _MARK.findall("\n".join([*lines[: line - 1], lines[line - 1][:column]]))
    return marks[-1] if marks else ""


_MESSAGES = {
    "glyph_missing": "no font has {characters}; left out",
    "icon_unknown": "there is no icon {icon!r}",
    "icon_unread": "{mark!r} is not read as an icon",
    "image_missing": "{reason}; the face is drawn without it",
    "image_outside_project": "{reason}; the face is drawn without it",
    "image_too_large": "{reason}; the face is drawn without it",
    "image_invalid": "{reason}; the face is drawn without it",
    "art_unsupported": "the drawing cannot be shown, and the face is drawn without it: {reason}",
    "art_low_resolution": "{per_inch} pixels per inch at the printed size; at least {least} look sharp",
    "text_outside": "the text leaves the face",
}


def _finding(note: Note, subject: CardCount, book: FontBook) -> Finding:
    data = dict(note.data)
    message = _MESSAGES.get(note.kind, "").format(**data)
    fix = str(data.pop("fix", ""))
    data.pop("reason", "")
    say = error
    if note.kind == "text_overflow":
        over = ", ".join(
            f"{to_points(data[key]):.1f} pt too {word}"
            for key, word in (("over_width_um", "wide"), ("over_height_um", "high"))
            if data[key]
        )
        message = f"the text does not fit at {to_points(data['size_um']):.1f} pt: {over}"
        fix = "Shorten it."
    elif note.kind == "text_too_small":
        message = (
            f"set at {to_points(data['size_um']):.2f} pt; at least {to_points(data['least_um']):.0f} pt can be read"
        )
        fix = "Print on a larger card, or enlarge the text in the template."
    elif note.kind == "contrast_low":
        where = f"{data['colour']} on {data['ground']}"
        message = f"contrast {data['ratio']}, {where}; at least {data['least']} can be read"
        fix = f"Use a text of {data['better']} or a lighter ground in the template."
    elif note.kind == "icon_unread":
        fix = r"Write {icon:name} with letters, digits and hyphens; or \{ where the character itself is meant."
    elif note.kind == "art_unsupported":
        fix = fix or "Use plain fills and outlines, or save the drawing as PNG."
    elif note.kind == "art_low_resolution":
        fix = "Use a larger picture, or print on a smaller card."
        say = error if data["per_inch"] < BLOCKY else warning
    elif note.kind == "glyph_missing":
        fix = book.hint(data["characters"]) or "Write it in letters that the fonts have, or add a font."
    words = " ".join(note.text.split())
    words = words if len(words) <= 40 else words[:39] + "…"
    name = f"{subject.name} [{subject.ref}]" if subject.ref else subject.name
    text = f"{name}, {note.field or 'face'}: {message}: “{words}”"
    return say(note.kind, text, cards=(subject,), data={"field": note.field, **data}, fix=fix)


def text_boxes(studio: Studio, template: str, context: Mapping[str, Any], size: Size | None = None) -> list[TextBox]:
    """Returns the text boxes of a template filled in for a card, at its own size or scaled to `size`, in micrometres.

    Raises TemplateError, FontError, Fault as drawing the face does.
    """
    drawing = FaceDrawing(studio.setter, studio.library, studio.art)
    boxes = drawing.text_elements.boxes = []
    _draw_into(drawing, studio.templates.render(template, with_measures(studio, context, size)), size)
    return boxes
