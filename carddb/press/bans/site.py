"""The pages of a publication: one for all lists, one a list, one an announcement, one a card. No script, no server."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from markupsafe import Markup

from carddb.bans.edition import Edition, GroupRow, Step
from carddb.layout.voice import Voice
from carddb.paint.subset import cut, outlined
from carddb.press.bans import markup
from carddb.press.bans.issue import Issue, ListIssue
from carddb.press.bans.markup import join, own
from carddb.press.bans.style import STYLE
from carddb.press.bans.words import (
    SAMPLE,
    allowance,
    day,
    facts,
    group_flag,
    group_limit,
    group_title,
    grouped,
    headline,
    list_title,
    long_day,
    marks,
    number,
    one_line,
    registered,
    status_line,
    summary,
)  # fmt: skip

_FONTS = (("Spectral", 400, False), ("Spectral", 600, False), ("Spectral", 400, True),
          ("IBM Plex Sans Condensed", 400, False), ("IBM Plex Sans Condensed", 600, False))  # fmt: skip
_FEATURES = ("kern", "lnum", "tnum")
_WEB = re.compile("https?://", re.I)
_ALWAYS = "".join(map(chr, range(0x20, 0x7F)))

Files = Sequence[tuple[str, str, str]]
"""What can be taken along: label, kind and address relative to the list's folder."""


def site(issue: Issue, voice: Voice, files: dict[str, Files]) -> dict[str, bytes]:
    """All pages with their style and fonts, by path; `files` are those of each list, by key. Raises FontError."""
    pages = dict(_pages(issue, files))
    letters = {*"".join(pages.values()), *_ALWAYS}
    out = {path: text.encode("utf-8", "replace") for path, text in pages.items()}
    return {**out, **_look(letters, voice)}


def entry(edition: Edition) -> str:
    """What a feed says of an announcement: its changes and the whole list, as plain HTML."""
    news = edition.news
    assert news is not None
    paragraph = Markup("<p>{}</p>")
    parts = [paragraph.format(mark) for mark in marks(edition)]
    parts.append(paragraph.format(f"In force from {long_day(news.announcement.effective)}."))
    for title, steps in (("Stricter", news.stricter), ("Softer", news.softer)):
        parts += _told(title, [_step_line(edition, step) for step in steps])
    parts += _told("Groups", [_group_line(group) for group in edition.groups])
    rows = [
        Markup("{} [{}]: level {}, {}").format(
            own(row.name), own(row.ref), row.level, allowance(edition, row.level)
        )
        for row in edition.rows
    ]  # fmt: skip
    parts += _told(f"Whole list from {day(edition.day)}", rows)
    parts.append(paragraph.format(status_line(edition)))
    return str(join(parts))


def _told(title: str, entries: Sequence[Markup]) -> list[Markup]:
    items = join(Markup("<li>{}</li>").format(item) for item in entries)
    return [Markup("<h2>{}</h2>\n<ul>\n{}\n</ul>").format(title, items)] if entries else []


def _step_line(edition: Edition, step: Step) -> Markup:
    why = Markup(". {}").format(own(step.why)) if step.why else ""
    before, after = allowance(edition, step.before), allowance(edition, step.after)
    return Markup("{} [{}]: {} → {}{}").format(own(step.name), own(step.ref), before, after, why)


def _group_line(group: GroupRow) -> Markup:
    members = Markup(", ").join(Markup("{} [{}]").format(own(each.name), own(each.ref)) for each in group.members)
    flag = f" ({group_flag(group)})" if group.turn else ""
    return Markup("{}{}: {}: {}").format(own(group_title(group)), flag, own(group_limit(group)), members)


def _pages(issue: Issue, files: dict[str, Files]) -> Iterator[tuple[str, str]]:
    yield "index.html", _page(issue, "", "Ban lists", _index(issue))
    yield "cards/index.html", _page(issue, "cards", "Cards", _cards(issue))
    for each in issue.lists:
        title = list_title(each.current)
        yield f"{each.folder}/index.html", _page(issue, each.folder, title, _list(issue, each, files[each.key]))
        for edition in each.announced:
            news = edition.news
            assert news is not None
            body = _announcement(issue, each, edition, files[each.key])
            name = each.pages[news.announcement.id]
            yield f"{each.folder}/{name}.html", _page(issue, each.folder, headline(edition), body)
    for ref, name in issue.cards.items():
        yield f"cards/{name}.html", _page(issue, "cards", issue.names[ref], _card(issue, ref))


def _page(issue: Issue, folder: str, title: str, body: Markup) -> str:
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
    return str(
        Markup(
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>{}: {}</title>\n{}\n'
            '<link rel="stylesheet" href="{}style.css">\n</head>\n<body>\n'
            '<header class="bar"><div class="wrap"><strong><a href="{}index.html">{}</a></strong>'
            '<span>Ban lists</span>\n<nav aria-label="Lists">{}</nav></div></header>\n'
            '<main class="wrap">\n{}\n</main>\n'
            '<footer><div class="wrap">{}<p>As of {}. Made by carddb; there is no script on this page.</p>{}</div>'
            "</footer>\n</body>\n</html>\n"
        ).format(one_line(title), game.name, feeds, up, up, game.name, nav, body, sample, day(issue.day), notice)
    )  # fmt: skip


def _top(issue: Issue, title: Markup | str, said: Sequence[str] = ()) -> Markup:
    """Marks and title."""
    items = [Markup("<li>{}</li>").format(SAMPLE)] if issue.publication.sample else []
    items += [Markup('<li class="grave">{}</li>').format(own(mark)) for mark in said]
    marked = Markup('<ul class="marks">{}</ul>').format(Markup("").join(items)) if items else ""
    return join((Markup(marked), Markup("<h1>{}</h1>").format(title)))


def _facts(issue: Issue, edition: Edition) -> Markup:
    told = join(
        Markup("<div><dt>{}</dt><dd>{}{}</dd></div>").format(
            label, value, Markup("<small>{}</small>").format(small) if small else ""
        )
        for label, value, small in facts(edition, issue.publication, issue.window)
    )
    return Markup('<dl class="facts">\n{}\n</dl>').format(told)


def _columns(left: Sequence[Markup], right: Sequence[Markup]) -> Markup:
    return Markup('<div class="cols">\n<div>\n{}\n</div>\n<aside>\n{}\n</aside>\n</div>').format(
        join(left), join(right)
    )


def _boxed(title: str, *inside: Markup | str, kind: str = "") -> Markup:
    return Markup("<section{}><h2>{}</h2>{}</section>").format(
        Markup(' class="{}"').format(kind) if kind else "", title, join(inside)
    )


def _files(files: Files) -> Markup:
    items = join(
        Markup('<li><a href="{}">{} <span>{}</span></a></li>').format(address, label, kind)
        for label, kind, address in files
    )
    return _boxed("Take it with you", Markup('<ul class="files">{}</ul>').format(items), kind="take")


def _prints(edition: Edition) -> Markup:
    before = Markup("<br>Before it <code>{}</code>").format(grouped(edition.previous)) if edition.previous else ""
    return _boxed(
        "Fingerprints", Markup("<p>This list <code>{}</code>{}</p>").format(grouped(edition.fingerprint), before)
    )


def _linked(issue: Issue) -> markup.Linked:
    return lambda ref: f"../cards/{quote(issue.cards[ref])}.html" if ref in issue.cards else ""


def _announcement(issue: Issue, each: ListIssue, edition: Edition, files: Files) -> Markup:
    news = edition.news
    assert news is not None
    told = news.announcement
    linked = _linked(issue)
    left = [
        markup.steps(edition, "Stricter", news.stricter, linked),
        markup.steps(edition, "Softer", news.softer, linked),
        markup.groups(edition.groups, linked),
        markup.table(edition, f"Whole list from {day(edition.day)}", linked),
    ]
    others = [other for other in issue.lists if other is not each and told.id in other.pages]
    right = [
        _boxed("Is your deck registered?", Markup("<p>{}</p>").format(registered(edition))),
        *(_boxed("Other lists", _related(told.id, other)) for other in others),
        _boxed("Answers", _answers(each, news.answers)) if news.answers else Markup(""),
        _files(files) if edition is each.newest else Markup(""),
        _prints(edition),
        _source(told.source, told.author),
    ]
    foot = Markup('<p class="ref">Announcement {}. <a href="index.html">{}</a></p>').format(
        own(told.id), f"All of the {list_title(edition)}"
    )
    return join((_top(issue, headline(edition), marks(edition)), _facts(issue, edition), _columns(left, right), foot))


def _related(id_: str, other: ListIssue) -> Markup:
    return Markup('<p>It also changes the <a href="../{}/{}.html">{}</a>.</p>').format(
        other.folder, other.pages[id_], list_title(other.current)
    )


def _answers(each: ListIssue, answers: Sequence[tuple[str, str]]) -> Markup:
    return join(
        Markup('<p>{}: <a href="{}.html">{}</a></p>').format(kind.capitalize(), each.pages[id_], own(id_))
        if id_ in each.pages
        else Markup("<p>{}: {}</p>").format(kind.capitalize(), own(id_))
        for kind, id_ in answers
    )


def _source(source: str, author: str) -> Markup:
    """Where an announcement was made, and by whom; only addresses of the web become links."""
    shown = own(source)
    if _WEB.match(source):
        shown = Markup('<a href="{}" rel="noopener">{}</a>').format(source, shown)
    said = [Markup("<p>{}</p>").format(shown)] if source else []
    said += [Markup("<p>By {}</p>").format(own(author))] if author else []
    return _boxed("Where it was announced", *said) if said else Markup("")


def _list(issue: Issue, each: ListIssue, files: Files) -> Markup:
    edition = each.current
    linked = _linked(issue)
    left = [
        markup.table(edition, f"The list on {day(edition.day)}", linked),
        markup.groups(edition.groups, linked),
        markup.heading("Announcements", str(len(each.announced))),
        _announcements(each),
    ]
    right = [
        _boxed("What comes", _ahead(each)) if each.ahead else Markup(""),
        _boxed("Is your deck registered?", Markup("<p>{}</p>").format(registered(edition))),
        _files(files),
        _prints(edition),
    ]
    return join((_top(issue, list_title(edition)), _facts(issue, edition), _columns(left, right)))


def _ahead(each: ListIssue) -> Markup:
    return join(
        Markup("<p><b>{}</b><br>{}, {}; <code>{}</code></p>").format(
            day(edition.day), number(len(edition.rows), "card"), number(len(edition.groups), "group"),
            grouped(edition.fingerprint),
        )
        for edition in each.ahead
    )  # fmt: skip


def _announcements(each: ListIssue) -> Markup:
    items = []
    for edition in reversed(each.announced):
        news = edition.news
        assert news is not None
        said = [f"in force from {day(news.announcement.effective)}", *marks(edition)]
        items.append(
            Markup('<li><a href="{}.html">{}: {}</a><small>{}</small></li>').format(
                each.pages[news.announcement.id], day(news.made_on), summary(edition), own("; ".join(said))
            )
        )
    return Markup('<ul class="plain">\n{}\n</ul>').format(join(items))


def _index(issue: Issue) -> Markup:
    game = issue.publication.game
    parts = [_top(issue, f"{game.name} ban lists"), Markup('<div class="two">')]
    for each in issue.lists:
        edition = each.current
        news = each.newest
        counts = f"{number(len(edition.rows), 'card')} and {number(len(edition.groups), 'group')} on {day(edition.day)}"
        latest = ""
        if news and news.news:
            latest = Markup('<p>Newest: <a href="{}/{}.html">{}</a>, in force from {}</p>').format(
                each.folder, each.pages[news.news.announcement.id], summary(news),
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


def _cards(issue: Issue) -> Markup:
    items = []
    for ref, name in sorted(issue.names.items(), key=lambda pair: (pair[1].casefold(), pair[0])):
        said = [
            f"{one_line(each.current.list.title) or each.key}: level {row.level}"
            for each in issue.lists
            for row in each.current.rows
            if row.ref == ref
        ]
        items.append(
            Markup('<li><a href="{}.html">{}</a> <span class="ref">{}</span><small>{}</small></li>').format(
                quote(issue.cards[ref]), own(name), own(ref), "; ".join(said) or "on no list"
            )
        )
    listed = Markup('<ul class="plain">\n{}\n</ul>').format(join(items))
    return join((_top(issue, "Cards"), Markup('<p class="lead">Every card that a list ever spoke of.</p>'), listed))


def _card(issue: Issue, ref: str) -> Markup:
    parts = [_top(issue, own(issue.names[ref])), Markup('<p class="lead">{}</p>').format(own(ref))]
    for each in issue.lists:
        edition = each.current
        row = next((row for row in edition.rows if row.ref == ref), None)
        level = row.level if row else 0
        since = f", since {day(row.since)}" if row else ""
        stands = markup.level(edition, level, f"{f'level {level}: ' if row else ''}{allowance(edition, level)}{since}")
        parts += [
            markup.heading(list_title(edition)),
            Markup('<p class="step">{}</p>').format(stands),
            join(_comes(each, ref, level)),
            join(
                Markup("<p>In the group {}: {}.</p>").format(own(group_title(group)), own(group_limit(group)))
                for group in edition.in_force
                if ref in {member.ref for member in group.members}
            ),
            _history(each, ref),
        ]
    return join(parts)


def _comes(each: ListIssue, ref: str, level: int) -> Iterator[Markup]:
    for edition in each.ahead:
        now = next((row.level for row in edition.rows if row.ref == ref), 0)
        if now != level:
            yield Markup("<p>From {}: <b>{}</b>.</p>").format(day(edition.day), allowance(edition, now))
            level = now


def _history(each: ListIssue, ref: str) -> Markup:
    items = []
    for edition in reversed(each.announced):
        news = edition.news
        assert news is not None
        said = [
            join((markup.becomes(edition, step.before, step.after), own(step.why)))
            for step in (*news.stricter, *news.softer)
            if step.ref == ref
        ]
        said += [
            Markup("Group {}, {}: {}. {}").format(
                own(group_title(group)), group_flag(group), own(group_limit(group)), own(group.why)
            )
            for group in edition.groups
            if group.turn and ref in {member.ref for member in group.members}
        ]
        if said:
            items.append(
                Markup('<li><a href="../{}/{}.html">In force from {}</a>{}<small>{}</small></li>').format(
                    each.folder, each.pages[news.announcement.id], day(edition.day),
                    join(Markup("<div>{}</div>").format(part) for part in said),
                    own("; ".join((f"announced {day(news.made_on)}", *marks(edition)))),
                )
            )  # fmt: skip
    return Markup('<ul class="plain">\n{}\n</ul>').format(join(items)) if items else Markup("<p>Never changed.</p>")


def _look(letters: set[str], voice: Voice) -> dict[str, bytes]:
    """The style sheet, and the fonts it names, cut down to the letters of all pages."""
    out: dict[str, bytes] = {}
    faces = []
    for family, weight, italic in _FONTS:
        font = voice.book.pick(family, weight, italic)
        name = f"fonts/{family.replace(' ', '-').lower()}-{weight}{'-italic' if italic else ''}.ttf"
        out[name] = cut(outlined(font), letters, _FEATURES)
        faces.append(
            f'@font-face{{font-family:"{family}";font-weight:{weight};font-style:{"italic" if italic else "normal"};'
            f'font-display:swap;src:url("{name}") format("truetype")}}\n'
        )
    return {"style.css": ("".join(faces) + STYLE).encode(), **out}
