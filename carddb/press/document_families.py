"""The fonts that a game's documents are set in."""

from __future__ import annotations

from carddb.games import Game
from carddb.layout.document_fonts import DocumentFonts
from carddb.press.workshop import document_fonts, font_book

CODE_FAMILY = "IBM Plex Mono"


def fonts_of(game: Game, lang: str = "") -> DocumentFonts:
    """The families of a game's documents: those it names, else its own, else those of every document.

    Raises FontError for a family that is not installed.
    """
    spec = game.spec
    families = [name for name, font in (spec.fonts or document_fonts()).items() if not font.stands_in]
    label = spec.furniture.get("label") or families[0]
    other = next((family for family in families if family != label), label)
    text = spec.furniture.get("text") or (label if spec.fonts else other)
    return DocumentFonts(
        font_book(spec.fonts, lang or spec.language, game.folder.path),
        spec.furniture.get("heading") or other,
        text,
        label,
        CODE_FAMILY,
    )
