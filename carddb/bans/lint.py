"""What is wrong with a log, or with announcements that are to be added to it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from carddb.bans.announcement_check import AnnouncementCheck, KnownCards, Places, added, unknown
from carddb.bans.log import Announcement, Log
from carddb.cards.query import parse
from carddb.core.errors import QueryError
from carddb.core.names import did_you_mean
from carddb.findings import Finding, Place, error, warning
from carddb.game.card_fields import FieldSpec

__all__ = ["KnownCards", "Places", "added", "faults", "formats", "groups", "lint", "out_of_order"]

_NOTHING = KnownCards()


def lint(log: Log, cards: KnownCards = _NOTHING) -> list[Finding]:
    """Every fault of a log, each announcement checked against those made before it."""
    return [
        *formats(log, cards),
        *groups(log, cards),
        *_announcements(log, cards, {each.id for each in log.announcements}),
    ]


def formats(log: Log, cards: KnownCards = _NOTHING) -> Iterator[Finding]:
    """The lists whose format there is not: no deck is ever judged by them."""
    for key, each in log.lists.items():
        if cards.formats is not None and each.format and each.format not in cards.formats:
            message = f"the list {key} is for the format {each.format}, which is not known: it binds no deck"
            fix = did_you_mean(each.format, cards.formats) or "Leave the format out."
            yield warning("ban_format_unknown", message, cards.places.get(("list", key), Place()), fix=fix)


def groups(log: Log, cards: KnownCards = _NOTHING) -> Iterator[Finding]:
    """The cards of groups that do not exist, and queries that cannot be read."""
    for key, group in log.groups.items():
        if group.query and cards.fields is not None:
            yield from _query(key, group.query, cards.fields, cards.places.get(("group", key), Place()))
        for ref in group.cards:
            if cards.refs is not None and ref not in cards.refs:
                yield unknown("card", ref, cards.refs, cards.places.get(("group", key), Place()), f"the group {key}")


def _query(key: str, query: str, fields: Mapping[str, FieldSpec], place: Place) -> Iterator[Finding]:
    try:
        parse(query, fields)
    except QueryError as fault:
        message = f"the query of the group {key} cannot be read: {fault.reason}, in {query}"
        yield error("ban_query_invalid", message, place, fix=fault.remedy or "Correct the query.")


def faults(log: Log, new: Sequence[Announcement], cards: KnownCards = _NOTHING) -> list[Finding]:
    """What is wrong with announcements that are to be added to a log, each checked against those made before it."""
    fresh = [each for each in new if not log.announcement(each.id)]
    repeated = [_repeated(each, cards) for each in new if log.announcement(each.id)]
    early = [each for each in fresh if log.announcements and each.made < log.announcements[-1].made]
    early = [each for each in early if each.made_known]
    late = [_entered_late(each, log, cards) for each in early]
    return [*repeated, *late, *_announcements(added(log, fresh), cards, {each.id for each in fresh})]


def out_of_order(announcements: Sequence[Announcement], places: Places) -> Iterator[Finding]:
    """The announcements of a file that stand after one that was made later."""
    for one, other in pairwise(announcements):
        if one.made > other.made:
            message = f"{other.id} stands after {one.id}, which was made later"
            fix = "Put them in the order in which they were made."
            yield warning("ban_order", message, places.get((other.id,), Place()), fix=fix)


def _announcements(log: Log, cards: KnownCards, ids: Collection[str]) -> Iterator[Finding]:
    for at, announcement in enumerate(log.announcements):
        if announcement.id in ids:
            yield from AnnouncementCheck(log, at, cards).findings()


def _repeated(announcement: Announcement, cards: KnownCards) -> Finding:
    message = f"an announcement {announcement.id} was made already, and what was announced is never changed"
    fix = "Give it another id; to change what was announced make a correction or a withdrawal."
    return error("ban_duplicate", message, cards.places.get((announcement.id,), Place()), fix=fix)


def _entered_late(announcement: Announcement, log: Log, cards: KnownCards) -> Finding:
    message = f"{announcement.id} was made before {log.announcements[-1].id}, which is in the log already"
    fix = "See that it was made then: whoever asked meanwhile was told nothing of it."
    return warning("ban_order", message, cards.places.get((announcement.id,), Place()), fix=fix)
