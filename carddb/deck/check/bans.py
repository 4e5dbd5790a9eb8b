"""Checks a deck against a ban list: the levels of its cards, their points and surcharges, and the groups in force."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from carddb.bans.log import GroupSpec, LevelSpec, Log
from carddb.bans.state import LevelStanding, ListState, state, with_members
from carddb.cards.cards import Deck, Entry, Pool
from carddb.core.errors import QueryError
from carddb.core.groups import grouped
from carddb.core.names import Identity
from carddb.core.plain_text import amount, listed
from carddb.deck.check import formats, limits
from carddb.deck.context import Context, Fix, View, card_facts, cards, copies, finding, last, matching, name_of
from carddb.findings import Finding, Severity
from carddb.game.game import GameSpec


class BanCodes(NamedTuple):
    """The prefix of a game's finding codes for ban lists, and the rules behind levels, groups and unknown levels."""

    prefix: str = "ban"
    level_rules: tuple[str, ...] = ()
    group_rules: tuple[str, ...] = ()
    unknown_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListInForce:
    """A ban list on one day. `key` returns the reference under which the list has the card of an entry.

    `level_of` returns the meaning of a standing's level, and `groups` are the groups in force. Findings name the
    announcement behind them only if `with_source`. `budget` is the most points that a deck may cost (None means no
    limit). If the game limits the sum of the field `surcharge_of`, surcharges are added to that sum. Readers call the
    list `name`.
    """

    state: ListState
    key: Callable[[Entry], str]
    level_of: Callable[[LevelStanding], LevelSpec]
    groups: Mapping[str, GroupSpec]
    codes: BanCodes
    with_source: bool = True
    budget: int | None = None
    surcharge_of: str = ""
    name: str = "ban list"

    def standing(self, entry: Entry) -> LevelStanding | None:
        """Returns the standing of an entry's card, or None if it is not on the list."""
        standing = self.state.cards.get(self.key(entry))
        return standing if standing and standing.level else None

    def source(self, standing: LevelStanding) -> dict[str, Any]:
        """Returns the announcement behind a standing, and its day, as data for a finding."""
        if not self.with_source:
            return {}
        return {"announcement": standing.announcement, "since": standing.since.isoformat()}


def copies_of_level(
    entries: list[Entry], spec: GameSpec, list_: ListInForce, standing: LevelStanding
) -> Iterator[Finding]:
    """Yields a finding if the card of `entries` has more copies than its level allows, or if that number is unknown."""
    level, codes = list_.level_of(standing), list_.codes
    count, name, list_key = copies(entries), name_of(entries[0]), list_.state.list
    normal = [
        limit.most
        for limit in spec.limits
        if limit.copies and limit.most is not None and matching(entries, card_facts(spec).test(limit.copies))
    ]
    most = None if level.most is None else min([level.most, *normal])
    data = {"count": count, "limit": most, "level": level.level, "list": list_key}
    data |= {"status": "unknown" if most is None else level.status, **list_.source(standing)}
    status = f" ({level.status})" if most is not None and level.status != "official" else ""
    source = f"level {level.level}{status} of the {list_.name} since {standing.since}"
    if most is None:
        code = f"{codes.prefix}_level_undefined"
        message = f"{name} is on {source}, but it is not known how many copies that level allows"
        fault = finding(code, message, entries, data, rules=codes.unknown_rules, severity=Severity.NOT_CHECKABLE)
        yield fault._replace(fix="Ask whoever keeps the list how many copies the level allows.")
    elif count > most:
        code = f"{codes.prefix}_copies" if most else f"{codes.prefix}_banned"
        allowed = f"at most {most}" if most else "none"
        message = f"{name}: {amount(count, 'copy')}, {allowed} allowed by {source}"
        less = Fix.remove(last(entries, count - most))
        yield finding(code, message, entries, data, less, rules=codes.level_rules)


def _different(on_list: Sequence[tuple[list[Entry], LevelSpec]], list_: ListInForce) -> Iterator[Finding]:
    """Yields a finding for each level with too many different cards in the deck."""
    certain = ((level, entries) for entries, level in on_list if level.status != "unknown")
    for level, of_cards in grouped(pair for pair in certain if pair[0].at_most_different is not None).items():
        limit = level.at_most_different or 0
        if len(of_cards) > limit:
            present = [entry for entries in of_cards for entry in entries]
            fewest = sorted(of_cards, key=copies)[: len(of_cards) - limit]
            less = Fix.remove(cards(entry for entries in fewest for entry in entries))
            message = (
                f"Level {level.level} of the {list_.name}: at most "
                f"{amount(limit, 'different card')} may be in a deck, and this one has {len(of_cards)}: "
                f"{listed([name_of(entries[0]) for entries in of_cards])}"
            )
            data = {"list": list_.state.list, "level": level.level, "count": len(of_cards), "limit": limit}
            code = f"{list_.codes.prefix}_restricted"
            yield finding(code, message, present, data, less, rules=list_.codes.level_rules)


def _points(on_list: Sequence[tuple[list[Entry], LevelSpec]], list_: ListInForce) -> Iterator[Finding]:
    """Yields a finding if the points of the deck exceed the budget of the list."""
    prices = {entry.ref: level.points for entries, level in on_list for entry in entries if level.points}
    entries = [entry for entries, _ in on_list for entry in entries if entry.ref in prices]
    spent = sum(entry.count * prices[entry.ref] for entry in entries)
    if list_.budget is None or spent <= list_.budget:
        return
    parts = [f"{entry.count} {name_of(entry)} ({entry.count * prices[entry.ref]})" for entry in entries]
    message = f"Points of the {list_.name}: {spent}, at most {list_.budget} may be spent: {listed(parts)}"
    yield _over_budget("points", message, entries, prices, spent, list_.budget, list_)


def _surcharge(on_list: Sequence[tuple[list[Entry], LevelSpec]], view: View, list_: ListInForce) -> Iterator[Finding]:
    """Yields a finding for each budget of the game that is exceeded because of surcharges."""
    prices = {entry.ref: level.surcharge for entries, level in on_list for entry in entries if level.surcharge}
    entries = [entry for entries, _ in on_list for entry in entries if entry.ref in prices]
    more = sum(entry.count * prices[entry.ref] for entry in entries)
    if not more:
        return
    played = formats.in_force(view).key or ""
    for limit in (*view.game_facts.always, *view.game_facts.own.get(played, ())):
        if limit.kind != "budget" or limit.of != list_.surcharge_of or not view.applies(limit):
            continue
        bound, _ = limits.bind(view, limit) or (None, "")
        if bound is None or bound.most is None:
            continue
        spent = limits.spent(view, bound)
        if spent + more > bound.most:
            message = (
                f"{limits.label(bound)}: {spent:g} {bound.of} and a surcharge of {more} by the "
                f"{list_.name} for {listed([card.name for card in cards(entries)])}, "
                f"at most {bound.most} may be spent"
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
    less = limits.cheaper(entries, lambda card: prices[card.ref], spent - most)
    data = {"list": list_.state.list, "count": spent, "limit": most}
    remedy = Fix.remove(less) if less else None
    code = f"{list_.codes.prefix}_{code}"
    return finding(code, message, entries, data, remedy, rules=list_.codes.level_rules)


def unreadable(spec: GameSpec, list_: ListInForce) -> Iterator[Finding]:
    """Yields a finding for each group in force whose query is invalid, so that its cards are unknown."""
    for key, standing in list_.state.groups.items():
        group = list_.groups.get(key)
        if group and (fault := _fault(group, spec)):
            yield Finding(
                f"{list_.codes.prefix}_group_undefined",
                Severity.NOT_CHECKABLE,
                f"The query of the group {key} of the {list_.name} cannot be read: {fault}",
                data={"group": key, "list": list_.state.list, **list_.source(standing)},
                fix="Ask whoever keeps the list for a query that the game understands.",
                rules=list_.codes.group_rules,
            )


def _fault(group: GroupSpec, spec: GameSpec) -> str:
    """Returns what is wrong with a group's query, or an empty text."""
    try:
        _ = group.query and card_facts(spec).test(group.query)
    except QueryError as fault:
        return fault.reason
    return ""


def _together(
    group: GroupSpec, by_key: Mapping[str, list[Entry]], list_: ListInForce, standing: LevelStanding
) -> Iterator[Finding]:
    """Yields a finding if the deck breaks the limit of a group; `by_key` has the deck's entries by `list_.key`."""
    of_cards = {name: by_key[name] for name in group.cards if name in by_key}
    if group.max_copies is not None:
        of_cards = {name: own for name, own in of_cards.items() if copies(own) > group.max_copies}
    entries = [entry for own in of_cards.values() for entry in own]
    present = cards(entries)
    names = listed([card.name for card in present])
    if group.anchor is not None:
        limit, count = 0, len(present)
        if group.anchor not in of_cards or len(of_cards) < 2:
            return
        anchor, *others = of_cards.values()
        reason = f"{name_of(anchor[0])} forbids all others of the group, and the deck has {names}"
        remedies = [Fix.remove(cards(anchor)), Fix.remove(cards(entry for own in others for entry in own))]
    elif group.at_most is not None:
        limit, count = group.at_most, copies(entries)
        if count <= limit:
            return
        reason = f"at most {amount(limit, 'copy')} of its cards in all, and the deck has {count}: {names}"
        remedies = [Fix.remove(last(entries, count - limit))]
    elif group.max_copies is not None:
        limit, count = group.max_copies, copies(entries)
        if not entries:
            return
        reason = f"at most {amount(limit, 'copy')} of each of its cards, and the deck has {Fix.counted(present)}"
        remedies = [Fix.remove([card for own in of_cards.values() for card in last(own, copies(own) - limit)])]
    else:
        limit, count = group.most_different, len(present)
        if len(of_cards) <= limit:
            return
        reason = f"at most {limit} of its cards, and the deck has {count}: {names}"
        remedies = [Fix.remove(sorted(present, key=lambda card: card.count)[: count - limit])]
    list_key = list_.state.list
    data = {"group": group.key, "members": [card.name for card in present], "count": count, "limit": limit}
    data |= {"list": list_key, **list_.source(standing)}
    message = f"Group {group.key} of the {list_.name}: {reason}"
    code = f"{list_.codes.prefix}_group"
    yield finding(code, message, entries, data, *remedies, rules=list_.codes.group_rules)


_USUAL_CODES = BanCodes()


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context, codes: BanCodes = _USUAL_CODES) -> list[Finding]:
    """Checks a deck against the lists for its format on the context's day."""
    if context.bans is None:
        return []
    lists = [_in_force(key, deck, spec, pool, context, codes) for key in lists_of(deck, spec, context)]
    return [finding for list_ in lists for finding in state_findings(deck, spec, list_, context)]


def _in_force(key: str, deck: Deck, spec: GameSpec, pool: Pool, context: Context, codes: BanCodes) -> ListInForce:
    """Returns the list `key` of the context as it is in force for the deck.

    Cards of the deck that match a group's query and are not exempt are added to the group. An invalid query adds none.
    """
    assert context.bans is not None
    list_ = _for_every_deck(key, Identity(spec), pool, Identity(context.bans), context.on, codes)
    if not any(group.query for group in list_.groups.values()):
        return list_

    def exempt(entry: Entry) -> bool:
        standing = list_.state.cards.get(list_.key(entry))
        return standing is not None and list_.level_of(standing).exempt

    identity, groups = card_facts(spec).identity(None), dict(list_.groups)
    for name, group in list_.groups.items():
        if group.query and not _fault(group, spec):
            test, members = card_facts(spec).test(group.query), dict[Hashable, str]()
            for entry in deck.entries:
                if entry.card and test(entry.card) and not exempt(entry):
                    members.setdefault(identity(entry.card), list_.key(entry) or entry.ref)
            groups[name] = group._replace(members=tuple(dict.fromkeys((*group.members, *members.values()))))
    return replace(list_, key=by_identity(spec, pool, list_.state, groups), groups=groups)


@lru_cache(maxsize=32)
def _for_every_deck(
    key: str, spec: Identity[GameSpec], pool: Pool, bans: Identity[Log], on: date, codes: BanCodes
) -> ListInForce:
    """Returns the part of a list in force that is the same for every deck. It is cached, as making it takes 2 ms."""
    log = bans.value.on(on)
    now, ban_list = state(log, key, on), log.lists[key]
    of_log = with_members(log, now).groups
    groups = {name: of_log[name] for name in now.groups if name in of_log}

    def level_of(standing: LevelStanding) -> LevelSpec:
        return log.levels.get(standing.level, LevelSpec(standing.level, None, "unknown"))

    return ListInForce(
        now, by_identity(spec.value, pool, now, groups), level_of, groups, codes,
        budget=ban_list.budget, surcharge_of=ban_list.surcharge_of, name=ban_list.name,
    )  # fmt: skip


def lists_of(deck: Deck, spec: GameSpec, context: Context) -> tuple[str, ...]:
    """Returns the keys of the ban lists that apply to the format in which a deck is played."""
    if context.bans is None:
        return ()
    played = formats.in_force(View(deck, spec, context)).key or ""
    return tuple(key for key, ban_list in context.bans.lists.items() if ban_list.format == played)


def by_identity(
    spec: GameSpec, pool: Pool, state_: ListState, groups: Mapping[str, GroupSpec]
) -> Callable[[Entry], str]:
    """Returns the function `ListInForce.key`, which returns the reference of a listed card that is the same card."""
    refs = dict.fromkeys([*state_.cards, *(ref for key in state_.groups if key in groups for ref in groups[key].cards)])
    same: dict[Hashable, str] = {}
    identity = card_facts(spec).identity(None)
    for ref in refs:
        if card := pool.get(ref):
            same.setdefault(identity(card), ref)

    def key(entry: Entry) -> str:
        return entry.ref if entry.ref in refs or not entry.card else same.get(identity(entry.card), "")

    return key


def state_findings(deck: Deck, spec: GameSpec, list_: ListInForce, context: Context) -> Iterator[Finding]:
    """Yields the findings of a list about a deck. Entries without a card, a known type or a count are ignored."""
    identity = card_facts(spec).identity(None)
    pairs = [(e.card, e) for e in deck.entries if e.card and e.card.type in spec.types and e.count]
    by_card = grouped((identity(card), entry) for card, entry in pairs)
    by_key = grouped((list_.key(entry), entry) for _, entry in pairs)
    listed = []
    for entries in by_card.values():
        if standing := list_.standing(entries[0]):
            yield from copies_of_level(entries, spec, list_, standing)
            listed.append((entries, list_.level_of(standing)))
    if any(level.costs for _, level in listed):
        yield from _different(listed, list_)
        yield from _points(listed, list_)
        yield from _surcharge(listed, View(deck, spec, context), list_)
    yield from unreadable(spec, list_)
    for key, standing in list_.state.groups.items():
        if group := list_.groups.get(key):
            yield from _together(group, by_key, list_, standing)
