"""One test for all rows of a table, for rows so small that making a test of each costs more than trying it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


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
