"""Operators in the making: nothing is set twice that is set already."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from carddb.layout.display_list import UNSEEN, Op, Path, Run, Stroke
from carddb.layout.path import direction
from carddb.paint.pdf_strings import StringEncoder
from carddb.paint.stream_parts import Piece, StreamParts

_LETTER = {"M": "m", "L": "l", "C": "c", "Z": "h"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


def number(value: float | Fraction) -> str:
    """A number as PDF and SVG write it: no exponent, six decimals, no idle zeros."""
    if isinstance(value, int):
        return str(value)
    text = f"{float(value):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class OperatorWriter:
    """Writes the operators of some shapes, and knows what colour, line and font are set."""

    def __init__(self, *, within: bool = False) -> None:
        """`within` other operators nothing is known of what they have set."""
        self._done: list[Piece] = []
        self._out: list[str] = []
        self._fill = ""
        self._ink = ""
        self._line = ""
        self._font = ("", 0)
        self._hand: tuple[StringEncoder, int, int, str] | None = None
        """In what the last words were set."""
        self._tracking = None if within else 0
        self._unseen = None if within else False
        self._turn = -1
        """The angle of the text that is open; -1 where none is."""
        self._x = self._y = 0

    def pieces(self) -> StreamParts:
        """All that was written."""
        self._end()
        return tuple(self._done)

    def add(self, pieces: StreamParts) -> None:
        """Operators that leave the graphics state as it was."""
        if pieces:
            self._end()
            self._done += pieces

    def _end(self) -> None:
        """Ends what is being written."""
        self._end_text()
        if self._out:
            self._done.append("".join(self._out))
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

    def run(self, run: Run, spelling: StringEncoder) -> None:
        """Shows words, each where its advances say."""
        x, y, words, colour, angle, _ = run
        size, tracking = words[0].size, words[0].tracking
        if size <= 0:
            return
        hand = (spelling, size, tracking, colour)
        if self._turn == angle == 0 and hand == self._hand:  # most lines go on as the one before
            self._out.append(f"{x - self._x} {self._y - y} Td [({spelling.string(words)})]TJ\n")
            self._x, self._y = x, y
            return
        self._hand = hand
        unseen = colour == UNSEEN
        if not unseen:
            self._colour(colour)
        self._move(x, y, angle)
        if unseen != self._unseen:
            self._unseen = unseen
            self._out.append("3 Tr " if unseen else "0 Tr ")
        if tracking != self._tracking:
            self._tracking = tracking
            self._out.append(f"{tracking} Tc ")
        font = (spelling.resource, size)
        if font != self._font:
            self._font = font
            self._out.append(f"{spelling.resource} {size} Tf")
        self._out.append(f"[({spelling.string(words)})]TJ\n")

    def _move(self, x: int, y: int, angle: int) -> None:
        """To a baseline: from the one before where that runs the same way, else anew."""
        if self._turn == angle == 0:
            self._out.append(f"{x - self._x} {self._y - y} Td ")
        else:
            if self._turn < 0:
                self._out.append("BT\n")
            if angle:
                across, down = (number(part) for part in direction(angle))
                up, back = (number(part) for part in direction(angle - 90))
                self._out.append(f"{across} {down} {up} {back} {x} {y} Tm ")
            else:
                self._out.append(f"1 0 0 -1 {x} {y} Tm ")
        self._turn, self._x, self._y = angle, x, y

    def _end_text(self) -> None:
        if self._turn >= 0:
            self._turn = -1
            self._out.append("ET\n")

    def _colour(self, colour: str) -> None:
        if colour != self._fill:
            self._fill = colour
            self._out.append(f"{_components(colour, 'g', 'rg')}\n")

    def _stroke(self, stroke: Stroke) -> None:
        if stroke.colour != self._ink:
            self._ink = stroke.colour
            self._out.append(f"{_components(stroke.colour, 'G', 'RG')}\n")
        dash = " ".join(map(str, stroke.dash))
        line = f"{stroke.width} w {_CAPS[stroke.cap]} J {_JOINS[stroke.join]} j [{dash}] 0 d\n"
        if line != self._line:
            self._line = line
            self._out.append(line)


def outline(ops: tuple[Op, ...]) -> str:
    """A path's segments as construction operators."""
    box = _rectangle(ops)
    if box:
        return f"{box} re\n"
    return "".join([f"{' '.join(map(str, points))} {_LETTER[letter]}\n" if points else "h\n" for letter, points in ops])


def _rectangle(ops: tuple[Op, ...]) -> str:
    """Corner, width and height of a path that goes right, down, left and is closed."""
    if [letter for letter, _ in ops] != ["M", "L", "L", "L", "Z"]:
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
