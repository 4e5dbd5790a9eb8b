"""What carddb knows of one card by itself: its fields, its history, the cards beside it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

from carddb.app.cards.search import find, history
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.catalog.revisions import Revision
from carddb.game.game import GameSpec
from carddb.game.page_parts import PageWords
from carddb.games import Game

_HEAD = ("ref", "name", "type", "set", "art", "face_image", "flavor")
"""Fields that a page shows elsewhere."""


@dataclass(frozen=True)
class CardPage:
    """A card with what is round it. Raises UsageError for an unknown reference."""

    project: Workspace
    ref: str
    key: str | None = None
    on: date | None = None

    @cached_property
    def _hit(self) -> tuple[Game, Card]:
        return find(self.project, self.ref, self.key, self.on)

    @property
    def game(self) -> Game:
        return self._hit[0]

    @property
    def card(self) -> Card:
        return self._hit[1]

    @property
    def fields(self) -> list[tuple[str, Any]]:
        """The printed names and the values of its fields, in the order of the game; defaults are left out."""
        return shown_fields(self.game.spec, self.card)

    @cached_property
    def history(self) -> list[Revision]:
        """Its revisions, the latest first."""
        return list(reversed(history(self.project, self.card.ref, self.game.key)[1]))

    @cached_property
    def neighbours(self) -> tuple[Card | None, Card | None]:
        """The cards before and after it in its set."""
        with self.project.catalog() as catalog:
            pool = catalog.pool(self.game.spec, day=self.on or today(), with_sample=True)
        cards = [card for card in pool if card.set == self.card.set]
        at = next((at for at, card in enumerate(cards) if card.ref == self.card.ref), None)
        if at is None:
            return None, None
        return cards[at - 1] if at else None, cards[at + 1] if at + 1 < len(cards) else None


def shown_fields(spec: GameSpec, card: Card) -> list[tuple[str, Any]]:
    """The printed names and the values of a card's fields, in the order of the game; defaults are left out."""
    return [
        (field.label or name.replace("_", " "), _shown(card.get(name), field.labels, spec.page_words))
        for name, field in spec.fields_of(card.type).items()
        if name not in _HEAD and card.get(name) not in (None, "", field.default, (), [])
    ]


def _shown(value: Any, labels: Any, words: PageWords) -> Any:
    """A value as it is read: labels for choices, lists with commas."""
    if isinstance(value, bool):
        return words.yes if value else words.no
    if isinstance(value, str):
        return labels.get(value, value)
    if isinstance(value, list | tuple):
        return ", ".join(str(_shown(part, labels, words)) for part in value)
    if hasattr(value, "items"):
        return "; ".join(f"{key}: {_shown(part, {}, words)}" for key, part in value.items())
    return f"{value:,}" if isinstance(value, int) else value
