"""HTML pages: their templates in one environment with one frame, and the look (colours and fonts) of a game."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined

from carddb.core.plain_text import is_right_to_left
from carddb.game.parts import ACCENT, GROUND
from carddb.layout.colours import contrast, mixed, shades
from carddb.layout.documents.blocks import BOLD, HEAVIEST, HEAVY, DocumentFonts
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut, outlined

_PAGES = Path(__file__).with_name("pages")


def page_templates(*folders: Path, further: Sequence[BaseLoader] = ()) -> Environment:
    """Returns the environment of the templates in `folders`, which extend `frame.html`; all values are escaped.

    The loaders `further` find templates that are not in these folders.
    """
    environment = Environment(
        loader=ChoiceLoader([FileSystemLoader([*folders, _PAGES]), *further]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.tests["right_to_left"] = is_right_to_left
    environment.filters |= {
        "css_name": lambda family: re.sub(r"[^\w -]", "", family),  # without what a style sheet does not allow
        "base64": lambda data: b64encode(data).decode(),
    }
    return environment


WEB_FEATURES = ("kern", "lnum", "tnum", "liga")
_INK, _NIGHT = "#1e1b18", "#161513"
_LEAST, _CLEAR = 4.6, 12
"""The least contrast of marks and small texts with what is behind them, and of ink with the ground."""
_STYLES = (
    ("heading", HEAVIEST, False), ("heading", HEAVY, False), ("heading", 400, True), ("text", 400, False),
    ("text", BOLD, False), ("text", 400, True), ("label", 400, False), ("label", 500, False), ("label", BOLD, False),
)  # fmt: skip
"""The roles, weights and slants in which pages set their texts."""


class Skin(NamedTuple):
    """The look of pages: the colours of marks and of the page, the font families by use, and the weight of titles."""

    accent: str = ACCENT
    ground: str = GROUND
    heading: str = "Spectral"
    text: str = "Spectral"
    label: str = "Alegreya Sans"
    aside: str = "Spectral"
    code: str = "IBM Plex Mono"
    title: int = 400

    @property
    def light(self) -> Mapping[str, str]:
        """The colours of light pages, by their names in the style sheets."""
        paper = _readable(self.ground, _INK, _CLEAR)
        tint = mixed(_INK, paper, 45)
        return {
            "paper": paper, "tint": tint, "field-ground": mixed("#ffffff", paper, 700), "ink": _INK, "mid": "#5a544b",
            "line": mixed(_INK, paper, 200), "field": mixed(_INK, paper, 560),
            "accent": _readable(self.accent, tint, _LEAST), "on-accent": "#ffffff",
            "wash": mixed(self.accent, paper, 85), "calm": "#1f5488",
        }  # fmt: skip

    @property
    def dark(self) -> Mapping[str, str]:
        """The colours of dark pages, by their names; the accent is as light as it must be to be readable."""
        paper = mixed(self.accent, _NIGHT, 40)
        tint, ink = mixed("#ffffff", paper, 55), "#ece6da"
        return {
            "paper": paper, "tint": tint, "field-ground": tint, "ink": ink, "mid": "#b3aa9b",
            "line": mixed(ink, paper, 210), "field": mixed(ink, paper, 520),
            "accent": _readable(self.accent, tint, 6), "on-accent": paper, "wash": mixed(self.accent, paper, 240),
            "calm": "#9cc3ea",
        }  # fmt: skip


def _readable(colour: str, other: str, least: float) -> str:
    """Returns the shade nearest to `colour` whose contrast with the colour `other` is at least `least`."""
    return next((shade for shade in (colour, *shades(colour)) if contrast(shade, other) >= least), colour)


def skin_of(fonts: DocumentFonts, accent: str, ground: str) -> Skin:
    """Returns the look of web pages: the document's `fonts`, the colour `accent` for marks, and `ground` behind them.

    Raises FontError for an unknown family.
    """
    aside = fonts.heading if fonts.font("heading", 400, italic=True).italic else fonts.text
    return Skin(accent, ground, fonts.heading, fonts.text, fonts.label, aside, fonts.code or fonts.label, HEAVIEST)


def linked_fonts(fonts: DocumentFonts, letters: Iterable[str]) -> tuple[list[dict[str, Any]], dict[str, bytes]]:
    """Returns the fonts of pages as values for `skin.css`, and their files by path; each has only the `letters`.

    The files are in a folder `fonts` beside the style sheet. Raises FontError if a font is unknown or not embeddable.
    """
    letters, found = frozenset(letters), dict[str, Font]()
    for role, weight, italic in _STYLES:
        font = fonts.font(role, weight, italic)
        found.setdefault(font.key, font)
    names = {key: f"fonts/{key.replace(' ', '-').lower()}.ttf" for key in found}
    faces = [
        {"family": font.family, "source": names[key], "weight": font.weight, "italic": font.italic}
        for key, font in found.items()
    ]
    return faces, {names[key]: cut(outlined(font), letters, WEB_FEATURES) for key, font in found.items()}


def embedded_fonts(fonts: DocumentFonts, letters: Iterable[str]) -> list[dict[str, Any]]:
    """Returns the fonts of a self-contained page as values for `skin.css`; each has only the `letters`.

    Raises FontError if a font is unknown or cannot be embedded.
    """
    faces, files = linked_fonts(fonts, letters)
    return [{**face, "source": f"data:font/ttf;base64,{b64encode(files[face['source']]).decode()}"} for face in faces]


def skin_files(skin: Skin, fonts: DocumentFonts, letters: Iterable[str]) -> dict[str, bytes]:
    """Returns `skin.css` and its fonts, by path. Raises FontError if a font is unknown or cannot be embedded."""
    faces, files = linked_fonts(fonts, letters)
    return {"skin.css": skin_css(skin, faces), **files}


def house_templates(folder: Path) -> Environment:
    """Returns the environment of the templates in `folder`, whose pages include `skin.css` and belong to no game."""
    environment = page_templates(folder)
    environment.globals |= {"skin": Skin(), "faces": ()}
    return environment


def skin_css(skin: Skin, faces: Iterable[Mapping[str, Any]] = ()) -> bytes:
    """Returns the style sheet for the look of a game's pages; the fonts in `faces`, if there are any, are linked."""
    return page_templates().get_template("skin.css").render(skin=skin, faces=faces).encode()
