"""What a ban list says of a deck: levels and groups in force, and what is to come."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache

from carddb.bans.log import GroupSpec, LevelSpec, Log
from carddb.bans.state import Standing, State, state, with_members
from carddb.cards.cards import Deck, Entry, Pool
from carddb.core.identity import Identity
from carddb.deck.card_facts import card_facts
from carddb.deck.check import formats
from carddb.deck.check.ban_groups import broken_groups, in_deck, unreadable
from carddb.deck.check.ban_levels import copies_of_level, costs
from carddb.deck.check.list_in_force import BanCodes, ListInForce
from carddb.deck.context import Context
from carddb.deck.view import View
from carddb.findings import Finding
from carddb.game.game import GameSpec


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """The check of a game without one of its own: the lists of the deck's format, on the day of the context."""
    return list_findings(deck, spec, pool, context, BanCodes())


def list_findings(deck: Deck, spec: GameSpec, pool: Pool, context: Context, codes: BanCodes) -> list[Finding]:
    """What the lists of the deck's format say of it on the day of the context; empty where there is none."""
    if context.bans is None:
        return []
    lists = [_in_force(key, deck, spec, pool, context, codes) for key in lists_of(deck, spec, context)]
    return [finding for list_ in lists for finding in state_findings(deck, spec, list_, context)]


def _in_force(key: str, deck: Deck, spec: GameSpec, pool: Pool, context: Context, codes: BanCodes) -> ListInForce:
    """A list of the context as a deck is checked against it."""
    assert context.bans is not None
    list_ = _for_every_deck(key, Identity(spec), pool, Identity(context.bans), context.on, codes)
    if not any(group.query for group in list_.groups.values()):
        return list_

    def exempt(entry: Entry) -> bool:
        standing = list_.state.cards.get(list_.key(entry))
        return standing is not None and list_.level_of(standing).exempt

    groups = in_deck(list_.groups, tuple(list_.groups), deck, spec, list_.key, exempt)
    return replace(list_, key=by_identity(spec, pool, list_.state, groups), groups=groups)


@lru_cache(maxsize=32)
def _for_every_deck(
    key: str, spec: Identity[GameSpec], pool: Pool, bans: Identity[Log], on: date, codes: BanCodes
) -> ListInForce:
    """What a list says on a day, whatever the deck: worked out once, which took 2 ms a deck."""
    log = bans.value.on(on)
    now, ban_list = state(log, key, on), log.lists[key]
    of_log = with_members(log, now).groups
    groups = {name: of_log[name] for name in now.groups if name in of_log}
    return ListInForce(
        now, by_identity(spec.value, pool, now, groups), _levels(log), groups, codes,
        budget=ban_list.budget, surcharge_of=ban_list.surcharge_of,
    )  # fmt: skip


def lists_of(deck: Deck, spec: GameSpec, context: Context) -> tuple[str, ...]:
    """The keys of the lists for the format in which a deck is played."""
    if context.bans is None:
        return ()
    played = formats.in_force(View(deck, spec, context)).key or ""
    return tuple(key for key, ban_list in context.bans.lists.items() if ban_list.format == played)


def by_identity(spec: GameSpec, pool: Pool, state_: State, groups: Mapping[str, GroupSpec]) -> Callable[[Entry], str]:
    """The reference under which a list knows the card of an entry: its own, or that of a card that is the same."""
    refs = dict.fromkeys([*state_.cards, *(ref for key in state_.groups if key in groups for ref in groups[key].cards)])
    same: dict[Hashable, str] = {}
    identity = card_facts(spec).identity(None)
    for ref in refs:
        if card := pool.get(ref):
            same.setdefault(identity(card), ref)

    def key(entry: Entry) -> str:
        return entry.ref if entry.ref in refs or not entry.card else same.get(identity(entry.card), "")

    return key


def _levels(log: Log) -> Callable[[Standing], LevelSpec]:
    return lambda standing: log.levels.get(standing.level, LevelSpec(standing.level, None, "unknown"))


def state_findings(deck: Deck, spec: GameSpec, list_: ListInForce, context: Context) -> Iterator[Finding]:
    """What a list's state says of a deck, but for entries without a card, of unknown types or without a count."""
    identity = card_facts(spec).identity(None)
    by_card: dict[Hashable, list[Entry]] = defaultdict(list)
    by_key: dict[str, list[Entry]] = defaultdict(list)
    for entry in deck.entries:
        if entry.card and entry.card.type in spec.types and entry.count:
            by_card[identity(entry.card)].append(entry)
            by_key[list_.key(entry)].append(entry)
    listed = []
    for entries in by_card.values():
        if standing := list_.standing(entries[0]):
            yield from copies_of_level(entries, spec, list_, standing)
            listed.append((entries, list_.level_of(standing)))
    if any(level.costs for _, level in listed):
        yield from costs(listed, View(deck, spec, context), list_)
    yield from unreadable(spec, list_)
    yield from broken_groups(list_, by_key)
