"""The display list: every shape at its exact place, in whole micrometres, y downwards.

All painters draw these shapes and nothing else, so no two outputs can disagree; their text form
(`paint.dump`) is the golden that tests compare and what hashes are taken over.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from carddb.units import Box, Size

Op = tuple[str, tuple[int, ...]]
"""One path segment in absolute micrometres: M x y, L x y, C x1 y1 x2 y2 x y, Z."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A line: width and dash in micrometres, caps and joins by their SVG names."""

    colour: str
    width: int
    cap: str = "butt"
    join: str = "miter"
    dash: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """A filled or stroked outline; colours are `#rrggbb`."""

    ops: tuple[Op, ...]
    fill: str | None = None
    stroke: Stroke | None = None
    evenodd: bool = False


@dataclass(frozen=True, slots=True)
class Run:
    """Characters of one font on one baseline.

    `x`, `y` the start of the baseline, `advances` one per character (kerning and tracking included, 0 for
    a combining mark), `size` the em, `angle` in degrees clockwise, `field` the card field it tells.
    """

    x: int
    y: int
    text: str
    font: str
    size: int
    advances: tuple[int, ...]
    colour: str = "#000000"
    angle: int = 0
    field: str = ""

    @property
    def width(self) -> int:
        return sum(self.advances)


@dataclass(frozen=True, slots=True)
class Picture:
    """An image by key (the SHA-256 of its bytes): `box` is where the whole image would lie, `clip` what shows of it."""

    key: str
    box: Box
    clip: Box
    angle: int = 0
    field: str = ""


@dataclass(frozen=True, slots=True)
class Group:
    """Shapes drawn together, clipped to an outline or see-through (`opacity` in thousandths)."""

    shapes: tuple[Shape, ...]
    clip: tuple[Op, ...] = ()
    evenodd: bool = False
    opacity: int = 1000


Shape = Path | Run | Picture | Group


@dataclass(frozen=True, slots=True)
class Face:
    """One side of a card or component: its trim size, its shapes, and what it is in words."""

    size: Size
    shapes: tuple[Shape, ...]
    title: str = ""
    fields: dict[str, str] = field(default_factory=dict, compare=False)


def rectangle(box: Box) -> tuple[Op, ...]:
    """The outline of a box."""
    return (
        ("M", (box.x, box.y)),
        ("L", (box.right, box.y)),
        ("L", (box.right, box.bottom)),
        ("L", (box.x, box.bottom)),
        ("Z", ()),
    )


def line(x1: int, y1: int, x2: int, y2: int, stroke: Stroke) -> Path:
    """A straight stroke."""
    return Path((("M", (x1, y1)), ("L", (x2, y2))), stroke=stroke)


def walk(shapes: tuple[Shape, ...]) -> list[Path | Run | Picture]:
    """Every shape that is not a group, in drawing order."""
    out: list[Path | Run | Picture] = []
    for shape in shapes:
        if isinstance(shape, Group):
            out.extend(walk(shape.shapes))
        else:
            out.append(shape)
    return out
