"""Fonts whose numbers are drawn with other glyphs: figures of one height, or of one width too.

A font holds several sets of figures, and OpenType features choose one. Here the choice becomes part of the font: its
characters 0 to 9 lead to the chosen glyphs (table `cmap`), so that whatever measures or draws it needs no feature.
"""

from __future__ import annotations

import string
import struct
from collections.abc import Mapping
from itertools import groupby

import uharfbuzz as hb

LINING = ("lnum",)
"""Figures as high as capitals, each as wide as it is."""
TABULAR = ("lnum", "tnum")
"""Figures as high as capitals and all of one width, for columns."""
NONE = ()
"""No figures: they come from another font."""
_BASIC_PLANE = 0xFFFF


def with_figures(data: bytes, features: tuple[str, ...]) -> bytes:
    """The bytes of a TrueType font with its figures as the OpenType `features` draw them.

    They stay as they are where the features change nothing. Without any feature the font has no figures.
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
    """The font with other glyphs for some characters, None for no glyph."""
    glyphs = {**{code: font.get_nominal_glyph(code) for code in face.unicodes}, **chosen}
    return _with_table(data, b"cmap", _character_map({code: glyph for code, glyph in glyphs.items() if glyph}))


def _character_map(glyphs: Mapping[int, int]) -> bytes:
    """A table `cmap`: formats 4 and, for characters beyond the basic plane, 12 of the OpenType specification."""
    basic = _format_4({code: glyph for code, glyph in glyphs.items() if code < _BASIC_PLANE})
    if max(glyphs) <= _BASIC_PLANE:
        return struct.pack(">HHHHL", 0, 1, 3, 1, 12) + basic
    return struct.pack(">HHHHLHHL", 0, 2, 3, 1, 20, 3, 10, 20 + len(basic)) + basic + _format_12(glyphs)


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


def _format_12(glyphs: Mapping[int, int]) -> bytes:
    ranges = _ranges(glyphs)
    body = b"".join(struct.pack(">LLL", *each) for each in ranges)
    return struct.pack(">HHLLL", 12, 0, 16 + len(body), 0, len(ranges)) + body


def _ranges(glyphs: Mapping[int, int]) -> list[tuple[int, int, int]]:
    """First and last character of each range whose glyphs follow each other, and the glyph of the first."""
    out = []
    for _, group in groupby(enumerate(sorted(glyphs)), lambda at: (at[1] - at[0], glyphs[at[1]] - at[0])):
        codes = [code for _, code in group]
        out.append((codes[0], codes[-1], glyphs[codes[0]]))
    return out


def _with_table(data: bytes, tag: bytes, table: bytes) -> bytes:
    """A font with one of its tables replaced: the new one stands at its end."""
    out = bytearray(data + bytes(-len(data) % 4))
    padded = table + bytes(-len(table) % 4)
    checksum = sum(struct.unpack(f">{len(padded) // 4}L", padded)) & 0xFFFFFFFF
    [count] = struct.unpack_from(">H", data, 4)
    for record in range(12, 12 + 16 * count, 16):
        if data[record : record + 4] == tag:
            struct.pack_into(">LLL", out, record + 4, checksum, len(out), len(table))
    return bytes(out + padded)
