"""The fonts that a game's documents are set in."""

from __future__ import annotations

from typing import NamedTuple

from carddb.game.game import GameSpec
from carddb.games import Game
from carddb.layout.documents.blocks import DocumentFonts
from carddb.press.faces.workshop import document_fonts, font_book

CODE_FAMILY = "IBM Plex Mono"


def fonts_of(game: Game, lang: str = "") -> DocumentFonts:
    """The families of a game's documents, as `families_of` says, with the book they are in.

    Raises FontError for a family that is not installed.
    """
    spec = game.spec
    families = families_of(spec)
    return DocumentFonts(
        font_book(spec.fonts, lang or spec.language, game.folder.path),
        families.heading,
        families.text,
        families.label,
        CODE_FAMILY,
    )


class Families(NamedTuple):
    """The families of a document by what they are used for."""

    heading: str
    text: str
    label: str


def families_of(spec: GameSpec) -> Families:
    """The families that a game names for its documents, else its own, else those of every document."""
    families = [name for name, font in (spec.fonts or document_fonts()).items() if not font.stands_in]
    label = spec.furniture.get("label") or families[0]
    other = next((family for family in families if family != label), label)
    text = spec.furniture.get("text") or (label if spec.fonts else other)
    return Families(spec.furniture.get("heading") or other, text, label)
