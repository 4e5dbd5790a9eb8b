"""Selects the components to print, by name, module or values, and writes components as spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.cards.cards import Card
from carddb.cards.query import parse
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.game.game import GameSpec
from carddb.game.parts import ComponentSpec
from carddb.games import Game
from carddb.read.tables.xlsx_writer import Formula, write_form


class ComponentChoice(NamedTuple):
    """A user's choice of components by key or id (`names`), by module, and by values that the data of faces must have.

    An empty choice selects all components.
    """

    names: Sequence[str] = ()
    module: str = ""
    values: Mapping[str, str] = MappingProxyType({})

    @property
    def of_rows(self) -> Mapping[str, str]:
        """The values that the data of faces must have, by key, including `module`."""
        return {**({"module": self.module} if self.module else {}), **self.values}

    def in_words(self, spec: GameSpec) -> list[str]:
        """Returns the choice as texts, including the variants that the game uses by default."""
        words = {key: variant.label.replace("{}", str(variant.default)) for key, variant in spec.variants.items()}
        values = {**self.of_rows, **({"module": modules_of(spec)[self.module]} if self.module else {})}
        for key, value in values.items():
            words[key] = spec.variants[key].label.replace("{}", value) if key in spec.variants else f"{key} {value}"
        return list(words.values())


EVERY_MODULE = "all"
"""The name that means all modules of a game."""


class SelectedComponent(NamedTuple):
    """A component to print, with the cards that it consists of, or else the data of each of its faces."""

    key: str
    component: ComponentSpec
    faces: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[Card, ...] = ()

    def copies(self, players: int) -> int:
        """Returns the number of copies of each card or face for so many players."""
        return self.component.count * (players if self.component.per == "player" else 1)

    def rows(self, players: int) -> Sequence[Mapping[str, Any]]:
        """Returns the data of the faces to print: of one for each player if the component says so, otherwise of all."""
        return self.faces[:players] if self.component.per == "row-per-player" else self.faces


def select_components(spec: GameSpec, choice: ComponentChoice, cards: Iterable[Card] = ()) -> list[SelectedComponent]:
    """Returns the chosen components, in the game's order. `cards` are the game's own cards.

    A component with variants has the default variant unless `choice` names another. Raises UsageError for an unknown
    name or value, suggesting the nearest one, and for a named component that has no face with the chosen values.
    """
    every = _all(spec, cards)
    row_values = _values(spec, every)
    for key, value in choice.of_rows.items():
        if key not in row_values:
            raise UsageError(
                f"no component of {spec.name} has a variant {key!r}", did_you_mean(key, row_values) or "Leave it out."
            )
        if value not in row_values[key]:
            near = did_you_mean(value, row_values[key])
            raise UsageError(f"no component of {spec.name} is for {key} {value!r}", near)
    keys = {key for name in choice.names for key in _keys_of(spec, name)}
    parts = [part for part in every if (part.key in keys if keys else not part.component.when_named)]
    values = {**{key: str(variant.default) for key, variant in spec.variants.items()}, **choice.of_rows}
    fitting = [
        part._replace(
            faces=tuple(face for face in part.faces if _fits(face, values)),
            cards=tuple(card for card in part.cards if _fits(card.values, values)),
        )
        for part in parts
    ]
    chosen = [part for part in fitting if part.faces or part.cards]
    for name in choice.names if choice.of_rows else ():
        if not any(part.key in _keys_of(spec, name) for part in chosen):
            conditions = ", ".join(f"{key} = {value}" for key, value in choice.of_rows.items())
            raise UsageError(f"the component {name!r} is not made for {conditions}")
    return chosen


def variants(spec: GameSpec, cards: Iterable[Card] = ()) -> list[Mapping[str, str]]:
    """Returns a mapping such as `{variant: value}` for each value of each variant. `cards` are the game's own cards."""
    row_values = _values(spec, _all(spec, cards))
    return [{key: value} for key in spec.variants for value in row_values.get(key, ())]


def _all(spec: GameSpec, cards: Iterable[Card]) -> list[SelectedComponent]:
    """Returns all components, each with all its faces or cards."""
    return [
        SelectedComponent(key, part, cards=tuple(filter(parse(part.each, spec.all_fields(), ()).matches, cards)))
        if part.each
        else SelectedComponent(key, part, part.faces)
        for key, part in spec.components.items()
    ]


def modules_of(spec: GameSpec) -> dict[str, str]:
    """Returns the names of the modules for which there are components, by module id, in the game's order."""
    rows = (face.get("module") for part in spec.components.values() for face in part.faces)
    formats = {str(module): spec.formats.get(str(module)) for module in rows if module}
    return {module: (format_.name if format_ else "") or module for module, format_ in formats.items()}


def default_module(spec: GameSpec, choice: ComponentChoice) -> str:
    """Returns the id of the game's first module; empty if there are none, or if `choice` has a module or components."""
    return "" if choice.names or choice.module else next(iter(modules_of(spec)), "")


def module_advice(spec: GameSpec, choice: ComponentChoice) -> str:
    """Returns advice to choose a module; empty if `choice` has a module or components, or the game only one module."""
    modules = modules_of(spec)
    if not default_module(spec, choice) or len(modules) < 2:
        return ""
    return (
        f"these are the components of one of the {len(modules)} modules of {spec.name}; for another choose a deck "
        f"(--deck) or a module (--module), or all with --module {EVERY_MODULE}: {', '.join(modules)}"
    )


def only_when_named(spec: GameSpec, choice: ComponentChoice) -> dict[str, ComponentSpec]:
    """Returns, by key, the components that match `choice` but are left out because they must be named."""
    return {
        key: part
        for key, part in spec.components.items()
        if part.when_named
        and not any(key in _keys_of(spec, name) for name in choice.names)
        and any(_fits(face, choice.of_rows) for face in part.faces)
    }


def _keys_of(spec: GameSpec, name: str) -> set[str]:
    """Returns the keys of components with this key or id. Raises UsageError, with the nearest name, if none has it."""
    keys = {key for key, part in spec.components.items() if name == key or name.casefold() == part.id.casefold()}
    if not keys:
        names = [*spec.components, *(part.id for part in spec.components.values() if part.id)]
        raise UsageError(
            f"{spec.name} has no component {name!r}", did_you_mean(name, names) or "The game has no components."
        )
    return keys


def _fits(row: Mapping[str, Any], values: Mapping[str, str]) -> bool:
    """Returns True if the data of a face or card has these values. Where it has no value, any value matches."""
    return all(str(row.get(key, value)) == value for key, value in values.items())


def _values(spec: GameSpec, parts: Iterable[SelectedComponent]) -> Mapping[str, Mapping[str, None]]:
    """Returns, by key, the texts of all values in the data of faces and in the variants of cards, as ordered sets."""
    values: dict[str, dict[str, None]] = {}
    for part in parts:
        of_cards = ({key: card.values[key] for key in spec.variants if key in card.values} for card in part.cards)
        for row in (*part.faces, *of_cards):
            for name, item in row.items():
                values.setdefault(name, {})[str(item)] = None
    return values


def spreadsheets(game: Game) -> list[str]:
    """Returns the keys of the components that can be written as spreadsheets."""
    component_form = game.hook("component_form")
    return [key for key in game.spec.components if component_form and component_form(key, game.spec) is not None]


def form_xlsx(game: Game, keys: Sequence[str]) -> bytes:
    """Returns a component as XLSX. Raises UsageError unless `keys` is exactly one that `spreadsheets` returns."""
    component_form, tables = game.hook("component_form"), spreadsheets(game)
    remedy = f"Name one of {', '.join(tables)}, or write a PDF." if tables else "Write a PDF."
    if len(keys) != 1 or keys[0] not in tables:
        raise UsageError("a spreadsheet can have only one component, which must be a table to fill in", remedy)
    lines = component_form(keys[0], game.spec)
    cells = [
        [Formula(cell[1:]) if isinstance(cell, str) and cell[:1] == "=" else cell for cell in line] for line in lines
    ]
    headings = {number for number, line in enumerate(lines) if isinstance(line, list)}
    return write_form(game.spec.components[keys[0]].label, cells, headings, f"{game.spec.name} · {game.spec.by}")
