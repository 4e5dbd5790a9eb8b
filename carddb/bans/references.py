"""Ban lists that name cards by codes of printings: the log holds references, so that every printing counts."""

from __future__ import annotations

from collections.abc import Callable

from carddb.bans.log import Announcement, GroupSpec, Log, WholeList


def with_references(log: Log, reference: Callable[[str], str]) -> Log:
    """The log with `reference` of every card that it names."""

    def of_announcement(announcement: Announcement) -> Announcement:
        changes = (c._replace(card=reference(c.card)) if c.card else c for c in announcement.changes)
        return announcement._replace(changes=tuple(changes), replaces=tuple(map(of_list, announcement.replaces)))

    def of_list(whole: WholeList) -> WholeList:
        return whole._replace(cards=tuple((reference(card), level) for card, level in whole.cards))

    def of_group(group: GroupSpec) -> GroupSpec:
        members = tuple(map(reference, group.members))
        return group._replace(members=members, anchor=group.anchor and reference(group.anchor))

    return log._replace(
        announcements=tuple(map(of_announcement, log.announcements)),
        groups={key: of_group(group) for key, group in log.groups.items()},
    )
