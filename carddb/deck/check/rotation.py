"""Rotation: which sets a format allows on a day."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from carddb.cards.cards import Entry
from carddb.deck import fixes
from carddb.deck.view import View, cards, copies, places, values_of
from carddb.findings import Finding, error
from carddb.game.rule_parts import Dated, FormatSpec, RotationSpec


def check(view: View, played: FormatSpec) -> Iterator[Finding]:
    """A finding for each set, or list of them, that is not legal on the day of the context."""
    if played.rotation is None:
        return
    outside: dict[tuple[Any, ...], list[Entry]] = defaultdict(list)
    for entry in view.pooled():
        values = values_of(entry, played.rotation.of)
        if not any(_legal(played.rotation, value).holds_on(view.context.on) for value in values if _in(played, value)):
            outside[values].append(entry)
    for values, entries in outside.items():
        yield _finding(view, played, played.rotation, values, entries)


def _in(played: FormatSpec, value: Any) -> bool:
    return played.rotation is not None and str(value) in played.rotation.legal


def _legal(rotation: RotationSpec, value: Any) -> Dated:
    return rotation.legal[str(value)]


def _finding(
    view: View, played: FormatSpec, rotation: RotationSpec, values: tuple[Any, ...], entries: list[Entry]
) -> Finding:
    guilty, count = cards(entries), copies(entries)
    reasons = [_reason(view, rotation, str(value)) for value in values]
    of = f"of {rotation.of} {fixes.listed(reasons)}" if reasons else f"without {rotation.of}"
    return error(
        rotation.code,
        f"{played.name} on {view.context.on}: {fixes.amount(count)} {of}: {fixes.counted(guilty)}",
        *places(entries),
        cards=guilty,
        data={"count": count, "limit": 0, "value": list(values)},
        rules=rotation.rules,
        **fixes.offered(fixes.remove(guilty)),
    )


def _reason(view: View, rotation: RotationSpec, value: str) -> str:
    """A value, and why it is not legal."""
    days = rotation.legal.get(value)
    if days is None:
        return f"{value} (never legal)"
    if days.since > view.context.on.isoformat():
        return f"{value} (legal from {days.since})"
    return f"{value} (legal until {days.until}, that day not included)"
