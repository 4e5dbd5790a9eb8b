"""Reading a face drawing: the part of SVG that it may use, its elements, and what they inherit. Nothing is drawn."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Collection, Hashable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.core.names import did_you_mean
from carddb.core.units import UM_PER_MM, Size, parse_length
from carddb.layout.display_list import Shape
from carddb.layout.drawing import bleed, path
from carddb.layout.drawing.path import Matrix
from carddb.layout.text.text_setting import IconSize

PAINT = frozenset(
    {"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "fill-rule"}
    | {"clip-rule", "opacity", "clip-path", "font-family", "font-size", "font-weight", "font-style"}
    | {"font-variant-numeric", "text-anchor", "letter-spacing", "direction"}
)
INHERITED = PAINT - {"opacity", "clip-path"}
COMMON = PAINT | {"id", "transform", "data-field", "data-bleed"}

ATTRIBUTES: dict[str, frozenset[str]] = {
    "svg": frozenset({"viewBox", "width", "height"}),
    "g": frozenset(),
    "defs": frozenset(),
    "symbol": frozenset({"viewBox", "data-em", "data-advance"}),
    "use": frozenset({"href", "x", "y", "width", "height"}),
    "rect": frozenset({"x", "y", "width", "height", "rx"}),
    "circle": frozenset({"cx", "cy", "r"}),
    "ellipse": frozenset({"cx", "cy", "rx", "ry"}),
    "line": frozenset({"x1", "y1", "x2", "y2"}),
    "polyline": frozenset({"points"}),
    "polygon": frozenset({"points"}),
    "path": frozenset({"d"}),
    "text": frozenset(
        {"x", "y", "data-box", "data-align", "data-valign", "data-min", "data-leading", "data-gap", "data-fit"}
        | {"data-sizes", "data-markup"}
    ),
    "tspan": frozenset({"dx", "dy"}),
    "image": frozenset({"href", "x", "y", "width", "height", "data-focus"}),
    "clipPath": frozenset(),
    "title": frozenset(),
}

ALLOWED = {tag: COMMON | own for tag, own in ATTRIBUTES.items()}
"""The attributes of each element, those that every element takes among them."""

VALUES: dict[str, tuple[str, ...]] = {
    "data-bleed": bleed.WAYS,
    "data-align": ("left", "center", "right", "start", "end"),
    "direction": ("ltr", "rtl"),
    "data-valign": ("top", "middle", "optical", "bottom"),
    "data-fit": ("shrink", "none"),
    "data-markup": ("marks", "plain"),
    "text-anchor": ("start", "middle", "end"),
    "stroke-linecap": ("butt", "round", "square"),
    "stroke-linejoin": ("miter", "round", "bevel"),
    "fill-rule": ("nonzero", "evenodd"),
    "clip-rule": ("nonzero", "evenodd"),
    "font-style": ("normal", "italic"),
    "font-variant-numeric": ("normal", "tabular-nums"),
}

_INSTEAD = {
    "linearGradient": "Use a plain fill, or several shapes.",
    "radialGradient": "Use a plain fill, or several shapes.",
    "pattern": "Draw the shapes once and repeat them with <use>.",
    "filter": "Use opacity, or shapes one over the other.",
    "mask": "Use <clipPath>.",
    "marker": "Draw it where it stands.",
    "style": "Write presentation attributes: fill, stroke, opacity.",
    "script": "Leave it out: a face does not move.",
    "foreignObject": "Use <text>.",
    "textPath": "Turn the letters into outlines.",
}
"""The nearest supported thing, for what drawing programs like to write."""


def fault(tag: str, attributes: dict[str, str]) -> tuple[str, str] | None:
    """Returns the fault of an element and its remedy; None where all of it is supported."""
    allowed = ALLOWED.get(tag)
    if allowed is None:
        return f"<{tag}> is not part of the face dialect", _INSTEAD.get(tag) or did_you_mean(tag, ATTRIBUTES)
    if attributes.keys() <= allowed and VALUES.keys().isdisjoint(attributes):
        return None
    for name, value in attributes.items():
        if name not in allowed:
            return f"<{tag}> has no attribute {name!r} in the face dialect", did_you_mean(name, sorted(allowed))
        accepted = VALUES.get(name)
        if accepted and value not in accepted:
            return f"{name}={value!r} is not supported", f"Accepted: {', '.join(accepted)}."
    return None


_SVG = "{http://www.w3.org/2000/svg}"
_HEX = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})", re.I)
_COLOUR_NAMES = {"white": "#ffffff", "black": "#000000"}
_MAX_DEPTH = 60
_LARGEST_SCALE = 1e10
INITIAL = {"fill": "#000000", "stroke": "none", "stroke-width": "1"}


class DrawingFault(Exception):
    """Something in a drawing that is not supported, with the element it stands on."""

    def __init__(self, message: str, remedy: str = "", element: ET.Element | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy
        self.element = element


class Art(NamedTuple):
    """An image that a drawing may show: its key and its size in pixels."""

    key: str
    width: int
    height: int


class Note(NamedTuple):
    """Something about a text or image that may be worth a finding: `kind`, the field, its words, the figures."""

    kind: str
    field: str
    text: str
    data: Mapping[str, Any] = MappingProxyType({})


class State(NamedTuple):
    """The state that an element inherits."""

    matrix: Matrix
    style: Mapping[str, str]
    field: str = ""
    depth: int = 0
    bleed: str = ""


def parse(text: str) -> ET.Element:
    """Returns the root element of an SVG text. Raises DrawingFault; document types and entities are refused."""
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DrawingFault("a document type is not allowed in a face", "Remove the <!DOCTYPE> line.")
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise DrawingFault(f"not well-formed SVG: {error}") from error
    level = [root]
    for _ in range(_MAX_DEPTH + 2):
        level = [child for element in level for child in element]
        if not level:
            return root
    raise DrawingFault(f"elements are nested deeper than {_MAX_DEPTH}", "", level[0])


def tag_of(element: ET.Element) -> str:
    return element.tag.removeprefix(_SVG)


def inherit(element: ET.Element, state: State) -> State:
    """Returns the state inside an element. Raises DrawingFault for what the dialect does not have."""
    attributes = element.attrib
    if "data-at" in attributes:
        attributes = {name: value for name, value in attributes.items() if name != "data-at"}
    wrong = fault(tag_of(element), attributes)
    if wrong:
        raise DrawingFault(*wrong, element)
    own = {name: value for name, value in attributes.items() if name in INHERITED}
    matrix = state.matrix
    if "transform" in attributes:
        matrix = path.multiply(matrix, value_of(path.parse_transform, attributes["transform"], element))
        if max(map(abs, matrix)) > _LARGEST_SCALE:
            raise DrawingFault("the transforms make the drawing too large", "", element)
    if state.depth > _MAX_DEPTH:
        raise DrawingFault(f"elements are nested deeper than {_MAX_DEPTH}", "Does a symbol use itself?", element)
    style = {**state.style, **own} if own else state.style
    bleed = attributes.get("data-bleed", state.bleed)
    return State(matrix, style, attributes.get("data-field", state.field), state.depth + 1, bleed)


def value_of(read: Any, text: str, element: ET.Element) -> Any:
    """Returns an attribute read by a function that raises ValueError. Raises DrawingFault."""
    try:
        return read(text)
    except ValueError as error:
        raise DrawingFault(str(error), "", element) from error


def number(element: ET.Element, name: str, default: float = 0.0) -> float:
    """Returns an attribute as a finite number. Raises DrawingFault."""
    text = element.get(name)
    if text is None:
        return default
    try:
        return path.finite(text)
    except ValueError:
        raise DrawingFault(f"{name}={text!r} is not a number that can be drawn", "", element) from None


def numbers(text: str, element: ET.Element, count: int = 0) -> list[float]:
    """Returns numbers with spaces or commas between, `count` of them unless that is 0. Raises DrawingFault."""
    values: list[float] = [value_of(path.finite, part, element) for part in re.split(r"[\s,]+", text.strip()) if part]
    if count and len(values) != count:
        raise DrawingFault(f"{text!r} should be {count} numbers", "", element)
    return values


def view_box(element: ET.Element) -> list[float]:
    """Left, top, width and height of a viewBox. Raises DrawingFault where there is none or it is empty."""
    box = numbers(element.get("viewBox", ""), element)
    if len(box) != 4 or min(box[2:]) <= 0:
        raise DrawingFault("the viewBox should be four numbers, in millimetres: left top width height", "", element)
    return box


def fitted(root: ET.Element, size: Size | None) -> tuple[Size, Matrix]:
    """Returns a drawing's size, its own or `size`, and the matrix to it: scaled evenly and centred.

    Raises DrawingFault.
    """
    left, top, wide, high = view_box(root)
    target = size or Size(round(wide * UM_PER_MM), round(high * UM_PER_MM))
    scale = min(target.width / wide, target.height / high)
    x, y = (target.width - wide * scale) / 2 - left * scale, (target.height - high * scale) / 2 - top * scale
    return target, (scale, 0.0, 0.0, scale, x, y)


def length_of(text: str, element: ET.Element, scale: float) -> int:
    """Reads user units (a bare number) or a length with a unit, scaled to micrometres."""
    try:
        return round(path.finite(text) * scale)
    except ValueError:
        length: int = value_of(parse_length, text, element)
        return round(length * scale / 1000)


def colour_of(text: str, element: ET.Element) -> str | None:
    """Returns a colour as `#rrggbb`; None for `none`. Raises DrawingFault."""
    if text == "none":
        return None
    colour = _hex_colour(text)
    if not colour:
        raise DrawingFault(f"{text!r} is not a colour", "Write #rrggbb or none.", element)
    return colour


@lru_cache(maxsize=1024)
def _hex_colour(text: str) -> str:
    """Returns a colour as `#rrggbb`; empty for what is no colour."""
    colour = _COLOUR_NAMES.get(text, text).lower()
    if not _HEX.fullmatch(colour):
        return ""
    return colour if len(colour) == 7 else "#" + "".join(c * 2 for c in colour[1:])


class Library:
    """Symbols and definitions shared by the faces of a game, by id; icons are the symbols `icon-*`.

    In texts of `plain_fields` every character stands for itself.
    """

    def __init__(self, roots: Iterable[ET.Element] = (), plain_fields: Collection[str] = ()) -> None:
        self.plain_fields = plain_fields
        self.by_id: dict[str, ET.Element] = {}
        for root in roots:
            self.by_id.update({element.attrib["id"]: element for element in root.iter() if "id" in element.attrib})
        self.figures = frozenset(element for element in self.by_id.values() if _is_figure(element))
        """Elements that are nothing but shapes, and refer to nothing."""
        self.drawn: dict[Hashable, tuple[list[Shape], int]] = {}
        """Figures as they were drawn: their shapes and how many elements those were, by element, place and look."""
        self.icons = {
            name.removeprefix("icon-"): IconSize(
                round(number(element, "data-advance", 0.92) * 1000), _word_of(element, name)
            )
            for name, element in self.by_id.items()
            if name.startswith("icon-")
        }


def _is_figure(element: ET.Element) -> bool:
    return all(
        tag_of(part) not in ("text", "image", "use", "title") and "clip-path" not in part.attrib
        for part in element.iter()
    )


def _word_of(symbol: ET.Element, name: str) -> str:
    """Returns the words that an icon stands for: its title, else its id."""
    title = next((child for child in symbol if tag_of(child) == "title"), None)
    words = "".join(title.itertext()).strip() if title is not None else ""
    return words or name.removeprefix("icon-").replace("-", " ")
