"""A parsed face drawing to shapes at exact places: the walk over its elements."""

from __future__ import annotations

import dataclasses
import math
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from carddb.layout import dialect, path
from carddb.layout.display import Group, Op, Path, Picture, Shape, Stroke
from carddb.layout.path import Matrix
from carddb.layout.text import Block, IconSize, Setter, Setting, Style
from carddb.names import did_you_mean
from carddb.units import Box, parse_length

_SVG = "{http://www.w3.org/2000/svg}"
_HEX = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})", re.I)
_NAMED = {"white": "#ffffff", "black": "#000000"}
_MAX_DEPTH = 60
_INITIAL = {"fill": "#000000", "stroke": "none", "stroke-width": "1"}


class Fault(Exception):
    """Something in a drawing that is not supported, with the element it stands on."""

    def __init__(self, message: str, remedy: str = "", element: ET.Element | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.element = element


@dataclass(frozen=True, slots=True)
class Art:
    """An image that a drawing may show: its key and its size in pixels."""

    key: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Note:
    """Something about a text or image that may be worth a finding: `kind`, the field, its words, the figures."""

    kind: str
    field: str
    text: str
    data: Mapping[str, Any] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class State:
    """What an element inherits."""

    matrix: Matrix
    style: Mapping[str, str]
    field: str = ""
    depth: int = 0


def parse(text: str) -> ET.Element:
    """The root element of an SVG text. Raises Fault; document types and entities are refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise Fault("a document type is not allowed in a face", "Remove the <!DOCTYPE> line.")
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise Fault(f"not well-formed SVG: {error}") from error
    return root


def tag_of(element: ET.Element) -> str:
    return element.tag.removeprefix(_SVG)


class Library:
    """Symbols and definitions shared by the faces of a game, by id; icons are the symbols `icon-*`."""

    def __init__(self, roots: Iterable[ET.Element] = ()) -> None:
        self.by_id: dict[str, ET.Element] = {}
        for root in roots:
            self.by_id.update({element.attrib["id"]: element for element in root.iter() if "id" in element.attrib})
        self.icons = {
            name.removeprefix("icon-"): IconSize(round(float(element.get("data-advance", "0.92")) * 1000))
            for name, element in self.by_id.items()
            if name.startswith("icon-")
        }


class Drawing:
    """Walks one drawing. `shapes` and `notes` hold what came of it."""

    def __init__(self, setter: Setter, library: Library, art: Mapping[str, Art]) -> None:
        self.setter = setter
        self.library = library
        self.art = art
        self.shapes: list[Shape] = []
        self.notes: list[Note] = []
        self.title = ""
        self._own: dict[str, ET.Element] = {}

    def draw(self, root: ET.Element, matrix: Matrix) -> None:
        """Draws a whole document. Raises Fault."""
        self._own = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        self.shapes.extend(self._children(root, self._inherit(root, State(matrix, _INITIAL))))

    def _children(self, element: ET.Element, state: State) -> list[Shape]:
        return [shape for child in element for shape in self._element(child, state)]

    def _inherit(self, element: ET.Element, state: State) -> State:
        attributes = {name: value for name, value in element.attrib.items() if name != "data-at"}
        wrong = dialect.fault(tag_of(element), attributes)
        if wrong:
            raise Fault(*wrong, element)
        own = {name: value for name, value in attributes.items() if name in dialect.INHERITED}
        matrix = state.matrix
        if "transform" in attributes:
            matrix = path.multiply(matrix, self._value(path.parse_transform, attributes["transform"], element))
        if state.depth > _MAX_DEPTH:
            raise Fault(f"elements are nested deeper than {_MAX_DEPTH}", "Does a symbol use itself?", element)
        style = {**state.style, **own} if own else state.style
        return State(matrix, style, attributes.get("data-field", state.field), state.depth + 1)

    @staticmethod
    def _value(read: Any, text: str, element: ET.Element) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise Fault(str(error), "", element) from error

    def _number(self, element: ET.Element, name: str, default: float = 0.0) -> float:
        text = element.get(name)
        if text is None:
            return default
        try:
            number = float(text)
        except ValueError:
            raise Fault(f"{name}={text!r} is not a number", "", element) from None
        if not math.isfinite(number) or abs(number) > 1e6:
            raise Fault(f"{name}={text!r} is out of range", "", element)
        return number

    def _element(self, element: ET.Element, outer: State) -> list[Shape]:
        tag = tag_of(element)
        if tag == "title":
            self.title = self.title or "".join(element.itertext()).strip()
        if tag in ("defs", "symbol", "clipPath", "title"):
            return []
        state = self._inherit(element, outer)
        if tag in ("g", "svg"):
            shapes = self._children(element, state)
        elif tag == "use":
            shapes = self._use(element, state)
        elif tag == "text":
            shapes = self._text(element, state)
        elif tag == "image":
            shapes = self._image(element, state)
        else:
            shapes = self._painted(self._outline(element, tag), state, element)
        return self._grouped(element, shapes, outer, state)

    def _grouped(self, element: ET.Element, shapes: list[Shape], outer: State, state: State) -> list[Shape]:
        opacity = round(self._number(element, "opacity", 1.0) * 1000)
        reference = element.get("clip-path")
        if reference is None and opacity == 1000:
            return shapes
        if reference is None:
            return [Group(tuple(shapes), opacity=opacity)]
        match = re.fullmatch(r"url\(#([\w-]+)\)", reference)
        clip = self._find(match[1] if match else reference, element)
        ops, evenodd = self._clip(clip, state)
        return [Group(tuple(shapes), ops, evenodd, opacity)] if shapes else []

    def _find(self, name: str, element: ET.Element) -> ET.Element:
        found = self._own.get(name)
        if found is None:
            found = self.library.by_id.get(name)
        if found is None:
            known = [*self._own, *self.library.by_id]
            raise Fault(f"nothing has the id {name!r}", did_you_mean(name, known), element)
        return found

    def _clip(self, clip: ET.Element, state: State) -> tuple[tuple[Op, ...], bool]:
        """The outline of a clipPath: all its shapes as one path."""
        inner = self._inherit(clip, replace(state, style=_INITIAL))
        paths = [shape for shape in self._children(clip, inner) if isinstance(shape, Path)]
        evenodd = any(e.get("clip-rule") == "evenodd" for e in clip.iter())
        return tuple(op for shape in paths for op in shape.ops), evenodd

    def _use(self, element: ET.Element, state: State) -> list[Shape]:
        target = self._find(element.get("href", "").removeprefix("#"), element)
        x, y = self._number(element, "x"), self._number(element, "y")
        matrix = path.multiply(state.matrix, (1, 0, 0, 1, x, y))
        if tag_of(target) != "symbol":
            return self._element(target, replace(state, matrix=matrix))
        view = target.get("viewBox")
        if view and "width" in element.attrib:
            left, top, wide, high = (float(n) for n in view.split())
            width = self._number(element, "width")
            height = self._number(element, "height", width * high / wide)
            scale = min(width / wide, height / high)
            dx, dy = (width - wide * scale) / 2 - left * scale, (height - high * scale) / 2 - top * scale
            matrix = path.multiply(matrix, (scale, 0, 0, scale, dx, dy))
        return self._children(target, self._inherit(target, replace(state, matrix=matrix)))

    def _outline(self, element: ET.Element, tag: str) -> tuple[path.Segment, ...]:
        n = self._number
        match tag:
            case "path":
                segments: tuple[path.Segment, ...] = self._value(path.parse_path, element.get("d", ""), element)
                return segments
            case "rect":
                return path.rect(
                    n(element, "x"), n(element, "y"), n(element, "width"), n(element, "height"), n(element, "rx")
                )
            case "circle":
                r = n(element, "r")
                return path.ellipse(n(element, "cx"), n(element, "cy"), r, r)
            case "ellipse":
                return path.ellipse(n(element, "cx"), n(element, "cy"), n(element, "rx"), n(element, "ry"))
            case "line":
                return (("M", (n(element, "x1"), n(element, "y1"))), ("L", (n(element, "x2"), n(element, "y2"))))
            case "polyline" | "polygon":
                points: tuple[path.Segment, ...] = self._value(
                    lambda text: path.polygon(text, tag == "polygon"), element.get("points", ""), element
                )
                return points
        raise Fault(f"<{tag}> cannot be drawn here", "", element)

    def _painted(self, segments: tuple[path.Segment, ...], state: State, element: ET.Element) -> list[Shape]:
        fill = None if tag_of(element) == "line" else self._colour(state.style["fill"], element)
        stroke = self._stroke(state, element)
        if not segments or (fill is None and stroke is None):
            return []
        return [Path(path.place(segments, state.matrix), fill, stroke, state.style.get("fill-rule") == "evenodd")]

    @staticmethod
    def _colour(text: str, element: ET.Element) -> str | None:
        if text == "none":
            return None
        colour = _NAMED.get(text, text).lower()
        if not _HEX.fullmatch(colour):
            raise Fault(f"{text!r} is not a colour", "Write #rrggbb or none.", element)
        return colour if len(colour) == 7 else "#" + "".join(c * 2 for c in colour[1:])

    def _stroke(self, state: State, element: ET.Element) -> Stroke | None:
        style = state.style
        colour = self._colour(style["stroke"], element)
        scale = path.scale_of(state.matrix)
        width = round(self._value(float, style["stroke-width"], element) * scale)
        if colour is None or width <= 0:
            return None
        dash = style.get("stroke-dasharray", "none")
        lengths = (
            ()
            if dash == "none"
            else tuple(round(self._value(float, n, element) * scale) for n in re.split(r"[\s,]+", dash.strip()))
        )
        return Stroke(
            colour, width, style.get("stroke-linecap", "butt"), style.get("stroke-linejoin", "miter"), lengths
        )

    def _length(self, text: str, element: ET.Element, scale: float) -> int:
        """User units (a bare number) or a length with a unit, scaled to micrometres."""
        try:
            return round(float(text) * scale)
        except ValueError:
            length: int = self._value(parse_length, text, element)
            return round(length * scale / 1000)

    def _style(self, state: State, element: ET.Element) -> Style:
        style, scale = state.style, path.scale_of(state.matrix)
        if "font-family" not in style or "font-size" not in style:
            raise Fault("a text needs font-family and font-size", "", element)
        return Style(
            style["font-family"],
            self._length(style["font-size"], element, scale),
            int(self._value(float, style.get("font-weight", "400"), element)),
            style.get("font-style") == "italic",
            self._colour(style["fill"], element) or "#000000",
            self._length(style.get("letter-spacing", "0"), element, scale),
        )

    def _text(self, element: ET.Element, state: State) -> list[Shape]:
        a, b, c, d, _, _ = state.matrix
        if abs(a - d) > 1e-6 or abs(b + c) > 1e-6:
            raise Fault("a text may be moved, turned and scaled evenly, not skewed or mirrored", "", element)
        angle = round(math.degrees(math.atan2(b, a))) % 360
        if "data-box" in element.attrib:
            return self._box_text(element, state, angle)
        return self._line_text(element, state, angle)

    def _line_text(self, element: ET.Element, state: State, angle: int) -> list[Shape]:
        """One line of spans, anchored as a whole."""
        spans = [(re.sub(r"\s+", " ", text), self._style(s, e)) for text, s, e in self._spans(element, state) if text]
        if not spans:
            return []
        spans[0] = (spans[0][0].lstrip(), spans[0][1])
        spans[-1] = (spans[-1][0].rstrip(), spans[-1][1])
        width = sum(self.setter.pieces(text, style)[1] for text, style in spans) - spans[-1][1].tracking
        offset = {"start": 0, "middle": -width // 2, "end": -width}[state.style.get("text-anchor", "start")]
        x, y = path.apply(state.matrix, self._number(element, "x"), self._number(element, "y"))
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
            self._note_missing(missing, state.field, text)
            offset += wide
        return shapes

    def _spans(self, element: ET.Element, state: State) -> list[tuple[str, State, ET.Element]]:
        out = [(element.text or "", state, element)]
        for child in element:
            if tag_of(child) != "tspan":
                raise Fault(f"<{tag_of(child)}> cannot stand in a text", "Use <tspan>.", child)
            out.append(("".join(child.itertext()), self._inherit(child, state), child))
            out.append((child.tail or "", state, element))
        return out

    def _box_text(self, element: ET.Element, state: State, angle: int) -> list[Shape]:
        if angle:
            raise Fault("a text with data-box stays upright", "Turn a line of text instead.", element)
        scale = path.scale_of(state.matrix)
        numbers = [self._value(float, n, element) for n in element.get("data-box", "").split()]
        if len(numbers) != 4:
            raise Fault("data-box takes four numbers: x y width height", "", element)
        x, y = path.apply(state.matrix, numbers[0], numbers[1])
        box = Box(round(x), round(y), round(numbers[2] * scale), round(numbers[3] * scale))
        style = self._style(state, element)
        setting = Setting(
            element.get("data-align", "left"),
            element.get("data-valign", "top"),
            round(self._number(element, "data-leading", 1.2) * 1000),
            round(self._number(element, "data-gap", 0.4) * 1000),
            self._length(element.get("data-min", "6pt"), element, scale),
            element.get("data-fit", "none") == "shrink",
        )
        text = "".join(element.itertext()).strip()
        block = self.setter.fit(text, style, box, setting, state.field)
        self._note_missing(block.missing, state.field, text)
        if block.over_width or block.over_height:
            data = {"over_width_um": block.over_width, "over_height_um": block.over_height, "size_um": block.size}
            self.notes.append(Note("text_overflow", state.field, text, data))
        return [*block.runs, *self._icons(block, element, state)]

    def _note_missing(self, missing: str, name: str, text: str) -> None:
        if missing:
            self.notes.append(Note("glyph_missing", name, text, {"characters": "".join(dict.fromkeys(missing))}))

    def _icons(self, block: Block, element: ET.Element, state: State) -> list[Shape]:
        shapes: list[Shape] = []
        for icon in block.icons:
            symbol = self.library.by_id.get(f"icon-{icon.name}")
            if symbol is None:
                self.notes.append(Note("icon_unknown", state.field, icon.name, {"icon": icon.name}))
                continue
            _, _, wide, _ = (float(n) for n in symbol.get("viewBox", "-5 -5 10 10").split())
            scale = icon.em * float(symbol.get("data-em", "0.84")) / wide
            inner = State(
                (scale, 0, 0, scale, icon.x, icon.y), {**state.style, "fill": icon.colour}, state.field, state.depth
            )
            shapes.extend(self._children(symbol, self._inherit(symbol, inner)))
        return shapes

    def _image(self, element: ET.Element, state: State) -> list[Shape]:
        href = element.get("href", "")
        if href.startswith("#"):
            raise Fault("an image shows a file; use <use> for an id", "", element)
        art = self.art.get(href)
        x, y = path.apply(state.matrix, self._number(element, "x"), self._number(element, "y"))
        scale = path.scale_of(state.matrix)
        width, height = round(self._number(element, "width") * scale), round(self._number(element, "height") * scale)
        clip = Box(round(x), round(y), width, height)
        if art is None:
            self.notes.append(Note("image_missing", state.field or "art", href))
            return []
        focus = [self._value(float, n, element) for n in element.get("data-focus", "0.5 0.5").split()]
        grow = max(width / art.width, height / art.height)
        full_w, full_h = round(art.width * grow), round(art.height * grow)
        left = clip.x - round((full_w - width) * min(1.0, max(0.0, focus[0])))
        top = clip.y - round((full_h - height) * min(1.0, max(0.0, focus[-1])))
        return [Picture(art.key, Box(left, top, full_w, full_h), clip, 0, state.field or "art")]
