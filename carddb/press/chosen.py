"""Which components of a game are printed: all of them, those named, those of one module, rows by their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.errors import UsageError
from carddb.game import GameSpec
from carddb.game_parts import ComponentSpec
from carddb.names import did_you_mean


class Choice(NamedTuple):
    """What is wanted: components by key or id, a module, rows by their values. An empty choice is everything.

    A component that is printed only when named is wanted too where one of its rows has a key of `values`.
    """

    names: Sequence[str] = ()
    module: str = ""
    values: Mapping[str, str] = MappingProxyType({})

    @property
    def of_rows(self) -> Mapping[str, str]:
        """What the rows must be for, by key; the module is a key too."""
        return {**({"module": self.module} if self.module else {}), **self.values}

    @property
    def in_words(self) -> list[str]:
        return [f"{key} = {value}" for key, value in self.of_rows.items()]


class Chosen(NamedTuple):
    """A component that is printed, and what each of its faces is told."""

    key: str
    component: ComponentSpec
    faces: tuple[Mapping[str, Any], ...]


def chosen(spec: GameSpec, choice: Choice) -> list[Chosen]:
    """The components of a choice, in the game's order.

    Raises UsageError with the nearest for an unknown name, and for a name that has no rows of the module or values.
    """
    for key, value in choice.of_rows.items():
        _known(spec, key, value)
    named = _named(spec, choice)
    found = []
    for key, component in spec.components.items():
        faces = tuple(face for face in component.faces if _fits(face, choice.of_rows))
        asked = key in named if named else not component.when_named or any(choice.values.keys() & f for f in faces)
        if asked and faces:
            found.append(Chosen(key, component, faces))
    return found


def modules_of(spec: GameSpec) -> dict[str, str]:
    """The modules that components are printed for, by id, with the names that they have as formats."""
    rows = (face.get("module") for part in spec.components.values() for face in part.faces)
    named = {str(module): spec.formats.get(str(module)) for module in rows if module}
    return {module: (found.name if found else "") or module for module, found in sorted(named.items())}


def left_to_name(spec: GameSpec, choice: Choice) -> dict[str, ComponentSpec]:
    """The components that are printed only when named, by key: those with rows of the choice that are not in it."""
    printed = {part.key for part in chosen(spec, choice)}
    return {
        key: part
        for key, part in spec.components.items()
        if part.when_named and key not in printed and any(_fits(face, choice.of_rows) for face in part.faces)
    }


def _named(spec: GameSpec, choice: Choice) -> set[str]:
    keys: set[str] = set()
    for name in choice.names:
        own = {key for key, part in spec.components.items() if name == key or name.casefold() == part.id.casefold()}
        if not own:
            known = [*spec.components, *(part.id for part in spec.components.values() if part.id)]
            raise UsageError(f"{spec.name} has no component {name!r}", did_you_mean(name, known))
        if not any(_fits(face, choice.of_rows) for key in own for face in spec.components[key].faces):
            raise UsageError(f"the component {name!r} is not one for {', '.join(choice.in_words)}")
        keys |= own
    return keys


def _fits(face: Mapping[str, Any], wanted: Mapping[str, str]) -> bool:
    """Whether a face is for these values; one that does not have a key is for every value of it."""
    return all(str(face.get(key, value)) == value for key, value in wanted.items())


def _known(spec: GameSpec, key: str, value: str) -> None:
    values: dict[str, dict[str, None]] = {}
    for component in spec.components.values():
        for face in component.faces:
            for name, item in face.items():
                values.setdefault(name, {})[str(item)] = None
    if key not in values:
        raise UsageError(f"no component of {spec.name} tells its rows by {key!r}", did_you_mean(key, values))
    if value not in values[key]:
        raise UsageError(f"no component of {spec.name} is for {key} {value!r}", did_you_mean(value, values[key]))
