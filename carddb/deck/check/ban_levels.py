"""What the levels of a ban list say of a deck: copies, points of a budget, surcharges, one card of several."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from carddb.bans.log import LevelSpec
from carddb.bans.state import Standing
from carddb.cards.cards import Card, Entry
from carddb.core.amounts import amount, listed
from carddb.deck import fixes
from carddb.deck.card_facts import card_facts
from carddb.deck.check import binding, formats, limit_sums
from carddb.deck.check.limit_findings import label
from carddb.deck.check.list_in_force import ListInForce
from carddb.deck.view import View, cards, copies, last, matching, name_of, places
from carddb.findings import CardCount, Finding, Severity, error
from carddb.game.game import GameSpec


def copies_of_level(entries: list[Entry], spec: GameSpec, list_: ListInForce, standing: Standing) -> Iterator[Finding]:
    """The finding for a card, by its entries, of which there are more than its level allows, or nobody knows."""
    level, codes = list_.level_of(standing), list_.codes
    count, name, list_key = copies(entries), name_of(entries[0]), list_.state.list
    most = None if level.most is None else _in_force(level.most, entries, spec)
    data = {"count": count, "limit": most, "level": level.level, "list": list_key}
    data |= {"status": "unknown" if most is None else level.status, **list_.source(standing)}
    status = f" ({level.status})" if most is not None and level.status != "official" else ""
    source = f"level {level.level}{status} of the {list_key} list since {standing.since}"
    if most is None:
        yield Finding(
            f"{codes.prefix}_level_undefined",
            Severity.NOT_CHECKABLE,
            f"{name} is on {source}, and what that level means is not known",
            places(entries),
            cards=cards(entries),
            data=data,
            fix="Ask whoever keeps the list what the level means.",
            rules=codes.unknown_rules,
        )
    elif count > most:
        yield error(
            f"{codes.prefix}_copies" if most else f"{codes.prefix}_banned",
            f"{name}: {amount(count, 'copy')}, {f'at most {most}' if most else 'none is allowed'} at {source}",
            *places(entries),
            cards=cards(entries),
            data=data,
            rules=codes.level_rules,
            **fixes.offered(fixes.remove(last(entries, count - most))),
        )


def _in_force(most: int, entries: list[Entry], spec: GameSpec) -> int:
    """The lower of what a level allows of a card and its normal copy limit."""
    normal = [
        limit.most
        for limit in spec.limits
        if limit.copies and limit.most is not None and matching(entries, card_facts(spec).test(limit.copies))
    ]
    return min([most, *normal])


def costs(on_list: Sequence[tuple[list[Entry], LevelSpec]], view: View, list_: ListInForce) -> Iterator[Finding]:
    """What the cards on a list cost together: `on_list` are the entries of each, with its level."""
    yield from _different(on_list, list_)
    yield from _points(on_list, list_)
    yield from _surcharge(on_list, view, list_)


def _different(on_list: Sequence[tuple[list[Entry], LevelSpec]], list_: ListInForce) -> Iterator[Finding]:
    """The levels of which a deck has too many different cards."""
    by_level: dict[LevelSpec, list[list[Entry]]] = defaultdict(list)
    for entries, level in on_list:
        if level.at_most_different is not None and level.status != "unknown":
            by_level[level].append(entries)
    for level, of_cards in by_level.items():
        limit = level.at_most_different or 0
        if len(of_cards) > limit:
            present = cards(entry for entries in of_cards for entry in entries)
            fewest = sorted(of_cards, key=copies)[: len(of_cards) - limit]
            message = (
                f"Level {level.level} of the {list_.state.list} list: at most "
                f"{amount(limit, 'different card')}, and the deck has {len(of_cards)}: "
                f"{listed([name_of(entries[0]) for entries in of_cards])}"
            )
            yield error(
                f"{list_.codes.prefix}_restricted",
                message,
                *places(entry for entries in of_cards for entry in entries),
                cards=present,
                data={"list": list_.state.list, "level": level.level, "count": len(of_cards), "limit": limit},
                rules=list_.codes.level_rules,
                **fixes.offered(fixes.remove(cards(entry for entries in fewest for entry in entries))),
            )


def _points(on_list: Sequence[tuple[list[Entry], LevelSpec]], list_: ListInForce) -> Iterator[Finding]:
    """The finding for points that are more than the budget of the list."""
    prices = {entry.ref: level.points for entries, level in on_list for entry in entries if level.points}
    entries = [entry for entries, _ in on_list for entry in entries if entry.ref in prices]
    spent = sum(entry.count * prices[entry.ref] for entry in entries)
    if list_.budget is None or spent <= list_.budget:
        return
    parts = [f"{entry.count} {name_of(entry)} ({entry.count * prices[entry.ref]})" for entry in entries]
    message = f"Points of the {list_.state.list} list: {spent}, at most {list_.budget} may be spent: {listed(parts)}"
    yield _over_budget("points", message, entries, prices, spent, list_.budget, list_)


def _surcharge(on_list: Sequence[tuple[list[Entry], LevelSpec]], view: View, list_: ListInForce) -> Iterator[Finding]:
    """The findings for budgets of the game that are spent because of the surcharge of cards on the list."""
    prices = {entry.ref: level.surcharge for entries, level in on_list for entry in entries if level.surcharge}
    entries = [entry for entries, _ in on_list for entry in entries if entry.ref in prices]
    more = sum(entry.count * prices[entry.ref] for entry in entries)
    if not more:
        return
    played = formats.in_force(view).key or ""
    for limit in (*view.game_facts.always, *view.game_facts.own.get(played, ())):
        if limit.kind != "budget" or limit.of != list_.surcharge_of or not view.applies(limit):
            continue
        bound = limit if limit.fixed else getattr(binding.bind(view, limit), "limit", None)
        if bound is None or bound.most is None:
            continue
        spent = limit_sums.spent(view, bound)
        if spent + more > bound.most:
            message = (
                f"{label(bound)}: {spent:g} {bound.of} and a surcharge of {more} by the {list_.state.list} list for "
                f"{listed([card.name for card in cards(entries)])}, at most {bound.most} may be spent"
            )
            yield _over_budget("surcharge", message, entries, prices, spent + more, bound.most, list_)


def _over_budget(
    code: str,
    message: str,
    entries: list[Entry],
    prices: Mapping[str, int],
    spent: float,
    most: float,
    list_: ListInForce,
) -> Finding:
    def price(card: Card) -> int:
        return prices[card.ref]

    less: list[CardCount] = limit_sums.cheaper(entries, price, spent - most)
    return error(
        f"{list_.codes.prefix}_{code}",
        message,
        *places(entries),
        cards=cards(entries),
        data={"list": list_.state.list, "count": spent, "limit": most},
        rules=list_.codes.level_rules,
        **fixes.offered(*([fixes.remove(less)] if less else [])),
    )
