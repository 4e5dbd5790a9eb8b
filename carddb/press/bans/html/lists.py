"""The pages of announcements, of lists, and the first one."""

from __future__ import annotations

import re

from markupsafe import Markup

from carddb.bans.edition import Edition, News
from carddb.press.bans.html import parts as html_parts
from carddb.press.bans.html.frame import FileLinks, boxed, card_links, columns, facts_of, files_box, prints, top
from carddb.press.bans.html.parts import join, own
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.word_forms import day, grouped, number
from carddb.press.bans.wording import headline, list_title, marks, registered, summary

_WEB = re.compile("https?://", re.I)


def announcement_html(issue: Issue, each: ListIssue, edition: Edition, files: FileLinks) -> Markup:
    """One announcement: what changes and why, and the list after it."""
    news = edition.news
    assert news is not None
    announcement = news.announcement
    links = card_links(issue)
    left = [
        html_parts.steps(edition, "Stricter", news.stricter, links),
        html_parts.steps(edition, "Softer", news.softer, links),
        html_parts.groups(edition.groups, links),
        html_parts.table(edition, f"Whole list from {day(edition.day)}", links),
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
        html_parts.table(edition, f"The list on {day(edition.day)}", links),
        html_parts.groups(edition.groups, links),
        html_parts.heading("Announcements", str(len(each.announced))),
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
            number(len(edition.rows), "card"),
            number(len(edition.groups), "group"),
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
        counts = f"{number(len(edition.rows), 'card')} and {number(len(edition.groups), 'group')} on {day(edition.day)}"
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
