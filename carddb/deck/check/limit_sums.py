"""Limits on sums: what the copies of cards cost together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from carddb.cards.cards import Card, Entry
from carddb.deck import fixes
from carddb.deck.check.limit_findings import finding, label, lowered, removable, without
from carddb.deck.view import View, name_of
from carddb.findings import CardCount, Finding
from carddb.game.rule_parts import LimitSpec

Price = Callable[[Card], int | float]


def budget(view: View, limit: LimitSpec) -> Iterator[Finding]:
    """The finding for a sum that is more than the most, or less than the least."""
    price = _price(view, limit)
    entries = _priced(view, limit, price)
    total = _sum(entries, price, limit.copy_factors)
    unit = limit.of or "points"
    if limit.most is not None and total > limit.most:
        message = f"{label(limit)}: {total:g} {unit} in all, at most {limit.most} may be spent"
        less = _cheaper(removable(view, entries), price, limit, total - limit.most)
        yield finding(limit, message, entries, total, limit.most, without(less))
    elif total < limit.least:
        message = f"{label(limit)}: {total:g} {unit} in all, at least {limit.least} are needed"
        missing = limit.least - total
        _, data = fixes.add(1, "", match=limit.query)
        more = f"add {missing:g} {unit} to the {lowered(label(limit))}", data
        yield finding(limit, message, entries, total, limit.least, more, view=view, shortfall=missing)


def spent(view: View, limit: LimitSpec) -> int | float:
    """What the cards of a deck cost together, by a limit that is bound to it."""
    price = _price(view, limit)
    return _sum(_priced(view, limit, price), price, limit.copy_factors)


def _priced(view: View, limit: LimitSpec, price: Price) -> list[Entry]:
    """The entries that cost something."""
    return [entry for entry, _ in view.matching(limit.query, limit.over) if entry.card and price(entry.card)]


def _price(view: View, limit: LimitSpec) -> Price:
    """What the first copy of a card costs: the field of the limit, or its weights."""
    if not limit.weights:
        return lambda card: _number(card, limit.of)
    tests = [(view.test(query), weight) for query, weight in limit.weights.items()]
    return lambda card: next((weight for matches, weight in tests if matches(card)), 0)


def _number(card: Card, field: str) -> int | float:
    value = card.get(field)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else 0


def _sum(entries: Iterable[Entry], price: Price, factors: tuple[float, ...]) -> int | float:
    if not factors:
        return sum(entry.count * price(entry.card) for entry in entries if entry.card)
    counts: dict[str, int] = {}
    prices: dict[str, int | float] = {}
    for entry in entries:
        if entry.card:
            counts[entry.ref] = counts.get(entry.ref, 0) + entry.count
            prices[entry.ref] = price(entry.card)
    return sum(prices[ref] * _factor(count, factors) for ref, count in counts.items())


def _factor(count: int, factors: tuple[float, ...]) -> float:
    """What so many copies of one card cost, the first costing 1 times its price where the factor is 1."""
    return sum(factors[:count]) + factors[-1] * max(0, count - len(factors))


def _cheaper(entries: list[Entry], price: Price, limit: LimitSpec, excess: int | float) -> list[CardCount]:
    """The fewest cards that bring the sum down by `excess`; none where these cannot."""
    if limit.copy_factors:
        return _cheaper_by_copies(entries, price, limit.copy_factors, excess)
    return cheaper(entries, price, excess)


def cheaper(entries: list[Entry], price: Price, excess: int | float) -> list[CardCount]:
    """The fewest cards that bring a sum down by `excess`, where every copy costs the same; none where these cannot."""
    out = []
    for entry in sorted(entries, key=lambda entry: -price(entry.card) if entry.card else 0):
        cost = price(entry.card) if entry.card else 0
        taken = min(entry.count, int(-(-excess // cost))) if excess > 0 else 0
        if taken > 0:
            out.append(CardCount(entry.ref, name_of(entry), taken))
            excess -= taken * cost
    return out if excess <= 0 else []


def _cheaper_by_copies(
    entries: list[Entry], price: Price, factors: tuple[float, ...], excess: int | float
) -> list[CardCount]:
    """As `_cheaper`, where the copies of a card cost differently: each time what saves most a copy."""
    left = {entry.ref: 0 for entry in entries}
    for entry in entries:
        left[entry.ref] += entry.count
    prices = {entry.ref: price(entry.card) for entry in entries if entry.card}
    taken = dict.fromkeys(left, 0)
    while excess > 0:
        savings = [
            (prices[ref] * (_factor(count, factors) - _factor(count - fewer, factors)), fewer, ref)
            for ref, count in left.items()
            for fewer in range(1, count + 1)
        ]
        saved, fewer, ref = max(savings, key=lambda saving: saving[0] / saving[1], default=(0, 0, ""))
        if saved <= 0:
            return []
        excess -= saved
        left[ref] -= fewer
        taken[ref] += fewer
    names = {entry.ref: name_of(entry) for entry in entries}
    return [CardCount(ref, names[ref], count) for ref, count in taken.items() if count]
