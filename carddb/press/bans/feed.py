"""The announcements of a list as an Atom feed: one entry each, with an id that never changes."""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping
from datetime import UTC, datetime, time
from xml.etree import ElementTree as ET

from carddb.bans.edition import News
from carddb.dates import moment_text
from carddb.press.bans.feed_entry import entry
from carddb.press.bans.issue import ListIssue
from carddb.press.bans.word_forms import one_line
from carddb.press.bans.wording import SAMPLE, Publication, headline, list_title

_ATOM = "http://www.w3.org/2005/Atom"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""


def feed(each: ListIssue, publication: Publication, base: str = "") -> bytes:
    """The feed of one list, the newest announcement first; `base` is where the feed stands on the web, if known."""
    game, key = publication.game, each.key
    root = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    if base:
        root.set("xml:base", _sound(base))
    _add(root, "id", stable_id(game.key, key))
    _add(root, "title", f"{game.name}: {list_title(each.current)}")
    notes = [f"{SAMPLE}." if publication.sample else "", one_line(publication.note)]
    if any(notes):
        _add(root, "subtitle", " ".join(filter(None, notes)))
    editions = [(edition, edition.news) for edition in each.announced if edition.news]
    made = {news.announcement.id: news.announcement.made for _, news in editions}
    latest = {news.announcement.id: _latest(news, made) for _, news in editions}
    _add(root, "updated", moment_text(max(latest.values(), default=datetime.combine(each.current.day, time(), UTC))))
    ET.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": "feed.xml"})
    ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": "index.html"})
    _add(ET.SubElement(root, "author"), "name", "carddb" if publication.sample else game.by or game.name)
    for edition, news in reversed(editions):
        announcement = news.announcement
        element = ET.SubElement(root, "entry")
        _add(element, "id", stable_id(game.key, key, announcement.id))
        _add(element, "title", headline(edition))
        _add(element, "published", moment_text(announcement.made))
        _add(element, "updated", moment_text(latest[announcement.id]))
        if announcement.author:
            _add(ET.SubElement(element, "author"), "name", announcement.author)
        page = f"{each.page(edition)}.html"
        ET.SubElement(element, "link", {"rel": "alternate", "type": "text/html", "href": page})
        _add(element, "content", entry(edition)).set("type", "html")
    ET.indent(root, " ")
    text = ET.tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


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
