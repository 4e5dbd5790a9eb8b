"""`carddb bans publish`: a ban list as a folder of pages, printed notices, data, a feed and messages."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import click

from carddb.cli import show
from carddb.cli.clock import DAY, creation, today
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import exit_code
from carddb.names import did_you_mean


class MomentType(click.ParamType[datetime]):
    """A moment with its time zone, as 2026-05-22T20:00:00Z."""

    name = "moment"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        if isinstance(value, datetime):
            return value
        try:
            moment = datetime.fromisoformat(value)
            if moment.tzinfo is None:
                raise ValueError
            return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a moment with its time zone; write it as 2026-05-22T20:00:00Z.", param, ctx)


MOMENT = MomentType()


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
@click.option("--on", "day", type=DAY, help="The day the list is published for (default: today).")
@click.option("--known-at", type=MOMENT, help="Count announcements up to this moment alone, as 2026-05-22T20:00:00Z.")
@click.option("--url", default="", help="Where the folder will stand on the web, for the feed.")
@click.pass_obj
def publish(
    session: Session,
    /,
    lists: tuple[str, ...],
    output: Path,
    paper: str | None,
    day: date | None,
    known_at: datetime | None,
    url: str,
) -> int:
    """Publish ban lists: web pages, a notice, a sheet and cards to print, JSON, a feed, and text for Discord.

    LIST is a list's key, or GAME:LIST. Several lists of a game have their pages in common.
    """
    from carddb.press.bans.issue import collect
    from carddb.press.bans.publish import PAPERS
    from carddb.press.bans.publish import publish as made
    from carddb.press.bans.words import Publication
    from carddb.press.workshop import open_workshop

    on = day or (known_at.date() if known_at else today())
    key, keys = _meant(session, lists, on)
    game = session.game(key)
    with session.catalog() as catalog:
        log = catalog.ban_log(key, day=on)
        pool = catalog.pool(game.spec, day=on)
    names = {card.ref: card.name for card in pool}
    publication = Publication(game.spec, any(card.set == "sample" for card in pool))
    issue = collect(log, keys, names, publication, on, known_at)
    with show.progress("publishing", session.quiet) as step:
        published = made(open_workshop(game), issue, (paper,) if paper else PAPERS, creation(on), url, step)
        for path, data in published.files.items():
            session.write(output / path, data)
    session.say(f"{output / 'index.html'}: {show.amount(len(published.files), 'file')}")
    show.findings(published.findings, err=True)
    return exit_code(published.findings)


def _meant(session: Session, lists: tuple[str, ...], on: date) -> tuple[str, list[str]]:
    """The game and the keys of its lists that are meant. Raises UsageError."""
    with session.catalog() as catalog:
        known = {f"{key}:{name}": (key, name) for key in session.folders for name in catalog.ban_log(key, day=on).lists}
    found = []
    for asked in lists:
        fits = [pair for full, pair in known.items() if asked in (full, pair[1])]
        if not fits:
            raise UsageError(f"there is no list {asked!r}", did_you_mean(asked, known))
        if len(fits) > 1:
            raise UsageError(f"several games have a list {asked!r}", f"Name one: {', '.join(map(':'.join, fits))}.")
        found.append(fits[0])
    games = {key for key, _ in found}
    if len(games) > 1:
        raise UsageError("these are lists of several games", "Publish each game's lists in a folder of their own.")
    return games.pop(), list(dict.fromkeys(name for _, name in found))
