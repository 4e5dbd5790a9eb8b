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

from markupsafe import Markup, escape

from carddb.bans.edition import Edition, ListedCard
from carddb.core.dates import moment_text
from carddb.core.plain_text import FORBIDDEN
from carddb.game.game import GameSpec
from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut_for_web, outlined
from carddb.paint.html import WEB_FEATURES, linked_fonts, page_templates, skin_of
from carddb.press.bans import wording
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.wording import Publication, headline, list_title, one_line, shown

FileLinks = Sequence[tuple[str, str, str]]
"""Files for download: label, kind, and URL relative to the list's folder."""


_DATED = re.compile(r"\b\d{4}-\d\d-\d\d(?:-\w+)*\b")  # a date or an announcement's id, which no line break divides


@lru_cache(maxsize=10_000)  # every announcement repeats the rows of its list
def own(text: str) -> Markup:
    """Returns `text` isolated in its writing direction, so that a right-to-left text does not affect what follows."""
    return Markup("<bdi>" + _DATED.sub(r'<span class="whole">\g<0></span>', str(escape(shown(text)))) + "</bdi>")


def _row_of(edition: Edition, ref: str) -> ListedCard | None:
    return next((row for row in edition.rows if row.ref == ref), None)


def stable_id(*parts: str) -> str:
    """Returns a URN for a feed or an entry; the same `parts` always give the same one."""
    return uuid.uuid5(uuid.NAMESPACE_URL, "carddb:bans:" + "\x1f".join(parts)).urn


_MORE = "More letters"
"""The CSS family name of the fallback fonts, for characters that the other fonts lack."""
_TEMPLATES = page_templates(Path(__file__).with_name("pages"))
_TEMPLATES.globals |= {"say": wording, "own": own, "row_of": _row_of, "stable_id": stable_id}
_TEMPLATES.filters["moment"] = moment_text
_TEMPLATES.tests["web"] = re.compile("https?://", re.I).match


_ALWAYS = "".join(map(chr, range(0x20, 0x7F)))


def site(
    issue: Issue, fonts: DocumentFonts, files: dict[str, FileLinks], home: str = "", cover: str = ""
) -> dict[str, bytes]:
    """Returns all pages, the style sheet and the fonts, by path. `files` are the downloads of each list, by its key.

    `home` is the address of the game's own page and `cover` the address of the game's cover, relative to the published
    folder; either is empty if there is none. With a home, the pages have no head of their own, because they get that of
    the game's pages. Raises FontError if a font is missing.
    """
    pages = dict(_pages(issue, files, home, cover))
    letters = {*_ALWAYS}.union(*pages.values())
    return {path: text.encode("utf-8", "replace") for path, text in pages.items()} | _style(
        letters, fonts, issue.publication.game
    )


def _pages(issue: Issue, files: dict[str, FileLinks], home: str, cover: str) -> Iterator[tuple[str, str]]:
    publication = issue.publication
    titles = {each.key: one_line(each.current.list.title) or each.key for each in issue.lists}
    shared = {
        "issue": issue, "game": publication.game, "sample": publication.sample, "home": home, "cover": cover,
        "tabs": [*((each.folder, titles[each.key]) for each in issue.lists), ("cards", "Cards")],
    }  # fmt: skip

    def page(template: str, folder: str, title: str, edition: Edition | None = None, **values: object) -> str:
        place = {"folder": folder, "up": "../" if folder else "", "title": title, "edition": edition}
        return _TEMPLATES.get_template(template).render(shared | place | values)

    yield "index.html", page("index.html", "", "Ban lists")
    levels: dict[str, list[str]] = defaultdict(list)
    for each in issue.lists:
        for row in each.current.rows:
            levels[row.ref].append(f"{titles[each.key]}: level {row.level}")
        for group in each.current.in_force:
            for member in group.members:
                levels[member.ref].append(f"{titles[each.key]}: group {wording.group_title(group.spec.key)}")
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


def _style(letters: set[str], fonts: DocumentFonts, game: GameSpec) -> dict[str, bytes]:
    """Returns the style sheet and its fonts, cut down to `letters` (the characters of all pages), by path."""
    faces, out = linked_fonts(fonts, letters)
    first = fonts.font("text")
    lacking: dict[str, tuple[Font, str]] = {}
    visible = sorted(char for char in letters if unicodedata.category(char) != "Cf")
    for font, piece in fonts.book.split("".join(visible), first)[0]:
        if font is not first:
            lacking[font.key] = (font, lacking.get(font.key, (font, ""))[1] + piece)
    for number, (font, chars) in enumerate(lacking.values(), start=1):
        name = f"fonts/more-{number}.ttf"
        out[name] = cut_for_web(outlined(font), chars, WEB_FEATURES)
        faces.append({"family": _MORE, "source": name, "span": ",".join(f"U+{ord(char):X}" for char in chars)})
    values = {"skin": skin_of(fonts, game.accent, game.ground), "faces": faces, "lenders": [_MORE] if lacking else []}
    return {"style.css": _TEMPLATES.get_template("style.css").render(values).encode(), **out}


ENTRIES = 100
"""The number of announcements on a full page of the feed. The first page has up to twice as many."""


def feeds(each: ListIssue, publication: Publication, base: str = "") -> Iterator[tuple[str, bytes]]:
    """Yields the file name and the content of each page of a list's feed, which begins with the newest announcement.

    A long feed is split into pages (RFC 5005): `feed.xml` has the newest announcements, and each archive page a hundred
    older ones. Later announcements never move an entry from one archive page to another. `base` is the URL of the
    list's folder, empty if unknown.
    """
    editions = [(edition, edition.news) for edition in each.announced if edition.news]
    archives = max(0, len(editions) // ENTRIES - 1)
    names = [*(f"feed-{number}.xml" for number in range(1, archives + 1)), "feed.xml"]
    days = {news.announcement.id: news.announcement.made for _, news in editions}
    template = _TEMPLATES.get_template("feed.xml")
    for number, name in enumerate(names):
        part = editions[number * ENTRIES : (number + 1) * ENTRIES if number < archives else None]
        entries = [
            (edition, news, max([news.announcement.made, *(days[id_] for _, id_ in news.answers if id_ in days)]))
            for edition, news in reversed(part)
        ]
        begin = datetime.combine(each.current.day, time(), UTC)
        text = template.render(
            each=each, publication=publication, base=base, names=names, number=number, entries=entries,
            updated=max((changed for *_, changed in entries), default=begin),
        )  # fmt: skip
        yield name, FORBIDDEN.sub("\ufffd", text).encode()
