"""An edition of a ban list as messages for Discord, each of at most 2,000 characters and cut only between entries.

No text from the ban list can format the message or mention people.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time
from functools import lru_cache
from zoneinfo import ZoneInfo

from carddb.bans.edition import Edition, LevelChange, ListedCard, ListedGroup, Member
from carddb.press.bans.wording import (
    SAMPLE,
    Publication,
    allowance,
    by_level,
    day,
    group_flag,
    group_limit,
    group_reason,
    group_title,
    grouped,
    headline,
    level_line,
    list_title,
    long_day,
    marks,
    moment,
    one_line,
    registered,
    status_line,
)

LONGEST = 2_000
"""The most characters of a message."""
_TEXT, _NAME = 500, 120
"""The most characters of a text and of a name within an entry, before they are escaped."""
_NUMBERS = 20
"""The characters reserved for the number of a message."""
_SYNTAX = re.compile(r"([\\*_~`|#\[\]<]|:(?=[\w~+-]+:))")
_LEADING = re.compile(r"^([->+]|\d+(?=[.)]))")
"""Characters that would turn a line into a list item or a quotation if they began it."""
_LINK = re.compile(r"https?://[^\s<>]+")
_NOTHING = "\u200b"
"""A space of no width, which keeps the characters around it from being read as a mention or a link."""


def discord(edition: Edition, publication: Publication) -> list[str]:
    """Returns the messages of an edition, in order. If there are several, each ends with its number."""
    parts: list[str] = []
    most = LONGEST - _NUMBERS
    for piece in (piece for entry in _entries(edition, publication) for piece in _pieces(entry, most)):
        if parts and length(parts[-1]) + 1 + length(piece) <= most:
            parts[-1] += f"\n{piece}"
        else:
            parts.append(piece.removeprefix("\n"))
    if len(parts) == 1:
        return parts
    return [f"{part}\n-# {number} of {len(parts)}" for number, part in enumerate(parts, start=1)]


def escaped(text: str, most: int = _TEXT) -> str:
    """Returns the first `most` characters of `text`, escaped so that Discord shows them unchanged."""
    safe = _LEADING.sub(_guarded, _SYNTAX.sub(r"\\\1", _cut(one_line(text), most)))
    safe = safe.replace("@", f"@{_NOTHING}").replace("://", f":{_NOTHING}//")
    return f"\u2068{safe}\u2069" if any(unicodedata.bidirectional(char) in ("R", "AL") for char in safe) else safe


def length(text: str) -> int:
    """Returns the length of a text in UTF-16 units, the longest way in which Discord may count it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _entries(edition: Edition, publication: Publication) -> Iterator[str]:
    """Yields the entries of an edition. The lines of an entry stay in one message if possible."""
    yield "\n".join(_head(edition, publication))
    news = edition.news
    for title, steps in (("Stricter", news.stricter), ("Softer", news.softer)) if news else ():
        yield from _under(f"**{title}**", [_step(edition, step) for step in steps])
    yield from _under("**Groups**", [_group(group) for group in edition.groups])
    if edition.rows:
        first, *rest = by_level(edition).items()
        title = f"**Whole list from {day(edition.day)}**" if news else f"**Whole list on {day(edition.day)}**"
        for at, (level, places) in enumerate((first, *rest)):
            head = f"__{level_line(edition, level)}__"
            yield from _under(head if at else f"{title}\n{head}", [_row(edition.rows[place]) for place in places])
    else:
        yield "No card is on the list."
    yield "\n" + "\n".join(filter(None, _foot(edition, publication)))


def _head(edition: Edition, publication: Publication) -> Iterator[str]:
    if publication.sample:
        yield f"*{SAMPLE}.*"
    yield f"## {escaped(publication.game.name)}: {escaped(headline(edition))}"
    news = edition.news
    if news is None:
        yield f"As it stands on {long_day(edition.day)}"
        return
    announcement = news.announcement
    if announcement.made_known:
        yield f"Announced {day(news.made_on)}, {moment(announcement.made, edition.list.zone)}"
    starts = datetime.combine(announcement.effective, time(), ZoneInfo(edition.list.zone)).astimezone(UTC)
    yield f"In force from **{long_day(announcement.effective)}** (<t:{int(starts.timestamp())}:R>)"
    for mark in marks(edition):
        yield f"**{escaped(mark)}**"


def _foot(edition: Edition, publication: Publication) -> Iterator[str]:
    yield registered(edition)
    yield status_line(edition)
    yield escaped(publication.note)
    news = edition.news
    if news and _LINK.fullmatch(news.announcement.source):
        address = news.announcement.source.replace("@", "%40")  # within a URL, too, it would mention people
        yield f"Source: <{address}>"
    before = f", before it {grouped(edition.previous)}" if edition.previous else ""
    yield f"{escaped(list_title(edition))}, fingerprint {grouped(edition.fingerprint)}{before}"


def _under(title: str, entries: Sequence[str]) -> Iterator[str]:
    """Yields the entries, the first with the title above it, so that a title never ends a message."""
    if entries:
        yield f"\n{title}\n{entries[0]}"
        yield from entries[1:]


def _step(edition: Edition, step: LevelChange) -> str:
    why = f". {escaped(step.why)}" if step.why else ""
    before, after = allowance(edition, step.before), allowance(edition, step.after)
    return f"- {_card(step)}: {before} → **{after}**{why}"


def _group(group: ListedGroup) -> str:
    flag = f" *({group_flag(group)})*" if group.is_news else ""
    reason = group_reason(group)
    why = f"\n  {escaped(reason)}" if reason else ""
    members = ", ".join(_card(member) for member in group.members)
    return f"- **{escaped(group_title(group))}**{flag}: {escaped(group_limit(group))}\n  {members}{why}"


@lru_cache(maxsize=10_000)  # every announcement repeats the rows of its list
def _row(row: ListedCard) -> str:
    return f"- {_card(row)}{f' *({row.turn})*' if row.turn else ''}"


def _card(card: Member | ListedCard | LevelChange) -> str:
    return f"{escaped(card.name, _NAME)} \\[{escaped(card.ref, _NAME)}\\]"


def _pieces(entry: str, most: int) -> Iterator[str]:
    """Yields `entry` in pieces of at most `most` characters, cut at line ends or after commas if possible."""
    while length(entry) > most:
        fits = entry[: most // 2]
        at = max(fits.rfind("\n"), fits.rfind(", ") + 1, 0) or len(fits)
        yield entry[:at]
        entry = entry[at:].lstrip()
    yield entry


def _guarded(match: re.Match[str]) -> str:
    return f"{match[1]}\\" if match[1].isdecimal() else f"\\{match[1]}"


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"
