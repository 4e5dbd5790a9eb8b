"""The part of SVG that a face template may use. Anything else is an error that names the nearest supported thing."""

from __future__ import annotations

from carddb.core.names import did_you_mean
from carddb.layout.drawing import bleed

PAINT = frozenset(
    {
        "fill",
        "stroke",
        "stroke-width",
        "stroke-linecap",
        "stroke-linejoin",
        "stroke-dasharray",
        "fill-rule",
        "clip-rule",
    }
    | {"opacity", "clip-path", "font-family", "font-size", "font-weight", "font-style", "font-variant-numeric"}
    | {"text-anchor", "letter-spacing", "direction"}
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
    """What is wrong with an element, and the remedy; None where all of it is supported."""
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
