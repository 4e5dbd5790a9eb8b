"""The announcements of a list as an Atom feed: one entry each, with an id that never changes."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from xml.etree import ElementTree as ET

from carddb.bans.edition import Edition, News
from carddb.core.dates import moment_text
from carddb.press.bans.issue import ListIssue
from carddb.press.bans.site import PAGES
from carddb.press.bans.wording import (
    SAMPLE,
    Publication,
    headline,
    list_title,
    one_line,
)

_ATOM = "http://www.w3.org/2005/Atom"
_HISTORY = "http://purl.org/syndication/history/1.0"
ENTRIES = 100
"""Announcements of a page that is full; the first page has up to twice as many."""
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""


def feeds(each: ListIssue, publication: Publication, base: str = "") -> Iterator[tuple[str, bytes]]:
    """The feed of one list by file name, the newest announcement first; `base` is where it stands on the web, if known.

    A long one is cut into pages (RFC 5005): `feed.xml` has the newest announcements, the archives before it a hundred
    each, which no later announcement moves to another page.
    """
    editions = [(edition, edition.news) for edition in each.announced if edition.news]
    archives = max(0, len(editions) // ENTRIES - 1)
    names = [*(f"feed-{number}.xml" for number in range(1, archives + 1)), "feed.xml"]
    days = {news.announcement.id: news.announcement.made for _, news in editions}
    for number, name in enumerate(names):
        part = editions[number * ENTRIES : (number + 1) * ENTRIES if number < archives else None]
        root = _head(each, publication, base)
        latest = [_latest(news, days) for _, news in part]
        first = datetime.combine(each.current.day, time(), UTC)
        _add(root, "updated", moment_text(max(latest, default=first)))
        for relation, other in _links(names, number):
            ET.SubElement(root, "link", {"rel": relation, "type": "application/atom+xml", "href": other})
        ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": "index.html"})
        if number < archives:
            ET.SubElement(root, "fh:archive", {"xmlns:fh": _HISTORY})
        author = "carddb" if publication.sample else publication.game.by or publication.game.name
        _add(ET.SubElement(root, "author"), "name", author)
        for (edition, news), updated in zip(reversed(part), reversed(latest), strict=True):
            root.append(_entry(each, publication, edition, news, updated))
        ET.indent(root, " ")
        text = ET.tostring(root, "unicode")
        yield name, f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def _head(each: ListIssue, publication: Publication, base: str) -> ET.Element:
    """The root of a page, with what all pages say."""
    root = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    if base:
        root.set("xml:base", _sound(base))
    _add(root, "id", stable_id(publication.game.key, each.key))
    _add(root, "title", f"{publication.game.name}: {list_title(each.current)}")
    notes = [f"{SAMPLE}." if publication.sample else "", one_line(publication.note)]
    if any(notes):
        _add(root, "subtitle", " ".join(filter(None, notes)))
    return root


def _links(names: Sequence[str], number: int) -> Iterator[tuple[str, str]]:
    """The links of a page to itself and to the others, each by its relation."""
    yield "self", names[number]
    if len(names) == 1:
        return
    yield "first", names[-1]
    yield "last", names[0]
    if number + 1 < len(names):
        yield "current", names[-1]
        yield "previous", names[number + 1]
        yield "next-archive", names[number + 1]
    if number:
        yield "next", names[number - 1]
        yield "prev-archive", names[number - 1]


def _entry(each: ListIssue, publication: Publication, edition: Edition, news: News, updated: datetime) -> ET.Element:
    announcement = news.announcement
    element = ET.Element("entry")
    _add(element, "id", stable_id(publication.game.key, each.key, announcement.id))
    _add(element, "title", headline(edition))
    if announcement.made_known:
        _add(element, "published", moment_text(announcement.made))
    _add(element, "updated", moment_text(updated))
    if announcement.author:
        _add(ET.SubElement(element, "author"), "name", announcement.author)
    page = f"{each.page(edition)}.html"
    ET.SubElement(element, "link", {"rel": "alternate", "type": "text/html", "href": page})
    content = PAGES.get_template("feed_entry.html").render(edition=edition, news=news)
    _add(element, "content", content).set("type", "html")
    return element


def stable_id(*parts: str) -> str:
    """A name for something that is published, the same for ever."""
    return uuid.uuid5(uuid.NAMESPACE_URL, "carddb:bans:" + "\x1f".join(parts)).urn


def _latest(news: News, made: Mapping[str, datetime]) -> datetime:
    """When an announcement was made, or the last that takes it back, corrects it or takes its place."""
    return max([news.announcement.made, *(made[id_] for _, id_ in news.answers if id_ in made)])


def _add(parent: ET.Element, name: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, name)
    element.text = _sound(text)
    return element


def _sound(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
