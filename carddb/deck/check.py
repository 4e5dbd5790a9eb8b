"""May I play this deck? Every finding at once."""

from __future__ import annotations

from collections.abc import Sequence

from carddb.cards import Deck, Pool
from carddb.deck import formats, limits, roles, sections
from carddb.deck.compiled_checks import compiled_checks
from carddb.deck.context import Check, Context
from carddb.deck.deck_view import View
from carddb.findings import Finding, in_order
from carddb.game import GameSpec

_RULES = (sections.sizes, sections.misplaced, sections.not_in_others, roles.check)


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context, checks: Sequence[Check] = ()) -> list[Finding]:
    """Check a deck by its game's sections, limits and formats, then by the game's own `checks`.

    Unknown cards count toward the size of their section and toward nothing else. Sorted by file, line and code.
    """
    view = compiled_checks(spec).view_unless_legal(deck, context)
    findings = findings_of(view) if view else []
    for extra in checks:
        findings += extra(deck, spec, pool, context)
    return in_order(findings)


def long_way(deck: Deck, spec: GameSpec, context: Context) -> list[Finding]:
    """Every finding by sections, roles, limits and formats, with places, remedies and sentences."""
    return findings_of(View(deck, spec, context))


def findings_of(view: View) -> list[Finding]:
    """The same of the view of a deck: what the rules say of it that must be checked."""
    findings = [finding for rule in _RULES if view.must_check(rule) for finding in rule(view.suspects(rule))]
    return [*findings, *limits.check(view, view.game_facts.always), *_format(view)]


def check_format(deck: Deck, spec: GameSpec, context: Context) -> list[Finding]:
    """What the format alone says of a deck: its filters, and the limits that are its own."""
    return in_order(_format(View(deck, spec, context)))


def _format(view: View) -> list[Finding]:
    played = formats.in_force(view)
    own = view.game_facts.own.get(played.key, []) if played.key else []
    findings = [*played.findings, *limits.check(view, own)]
    if played.spec and view.must_check(formats.check):
        findings += formats.check(view.suspects(formats.check), played.spec)
    return findings
