"""Pictures on faces: what the name of one stands for, how it lies in its box, whether it is fine enough."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from carddb.core.units import UM_PER_INCH, Box
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
"""What the name of a picture stands for."""


def spread(art: Art | Vector, clip: Box, focus: Sequence[float]) -> Box:
    """Where the whole picture lies when it fills `clip`; `focus`, 0 to 1 across and down, stays in sight."""
    grow = max(clip.width / art.width, clip.height / art.height)
    width, height = round(art.width * grow), round(art.height * grow)
    across, down = (min(1.0, max(0.0, part)) for part in (focus[0], focus[-1]))
    return Box(
        clip.x - round((width - clip.width) * across), clip.y - round((height - clip.height) * down), width, height
    )


def coarse(art: Art, box: Box, field: str, name: str) -> list[Note]:
    """A note where the pixels are too few for the size they are printed at."""
    per_inch = round(art.width * UM_PER_INCH / max(1, box.width))
    if per_inch >= SHARP:
        return []
    return [Note("art_low_resolution", field, name, {"picture": name, "per_inch": per_inch, "least": SHARP})]
