"""What tests of the changes between two states share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from carddb.cards.changes import Values


def replay(before: Values, changes: Iterable[Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Returns the later state: the earlier one with changes applied, each as `CardChange.to_json` returns it."""
    after = {ref: dict(values) for ref, values in before.items()}
    for change in changes:
        values = after.pop(change["ref"], {})
        if change["kind"] != "retired":
            values |= {name: new for name, (_, new) in change["fields"].items()}
            after[change["ref"]] = {name: value for name, value in values.items() if value is not None}
    return after
