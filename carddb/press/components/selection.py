"""Which components of a game are printed: all, those named, those of one module; and as spreadsheets."""

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


class Choice(NamedTuple):
    """A user's choice: components by key or id, a module, rows by their values. An empty choice is everything."""

    names: Sequence[str] = ()
    module: str = ""
    values: Mapping[str, str] = MappingProxyType({})

    @property
    def of_rows(self) -> Mapping[str, str]:
        """The values that rows must have, by key; the module is a key too."""
        return {**({"module": self.module} if self.module else {}), **self.values}

    def in_words(self, spec: GameSpec) -> list[str]:
        """Returns the choice in words, with the game's own variants."""
        words = {key: variant.label.replace("{}", str(variant.default)) for key, variant in spec.variants.items()}
        for key, value in self.of_rows.items():
            words[key] = spec.variants[key].label.replace("{}", value) if key in spec.variants else f"{key} {value}"
        return list(words.values())


EVERYTHING = Choice()

EVERY_MODULE = "all"
"""The name for all modules of a game."""


class SelectedComponent(NamedTuple):
    """A component that is printed: the cards that it consists of, else the data of each of its faces."""

    key: str
    component: ComponentSpec
    faces: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[Card, ...] = ()


def select_components(spec: GameSpec, choice: Choice, cards: Iterable[Card] = ()) -> list[SelectedComponent]:
    """Returns the components of a choice, in the game's order; `cards` are the game's own.

    What a game prints in variants is that of the default, unless the choice has another. Raises UsageError with the
    nearest for an unknown name, and for a name that has nothing of the module or values.
    """
    every = _all(spec, cards)
    row_values = _values(spec, every)
    for key, value in choice.of_rows.items():
        if key not in row_values:
            raise UsageError(f"no component of {spec.name} tells its rows by {key!r}", did_you_mean(key, row_values))
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
            raise UsageError(f"the component {name!r} is not one for {conditions}")
    return chosen


def variants(spec: GameSpec, cards: Iterable[Card] = ()) -> list[Mapping[str, str]]:
    """Returns the values of every variant that a game prints, each by itself; `cards` are the game's own."""
    row_values = _values(spec, _all(spec, cards))
    return [{key: value} for key in spec.variants for value in row_values.get(key, ())]


def _all(spec: GameSpec, cards: Iterable[Card]) -> list[SelectedComponent]:
    """Returns every component with all of its faces or cards."""
    return [
        SelectedComponent(key, part, cards=tuple(filter(parse(part.each, spec.all_fields(), ()).matches, cards)))
        if part.each
        else SelectedComponent(key, part, part.faces)
        for key, part in spec.components.items()
    ]


def modules_of(spec: GameSpec) -> dict[str, str]:
    """Returns the modules that components are printed for, by id, with the names that they have as formats."""
    rows = (face.get("module") for part in spec.components.values() for face in part.faces)
    formats = {str(module): spec.formats.get(str(module)) for module in rows if module}
    return {module: (format_.name if format_ else "") or module for module, format_ in sorted(formats.items())}


def module_advice(spec: GameSpec, choice: Choice) -> str:
    """Returns advice to choose a module, where a game has several and neither a module nor components are named."""
    modules = modules_of(spec)
    if choice.names or choice.module or len(modules) < 2:
        return ""
    return (
        f"these are the components of all {len(modules)} modules of {spec.name}; for one alone choose a deck of it "
        f"(--deck) or a module (--module): {', '.join(modules)}"
    )


def only_when_named(spec: GameSpec, choice: Choice) -> dict[str, ComponentSpec]:
    """Returns the components printed only when named, by key: those not named that have rows of the choice."""
    return {
        key: part
        for key, part in spec.components.items()
        if part.when_named
        and not any(key in _keys_of(spec, name) for name in choice.names)
        and any(_fits(face, choice.of_rows) for face in part.faces)
    }


def _keys_of(spec: GameSpec, name: str) -> set[str]:
    """Returns the components with this key or id. Raises UsageError with the nearest."""
    keys = {key for key, part in spec.components.items() if name == key or name.casefold() == part.id.casefold()}
    if not keys:
        names = [*spec.components, *(part.id for part in spec.components.values() if part.id)]
        raise UsageError(f"{spec.name} has no component {name!r}", did_you_mean(name, names))
    return keys


def _fits(row: Mapping[str, Any], values: Mapping[str, str]) -> bool:
    """Checks that a face or card has these values; one without a key is for every value of it."""
    return all(str(row.get(key, value)) == value for key, value in values.items())


def _values(spec: GameSpec, parts: Iterable[SelectedComponent]) -> Mapping[str, Mapping[str, None]]:
    """Returns the values of each key of the components' rows, and of each variant of their cards, as texts in order."""
    values: dict[str, dict[str, None]] = {}
    for part in parts:
        of_cards = ({key: card.values[key] for key in spec.variants if key in card.values} for card in part.cards)
        for row in (*part.faces, *of_cards):
            for name, item in row.items():
                values.setdefault(name, {})[str(item)] = None
    return values


def spreadsheets(game: Game) -> list[str]:
    """Returns the components of a game that can be spreadsheets to fill in, by key."""
    component_form = game.hook("component_form")
    return [key for key in game.spec.components if component_form and component_form(key, game.spec) is not None]


def form_xlsx(game: Game, keys: Sequence[str]) -> bytes:
    """Returns the spreadsheet of one component, by its key. Raises UsageError unless `keys` is one that is a table."""
    component_form, tables = game.hook("component_form"), spreadsheets(game)
    remedy = f"Spreadsheets of {game.spec.name}: {', '.join(tables) or 'none'}."
    if len(keys) != 1 or keys[0] not in tables:
        raise UsageError("a spreadsheet holds one component, and one that is a table to fill in", remedy)
    lines = component_form(keys[0], game.spec)
    cells = [
        [Formula(cell[1:]) if isinstance(cell, str) and cell[:1] == "=" else cell for cell in line] for line in lines
    ]
    headings = {number for number, line in enumerate(lines) if isinstance(line, list)}
    return write_form(game.spec.components[keys[0]].label, cells, headings, f"{game.spec.name} · {game.spec.by}")
