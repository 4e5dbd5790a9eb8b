"""Groups of a ban list in a deck: the cards that a query names, and the decks that break a group."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping

from carddb.bans.log import GroupSpec
from carddb.bans.state import Standing
from carddb.cards.cards import Deck, Entry
from carddb.core.amounts import amount, listed
from carddb.core.errors import QueryError
from carddb.deck import fixes
from carddb.deck.card_facts import card_facts
from carddb.deck.check.list_in_force import ListInForce
from carddb.deck.view import cards, copies, last, name_of, places
from carddb.findings import Finding, Severity, error
from carddb.game.game import GameSpec


def in_deck(
    groups: Mapping[str, GroupSpec],
    keys: Collection[str],
    deck: Deck,
    spec: GameSpec,
    reference: Callable[[Entry], str],
    exempt: Callable[[Entry], bool],
) -> dict[str, GroupSpec]:
    """The groups of these keys, where a query names cards with those of the deck that match it and are not exempt.

    `reference` is under which reference the lists know an entry's card; none where they do not. A query that cannot be
    read names no card: `unreadable` says so.
    """
    out = {key: groups[key] for key in keys if key in groups}
    for key, group in out.items():
        if group.query and not _fault(group, spec):
            test = card_facts(spec).test(group.query)
            identity, members = card_facts(spec).identity(None), dict[Hashable, str]()
            for entry in deck.entries:
                if entry.card and test(entry.card) and not exempt(entry):
                    members.setdefault(identity(entry.card), reference(entry) or entry.ref)
            out[key] = group._replace(members=tuple(dict.fromkeys((*group.members, *members.values()))))
    return out


def unreadable(spec: GameSpec, list_: ListInForce) -> Iterator[Finding]:
    """The groups in force whose query cannot be read: nobody knows which cards they name."""
    for key, standing in list_.state.groups.items():
        group = list_.groups.get(key)
        if group and (fault := _fault(group, spec)):
            yield Finding(
                f"{list_.codes.prefix}_group_undefined",
                Severity.NOT_CHECKABLE,
                f"The query of the group {key} of the {list_.state.list} list cannot be read: {fault}",
                data={"group": key, "list": list_.state.list, **list_.source(standing)},
                fix="Ask whoever keeps the list for a query that the game understands.",
                rules=list_.codes.group_rules,
            )


def _fault(group: GroupSpec, spec: GameSpec) -> str:
    """What is wrong with the query of a group; empty where nothing is."""
    try:
        _ = group.query and card_facts(spec).test(group.query)
    except QueryError as fault:
        return fault.reason
    return ""


def broken_groups(list_: ListInForce, by_key: Mapping[str, list[Entry]]) -> Iterator[Finding]:
    """What the groups in force say of a deck, its entries by the reference under which the list knows them."""
    tally = {name: copies(entries) for name, entries in by_key.items()}
    for key in list_.state.groups:
        group = list_.groups.get(key)
        violation = broken(group, tally) if group else None
        if group and violation:
            names, limit = violation
            entries = [entry for name in names for entry in by_key[name]]
            yield _together(group, limit, entries, list_, list_.state.groups[key])


def broken(group: GroupSpec, tally: Mapping[str, int]) -> tuple[list[str], int] | None:
    """The members of a group that are guilty, and its limit, where a deck with so many copies of each breaks it."""
    present = [name for name in group.cards if tally.get(name)]
    if group.anchor is not None:
        wrong, limit = group.anchor in present and len(present) > 1, 0
    elif group.at_most is not None:
        wrong, limit = sum(tally[name] for name in present) > group.at_most, group.at_most
    elif group.max_copies is not None:
        limit = group.max_copies
        present = [name for name in present if tally[name] > limit]
        wrong = bool(present)
    else:
        wrong, limit = len(present) > group.most_different, group.most_different
    return (present, limit) if wrong else None


def _together(group: GroupSpec, limit: int, entries: list[Entry], list_: ListInForce, standing: Standing) -> Finding:
    present, list_key = cards(entries), list_.state.list
    names = listed([card.name for card in present])
    counted = group.at_most is not None or group.max_copies is not None
    count = sum(card.count for card in present) if counted else len(present)
    if group.anchor is not None:
        anchor = [entry for entry in entries if list_.key(entry) == group.anchor]
        others = [entry for entry in entries if list_.key(entry) != group.anchor]
        reason = f"{name_of(anchor[0])} allows none of the others, and {names} are in the deck"
        remedies = [fixes.remove(cards(anchor)), fixes.remove(cards(others))]
    elif group.at_most is not None:
        reason = f"at most {amount(limit, 'copy')} of them in all, and the deck has {count}: {names}"
        remedies = [fixes.remove(last(entries, count - limit))]
    elif group.max_copies is not None:
        reason = f"at most {amount(limit, 'copy')} of each, and the deck has {fixes.counted(present)}"
        by_key: dict[str, list[Entry]] = {}
        for entry in entries:
            by_key.setdefault(list_.key(entry), []).append(entry)
        more = [card for each in by_key.values() for card in last(each, copies(each) - limit)]
        remedies = [fixes.remove(more)]
    else:
        reason = f"at most {limit} of them, and the deck has {count}: {names}"
        remedies = [fixes.remove(sorted(present, key=lambda card: card.count)[: count - limit])]
    data = {"group": group.key, "members": [card.name for card in present], "count": count, "limit": limit}
    return error(
        f"{list_.codes.prefix}_group",
        f"Group {group.key} of the {list_key} list: {reason}",
        *places(entries),
        cards=present,
        data={**data, "list": list_key, **list_.source(standing)},
        rules=list_.codes.group_rules,
        **fixes.offered(*remedies),
    )
