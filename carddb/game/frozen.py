"""Immutable values with named fields, cheap to define and create: the parts of a `game.yaml` and a `rules.yaml`.

Creating one checks no values. Data from outside are checked first by models (`carddb.read.documents.strict_models`),
which are generated from the annotations of these classes.
"""

from collections.abc import Callable, Iterable, Mapping, Set
from types import UnionType
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform, get_args, get_origin

Path_ = tuple[str | int, ...]
Misfit = tuple[Path_, str, str]
"""A fault of a field that contradicts another part of the file: the path of keys to it, what is wrong, and a fix."""


class AtLeast(NamedTuple):
    """In `Annotated`, the least value that a number may have."""

    least: int


@dataclass_transform(kw_only_default=True, frozen_default=True)
class Frozen:
    """Base class: every annotation is a field, and its assigned value, if any, is the default."""

    _fields: ClassVar[Mapping[str, Any]] = {}
    _required: ClassVar[Set[str]] = frozenset()
    written: ClassVar[Mapping[str, str]] = {}
    """The keys in files, by field, of fields whose key is a Python keyword."""

    def __init_subclass__(cls) -> None:
        if any(isinstance(hint, str) for hint in cls.__annotations__.values()):
            raise TypeError(f"{cls.__name__}: the annotations of a part must not be texts")
        for base in reversed(cls.__mro__[1:]):
            cls._fields = {**cls._fields, **base.__dict__.get("_fields", {})}
        own = {name: hint for name, hint in cls.__annotations__.items() if name != "written"}
        cls._fields = {**cls._fields, **own}
        cls._required = {name for name in cls._fields if not hasattr(cls, name)}

    def __init__(self, **values: Any) -> None:
        unknown, missing = values.keys() - self._fields.keys(), self._required - values.keys()
        if unknown or missing:
            raise TypeError(f"{type(self).__name__}: unknown {sorted(unknown)}, missing {sorted(missing)}")
        self.__dict__.update(values)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed; use replaced()")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be removed")

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in self._fields)

    def __hash__(self) -> int:
        return hash(tuple(getattr(self, name) for name in self._fields))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in _set_values(self).items())})"

    def misfits(self) -> Iterable[Misfit]:
        """Returns the faults of fields that are valid separately, but contradict each other or the rest of the file."""
        return ()


FrozenT = TypeVar("FrozenT", bound=Frozen)


def fields_of(kind: type[Frozen]) -> Mapping[str, Any]:
    """Returns the annotations of a class's fields by name, inherited fields first."""
    return kind._fields


def replaced(part: FrozenT, **changes: Any) -> FrozenT:
    """Returns a copy of a part of a game's definition with some fields changed."""
    return type(part)(**{**_set_values(part), **changes})


def as_plain(value: Any, whole: bool = False) -> Any:
    """Returns a `Frozen` as mappings, lists and scalars, with only the fields that were set, or all if `whole`."""
    if isinstance(value, Frozen):
        values = {name: getattr(value, name) for name in fields_of(type(value))} if whole else _set_values(value)
        return {name: as_plain(field, whole) for name, field in values.items()}
    if isinstance(value, Mapping):
        return {key: as_plain(item, whole) for key, item in value.items()}
    return [as_plain(item, whole) for item in value] if isinstance(value, list | tuple) else value


def build(kind: type[FrozenT], data: Mapping[str, Any]) -> FrozenT:
    """Builds a `kind` from plain data without checking scalars.

    Raises TypeError, ValueError, AttributeError for other data.
    """
    readers = _readers(kind)
    return kind(**{name: read(item) if (read := readers.get(name)) else item for name, item in data.items()})


def _set_values(part: Frozen) -> dict[str, Any]:
    # Other entries of `__dict__` are cached properties.
    return {name: value for name, value in part.__dict__.items() if name in part._fields}


_Reader = Callable[[Any], Any]
_READERS: dict[type[Frozen], Mapping[str, _Reader]] = {}


def _readers(kind: type[Frozen]) -> Mapping[str, _Reader]:
    """Returns, by field, the function that converts plain data to the field's type; fields of scalars have none."""
    if kind not in _READERS:
        _READERS[kind] = {name: read for name, hint in fields_of(kind).items() if (read := _reader(hint))}
    return _READERS[kind]


def _reader(hint: Any) -> _Reader | None:
    if isinstance(hint, type) and issubclass(hint, Frozen):
        return lambda value: build(hint, value)
    origin, inside = get_origin(hint), [_reader(part) for part in get_args(hint)]
    one = next(filter(None, inside), None)
    if origin is tuple:
        if one is None:
            return tuple
        if get_args(hint)[-1] is Ellipsis:
            return lambda value: tuple(map(one, value))
        return lambda value: tuple(read(item) if read else item for read, item in zip(inside, value, strict=True))
    if origin is Mapping:
        return one and (lambda value: {key: one(item) for key, item in value.items()})
    if origin is UnionType:
        return one and (lambda value: one(value) if isinstance(value, Mapping | list | tuple) else value)
    return None
