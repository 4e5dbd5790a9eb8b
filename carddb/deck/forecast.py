"""What ban lists will bring: the days on which a deck stops being legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from carddb.bans.log import Log
from carddb.bans.state import days_of_change, log_about
from carddb.cards import Deck, Pool
from carddb.deck.bans import lists_of
from carddb.deck.card_facts import identity
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
    bans = log_about(context.bans, _refs(deck, spec, pool, context.bans))
    context = replace(context, bans=bans)
    keys = lists_of(deck, spec, context)
    days = {day for key in keys for day in days_of_change(bans, key)}
    days |= {since for since, _ in bans.dated if keys}
    seen = {_gist(finding) for finding in check(deck, spec, pool, context)}
    for day in sorted(days):
        if context.on < day <= until:
            for finding in check(deck, spec, pool, replace(context, on=day)):
                if finding.severity in GRAVE and _gist(finding) not in seen:
                    seen.add(_gist(finding))
                    yield day, finding


def _refs(deck: Deck, spec: GameSpec, pool: Pool, bans: Log) -> set[str]:
    """The references by which lists may know the cards of a deck: their own, and those of cards that are the same."""
    identities = {identity(spec, entry.card, None) for entry in deck.entries if entry.card}
    cards = {change.card for announcement in bans.announcements for change in announcement.changes}
    cards |= {ref for group in bans.groups_ever for ref in group.cards}
    same = {ref for ref in cards if (card := pool.get(ref)) and identity(spec, card, None) in identities}
    return same | {entry.ref for entry in deck.entries}


def warned(day: date, finding: Finding) -> Finding:
    """What is to come, as the warning of a deck that is legal until then."""
    by = finding.data.get("announcement", "")
    source = f", by {by}" if by else ""
    data = {**finding.data, "from": day.isoformat()}
    message = f"{NO_MORE[finding.severity]} from {day}{source}: {finding.message}"
    return finding._replace(code="ban_ahead", severity=Severity.WARNING, message=message, data=data)


def _gist(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.cards, *map(finding.data.get, ("limit", "group", "list"))
