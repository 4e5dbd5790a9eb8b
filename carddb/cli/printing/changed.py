"""Print less: only what a player lacks, only what changed since, and what to throw away then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from carddb.app.printing.memory import manifest, pull_list
from carddb.cli import show
from carddb.cli.session import Session
from carddb.core.errors import UsageError

if TYPE_CHECKING:
    from carddb.app.printing.sheet_job import PrintResult

_FILE = click.Path(path_type=Path, dir_okay=False)


class ChangeOptions(NamedTuple):
    """What of a selection is to be printed, and what is to be remembered of it."""

    missing: Path | None
    since: str | None
    pull_list: Path | None
    manifest: Path | None
    no_remember: bool

    def check(self, output: Path | None) -> None:
        """Raises UsageError for options that do not go together."""
        if output is None and (self.since or self.manifest):
            raise UsageError("--since and --manifest are about sheets", "Use -o FILE.pdf.")
        if self.pull_list and not self.since:
            raise UsageError("a pull list tells what changed", "Add --since last.")
        files = [path.absolute() for path in (output, self.manifest, self.pull_list) if path]
        if len(set(files)) < len(files):
            raise UsageError("two results would go into one file", "Name a file for each.")


def change_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of a verb that can print less than everything."""
    for option in (
        click.option("--no-remember", is_flag=True, help="Do not remember this print in the catalogue."),
        click.option("--manifest", type=_FILE, metavar="FILE", help="Write what is on paper now, for a later --since."),
        click.option("--pull-list", type=_FILE, metavar="FILE", help="Write what to throw away, as text."),
        click.option(
            "--since",
            metavar="WHEN",
            help="Only what looks otherwise than it was printed: last, a day, or a manifest file.",
        ),
        click.option(
            "--missing",
            type=click.Path(path_type=Path, dir_okay=False, readable=False),
            metavar="FILE",
            help="Only what is not owned: a table with ref or name, and count; or a deck file.",
        ),
    ):
        command = option(command)
    return command


def show_pulls(session: Session, result: PrintResult, file: Path | None, err: bool) -> None:
    """What to throw away, on the screen and in a file."""
    text = pull_list(result.pulls, result.job.title)
    if result.pulls:
        show.echo(text, err=err)
    if file:
        session.write(file, f"{text}\n".encode())


def remember(session: Session, result: PrintResult, options: ChangeOptions) -> None:
    """Writes the manifest of what is on paper now, and remembers it in the catalogue."""
    if result.record and options.manifest:
        session.write(options.manifest, manifest(session.project, result.record(), result.job.on))
        session.say(f"{options.manifest}: what is on paper now, for a later --since {options.manifest}")
    if not options.no_remember:
        result.remember()
