"""Fonts as values: the characters of a font, their advances, and the style of its digits."""

from __future__ import annotations

import hashlib
import string
import struct
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import groupby
from types import MappingProxyType
from typing import Any, NamedTuple

import uharfbuzz as hb

from carddb.core.errors import FontError
from carddb.core.groups import grouped
from carddb.game.parts import FontStyle, font_style
from carddb.layout.text.scripts import script

_FEATURES = {"kern": True, "liga": False, "clig": False, "dlig": False, "calt": False, "rlig": False, "ccmp": False}


class ShapedGlyph(NamedTuple):
    """A glyph with its advance and its offset right and up, in ems, and the index of the first character it shows."""

    id: int
    advance: float
    dx: float
    dy: float
    cluster: int


class FontFile:
    """The file of a font, which all styles in it share; it is read when first needed.

    `blob` passes the file to HarfBuzz without copying its bytes, which are 10 MB for a Japanese font.
    """

    def __init__(self, read: Callable[[], bytes], blob: Callable[[], hb.Blob] | None = None) -> None:
        self._read = read
        self._blob = blob

    @cached_property
    def data(self) -> bytes:
        """The bytes of the file, which stay in memory."""
        return self._read()

    def face(self) -> hb.Face:
        """Returns the font as a HarfBuzz face, which shows a variable font's default style."""
        return hb.Face(self._blob() if self._blob else self.data)

    @cached_property
    def signature(self) -> bytes:
        """The first four bytes, which identify the file format."""
        return bytes(self.face().blob.data[:4]) if self._blob else self.data[:4]

    @cached_property
    def characters(self) -> frozenset[int]:
        """The code points for which the font has a glyph, which are the same for all variations."""
        return frozenset(self.face().unicodes)

    def digest(self, more: bytes) -> bytes:
        """Returns the SHA-256, in hex, of the file's bytes followed by `more`."""
        digest = self._digest.copy()
        digest.update(more)
        return digest.digest()

    @cached_property
    def _digest(self) -> hashlib._Hash:
        return hashlib.sha256(self._read() if self._blob else self.data)


class Font:
    """One style of a family.

    `key` is family and style (`Cardo 700`, `Alegreya Sans 400 italic`), `file` the TrueType bytes or the file that
    contains them, `variations` the axis values of a variable font, and `tabular` the same style with digits of equal
    width.
    """

    def __init__(
        self,
        key: str,
        family: str,
        style: str,
        file: bytes | FontFile,
        variations: Mapping[str, float] = MappingProxyType({}),
        tabular: Font | None = None,
    ) -> None:
        self.key = key
        self.family = family
        self.style = style
        self.weight, self.italic = font_style(style) or FontStyle()
        self.variations = variations
        self._tabular = tabular
        self.file = FontFile(lambda: file) if isinstance(file, bytes) else file
        self.thousandths = cache(self._thousandths_of)
        self.outline = cache(self._outline_of)

    @cached_property
    def name(self) -> str:
        """A short name for the font's appearance, which is the same in every job for the same file and variations."""
        digest = self.file.digest(repr(sorted(self.variations.items())).encode())
        return f"F{int.from_bytes(digest[:4])}"

    @cached_property
    def for_columns(self) -> Font:
        """The variant with digits of equal width; this font itself if it has no such variant, or is the variant."""
        return self._tabular if self._tabular and self._tabular.name != self.name else self

    @property
    def styles(self) -> tuple[Font, ...]:
        """This font, and its variant with digits of equal width if there is one."""
        return (self, self._tabular) if self._tabular else (self,)

    @cached_property
    def _hb(self) -> tuple[Any, int]:
        face = self.file.face()
        font = hb.Font(face)
        if self.variations:
            font.set_variations(dict(self.variations))
        return font, face.upem

    @cached_property
    def characters(self) -> frozenset[int]:
        """The code points for which the font has a glyph."""
        return self.file.characters

    @cached_property
    def plain(self) -> bool:
        """True if the font has all printable ASCII characters."""
        return self.characters.issuperset(range(0x20, 0x7F))

    @cached_property
    def blank(self) -> int:
        """The advance of the glyph for missing characters, in thousandths of the em."""
        return self.glyph_thousandths(0)

    def has(self, char: str) -> bool:
        """Returns whether the font has a glyph for `char`; False for control characters."""
        return char >= " " and char != "\x7f" and ord(char) in self.characters

    def _thousandths_of(self, char: str) -> int:
        """Returns the advance of `char` in thousandths of the em, or that of the glyph for missing characters."""
        return round(self.advances(char)[0] * 1000) if self.has(char) else self.blank

    @cached_property
    def ascent(self) -> int:
        """The font's ascent above the baseline, in thousandths of the em."""
        font, upem = self._hb
        ascent: int = round(font.get_font_extents("ltr").ascender * 1000 / upem)
        return ascent

    @cached_property
    def descent(self) -> int:
        """The font's descent below the baseline, in thousandths of the em (positive)."""
        font, upem = self._hb
        descent: int = round(-font.get_font_extents("ltr").descender * 1000 / upem)
        return descent

    @cached_property
    def capital(self) -> int:
        """The height of capitals above the baseline, in thousandths of the em; 700 if the font has no H."""
        font, upem = self._hb
        extents = font.get_glyph_extents(font.get_nominal_glyph(ord("H")) or 0)
        return round(extents.y_bearing * 1000 / upem) if extents and self.has("H") else 700

    def advances(self, text: str) -> tuple[float, ...]:
        """Returns the advance of each character of `text`, in ems, including kerning."""
        font, upem = self._hb
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.guess_segment_properties()
        buffer.cluster_level = hb.BufferClusterLevel.CHARACTERS
        hb.shape(font, buffer, _FEATURES)
        out = [0.0] * len(text)
        for info, position in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            out[info.cluster] += position.x_advance / upem
        return tuple(out)

    def glyphs(self, text: str, script: str, is_right_to_left: bool) -> list[ShapedGlyph]:
        """Returns the glyphs of a text in one script (ISO 15924), in visual order from left to right."""
        font, upem = self._hb
        buffer = hb.Buffer()
        buffer.add_str(text)
        buffer.script = script
        buffer.direction = "rtl" if is_right_to_left else "ltr"
        buffer.language = "und"
        hb.shape(font, buffer)
        return [
            ShapedGlyph(
                info.codepoint, place.x_advance / upem, place.x_offset / upem, place.y_offset / upem, info.cluster
            )
            for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True)
        ]

    def _outline_of(self, glyph: int) -> tuple[tuple[str, tuple[float, ...]], ...]:
        """Returns the outline of a glyph, given by index: segments like `display_list.Op`, in ems, with y upwards."""
        font, upem = self._hb
        segments: list[tuple[str, tuple[float, ...]]] = []

        def quadratic(cx: float, cy: float, x: float, y: float, _: None) -> None:
            """Adds the cubic curve whose control points are 2/3 of the way to the control point of a quadratic one."""
            before_x, before_y = segments[-1][1][-2:]
            first, second = ((before_x + 2 * cx) / 3, (before_y + 2 * cy) / 3), ((x + 2 * cx) / 3, (y + 2 * cy) / 3)
            segments.append(("C", (*first, *second, x, y)))

        draw = hb.DrawFuncs()
        draw.set_move_to_func(lambda x, y, _: segments.append(("M", (x, y))))
        draw.set_line_to_func(lambda x, y, _: segments.append(("L", (x, y))))
        draw.set_cubic_to_func(lambda *values: segments.append(("C", values[:6])))
        draw.set_quadratic_to_func(quadratic)
        draw.set_close_path_func(lambda _: segments.append(("Z", ())))
        font.draw_glyph(glyph, draw, None)
        scale = 1 / upem
        return tuple((letter, tuple(value * scale for value in values)) for letter, values in segments)

    def glyph_thousandths(self, glyph: int) -> int:
        """Returns the advance of a glyph, given by its index, in thousandths of the em."""
        font, upem = self._hb
        advance: int = font.get_glyph_h_advance(glyph)
        return round(advance * 1000 / upem)


class FontBook:
    """The fonts of a job: families with their styles, and fallbacks for characters that a family lacks.

    `alternatives` is `{family: family to try before the fallbacks}`, and `hints` is `{script (ISO 15924): sentence on
    how to install a font for it}`.
    """

    def __init__(
        self,
        fonts: Iterable[Font],
        fallbacks: Sequence[str] = (),
        alternatives: Mapping[str, str] = MappingProxyType({}),
        hints: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        unique = {font.key: font for font in fonts}
        self.fonts: dict[str, Font] = {style.key: style for font in unique.values() for style in font.styles}
        self._hints = hints
        self._families = grouped((font.family, font) for font in unique.values())
        self._fallbacks = [family for family in fallbacks if family in self._families]
        self._alternatives = {family: other for family, other in alternatives.items() if other in self._families}

    def hint(self, missing: str) -> str:
        """Returns a sentence on how to get a font for the missing characters.

        It names the extra to install for their scripts, or else the families of this book that have them.
        """
        installs = dict.fromkeys(self._hints[code] for code in map(script, missing) if code in self._hints)
        if installs:
            return " ".join(installs)
        codes = set(map(ord, missing))
        having = [family for family in self._families if self.pick(family).characters >= codes]
        if having:
            return f"Write alternative: {having[0]} under the font family of the text in game.yaml."
        return "Write the text with other characters, or add a font that has these under fonts in game.yaml."

    def pick(self, family: str, weight: int = 400, italic: bool = False, tabular: bool = False) -> Font:
        """Returns the style of a family that is nearest to the given slant and, among those, to the given weight.

        With `tabular`, its digits are of equal width if possible. Raises FontError for an unknown family.
        """
        styles = self._families.get(family)
        if not styles:
            raise FontError(
                f"there is no font family {family!r}", f"Known families: {', '.join(self._families) or 'none'}."
            )
        font = min(styles, key=lambda font: (font.italic != italic, abs(font.weight - weight), font.weight))
        return font.for_columns if tabular else font

    def family_for(self, text: str, family: str) -> str:
        """Returns `family`, or its alternative if that has all the letters of `text` which `family` lacks."""
        other = self._alternatives.get(family)
        if not other or text.isascii():
            return family
        own, more = self.pick(family).characters, self.pick(other).characters
        lacking = {code for code in map(ord, text) if code not in own and chr(code).isalpha()}
        return other if lacking and lacking <= more else family

    def split(self, text: str, font: Font, *lenders: Font) -> tuple[list[tuple[Font, str]], str]:
        """Returns `text` as pairs of a font and the text to set in it, and the characters that no font has (left out).

        Each character gets the first font that has it: `font`, its alternative, the fallbacks, and then each of the
        fonts `lenders` with its alternative.
        """
        whole = font.plain and text.isascii() and text.isprintable()
        if whole or font.characters.issuperset(map(ord, text)):
            return ([(font, text)] if text else []), ""
        return self._runs(text, font, *lenders)

    def split_shaped(self, text: str, font: Font) -> tuple[list[tuple[Font, str]], str]:
        """Splits a text that needs shaping like `split`, but into one font if possible; marks stay with letters."""
        visible = {ord(char) for char in text if unicodedata.category(char) != "Cf"}
        for each in self._fonts_for(font):
            if each.characters.issuperset(visible):
                return [(each, text)], ""
        return self._runs(text, font, is_shaped=True)

    def _runs(self, text: str, *fonts: Font, is_shaped: bool = False) -> tuple[list[tuple[Font, str]], str]:
        """Returns a text as runs, each in the first font that has its characters, and the characters that none has.

        The fonts are `fonts`, each followed by its fallbacks. With `is_shaped`, a mark gets the font of the letter
        before it.
        """
        runs: list[tuple[Font, str]] = []
        missing = ""
        for char in text:
            attached = is_shaped and bool(runs) and unicodedata.category(char) in ("Mn", "Mc", "Me", "Cf")
            candidates: Iterable[Font] = (runs[-1][0],) if attached else self._fonts_for(*fonts)
            chosen = next((each for each in candidates if ord(char) in each.characters), None)
            if chosen is None:
                missing += char
            elif runs and runs[-1][0] is chosen:
                runs[-1] = (chosen, runs[-1][1] + char)
            else:
                runs.append((chosen, char))
        return runs, missing

    def _fonts_for(self, *fonts: Font) -> Iterator[Font]:
        """Yields each of `fonts`, followed by the fonts that are tried in turn for characters that it lacks."""
        for font in fonts:
            yield font
            for family in filter(None, (self._alternatives.get(font.family), *self._fallbacks)):
                yield self.pick(family, font.weight)


LINING = ("lnum",)
"""Digits as high as capitals, with individual widths."""
TABULAR = ("lnum", "tnum")
"""Digits as high as capitals and of equal width, for columns."""
NONE = ()
"""No digits, so that digits are taken from another font."""
_BASIC_PLANE = 0xFFFF


def with_figures(data: bytes, features: tuple[str, ...]) -> bytes:
    """Returns the bytes of a TrueType font whose digits look as the OpenType `features` make them.

    The bytes are unchanged if the features have no effect. If `features` is empty, the font loses its digits.
    """
    face = hb.Face(data)
    font = hb.Font(face)
    if not features:
        return _with_glyphs(data, face, font, dict.fromkeys(map(ord, string.digits)))
    buffer = hb.Buffer()
    buffer.add_str(string.digits)
    buffer.guess_segment_properties()
    hb.shape(font, buffer, dict.fromkeys(features, True))
    chosen = {ord(digit): info.codepoint for digit, info in zip(string.digits, buffer.glyph_infos, strict=True)}
    if not all(chosen.values()) or all(font.get_nominal_glyph(code) == glyph for code, glyph in chosen.items()):
        return data
    return _with_glyphs(data, face, font, chosen)


def _with_glyphs(data: bytes, face: hb.Face, font: hb.Font, chosen: Mapping[int, int] | Mapping[int, None]) -> bytes:
    """Returns the font with a changed character map; `chosen` is `{code point: glyph index or None for no glyph}`."""
    glyphs = {**{code: font.get_nominal_glyph(code) for code in face.unicodes}, **chosen}
    return _with_table(data, b"cmap", _character_map({code: glyph for code, glyph in glyphs.items() if glyph}))


def _character_map(glyphs: Mapping[int, int]) -> bytes:
    """Returns a `cmap` table of OpenType for `{code point: glyph}`: in format 4, and in format 12 if that is needed."""
    basic = _format_4({code: glyph for code, glyph in glyphs.items() if code < _BASIC_PLANE})
    if max(glyphs) <= _BASIC_PLANE:
        return struct.pack(">HHHHL", 0, 1, 3, 1, 12) + basic
    ranges = _ranges(glyphs)
    groups = b"".join(struct.pack(">LLL", *each) for each in ranges)
    format_12 = struct.pack(">HHLLL", 12, 0, 16 + len(groups), 0, len(ranges)) + groups
    return struct.pack(">HHHHLHHL", 0, 2, 3, 1, 20, 3, 10, 20 + len(basic)) + basic + format_12


def _format_4(glyphs: Mapping[int, int]) -> bytes:
    ranges = [*_ranges(glyphs), (_BASIC_PLANE, _BASIC_PLANE, 0)]
    count = len(ranges)
    starts = [first for first, _, _ in ranges]
    ends = [last for _, last, _ in ranges]
    deltas = [(glyph - first) % 0x10000 for first, _, glyph in ranges[:-1]] + [1]
    power = count.bit_length() - 1
    search = 2 << power
    numbers = [2 * count, search, power, 2 * count - search, *ends, 0, *starts, *deltas, *[0] * count]
    body = struct.pack(f">{len(numbers)}H", *numbers)
    return struct.pack(">HHH", 4, 6 + len(body), 0) + body


def _ranges(glyphs: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """Returns (first code point, last code point, first glyph) for each range of characters with consecutive glyphs."""
    out = []
    for _, group in groupby(enumerate(sorted(glyphs)), lambda at: (at[1] - at[0], glyphs[at[1]] - at[0])):
        codes = [code for _, code in group]
        out.append((codes[0], codes[-1], glyphs[codes[0]]))
    return out


def _with_table(data: bytes, tag: bytes, table: bytes) -> bytes:
    """Returns the font with one of its tables replaced; the new table is appended at the end of the file."""
    out = bytearray(data + bytes(-len(data) % 4))
    padded = table + bytes(-len(table) % 4)
    checksum = sum(struct.unpack(f">{len(padded) // 4}L", padded)) & 0xFFFFFFFF
    [count] = struct.unpack_from(">H", data, 4)
    for record in range(12, 12 + 16 * count, 16):
        if data[record : record + 4] == tag:
            struct.pack_into(">LLL", out, record + 4, checksum, len(out), len(table))
    return bytes(out + padded)
