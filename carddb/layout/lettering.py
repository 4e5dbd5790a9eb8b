"""The texts of a drawing: lines of spans, and boxes that are filled."""

from __future__ import annotations

import math
import re
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable
from dataclasses import replace

from carddb.layout import path, svg
from carddb.layout.display import Shape
from carddb.layout.text import Block, Setter, Setting, Style
from carddb.units import Box

_RIGHT_TO_LEFT = ("R", "AL")


class Lettering:
    """Sets the `<text>` elements of one drawing; `notes` takes what may be worth a finding, `draw` draws an icon."""

    def __init__(
        self,
        setter: Setter,
        library: svg.Library,
        notes: list[svg.Note],
        draw: Callable[[ET.Element, svg.State], list[Shape]],
    ) -> None:
        self.setter = setter
        self.library = library
        self.notes = notes
        self._draw = draw

    def _style(self, state: svg.State, element: ET.Element) -> Style:
        style, scale = state.style, path.scale_of(state.matrix)
        if "font-family" not in style or "font-size" not in style:
            raise svg.Fault("a text needs font-family and font-size", "", element)
        return Style(
            style["font-family"],
            svg.length_of(style["font-size"], element, scale),
            int(svg.value_of(path.finite, style.get("font-weight", "400"), element)),
            style.get("font-style") == "italic",
            svg.colour_of(style["fill"], element) or "#000000",
            svg.length_of(style.get("letter-spacing", "0"), element, scale),
        )

    def text(self, element: ET.Element, state: svg.State) -> list[Shape]:
        """The shapes of a text. Raises Fault."""
        a, b, c, d, _, _ = state.matrix
        if abs(a - d) > 1e-6 or abs(b + c) > 1e-6:
            raise svg.Fault("a text may be moved, turned and scaled evenly, not skewed or mirrored", "", element)
        angle = round(math.degrees(math.atan2(b, a))) % 360
        if "data-box" in element.attrib:
            return self._box_text(element, state, angle)
        return self._line_text(element, state, angle)

    def _line_text(self, element: ET.Element, state: svg.State, angle: int) -> list[Shape]:
        """One line of spans, anchored as a whole."""
        spans = [(re.sub(r"\s+", " ", text), self._style(s, e)) for text, s, e in self._spans(element, state) if text]
        if not spans:
            return []
        spans[0] = (spans[0][0].lstrip(), spans[0][1])
        spans[-1] = (spans[-1][0].rstrip(), spans[-1][1])
        width = sum(self.setter.pieces(text, style)[1] for text, style in spans) - spans[-1][1].tracking
        offset = {"start": 0, "middle": -width // 2, "end": -width}[state.style.get("text-anchor", "start")]
        x, y = path.apply(state.matrix, svg.number(element, "x"), svg.number(element, "y"))
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        shapes: list[Shape] = []
        for text, style in spans:
            pieces, wide, missing = self.setter.pieces(text, style)
            at = offset
            for font, chars, advances in pieces:
                block = self.setter.line(
                    chars, style, round(x + cos * at), round(y + sin * at), "start", angle, state.field
                )
                shapes.extend(replace(run, advances=advances, font=font.key) for run in block.runs)
                at += sum(advances)
            self._note_letters(missing, state.field, text)
            offset += wide
        return shapes

    def _spans(self, element: ET.Element, state: svg.State) -> list[tuple[str, svg.State, ET.Element]]:
        out = [(element.text or "", state, element)]
        for child in element:
            if svg.tag_of(child) != "tspan":
                raise svg.Fault(f"<{svg.tag_of(child)}> cannot stand in a text", "Use <tspan>.", child)
            out.append(("".join(child.itertext()), svg.inherit(child, state), child))
            out.append((child.tail or "", state, element))
        return out

    def _box_text(self, element: ET.Element, state: svg.State, angle: int) -> list[Shape]:
        if angle:
            raise svg.Fault("a text with data-box stays upright", "Turn a line of text instead.", element)
        scale = path.scale_of(state.matrix)
        numbers = svg.numbers(element.get("data-box", ""), element)
        if len(numbers) != 4:
            raise svg.Fault("data-box takes four numbers: x y width height", "", element)
        x, y = path.apply(state.matrix, numbers[0], numbers[1])
        box = Box(round(x), round(y), round(numbers[2] * scale), round(numbers[3] * scale))
        style = self._style(state, element)
        setting = Setting(
            element.get("data-align", "left"),
            element.get("data-valign", "top"),
            round(svg.number(element, "data-leading", 1.2) * 1000),
            round(svg.number(element, "data-gap", 0.4) * 1000),
            svg.length_of(element.get("data-min", "6pt"), element, scale),
            element.get("data-fit", "none") == "shrink",
        )
        text = "".join(element.itertext()).strip()
        block = self.setter.fit(text, style, box, setting, state.field)
        self._note_letters(block.missing, state.field, text)
        if block.over_width or block.over_height:
            data = {"over_width_um": block.over_width, "over_height_um": block.over_height, "size_um": block.size}
            self.notes.append(svg.Note("text_overflow", state.field, text, data))
        return [*block.runs, *self._icons(block, element, state)]

    def _note_letters(self, missing: str, name: str, text: str) -> None:
        if missing:
            self.notes.append(svg.Note("glyph_missing", name, text, {"characters": "".join(dict.fromkeys(missing))}))
        if any(unicodedata.bidirectional(char) in _RIGHT_TO_LEFT for char in text):
            self.notes.append(svg.Note("right_to_left", name, text))

    def _icons(self, block: Block, element: ET.Element, state: svg.State) -> list[Shape]:
        shapes: list[Shape] = []
        for icon in block.icons:
            symbol = self.library.by_id.get(f"icon-{icon.name}")
            if symbol is None:
                self.notes.append(svg.Note("icon_unknown", state.field, icon.name, {"icon": icon.name}))
                continue
            scale = icon.em * svg.number(symbol, "data-em", 0.84) / svg.view_box(symbol)[2]
            inner = svg.State(
                (scale, 0, 0, scale, icon.x, icon.y), {**state.style, "fill": icon.colour}, state.field, state.depth
            )
            shapes.extend(self._draw(symbol, svg.inherit(symbol, inner)))
        return shapes
