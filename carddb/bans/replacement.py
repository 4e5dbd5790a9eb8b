"""A list that is replaced as a whole: the changes that its announcement comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from carddb.bans.announcement_check import added
from carddb.bans.log import OFF, ON, Announcement, Change, Log, WholeList
from carddb.bans.state import state


def expanded(log: Log, new: Iterable[Announcement]) -> tuple[Announcement, ...]:
    """Announcements with the changes that the lists they replace come to, by those of the log made before each.

    One that names its changes stays as it is.
    """
    out: list[Announcement] = []
    for announcement in sorted(new, key=lambda each: each.made):
        whole = announcement.replaces and not announcement.changes
        out.append(_expanded(log, out, announcement) if whole else announcement)
    return tuple(out)


def _expanded(log: Log, new: Iterable[Announcement], announcement: Announcement) -> Announcement:
    earlier = [each for each in log.announcements if each.made <= announcement.made and each.id != announcement.id]
    earlier_ids = {each.id for each in earlier}
    base = added(log._replace(announcements=tuple(earlier)), [each for each in new if each.id not in earlier_ids])
    return announcement._replace(changes=tuple(_changes(base, announcement)))


def _changes(log: Log, announcement: Announcement) -> Iterator[Change]:
    for whole in announcement.replaces:
        now = state(log, whole.list, announcement.effective)
        levels = {ref: standing.level for ref, standing in now.levels.items()}
        yield from _of_cards(whole, levels)
        groups = set(now.groups)
        for key in sorted(groups ^ set(whole.groups)):
            before, after = (ON, OFF) if key in groups else (OFF, ON)
            yield Change(whole.list, "", key, before, after)


def _of_cards(whole: WholeList, levels: dict[str, int]) -> Iterator[Change]:
    levels_after = dict(whole.cards)
    for ref in sorted({*levels, *levels_after}):
        before, after = levels.get(ref, OFF), levels_after.get(ref, OFF)
        if before != after:
            yield Change(whole.list, ref, "", before, after)
