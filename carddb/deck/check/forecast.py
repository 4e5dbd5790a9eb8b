"""The effect of coming ban lists and rotations: when a deck stops being legal, and when it is legal again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cached_property

from carddb.bans.log import Log
from carddb.bans.state import days_of_change, log_about
from carddb.cards.cards import Deck, Pool
from carddb.deck.check import formats
from carddb.deck.check.bans import lists_of
from carddb.deck.check.check import check_format
from carddb.deck.context import Check, Context, View, card_facts
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec

GRAVE = (Severity.ERROR, Severity.NOT_CHECKABLE)
"""The severities that make a deck not legal."""
NO_MORE = {Severity.ERROR: "Not legal", Severity.NOT_CHECKABLE: "Not checkable"}
"""The verdict on a deck from the day of a finding on, by the finding's severity."""
_BAN_AHEAD, _FORMAT_AHEAD = "ban_ahead", "format_ahead"
AHEAD = (_BAN_AHEAD, _FORMAT_AHEAD)
"""The codes of findings about the future: bans, then formats."""

_OF_FORMAT = "of_format"
"""The key in a finding's data that marks it as caused by a format, not by a list."""


class DatedCheck:
    """The check of one deck by lists and formats on any day; on `days`, later days, the result may change.

    The format is checked only if its demands change with the day.
    """

    def __init__(self, deck: Deck, spec: GameSpec, pool: Pool, context: Context, check: Check) -> None:
        bans = context.bans and log_about(context.bans, _refs(deck, spec, pool, context.bans))
        self._deck, self._spec, self._pool, self._check = deck, spec, pool, check
        self._context = replace(context, bans=bans)
        turning = turning_days(deck, spec, context)
        self._in_turn = bool(turning)
        keys = lists_of(deck, spec, self._context)
        days = {day for key in keys if bans for day in days_of_change(bans, key)} | turning
        days |= {since for since, _ in bans.dated} if bans and keys else set()
        self.days = sorted(day for day in days if day > context.on)

    def ahead(self, until: date = date.max) -> Iterator[tuple[date, Finding]]:
        """Yields each finding that makes the deck not legal only from a day after the context's, with that day."""
        seen = set(self._today)
        for day in self.days:
            for finding in self._findings(day) if day <= until else ():
                if finding.severity in GRAVE and _gist(finding) not in seen:
                    seen.add(_gist(finding))
                    yield day, finding

    def legal_again(self, present: Sequence[Finding], until: date = date.max) -> date | None:
        """Returns the first day, up to `until`, on which lists and rotations allow again what they forbade, or None.

        `present` are the deck's faults on the context's day. Returns None, too, if a fault does not depend on the day.
        """
        if any(_gist(finding) not in self._today for finding in present):
            return None
        forbidden = bool(present)
        for day in self.days:
            if day <= until:
                now = any(finding.severity in GRAVE for finding in self._findings(day))
                if forbidden and not now:
                    return day
                forbidden = forbidden or now
        return None

    @cached_property
    def _today(self) -> set[tuple[object, ...]]:
        """The findings of the context's day; empty if the result never changes."""
        return {_gist(finding) for finding in self._findings(self._context.on)} if self.days else set()

    def _findings(self, day: date) -> list[Finding]:
        context = replace(self._context, on=day)
        findings = self._check(self._deck, self._spec, self._pool, context)
        of_format = check_format(self._deck, self._spec, context) if self._in_turn else []
        return findings + [each._replace(data={**each.data, _OF_FORMAT: True}) for each in of_format]


def turning_days(deck: Deck, spec: GameSpec, context: Context) -> set[date]:
    """Returns the days on which the demands of a deck's format change."""
    played = formats.in_force(View(deck, spec, context)).spec
    return set(played.turning_days(spec.filters)) if played else set()


def _refs(deck: Deck, spec: GameSpec, pool: Pool, bans: Log) -> set[str]:
    """Returns the references under which lists may have a deck's cards, or cards that count as the same."""
    identity = card_facts(spec).identity(None)
    identities = {identity(entry.card) for entry in deck.entries if entry.card}
    cards = {change.card for announcement in bans.announcements for change in announcement.changes}
    cards |= {ref for group in bans.groups_ever for ref in group.cards}
    same = {ref for ref in cards if (card := pool.get(ref)) and identity(card) in identities}
    return same | {entry.ref for entry in deck.entries}


def warned(day: date, finding: Finding) -> Finding:
    """Returns a finding of a later `day` as a warning that the deck is not legal from that day on."""
    by = finding.data.get("announcement", "")
    source = f", by {by}" if by else ""
    data = {**finding.data, "from": day.isoformat()}
    code = _FORMAT_AHEAD if data.pop(_OF_FORMAT, False) else _BAN_AHEAD
    message = f"{NO_MORE[finding.severity]} from {day}{source}: {finding.message}"
    return finding._replace(code=code, severity=Severity.WARNING, message=message, data=data)


def _gist(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.cards, *map(finding.data.get, ("limit", "group", "list"))
