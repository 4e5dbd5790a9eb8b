"""What does not fit in a `game.yaml`: queries that cannot be read, names that mean nothing."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from carddb.card_fields import FieldSpec
from carddb.errors import QueryError
from carddb.frozen import Misfit, Path_
from carddb.names import did_you_mean
from carddb.query import parse


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
