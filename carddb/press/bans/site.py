"""The web pages of a publication, and the Atom feed of each list."""

from __future__ import annotations

import re
import unicodedata
import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree as ET

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from carddb.bans.edition import Edition, ListedCard, News
from carddb.core import assets
from carddb.core.dates import moment_text
from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut, cut_for_web, outlined
from carddb.press.bans import wording
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.wording import LABEL, SAMPLE, TEXT, Publication, headline, list_title, one_line, shown
from carddb.press.faces.workshop import BASE

FileLinks = Sequence[tuple[str, str, str]]
"""Files for download: label, kind, and URL relative to the list's folder."""


@lru_cache(maxsize=10_000)  # every announcement repeats the rows of its list
def own(text: str) -> Markup:
    """Returns `text` isolated in its writing direction, so that a right-to-left text does not affect what follows."""
    return Markup("<bdi>{}</bdi>").format(shown(text))


def _row_of(edition: Edition, ref: str) -> ListedCard | None:
    return next((row for row in edition.rows if row.ref == ref), None)


PAGES = Environment(
    loader=FileSystemLoader(Path(__file__).with_name("pages")),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
PAGES.globals |= {"say": wording, "own": own, "row_of": _row_of}
PAGES.tests["web"] = re.compile("https?://", re.I).match


_FONTS = ((TEXT, 400, False), (TEXT, 600, False), (TEXT, 400, True), (LABEL, 400, False), (LABEL, 600, False))
_FEATURES = ("kern", "lnum", "tnum")
_ALWAYS = "".join(map(chr, range(0x20, 0x7F)))
_MORE = "More letters"
"""The family name of the fallback fonts, for characters that the other fonts lack."""
_ROOT = f"""\
:root{{--ink:#1a1a1c;--mid:#5e6064;--line:#cfd0d1;--red:#8e1b2e;--tint:#f5f4f1;
  --text:"{TEXT}","{_MORE}",Georgia,serif;
  --label:"{LABEL}","{_MORE}","Arial Narrow",Arial,sans-serif}}
"""


def site(issue: Issue, fonts: DocumentFonts, files: dict[str, FileLinks]) -> dict[str, bytes]:
    """Returns all pages, the style sheet and the fonts, by path. `files` are the downloads of each list, by its key.

    Raises FontError if a font is missing.
    """
    pages = dict(_pages(issue, files))
    letters = {*_ALWAYS}.union(*pages.values())
    return {path: f"{text}\n".encode("utf-8", "replace") for path, text in pages.items()} | _style(letters, fonts)


def _pages(issue: Issue, files: dict[str, FileLinks]) -> Iterator[tuple[str, str]]:
    publication = issue.publication
    titles = {each.key: one_line(each.current.list.title) or each.key for each in issue.lists}
    shared = {
        "issue": issue, "game": publication.game, "sample": publication.sample,
        "tabs": [*((each.folder, titles[each.key]) for each in issue.lists), ("cards", "Cards")],
    }  # fmt: skip

    def page(template: str, folder: str, title: str, edition: Edition | None = None, **values: object) -> str:
        place = {"folder": folder, "up": "../" if folder else "", "title": title, "edition": edition}
        return PAGES.get_template(template).render(shared | place | values)

    yield "index.html", page("index.html", "", "Ban lists")
    levels: dict[str, list[str]] = defaultdict(list)
    for each in issue.lists:
        for row in each.current.rows:
            levels[row.ref].append(f"{titles[each.key]}: level {row.level}")
    names = sorted(issue.names.items(), key=lambda pair: (pair[1].casefold(), pair[0]))
    yield "cards/index.html", page("cards.html", "cards", "Cards", names=names, levels=levels)
    for each in issue.lists:
        values = {"each": each, "files": files[each.key]}
        title = list_title(each.current)
        yield f"{each.folder}/index.html", page("edition.html", each.folder, title, each.current, news=None, **values)
        for edition in each.announced:
            news = edition.news
            assert news is not None
            named = (news.announcement.target, news.announcement.supersedes)
            ids = (*named, *(id_ for _, id_ in news.answers), *news.overtakes, *news.overtaken_by)
            related = [id_ for id_ in dict.fromkeys(ids) if id_ in each.pages]
            title, about = headline(edition), {**values, "news": news, "related": related}
            yield f"{each.folder}/{each.page(edition)}.html", page("edition.html", each.folder, title, edition, **about)
    for ref, name in issue.cards.items():
        yield f"cards/{name}.html", page("card.html", "cards", issue.names[ref], ref=ref)


def _style(letters: set[str], fonts: DocumentFonts) -> dict[str, bytes]:
    """Returns the style sheet and its fonts, by path.

    The fonts are cut down to `letters`, the characters of all pages.
    """
    out: dict[str, bytes] = {}
    faces = []
    for family, weight, italic in _FONTS:
        font = fonts.book.pick(family, weight, italic)
        name = f"fonts/{family.replace(' ', '-').lower()}-{weight}{'-italic' if italic else ''}.ttf"
        out[name] = cut(outlined(font), letters, _FEATURES)
        faces.append(
            f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{"italic" if italic else "normal"};'
            f'font-display:swap;src:url("{name}") format("truetype")}}\n'
        )
    for name, data, face in _fallback_fonts(letters, fonts):
        out[name] = data
        faces.append(face)
    style = (assets.templates() / BASE / "bans.css").read_text("utf-8")
    return {"style.css": f"{''.join(faces)}{_ROOT}{style}".encode(), **out}


def _fallback_fonts(letters: set[str], fonts: DocumentFonts) -> Iterator[tuple[str, bytes, str]]:
    """Yields path, data and CSS rule of each fallback font that the characters `letters` need."""
    font = fonts.book.pick(_FONTS[0][0], 400, False)
    by_font: dict[str, tuple[Font, str]] = {}
    visible = sorted(char for char in letters if unicodedata.category(char) != "Cf")
    for other, piece in fonts.book.split("".join(visible), font)[0]:
        if other is not font:
            by_font[other.key] = (other, by_font.get(other.key, (other, ""))[1] + piece)
    for number, (other, chars) in enumerate(by_font.values(), start=1):
        name = f"fonts/more-{number}.ttf"
        span = ",".join(f"U+{ord(char):X}" for char in chars)
        rule = (
            f'@font-face{{font-family:"{_MORE}";font-display:swap;src:url("{name}") format("truetype");'
            f"unicode-range:{span}}}\n"
        )
        yield name, cut_for_web(outlined(other), chars, _FEATURES), rule


_ATOM = "http://www.w3.org/2005/Atom"
_HISTORY = "http://purl.org/syndication/history/1.0"
ENTRIES = 100
"""The number of announcements on a full page of the feed. The first page has up to twice as many."""
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML does not allow."""


def feeds(each: ListIssue, publication: Publication, base: str = "") -> Iterator[tuple[str, bytes]]:
    """Yields the feed of a list by file name, the newest announcement first. `base` is its URL on the web, if known.

    A long feed is split into pages (RFC 5005): `feed.xml` has the newest announcements, and each archive page a hundred
    older ones. Later announcements never move an entry from one archive page to another.
    """
    editions = [(edition, edition.news) for edition in each.announced if edition.news]
    archives = max(0, len(editions) // ENTRIES - 1)
    names = [*(f"feed-{number}.xml" for number in range(1, archives + 1)), "feed.xml"]
    days = {news.announcement.id: news.announcement.made for _, news in editions}
    for number, name in enumerate(names):
        part = editions[number * ENTRIES : (number + 1) * ENTRIES if number < archives else None]
        root = _head(each, publication, base)
        latest = [
            max([news.announcement.made, *(days[id_] for _, id_ in news.answers if id_ in days)]) for _, news in part
        ]
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
    """Returns the root element of a feed page, with the children that all pages have."""
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
    """Yields the links from a feed page to itself and to other pages, as (relation, file name)."""
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
    """Returns the id of a published thing, which stays the same for ever."""
    return uuid.uuid5(uuid.NAMESPACE_URL, "carddb:bans:" + "\x1f".join(parts)).urn


def _add(parent: ET.Element, name: str, text: str) -> ET.Element:
    element = ET.SubElement(parent, name)
    element.text = _sound(text)
    return element


def _sound(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
