"""The announcements of a list as an Atom feed: one entry each, with an id that never changes."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, time
from xml.etree import ElementTree as ET

from carddb.bans.edition import Edition
from carddb.dates import moment_text
from carddb.press.bans.wording import SAMPLE, Publication, headline, list_title, one_line

_ATOM = "http://www.w3.org/2005/Atom"
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""What XML cannot hold."""


def feed(
    current: Edition,
    editions: Sequence[Edition],
    publication: Publication,
    place_of: Callable[[Edition], str],
    told: Callable[[Edition], str],
    base: str = "",
) -> bytes:
    """The feed of one list, the newest first; `editions` are those of its announcements in their order.

    `place_of` gives the page of an edition relative to the feed, `told` what an entry says as HTML; `base` is where the
    feed stands on the web, if that is known.
    """
    game, key = publication.game, current.list.key
    root = ET.Element("feed", {"xmlns": _ATOM, "xml:lang": "en"})
    if base:
        root.set("xml:base", _sound(base))
    _add(root, "id", stable_id(game.key, key))
    _add(root, "title", f"{game.name}: {list_title(current)}")
    said = [f"{SAMPLE}." if publication.sample else "", one_line(publication.note)]
    if any(said):
        _add(root, "subtitle", " ".join(filter(None, said)))
    made = {edition.news.announcement.id: edition.news.announcement.made for edition in editions if edition.news}
    latest = {edition.news.announcement.id: _latest(edition, made) for edition in editions if edition.news}
    _add(root, "updated", moment_text(max(latest.values(), default=datetime.combine(current.day, time(), UTC))))
    ET.SubElement(root, "link", {"rel": "self", "type": "application/atom+xml", "href": "feed.xml"})
    ET.SubElement(root, "link", {"rel": "alternate", "type": "text/html", "href": "index.html"})
    _add(ET.SubElement(root, "author"), "name", "carddb" if publication.sample else game.by or game.name)
    for edition in reversed(editions):
        news = edition.news
        if news is None:
            continue
        entry = ET.SubElement(root, "entry")
        _add(entry, "id", stable_id(game.key, key, news.announcement.id))
        _add(entry, "title", headline(edition))
        _add(entry, "published", moment_text(news.announcement.made))
        _add(entry, "updated", moment_text(latest[news.announcement.id]))
        if news.announcement.author:
            _add(ET.SubElement(entry, "author"), "name", news.announcement.author)
        ET.SubElement(entry, "link", {"rel": "alternate", "type": "text/html", "href": place_of(edition)})
        _add(entry, "content", told(edition)).set("type", "html")
    ET.indent(root, " ")
    text = ET.tostring(root, "unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'.encode()


def stable_id(*parts: str) -> str:
    """A name for something that is published, the same for ever."""
    return uuid.uuid5(uuid.NAMESPACE_URL, "carddb:bans:" + "\x1f".join(parts)).urn


def _latest(edition: Edition, made: dict[str, datetime]) -> datetime:
    """When an announcement was made, or the last that takes it back, corrects it or takes its place."""
    news = edition.news
    assert news is not None
    return max([news.announcement.made, *(made[id_] for _, id_ in news.answers if id_ in made)])


def _add(parent: ET.Element, name: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, name)
    element.text = _sound(text)
    return element


def _sound(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
