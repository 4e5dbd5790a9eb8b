"""Publishing ban lists: web pages, notices, sheets, cards, data, a feed and messages, as `{path: bytes}`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

from carddb.app.bans.lists import ban_list, ban_list_in_language
from carddb.app.workspace.clock import creation
from carddb.app.workspace.published_folder import checked_address
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import SAMPLE
from carddb.core.errors import UsageError
from carddb.press.bans.issue import collect
from carddb.press.bans.pictures import card_pictures
from carddb.press.bans.publish import PAPERS, Published
from carddb.press.bans.publish import publish as print_issue
from carddb.press.bans.wording import Publication
from carddb.press.faces.workshop import open_workshop


def publish(
    project: Workspace, names: Sequence[str], on: date | None, known_at: date | datetime | None,
    paper: str | None = None, url: str = "", lang: str = "", home: str = "",
) -> Published:  # fmt: skip
    """Returns the publication of ban lists of one game on a day, with the names of the game and its cards in `lang`.

    Announcements made after `known_at` (default: the end of the day) are left out. `paper` is the only size of the
    printed pages (default: all sizes), `url` the address at which the publication will be, and `home` the address of
    the game's own page relative to it. Raises UsageError for lists of several games, or if `url` is invalid.
    """
    checked_address(url)
    lists = [ban_list(project, name, on) for name in names]
    first, *rest = lists
    if any(other.game.key != first.game.key for other in rest):
        raise UsageError("the ban lists are of several games", "Publish the lists of each game into another folder.")
    day = on or first.today
    listed = {change.card for announcement in first.log.announcements for change in announcement.changes}
    sample = any(card.set == SAMPLE for card in first.pool if card.ref in listed)
    first = ban_list_in_language(project, first.known(known_at or day), lang, day)
    issue = collect(
        first.log,
        list(dict.fromkeys(each.spec.key for each in lists)),
        {card.ref: card.name for card in first.pool},
        Publication(first.game.spec, sample, first.log.on(day).note),
        day,
        first.moment(known_at),
    )
    papers = (paper,) if paper else PAPERS
    workshop = open_workshop(first.game, (), project.art_folder, lang)
    with project.working("publishing") as step:
        step("the faces of cards")
        cards = [card for card in first.pool if card.ref in issue.cards]
        listed = {row.ref for each in issue.lists for row in each.current.rows}
        pictures = card_pictures(workshop, sorted(cards, key=lambda card: card.ref not in listed))
        return print_issue(workshop, replace(issue, pictures=pictures), papers, creation(day), url, step, home)
