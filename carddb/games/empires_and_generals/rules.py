"""Empires and Generals: the advice for a balanced deck, and the referee's answers about cards and decks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from carddb.deck import Check, Context, check, check_format, inputs
from carddb.deck.formats import filter_takes
from carddb.deck.inputs import BadInput, Operation, operation
from carddb.findings import Finding, Place, Severity, info
from carddb.game import GameSpec
from carddb.games.empires_and_generals.components import component_data
from carddb.games.empires_and_generals.faces import face_data, templates_of
from carddb.pool import Deck, Entry, Pool

ADVICE = ("E-18", "E-19", "E-20")
ANY_DAY = date.min
"""Nothing about decks depends on the day."""


def balanced_deck(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Where the deck differs from the advised balance of types; advice never makes a deck illegal (E-18 to E-20)."""
    counts = Counter[str]()
    for entry in deck.entries:
        if entry.card:
            counts[entry.card.type] += entry.count
    difference = _difference(spec, counts)
    if not any(difference.values()):
        return []
    advised: Mapping[str, int] = spec.data["balanced_deck"]
    parts = [f"{spec.label_of(kind)} {counts[kind]} ({advised[kind]})" for kind, by in difference.items() if by]
    return [
        info(
            "balanced_deck",
            f"Cards by type that differ from the balanced deck, advised number in brackets: {', '.join(parts)}",
            Place(deck.file),
            data={"difference": difference, "count": dict(counts), "limit": dict(advised)},
            fix="This is advice: nothing has to change.",
            rules=ADVICE,
        )
    ]


def _difference(spec: GameSpec, counts: Mapping[str, int]) -> dict[str, int]:
    return {kind: counts.get(kind, 0) - advised for kind, advised in spec.data["balanced_deck"].items()}


@operation
def validate_card(spec: GameSpec, data: Mapping[str, Any]) -> dict[str, Any]:
    """`card` -> `valid`, `violations` (sorted, each once)."""
    inputs.options(spec, data)
    _, codes = inputs.card(spec, data.get("card"), "card")
    return {"valid": not codes, "violations": sorted(set(codes))}


@operation
def validate_deck(spec: GameSpec, data: Mapping[str, Any]) -> dict[str, Any]:
    """`playing`, `resource`, `reference`, `predestination`, `chosen_editions` -> the verdict with codes and sizes."""
    deck, codes = inputs.deck(spec, data, required=("playing", "resource"))
    findings = check(deck, spec, Pool(()), _context(spec, data))
    violations = {*codes, *_codes(findings, Severity.ERROR, Severity.NOT_CHECKABLE)}
    return {
        "valid": not violations,
        "violations": sorted(violations),
        "warnings": _codes(findings, Severity.WARNING),
        "playing_count": deck.size("playing"),
        "resource_count": deck.size("resource"),
    }


@operation
def format_check(spec: GameSpec, data: Mapping[str, Any]) -> dict[str, Any]:
    """`card`, `predestination`, `chosen_editions` -> `allowed`, `violations`; refused: `format_unknown`."""
    card, _ = inputs.card(spec, data.get("card"), "card")
    if "predestination" not in data:
        raise BadInput("predestination")
    deck = Deck(spec.key, (Entry("playing", 1, card.name, card),))
    violations = _codes(check_format(deck, spec, _context(spec, data)), Severity.ERROR, Severity.NOT_CHECKABLE)
    if "format_unknown" in violations:
        return {"ok": False, "reason": "format_unknown"}
    return {"allowed": not violations, "violations": violations}


@operation
def balanced_advice(spec: GameSpec, data: Mapping[str, Any]) -> dict[str, Any]:
    """`counts` by type -> `difference` per advised type (have less advised), `balanced` (E-18 to E-20)."""
    counts = inputs.mapping(data.get("counts"), "counts")
    for kind, count in counts.items():
        if type(count) is not int or count < 0:
            raise BadInput(f"counts.{kind}")
    difference = _difference(spec, counts)
    return {"difference": difference, "balanced": not any(difference.values())}


def _codes(findings: list[Finding], *severities: Severity) -> list[str]:
    return sorted({finding.code for finding in findings if finding.severity in severities})


def _context(spec: GameSpec, data: Mapping[str, Any]) -> Context:
    """What an operation's input says besides the deck. A number is no format key, but it is not bad input (E-44)."""
    named = data.get("predestination")
    editions = inputs.texts(data.get("chosen_editions", []), "chosen_editions")
    context = Context(ANY_DAY, options=inputs.options(spec, data), chosen={"editions": editions})
    if isinstance(named, Mapping):
        return replace(context, custom=_custom(spec, named))
    if named is not None and type(named) not in (str, int, float):
        raise BadInput("predestination")
    return replace(context, format=None if named is None else str(named))


def _custom(spec: GameSpec, given: Mapping[str, Any]) -> dict[str, Any]:
    known = {name: value for name, value in given.items() if name in spec.filters}
    for name, value in known.items():
        if not filter_takes(spec.filters[name], value):
            raise BadInput(f"predestination.{name}")
    return known


CHECKS: list[Check] = [balanced_deck]

OPERATIONS: dict[str, Operation] = {
    "validate_card": validate_card,
    "validate_deck": validate_deck,
    "format_check": format_check,
    "balanced_advice": balanced_advice,
}

__all__ = ["CHECKS", "OPERATIONS", "component_data", "face_data", "templates_of"]
