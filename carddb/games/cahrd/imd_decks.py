"""What the restricted list says of a deck."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Any

from carddb.deck import fixes
from carddb.deck.known import identity, known
from carddb.deck.view import cards, copies, last, matching, name_of, places
from carddb.findings import Finding, Severity, error, warning
from carddb.game import GameSpec
from carddb.games.cahrd import imd
from carddb.names import fold_space
from carddb.pool import Deck, Entry


def findings(
    deck: Deck, spec: GameSpec, changes: imd.Changes, list_: str, day: date, limits: imd.Limits
) -> Iterator[Finding]:
    """What a list says of a deck on a day, and which changes are passed over (C-143 to C-150)."""
    yield from _unsound(changes, spec)
    by_card: dict[Any, list[Entry]] = defaultdict(list)
    by_name: dict[str, list[Entry]] = defaultdict(list)
    for entry in deck.entries:
        if entry.card and entry.card.type in spec.types and entry.count:
            by_card[identity(spec, entry.card, None)].append(entry)
            by_name[fold_space(entry.card.name)].append(entry)
    standings = imd.standings(changes, list_, day, limits, spec)
    for entries in by_card.values():
        standing = standings.get(fold_space(name_of(entries[0])))
        if standing and standing.level != imd.OFF:
            yield from _over(entries, spec, list_, standing)
    totals = {name: copies(entries) for name, entries in by_name.items()}
    for group in imd.groups(changes, list_, day, spec):
        if found := imd.broken(group, totals):
            yield _together(group, found[1], [entry for name in found[0] for entry in by_name[name]])


def _unsound(changes: imd.Changes, spec: GameSpec) -> Iterator[Finding]:
    for change in changes:
        name = change.card if isinstance(change, imd.LevelChange) else change.group
        for code in imd.faults(change, spec):
            yield warning(
                code,
                f"The change for {name} of {change.announced}, in force from {change.effective}, is passed over",
                data={"name": name, "list": change.list},
                fix="Correct the change.",
                rules=("C-147",),
            )


def _over(entries: list[Entry], spec: GameSpec, list_: str, standing: imd.Standing) -> Iterator[Finding]:
    count, name, level = copies(entries), name_of(entries[0]), standing.level
    most = None if standing.max_copies is None else _in_force(standing.max_copies, entries, spec)
    data = {"count": count, "limit": most, "level": level, "list": list_, "status": standing.status}
    said = f"level {level} of the {list_} list since {standing.since}"
    if most is None:
        yield Finding(
            "imd_level_undefined",
            Severity.NOT_CHECKABLE,
            f"{name} is on {said}, and what that level means is not known",
            places(entries),
            cards=cards(entries),
            data=data,
            fix="Ask whoever keeps the list what the level means.",
            rules=("C-150",),
        )
    elif count > most:
        yield error(
            "imd_copies" if most else "imd_banned",
            f"{name}: {fixes.amount(count, 'copy')}, at most {most} at {said}",
            *places(entries),
            cards=cards(entries),
            data=data,
            rules=("C-143", "C-147"),
            **fixes.offered(fixes.remove(last(entries, count - most))),
        )


def _in_force(most: int, entries: list[Entry], spec: GameSpec) -> int:
    """The lower of what a level allows of a card and its normal copy limit (C-143)."""
    normal = [
        limit.max
        for limit in spec.limits
        if limit.copies and limit.max is not None and matching(entries, known(spec).test(limit.copies))
    ]
    return min([most, *normal])


def _together(group: imd.GroupChange, limit: int, entries: list[Entry]) -> Finding:
    present = cards(entries)
    names = fixes.listed([card.name for card in present])
    if group.anchor is not None:
        said = f"{group.anchor} allows none of the others"
    elif group.at_most is not None:
        said = f"at most {fixes.amount(limit, 'copy')} of them in all"
    else:
        said = f"at most {limit} of them"
    return error(
        "imd_group",
        f"Group {group.group} of the {group.list} list: {said}, and {names} are in the deck",
        *places(entries),
        cards=present,
        data={"group": group.group, "members": [card.name for card in present], "limit": limit, "list": group.list},
        fix="Choose among them.",
        rules=("C-149",),
    )
