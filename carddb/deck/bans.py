"""What a ban list says of a deck: levels and groups in force, and what is to come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from carddb.bans.log import GroupSpec, LevelSpec, Log
from carddb.bans.state import Standing, State, state
from carddb.cards import Deck, Entry, Pool
from carddb.deck import fixes, formats
from carddb.deck.card_facts import card_facts, identity
from carddb.deck.context import Context
from carddb.deck.deck_view import View, cards, copies, last, matching, name_of, places
from carddb.findings import Finding, Severity, error
from carddb.game import GameSpec


class BanCodes(NamedTuple):
    """The first word of a game's codes for ban lists, and the rules behind levels, groups and unknown levels."""

    prefix: str = "ban"
    level_rules: tuple[str, ...] = ()
    group_rules: tuple[str, ...] = ()
    unknown_rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListInForce:
    """A ban list as decks are checked against it: its state, and under which `key` of the state an entry stands.

    `level_of` is the meaning of a standing; `groups` are those of the state. Findings name the announcement behind them
    only `with_source`.
    """

    state: State
    key: Callable[[Entry], str]
    level_of: Callable[[Standing], LevelSpec]
    groups: Mapping[str, GroupSpec]
    codes: BanCodes
    with_source: bool = True


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """The check of a game without one of its own: the lists of the deck's format, on the day of the context."""
    return list_findings(deck, spec, pool, context, BanCodes())


def list_findings(deck: Deck, spec: GameSpec, pool: Pool, context: Context, codes: BanCodes) -> list[Finding]:
    """What the lists of the deck's format say of it on the day of the context; empty where there is none."""
    if context.bans is None:
        return []
    log = context.bans.on(context.on)
    states = [state(log, key, context.on) for key in lists_of(deck, spec, context)]
    lists = (
        ListInForce(state_, by_identity(spec, pool, state_, log.groups), _levels(log), log.groups, codes)
        for state_ in states
    )
    return [finding for list_ in lists for finding in state_findings(deck, spec, list_)]


def lists_of(deck: Deck, spec: GameSpec, context: Context) -> tuple[str, ...]:
    """The keys of the lists for the format in which a deck is played."""
    if context.bans is None:
        return ()
    played = formats.in_force(View(deck, spec, context)).key or ""
    return tuple(key for key, ban_list in context.bans.lists.items() if ban_list.format == played)


def by_identity(spec: GameSpec, pool: Pool, state_: State, groups: Mapping[str, GroupSpec]) -> Callable[[Entry], str]:
    """The reference under which a list knows the card of an entry: its own, or that of a card that is the same."""
    refs = [*state_.cards, *(ref for key in state_.groups if key in groups for ref in groups[key].cards)]
    same: dict[Hashable, str] = {}
    for ref in refs:
        if card := pool.get(ref):
            same.setdefault(identity(spec, card, None), ref)

    def key(entry: Entry) -> str:
        return entry.ref if entry.ref in refs or not entry.card else same.get(identity(spec, entry.card, None), "")

    return key


def _levels(log: Log) -> Callable[[Standing], LevelSpec]:
    return lambda standing: log.levels.get(standing.level, LevelSpec(standing.level, None, "unknown"))


def state_findings(deck: Deck, spec: GameSpec, list_: ListInForce) -> Iterator[Finding]:
    """What a list's state says of a deck, but for entries without a card, of unknown types or without a count."""
    by_card: dict[Hashable, list[Entry]] = defaultdict(list)
    by_key: dict[str, list[Entry]] = defaultdict(list)
    for entry in deck.entries:
        if entry.card and entry.card.type in spec.types and entry.count:
            by_card[identity(spec, entry.card, None)].append(entry)
            by_key[list_.key(entry)].append(entry)
    for entries in by_card.values():
        if standing := list_.state.levels.get(list_.key(entries[0])):
            yield from _over(entries, spec, list_, standing)
    for key, standing in list_.state.groups.items():
        group = list_.groups.get(key)
        violation = broken(group, {name: copies(entries) for name, entries in by_key.items()}) if group else None
        if group and violation:
            names, limit = violation
            yield _together(group, limit, [entry for name in names for entry in by_key[name]], list_, standing)


def broken(group: GroupSpec, tally: Mapping[str, int]) -> tuple[list[str], int] | None:
    """The members of a group that are present, and its limit, where a deck with so many copies of each breaks it."""
    present = [name for name in group.cards if tally.get(name)]
    if group.anchor is not None:
        wrong, limit = group.anchor in present and len(present) > 1, 0
    elif group.at_most is not None:
        wrong, limit = sum(tally[name] for name in present) > group.at_most, group.at_most
    else:
        wrong, limit = len(present) > group.most_different, group.most_different
    return (present, limit) if wrong else None


def _over(entries: list[Entry], spec: GameSpec, list_: ListInForce, standing: Standing) -> Iterator[Finding]:
    level, codes = list_.level_of(standing), list_.codes
    count, name, list_key = copies(entries), name_of(entries[0]), list_.state.list
    most = None if level.most is None else _in_force(level.most, entries, spec)
    data = {"count": count, "limit": most, "level": level.level, "list": list_key}
    data |= {"status": "unknown" if most is None else level.status, **_source(list_, standing)}
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
            f"{name}: {fixes.amount(count, 'copy')}, {f'at most {most}' if most else 'none is allowed'} at {source}",
            *places(entries),
            cards=cards(entries),
            data=data,
            rules=codes.level_rules,
            **fixes.offered(fixes.remove(last(entries, count - most))),
        )


def _source(list_: ListInForce, standing: Standing) -> dict[str, str]:
    return {"announcement": standing.announcement, "since": standing.since.isoformat()} if list_.with_source else {}


def _in_force(most: int, entries: list[Entry], spec: GameSpec) -> int:
    """The lower of what a level allows of a card and its normal copy limit."""
    normal = [
        limit.most
        for limit in spec.limits
        if limit.copies and limit.most is not None and matching(entries, card_facts(spec).test(limit.copies))
    ]
    return min([most, *normal])


def _together(group: GroupSpec, limit: int, entries: list[Entry], list_: ListInForce, standing: Standing) -> Finding:
    present, list_key = cards(entries), list_.state.list
    names = fixes.listed([card.name for card in present])
    count = sum(card.count for card in present) if group.at_most is not None else len(present)
    if group.anchor is not None:
        anchor = [entry for entry in entries if list_.key(entry) == group.anchor]
        others = [entry for entry in entries if list_.key(entry) != group.anchor]
        reason = f"{name_of(anchor[0])} allows none of the others, and {names} are in the deck"
        remedies = [fixes.remove(cards(anchor)), fixes.remove(cards(others))]
    elif group.at_most is not None:
        reason = f"at most {fixes.amount(limit, 'copy')} of them in all, and the deck has {count}: {names}"
        remedies = [fixes.remove(last(entries, count - limit))]
    else:
        reason = f"at most {limit} of them, and the deck has {count}: {names}"
        remedies = [fixes.remove(sorted(present, key=lambda card: card.count)[: count - limit])]
    data = {"group": group.key, "members": [card.name for card in present], "count": count, "limit": limit}
    return error(
        f"{list_.codes.prefix}_group",
        f"Group {group.key} of the {list_key} list: {reason}",
        *places(entries),
        cards=present,
        data={**data, "list": list_key, **_source(list_, standing)},
        rules=list_.codes.group_rules,
        **fixes.offered(*remedies),
    )
