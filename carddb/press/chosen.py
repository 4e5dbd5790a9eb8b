"""Which components of a game are printed: all of them, those named, those of one module, rows by their values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.errors import UsageError
from carddb.game import GameSpec
from carddb.game_parts import ComponentSpec
from carddb.games import Game
from carddb.names import did_you_mean
from carddb.pool import SAMPLE, Card
from carddb.query import parse
from carddb.read.table import read_cards


class Choice(NamedTuple):
    """What is wanted: components by key or id, a module, rows by their values. An empty choice is everything."""

    names: Sequence[str] = ()
    module: str = ""
    values: Mapping[str, str] = MappingProxyType({})

    @property
    def of_rows(self) -> Mapping[str, str]:
        """What the rows must be for, by key; the module is a key too."""
        return {**({"module": self.module} if self.module else {}), **self.values}

    def in_words(self, spec: GameSpec) -> list[str]:
        """What is said of a print that has only this, the game's own variants too."""
        words = {key: variant.label.replace("{}", str(variant.default)) for key, variant in spec.variants.items()}
        for key, value in self.of_rows.items():
            words[key] = spec.variants[key].label.replace("{}", value) if key in spec.variants else f"{key} {value}"
        return list(words.values())


class Chosen(NamedTuple):
    """A component that is printed: the cards that it consists of, else what each of its faces is told."""

    key: str
    component: ComponentSpec
    faces: tuple[Mapping[str, Any], ...] = ()
    cards: tuple[Card, ...] = ()


def chosen(spec: GameSpec, choice: Choice, cards: Sequence[Card] = ()) -> list[Chosen]:
    """The components of a choice, in the game's order; `cards` are the game's own.

    What a game prints in variants is that of the default, unless the choice has another. Raises UsageError with the
    nearest for an unknown name.
    """
    every = _all(spec, cards)
    known = _values(spec, every)
    for key, value in choice.of_rows.items():
        _demand(spec, known, key, value)
    named = _named(spec, choice.names)
    asked = [part for part in every if (part.key in named if named else not part.component.when_named)]
    wanted = {**{key: str(variant.default) for key, variant in spec.variants.items()}, **choice.of_rows}
    fitting = [
        part._replace(
            faces=tuple(face for face in part.faces if _fits(face, wanted)),
            cards=tuple(card for card in part.cards if _fits(card.values, wanted)),
        )
        for part in asked
    ]
    return [part for part in fitting if part.faces or part.cards]


def variants(spec: GameSpec, cards: Sequence[Card] = ()) -> list[Mapping[str, str]]:
    """The values of every variant that a game prints, each by itself; `cards` are the game's own."""
    known = _values(spec, _all(spec, cards))
    return [{key: value} for key in spec.variants for value in known.get(key, ())]


def own_cards(game: Game) -> list[Card]:
    """The cards of the game's own file. Raises InputError."""
    path, spec = game.folder.cards_file, game.spec
    if path is None:
        return []
    file = read_cards(path, spec, default_set=SAMPLE, images_root=game.folder.path)
    return [spec.card(row.ref, row.values) for row in file.records]


def _all(spec: GameSpec, cards: Sequence[Card]) -> list[Chosen]:
    """Every component with all of its faces or cards."""
    return [
        Chosen(key, part, cards=tuple(filter(parse(part.each, spec.all_fields(), ()).matches, cards)))
        if part.each
        else Chosen(key, part, part.faces)
        for key, part in spec.components.items()
    ]


def _named(spec: GameSpec, names: Iterable[str]) -> set[str]:
    ids = {part.id.casefold() for part in spec.components.values() if part.id}
    keys: set[str] = set()
    for name in names:
        if name not in spec.components and name.casefold() not in ids:
            known = [*spec.components, *(part.id for part in spec.components.values() if part.id)]
            raise UsageError(f"{spec.name} has no component {name!r}", did_you_mean(name, known))
        keys |= {key for key, part in spec.components.items() if name == key or name.casefold() == part.id.casefold()}
    return keys


def _fits(values: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    """Whether a face is for these values; one that does not have a key is for every value of it."""
    return all(str(values.get(key, value)) == value for key, value in wanted.items())


def _values(spec: GameSpec, parts: Iterable[Chosen]) -> Mapping[str, Mapping[str, None]]:
    """What the rows of components have under each key, and the cards under those of variants, as texts in order."""
    values: dict[str, dict[str, None]] = {}
    for part in parts:
        of_cards = ({key: card.values[key] for key in spec.variants if key in card.values} for card in part.cards)
        for told in (*part.faces, *of_cards):
            for name, item in told.items():
                values.setdefault(name, {})[str(item)] = None
    return values


def _demand(spec: GameSpec, known: Mapping[str, Mapping[str, None]], key: str, value: str) -> None:
    if key not in known:
        raise UsageError(f"no component of {spec.name} tells its rows by {key!r}", did_you_mean(key, known))
    if value not in known[key]:
        raise UsageError(f"no component of {spec.name} is for {key} {value!r}", did_you_mean(value, known[key]))
