"""Shapes, texts and faces as PDF operators in micrometres; a setting that is already in effect is not written again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache, lru_cache, reduce
from operator import or_

from carddb.core.units import Size
from carddb.layout.colours import channels
from carddb.layout.display_list import (
    OPAQUE,
    UNSEEN,
    Cluster,
    Face,
    Group,
    Op,
    Path,
    PlacedImage,
    Run,
    Shape,
    Stroke,
    Word,
)
from carddb.layout.drawing.path import direction
from carddb.layout.prepress import BLACK, HAIRLINE, OVER_INKS, InkSpace
from carddb.layout.text.bidi import is_right_to_left
from carddb.layout.text.fonts import Font, FontBook
from carddb.paint.font_subset import font_of
from carddb.paint.pdf.content_stream import (
    ContentStream,
    GlyphText,
    GradientFill,
    Letters,
    StreamItem,
    StreamItems,
    TransparentGroup,
)

ESCAPED = {"\\": "\\\\", "(": "\\(", ")": "\\)"}
UNKNOWN = "\0"
"""The code of the glyph for characters that the font lacks."""
_MOST_CACHED = 50_000
"""The most words whose strings are cached; after that, the cache is cleared."""


class StringEncoder:
    """Encodes the words of one font; each word is encoded once."""

    def __init__(self, font: Font) -> None:
        self.font = font
        self.resource = f"/{font.name}+0"
        self._character = cache(self._character_of)
        self._words: dict[Word, tuple[str, int]] = {}

    def string(self, words: Sequence[Word]) -> str:
        """Returns words as they are written in the operator TJ, without the ends: `H)-20(ello` for `[(H)-20(ello)]TJ`.

        The numbers between characters are the differences between the font's advances and those of the words.
        """
        return "".join([self._encoded(word)[0] for word in words])

    def letters(self, words: Sequence[Word]) -> int:
        """Returns the ASCII characters in the words as bits of an integer."""
        return reduce(or_, [self._encoded(word)[1] for word in words], 0)

    def _encoded(self, word: Word) -> tuple[str, int]:
        """Returns, for one word, its string and its ASCII characters, as `string` and `letters` do for several."""
        if encoded := self._words.get(word):
            return encoded
        if len(self._words) >= _MOST_CACHED:
            self._words.clear()
        out = []
        letters = 0
        drift = 0.0
        scale = 1000 / word.size
        for char, advance in zip(word.text, word.advances, strict=True):
            code, width, bit = self._character(char)
            letters |= bit
            step = round(drift)
            drift += width - step - (advance - word.tracking) * scale
            out.append(f"){step}({code}" if step else code)
        if rest := round(drift):
            out.append(f"){rest}(")
        encoded = self._words[word] = "".join(out), letters
        return encoded

    def _character_of(self, char: str) -> tuple[str, int, int]:
        """Returns a character as it is written, its advance in thousandths of the em, and its bit (0 if not ASCII)."""
        code = char if self.font.has(char) else UNKNOWN
        bit = 1 << ord(code) if code.isascii() else 0
        return ESCAPED.get(code, code), self.font.thousandths(char), bit


_SEGMENT = {"M": "%d %d m\n", "L": "%d %d l\n", "C": "%d %d %d %d %d %d c\n", "Z": "h\n"}
_CAPS = {"butt": 0, "round": 1, "square": 2}
_JOINS = {"miter": 0, "round": 1, "bevel": 2}


def number(value: float | Fraction) -> str:
    """Returns a number in the syntax of PDF and SVG: at most six decimals, no exponent, and no trailing zeros."""
    if isinstance(value, int):
        return str(value)
    text = f"{float(value):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class OperatorWriter:
    """Writes the operators of shapes, and keeps track of the current colour, line style and font.

    With `inks`, colours are written as CMYK, and if black `overprints`, black words and hairlines leave the colours
    under them on their plates.
    """

    def __init__(self, *, within: bool = False, inks: InkSpace | None = None, overprints: bool = False) -> None:
        """Begins in the initial graphics state or, `within` other operators, in an unknown state."""
        self._inks = inks
        self._black_overprints = overprints
        self._overprint = None if within and inks else False
        self._items: list[StreamItem] = []
        self._out: list[str] = []
        self._fill = ""
        self._stroke_colour = ""
        self._line_style = ""
        self._font = ("", 0)
        self._last_style: tuple[StringEncoder, int, int, str] | None = None
        """The encoder, size, tracking and colour of the last run."""
        self._tracking = None if within else 0
        self._invisible = None if within else False
        self._text_angle = -1
        """The angle of the open text object, or -1 if none is open."""
        self._x = self._y = 0

    def items(self) -> StreamItems:
        """Returns all operators and pictures that were written so far."""
        self._end()
        return tuple(self._items)

    def add(self, items: StreamItems) -> None:
        """Adds operators that end in the graphics state in which they begin."""
        if items:
            self._end()
            self._items += items

    def _end(self) -> None:
        """Ends the current text object, and the item in which operators are collected."""
        self._end_text()
        if self._out:
            self._items.append("".join(self._out))
            self._out = []

    def path(self, path: Path) -> None:
        """Fills and strokes an outline."""
        if not path.ops or (path.fill is None and path.stroke is None):
            return
        if path.fill is not None and path.gradient:
            window = f"{outline(path.ops)}{'W*' if path.evenodd else 'W'} n\n"
            self.add((GradientFill(window, path.gradient),))
            self.path(path._replace(fill=None, gradient=None))
            return
        self._end_text()
        if path.fill is not None:
            self._colour(path.fill)
        if path.stroke is not None:
            self._stroke(path.stroke)
        if self._inks:
            line = path.stroke if path.fill is None else None
            self._overprinted(path.fill or (line and line.colour) or "", bool(line and line.width <= HAIRLINE))
        paint = "S" if path.fill is None else ("f" if path.stroke is None else "B") + ("*" if path.evenodd else "")
        self._out.append(f"{outline(path.ops)}{paint}\n")

    def run(self, run: Run, encoder: StringEncoder) -> None:
        """Shows a run that needs no shaping; its words are encoded by `encoder`, and placed by their advances."""
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
            self._colour(colour, fine=True)
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
        """Shows the glyphs of a run in the font called `font`, independently of the text shown before."""
        x, y, words, colour, angle, _ = run
        if words[0].size <= 0:
            return
        if colour != UNSEEN:
            self._end_text()
            self._colour(colour, fine=True)
        clusters: list[Cluster] = []
        for word in words:
            backward = any(map(is_right_to_left, word.text))  # then reverse its characters into visual order
            clusters += [c._replace(text=c.text[::-1]) if backward else c for c in word.clusters()]
        self.add((GlyphText(_baseline(x, y, angle), colour == UNSEEN, font, words[0].size, tuple(clusters)),))

    def _move_to(self, x: int, y: int, angle: int) -> None:
        """Moves to a baseline: relative to the previous one if both are horizontal, else by a new matrix."""
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

    def _colour(self, colour: str, *, fine: bool = False) -> None:
        code = colour_code(colour, self._inks, fine=fine)
        if code != self._fill:
            self._fill = code
            self._out.append(f"{code}\n")
        if fine and self._inks:
            self._overprinted(colour, fine)

    def _overprinted(self, colour: str, fine: bool) -> None:
        """Selects whether a colour leaves the other plates as they are; `fine` shapes are words and hairlines."""
        assert self._inks
        black = fine and self._black_overprints and self._inks.ink(colour, fine=True) == BLACK
        overprint = self._inks.spots[colour] in OVER_INKS if colour in self._inks.spots else black
        if overprint != self._overprint:
            self._overprint = overprint
            self._out.append(f"/{OVERPRINT if overprint else KNOCKOUT} gs\n")

    def _stroke(self, stroke: Stroke) -> None:
        code = colour_code(stroke.colour, self._inks, fine=stroke.width <= HAIRLINE, stroke=True)
        if code != self._stroke_colour:
            self._stroke_colour = code
            self._out.append(f"{code}\n")
        dash = " ".join(map(str, stroke.dash))
        line = f"{stroke.width} w {_CAPS[stroke.cap]} J {_JOINS[stroke.join]} j [{dash}] 0 d\n"
        if line != self._line_style:
            self._line_style = line
            self._out.append(line)


def _baseline(x: int, y: int, angle: int) -> str:
    """Returns the matrix that moves the origin to the start of a baseline, with y upwards from it."""
    if not angle:
        return f"1 0 0 -1 {x} {y}"
    across, down = (number(part) for part in direction(angle))
    up, back = (number(part) for part in direction(angle - 90))
    return f"{across} {down} {up} {back} {x} {y}"


def outline(ops: tuple[Op, ...]) -> str:
    """Returns the segments of a path as path construction operators."""
    if len(ops) == 5 and [letter for letter, _ in ops] == ["M", "L", "L", "L", "Z"]:
        (left, top), (right, level), (far, bottom), (near, low) = (points for _, points in ops[:4])
        if (level, far, near, low) == (top, right, left, bottom):
            return f"{left} {top} {right - left} {bottom - top} re\n"
    return "".join([_SEGMENT[letter] % points for letter, points in ops])


def clipped(stream: ContentStream, window: tuple[Op, ...]) -> ContentStream:
    """Returns the content stream of a face, clipped to the outline `window`."""
    return stream._replace(items=(f"q {outline(window)}W n\n", *stream.items, "Q\n"))


OVERPRINT, KNOCKOUT = "Over", "Knock"
"""The names of the graphics states in which colours leave those under them on the other plates, or replace them."""


@lru_cache(maxsize=4096)
def colour_code(colour: str, inks: InkSpace | None = None, *, fine: bool = False, stroke: bool = False) -> str:
    """Returns the operator that selects a colour for filling or for lines (`stroke`): RGB, grey, CMYK or a plate."""
    if inks and colour in inks.spots:
        return f"/{inks.spots[colour]} {'CS 1 SCN' if stroke else 'cs 1 scn'}"
    if inks:
        amounts = " ".join(number(Fraction(amount, 1000)) for amount in inks.ink(colour, fine=fine))
        return f"{amounts} {'K' if stroke else 'k'}"
    red, green, blue = channels(colour)
    if red == green == blue:
        return f"{_level(red)} {'G' if stroke else 'g'}"
    return f"{_level(red)} {_level(green)} {_level(blue)} {'RG' if stroke else 'rg'}"


def _level(value: int) -> str:
    return f"{value / 255:.3f}".rstrip("0").rstrip(".")


_Operators = tuple[StreamItems, Letters]
"""The operators of shapes, and the ASCII characters that they show, by font."""
_NOTHING: _Operators = ((), {})
_HEAVY = 1_000
"""The number of bytes of operators from which a shared icon is a separate item, which a file contains only once."""


class StreamBuilder:
    """Builds the content streams of faces, with the fonts of a book, in RGB or with the `inks` of a press."""

    def __init__(self, book: FontBook, inks: InkSpace | None = None) -> None:
        self._inks = inks
        self._overprints = False
        self._encoder = cache(lambda key: StringEncoder(font_of(book.fonts, key)))
        self._signs: dict[tuple[int, bool], tuple[Group, StreamItems]] = {}
        """`{(id of a shared icon, whether black overprints): (the icon, its operators, none if these are short)}`."""

    def face(self, face: Face) -> ContentStream:
        """Returns the content stream of a face. Raises FontError for a font that cannot be embedded."""
        return self.stream(face.size, face.shapes)

    def stream(self, size: Size, shapes: tuple[Shape, ...]) -> ContentStream:
        """Returns the content stream of shapes. Raises FontError for a font that cannot be embedded."""
        self._overprints = self._inks is not None and self._inks.overprints(shapes)
        return ContentStream(size, *self._operators(shapes, within=False))

    def _operators(self, shapes: tuple[Shape, ...], *, within: bool) -> _Operators:
        """Returns the operators of shapes; if `within` other operators, the current graphics state is unknown."""
        writer = OperatorWriter(within=within, inks=self._inks, overprints=self._overprints)
        words: dict[str, list[Word]] = {}
        groups: list[Letters] = []
        self._write(shapes, writer, words, groups)
        items = writer.items()
        if not items:
            return _NOTHING
        own = {key: self._encoder(key).letters(some) for key, some in words.items()}
        return ("q\n", *items, "Q\n"), _merged([own, *groups]) if groups else own

    def _write(
        self, shapes: tuple[Shape, ...], writer: OperatorWriter, words: dict[str, list[Word]], groups: list[Letters]
    ) -> None:
        """Writes shapes; adds to `words` those shown, by font, and to `groups` the characters that each group shows."""
        for shape in shapes:
            if type(shape) is Run:
                first = shape.words[0]
                key = first.font
                encoder = self._encoder(key)
                shown = words.setdefault(key, [])
                if first.glyphs:
                    writer.glyphs(shape, encoder.font.name)
                else:
                    writer.run(shape, encoder)
                    shown += shape.words
            elif type(shape) is Group:
                if shape.shared and (sign := self._sign(shape)):
                    writer.add(sign)
                    continue
                if shape.is_plain:
                    self._write(shape.shapes, writer, words, groups)
                    continue
                items, letters = self._group(shape)
                writer.add(items)
                if letters:
                    groups.append(letters)
            elif type(shape) is Path:
                writer.path(shape)
            elif type(shape) is PlacedImage:
                writer.add((shape,))

    def _sign(self, group: Group) -> StreamItems:
        """Returns the operators of a shared icon, which has no text; nothing if they are too short to be shared."""
        key = id(group), self._overprints
        known = self._signs.get(key)
        if known is None:
            items, _ = self._operators(group.shapes, within=True)
            is_heavy = sum(len(item) for item in items if isinstance(item, str)) >= _HEAVY
            known = self._signs[key] = group, (TransparentGroup(items, OPAQUE),) if is_heavy else ()
        return known[1]

    def _group(self, group: Group) -> _Operators:
        inner, letters = self._operators(group.shapes, within=True)
        if not inner:
            return _NOTHING
        if group.opacity < OPAQUE:
            inner = (TransparentGroup(inner, max(0, group.opacity)),)
        window = f"{outline(group.clip)}{'W*' if group.evenodd else 'W'} n\n" if group.clip else ""
        return (f"q\n{window}", *inner, "Q\n"), letters


def _merged(several: Iterable[Letters]) -> Letters:
    """Returns the union, by font, of several sets of ASCII characters."""
    merged: dict[str, int] = {}
    for letters in several:
        for key, characters in letters.items():
            merged[key] = merged.get(key, 0) | characters
    return merged
