"""Display lists as PDF operators, in micrometres: the page's own matrix turns them into points.

Form XObjects hold what is seen through as a whole, and what a painter is asked to write once.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction

from carddb.layout.display import Group, Op, Path, Picture, Run, Shape, Stroke
from carddb.layout.fonts import FontBook
from carddb.paint.paper import Content, Glyphs, Paper
from carddb.paint.pictures import Album
from carddb.paint.subset import font_of, printable
from carddb.units import Box, Size

_LETTER = {"M": "m", "L": "l", "C": "c", "Z": "h"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}
_EVERYWHERE = Box(-1_000_000, -1_000_000, 4_000_000, 4_000_000)
_QUARTERS = {0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)}


def number(value: float | Fraction) -> str:
    """A number as PDF and SVG write it: no exponent, six decimals, no idle zeros."""
    if isinstance(value, int):
        return str(value)
    text = f"{float(value):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def direction(angle: int) -> tuple[float, float]:
    """Where a line turned clockwise by `angle` degrees runs to; exact for quarter turns."""
    turned = angle % 360
    if turned in _QUARTERS:
        return _QUARTERS[turned]
    return math.cos(math.radians(turned)), math.sin(math.radians(turned))


def page_matrix(size: Size) -> str:
    """From micrometres, y downwards, to points, y upwards."""
    return f"0.0028346457 0 0 -0.0028346457 0 {number(Fraction(size.height * 72, 25400))} cm 4 M\n"


class Painter:
    """Turns shapes into operators for one PDF; fonts and pictures are put into it when first drawn.

    `characters` says what each variable font must hold. Raises FontError and InputError for what cannot be embedded.
    """

    def __init__(
        self, paper: Paper, book: FontBook, images: Mapping[str, bytes], characters: Mapping[str, set[str]]
    ) -> None:
        self._paper = paper
        self._book = book
        self._album = images if isinstance(images, Album) else Album(images, strict=True)
        self._characters = characters
        self._glyphs: dict[str, Glyphs] = {}
        self._names: dict[str, str] = {}

    def shapes(self, shapes: tuple[Shape, ...]) -> Content:
        """The operators of some shapes, leaving the graphics state as it was."""
        names: set[str] = set()
        pen = _Pen()
        self._draw(shapes, pen, names)
        return Content("q\n" + "".join(pen.out) + "Q\n" if pen.out else "", frozenset(names))

    def once(self, content: Content, *, blended: bool = False) -> Content:
        """The same drawing as a form XObject: written once, however often it is drawn."""
        if not content.code:
            return content
        digest = hashlib.sha256(content.code.encode("latin-1")).hexdigest()
        key = f"{'blended' if blended else 'plain'} {digest}"
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = f"X{len(self._names)}"
            self._paper.form(name, content, _EVERYWHERE, blended=blended)
        return Content(f"/{name} Do\n", frozenset({name}))

    def _draw(self, shapes: tuple[Shape, ...], pen: _Pen, names: set[str]) -> None:
        for shape in shapes:
            if isinstance(shape, Path):
                pen.path(shape)
            elif isinstance(shape, Run):
                self._run(shape, pen)
            elif isinstance(shape, Picture):
                self._picture(shape, pen, names)
            else:
                self._group(shape, pen, names)

    def _run(self, run: Run, pen: _Pen) -> None:
        if not run.text or run.size <= 0:
            return
        pen.fill(run.colour)
        across, down = (number(part) for part in direction(run.angle))
        up, back = (number(part) for part in direction(run.angle - 90))
        matrix = f"{across} {down} {up} {back} {run.x} {run.y} Tm"
        pen.out.append(f"BT {matrix}\n{self._shown(run)}ET\n")

    def _shown(self, run: Run) -> str:
        """Text as typed, each character where its advance says: the difference to the font's own goes between them."""
        glyphs = self._font(run.font)
        known = [glyphs[char] for char in run.text]
        spacing = _spacing(run, [glyph.width for glyph in known])
        lines = [f"{spacing} Tc\n" if spacing else ""]
        array: list[str] = []
        literal: list[str] = []
        resource = ""
        drift = 0.0
        for glyph, advance in zip(known, run.advances, strict=True):
            step = round(drift)
            if glyph.resource != resource or step:
                if literal:
                    array.append(f"({''.join(literal)})")
                    literal.clear()
                if glyph.resource != resource:
                    if array:
                        lines.append(f"[{''.join(array)}] TJ\n")
                        array.clear()
                    resource = glyph.resource
                    lines.append(f"{resource} {run.size} Tf ")
                if step:
                    array.append(str(step))
                    drift -= step
            literal.append(glyph.code)
            drift += glyph.width - (advance - spacing) * 1000 / run.size
        lines.append(f"[{''.join(array)}({''.join(literal)})] TJ\n{'0 Tc ' if spacing else ''}")
        return "".join(lines)

    def _font(self, key: str) -> Glyphs:
        glyphs = self._glyphs.get(key)
        if glyphs is None:
            font = font_of(self._book.fonts, key)
            glyphs = self._glyphs[key] = self._paper.font(key, printable(font, self._characters.get(key, ())))
        return glyphs

    def _picture(self, picture: Picture, pen: _Pen, names: set[str]) -> None:
        use = self._album.use(picture)
        if use is None:
            return
        name = f"I{use.number}"
        if use.bitmap:
            self._paper.picture(name, use.bitmap)
        names.add(name)
        clip = picture.clip
        window = "" if clip.contains(picture.box) else f"{clip.x} {clip.y} {clip.width} {clip.height} re W n\n"
        pen.out.append(f"q\n{window}{picture_matrix(use.box, picture.angle)} cm /{name} Do\nQ\n")

    def _group(self, group: Group, pen: _Pen, names: set[str]) -> None:
        inner = self._veiled(group, names) if group.opacity < 1000 else self._plain(group, names)
        if inner:
            window = f"{outline(group.clip)}{'W*' if group.evenodd else 'W'} n\n" if group.clip else ""
            pen.out.append(f"q\n{window}{inner}Q\n")

    def _plain(self, group: Group, names: set[str]) -> str:
        inner = _Pen()
        self._draw(group.shapes, inner, names)
        return "".join(inner.out)

    def _veiled(self, group: Group, names: set[str]) -> str:
        """A group seen through as a whole, so that its shapes do not shine through each other."""
        state = self._paper.opacity(max(0, group.opacity))
        content = self.once(self.shapes(group.shapes), blended=True)
        names.update(content.names)
        return f"{state} gs {content.code}" if content.code else ""


class _Pen:
    """Operators in the making, and what colour and line are set, so that nothing is set twice."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self._fill = ""
        self._ink = ""
        self._line = ""

    def path(self, path: Path) -> None:
        if not path.ops or (path.fill is None and path.stroke is None):
            return
        if path.fill is not None:
            self.fill(path.fill)
        if path.stroke is not None:
            self._stroke(path.stroke)
        paint = "S" if path.fill is None else ("f" if path.stroke is None else "B") + ("*" if path.evenodd else "")
        self.out.append(f"{outline(path.ops)}{paint}\n")

    def fill(self, colour: str) -> None:
        if colour != self._fill:
            self._fill = colour
            self.out.append(f"{_colour(colour, 'g', 'rg')}\n")

    def _stroke(self, stroke: Stroke) -> None:
        if stroke.colour != self._ink:
            self._ink = stroke.colour
            self.out.append(f"{_colour(stroke.colour, 'G', 'RG')}\n")
        dash = " ".join(map(str, stroke.dash))
        line = f"{stroke.width} w {_CAPS[stroke.cap]} J {_JOINS[stroke.join]} j [{dash}] 0 d\n"
        if line != self._line:
            self._line = line
            self.out.append(line)


def _spacing(run: Run, widths: Sequence[float]) -> int:
    """The tracking of a run, in micrometres, 0 where it is slight.

    Written as character spacing, readers know it from the gaps between words; as adjustments they would not.
    """
    spare = sum(run.advances) - sum(widths) * run.size / 1000
    if spare * 25 < run.size * len(widths):
        return 0
    extras = Counter(
        round(advance - width * run.size / 1000) for advance, width in zip(run.advances, widths, strict=True)
    )
    return extras.most_common(1)[0][0]


def outline(ops: tuple[Op, ...]) -> str:
    """A path's segments as construction operators."""
    return "".join(f"{' '.join(map(str, points))} {_LETTER[letter]}\n" if points else "h\n" for letter, points in ops)


def picture_matrix(box: Box, angle: int) -> str:
    """The unit square, turned clockwise by quarters, into a box; other angles turn the box round its centre."""
    quarter = round(angle / 90) * 90
    x, y, w, h = box.x, box.y, box.width, box.height
    matrix = {
        0: (w, 0, 0, -h, x, y + h),
        90: (0, h, w, 0, x, y),
        180: (-w, 0, 0, h, x + w, y),
        270: (0, -h, -w, 0, x + w, y + h),
    }[quarter % 360]
    rest = angle - quarter
    placed = " ".join(map(number, matrix))
    if not rest:
        return placed
    cos, sin = direction(rest)
    mx, my = x + w / 2, y + h / 2
    turn = (cos, sin, -sin, cos, mx - cos * mx + sin * my, my - sin * mx - cos * my)
    return f"{' '.join(map(number, turn))} cm {placed}"


def _colour(colour: str, grey: str, rgb: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    if red == green == blue:
        return f"{_level(red)} {grey}"
    return f"{_level(red)} {_level(green)} {_level(blue)} {rgb}"


def _level(value: int) -> str:
    return f"{value / 255:.3f}".rstrip("0").rstrip(".")
