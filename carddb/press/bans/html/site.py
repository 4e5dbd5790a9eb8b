"""The pages of a publication: one for all lists, one a list, one an announcement, one a card."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import quote

from markupsafe import Markup

from carddb.bans.edition import Edition, News
from carddb.core import assets
from carddb.layout.documents.blocks import DocumentFonts
from carddb.layout.text.fonts import Font
from carddb.paint.font_subset import cut, cut_for_web, outlined
from carddb.press.bans.html import parts as html_parts
from carddb.press.bans.html.parts import (
    FileLinks,
    boxed,
    card_links,
    columns,
    facts_of,
    files_box,
    groups,
    heading,
    html_page,
    join,
    own,
    prints,
    steps,
    table,
    top,
)
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.wording import (
    LABEL,
    TEXT,
    allowance,
    announced_on,
    day,
    group_flag,
    group_limit,
    group_reason,
    group_title,
    grouped,
    headline,
    level_name,
    list_title,
    marks,
    one_line,
    registered,
    shown,
    status_line,
    summary,
)
from carddb.press.bans.wording import number as numeral
from carddb.press.faces.workshop import BASE


def cards_html(issue: Issue) -> Markup:
    """All cards that lists have named, and what is said of each."""
    items = []
    links = card_links(issue)
    for ref, name in sorted(issue.names.items(), key=lambda pair: (pair[1].casefold(), pair[0])):
        levels = [
            f"{one_line(each.current.list.title) or each.key}: level {row.level}"
            for each in issue.lists
            for row in each.current.rows
            if row.ref == ref
        ]
        items.append(
            Markup("<li>{}</li>").format(
                html_parts.beside_face(
                    ref,
                    Markup('<a href="{}.html">{}</a> <span class="ref">{}</span><small>{}</small>').format(
                        quote(issue.cards[ref]), own(name), own(ref), "; ".join(levels) or "on no list"
                    ),
                    links,
                )
            )
        )
    listed = Markup('<ul class="plain cards">\n{}\n</ul>').format(join(items))
    return join((top(issue, "Cards"), Markup('<p class="lead">Every card that a list ever spoke of.</p>'), listed))


def card_html(issue: Issue, ref: str) -> Markup:
    """One card: what every list says of it, and what was announced of it."""
    head = (top(issue, own(issue.names[ref])), Markup('<p class="lead">{}</p>').format(own(ref)))
    parts: list[Markup] = []
    for each in issue.lists:
        edition = each.current
        row = next((row for row in edition.rows if row.ref == ref), None)
        level = row.level if row else 0
        words = f"{level_name(edition, level)}, since {day(row.since)}" if row else allowance(edition, level)
        stands = html_parts.level(edition, level, words)
        parts += [
            html_parts.heading(list_title(edition)),
            Markup('<p class="step">{}</p>').format(stands),
            join(_comes(each, ref, level)),
            join(
                Markup("<p>In the group {}: {}.</p>").format(own(group_title(group)), own(group_limit(group)))
                for group in edition.in_force
                if ref in {member.ref for member in group.members}
            ),
            _history(each, ref),
            Markup('<p class="end">{}</p>').format(status_line(edition)),
        ]
    return join((*head, _beside_picture(issue, ref, join(parts))))


def _beside_picture(issue: Issue, ref: str, words: Markup) -> Markup:
    """What is said of a card, with its face, where there is one."""
    picture = issue.pictures.get(ref)
    if picture is None:
        return words
    return Markup(
        '<div class="shown"><figure><img src="../faces/{}.webp" alt="{}" width="{}" height="{}"></figure>\n'
        "<div>\n{}\n</div></div>"
    ).format(quote(issue.cards[ref]), shown(picture.words), *picture.size, words)


def _comes(each: ListIssue, ref: str, level: int) -> Iterator[Markup]:
    for edition in each.ahead:
        now = next((row.level for row in edition.rows if row.ref == ref), 0)
        if now != level:
            yield Markup("<p>From {}: <b>{}</b>.</p>").format(day(edition.day), allowance(edition, now))
            level = now


def _history(each: ListIssue, ref: str) -> Markup:
    items = []
    for edition in reversed(each.about.get(ref, ())):
        news = edition.news
        assert news is not None
        lines = [
            join((html_parts.becomes(edition, step.before, step.after), own(step.why)))
            for step in (*news.stricter, *news.softer)
            if step.ref == ref
        ]
        lines += [
            Markup("Group {}, {}: {}. {}").format(
                own(group_title(group)), group_flag(group), own(group_limit(group)), own(group_reason(group))
            )
            for group in edition.groups
            if (group.turn and ref in {member.ref for member in group.members})
            or ref in {member.ref for member in (*group.joined, *group.left)}
        ]
        if lines:
            items.append(
                Markup('<li><a href="../{}/{}.html">In force from {}</a>{}<small>{}</small></li>').format(
                    each.folder, each.page(edition), day(edition.day),
                    join(Markup("<div>{}</div>").format(part) for part in lines),
                    own("; ".join((announced_on(news), *marks(edition)))),
                )
            )  # fmt: skip
    return Markup('<ul class="plain">\n{}\n</ul>').format(join(items)) if items else Markup("<p>Never changed.</p>")


_WEB = re.compile("https?://", re.I)


def announcement_html(issue: Issue, each: ListIssue, edition: Edition, files: FileLinks) -> Markup:
    """One announcement: what changes and why, and the list after it."""
    news = edition.news
    assert news is not None
    announcement = news.announcement
    links = card_links(issue)
    left = [
        steps(edition, "Stricter", news.stricter, links),
        steps(edition, "Softer", news.softer, links),
        groups(edition.groups, links),
        table(edition, f"Whole list from {day(edition.day)}", links),
    ]
    others = [other for other in issue.lists if other is not each and announcement.id in other.pages]
    right = [
        boxed("Is your deck registered?", Markup("<p>{}</p>").format(registered(edition))),
        *(boxed("Other lists", _related(announcement.id, other)) for other in others),
        _see_also(each, news),
        files_box(files) if edition is each.newest else Markup(""),
        prints(edition),
        _source(announcement.source, announcement.author),
    ]
    foot = Markup('<p class="end">Announcement {}. <a href="index.html">{}</a></p>').format(
        own(announcement.id), f"All of the {list_title(edition)}"
    )
    return join((top(issue, headline(edition), marks(edition)), facts_of(issue, edition), columns(left, right), foot))


def _related(id_: str, other: ListIssue) -> Markup:
    return Markup('<p>It also changes the <a href="../{}/{}.html">{}</a>.</p>').format(
        other.folder, other.pages[id_], list_title(other.current)
    )


def _see_also(each: ListIssue, news: News) -> Markup:
    """Links to the announcements that this one names, and to those that bear on it."""
    announcement = news.announcement
    answers = [id_ for _, id_ in news.answers]
    ids = (announcement.target, announcement.supersedes, *answers, *news.overtakes, *news.overtaken_by)
    links = [
        Markup('<p><a href="{}.html">{}</a></p>').format(each.pages[id_], own(id_))
        for id_ in dict.fromkeys(ids)
        if id_ in each.pages
    ]
    return boxed("See also", *links) if links else Markup("")


def _source(source: str, author: str) -> Markup:
    """Where an announcement was made, and by whom; only addresses of the web become links."""
    shown = own(source)
    if _WEB.match(source):
        shown = Markup('<a href="{}" rel="noopener">{}</a>').format(source, shown)
    lines = [Markup("<p>{}</p>").format(shown)] if source else []
    lines += [Markup("<p>By {}</p>").format(own(author))] if author else []
    return boxed("Where it was announced", *lines) if lines else Markup("")


def list_html(issue: Issue, each: ListIssue, files: FileLinks) -> Markup:
    """One list as it is, and all that was announced of it."""
    edition = each.current
    links = card_links(issue)
    left = [
        table(edition, f"The list on {day(edition.day)}", links),
        groups(edition.groups, links),
        heading("Announcements", str(len(each.announced))),
        _announcements(each),
    ]
    right = [
        boxed("What comes", _ahead(each)) if each.ahead else Markup(""),
        boxed("Is your deck registered?", Markup("<p>{}</p>").format(registered(edition))),
        files_box(files),
        prints(edition),
    ]
    return join((top(issue, list_title(edition), marks(edition)), facts_of(issue, edition), columns(left, right)))


def _ahead(each: ListIssue) -> Markup:
    """The days on which the list will change, and what was announced for them."""
    return join(
        Markup("<p><b>{}</b>: {}, {}{}</p>").format(
            day(edition.day),
            numeral(len(edition.rows), "card"),
            numeral(len(edition.groups), "group"),
            Markup("").join(
                Markup('<br><a href="{}.html">{}</a>').format(each.page(other), summary(other))
                for other in each.announced
                if other.day == edition.day
            ),
        )
        for edition in each.ahead
    )


def _announcements(each: ListIssue) -> Markup:
    items = []
    for edition in reversed(each.announced):
        news = edition.news
        assert news is not None
        announced = f"{day(news.made_on)}: " if news.announcement.made_known else ""
        notes = [f"in force from {day(news.announcement.effective)}", *marks(edition)]
        items.append(
            Markup('<li><a href="{}.html">{}{}</a><small>{}</small></li>').format(
                each.page(edition), announced, summary(edition), own("; ".join(notes))
            )
        )
    return Markup('<ul class="plain">\n{}\n</ul>').format(join(items))


def index_html(issue: Issue) -> Markup:
    """All lists of a game."""
    game = issue.publication.game
    parts = [top(issue, f"{game.name} ban lists"), Markup('<div class="two">')]
    for each in issue.lists:
        edition = each.current
        news = each.newest
        counts = (
            f"{numeral(len(edition.rows), 'card')} and {numeral(len(edition.groups), 'group')} on {day(edition.day)}"
        )
        latest = ""
        if news and news.news:
            latest = Markup('<p>Newest: <a href="{}/{}.html">{}</a>, in force from {}</p>').format(
                each.folder, each.page(news), summary(news),
                day(news.news.announcement.effective),
            )  # fmt: skip
        parts.append(
            Markup(
                '<section class="list"><h2><a href="{}/index.html">{}</a></h2><p>Played in: {}</p><p>{}</p>{}'
                '<p><code>{}</code></p></section>'
            ).format(each.folder, list_title(edition), issue.publication.played(edition), counts, latest,
                     grouped(edition.fingerprint))
        )  # fmt: skip
    parts.append(Markup("</div>"))
    return join(parts)


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
