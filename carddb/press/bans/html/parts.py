"""Pieces of the pages about ban lists: the frame of every page, levels, steps, groups and tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import quote

from markupsafe import Markup

from carddb.bans.edition import Edition, LevelChange, ListedCard, ListedGroup
from carddb.paint.documents.html import NO_ICON
from carddb.press.bans.issue import Issue
from carddb.press.bans.wording import (
    SAMPLE,
    allowance,
    copies,
    day,
    facts,
    group_flag,
    group_limit,
    group_reason,
    group_title,
    grouped,
    list_title,
    number,
    one_line,
    shown,
    squares,
    status_line,
)


class Thumbnail(NamedTuple):
    """A small picture of a face: its address and its size in pixels."""

    address: str
    width: int
    height: int


class CardLinks(NamedTuple):
    """The addresses of the cards' pages and their thumbnails, by reference."""

    pages: Mapping[str, str] = MappingProxyType({})
    thumbnails: Mapping[str, Thumbnail] = MappingProxyType({})


_ARROW = Markup(
    '<svg class="arrow" viewBox="0 0 30 14" role="img" aria-label="becomes"><path d="M0 6h22V1l8 6-8 6V8H0z"/></svg>'
)


def own(text: str) -> Markup:
    """Words of somebody else, apart from ours: their direction ends where they end."""
    return Markup("<bdi>{}</bdi>").format(shown(text))


def join(parts: Iterable[Markup | str]) -> Markup:
    """Pieces under each other."""
    return Markup("\n").join(part for part in parts if part)


def card_name(ref: str, name: str, links: CardLinks) -> Markup:
    """A card by name, links to its page, its reference behind it."""
    return _name(ref, name, links.pages.get(ref))


def _name(ref: str, name: str, address: str | None) -> Markup:
    shown = Markup('<a href="{}">{}</a>').format(address, own(name)) if address else own(name)
    return Markup('{} <span class="ref">{}</span>').format(shown, own(ref))


def beside_face(ref: str, words: Markup, links: CardLinks) -> Markup:
    """Words with the small face of a card before them, as far as there is one.

    The picture has no words of its own: the name that stands beside it says what it is.
    """
    return _beside(links.thumbnails.get(ref), words)


def _beside(thumbnail: Thumbnail | None, words: Markup) -> Markup:
    if thumbnail is None:
        return words
    return Markup(
        '<div class="seen"><img src="{}" alt="" width="{}" height="{}" loading="lazy" decoding="async">'
        "<div>{}</div></div>"
    ).format(*thumbnail, words)


def level_mark(edition: Edition, level: int) -> Markup:
    """As many filled squares as the level has rank; nothing for a card that is not on the list."""
    of, filled = squares(edition, level)
    return _squares(level, filled, of) if of else Markup("")


@cache
def _squares(level: int, rank: int, of: int) -> Markup:
    squares = join(
        Markup('<path d="M{} 0h9.6v10h-9.6z"/>').format(f"{at * 10.7:g}")
        if at < rank
        else Markup('<path d="M{} .7h8.2v8.6h-8.2z" fill="none" stroke="#1a1a1c" stroke-width="1.4"/>').format(
            f"{at * 10.7 + 0.7:g}"
        )
        for at in range(of)
    )
    width = f"{of * 10.7 - 1.1:g}"
    return Markup('<svg viewBox="0 0 {} 10" role="img" aria-label="level {}">{}</svg>').format(
        width, level, squares.replace("\n", "")
    )


def level(edition: Edition, number_: int, words: str) -> Markup:
    """A level's mark and what is said of it."""
    return _marked(level_mark(edition, number_), words)


def _marked(mark: Markup, words: str) -> Markup:
    return Markup('<span class="lvl">{}{}</span>').format(mark, words)


def becomes(edition: Edition, before: int, after: int) -> Markup:
    """From, arrow, to; the new state is heavier."""
    new = Markup('<span class="lvl">{}<b>{}</b></span>').format(
        level_mark(edition, after), allowance(edition, after)
    )  # fmt: skip
    return Markup('<div class="step">{}{}{}</div>').format(
        level(edition, before, allowance(edition, before)), _ARROW, new
    )


def heading(title: str, aside: str = "") -> Markup:
    """A heading of level 2 with a count at its right."""
    return Markup("<h2>{}{}</h2>").format(title, Markup(' <span class="n">{}</span>').format(aside) if aside else "")


def steps(edition: Edition, title: str, steps_: Sequence[LevelChange], links: CardLinks) -> Markup:
    """The cards that became stricter, or softer, each with its reason."""
    if not steps_:
        return Markup("")
    articles = (
        Markup('<article class="chg"><div>{}</div>{}</article>').format(
            beside_face(step.ref, _step(edition, step, links), links), _why(step.why)
        )
        for step in steps_
    )
    return join((heading(title, number(len(steps_), "card")), *articles))


def _step(edition: Edition, step: LevelChange, links: CardLinks) -> Markup:
    return Markup("<h3>{}</h3>\n{}").format(
        card_name(step.ref, step.name, links), becomes(edition, step.before, step.after)
    )


def groups(groups_: Sequence[ListedGroup], links: CardLinks) -> Markup:
    """Each group in a frame of its own, its limit above its members."""
    if not groups_:
        return Markup("")
    news = sum(group.is_news for group in groups_)
    frames = (
        Markup('<article class="group{}"><h3>{}{}</h3><p class="lim">{}</p>\n<ul>{}</ul>{}</article>').format(
            " ended" if group.ended else "",
            own(group_title(group)),
            flag(group_flag(group)),
            own(group_limit(group)),
            Markup("").join(
                Markup("<li{}>{}</li>").format(
                    Markup(' class="anchor"') if member.ref == group.spec.anchor else "",
                    beside_face(member.ref, card_name(member.ref, member.name, links), links),
                )
                for member in group.members
            ),
            _why(group_reason(group)),
        )
        for group in groups_
    )
    aside = f"{len(groups_)}, {news} changed" if news else str(len(groups_))
    return join((heading("Groups", aside), *frames))


def flag(word: str) -> Markup:
    """A framed word behind a name."""
    return Markup('<span class="flag">{}</span>').format(word) if word else Markup("")


def table(edition: Edition, title: str, links: CardLinks) -> Markup:
    """The whole list as a table."""
    head = heading(title, number(len(edition.rows), "card"))
    if not edition.rows:
        return join((head, Markup("<p>No card is on the list.</p>")))
    rows = join(
        _row(
            row,
            links.pages.get(row.ref),
            links.thumbnails.get(row.ref),
            level_mark(edition, row.level),
            copies(edition, row.level),
        )
        for row in edition.rows
    )
    return Markup(
        '{}\n<table><caption>{}</caption>\n<thead><tr><th scope="col">Card</th><th scope="col">Level</th>'
        '<th scope="col" class="num">Copies</th></tr></thead>\n<tbody>\n{}\n</tbody></table>'
    ).format(head, status_line(edition), rows)


@lru_cache(maxsize=10_000)  # every announcement repeats the rows of its list: 118 of them 5.0 ms, kept 0.1 ms
def _row(row: ListedCard, address: str | None, thumbnail: Thumbnail | None, mark: Markup, allowed: str) -> Markup:
    label = Markup("{}{}<small>since {}</small>").format(
        _name(row.ref, row.name, address), flag(row.turn), day(row.since)
    )
    return Markup(
        '<tr><th scope="row">{}</th><td>{}</td><td class="num">{}</td></tr>'
    ).format(
        _beside(thumbnail, label), _marked(mark, str(row.level)), allowed,
    )  # fmt: skip


def _why(text: str) -> Markup:
    return Markup("\n<p>{}</p>").format(own(text)) if text else Markup("")


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


def card_links(issue: Issue) -> CardLinks:
    """Where the pages and the small faces of cards are, seen from a list's folder."""
    return CardLinks(
        {ref: f"../cards/{quote(name)}.html" for ref, name in issue.cards.items()},
        {
            ref: Thumbnail(f"../thumbnails/{quote(issue.cards[ref])}.webp", *picture.small_size)
            for ref, picture in issue.pictures.items()
        },
    )
