"""What a limit says of one deck: fields of cards in roles filled in, and of several bounds the one that counts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from carddb.cards.cards import Card
from carddb.cards.query import quoted
from carddb.deck.view import View, copies
from carddb.game.frozen import replaced
from carddb.game.rule_parts import NO_BOUND, REFERENCE, LimitSpec, OtherBounds

Bound = int | str | Mapping[str, int] | None
_ORDERED = re.compile(rf"\w+\s*(?:<=|>=|<|>)\s*{REFERENCE.pattern}")
_NO_CARD = "ref:none"
"""A query that no card matches."""


class BoundLimit(NamedTuple):
    """A limit with numbers for bounds and without references, and where its bounds come from, in words."""

    limit: LimitSpec
    source: str = ""


def bind(view: View, limit: LimitSpec) -> BoundLimit | None:
    """A limit as it holds for a deck; None where it does not.

    It does not hold where no card plays a role that it names, or no card matches its `given`.
    """
    if any(role not in view.in_roles for role, _ in limit.references):
        return None
    given = limit.given
    if given is not None:
        given = filled(given, view.in_roles)
        if limit.kind != "requires" and not view.matching(given, limit.given_over or limit.over):
            return None
    other = _other_bounds(view, limit)
    words: list[str] = [f"where there are {other.label or f'cards matching {other.given}'}"] if other else []
    bounds = {
        key: _number(view, limit, bound, words) for key in ("min", "max") for bound in [_bound(limit, other, key)]
    }
    queries = {key: filled(text, view.in_roles) for key, text in limit.queries.items() if key != "given"}
    weights = {filled(text, view.in_roles): weight for text, weight in limit.weights.items()}
    bound_limit = replaced(
        limit,
        **queries,
        min=bounds["min"] or 0,
        max=bounds["max"],
        given=given,
        weights=weights,
        subset_of=_values(limit.subset_of, view.in_roles),
        instead=(),
    )
    return BoundLimit(bound_limit, ", ".join(dict.fromkeys(words)))


def filled(query: str, in_roles: Mapping[str, Card]) -> str:
    """A query with the values of cards in roles where it names their fields; no value is none, and has no order."""

    def absent(match: re.Match[str]) -> str:
        return match[0] if _value(match[1], match[2], in_roles) is not None else _NO_CARD

    def value(match: re.Match[str]) -> str:
        return _as_text(_value(match[1], match[2], in_roles))

    return REFERENCE.sub(value, _ORDERED.sub(absent, query)) if "@" in query else query


def _value(role: str, field: str, in_roles: Mapping[str, Card]) -> Any:
    return in_roles[role].get(field)


def _as_text(value: Any) -> str:
    """A value as a query has it; several are any of them."""
    if isinstance(value, list | tuple):
        return ",".join(map(_as_text, value)) or NO_BOUND
    if value is None:
        return NO_BOUND
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    return quoted(str(value))


def _values(subset_of: str | tuple[str, ...] | None, in_roles: Mapping[str, Card]) -> tuple[str, ...] | None:
    """The values that cards may have in a field; None where that is not asked."""
    if not isinstance(subset_of, str):
        return subset_of
    match = REFERENCE.fullmatch(subset_of)
    value = _value(match[1], match[2], in_roles) if match else subset_of
    return () if value is None else tuple(value) if isinstance(value, list | tuple) else (value,)


def _other_bounds(view: View, limit: LimitSpec) -> OtherBounds | None:
    """The bounds that a group of cards in the deck puts in the place of the limit's own."""
    return next(
        (
            other
            for other in limit.instead
            if view.matching(filled(other.given, view.in_roles), other.over or limit.over)
        ),
        None,
    )


def _bound(limit: LimitSpec, other: OtherBounds | None, key: str) -> Bound:
    own: Bound = getattr(limit, key)
    changed: Bound = getattr(other, key) if other else None
    return own if changed is None else changed


def _number(view: View, limit: LimitSpec, bound: Bound, words: list[str]) -> int | float | None:
    """A bound as a number, None where there is none; where it comes from is added to the words."""
    if isinstance(bound, Mapping):
        size = copies(entry for entry, _ in view.counted(limit.over))
        words.append(f"of {size} cards")
        steps = [int(step) for step in bound if int(step) <= size]
        return bound[next(step for step in bound if int(step) == max(steps))] if steps else None
    match = REFERENCE.fullmatch(bound) if isinstance(bound, str) else None
    if match:
        value, field = _value(match[1], match[2], view.in_roles), view.spec.all_fields()[match[2]]
        words.append(f"{field.label or match[2]} of {view.in_roles[match[1]].name}")
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None
    return None if isinstance(bound, str) else bound
