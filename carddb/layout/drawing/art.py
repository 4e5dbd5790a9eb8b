"""Pictures on faces: what the name of one stands for, how it lies in its box, and drawings made elsewhere."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from carddb.core.units import UM_PER_INCH, Box
from carddb.layout.drawing import svg_parser
from carddb.layout.drawing.path import Matrix
from carddb.layout.drawing.svg_parser import Art, Note

SHARP = 150
"""Pixels per inch below which a printed picture is soft to the eye."""
BLOCKY = 72
"""Pixels per inch below which single pixels can be seen."""


class Vector(NamedTuple):
    """A drawing shown as a picture: its key, its elements, and its viewBox (left, top, width, height)."""

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
        """From its own units into a box that has its proportions."""
        scale = box.width / self.width
        return (scale, 0.0, 0.0, scale, box.x - self.view[0] * scale, box.y - self.view[1] * scale)


class Flaw(NamedTuple):
    """A picture that cannot be shown: the code of the finding, and in `data` the `reason` and the `fix`."""

    code: str
    data: Mapping[str, str] = MappingProxyType({})


MISSING = Flaw("image_missing", {"reason": "the picture was not found"})
Artwork = Art | Vector | Flaw
"""A picture, a drawing or the reason for neither, by the name of the picture."""


def spread(art: Art | Vector, clip: Box, focus: Sequence[float]) -> Box:
    """Returns the box of the whole picture that fills `clip`; `focus`, 0 to 1 across and down, stays in sight."""
    grow = max(clip.width / art.width, clip.height / art.height)
    width, height = round(art.width * grow), round(art.height * grow)
    across, down = (min(1.0, max(0.0, part)) for part in (focus[0], focus[-1]))
    return Box(
        clip.x - round((width - clip.width) * across), clip.y - round((height - clip.height) * down), width, height
    )


def coarse(art: Art, box: Box, field: str, name: str) -> list[Note]:
    """Returns a note where the pixels are too few for the size they are printed at."""
    per_inch = round(art.width * UM_PER_INCH / max(1, box.width))
    if per_inch >= SHARP:
        return []
    return [Note("art_low_resolution", field, name, {"picture": name, "per_inch": per_inch, "least": SHARP})]


MOST_DRAWN = 50_000
"""Elements of one drawing, every `use` counted as what it shows, and a long outline as several."""
_OUTLINE = 100
_DEEPEST = 60
_XLINK_HREF = "{http://www.w3.org/1999/xlink}href"
_LENGTH = re.compile(r"\s*(-?\d*\.?\d+)\s*(?:px)?\s*")
_RGB = re.compile(r"rgb\(\s*(\d+\.?\d*%?)[\s,]+(\d+\.?\d*%?)[\s,]+(\d+\.?\d*%?)\s*\)")
_RULE = re.compile(r"(?<![^{}])([^{}]*+)\{([^{}]*+)\}")
_CLASS = re.compile(r"\.([\w-]+)")
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.S)
_REFERENCE = re.compile(r"url\(#([\w-]+)\)")
_IGNORED_ELEMENTS = {"metadata", "desc", "title", "style"}
_IGNORED = {"version", "baseProfile", "class", "role", "preserveAspectRatio", "enable-background", "style", "lang"}
_IGNORED |= {"font-variant", "font-stretch", "font-variant-ligatures", "text-rendering", "shape-rendering", "color"}
_FOREIGN = ("{", "-", "aria-", "data-name")
"""The beginnings of attributes that mean nothing to a face."""
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
"""Values without effect: drawing programs write them everywhere."""

Rules = Mapping[str, Mapping[str, str]]
"""The attributes that the classes of a drawing stand for, by class."""


def read_vector(key: str, text: str) -> Vector:
    """Returns a drawing from the text of an SVG file.

    Raises svg_parser.Fault for one that is too large, shows other files, or is styled by more than classes.
    """
    root = svg_parser.parse(text)
    if svg_parser.tag_of(root) != "svg":
        raise svg_parser.Fault(f"<{svg_parser.tag_of(root)}> is no drawing", "The first element is <svg>.", root)
    _simplify(root, _rules(root), 0)
    if "viewBox" not in root.attrib:
        root.set("viewBox", f"0 0 {root.get('width', '')} {root.get('height', '')}")
    left, top, width, height = svg_parser.view_box(root)
    _Weight(root).check()
    return Vector(key, root, (left, top, width, height))


def _rules(root: ET.Element) -> Rules:
    """Returns the rules of all `<style>` elements; only classes are known. Raises svg_parser.Fault."""
    rules: dict[str, dict[str, str]] = {}
    for element in root.iter():
        if svg_parser.tag_of(element) != "style":
            continue
        text = _COMMENT.sub("", "".join(element.itertext()))
        if _RULE.sub("", text).strip():
            raise svg_parser.Fault("<style> holds more than rules", "Write presentation attributes.", element)
        for selectors, body in _RULE.findall(text):
            for selector in selectors.split(","):
                name = _CLASS.fullmatch(selector.strip())
                if name is None:
                    raise svg_parser.Fault(
                        f"<style> speaks of {selector.strip()!r}", "Classes are known, as .name.", element
                    )
                rules.setdefault(name[1], {}).update(_declared(body))
    return rules


def _declared(text: str) -> dict[str, str]:
    parts = (declaration.partition(":") for declaration in text.split(";"))
    return {name.strip(): value.strip() for name, colon, value in parts if colon}


def _simplify(element: ET.Element, rules: Rules, depth: int) -> None:
    """Leaves out what programs write for themselves and what is hidden; styles become attributes."""
    if depth > _DEEPEST:
        raise svg_parser.Fault(f"elements are nested deeper than {_DEEPEST}", "Group less.", element)
    attributes = _attributes(element, rules)
    element.attrib.clear()
    element.attrib.update(attributes)
    for child in list(element):
        _simplify(child, rules, depth + 1)
        foreign = child.tag.startswith("{") and svg_parser.tag_of(child) == child.tag
        hidden = child.get("display") == "none" or child.get("visibility") == "hidden"
        if foreign or hidden or svg_parser.tag_of(child) in _IGNORED_ELEMENTS:
            element.remove(child)


def _attributes(element: ET.Element, rules: Rules) -> dict[str, str]:
    attributes = dict(element.attrib)
    if _XLINK_HREF in attributes:
        attributes.setdefault("href", attributes[_XLINK_HREF])
    for name in attributes.get("class", "").split():
        attributes.update(rules.get(name, {}))
    attributes.update(_declared(attributes.get("style", "")))
    return {
        name: _plain(value)
        for name, value in attributes.items()
        if name not in _IGNORED and _DEFAULTS.get(name) != value and not name.startswith(_FOREIGN)
    }


def _plain(value: str) -> str:
    """Returns an attribute in plain SVG: a length in pixels as user units, `rgb(…)` as a colour."""
    if length := _LENGTH.fullmatch(value):
        return length[1]
    colour = _RGB.fullmatch(value)
    if not colour:
        return value
    levels = (float(text.rstrip("%")) * (2.55 if text.endswith("%") else 1) for text in colour.groups())
    return "#" + "".join(f"{min(255, round(level)):02x}" for level in levels)


class _Weight:
    """A count of the elements that are drawn once every `use` and every clip is followed."""

    def __init__(self, root: ET.Element) -> None:
        self._root = root
        self._by_id = {element.attrib["id"]: element for element in root.iter() if "id" in element.attrib}
        self._weights: dict[str, int] = {}

    def check(self) -> None:
        """Raises svg_parser.Fault for a drawing without measure, and for one that shows itself or another file."""
        weight = self._of(self._root, 0)
        if weight > MOST_DRAWN:
            raise svg_parser.Fault(
                f"it draws {weight:,} elements, more than {MOST_DRAWN:,}", "Simplify it.", self._root
            )

    def _of(self, element: ET.Element, depth: int) -> int:
        tag, href = svg_parser.tag_of(element), element.get("href", "")
        if tag == "image" or (href and not href.startswith("#")):
            raise svg_parser.Fault(f"<{tag}> would show another file", "Draw what it shows into this one.", element)
        if depth > _DEEPEST:
            raise svg_parser.Fault(f"elements are nested deeper than {_DEEPEST}", "Does a symbol use itself?", element)
        clip = _REFERENCE.fullmatch(element.get("clip-path", ""))
        weight = 1 + len(element.get("d", "") + element.get("points", "")) // _OUTLINE
        weight += self._referenced(href[1:], depth) + (self._referenced(clip[1], depth) if clip else 0)
        return weight + sum(self._of(child, depth + 1) for child in element)

    def _referenced(self, name: str, depth: int) -> int:
        target = self._by_id.get(name)
        if target is not None and name not in self._weights:
            self._weights[name] = self._of(target, depth + 1)
        return self._weights.get(name, 0)
