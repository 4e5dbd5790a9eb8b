"""Shapes as PDF operators; nothing is set that is set already."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from carddb.layout.display_list import UNSEEN, Cluster, Op, Path, Run, Stroke, Word
from carddb.layout.drawing.path import direction
from carddb.layout.text.bidi import is_right_to_left
from carddb.paint.pdf.content_stream import GlyphText, StreamItem, StreamItems
from carddb.paint.pdf.strings import StringEncoder

_SEGMENT = {"M": "%d %d m\n", "L": "%d %d l\n", "C": "%d %d %d %d %d %d c\n", "Z": "h\n"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


def number(value: float | Fraction) -> str:
    """A number as PDF and SVG write it: no exponent, six decimals, no idle zeros."""
    if isinstance(value, int):
        return str(value)
    text = f"{float(value):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class OperatorWriter:
    """Writes the operators of some shapes, and keeps track of the colour, line and font that are set."""

    def __init__(self, *, within: bool = False) -> None:
        """`within` other operators it is not known what those have set."""
        self._items: list[StreamItem] = []
        self._out: list[str] = []
        self._fill = ""
        self._stroke_colour = ""
        self._line_style = ""
        self._font = ("", 0)
        self._last_style: tuple[StringEncoder, int, int, str] | None = None
        """Encoder, size, tracking and colour of the last words."""
        self._tracking = None if within else 0
        self._invisible = None if within else False
        self._text_angle = -1
        """The angle of the text object that is open; -1 where none is."""
        self._x = self._y = 0

    def items(self) -> StreamItems:
        """Everything written so far."""
        self._end()
        return tuple(self._items)

    def add(self, items: StreamItems) -> None:
        """Operators that leave the graphics state as it was."""
        if items:
            self._end()
            self._items += items

    def _end(self) -> None:
        """Ends the text object and the item that are being written."""
        self._end_text()
        if self._out:
            self._items.append("".join(self._out))
            self._out = []

    def path(self, path: Path) -> None:
        """Fills and strokes an outline."""
        if not path.ops or (path.fill is None and path.stroke is None):
            return
        self._end_text()
        if path.fill is not None:
            self._colour(path.fill)
        if path.stroke is not None:
            self._stroke(path.stroke)
        paint = "S" if path.fill is None else ("f" if path.stroke is None else "B") + ("*" if path.evenodd else "")
        self._out.append(f"{outline(path.ops)}{paint}\n")

    def run(self, run: Run, encoder: StringEncoder) -> None:
        """Shows words, each where its advances say."""
        x, y, words, colour, angle, _ = run
        size, tracking = words[0].size, words[0].tracking
        if size <= 0:
            return
        style = (encoder, size, tracking, colour)
        if self._text_angle == angle == 0 and style == self._last_style:  # most lines are set as the one before
            self._out.append(f"{x - self._x} {self._y - y} Td [({encoder.string(words)})]TJ\n")
            self._x, self._y = x, y
            return
        self._last_style = style
        invisible = colour == UNSEEN
        if not invisible:
            self._colour(colour)
        self._move_to(x, y, angle)
        if invisible != self._invisible:
            self._invisible = invisible
            self._out.append("3 Tr " if invisible else "0 Tr ")
        if tracking != self._tracking:
            self._tracking = tracking
            self._out.append(f"{tracking} Tc ")
        font = (encoder.resource, size)
        if font != self._font:
            self._font = font
            self._out.append(f"{encoder.resource} {size} Tf")
        self._out.append(f"[({encoder.string(words)})]TJ\n")

    def glyphs(self, run: Run, font: str) -> None:
        """Shows the glyphs of words in a font of that name, whatever text was shown before."""
        x, y, words, colour, angle, _ = run
        if words[0].size <= 0:
            return
        if colour != UNSEEN:
            self._end_text()
            self._colour(colour)
        clusters = [cluster for word in words for cluster in _as_they_stand(word)]
        self.add((GlyphText(_baseline(x, y, angle), colour == UNSEEN, font, words[0].size, tuple(clusters)),))

    def _move_to(self, x: int, y: int, angle: int) -> None:
        """To a baseline: from the one before where that runs the same way, else anew."""
        if self._text_angle == angle == 0:
            self._out.append(f"{x - self._x} {self._y - y} Td ")
        else:
            if self._text_angle < 0:
                self._out.append("BT\n")
            self._out.append(f"{_baseline(x, y, angle)} Tm ")
        self._text_angle, self._x, self._y = angle, x, y

    def _end_text(self) -> None:
        if self._text_angle >= 0:
            self._text_angle = -1
            self._out.append("ET\n")

    def _colour(self, colour: str) -> None:
        if colour != self._fill:
            self._fill = colour
            self._out.append(f"{_components(colour, 'g', 'rg')}\n")

    def _stroke(self, stroke: Stroke) -> None:
        if stroke.colour != self._stroke_colour:
            self._stroke_colour = stroke.colour
            self._out.append(f"{_components(stroke.colour, 'G', 'RG')}\n")
        dash = " ".join(map(str, stroke.dash))
        line = f"{stroke.width} w {_CAPS[stroke.cap]} J {_JOINS[stroke.join]} j [{dash}] 0 d\n"
        if line != self._line_style:
            self._line_style = line
            self._out.append(line)


def _baseline(x: int, y: int, angle: int) -> str:
    """The matrix that leads to a baseline, y upwards from it."""
    if not angle:
        return f"1 0 0 -1 {x} {y}"
    across, down = (number(part) for part in direction(angle))
    up, back = (number(part) for part in direction(angle - 90))
    return f"{across} {down} {up} {back} {x} {y}"


def _as_they_stand(word: Word) -> Iterator[Cluster]:
    """The clusters of a word, each with its characters from left to right too."""
    backward = any(map(is_right_to_left, word.text))
    for cluster in word.clusters():
        yield cluster._replace(text=cluster.text[::-1]) if backward else cluster


def outline(ops: tuple[Op, ...]) -> str:
    """A path's segments as construction operators."""
    box = _rectangle(ops)
    if box:
        return f"{box} re\n"
    return "".join([_SEGMENT[letter] % points for letter, points in ops])


def _rectangle(ops: tuple[Op, ...]) -> str:
    """Corner, width and height of a path that goes right, down, left and is closed."""
    if len(ops) != 5 or [letter for letter, _ in ops] != ["M", "L", "L", "L", "Z"]:
        return ""
    (left, top), (right, level), (far, bottom), (near, low) = (points for _, points in ops[:4])
    if (level, far, near, low) != (top, right, left, bottom):
        return ""
    return f"{left} {top} {right - left} {bottom - top}"


@lru_cache(maxsize=1024)
def _components(colour: str, grey: str, rgb: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    if red == green == blue:
        return f"{_level(red)} {grey}"
    return f"{_level(red)} {_level(green)} {_level(blue)} {rgb}"


def _level(value: int) -> str:
    return f"{value / 255:.3f}".rstrip("0").rstrip(".")
