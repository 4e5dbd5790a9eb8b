"""Cards as a project hands them to a script: they can show their faces."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Self

from carddb.cards import Card

if TYPE_CHECKING:
    from carddb.app.project import Project

MOST_SHOWN = 24
"""Faces of a search that are drawn in a notebook; the rest is counted."""


class ProjectCard(Card):
    """A card that knows its project: equal to the same `Card`, and shown as its face in a notebook."""

    project: Project

    @classmethod
    def of(cls, project: Project, card: Card) -> Self:
        own = cls(*card)
        own.project = project
        return own

    def svg(self) -> bytes:
        """The front as one SVG file. Raises TemplateError, FontError."""
        from carddb.press.card_pictures import card_svgs
        from carddb.press.card_sheets import face_bank
        from carddb.press.sheet_options import SheetOptions
        from carddb.press.workshop import open_workshop

        workshop = open_workshop(self.project.game(self.game), [self], self.project.art_folder)
        bank = face_bank(workshop, SheetOptions())
        return next(data for _, data in card_svgs(bank, [self]))

    def _repr_html_(self) -> str:
        from carddb.app.html import card_html

        return card_html(self)


class CardList(list[ProjectCard]):
    """What a search finds, by game, set and reference; shown as faces in a notebook."""

    def __init__(self, cards: Iterable[ProjectCard] = ()) -> None:
        super().__init__(cards)

    def _repr_html_(self) -> str:
        from carddb.app.html import cards_html

        return cards_html(self, MOST_SHOWN)
