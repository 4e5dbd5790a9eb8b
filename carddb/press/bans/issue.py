"""Everything that one publication prints: the editions of each list, made once for all output formats."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cached_property

from carddb.bans.edition import Edition, edition_of, edition_on, newest
from carddb.bans.log import Log
from carddb.bans.state import days_of_change, upcoming
from carddb.core.names import portable
from carddb.press.bans.pictures import CardPicture
from carddb.press.bans.wording import Publication

_UNSAFE = re.compile("[^A-Za-z0-9.-]+")
_LONGEST = 60
_BESIDE = (
    "cards", "faces", "thumbnails", "fonts", "style.css", "index.html", "publication.json", "bans.schema.json",
    "bans-upcoming.schema.json",
)  # fmt: skip
"""Names of other files and folders in the publication's folder, which no list's folder may have."""


@dataclass(frozen=True)
class ListIssue:
    """A list in a publication, with its editions.

    `current` is the list on the day of publication, `newest` the edition of the last announcement made by that day, and
    `announced` has the editions of all announcements in order. `ahead` has the list on each future day on which it will
    change, and `history` the list on each past day on which it changed.
    """

    current: Edition
    newest: Edition | None
    announced: tuple[Edition, ...]
    ahead: tuple[Edition, ...]
    history: tuple[Edition, ...]
    folder: str
    pages: Mapping[str, str]
    """The name of each announcement's files, without the ending, by the announcement's id."""

    @property
    def key(self) -> str:
        return self.current.list.key

    @cached_property
    def about(self) -> Mapping[str, Sequence[Edition]]:
        """The editions of the announcements that changed a card or one of its groups, by the card's reference."""
        about: dict[str, list[Edition]] = defaultdict(list)
        for edition in self.announced:
            steps = (*edition.news.stricter, *edition.news.softer) if edition.news else ()
            refs = [step.ref for step in steps]
            refs += [member.ref for group in edition.groups if group.turn for member in group.members]
            refs += [member.ref for group in edition.groups for member in (*group.joined, *group.left)]
            for ref in dict.fromkeys(refs):
                about[ref].append(edition)
        return about

    def page(self, edition: Edition) -> str:
        """Returns the name, without the ending, of the files for `edition`, which is one of `announced`."""
        assert edition.news is not None
        return self.pages[edition.news.announcement.id]


@dataclass(frozen=True, slots=True)
class Issue:
    """A publication: its lists and, by reference, their cards' names and pages (`cards`, file names without ending)."""

    publication: Publication
    lists: tuple[ListIssue, ...]
    names: Mapping[str, str]
    cards: Mapping[str, str]
    day: date
    pictures: Mapping[str, CardPicture] = field(default_factory=dict)
    """The drawn faces by the card's reference. Cards whose face was not drawn are missing."""


def collect(
    log: Log,
    keys: Sequence[str],
    names: Mapping[str, str],
    publication: Publication,
    day: date,
    known_at: datetime | None = None,
) -> Issue:
    """Returns the publication of the lists `keys` on `day`; `names` has the cards' names by reference.

    Announcements made after `known_at` are ignored; None means that none are. Raises KeyError if a list is unknown.
    """
    log = log.announced_by(known_at)
    folders = file_names(keys, _BESIDE)
    lists = tuple(_list(log, key, folders[key], names, day, known_at) for key in keys)
    changes = (change for announcement in log.announcements for change in announcement.changes)
    refs = {change.card for change in changes if change.list in keys}
    for issue in lists:
        groups = [group for edition in issue.announced for group in edition.groups]
        refs |= {member.ref for group in groups for member in (*group.members, *group.left)}
    cards = {ref: names.get(ref, ref) for ref in sorted(refs - {""})}
    return Issue(publication, lists, cards, file_names(cards, ("index",)), day)


def _list(log: Log, key: str, folder: str, names: Mapping[str, str], day: date, known_at: datetime | None) -> ListIssue:
    announced = {
        announcement.id: edition_of(log, key, announcement.id, names)
        for announcement in log.announcements
        if key in log.touched(announcement)
    }
    latest = newest(log, key, day)
    ahead = sorted({announcement.effective for announcement in upcoming(log, key, day)})
    return ListIssue(
        edition_on(log, key, day, names, known_at),
        announced[latest.id] if latest else None,
        tuple(announced.values()),
        tuple(edition_on(log, key, on, names, known_at) for on in ahead),
        tuple(_changed(edition_on(log, key, on, names, known_at) for on in days_of_change(log, key) if on <= day)),
        folder,
        file_names(announced, ("index",)),
    )


def _changed(editions: Iterable[Edition]) -> Iterator[Edition]:
    """Yields the editions that differ from the one before. The first one counts as different unless it is empty."""
    before: tuple[object, ...] = ((), ())
    for edition in editions:
        if (edition.rows, edition.in_force) != before:
            yield edition
        before = edition.rows, edition.in_force


def file_names(keys: Iterable[str], taken: Collection[str] = ()) -> dict[str, str]:
    """Returns a file name without ending for each key, distinct, not `taken`, and safe in file systems and URLs."""
    used = set(taken)
    out: dict[str, str] = {}
    for key in sorted(set(keys)):
        name = portable(_UNSAFE.sub("-", key).strip("-.")[:_LONGEST])
        if name != key or name.casefold() in used:
            name = "-".join(filter(None, (name, hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:8])))
        used.add(name.casefold())
        out[key] = name
    return out
