"""The command `bans publish`."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import click

from carddb.app.bans.publication import publish as publish_lists
from carddb.app.workspace.published_folder import write_folder
from carddb.cli import show
from carddb.cli.options import DAY, LANG, known_option, verb
from carddb.cli.session import Session
from carddb.core.plain_text import amount
from carddb.findings import exit_code


@verb()
@click.argument("lists", metavar="LIST...", nargs=-1, required=True)
@show.folder_option("The folder to write to.")
@click.option("--paper", type=click.Choice(["letter", "a4"]), help="The paper of the PDFs (default: one of each).")
@click.option("--on", "day", type=DAY, help="The day of the published list (default: today in the list's time zone).")
@LANG
@known_option
@click.option("--url", default="", help="The address of the folder on the web, for the feed.")
def publish(
    session: Session,
    /,
    lists: tuple[str, ...],
    output: Path,
    paper: str | None,
    lang: str,
    day: date | None,
    moment: date | datetime | None,
    url: str,
) -> int:
    """Publish ban lists: web pages, a notice, a sheet and cards to print, JSON, a feed, and text for Discord.

    LIST is a name such as short or long, or GAME:LIST. Several lists of a game share their pages.
    """
    publication = publish_lists(session.project, lists, day, moment, paper, url, lang)
    write_folder(session.project, output, publication.files, publication.entrances)
    session.say(f"{output / 'index.html'}: {amount(len(publication.files), 'file')} for {publication.on}")
    show.findings(publication.findings, err=True)
    return exit_code(publication.findings)
