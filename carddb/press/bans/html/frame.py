"""The frame of every page, and the boxes that stand in it."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from markupsafe import Markup

from carddb.bans.edition import Edition
from carddb.paint.documents.html import NO_ICON
from carddb.press.bans.html import parts as html_parts
from carddb.press.bans.html.parts import join, own
from carddb.press.bans.issue import Issue
from carddb.press.bans.word_forms import day, grouped, one_line
from carddb.press.bans.wording import SAMPLE, facts, list_title

FileLinks = Sequence[tuple[str, str, str]]
"""What can be taken along: label, kind and address relative to the list's folder."""


def html_page(issue: Issue, folder: str, title: str, body: Markup) -> str:
    """A whole page; `folder` is the one it lies in, empty for the first page."""
    up = "../" if folder else ""
    game = issue.publication.game
    here = Markup(' aria-current="true"')
    links = [(each.folder, one_line(each.current.list.title) or each.key) for each in issue.lists]
    nav = join(
        Markup('<a href="{}{}/index.html"{}>{}</a>').format(up, target, here if target == folder else "", words)
        for target, words in (*links, ("cards", "Cards"))
    )
    sample = Markup("<p>{}.</p>").format(SAMPLE) if issue.publication.sample else ""
    feeds = join(
        Markup('<link rel="alternate" type="application/atom+xml" title="{}" href="{}{}/feed.xml">').format(
            list_title(each.current), up, each.folder
        )
        for each in issue.lists
    )
    notice = Markup("<p>{}</p>").format(" ".join(game.notice.split())) if game.notice else ""
    note = Markup("<p>{}</p>").format(own(one_line(issue.publication.note))) if issue.publication.note else ""
    return str(
        Markup(
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n{}\n<title>{}: {}</title>\n{}\n'
            '<link rel="stylesheet" href="{}style.css">\n</head>\n<body>\n'
            '<header class="bar"><div class="wrap"><strong><a href="{}index.html">{}</a></strong>'
            '<span>Ban lists</span>\n<nav aria-label="Lists">{}</nav></div></header>\n'
            '<main class="wrap">\n{}\n</main>\n'
            '<footer><div class="wrap">{}<p>As of {}. Made by carddb; there is no script on this page.</p>{}{}</div>'
            "</footer>\n</body>\n</html>\n"
        ).format(Markup(NO_ICON), one_line(title), game.name, feeds, up, up, game.name, nav, body, sample,
                 day(issue.day), note, notice)
    )  # fmt: skip


def top(issue: Issue, title: Markup | str, marks: Sequence[str] = ()) -> Markup:
    """Marks and title."""
    items = [Markup("<li>{}</li>").format(SAMPLE)] if issue.publication.sample else []
    items += [Markup('<li class="grave">{}</li>').format(own(mark)) for mark in marks]
    marked = Markup('<ul class="marks">{}</ul>').format(Markup("").join(items)) if items else ""
    return join((Markup(marked), Markup("<h1>{}</h1>").format(title)))


def facts_of(issue: Issue, edition: Edition) -> Markup:
    """The facts under a headline."""
    rows = join(
        Markup("<div><dt>{}</dt><dd>{}{}</dd></div>").format(
            label, value, Markup("<small>{}</small>").format(small) if small else ""
        )
        for label, value, small in facts(edition, issue.publication, issue.window)
    )
    return Markup('<dl class="facts">\n{}\n</dl>').format(rows)


def columns(left: Sequence[Markup], right: Sequence[Markup]) -> Markup:
    """What is read, and beside it what is looked up."""
    return Markup('<div class="cols">\n<div>\n{}\n</div>\n<aside>\n{}\n</aside>\n</div>').format(
        join(left), join(right)
    )


def boxed(title: str, *inside: Markup | str, kind: str = "") -> Markup:
    """A section with a title."""
    return Markup("<section{}><h2>{}</h2>{}</section>").format(
        Markup(' class="{}"').format(kind) if kind else "", title, join(inside)
    )


def files_box(files: FileLinks) -> Markup:
    """The files of a list to take away; not printed."""
    items = join(
        Markup('<li><a href="{}">{} <span>{}</span></a></li>').format(address, label, kind)
        for label, kind, address in files
    )
    return boxed("Take it with you", Markup('<ul class="files">{}</ul>').format(items), kind="take")


def prints(edition: Edition) -> Markup:
    """The fingerprints of a list and of the one before it."""
    before = Markup("<br>Before it <code>{}</code>").format(grouped(edition.previous)) if edition.previous else ""
    return boxed(
        "Fingerprints", Markup("<p>This list <code>{}</code>{}</p>").format(grouped(edition.fingerprint), before)
    )


def card_links(issue: Issue) -> html_parts.CardLinks:
    """Where the pages and the small faces of cards are, seen from a list's folder."""
    return html_parts.CardLinks(
        {ref: f"../cards/{quote(name)}.html" for ref, name in issue.cards.items()},
        {
            ref: html_parts.Thumbnail(f"../thumbnails/{quote(issue.cards[ref])}.webp", *picture.small_size)
            for ref, picture in issue.pictures.items()
        },
    )
