"""What every output says of an edition, in the same words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from carddb.bans.edition import Edition, GroupRow
from carddb.bans.log import OFF, local_day
from carddb.game import GameSpec

SAMPLE = "Sample data, not an official list"
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_STATUS = {
    "official": "They are official.",
    "proposal": "They are a proposal, not official.",
    "unknown": "What they mean is not known.",
}
_BREAK = re.compile("\r\n?|[\u2028\u2029\x85]")
_UNSEEN = ("Cc", "Cs", "Cn")
_DIRECTED = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Marks that turn the direction of all that follows, even of other people's words."""


@dataclass(frozen=True, slots=True)
class Publication:
    """What is published beside the editions: the game, its formats' labels, whether the data is only a sample."""

    game: GameSpec
    sample: bool

    def played(self, edition: Edition) -> str:
        """The format that is played by a list, in words."""
        spec = self.game.formats.get(edition.list.format)
        return (spec.label if spec else "") or edition.list.format.replace("_", " ")


def shown(text: str) -> str:
    """A text that any page can show: no control characters but new lines, nothing that turns other people's words."""
    lines = _BREAK.sub("\n", text).split("\n")
    kept = ("".join(" " if unicodedata.category(char) in _UNSEEN else char for char in line) for line in lines)
    return _DIRECTED.sub("", "\n".join(kept)).strip()


def one_line(text: str) -> str:
    """The same as one line."""
    return " ".join(shown(text).split())


def day(value: date) -> str:
    """`Mon 2 Mar 2026`."""
    return f"{value:%a} {value.day} {value:%b} {value.year:04}"


def long_day(value: date) -> str:
    """`Monday, 2 March 2026`."""
    return f"{value:%A}, {value.day} {value:%B} {value.year:04}"


def moment(value: datetime, zone: str) -> str:
    """`16:00 in New York, 20:00 UTC`."""
    utc = f"{value.astimezone(UTC):%H:%M} UTC"
    return utc if zone in ("UTC", "Etc/UTC") else f"{value.astimezone(ZoneInfo(zone)):%H:%M} {place(zone)}, {utc}"


def place(zone: str) -> str:
    """A time zone as people call it."""
    return f"{zone.rpartition('/')[2].replace('_', ' ')} time"


def stamp(value: datetime) -> str:
    """A moment as files write it: `2026-02-23T18:00:00Z`."""
    return f"{value.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"


def number(count: int, one: str, many: str = "") -> str:
    """`1 card`, `2 cards`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def spelt(count: int) -> str:
    """A small number as a word."""
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def allowance(edition: Edition, level: int) -> str:
    """What a level allows: `2 copies`, `none`, `no limit` for a card that is not on the list."""
    if level == OFF:
        return "no limit"
    found = edition.level(level)
    most = found.spec.max_copies if found else None
    if most is None:
        return f"level {level}, not defined"
    return number(most, "copy", "copies") if most else "none"


def copies(edition: Edition, level: int) -> str:
    """The copies that a level allows, as a figure."""
    found = edition.level(level)
    return "?" if found is None or found.spec.max_copies is None else str(found.spec.max_copies)


def level_line(edition: Edition, level: int) -> str:
    """`Level 2: at most 1 copy in a deck`."""
    found = edition.level(level)
    most = found.spec.max_copies if found else None
    if most is None:
        return f"Level {level}: what it allows is not known"
    return f"Level {level}: {f'at most {allowance(edition, level)}' if most else 'none'} in a deck"


def status_line(edition: Edition) -> str:
    """What the levels mean, and how well that is known."""
    by_status: dict[str, list[str]] = {}
    for level in edition.levels:
        by_status.setdefault(level.spec.status, []).append(allowance(edition, level.spec.level))
    if len(by_status) == 1:
        status = next(iter(by_status))
        return f"These are the levels as this list defines them. {_STATUS[status]}"
    parts = [f"Level {level.spec.level}: {level.spec.status}." for level in edition.levels]
    return " ".join(("These are the levels as this list defines them.", *parts)) if parts else ""


def group_title(group: GroupRow) -> str:
    """A group's key as a title: `unstoppable-rider` is `Unstoppable rider`."""
    words = one_line(re.sub("[-_]+", " ", group.spec.key)) or group.spec.key
    return words[:1].upper() + words[1:]


def group_limit(group: GroupRow) -> str:
    """What a group allows."""
    spec = group.spec
    if spec.anchor is not None:
        named = {member.ref: member.name for member in group.members}
        return f"a deck with {one_line(named.get(spec.anchor, spec.anchor))} has none of the others"
    if spec.at_most is not None:
        return f"at most {number(spec.at_most, 'copy', 'copies')} of these together in a deck"
    most = 1 if spec.at_most_different is None else spec.at_most_different
    return f"at most {spelt(most)} different {'card' if most == 1 else 'cards'} of these in a deck"


def group_flag(group: GroupRow) -> str:
    """Whether a group is news."""
    return {"": "", "stricter": "new", "softer": "ended"}[group.turn]


def list_title(edition: Edition) -> str:
    """`War list`."""
    title = one_line(edition.list.title) or edition.list.key
    return title if "list" in title.casefold() else f"{title} list"


def headline(edition: Edition) -> str:
    """`War list: two stricter, one softer`."""
    return f"{list_title(edition)}: {summary(edition)}" if edition.news else list_title(edition)


def summary(edition: Edition) -> str:
    """`two stricter, one softer`."""
    news = edition.news
    if news is None:
        return ""
    new, ended = (sum(group.turn == turn for group in edition.groups) for turn in ("stricter", "softer"))
    parts = [
        f"{spelt(len(news.stricter))} stricter" if news.stricter else "",
        f"{spelt(len(news.softer))} softer" if news.softer else "",
        f"{spelt(new)} new {'group' if new == 1 else 'groups'}" if new else "",
        f"{spelt(ended)} {'group' if ended == 1 else 'groups'} ended" if ended else "",
    ]  # fmt: skip
    return ", ".join(part for part in parts if part) or "nothing changes"


def marks(edition: Edition) -> list[str]:
    """What a reader has to know first: an announcement's kind, its waiver, what became of it; when a list changes."""
    news = edition.news
    if news is None:
        return [f"Changes on {day(edition.until)}"] if edition.until else []
    told = news.announcement
    out = []
    if told.kind == "correction":
        out.append(f"Correction of {one_line(told.target)}")
    if told.kind == "withdrawal":
        out.append(f"Withdrawal of {one_line(told.target)}")
    if told.supersedes:
        out.append(f"Takes the place of {one_line(told.supersedes)}")
    if not news.due:
        out.append(f"Not valid: a notice of {number(news.notice, 'day')} is not allowed")
    if told.waiver:
        out.append(f"Notice waived: {one_line(told.waiver)}")
    verbs = {"withdrawal": "Withdrawn by", "correction": "Corrected by", "change": "Superseded by"}
    return out + [f"{verbs[kind]} {one_line(id_)}" for kind, id_ in news.answers]


def facts(edition: Edition, publication: Publication, window: tuple[int, int]) -> list[tuple[str, str, str]]:
    """Label, value and small print of what stands under a headline."""
    news = edition.news
    played = publication.played(edition)
    zone = edition.list.zone
    applies = ("Applies to", played[:1].upper() + played[1:], f"format {edition.list.format}")
    if news is None:
        known = f", as known on {day(local_day(edition.known_at, zone))}" if edition.known_at else ""
        return [
            ("On this day", day(edition.day), f"{place(zone)}{known}"),
            ("Cards on the list", str(len(edition.rows)), number(len(edition.in_force), "group")),
            applies,
        ]
    told = news.announcement
    least, most = window
    held = f"allowed: {least} to {most}" + ("; waived" if told.waiver else "")
    return [
        ("Announced", day(news.made_on), moment(told.made, zone)),
        ("In force from", day(told.effective), f"that day counts, {place(zone)}"),
        ("Notice", number(news.notice, "day"), held),
        applies,
    ]


def registered(edition: Edition) -> str:
    """What to do with a deck that is handed in already."""
    changes = f" The list changes on {day(edition.until)}." if edition.until else ""
    if edition.news is None:
        return (
            f"A deck is judged by the list of the day it is played. This is the list of {day(edition.day)}.{changes}"
            " A receipt from before a change is proof that the deck was legal then."
        )
    return (
        f"A deck is judged by the list of the day it is played. For an event on {day(edition.day)} or later, check the "
        "deck again and hand in a new list. A receipt from before is proof that the deck was legal then."
        f"{changes}"
    )


def grouped(print_: str) -> str:
    """A fingerprint in groups of four digits, so that it can be read aloud."""
    name, colon, digits = print_.rpartition(":")
    return f"{name}{colon}{'-'.join(digits[at : at + 4] for at in range(0, len(digits), 4))}"


def by_level(edition: Edition) -> Mapping[int, list[int]]:
    """For each level on the list, the strictest first, the places of its rows."""
    out: dict[int, list[int]] = {}
    for at, row in enumerate(edition.rows):
        out.setdefault(row.level, []).append(at)
    return out
