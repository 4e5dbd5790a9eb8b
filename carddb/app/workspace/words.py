"""Numbers in words, for the sentences of notices and tables."""

from __future__ import annotations

import getpass
from collections.abc import Sequence

from carddb.cards.cards import Printing
from carddb.findings import Finding, counts
from carddb.game.parts import ComponentSpec

_SINGULAR = {"error": "error", "not_checkable": "not checkable", "warning": "warning", "info": "info"}
_PLURAL = {"error": "errors", "not_checkable": "not checkable", "warning": "warnings", "info": "infos"}

TAGS = {"S": "checked or computed", "P": "printed", "H": "left to the players"}
"""Who acts on a rule, in words."""


def tally(findings: Sequence[Finding]) -> str:
    """`2 errors, 1 warning`, or `no findings`."""
    parts = [f"{n} {_PLURAL[key] if n != 1 else _SINGULAR[key]}" for key, n in counts(findings).items() if n]
    return ", ".join(parts) or "no findings"


def component_need(component: ComponentSpec) -> str:
    """What a component is printed for: `per player`, `per table, when named`."""
    per = f"per {component.per.removeprefix('row-per-')}"
    return f"{per}, when named" if component.when_named else per


def user() -> str:
    """Who changes the catalogue, for its history."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def printing_words(printing: Printing) -> str:
    """`core 12, 2026-06-20, 3 in a playset [01012]`."""
    place = f"{printing.set} {printing.position}".rstrip()
    playset = f"{printing.quantity} in a playset" if printing.quantity else ""
    return f"{', '.join(filter(None, (place, printing.released, playset)))} [{printing.code}]"
