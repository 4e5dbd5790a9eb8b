"""`carddb bans publish`: ban lists as a folder of pages, printed notices, data, a feed and messages."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import click

from carddb.cards import SAMPLE
from carddb.cli import show
from carddb.cli.banlists import BanList, known_option, list_named
from carddb.cli.clock import DAY, creation
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import exit_code


@click.command()
@click.argument("lists", metavar="LIST...", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False, readable=False),
    metavar="DIR",
    help="The folder that it is written to.",
)
@click.option("--paper", type=click.Choice(["letter", "a4"]), help="The paper of the PDFs (default: one of each).")
@click.option("--on", "day", type=DAY, help="The day it is published for (default: today, where the list is).")
@known_option
@click.option("--url", default="", help="Where the folder will stand on the web, for the feed.")
@click.pass_obj
def publish(
    session: Session,
    /,
    lists: tuple[str, ...],
    output: Path,
    paper: str | None,
    day: date | None,
    moment: date | datetime | None,
    url: str,
) -> int:
    """Publish ban lists: web pages, a notice, a sheet and cards to print, JSON, a feed, and text for Discord.

    LIST is short, long or the like, or GAME:LIST. Several lists of a game have their pages in common.
    """
    from carddb.press.bans.issue import collect
    from carddb.press.bans.publish import PAPERS
    from carddb.press.bans.publish import publish as made
    from carddb.press.bans.wording import Publication
    from carddb.press.workshop import open_workshop

    first, *rest = found = _opened(session, lists, day)
    if any(other.game.key != first.game.key for other in rest):
        raise UsageError("these are lists of several games", "Publish each game's lists in a folder of their own.")
    on = day or first.today
    known = first.moment(moment)
    named = {change.card for told in first.log.announcements for change in told.changes}
    sample = any(card.set == SAMPLE for card in first.pool if card.ref in named)
    issue = collect(
        first.log,
        list(dict.fromkeys(each.spec.key for each in found)),
        {card.ref: card.name for card in first.pool},
        Publication(first.game.spec, sample, first.log.on(on).note),
        on,
        known,
    )
    with show.progress("publishing", session.quiet) as step:
        published = made(open_workshop(first.game), issue, (paper,) if paper else PAPERS, creation(on), url, step)
    for path, data in published.files.items():
        session.write(output / path, data)
    session.say(f"{output / 'index.html'}: {show.amount(len(published.files), 'file')} for {on}")
    show.findings(published.findings, err=True)
    return exit_code(published.findings)


def _opened(session: Session, names: tuple[str, ...], day: date | None) -> list[BanList]:
    with session.catalog() as catalog:
        return [list_named(session, catalog, name, day) for name in names]
