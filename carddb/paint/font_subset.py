"""Fonts reduced to what a job prints: the characters of faces, font subsets, and instances of variable fonts."""

from __future__ import annotations

import struct
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import uharfbuzz as hb

from carddb.core.errors import FontError
from carddb.core.groups import grouped
from carddb.layout.display_list import Run, Shape, walk
from carddb.layout.text.fonts import Font
from carddb.layout.text.scripts import needs_shaping

_OUTLINES = (b"\x00\x01\x00\x00", b"true")
_FLAGS = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
_MOST_PARTS, _DEEPEST, _MORE = 500, 16, 0x20
"""The most simple outlines and the deepest nesting of a composite glyph; the flag for "another component follows"."""
_NAMES = (1, 2, 4, 6)
"""The ids of the names that are kept: family, style, full and PostScript name."""


def characters(drawings: Iterable[tuple[Shape, ...]]) -> dict[str, set[str]]:
    """Returns the characters that drawings show, as `{key of the font: its characters}`."""
    runs = (shape for shapes in drawings for shape in walk(shapes) if isinstance(shape, Run))
    return {font: set().union(*texts) for font, texts in grouped((run.font, run.text) for run in runs).items()}


def shaped_fonts(shapes: tuple[Shape, ...]) -> set[str]:
    """Returns the keys of the fonts of all runs that are drawn as glyphs."""
    return {shape.font for shape in walk(shapes) if isinstance(shape, Run) and shape.words[0].glyphs}


def font_of(fonts: Mapping[str, Font], key: str) -> Font:
    """Returns the font with the given key. Raises FontError if the job lacks it, or its outlines cannot be embedded."""
    font = fonts.get(key)
    if font is None:
        raise FontError(f"the font {key} is used on a face but not part of the job", f"Fonts: {', '.join(fonts)}.")
    return outlined(font)


def outlined(font: Font) -> Font:
    """Returns the font. Raises FontError if its outlines cannot be embedded."""
    if font.file.signature not in _OUTLINES:
        raise FontError(
            f"the font {font.key} has no TrueType outlines and cannot be embedded",
            "Use a TTF file of the font in place of its OTF, WOFF or TTC file.",
        )
    return font


def cut(font: Font, chars: Iterable[str], features: Iterable[str] = ()) -> bytes:
    """Returns a static TrueType font with only the characters `chars`; the same characters give the same bytes.

    `features` are the OpenType features that are kept, such as `kern`. Raises FontError for a broken font.
    """
    features = tuple(features)
    subset_input = _subset_input(_FLAGS if features else _FLAGS | hb.SubsetFlags.NO_LAYOUT_CLOSURE)
    subset_input.unicode_set.update({ord(char) for char in chars} | {0x20})
    subset_input.layout_feature_tag_set.clear()
    subset_input.layout_feature_tag_set.update({int.from_bytes(feature.encode(), "big") for feature in features})
    return _subset(font, subset_input)


def cut_shaping(font: Font, chars: Iterable[str]) -> bytes:
    """Returns a subset of a font as `cut` does, but with its shaping rules, so that other programs shape it alike.

    Characters that shaping may decompose, such as the Thai vowel am, are kept together with their components.
    """
    subset_input = _subset_input(_FLAGS)
    text = "".join(chars)
    subset_input.unicode_set.update({ord(char) for char in text + unicodedata.normalize("NFKD", text)} | {0x20})
    return _subset(font, subset_input)


def cut_for_web(font: Font, chars: Iterable[str], features: Iterable[str]) -> bytes:
    """Returns a subset of a font as `cut` does; if the text needs shaping, the rules that a browser needs are kept."""
    text = "".join(chars)
    return cut_shaping(font, text) if text and needs_shaping(text) else cut(font, text, features)


def cut_glyphs(font: Font, glyphs: Iterable[int]) -> bytes:
    """Returns a TrueType font with only the given glyphs at their old indices. Raises FontError for a broken font."""
    subset_input = _subset_input(_FLAGS | hb.SubsetFlags.NO_LAYOUT_CLOSURE | hb.SubsetFlags.RETAIN_GIDS)
    subset_input.glyph_set.update(set(glyphs))
    subset_input.layout_feature_tag_set.clear()
    return _subset(font, subset_input)


def _subset_input(flags: hb.SubsetFlags) -> Any:
    subset_input = hb.SubsetInput()
    subset_input.flags = flags
    subset_input.name_id_set.clear()
    subset_input.name_id_set.update(_NAMES)
    return subset_input


def _subset(font: Font, subset_input: Any) -> bytes:
    try:
        face = font.file.face()
        if font.variations:
            subset_input.pin_all_axes_to_default(face)
        for axis, value in font.variations.items():
            subset_input.pin_axis_location(face, axis, value)
        data = bytes(hb.subset(face, subset_input).blob.data)
        most = _most_parts(data)
    except (RuntimeError, ValueError, struct.error, IndexError) as fault:
        raise FontError(f"the font {font.key} cannot be read: {fault}", "Install the font again.") from fault
    if most > _MOST_PARTS:
        raise FontError(
            f"the font {font.key} has a glyph of {most} parts, not up to {_MOST_PARTS}", "Use another font."
        )
    return data


def _most_parts(data: bytes) -> int:
    """Returns the number of simple outlines in the glyph of a TrueType font that has the most.

    A few composite glyphs, each with two copies of the one before, would make a program draw billions of outlines.
    Raises struct.error and IndexError for a broken table.
    """
    face = hb.Face(data)
    outlines, places, head = (bytes(face.reference_table(name).data) for name in ("glyf", "loca", "head"))
    if not outlines:
        return 0
    kind, unit = (">H", 2) if head[50:52] == b"\0\0" else (">L", 1)
    starts = [unit * start for (start,) in struct.iter_unpack(kind, places)]
    parts: dict[int, int] = {}

    def count(glyph: int, depth: int) -> int:
        if glyph not in parts:
            start = starts[glyph]
            is_composite = starts[glyph + 1] > start and struct.unpack_from(">h", outlines, start)[0] < 0
            if depth > _DEEPEST or not is_composite:
                return _MOST_PARTS + 1 if is_composite else 1
            total = sum(count(each, depth + 1) for each in _components(outlines, start + 10))
            parts[glyph] = min(total, _MOST_PARTS + 1)
        return parts[glyph]

    return max((count(glyph, 0) for glyph in range(len(starts) - 1)), default=0)


def _components(outlines: bytes, at: int) -> Iterator[int]:
    """Yields the glyphs that are parts of a composite glyph, the first part at the byte `at` (OpenType, table glyf)."""
    flags = _MORE
    while flags & _MORE:
        flags, glyph = struct.unpack_from(">HH", outlines, at)
        yield glyph
        at += 4 + (4 if flags & 0x01 else 2) + (2 if flags & 0x08 else 4 if flags & 0x40 else 8 if flags & 0x80 else 0)
