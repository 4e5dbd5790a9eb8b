"""The effect of coming ban lists and rotations: the days on which a deck stops being legal, and is legal again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from carddb.bans.log import Log
from carddb.bans.state import days_of_change, log_about
from carddb.cards.cards import Deck, Pool
from carddb.deck.card_facts import card_facts
from carddb.deck.check import formats
from carddb.deck.check.bans import lists_of
from carddb.deck.check.check import check_format
from carddb.deck.context import Check, Context
from carddb.deck.view import View
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec

GRAVE = (Severity.ERROR, Severity.NOT_CHECKABLE)
"""The severities that keep a deck from being legal."""
NO_MORE = {Severity.ERROR: "Not legal", Severity.NOT_CHECKABLE: "Not checkable"}
"""The state of a deck from the day of such a finding on."""
_BAN_AHEAD, _FORMAT_AHEAD = "ban_ahead", "format_ahead"
AHEAD = (_BAN_AHEAD, _FORMAT_AHEAD)
"""The codes of what is to come: what a list forbids, what a format does."""

_OF_FORMAT = "of_format"
"""The key in the data of a finding that marks what a format forbids, not a list."""


def ahead(
    deck: Deck, spec: GameSpec, pool: Pool, context: Context, check: Check, until: date = date.max
) -> Iterator[tuple[date, Finding]]:
    """Yields grave findings that come after the day of the context, each with the first day on which it appears."""
    on_day = _OnDay(deck, spec, pool, context, check)
    seen = {_gist(finding) for finding in on_day(context.on)} if on_day.days else set()
    for day in on_day.days:
        if day <= until:
            for finding in on_day(day):
                if finding.severity in GRAVE and _gist(finding) not in seen:
                    seen.add(_gist(finding))
                    yield day, finding


def legal_again(
    deck: Deck,
    spec: GameSpec,
    pool: Pool,
    context: Context,
    check: Check,
    present: Sequence[Finding] = (),
    until: date = date.max,
) -> date | None:
    """Returns the day from which lists and rotations allow a deck that they forbid before; None without one.

    `present` is what is wrong with the deck on the day of the context; where some of it is for ever there is no day.
    """
    on_day = _OnDay(deck, spec, pool, context, check)
    dated = {_gist(finding) for finding in on_day(context.on)} if on_day.days else set()
    if any(_gist(finding) not in dated for finding in present):
        return None
    forbidden = bool(present)
    for day in on_day.days:
        if day <= until:
            now = any(finding.severity in GRAVE for finding in on_day(day))
            if forbidden and not now:
                return day
            forbidden = forbidden or now
    return None


class _OnDay:
    """The check of one deck by lists and formats on a day; `days` are the later ones on which its result may change.

    Where no format has days its demands are the same on each, and are left out.
    """

    def __init__(self, deck: Deck, spec: GameSpec, pool: Pool, context: Context, check: Check) -> None:
        bans = context.bans and log_about(context.bans, _refs(deck, spec, pool, context.bans))
        self._deck, self._spec, self._pool, self._check = deck, spec, pool, check
        self._context = replace(context, bans=bans)
        turning = _turning_days(deck, spec, context)
        self._in_turn = bool(turning)
        keys = lists_of(deck, spec, self._context)
        days = {day for key in keys if bans for day in days_of_change(bans, key)} | turning
        days |= {since for since, _ in bans.dated} if bans and keys else set()
        self.days = sorted(day for day in days if day > context.on)

    def __call__(self, day: date) -> list[Finding]:
        context = replace(self._context, on=day)
        findings = self._check(self._deck, self._spec, self._pool, context)
        of_format = check_format(self._deck, self._spec, context) if self._in_turn else []
        return findings + [each._replace(data={**each.data, _OF_FORMAT: True}) for each in of_format]


def has_days(deck: Deck, spec: GameSpec, context: Context) -> bool:
    """Returns whether the format of a deck asks something else on some days than on others."""
    return bool(_turning_days(deck, spec, context))


def _turning_days(deck: Deck, spec: GameSpec, context: Context) -> set[date]:
    played = formats.in_force(View(deck, spec, context)).spec
    return set(played.turning_days(spec.filters)) if played else set()


def _refs(deck: Deck, spec: GameSpec, pool: Pool, bans: Log) -> set[str]:
    """Returns the references by which lists may know a deck's cards: their own, and those of the same cards."""
    identity = card_facts(spec).identity(None)
    identities = {identity(entry.card) for entry in deck.entries if entry.card}
    cards = {change.card for announcement in bans.announcements for change in announcement.changes}
    cards |= {ref for group in bans.groups_ever for ref in group.cards}
    same = {ref for ref in cards if (card := pool.get(ref)) and identity(card) in identities}
    return same | {entry.ref for entry in deck.entries}


def warned(day: date, finding: Finding) -> Finding:
    """Returns a coming finding as a warning about a deck that is legal until then."""
    by = finding.data.get("announcement", "")
    source = f", by {by}" if by else ""
    data = {**finding.data, "from": day.isoformat()}
    code = _FORMAT_AHEAD if data.pop(_OF_FORMAT, False) else _BAN_AHEAD
    message = f"{NO_MORE[finding.severity]} from {day}{source}: {finding.message}"
    return finding._replace(code=code, severity=Severity.WARNING, message=message, data=data)


def _gist(finding: Finding) -> tuple[object, ...]:
    return finding.code, finding.cards, *map(finding.data.get, ("limit", "group", "list"))
