"""Messages for Discord that announce an edition of a ban list, each of at most 2,000 characters.

An entry stays in one message unless it is longer. No text from the ban list can format the message or mention people.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import UTC, datetime, time
from functools import lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo

from carddb.bans.edition import Edition
from carddb.core.plain_text import shortened
from carddb.paint.html import page_templates
from carddb.press.bans import wording
from carddb.press.bans.wording import Publication, one_line

LONGEST = 2_000
"""The most characters of a message."""
_TEXT = 500
"""The most characters of a text within an entry, counted before escaping. The template shortens names further."""
_NUMBERS = 20
"""The characters reserved for the number that ends each of several messages."""
_SYNTAX = re.compile(r"([\\*_~`|#\[\]<]|:(?=[\w~+-]+:))")
_LEADING = re.compile(r"^([->+]|\d+(?=[.)]))")
"""Characters at the start of a line that would turn it into a list item or a quotation."""
_LINK = re.compile(r"https?://[^\s<>]+")
_NOTHING = "\u200b"
"""A space of no width, which keeps the characters around it from being read as a mention or a link."""


def discord(edition: Edition, publication: Publication) -> list[str]:
    """Returns the texts of the messages about an edition, in order. If there are several, each ends with its number."""
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


@lru_cache(maxsize=10_000)  # every announcement repeats the rows of its list
def escaped(text: str, most: int = _TEXT) -> str:
    """Returns `text` as one line, shortened to `most` characters, then escaped so that Discord shows it unchanged."""
    line = _SYNTAX.sub(r"\\\1", shortened(one_line(text), most))
    safe = _LEADING.sub(lambda lead: f"{lead[1]}\\" if lead[1].isdecimal() else f"\\{lead[1]}", line)
    safe = safe.replace("@", f"@{_NOTHING}").replace("://", f":{_NOTHING}//")
    return f"\u2068{safe}\u2069" if any(unicodedata.bidirectional(char) in ("R", "AL") for char in safe) else safe


def length(text: str) -> int:
    """Returns the length of a text in UTF-16 units, the longest way in which Discord may count it."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _entries(edition: Edition, publication: Publication) -> Iterator[str]:
    """Yields the parts of the text about an edition. The lines of a part stay in one message if possible."""
    starts, source = 0, ""
    if edition.news:
        announcement = edition.news.announcement
        begin = datetime.combine(announcement.effective, time(), ZoneInfo(edition.list.zone))
        starts = int(begin.astimezone(UTC).timestamp())
        if _LINK.fullmatch(announcement.source):
            source = announcement.source.replace("@", "%40")  # `@` would mention people even within a URL
    text = _TEMPLATE.render(edition=edition, publication=publication, starts=starts, source=source)
    for entry in text.split("\f\n"):
        yield entry.removesuffix("\n")


def _pieces(entry: str, most: int) -> Iterator[str]:
    """Yields `entry` in pieces of at most `most` UTF-16 units, cut at line ends or after commas if possible."""
    while length(entry) > most:
        fits = entry[: most // 2]
        at = max(fits.rfind("\n"), fits.rfind(", ") + 1, 0) or len(fits)
        yield entry[:at]
        entry = entry[at:].lstrip()
    yield entry


_TEMPLATES = page_templates(Path(__file__).with_name("pages"))
_TEMPLATES.globals |= {"say": wording, "escaped": escaped}
_TEMPLATE = _TEMPLATES.get_template("discord.txt")
