"""The pages of cards: where each stands on every list, and how it came there."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

from markupsafe import Markup

from carddb.press.bans.html import parts as html_parts
from carddb.press.bans.html.frame import card_links, top
from carddb.press.bans.html.parts import join, own
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.word_forms import day, one_line, shown
from carddb.press.bans.wording import (
    allowance,
    announced_on,
    group_flag,
    group_limit,
    group_reason,
    group_title,
    level_name,
    list_title,
    marks,
    status_line,
)


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
