"""Fonts cut down to what a job prints: characters of a face, subsets, and instances of variable fonts."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from io import BytesIO

from carddb.errors import FontError
from carddb.layout.display import Run, Shape, walk
from carddb.layout.fonts import Font

# What fontTools drops from a font (editor's notes) is of no interest to whoever prints a card.
logging.getLogger("fontTools").addHandler(logging.NullHandler())

_OUTLINES = (b"\x00\x01\x00\x00", b"true")


def characters(drawings: Iterable[tuple[Shape, ...]]) -> dict[str, set[str]]:
    """Which characters each font key has to show."""
    used: dict[str, set[str]] = {}
    for shapes in drawings:
        for shape in walk(shapes):
            if isinstance(shape, Run):
                used.setdefault(shape.font, set()).update(shape.text)
    return used


def font_of(fonts: Mapping[str, Font], key: str) -> Font:
    """The font with that key. Raises FontError where the job has none, or where its outlines cannot be embedded."""
    font = fonts.get(key)
    if font is None:
        raise FontError(f"the font {key} is used on a face but not part of the job", f"Known: {', '.join(fonts)}.")
    if font.data[:4] not in _OUTLINES:
        raise FontError(
            f"the font {key} has no TrueType outlines and cannot be embedded",
            "Use a TTF file in place of an OTF, WOFF or TTC file.",
        )
    return font


def printable(font: Font, chars: Iterable[str]) -> bytes:
    """TrueType bytes for embedding: a static font as it is, a variable one cut to `chars` and fixed at its axes."""
    return cut(font, chars) if font.variations else font.data


def cut(font: Font, chars: Iterable[str]) -> bytes:
    """TrueType bytes that hold only `chars`, as a static font; the same bytes for the same characters.

    Subset first, then fixed at its axes: the other order is ten times slower. Raises FontError for a broken font.
    """
    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont
    from fontTools.varLib.instancer import instantiateVariableFont

    options = Options(hinting=False, layout_features=[], notdef_outline=True, name_IDs=[1, 2, 4, 6])
    try:
        loaded = TTFont(BytesIO(font.data), recalcTimestamp=False, lazy=True)
        subsetter = Subsetter(options)
        subsetter.populate(unicodes={ord(char) for char in chars} | {0x20})
        subsetter.subset(loaded)
        if font.variations:
            loaded = instantiateVariableFont(loaded, dict(font.variations), inplace=True)
        out = BytesIO()
        loaded.save(out, reorderTables=True)
    except Exception as fault:  # a broken font can make its reader fail in any way
        raise FontError(f"the font {font.key} cannot be read: {fault}", "Install the font again.") from fault
    return out.getvalue()
