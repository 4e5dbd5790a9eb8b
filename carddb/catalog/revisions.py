"""Changes of cards as values: a revision of the history, the changes of a load."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb.core.dates import moment_text
from carddb.findings import Finding, has_errors

Fields = Mapping[str, tuple[Any, Any]]
"""Changed fields with old and new value; None where the card has none."""

UNFILED = "studio"
"""The source of revisions whose values stand in no file."""


class Revision(NamedTuple):
    """One entry of a card's history.

    `in_force_from` is None for the first (always). `kind` is added, changed, retired or restored. `changes` is what
    differed, when it was recorded, from the state on that day; `values` all that has been given from then on.
    """

    in_force_from: date | None
    recorded_at: datetime
    author: str
    source: str
    kind: str
    changes: Fields
    values: Mapping[str, Any]

    def to_json(self) -> dict[str, Any]:
        return {
            "in_force_from": self.in_force_from.isoformat() if self.in_force_from else None,
            "recorded_at": moment_text(self.recorded_at),
            "author": self.author,
            "source": self.source,
            "kind": self.kind,
            "changes": {name: list(pair) for name, pair in self.changes.items()},
            "values": dict(self.values),
        }


class Change(NamedTuple):
    """The change of one card by a load. `until` is the day from which a revision recorded earlier is in force again."""

    ref: str
    name: str
    fields: Fields = MappingProxyType({})
    until: date | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "ref": self.ref,
            "name": self.name,
            "fields": {name: list(pair) for name, pair in self.fields.items()},
            "until": self.until.isoformat() if self.until else None,
        }


KINDS = ("added", "changed", "restored", "retired")
"""What may happen to a card, in the order in which it is reported."""


class LoadResult(NamedTuple):
    """What a load did, or with `dry_run` would do. Where `findings` has an error nothing was written."""

    added: tuple[Change, ...] = ()
    changed: tuple[Change, ...] = ()
    restored: tuple[Change, ...] = ()
    retired: tuple[Change, ...] = ()
    unchanged: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def refused(self) -> bool:
        """Whether nothing was written for errors in the rows."""
        return has_errors(self.findings)

    def to_json(self) -> dict[str, Any]:
        return {
            **{kind: [change.to_json() for change in getattr(self, kind)] for kind in KINDS},
            "unchanged": list(self.unchanged),
            "findings": [finding.to_json() for finding in self.findings],
        }
