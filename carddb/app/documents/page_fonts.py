"""The fonts of web pages: cut down to the letters of most languages in Latin script, from the installed packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from carddb.core import assets
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut

FONTS: Mapping[str, tuple[str, str]] = {
    "Cardo-Regular.ttf": ("Cardo", "fontpkg_cardo"),
    "Cardo-Italic.ttf": ("Cardo", "fontpkg_cardo"),
    "Cardo-Bold.ttf": ("Cardo", "fontpkg_cardo"),
    "AlegreyaSans-Regular.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
    "AlegreyaSans-Italic.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
    "AlegreyaSans-Medium.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
    "AlegreyaSans-Bold.ttf": ("Alegreya Sans", "fontpkg_alegreya_sans"),
}
"""The files that a style sheet may name, each with its family and package; all are under the OFL."""
_RANGES = ((0x20, 0x17F), (0x1E00, 0x1EFF), (0x2010, 0x2044), (0x2190, 0x2199), (0x2212, 0x2265))
"""Latin with all its accents, punctuation, arrows, signs of arithmetic; other letters come from the reader's own."""
_FEATURES = ("kern", "lnum", "tnum", "liga")


@cache
def page_font(name: str) -> bytes:
    """A font file of `FONTS`. Raises KeyError for another name, FontError where its package is not installed."""
    family, package = FONTS[name]
    font = Font(name, family, "400", assets.font_file(package, f"files/{name}").read_bytes())
    return cut(font, map(chr, (code for first, last in _RANGES for code in range(first, last + 1))), _FEATURES)
