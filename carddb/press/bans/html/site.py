"""The pages of a publication: one for all lists, one a list, one an announcement, one a card. No script, no server."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from carddb.core import assets
from carddb.layout.documents.fonts import DocumentFonts
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut, cut_for_web, outlined
from carddb.press.bans.html.cards import card_html, cards_html
from carddb.press.bans.html.frame import FileLinks, html_page
from carddb.press.bans.html.lists import announcement_html, index_html, list_html
from carddb.press.bans.issue import Issue
from carddb.press.bans.wording import LABEL, TEXT, headline, list_title
from carddb.press.faces.workshop import BASE

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
        out[path] = text.encode("utf-8", "replace")
    return {**out, **_style(letters, fonts)}


def _pages(issue: Issue, files: dict[str, FileLinks]) -> Iterator[tuple[str, str]]:
    yield "index.html", html_page(issue, "", "Ban lists", index_html(issue))
    yield "cards/index.html", html_page(issue, "cards", "Cards", cards_html(issue))
    for each in issue.lists:
        title = list_title(each.current)
        yield f"{each.folder}/index.html", html_page(issue, each.folder, title, list_html(issue, each, files[each.key]))
        for edition in each.announced:
            body = announcement_html(issue, each, edition, files[each.key])
            page = html_page(issue, each.folder, headline(edition), body)
            yield f"{each.folder}/{each.page(edition)}.html", page
    for ref, name in issue.cards.items():
        yield f"cards/{name}.html", html_page(issue, "cards", issue.names[ref], card_html(issue, ref))


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
