"""May I play this deck? Every finding at once."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.cards.cards import Deck, Pool
from carddb.deck.check import formats, limits, roles, sections
from carddb.deck.context import Check, Context
from carddb.deck.view import View
from carddb.findings import Finding, in_order
from carddb.game.game import GameSpec

_RULES = (sections.sizes, sections.misplaced, sections.not_in_others, roles.check)


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context, checks: Sequence[Check] = ()) -> list[Finding]:
    """Check a deck by its game's sections, limits and formats, then by the game's own `checks`.

    Unknown cards count toward the size of their section and toward nothing else. Sorted by file, line and code.
    """
    view = View(deck, spec, context)
    findings = [finding for rule in _RULES for finding in rule(view)]
    findings += [*limits.check(view, view.game_facts.always), *_format(view)]
    for extra in checks:
        findings += extra(deck, spec, pool, context)
    return in_order(findings)


def check_format(deck: Deck, spec: GameSpec, context: Context) -> list[Finding]:
    """What the format alone says of a deck: its filters, and the limits that are its own."""
    return in_order(_format(View(deck, spec, context)))


def _format(view: View) -> list[Finding]:
    played = formats.in_force(view)
    own = view.game_facts.own.get(played.key, []) if played.key else []
    findings = [*played.findings, *limits.check(view, own)]
    if played.spec:
        findings += formats.check(view, played.spec)
    return findings
