"""What does not fit in a `game.yaml`: queries that cannot be read, names and texts that mean nothing."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from carddb.cards.query import parse
from carddb.core.errors import QueryError
from carddb.core.names import did_you_mean
from carddb.core.units import Size
from carddb.core.vocabulary import Vocabulary
from carddb.game.card_fields import PLACEHOLDER, FieldSpec
from carddb.game.frozen import Misfit, Path_
from carddb.game.parts import TypeSpec
from carddb.game.rule_parts import REFERENCE


def query_misfits(path: Path_, where: str, query: str, fields: Mapping[str, FieldSpec]) -> Iterator[Misfit]:
    """What is wrong with a query over these fields; `path` and `where` say where it stands."""
    try:
        parse(query, fields, ())
    except QueryError as error:
        yield path, f"{where}: {error.reason} in the query {error.query!r}", error.remedy


def unknown(
    path: Path_, where: str, kind: str, names: Iterable[str | None], choices: Collection[str]
) -> Iterator[Misfit]:
    """The names that are none of `choices`; None is no name."""
    for name in names:
        if name is not None and name not in choices:
            yield path, f"{where}: there is no {kind} {name or 'named'}", did_you_mean(name, choices)


def with_samples(query: str, fields: Mapping[str, FieldSpec]) -> str:
    """A query in which a value that the fields of roles have stands for each of them."""

    def sample(match: re.Match[str]) -> str:
        field = fields.get(match[2], FieldSpec())
        samples = {"integer": "1", "number": "1", "boolean": "true", "object": "none"}
        return samples.get(field.type) or f'"{next(iter(field.of), "x")}"'

    return REFERENCE.sub(sample, query)


def face_misfits(art: str, types: Mapping[str, TypeSpec], fields: Mapping[str, FieldSpec]) -> Iterator[Misfit]:
    """Fields that the pattern of pictures and the other faces of cards name, and that there are not."""
    yield from unknown(("art",), "art", "field", PLACEHOLDER.findall(art), fields)
    for key, kind in types.items():
        names = (*kind.reverse, *kind.reverse.values())
        yield from unknown(("types", key, "reverse"), f"type {key}", "field", names, fields)


def separator_misfits(fields: Mapping[str, FieldSpec], types: Mapping[str, TypeSpec]) -> Iterator[Misfit]:
    """Separators of fields that are no lists, and empty ones."""
    of_types = [(("types", key, "fields"), kind.fields) for key, kind in types.items()]
    for path, group in [(("fields",), fields), *of_types]:
        for name, field in group.items():
            where = (*path, name, "separator")
            if field.separators and field.type != "list":
                yield where, f"{name}: a {field.type} has no separator", "Make it a list, or take the separator out."
            if "" in field.separators:
                yield where, f"{name}: a separator is empty", 'Write what stands between two values, as in " - ".'


def clashes(
    lists: Iterable[tuple[Path_, Vocabulary]], fields: Mapping[str, FieldSpec], types: Mapping[str, TypeSpec]
) -> Iterator[Misfit]:
    """Words that two entries of one list share, or two values of a field of all cards or of a type."""
    of_types = [(("types", key, "fields", name), spec.words) for key, kind in types.items()
                for name, spec in kind.fields.items()]  # fmt: skip
    for path, words in [*lists, *((("fields", name), spec.words) for name, spec in fields.items()), *of_types]:
        for word, first, second in words.clashes():
            yield (*path, second), f"{'.'.join(map(str, path))}: {word!r} means {first} and {second}", "Rename one."


def misspelt(prefix: str, players: tuple[int, int], accent: str, sizes: Mapping[Path_, str]) -> Iterator[Misfit]:
    """Texts and numbers of a game that are not as they must be; `sizes` are those of cards, types and components."""
    if not re.fullmatch("[a-z][a-z0-9_]*", prefix):
        yield ("prefix",), f"prefix: {prefix!r} is not small letters, digits and _, a letter first", ""
    if not 0 < players[0] <= players[1]:
        yield ("players",), f"players: {players[0]} to {players[1]}", "Name the fewest, then the most."
    if not re.fullmatch("#[0-9a-fA-F]{6}", accent):
        yield ("accent",), f"accent: {accent!r} is not a colour such as #8e1b2e", ""
    for path, size in sizes.items():
        try:
            # The layout knows the names of sizes.
            _ = re.fullmatch("[A-Za-z][A-Za-z0-9.-]*|", size) or Size.parse(size)
        except ValueError as error:
            where = f"{str(path[0]).removesuffix('s')} {path[1]}" if len(path) > 1 else path[0]
            yield path, f"{where}: {error}", ""
