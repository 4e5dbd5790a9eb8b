"""The texts about an edition that all output formats share: numbers, days, levels, groups and changes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

from carddb.bans.edition import Edition, ListedGroup, News, budget_words, price_words, query_words, surcharge_words
from carddb.bans.log import OFF, UNBOUNDED, local_day
from carddb.core import groups
from carddb.core.names import capital
from carddb.core.plain_text import amount
from carddb.game.game import GameSpec

_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_BREAK = re.compile("\r\n?|[\u2028\u2029\x85]")
_UNSEEN = ("Cc", "Cs", "Cn")
_DIRECTED = re.compile("[\u202a-\u202e\u2066-\u2069]")
"""Characters that set the writing direction of everything after them, including texts that others wrote."""


def shown(text: str) -> str:
    """Returns `text` with spaces for control characters, except new lines, and without marks of writing direction."""
    lines = _BREAK.sub("\n", text).split("\n")
    clean = ("".join(" " if unicodedata.category(char) in _UNSEEN else char for char in line) for line in lines)
    return _DIRECTED.sub("", "\n".join(clean)).strip()


def one_line(text: str) -> str:
    """Returns `text` as one line, cleaned as by `shown`."""
    return " ".join(shown(text).split())


def day(value: date) -> str:
    """Returns a day as `Mon 2 Mar 2026`."""
    return f"{value:%a} {value.day} {value:%b} {value.year:04}"


def long_day(value: date) -> str:
    """Returns a day as `Monday, 2 March 2026`."""
    return f"{value:%A}, {value.day} {value:%B} {value.year:04}"


def moment(value: datetime, zone: str) -> str:
    """Returns a moment as the time of day in `zone` and in UTC, such as `16:00 New York time, 20:00 UTC`."""
    utc = f"{value.astimezone(UTC):%H:%M} UTC"
    return utc if zone in ("UTC", "Etc/UTC") else f"{value.astimezone(ZoneInfo(zone)):%H:%M} {place(zone)}, {utc}"


def place(zone: str) -> str:
    """Returns the name of a time zone for readers, such as `New York time` for `America/New_York`."""
    return f"{zone.rpartition('/')[2].replace('_', ' ')} time"


def spelt(count: int) -> str:
    """Returns a number below ten as a word, a larger one in digits."""
    return _COUNTS[count] if count < len(_COUNTS) else str(count)


def grouped(print_: str) -> str:
    """Returns a fingerprint with its digits in groups of four, so that it can be read aloud."""
    name, colon, digits = print_.rpartition(":")
    return f"{name}{colon}{'-'.join(digits[at : at + 4] for at in range(0, len(digits), 4))}"


SAMPLE = "Sample data, not an official list"
_MOST_SQUARES = 6
"""The most squares that a reader can count at a glance."""
_STATUS = {"official": "official", "proposal": "a proposal, not official", "unknown": "unknown"}


@dataclass(frozen=True, slots=True)
class Publication:
    """The facts published besides the editions: the game, whether the data is a sample, and a note on the lists."""

    game: GameSpec
    sample: bool
    note: str = ""

    def played(self, edition: Edition) -> str:
        """Returns the name of the format that the list of `edition` is for."""
        spec = self.game.formats.get(edition.list.format)
        return (spec.label if spec else "") or edition.list.format.replace("_", " ")


def allowance(edition: Edition, level: int) -> str:
    """Returns what a level allows and costs, such as `2 copies, 3 points a copy`; `not on the list` for level 0."""
    if level == OFF:
        return "not on the list"
    most = _most(edition, level)
    if most is None:
        return f"level {level}, not defined"
    bound = [] if most >= UNBOUNDED else [amount(most, "copy") if most else "none"]
    return ", ".join([*bound, *_prices(edition, level)])


def _prices(edition: Edition, level: int) -> list[str]:
    spec = edition.level(level)
    return price_words(spec) if spec else []


def copies(edition: Edition, level: int) -> str:
    """Returns the number of copies that a level allows, as text; `any` or `?` if it has no limit or is not defined."""
    most = _most(edition, level)
    return "?" if most is None else "any" if most >= UNBOUNDED else str(most)


def level_name(edition: Edition, level: int) -> str:
    """Returns the name of a level, such as `Level 2: at most 1 copy`."""
    most = _most(edition, level)
    if most is None:
        return f"Level {level}: not defined"
    return f"Level {level}: {'at most ' if 0 < most < UNBOUNDED else ''}{allowance(edition, level)}"


def level_line(edition: Edition, level: int) -> str:
    """Returns the name of a level for a whole list, such as `Level 2: at most 1 copy in a deck`."""
    if _most(edition, level) is None:
        return f"Level {level}: what it allows is not known"
    words = level_name(edition, level)
    return words if _prices(edition, level) else f"{words} in a deck"


def status_line(edition: Edition) -> str:
    """Returns sentences that say what each level allows, how official it is, and what a deck may spend."""
    statuses = {level.status for level in edition.levels}
    names = [level_name(edition, level.level) for level in edition.levels]
    if len(statuses) == 1:
        meanings = [f"{name}." for name in names]
        if "unknown" not in statuses:
            meanings.append(f"This is {_STATUS[statuses.pop()]}.")
    else:
        meanings = [f"{name} ({_STATUS[level.status]})." for name, level in zip(names, edition.levels, strict=True)]
    return " ".join(filter(None, (*meanings, budget_words(edition.list), surcharge_words(edition.list))))


def status_words(edition: Edition) -> str:
    """Returns how official the levels are, in a few words; empty if all are official."""
    by_status = groups.grouped((level.status, str(level.level)) for level in edition.levels)
    if len(by_status) > 1:
        return "Levels: " + "; ".join(f"{', '.join(numbers)} {status}" for status, numbers in by_status.items()) + "."
    return {"proposal": "Levels: a proposal.", "unknown": "Levels: not defined."}.get("".join(by_status), "")


def squares(edition: Edition, level: int) -> tuple[int, int]:
    """Returns how many squares show a level, and how many of them are filled; (0, 0) if there would be too many."""
    numbers = [each.level for each in edition.levels]
    shown = level in numbers and level != OFF and len(numbers) <= _MOST_SQUARES
    return (len(numbers), numbers.index(level) + 1) if shown else (0, 0)


def _most(edition: Edition, level: int) -> int | None:
    spec = edition.level(level)
    return spec.most if spec else None


def group_title(key: str) -> str:
    """Returns a group's key as a title, so that `unstoppable-rider` becomes `Unstoppable rider`."""
    words = one_line(re.sub("[-_]+", " ", key)) or key
    return capital(words)


def group_limit(group: ListedGroup) -> str:
    """Returns the limit that a group sets, as a phrase."""
    spec = group.spec
    these = " and of ".join(filter(None, ("these cards" if group.members else "", one_line(query_words(spec)))))
    if spec.anchor is not None:
        names = {member.ref: member.name for member in group.members}
        return f"a deck with {one_line(names.get(spec.anchor, spec.anchor))} has none of the others"
    if spec.at_most is not None:
        return f"at most {amount(spec.at_most, 'copy')} of {these} together in a deck"
    if spec.max_copies is not None:
        return f"at most {amount(spec.max_copies, 'copy')} of each of {these} in a deck"
    most = spec.most_different
    return f"at most {spelt(most)} of {these} in a deck, {'' if most == 1 else 'each '}in any number of copies"


def group_flag(group: ListedGroup) -> str:
    """Returns `new`, `ended` or `changed`; empty if the edition does not change the group."""
    if not group.turn:
        return "changed" if group.is_news else ""
    return {"stricter": "new", "softer": "ended"}[group.turn]


def group_step(group: ListedGroup) -> tuple[str, str]:
    """Returns a group's limit before and after its change, as phrases, or its numbers of cards if only these change."""
    limit, free, count = group_limit(group), "no limit together", len(group.members)
    if not group.turn:
        return amount(count - len(group.joined) + len(group.left), "card"), amount(count, "card")
    return (free, limit) if group.turn == "stricter" else (limit, free)


def group_reason(group: ListedGroup) -> str:
    """Returns sentences that name the members that joined and left a group, then the reason for the group."""
    moves = (("Joined", group.joined), ("Left", group.left))
    words = [f"{verb}: {', '.join(one_line(each.name) for each in members)}." for verb, members in moves if members]
    return " ".join([*words, *([group.why] if group.why else [])])


def list_title(edition: Edition) -> str:
    """Returns the name of a list, such as `War list`."""
    return one_line(edition.list.name)


def headline(edition: Edition) -> str:
    """Returns the list's name and a summary of changes, such as `War list: Greek Fire is less restricted`."""
    return f"{list_title(edition)}: {summary(edition)}" if edition.news else list_title(edition)


def summary(edition: Edition) -> str:
    """Returns how many cards and groups change, or which if only one: `Ox is less restricted, the group Pair ends`."""
    news = edition.news
    if news is None:
        return ""
    changes = [("cards", "is more restricted", "are more restricted", [step.name for step in news.stricter]),
               ("cards", "is less restricted", "are less restricted", [step.name for step in news.softer])]  # fmt: skip
    for flag, one, more in (("new", "is new", "are new"), ("ended", "ends", "end"), ("changed", "changes", "change")):
        groups = [f"the group {group_title(group.spec.key)}" for group in edition.groups if group_flag(group) == flag]
        changes.append(("groups", one, more, groups))
    parts = [
        f"{one_line(names[0])} {one}" if len(names) == 1 else f"{spelt(len(names))} {what} {more}"
        for what, one, more, names in changes
        if names
    ]
    return ", ".join(parts) or "nothing changes"


def announced_on(news: News) -> str:
    """Returns when an announcement was made, such as `announced Mon 2 Mar 2026`."""
    return f"announced {day(news.made_on)}" if news.announcement.made_known else "announced before"


def marks(edition: Edition) -> list[str]:
    """Returns short remarks that a reader must know first, such as that an announcement is a correction or superseded.

    If the edition is not about an announcement, the only one is the day on which the list will change, if known.
    """
    news = edition.news
    if news is None:
        return [f"Changes on {day(edition.until)}"] if edition.until else []
    announcement = news.announcement
    out = []
    if announcement.kind == "correction":
        out.append(f"Correction of {one_line(announcement.target)}")
    if announcement.kind == "withdrawal":
        out.append(f"Withdrawal of {one_line(announcement.target)}")
    if announcement.supersedes:
        out.append(f"Takes the place of {one_line(announcement.supersedes)}")
    if not announcement.made_known:
        out.append("Nobody knows when it was announced")
    if not news.due:
        out.append(f"Not valid: a notice of {amount(news.notice, 'day')} is not allowed")
    if announcement.waiver:
        out.append(f"Notice waived: {one_line(announcement.waiver)}")
    verbs = {"withdrawal": "Withdrawn by", "correction": "Corrected by", "change": "Superseded by"}
    out += [f"{verbs[kind]} {one_line(id_)}" for kind, id_ in news.answers]
    out += [f"Overtakes {one_line(id_)}" for id_ in news.overtakes]
    return out + [f"Overtaken by {one_line(id_)}" for id_ in news.overtaken_by]


def facts(edition: Edition, publication: Publication) -> list[tuple[str, str, str]]:
    """Returns the facts shown under a headline, each as (label, value, small print)."""
    news = edition.news
    played = publication.played(edition)
    zone = edition.list.zone
    applies = ("Applies to", capital(played), f"format {edition.list.format}")
    if news is None:
        known_on = f", as known on {day(local_day(edition.known_at, zone))}" if edition.known_at else ""
        return [
            ("On this day", day(edition.day), f"{place(zone)}{known_on}"),
            ("Cards on the list", str(len(edition.rows)), amount(len(edition.in_force), "group")),
            applies,
        ]
    announcement = news.announcement
    if not announcement.made_known:
        return [
            ("Announced", "not known", ""),
            ("In force from", day(announcement.effective), f"that day counts, {place(zone)}"),
            applies,
        ]
    least, most = edition.window
    held = f"allowed: {least} to {most}" + ("; waived" if announcement.waiver else "")
    return [
        ("Announced", day(news.made_on), moment(announcement.made, zone)),
        ("In force from", day(announcement.effective), f"that day counts, {place(zone)}"),
        ("Notice", amount(news.notice, "day"), held),
        applies,
    ]


def registered(edition: Edition) -> str:
    """Returns advice for players whose deck is already registered."""
    changes = f" The list changes on {day(edition.until)}." if edition.until else ""
    if edition.news is None:
        return (
            f"A deck is judged by the list of the day it is played. This is the list of {day(edition.day)}.{changes}"
            " A receipt from before a change is proof that the deck was legal then."
        )
    return (
        f"A deck is judged by the list of the day it is played. For an event on {day(edition.day)} or later, check the "
        f"deck again and hand in a new list. A receipt from before is proof that the deck was legal then.{changes}"
    )


def by_level(edition: Edition) -> Mapping[int, list[int]]:
    """Returns the indices into `edition.rows`, by level, the strictest first."""
    return groups.grouped((row.level, at) for at, row in enumerate(edition.rows))
