"""Why a card, or several together, are restricted: the levels and groups that concern them, and their history."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from carddb.bans.log import Announcement, Change, GroupSpec, Log, changes_of
from carddb.bans.state import Standing, State


class Hold(NamedTuple):
    """One restriction of a card on a list: its level, or a group that it is in; `group` is None for a level."""

    list: str
    card: str
    group: GroupSpec | None
    standing: Standing
    announcement: Announcement | None


class HistoryEntry(NamedTuple):
    """One entry of a card's history."""

    announcement: Announcement
    change: Change


def holds(log: Log, state: State, cards: Collection[str]) -> list[Hold]:
    """The restrictions of these cards on a list: each card's level and, of several, the groups that hold two of them.

    Of a single card every group in force that it is in.
    """
    held = [
        Hold(state.list, card, None, standing, log.announcement(standing.announcement))
        for card in cards
        if (standing := state.levels.get(card))
    ]
    for key, standing in state.groups.items():
        group = log.groups.get(key)
        if group and _within(group, cards) >= min(2, len(set(cards))):
            held.append(Hold(state.list, "", group, standing, log.announcement(standing.announcement)))
    return held


def history(log: Log, list_key: str, card: str) -> list[HistoryEntry]:
    """Every change of a card and of its groups on a list, in the order in which they were announced."""
    groups = {key for key, group in log.groups.items() if card in group.cards}
    groups |= {change.group for _, change in changes_of(log, list_key) if change.card == card and change.group}
    return [
        HistoryEntry(*pair)
        for pair in changes_of(log, list_key)
        if pair[1].card == card or (pair[1].group in groups and not pair[1].card)
    ]


def _within(group: GroupSpec, cards: Collection[str]) -> int:
    held = set(group.cards) & set(cards)
    # An anchor forbids the others; they do not forbid each other.
    return len(held) if group.anchor is None or group.anchor in held else 0 if len(set(cards)) > 1 else len(held)
