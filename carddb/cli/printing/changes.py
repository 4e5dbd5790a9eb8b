"""The commands `changes` and `watch`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from carddb.app.printing.changes import ChangeRequest, changes_file, watched
from carddb.app.printing.changes import changes as changes_of
from carddb.cli import show
from carddb.cli.options import QueryCommand, declared_options, game_option, json_option, query_argument, taken, verb
from carddb.cli.printing.paper import paper_of, print_options
from carddb.cli.session import Session
from carddb.press.documents.changes import notes_text


@verb(cls=QueryCommand)
@query_argument()
@declared_options(ChangeRequest)
@show.output_option(
    "The file: .md, .json, .html (a page), .xml (a feed) or .pdf (cards to paste over the old ones).",
    required=False,
)
@click.option("--url", default="", help="The address of the folder on the web, for the feed.")
@json_option
@print_options("paper", "words", "printer")
def changes(
    session: Session, /, query: tuple[str, ...], output: Path | None, url: str, json_: bool, **options: Any
) -> None:
    """Show what changed: cards, their words, ban lists, rules, and what to print again.

    With -o, the changes are written as release notes, page, feed or errata. A changed card is included if the query
    finds it as it was before or as it is after.
    """
    request = ChangeRequest(" ".join(query), **taken(ChangeRequest, options))
    report = changes_of(session.project, request, paper_of(options))
    if json_:
        show.as_json(report.notes.to_json())
    elif output is None:
        show.echo(notes_text(report.notes), nl=False)
    if output:
        data = changes_file(report, output.suffix.lower().removeprefix("."), url)
        if data:
            session.write(output, data)
        session.say(f"{output}: {report.notes.sums}" if data else f"no face looks different; {output} is not written")


_SECONDS_BETWEEN = 0.5
"""The seconds between two looks at a watched file."""


@verb()
@click.argument("file", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE")
@game_option()
def watch(session: Session, file: Path, key: str | None) -> None:
    """Show what changed in a card file whenever you save it, until you press Ctrl+C. The file is not loaded."""
    for notes in watched(session.project, file, key, _ticks()):
        _, *lines = notes_text(notes).splitlines()
        show.echo("\n".join(lines))


def _ticks() -> Iterator[None]:
    while True:
        yield
        time.sleep(_SECONDS_BETWEEN)
