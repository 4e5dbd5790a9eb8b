"""The pages of a publication: one for all lists, one a list, one an announcement, one a card."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from carddb.bans.edition import Edition, ListedCard
from carddb.core import assets
from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut, cut_for_web, outlined
from carddb.press.bans import wording
from carddb.press.bans.issue import Issue
from carddb.press.bans.wording import LABEL, TEXT, headline, list_title, one_line, shown
from carddb.press.faces.workshop import BASE

FileLinks = Sequence[tuple[str, str, str]]
"""What can be taken along: label, kind and address relative to the list's folder."""


@lru_cache(maxsize=10_000)  # every announcement repeats the rows of its list
def own(text: str) -> Markup:
    """Words of somebody else, apart from ours: their direction ends where they end."""
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
"""The family of the fonts for letters that the others lack."""
_ROOT = f"""\
:root{{--ink:#1a1a1c;--mid:#5e6064;--line:#cfd0d1;--red:#8e1b2e;--tint:#f5f4f1;
  --text:"{TEXT}","{_MORE}",Georgia,serif;
  --label:"{LABEL}","{_MORE}","Arial Narrow",Arial,sans-serif}}
"""


def site(issue: Issue, fonts: DocumentFonts, files: dict[str, FileLinks]) -> dict[str, bytes]:
    """All pages with their style and fonts, by path; `files` are those of each list, by key. Raises FontError."""
    out: dict[str, bytes] = {}
    letters = {*_ALWAYS}
    for path, text in _pages(issue, files):
        letters |= {*text}
        out[path] = f"{text}\n".encode("utf-8", "replace")
    return {**out, **_style(letters, fonts)}


def _pages(issue: Issue, files: dict[str, FileLinks]) -> Iterator[tuple[str, str]]:
    publication = issue.publication
    titles = {each.key: one_line(each.current.list.title) or each.key for each in issue.lists}
    shared = {
        "issue": issue, "game": publication.game, "sample": publication.sample,
        "tabs": [*((each.folder, titles[each.key]) for each in issue.lists), ("cards", "Cards")],
    }  # fmt: skip

    def page(template: str, folder: str, title: str, edition: Edition | None = None, **values: object) -> str:
        up = "../" if folder else ""
        return PAGES.get_template(template).render(
            shared, folder=folder, up=up, title=title, edition=edition, **values
        )  # fmt: skip

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
            text = page(
                "edition.html", each.folder, headline(edition), edition, news=news, related=related, **values
            )  # fmt: skip
            yield f"{each.folder}/{each.page(edition)}.html", text
    for ref, name in issue.cards.items():
        yield f"cards/{name}.html", page("card.html", "cards", issue.names[ref], ref=ref)


def _style(letters: set[str], fonts: DocumentFonts) -> dict[str, bytes]:
    """The style sheet, and the fonts it names, cut down to the letters of all pages."""
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
    """Name, bytes and rule of each font that the book falls back on for letters that the others lack."""
    font = fonts.book.pick(_FONTS[0][0], 400, False)
    by_font: dict[str, tuple[Font, str]] = {}
    visible = sorted(char for char in letters if unicodedata.category(char) != "Cf")
    for other, piece in fonts.book.split("".join(visible), font)[0]:
        if other is not font:
            by_font[other.key] = (other, by_font.get(other.key, (other, ""))[1] + piece)
    for number, (other, chars) in enumerate(by_font.values(), start=1):
        name = f"fonts/more-{number}.ttf"
        span = ",".join(f"U+{ord(char):X}" for char in chars)
        yield (
            name,
            cut_for_web(outlined(other), chars, _FEATURES),
            (
                f'@font-face{{font-family:"{_MORE}";font-display:swap;src:url("{name}") format("truetype");'
                f"unicode-range:{span}}}\n"
            ),
        )
