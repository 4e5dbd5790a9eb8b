"""Questions about cards and decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from carddb.cards.cards import Deck, Entry, Pool
from carddb.core.names import Vocabulary
from carddb.deck import Context, check, check_format
from carddb.deck.check.formats import filter_takes
from carddb.deck.context import ANY_DAY
from carddb.findings import Severity, codes_of
from carddb.game.game import GameSpec
from carddb.games.empires_and_generals.play.turn import CardType
from carddb.games.empires_and_generals.rules import difference
from carddb.play import question
from carddb.play.question import Answer, BadInput, Count, Many, Object, operation, refuse

Predestination = str | int | float | Object | None
"""A format's key, a user-defined format, or None; a number counts as an unknown key, not as bad input (E-44)."""


@operation()
def validate_card(card: Object, *, spec: GameSpec) -> Answer:
    """Checks the fields of one card."""
    _, codes = question.card(spec, card, "card")
    return {"valid": not codes, "violations": sorted(set(codes))}


@operation()
def validate_deck(
    playing: Many[Any],
    resource: Many[Any],
    reference: Many[Any] = (),
    predestination: Predestination = None,
    chosen_editions: Many[str] = (),
    *,
    spec: GameSpec,
) -> Answer:
    """Checks a deck. Each section is a list of `[card, count]`."""
    deck, codes = question.deck(spec, {"playing": playing, "resource": resource, "reference": reference})
    findings = check(deck, spec, Pool(()), _context(spec, predestination, chosen_editions))
    violations = {*codes, *codes_of(findings, Severity.ERROR, Severity.NOT_CHECKABLE)}
    return {
        "valid": not violations,
        "violations": sorted(violations),
        "warnings": codes_of(findings, Severity.WARNING),
        "playing_count": deck.size("playing"),
        "resource_count": deck.size("resource"),
    }


@operation()
def format_check(
    card: Object, predestination: Predestination, chosen_editions: Many[str] = (), *, spec: GameSpec
) -> Answer:
    """Checks whether a Predestination, which is a format for decks, admits one card."""
    context = _context(spec, predestination, chosen_editions)
    checked, _ = question.card(spec, card, "card")
    deck = Deck(spec.key, (Entry("playing", 1, checked.name, checked),))
    violations = codes_of(check_format(deck, spec, context), Severity.ERROR, Severity.NOT_CHECKABLE)
    refuse(format_unknown="format_unknown" in violations)
    return {"allowed": not violations, "violations": violations}


@operation()
def balanced_advice(counts: dict[CardType, Count], *, spec: GameSpec) -> Answer:
    """Compares the numbers of cards by type with the recommended numbers: the differences, negative for too few."""
    differences = difference(spec, Counter[str](counts))
    return {"difference": differences, "balanced": not any(differences.values())}


def _context(spec: GameSpec, predestination: Predestination, editions: tuple[str, ...]) -> Context:
    """Returns the context of a check. Raises BadInput for an unknown filter or value of a user-defined format."""
    context = Context(ANY_DAY, chosen={"editions": editions})
    if not isinstance(predestination, Mapping):
        return replace(context, format=None if predestination is None else str(predestination))
    names = Vocabulary(spec.filters)
    own = {name: value for name, value in predestination.items() if name not in ("name", "label")}
    filters = {names.find(name) or name: value for name, value in own.items()}
    for name, value in filters.items():
        if name not in spec.filters:
            raise BadInput(f"predestination.{name}", did_you_mean=names.nearest(name))
        if not filter_takes(spec.filters[name], value):
            raise BadInput(f"predestination.{name}")
    return replace(context, custom=filters)
