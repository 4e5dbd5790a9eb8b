"""Pictures on faces: what the name of a picture stands for, how it fills its box, and SVG files as pictures."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from carddb.core.units import UM_PER_INCH, Box
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.path import Matrix
from carddb.layout.drawing.svg_parser import Art, DrawingError, DrawingFault

SHARP = 150
"""Pixels per inch below which a printed picture looks blurred."""
BLOCKY = 72
"""Pixels per inch below which single pixels of a printed picture can be seen."""


class Vector(NamedTuple):
    """An SVG file shown as a picture: its key, its root element, and its viewBox (left, top, width, height)."""

    key: str
    root: ET.Element
    view: tuple[float, float, float, float]

    @property
    def width(self) -> float:
        return self.view[2]

    @property
    def height(self) -> float:
        return self.view[3]

    def matrix(self, box: Box) -> Matrix:
        """Returns the matrix that scales the drawing to fill `box`, which must have the drawing's proportions."""
        scale = box.width / self.width
        return (scale, 0.0, 0.0, scale, box.x - self.view[0] * scale, box.y - self.view[1] * scale)


class Flaw(NamedTuple):
    """Why a picture cannot be shown: the code of the finding, and in `data` its `reason` and `fix`, as texts."""

    code: str
    data: Mapping[str, str] = MappingProxyType({})


MISSING = Flaw("image_missing", {"reason": "the picture was not found", "fix": "Correct its name, or add the file."})
Artwork = Art | Vector | Flaw
"""The result of looking up a picture by name: an image, an SVG drawing, or the reason why there is neither."""


def spread(art: Art | Vector, clip: Box, focus: Sequence[float]) -> Box:
    """Returns the box of the whole picture, scaled so that it just covers `clip`.

    `focus` is the point (0 to 1 across and down) with the same place in picture and `clip`, so that it is visible.
    """
    grow = max(clip.width / art.width, clip.height / art.height)
    width, height = round(art.width * grow), round(art.height * grow)
    across, down = (min(1.0, max(0.0, part)) for part in (focus[0], focus[-1]))
    return Box(
        clip.x - round((width - clip.width) * across), clip.y - round((height - clip.height) * down), width, height
    )


def with_own_bleed(art: Art | Vector, bled: Box, clip: Box, focus: Sequence[float]) -> list[tuple[Box, Box]]:
    """Returns the copies of a picture that has bleed of its own, each as (box of the whole picture, its visible part).

    The first copy covers `bled`, the picture's window and its bleed, and is visible inside `clip`, the window extended
    beyond the edges of the face that it reaches. The rest of `clip` is filled with strips of a larger copy.
    """
    whole, wider = spread(art, bled, focus), spread(art, clip, focus)
    left, right = max(clip.x, whole.x), min(clip.right, whole.right)
    top, bottom = max(clip.y, whole.y), min(clip.bottom, whole.bottom)
    beyond = [
        Box(clip.x, clip.y, clip.width, top - clip.y),
        Box(clip.x, bottom, clip.width, clip.bottom - bottom),
        Box(clip.x, top, left - clip.x, bottom - top),
        Box(right, top, clip.right - right, bottom - top),
    ]
    return [
        (whole, Box(left, top, right - left, bottom - top)),
        *((wider, part) for part in beyond if part.width and part.height),
    ]


def coarse(art: Art, box: Box, field: str, name: str) -> list[DrawingFault]:
    """Returns a list with a fault if the picture has too few pixels to be printed as large as `box`, else none."""
    per_inch = round(art.width * UM_PER_INCH / max(1, box.width))
    if per_inch >= SHARP:
        return []
    return [DrawingFault("art_low_resolution", field, name, {"picture": name, "per_inch": per_inch, "least": SHARP})]


MOST_DRAWN = 50_000
"""The most elements in one drawing; a `use` counts as all that it shows, and a long outline as several elements."""
_OUTLINE = 100
"""The number of characters of an outline that count as one element."""
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_LENGTH = re.compile(r"\s*(-?\d*\.?\d+)\s*(?:px)?\s*")
_RGB = re.compile(r"rgb\(\s*(\d+\.?\d*%?)[\s,]+(\d+\.?\d*%?)[\s,]+(\d+\.?\d*%?)\s*\)")
_RULE = re.compile(r"(?<![^{}])([^{}]*+)\{([^{}]*+)\}")
_CLASS = re.compile(r"\.([\w-]+)")
_ATTRIBUTES = "Write the style as attributes, such as fill and stroke, or as rules for classes, such as .name { }."
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_REFERENCE = re.compile(r"url\(#([\w-]+)\)")
_MOST_CLASSES, _MOST_DECLARED = 2_000, 60
"""The most classes in a style sheet; the most declarations in a rule, and also the most classes of an element."""
_IGNORED_ELEMENTS = {"metadata", "desc", "title", "style"}
_IGNORED = {"version", "baseProfile", "class", "role", "preserveAspectRatio", "enable-background", "style", "lang"}
_IGNORED |= {"font-variant", "font-stretch", "font-variant-ligatures", "text-rendering", "shape-rendering", "color"}
_FOREIGN = ("{", "-", "aria-", "data-name")
"""Beginnings of the names of attributes that are ignored."""
_DEFAULTS = {
    "fill-opacity": "1",
    "stroke-opacity": "1",
    "stroke-miterlimit": "4",
    "stroke-dashoffset": "0",
    "display": "inline",
    "visibility": "visible",
    "overflow": "visible",
    "isolation": "auto",
    "mix-blend-mode": "normal",
    "paint-order": "normal",
    **dict.fromkeys(("vector-effect", "filter", "mask", "clip-path"), "none"),
}
"""Default values of attributes, which have no effect but are often written by drawing programs."""

Rules = Mapping[str, Mapping[str, str]]
"""`{class: {attribute: value}}` of a drawing's style sheet."""


def read_vector(key: str, text: str) -> Vector:
    """Returns the drawing in the text of an SVG file.

    Raises DrawingError if it is too large, refers to other files, or has style rules for anything but classes.
    """
    root = svg_parser.parse(text)
    if svg_parser.tag_of(root) != "svg":
        message = f"this file is not an SVG drawing: it begins with <{svg_parser.tag_of(root)}>"
        raise DrawingError(message, "Export the drawing again as SVG.", root)
    _simplify(root, _rules(root))
    if "viewBox" not in root.attrib:
        root.set("viewBox", f"0 0 {root.get('width', '')} {root.get('height', '')}")
    left, top, width, height = svg_parser.view_box(root)
    _check_weight(root)
    return Vector(key, root, (left, top, width, height))


def _rules(root: ET.Element) -> Rules:
    """Returns the rules of all `<style>` elements by class. Raises DrawingError for a rule for anything but a class."""
    rules: dict[str, dict[str, str]] = {}
    for element in root.iter():
        if svg_parser.tag_of(element) != "style":
            continue
        text = _COMMENT.sub("", "".join(element.itertext()))
        if _RULE.sub("", text).strip():
            raise DrawingError("<style> contains more than rules for classes", _ATTRIBUTES, element)
        for selectors, body in _RULE.findall(text):
            declared, names = _declared(body), selectors.split(",")
            if len(rules) + len(names) > _MOST_CLASSES or len(declared) > _MOST_DECLARED:
                limits = f"{_MOST_CLASSES:,} classes, or a rule of more than {_MOST_DECLARED} declarations"
                raise DrawingError(f"<style> has more than {limits}", _ATTRIBUTES, element)
            for selector in names:
                name = _CLASS.fullmatch(selector.strip())
                if name is None:
                    message = f"<style> has a rule for {selector.strip()!r}, which is not a class"
                    raise DrawingError(message, _ATTRIBUTES, element)
                rules.setdefault(name[1], {}).update(declared)
    return rules


def _declared(text: str) -> dict[str, str]:
    parts = (declaration.partition(":") for declaration in text.split(";"))
    return {name.strip(): value.strip() for name, colon, value in parts if colon}


def _simplify(element: ET.Element, rules: Rules) -> None:
    """Removes hidden elements and the private data of drawing programs, and turns styles into attributes."""
    attributes = dict(element.attrib)
    if _XLINK_HREF in attributes:
        attributes.setdefault("href", attributes[_XLINK_HREF])
    for name in attributes.get("class", "").split()[:_MOST_DECLARED]:
        attributes.update(rules.get(name, {}))
    attributes.update(_declared(attributes.get("style", "")))
    element.attrib.clear()
    for name, value in attributes.items():
        if name not in _IGNORED and _DEFAULTS.get(name) != value and not name.startswith(_FOREIGN):
            element.set(name, _plain(value))
    for child in list(element):
        _simplify(child, rules)
        foreign = child.tag.startswith("{") and svg_parser.tag_of(child) == child.tag
        hidden = child.get("display") == "none" or child.get("visibility") == "hidden"
        if foreign or hidden or svg_parser.tag_of(child) in _IGNORED_ELEMENTS:
            element.remove(child)


def _plain(value: str) -> str:
    """Returns an attribute's value, with a length in px as a number without unit, and `rgb(…)` as `#rrggbb`."""
    if length := _LENGTH.fullmatch(value):
        return length[1]
    colour = _RGB.fullmatch(value)
    if not colour:
        return value
    levels = (float(text.rstrip("%")) * (2.55 if text.endswith("%") else 1) for text in colour.groups())
    return "#" + "".join(f"{min(255, round(level)):02x}" for level in levels)


def _check_weight(root: ET.Element) -> None:
    """Raises DrawingError if a drawing has too many elements, or contains itself or another file.

    An element counts each time that a `use` or a `clip-path` refers to it.
    """
    by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
    weights: dict[str, int] = {}

    def weight_of(element: ET.Element, depth: int) -> int:
        tag, href = svg_parser.tag_of(element), element.get("href", "")
        if tag == "image" or (href and not href.startswith("#")):
            raise DrawingError(f"<{tag}> refers to another file", "Draw what it shows in this file instead.", element)
        svg_parser.check_depth(depth, element)
        clip = _REFERENCE.fullmatch(element.get("clip-path", ""))
        weight = 1 + len(element.get("d", "") + element.get("points", "")) // _OUTLINE
        for name in (href[1:], clip[1] if clip else ""):
            if name in by_id and name not in weights:
                weights[name] = weight_of(by_id[name], depth + 1)
            weight += weights.get(name, 0)
        return weight + sum(weight_of(child, depth + 1) for child in element)

    weight = weight_of(root, 0)
    if weight > MOST_DRAWN:
        message = f"the drawing has {weight:,} elements, but at most {MOST_DRAWN:,} are allowed"
        raise DrawingError(message, "Simplify the drawing, or export it as PNG.", root)
