"""What of a game's components can be chosen: for forms, in the order of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from carddb.app.printing.choices import Choice
from carddb.app.workspace.words import component_need
from carddb.games import Game
from carddb.press.components.forms import spreadsheets
from carddb.press.components.selection import EVERY_MODULE, modules_of, variants


class ComponentChoice(NamedTuple):
    """A component: what it is printed for in words, and whether it can be a spreadsheet to fill in."""

    key: str
    id: str
    label: str
    need: str
    spreadsheet: bool


class VariantChoice(NamedTuple):
    """Something that components differ in, with its values; the default stands first, with an empty value."""

    key: str
    values: Sequence[Choice]


class ComponentChoices:
    """The components of a game, and what is chosen among them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def components(self) -> list[ComponentChoice]:
        """Those that are drawn."""
        tables = self._spreadsheets()
        return [
            ComponentChoice(key, part.id, part.label or key, component_need(part), key in tables)
            for key, part in self._game.spec.components.items()
            if part.drawn
        ]

    @property
    def modules(self) -> list[Choice]:
        """The modules that components are printed for, then all of them; first that of the deck, if there is one."""
        modules = [Choice(*pair) for pair in modules_of(self._game.spec).items()]
        return [Choice("", "the deck’s"), *modules, Choice(EVERY_MODULE, "every module")] if modules else []

    @property
    def variants(self) -> list[VariantChoice]:
        """What components differ in, each with the values that are printed."""
        spec, values = self._game.spec, dict[str, list[Choice]]()
        cards = self._game.in_print(self._game.own_cards)
        for key, value in (pair for variant in variants(spec, cards) for pair in variant.items()):
            variant = spec.variants[key]
            is_default = value == str(variant.default)
            label = variant.label.replace("{}", value)
            values.setdefault(key, []).insert(0 if is_default else len(values.get(key, ())),
                                              Choice("" if is_default else value, label))  # fmt: skip
        return [VariantChoice(key, choices) for key, choices in values.items()]

    def _spreadsheets(self) -> list[str]:
        return spreadsheets(self._game)
