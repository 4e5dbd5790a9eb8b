"""Parses a face drawing: the supported subset of SVG, its elements, and the properties they inherit. Draws nothing."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from carddb.core.cache import LruCache
from carddb.core.errors import CarddbError
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

_GRADIENT = frozenset({"gradientUnits", "gradientTransform", "spreadMethod", "href"})
ATTRIBUTES: dict[str, frozenset[str]] = {
    "svg": frozenset({"viewBox", "width", "height", "data-fan"}),
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
    "linearGradient": _GRADIENT | {"x1", "y1", "x2", "y2"},
    "radialGradient": _GRADIENT | {"cx", "cy", "r", "fx", "fy", "fr"},
    "stop": frozenset({"offset", "stop-color", "stop-opacity"}),
    "title": frozenset(),
}

ALLOWED = {tag: COMMON | own for tag, own in ATTRIBUTES.items()}
"""The attributes that each element may have, including those common to all elements."""

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
    "gradientUnits": ("userSpaceOnUse", "objectBoundingBox"),
    "spreadMethod": ("pad",),
}

_INSTEAD = {
    "pattern": "Draw the shapes once and repeat them with <use>.",
    "filter": "Use opacity and gradients, or export the picture as PNG.",
    "mask": "Use <clipPath>, or export the picture as PNG.",
    "marker": "Draw its shape at each place where it appears.",
    "style": "Write the style as attributes: fill, stroke, opacity.",
    "script": "Remove it: nothing moves on a printed card.",
    "foreignObject": "Use <text>.",
    "textPath": "Convert the text to outlines in the drawing program.",
}
"""The remedy for unsupported elements that drawing programs often write, by tag."""
_INSTEAD_OF = {
    "class": "Write the style as attributes: fill, stroke, opacity.",
    "style": "Write the style as attributes: fill, stroke, opacity.",
    "filter": _INSTEAD["filter"],
    "mask": _INSTEAD["mask"],
    "mix-blend-mode": "Use opacity, or export the picture as PNG.",
    "fill-opacity": "Use opacity, or a gradient with stop-opacity.",
    "stroke-opacity": "Use opacity.",
}
"""The remedy for unsupported attributes that drawing programs often write, by name."""


_SVG = "{http://www.w3.org/2000/svg}"
_HEX = re.compile(r"#(?:[0-9a-f]{6}|[0-9a-f]{3})", re.I)
_COLOUR_NAMES = {"white": "#ffffff", "black": "#000000"}
_OPENED = re.compile(r"<svg[\s>]")
_MAX_DEPTH = 60
_LARGEST_SCALE = 1e10
INITIAL = {"fill": "#000000", "stroke": "none", "stroke-width": "1"}
Value = TypeVar("Value")


class DrawingError(CarddbError):
    """Something in a drawing is not supported; `element` is the element in which it occurs, if known."""

    def __init__(self, message: str, remedy: str = "", element: ET.Element | None = None) -> None:
        super().__init__(message, remedy)
        self.element = element


class Art(NamedTuple):
    """An image for use in a drawing: its key, and its size in pixels."""

    key: str
    width: int
    height: int


class DrawingFault(NamedTuple):
    """Something wrong with a text or an image, from which a finding may be made.

    `kind` is its code, `field` the card field, `text` the text or the image's name, `data` what else the message says.
    """

    kind: str
    field: str
    text: str
    data: Mapping[str, Any] = MappingProxyType({})


class Inherited(NamedTuple):
    """The properties that an element inherits from the elements around it."""

    matrix: Matrix
    style: Mapping[str, str]
    field: str = ""
    depth: int = 0
    bleed: str = ""


def parse(text: str) -> ET.Element:
    """Returns the root element of an SVG text.

    Raises DrawingError if the text is not well-formed, is nested too deeply, or has a document type or entities.
    """
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise DrawingError("the drawing has a document type or entities", "Remove all of <!DOCTYPE …>.")
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        if 0 < len(_OPENED.findall(text)) < text.count("</svg>"):
            raise DrawingError("there are more </svg> tags than <svg> tags", "Remove the last </svg>.") from None
        raise DrawingError(f"not well-formed SVG: {error}") from error
    level = [root]
    for _ in range(_MAX_DEPTH + 2):
        level = [child for element in level for child in element]
        if not level:
            return root
    raise DrawingError(f"elements are nested deeper than {_MAX_DEPTH} levels", "Nest fewer groups.", level[0])


def tag_of(element: ET.Element) -> str:
    return element.tag.removeprefix(_SVG)


def check(element: ET.Element) -> dict[str, str]:
    """Returns an element's attributes without `data-at`. Raises DrawingError if anything in it is unsupported."""
    attributes, tag = element.attrib, tag_of(element)
    if "data-at" in attributes:
        attributes = {name: value for name, value in attributes.items() if name != "data-at"}
    allowed = ALLOWED.get(tag)
    if allowed is None:
        remedy = _INSTEAD.get(tag) or did_you_mean(tag, ATTRIBUTES)
        raise DrawingError(f"<{tag}> is not an SVG element that carddb supports", remedy, element)
    if attributes.keys() <= allowed and VALUES.keys().isdisjoint(attributes):
        return attributes
    for name, value in attributes.items():
        if name not in allowed:
            remedy = _INSTEAD_OF.get(name) or did_you_mean(name, sorted(allowed))
            raise DrawingError(f"carddb does not support the attribute {name!r} of <{tag}>", remedy, element)
        accepted = VALUES.get(name)
        if accepted and value not in accepted:
            remedy = f"Write {' or '.join(accepted)}." + " Repeat the stops yourself." * (name == "spreadMethod")
            raise DrawingError(f"{name}={value!r} is not supported", remedy, element)
    return attributes


def inherit(element: ET.Element, state: Inherited) -> Inherited:
    """Returns the properties that apply inside an element: its own attributes, else those of the elements around it.

    `state` has the latter. Raises DrawingError if the element or an attribute is unsupported.
    """
    attributes = check(element)
    own = {name: value for name, value in attributes.items() if name in INHERITED}
    matrix = state.matrix
    if "transform" in attributes:
        matrix = path.multiply(matrix, value_of(path.parse_transform, attributes["transform"], element))
        if max(map(abs, matrix)) > _LARGEST_SCALE:
            raise DrawingError("the transforms make the element too large", "Write smaller factors in scale.", element)
    check_depth(state.depth, element)
    style = {**state.style, **own} if own else state.style
    bleed = attributes.get("data-bleed", state.bleed)
    return Inherited(matrix, style, attributes.get("data-field", state.field), state.depth + 1, bleed)


def check_depth(depth: int, element: ET.Element) -> None:
    """Raises DrawingError if an element is nested too deeply at `depth`, which counts the symbols around it too."""
    if depth > _MAX_DEPTH:
        remedy = "Nest fewer groups, and make sure that no symbol uses itself."
        raise DrawingError(f"elements are nested deeper than {_MAX_DEPTH} levels", remedy, element)


def value_of(read: Callable[[str], Value], text: str, element: ET.Element) -> Value:
    """Returns `read(text)`. Raises DrawingError for `element` if `read` raises ValueError."""
    try:
        return read(text)
    except ValueError as error:
        raise DrawingError(f"<{tag_of(element)}>: {error}", "", element) from error


def number(element: ET.Element, name: str, default: float = 0.0) -> float:
    """Returns the attribute `name` as a number; `default` without it. Raises DrawingError if it is not a number."""
    text = element.get(name)
    if text is None:
        return default
    try:
        return path.finite(text)
    except ValueError:
        message = f"{name}={text!r} is not a number, or is too large to be drawn"
        raise DrawingError(message, f"Write a number of at most {path.LARGEST:,.0f}.", element) from None


def numbers(text: str, element: ET.Element, count: int = 0) -> list[float]:
    """Returns the numbers in a text that are separated by spaces or commas.

    Raises DrawingError if a number is invalid, or if there are not exactly `count` of them; 0 allows any count.
    """
    values = [value_of(path.finite, part, element) for part in re.split(r"[\s,]+", text.strip()) if part]
    if count and len(values) != count:
        raise DrawingError(f"{text!r} must be {count} numbers, not {len(values)}", "Put spaces between them.", element)
    return values


def view_box(element: ET.Element) -> list[float]:
    """Returns left, top, width and height of the viewBox. Raises DrawingError if it is missing or empty."""
    box = numbers(element.get("viewBox", ""), element)
    if len(box) != 4 or min(box[2:]) <= 0:
        message = f"viewBox={element.get('viewBox', '')!r} must be four numbers, with a width and height above 0"
        raise DrawingError(message, "Write left, top, width and height, in millimetres.", element)
    return box


def fitted(root: ET.Element, size: Size | None) -> tuple[Size, Matrix]:
    """Returns `size`, or if None the drawing's own, and the matrix that scales the drawing evenly and centred to it.

    Raises DrawingError if the drawing has no valid viewBox.
    """
    left, top, wide, high = view_box(root)
    target = size or Size(round(wide * UM_PER_MM), round(high * UM_PER_MM))
    scale = min(target.width / wide, target.height / high)
    x, y = (target.width - wide * scale) / 2 - left * scale, (target.height - high * scale) / 2 - top * scale
    return target, (scale, 0.0, 0.0, scale, x, y)


def length_of(text: str, element: ET.Element, scale: float) -> int:
    """Returns a length in micrometres; without a unit, it is in the drawing's units, each of `scale` micrometres.

    A length with a unit is multiplied by `scale` / 1000, as the drawing is. Raises DrawingError for other texts.
    """
    try:
        return round(path.finite(text) * scale)
    except ValueError:
        return round(value_of(parse_length, text, element) * scale / 1000)


def colour_of(text: str, element: ET.Element) -> str | None:
    """Returns a colour as `#rrggbb`, or None for `none`. Raises DrawingError for any other text."""
    if text == "none":
        return None
    colour = _COLOUR_NAMES.get(text, text).lower()
    if _HEX.fullmatch(colour):
        return colour if len(colour) == 7 else "#" + "".join(c * 2 for c in colour[1:])
    if text.startswith("url("):
        fix = "Convert text and lines to outlines in the drawing program, or write a colour as #rrggbb."
        raise DrawingError(f"{text!r} cannot be used here: only the fill of a shape can be a gradient", fix, element)
    raise DrawingError(f"{text!r} is not a colour", "Write a colour as #rrggbb, or none.", element)


_MOST_DRAWN = 5000
"""The most elements, in all drawn figures together, that are kept for reuse (16 MB for CDG, which has 4516)."""


class Library:
    """Symbols and definitions shared by the faces of a game, by id; the symbols `icon-*` are icons.

    Markup is not interpreted in the texts of the card fields `plain_fields`.
    """

    def __init__(self, roots: Iterable[ET.Element] = (), plain_fields: Collection[str] = ()) -> None:
        self.plain_fields = plain_fields
        self.by_id: dict[str, ET.Element] = {}
        for root in roots:
            self.by_id.update({element.attrib["id"]: element for element in root.iter() if "id" in element.attrib})
        self.figures = frozenset(element for element in self.by_id.values() if _is_figure(element))
        """Elements that consist of plain shapes only and refer to no other element."""
        self.drawn: LruCache[Hashable, tuple[list[Shape], int]] = LruCache(_MOST_DRAWN, lambda drawn: drawn[1] or 1)
        """The shapes and the number of elements of the figures drawn last, by element, position and style."""
        self.icons = {
            name.removeprefix("icon-"): IconSize(
                round(number(element, "data-advance", 0.92) * 1000), _word_of(element, name)
            )
            for name, element in self.by_id.items()
            if name.startswith("icon-")
        }


def _is_figure(element: ET.Element) -> bool:
    return all(
        tag_of(part) not in ("text", "image", "use", "title")
        and "clip-path" not in part.attrib
        and not part.get("fill", "").startswith("url(")
        for part in element.iter()
    )


def _word_of(symbol: ET.Element, name: str) -> str:
    """Returns the text that an icon replaces: its title, or else its id."""
    title = next((child for child in symbol if tag_of(child) == "title"), None)
    words = "".join(title.itertext()).strip() if title is not None else ""
    return words or name.removeprefix("icon-").replace("-", " ")
