"""The front of one card."""

from __future__ import annotations

from typing import TYPE_CHECKING

from carddb.press.faces.card_pictures import card_svgs
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions

if TYPE_CHECKING:
    from carddb.app.workspace.workspace import Workspace
    from carddb.cards.cards import Card


def front_svg(project: Workspace, card: Card) -> bytes:
    """The front of a card as one SVG file. Raises TemplateError, FontError."""
    workshop = open_workshop(project.game(card.game), [card], project.art_folder)
    return next(data for _, data in card_svgs(face_bank(workshop, SheetOptions()), [card]))
