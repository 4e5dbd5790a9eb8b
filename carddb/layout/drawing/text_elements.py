"""The texts of a drawing: single lines made of spans, and boxes that are filled with paragraphs."""

from __future__ import annotations

import math
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import NamedTuple

from carddb.core.names import did_you_mean
from carddb.core.units import Box
from carddb.layout.display_list import Run, Shape
from carddb.layout.drawing import path, svg_parser
from carddb.layout.drawing.svg_parser import DrawingError, DrawingFault, Inherited, Library
from carddb.layout.text.markup import unread_marks
from carddb.layout.text.text_setting import LEVELS, Block, Setter, Setting, Style

_BLANKS = re.compile(r"\s+")
_PLAIN = Setting()
MAX_TEXT = 20_000
"""The most characters in one text: four dense pages, far more than fits on a face."""
_SHRUNK = 0.85
"""The share of its intended size below which a shrunk text looks smaller than on other cards."""


class TextBox(NamedTuple):
    """The box of a text on its face, and the card field that the text shows (empty if none)."""

    field: str
    box: Box


class TextPlacement(NamedTuple):
    """The position and style of a text element, which is either a box to fill or a line along a baseline."""

    element: ET.Element
    state: Inherited
    style: Style
    angle: int
    x: int
    y: int
    box: Box | None = None
    setting: Setting = _PLAIN

    @property
    def level(self) -> int | None:
        """The bidi embedding level of the line; None if the template does not set its direction."""
        return LEVELS.get(self.state.style.get("direction", ""))


class TextElements:
    """Sets the `<text>` elements of drawings; `draw` returns the shapes of an icon in a text."""

    def __init__(self, setter: Setter, library: Library, draw: Callable[[ET.Element, Inherited], list[Shape]]) -> None:
        self.setter = setter
        self.library = library
        self._draw = draw
        self.boxes: list[TextBox] = []
        """The boxes of the texts that were set."""

    def text(self, element: ET.Element, state: Inherited, notes: list[DrawingFault]) -> list[Shape]:
        """Returns the shapes of a text element, and adds to `notes` what is wrong with the text.

        Raises DrawingError if the text is too long or the element is faulty.
        """
        place = self._place(element, state)
        text = "".join(element.itertext())
        if len(text) > MAX_TEXT:
            raise DrawingError(f"a text has {len(text):,} characters; {MAX_TEXT:,} are allowed", "Shorten it.", element)
        if place.box:
            return self._fill(place, place.box, text.strip(), notes)
        return self._line(place, notes)

    def _place(self, element: ET.Element, state: Inherited) -> TextPlacement:
        """Returns the position and style of a text. Raises DrawingError if it is skewed, mirrored or incomplete."""
        a, b, c, d, _, _ = state.matrix
        if abs(a - d) > 1e-6 or abs(b + c) > 1e-6:
            message = "a text is skewed, mirrored or stretched, but texts can only be moved, rotated and scaled evenly"
            raise DrawingError(message, "Remove the skew, the mirroring or the uneven scale.", element)
        angle = round(math.degrees(math.atan2(b, a))) % 360
        style = self._style(state, element)
        self.setter.typeface_of(style)  # an unknown family is a fault even if the text is empty
        if "data-box" in element.attrib:
            box, setting = self._box(element, state, angle)
            self.boxes.append(TextBox(state.field, box))
            return TextPlacement(element, state, style, angle, box.x, box.y, box, setting)
        x, y = path.apply(state.matrix, svg_parser.number(element, "x"), svg_parser.number(element, "y"))
        return TextPlacement(element, state, style, angle, round(x), round(y))

    def _line(self, place: TextPlacement, notes: list[DrawingFault]) -> list[Shape]:
        """Returns the shapes of one line, which may have several spans; `text-anchor` applies to the whole line."""
        spans = [
            (_BLANKS.sub(" ", text), place.style if part is place.element else self._style(state, part))
            for text, state, part in _parts(place.element, place.state)
            if text
        ]
        if not spans:
            return []
        spans[0] = (spans[0][0].lstrip(), spans[0][1])
        spans[-1] = (spans[-1][0].rstrip(), spans[-1][1])
        lines = [(text, style, self.setter.words(text, style, place.level)) for text, style in spans]
        offset = self._offset(place, sum(line.width for _, _, line in lines) - spans[-1][1].tracking)
        cos, sin = path.direction(place.angle)
        shapes: list[Shape] = []
        for text, style, line in reversed(lines) if place.level else lines:
            for words in line.parts:
                x, y = round(place.x + cos * offset), round(place.y + sin * offset)
                shapes.append(Run(x, y, words, style.colour, place.angle, place.state.field))
                offset += sum([word.width for word in words])
            self._note_letters(line.missing, place.state.field, text, notes)
        return shapes

    @staticmethod
    def _offset(place: TextPlacement, width: int) -> int:
        """Returns how far left of its anchor a line of the given width begins, in micrometres."""
        offsets = {"start": 0, "middle": -width // 2, "end": -width}
        if place.level:
            offsets.update(start=-width, end=0)
        return offsets[place.state.style.get("text-anchor", "start")]

    def _style(self, state: Inherited, element: ET.Element) -> Style:
        style, scale = state.style, path.scale_of(state.matrix)
        if "font-family" not in style or "font-size" not in style:
            raise DrawingError("a text needs font-family and font-size", "Write both on it or on its group.", element)
        return Style(
            style["font-family"],
            _size_of(style["font-size"], element, scale),
            int(svg_parser.value_of(path.finite, style.get("font-weight", "400"), element)),
            style.get("font-style") == "italic",
            svg_parser.colour_of(style["fill"], element) or "#000000",
            svg_parser.length_of(style.get("letter-spacing", "0"), element, scale),
            style.get("font-variant-numeric") == "tabular-nums",
        )

    def _box(self, element: ET.Element, state: Inherited, angle: int) -> tuple[Box, Setting]:
        if angle:
            raise DrawingError("a text with data-box cannot be rotated", "Rotate a text with x and y instead.", element)
        scale = path.scale_of(state.matrix)
        numbers = svg_parser.numbers(element.get("data-box", ""), element)
        if len(numbers) != 4:
            raise DrawingError("data-box must be four numbers", "Write x, y, width and height.", element)
        x, y = path.apply(state.matrix, numbers[0], numbers[1])
        box = Box(round(x), round(y), round(numbers[2] * scale), round(numbers[3] * scale))
        setting = Setting(
            element.get("data-align", "start"),
            element.get("data-valign", "top"),
            round(svg_parser.number(element, "data-leading", 1.2) * 1000),
            round(svg_parser.number(element, "data-gap", 0.4) * 1000),
            svg_parser.length_of(element.get("data-min", "6pt"), element, scale),
            element.get("data-fit", "none") == "shrink",
            element.get("data-markup") == "plain" or state.field in self.library.plain_fields,
            state.style.get("direction", ""),
            tuple([_size_of(size, element, scale) for size in element.get("data-sizes", "").split()]),
        )
        return box, setting

    def _fill(self, place: TextPlacement, box: Box, text: str, notes: list[DrawingFault]) -> list[Shape]:
        name = place.state.field
        block = self.setter.fit(text, place.style, box, place.setting, name)
        self._note_letters(block.missing, name, text, notes)
        if ("{" in text or "**" in text) and not place.setting.plain:
            notes += [DrawingFault("icon_unread", name, text, {"mark": mark}) for mark in unread_marks(text)]
        if block.over_width or block.over_height:
            data = {"over_width_um": block.over_width, "over_height_um": block.over_height, "size_um": block.size}
            notes.append(DrawingFault("text_overflow", name, text, data))
        elif name and block.size < place.style.size * _SHRUNK:
            sizes = {"size_um": block.size, "wanted_um": place.style.size}
            notes.append(DrawingFault("text_shrunk", name, text, sizes))
        return [*block.runs, *self._icons(block, place.state, notes)]

    @staticmethod
    def _note_letters(missing: str, name: str, text: str, notes: list[DrawingFault]) -> None:
        if missing:
            notes.append(DrawingFault("glyph_missing", name, text, {"characters": "".join(dict.fromkeys(missing))}))

    def _icons(self, block: Block, state: Inherited, notes: list[DrawingFault]) -> list[Shape]:
        shapes: list[Shape] = []
        for icon in block.icons:
            symbol = self.library.by_id.get(f"icon-{icon.name}")
            if symbol is None:
                known = sorted(self.library.icons)
                every = f"Choose one of: {', '.join(known) or 'none'}."
                fix = " ".join(dict.fromkeys((did_you_mean(icon.name, known), every)))
                notes.append(DrawingFault("icon_unknown", state.field, icon.name, {"icon": icon.name, "fix": fix}))
                continue
            left, top, width, height = svg_parser.view_box(symbol)
            scale = icon.em * svg_parser.number(symbol, "data-em", 0.84) / width
            x, y = icon.x - scale * (left + width / 2), icon.y - scale * (top + height / 2)
            inner = Inherited(
                (scale, 0, 0, scale, x, y), {**state.style, "fill": icon.colour}, state.field, state.depth
            )
            shapes.extend(self._draw(symbol, svg_parser.inherit(symbol, inner)))
        return shapes


def _parts(element: ET.Element, state: Inherited) -> list[tuple[str, Inherited, ET.Element]]:
    """Returns the spans of a text as (text, the properties that it inherits, its element)."""
    out = [(unicodedata.normalize("NFC", element.text or ""), state, element)]
    for child in element:
        if svg_parser.tag_of(child) != "tspan":
            raise DrawingError(f"<{svg_parser.tag_of(child)}> is not allowed inside <text>", "Use <tspan>.", child)
        out.append(("".join(child.itertext()), svg_parser.inherit(child, state), child))
        out.append((child.tail or "", state, element))
    return out


def _size_of(text: str, element: ET.Element, scale: float) -> int:
    """Returns a type size in micrometres, as `length_of` does. Raises DrawingError also if it is not above 0."""
    size = svg_parser.length_of(text, element, scale)
    if size <= 0:
        raise DrawingError(f"a text cannot have the size {text}", "Write a font-size above 0, such as 8pt.", element)
    return size
