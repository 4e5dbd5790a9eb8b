"""Fonts cut down to what a job prints: characters of a face, subsets, and instances of variable fonts."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any

import uharfbuzz as hb

from carddb.core.errors import FontError
from carddb.layout.display_list import Run, Shape, walk
from carddb.layout.text.fonts import Font
from carddb.layout.text.scripts import needs_shaping

_OUTLINES = (b"\x00\x01\x00\x00", b"true")
_FLAGS = hb.SubsetFlags.NO_HINTING | hb.SubsetFlags.NOTDEF_OUTLINE
_NAMES = (1, 2, 4, 6)
"""Family, style, full and PostScript name."""


def characters(drawings: Iterable[tuple[Shape, ...]]) -> dict[str, set[str]]:
    """Returns the characters that each font has to show, by its key."""
    used: dict[str, set[str]] = {}
    for shapes in drawings:
        for shape in walk(shapes):
            if isinstance(shape, Run):
                used.setdefault(shape.font, set()).update(shape.text)
    return used


def shaped_fonts(shapes: tuple[Shape, ...]) -> set[str]:
    """Returns the keys of the fonts whose glyphs HarfBuzz chose."""
    return {shape.font for shape in walk(shapes) if isinstance(shape, Run) and shape.words[0].glyphs}


def font_of(fonts: Mapping[str, Font], key: str) -> Font:
    """Returns the font with that key.

    Raises FontError where the job has none, or where its outlines cannot be embedded.
    """
    font = fonts.get(key)
    if font is None:
        raise FontError(f"the font {key} is used on a face but not part of the job", f"Known: {', '.join(fonts)}.")
    return outlined(font)


def outlined(font: Font) -> Font:
    """Returns the font itself. Raises FontError where its outlines cannot be embedded."""
    if font.data[:4] not in _OUTLINES:
        raise FontError(
            f"the font {font.key} has no TrueType outlines and cannot be embedded",
            "Use a TTF file in place of an OTF, WOFF or TTC file.",
        )
    return font


def cut(font: Font, chars: Iterable[str], features: Iterable[str] = ()) -> bytes:
    """Returns TrueType bytes that hold only `chars`, as a static font; the same bytes for the same characters.

    `features` are what is kept of the font's OpenType features, such as `kern`. Raises FontError for a broken font.
    """
    features = tuple(features)
    subset_input = _subset_input(_FLAGS if features else _FLAGS | hb.SubsetFlags.NO_LAYOUT_CLOSURE)
    subset_input.unicode_set.update({ord(char) for char in chars} | {0x20})
    subset_input.layout_feature_tag_set.clear()
    subset_input.layout_feature_tag_set.update({int.from_bytes(feature.encode(), "big") for feature in features})
    return _subset(font, subset_input)


def cut_shaping(font: Font, chars: Iterable[str]) -> bytes:
    """Cuts a font as `cut` does, but keeps its rules for scripts, so that another program shapes them alike.

    That may take letters apart, as the vowel am of Thai.
    """
    subset_input = _subset_input(_FLAGS)
    text = "".join(chars)
    subset_input.unicode_set.update({ord(char) for char in text + unicodedata.normalize("NFKD", text)} | {0x20})
    return _subset(font, subset_input)


def cut_for_web(font: Font, chars: Iterable[str], features: Iterable[str]) -> bytes:
    """Cuts a font as `cut` does; one with letters that are shaped keeps the rules that a browser shapes them by."""
    text = "".join(chars)
    return cut_shaping(font, text) if text and needs_shaping(text) else cut(font, text, features)


def cut_glyphs(font: Font, glyphs: Iterable[int]) -> bytes:
    """Returns TrueType bytes with only those glyphs, each with its own number. Raises FontError for a broken font."""
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
        face = hb.Face(font.data)
        if font.variations:
            subset_input.pin_all_axes_to_default(face)
        for axis, value in font.variations.items():
            subset_input.pin_axis_location(face, axis, value)
        return bytes(hb.subset(face, subset_input).blob.data)
    except (RuntimeError, ValueError) as fault:
        raise FontError(f"the font {font.key} cannot be read: {fault}", "Install the font again.") from fault
