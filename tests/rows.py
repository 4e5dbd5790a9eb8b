"""Tables of claims: one test for all rows, where rows are small; or a row each time, and the others at full size."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest


def every(names: str, rows: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes a test that tries all rows, each with its values by `names`, and tells every row that fails.

    What the test takes besides is a fixture, which all rows share.
    """
    keys, table = [name.strip() for name in names.split(",")], list(rows)

    def made(test: Callable[..., None]) -> Callable[..., None]:
        signature = inspect.signature(test)

        @wraps(test)
        def all_rows(**fixtures: Any) -> None:
            assert table, "the table has no rows"
            faults: list[Exception] = []
            for row in table:
                try:
                    test(**fixtures, **dict(zip(keys, row if len(keys) > 1 else [row], strict=True)))
                except Exception as fault:
                    fault.add_note(f"{names}: {row!r}")
                    faults.append(fault)
            if faults:
                raise ExceptionGroup(f"{len(faults)} of {len(table)} rows", faults)

        fixtures = [parameter for name, parameter in signature.parameters.items() if name not in keys]
        all_rows.__signature__ = signature.replace(parameters=fixtures)  # type: ignore[attr-defined]
        return all_rows

    return made


def usually(names: str | Sequence[str], rows: Iterable[Any], *usual: Any, **more: Any) -> pytest.MarkDecorator:
    """Makes a test of each row, as `pytest.mark.parametrize`: the usual rows each time, the others at full size.

    The first row is the usual one where none is named; a row of several names is a tuple or a list.
    """
    table, several = list(rows), not isinstance(names, str) or "," in names
    chosen = usual or tuple(table[:1])
    parameters = [
        pytest.param(*(row if several else [row]), marks=[] if row in chosen else pytest.mark.full) for row in table
    ]
    return pytest.mark.parametrize(names, parameters, **more)
