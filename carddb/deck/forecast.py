"""What ban lists will bring: the days on which a deck stops being legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from carddb.bans.state import days_of_change
from carddb.cards import Deck, Pool
from carddb.deck.bans import lists_of
from carddb.deck.context import Check, Context
from carddb.findings import Finding, Severity
from carddb.game import GameSpec

GRAVE = (Severity.ERROR, Severity.NOT_CHECKABLE)
"""What keeps a deck from being legal."""
NO_MORE = {Severity.ERROR: "Not legal", Severity.NOT_CHECKABLE: "Not checkable"}
"""What a deck is from the day of such a finding on."""


def ahead(
    deck: Deck, spec: GameSpec, pool: Pool, context: Context, check: Check, until: date = date.max
) -> Iterator[tuple[date, Finding]]:
    """What lists will forbid after the day of the context, or leave open: each on the first day on which it appears."""
    if context.bans is None:
        return
    keys = lists_of(deck, spec, context)
    days = {day for key in keys for day in days_of_change(context.bans, key)}
    days |= {since for since, _ in context.bans.dated if keys}
    seen = {_gist(finding) for finding in check(deck, spec, pool, context)}
    for day in sorted(days):
        if context.on < day <= until:
            for finding in check(deck, spec, pool, replace(context, on=day)):
                if finding.severity in GRAVE and _gist(finding) not in seen:
                    seen.add(_gist(finding))
                    yield day, finding


def warned(day: date, finding: Finding) -> Finding:
    """What is to come, as the warning of a deck that is legal until then."""
    by = finding.data.get("announcement", "")
    source = f", by {by}" if by else ""
    data = {**finding.data, "from": day.isoformat()}
    message = f"{NO_MORE[finding.severity]} from {day}{source}: {finding.message}"
    return finding._replace(code="ban_ahead", severity=Severity.WARNING, message=message, data=data)


def _gist(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.cards, *map(finding.data.get, ("limit", "group", "list"))
