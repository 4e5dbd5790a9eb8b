"""The front of one card, as a picture and as a notebook shows it."""

from __future__ import annotations

from base64 import b64encode
from html import escape

from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.press.faces.card_pictures import card_svgs
from carddb.press.faces.workshop import open_workshop
from carddb.press.sheets.card_sheets import face_bank
from carddb.press.sheets.options import SheetOptions

_HEIGHT = 260
"""Pixels of a face in a notebook."""


def front_svg(project: Workspace, card: Card) -> bytes:
    """The front of a card as one SVG file. Raises TemplateError, FontError."""
    workshop = open_workshop(project.game(card.game), [card], project.art_folder)
    return next(data for _, data in card_svgs(face_bank(workshop, SheetOptions()), [card]))


def front_html(project: Workspace, card: Card) -> str:
    """The front of a card as an image of its own, so that its ids do not meet those of others."""
    source = f"data:image/svg+xml;base64,{b64encode(front_svg(project, card)).decode('ascii')}"
    label = escape(f"{card.name} [{card.ref}]", quote=True)
    return f'<img src="{source}" alt="{label}" title="{label}" style="height:{_HEIGHT}px;margin:4px">'
