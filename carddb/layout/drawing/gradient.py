"""Gradients as fills: parsed from `linearGradient` and `radialGradient` elements, and their colour at a point."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterable, Mapping
from itertools import pairwise

from carddb.core.units import UM_PER_MM
from carddb.layout.colours import mixed
from carddb.layout.display_list import Gradient, Stop
from carddb.layout.drawing import path, svg_parser
from carddb.layout.drawing.path import Matrix, Segment
from carddb.layout.drawing.svg_parser import DrawingError

_MOST_REFERENCES = 10
"""The most gradients in a chain of which each inherits from the next by `href`."""
_LINEAR = {"x1": "0", "y1": "0", "x2": "1", "y2": "0"}
_RADIAL = {"cx": "0.5", "cy": "0.5", "r": "0.5", "fr": "0"}

Referenced = Callable[[str, ET.Element], ET.Element]
"""Returns the element with an id; raises DrawingError for the element that refers to it if there is none."""


def gradient_of(
    name: str, shape: ET.Element, segments: Iterable[Segment], matrix: Matrix, referenced: Referenced
) -> Gradient | str | None:
    """Returns the gradient with the id `name` that fills `segments`, which `matrix` transforms into micrometres.

    Returns a colour if the gradient has only one, and None if there is nothing to fill: the gradient has no stops, or
    the segments no area. Raises DrawingError for anything unsupported.
    """
    element = referenced(name, shape)
    tag = svg_parser.tag_of(element)
    if tag not in ("linearGradient", "radialGradient"):
        raise DrawingError(
            f"a <{tag}> cannot be a fill", "Use a colour or a gradient, or export the drawing as PNG.", shape
        )
    attributes, stops = _resolved(element, referenced)
    if len(stops) < 2:
        return stops[0].colour if stops and stops[0].opacity else None
    if attributes.get("gradientUnits") != "userSpaceOnUse":
        box = _bounds(segments)
        if box is None:
            return None
        matrix = path.multiply(matrix, box)
    elif tag == "linearGradient" and not attributes.keys() >= _LINEAR.keys():
        raise DrawingError("a gradient in userSpaceOnUse lacks x1, y1, x2 or y2", "Write all four attributes.", element)
    if "gradientTransform" in attributes:
        transform = svg_parser.value_of(path.parse_transform, attributes["gradientTransform"], element)
        matrix = path.multiply(matrix, transform)
    if tag == "linearGradient":
        line = tuple(_coordinate(attributes.get(key, value), attributes, element) for key, value in _LINEAR.items())
        is_empty = line[:2] == line[2:]
    else:
        cx, cy, r, fr = (_coordinate(attributes.get(key, value), attributes, element) for key, value in _RADIAL.items())
        fx, fy = (_coordinate(attributes.get(k, str(d)), attributes, element) for k, d in (("fx", cx), ("fy", cy)))
        if r > 0 and math.hypot(fx - cx, fy - cy) + fr > r:
            raise DrawingError("the focus of a gradient is outside its circle", "Move fx and fy inside.", element)
        line, is_empty = (fx, fy, fr, cx, cy, r), r <= 0
    if is_empty or not matrix[0] * matrix[3] - matrix[1] * matrix[2]:
        return stops[-1].colour
    return Gradient(line, matrix, stops)


def _resolved(element: ET.Element, referenced: Referenced) -> tuple[Mapping[str, str], tuple[Stop, ...]]:
    """Returns a gradient's attributes and stops, including those that it inherits from other gradients by `href`."""
    attributes: dict[str, str] = {}
    stops: tuple[Stop, ...] = ()
    for _ in range(_MOST_REFERENCES):
        svg_parser.check(element)
        attributes = {**element.attrib, **attributes}
        stops = stops or tuple(_stops(element))
        if "href" not in element.attrib:
            return attributes, stops
        element = referenced(element.attrib["href"].removeprefix("#"), element)
    raise DrawingError("a gradient refers to itself, or to too many others", "Remove its href.", element)


def _stops(element: ET.Element) -> Iterable[Stop]:
    least = 0.0
    for child in element:
        if svg_parser.tag_of(child) != "stop":
            continue
        svg_parser.check(child)
        least = min(1.0, max(least, _share(child.get("offset", "0"), child)))
        colour = svg_parser.colour_of(child.get("stop-color", "#000000"), child)
        opacity = _share(child.get("stop-opacity", "1"), child) if colour else 0.0
        yield Stop(round(least, 4), colour or "#000000", round(1000 * min(1.0, max(0.0, opacity))))


def _share(text: str, element: ET.Element) -> float:
    value = svg_parser.value_of(path.finite, text.strip().removesuffix("%"), element)
    return value / 100 if text.strip().endswith("%") else value


def _coordinate(text: str, attributes: Mapping[str, str], element: ET.Element) -> float:
    if text.strip().endswith("%") and attributes.get("gradientUnits") == "userSpaceOnUse":
        raise DrawingError(f"a gradient in userSpaceOnUse cannot have {text!r}", "Write a number without %.", element)
    return _share(text, element)


def _bounds(segments: Iterable[Segment]) -> Matrix | None:
    """Returns the matrix that maps the unit square onto the bounding box of an outline; None if the box has no area."""
    ops = path.place(tuple(segments), (UM_PER_MM, 0, 0, UM_PER_MM, 0, 0))
    points = [point for edge in path.edges(ops) for point in edge]
    if not points:
        return None
    (left, right), (top, bottom) = (
        (min(side) / UM_PER_MM, max(side) / UM_PER_MM) for side in zip(*points, strict=True)
    )
    if left == right or top == bottom:
        return None
    return (right - left, 0, 0, bottom - top, left, top)


def colour_at(gradient: Gradient, x: float, y: float) -> tuple[str, int]:
    """Returns the colour and the opacity (in thousandths) of a gradient at a point, given in micrometres."""
    px, py = gradient.own(x, y)
    if gradient.is_radial:
        fx, fy, fr, cx, cy, r = gradient.line
        # The circle through the point: |p - f - t (c - f)| = fr + t (r - fr), solved for its larger t.
        dx, dy, dr, qx, qy = cx - fx, cy - fy, r - fr, px - fx, py - fy
        square, half, rest = dx * dx + dy * dy - dr * dr, qx * dx + qy * dy + fr * dr, qx * qx + qy * qy - fr * fr
        roots = math.sqrt(max(0.0, half * half - square * rest))
        t = (half - roots) / square if square else rest / (2 * half) if half else 1.0
    else:
        x1, y1, x2, y2 = gradient.line
        t = ((px - x1) * (x2 - x1) + (py - y1) * (y2 - y1)) / ((x2 - x1) ** 2 + (y2 - y1) ** 2)
    t = min(1.0, max(0.0, t))
    steps = pairwise(gradient.padded())
    one, other = next((a, b) for a, b in steps if t <= b.offset and a.offset < b.offset)
    part = round(1000 * (t - one.offset) / (other.offset - one.offset))
    return mixed(other.colour, one.colour, part), one.opacity + (other.opacity - one.opacity) * part // 1000
