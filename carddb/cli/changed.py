"""Print less: only what a player lacks, only what changed since, and what to throw away then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from carddb.cli import show
from carddb.cli.clock import now, today
from carddb.errors import CatalogError, UsageError

if TYPE_CHECKING:
    from carddb.cards import Card
    from carddb.cli.session import Session
    from carddb.findings import Finding
    from carddb.games import Game
    from carddb.print_history import PrintJob, Pull

Copies = Sequence[tuple["Card", int]]

_FILE = click.Path(path_type=Path, dir_okay=False)


class Wanted(NamedTuple):
    """What of a selection is to be printed, and what is to be kept of it."""

    missing: Path | None
    since: str | None
    pull_list: Path | None
    manifest: Path | None
    no_remember: bool

    @property
    def keeps(self) -> bool:
        """Whether anything is kept of what is on paper then."""
        return bool(self.manifest) or not self.no_remember

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


def lacking(session: Session, game: Game, copies: Copies, path: Path, on: date) -> tuple[Copies, list[Finding]]:
    """What of a selection is not owned, and what is wrong with the file that tells it."""
    from carddb.press.print_record import missing
    from carddb.read.owned import read_owned

    session.keep(path)
    with session.catalog() as catalog:
        pool = catalog.pool(game.spec, day=on)
    owned, found = read_owned(path, game.spec, pool)
    return missing(game.spec, copies, owned), found


def total(copies: Copies) -> int:
    """The cards of a selection, copies counted."""
    return sum(count for _, count in copies)


def named(when: str) -> str:
    """What a print is compared with, in words."""
    return "the last print" if when == "last" else when


def before(session: Session, when: str, game: Game, title: str, size: str) -> PrintJob | None:
    """What was on paper: remembered last, on a day, or told by a manifest. Raises UsageError, InputError."""
    until = date.max
    if when != "last":
        try:
            until = date.fromisoformat(when)
        except ValueError:
            return _told(Path(when), game, size)
    with session.catalog() as catalog:
        return catalog.last_print_job(game.key, title, size, until=until)


def _told(path: Path, game: Game, size: str) -> PrintJob:
    if not path.is_file():
        raise UsageError(f"--since {path} is neither `last`, a day as 2026-06-20, nor a file", "Write --since last.")
    from carddb.read.print_manifest import read_manifest

    told = read_manifest(path)
    if told.game != game.key:
        raise UsageError(f"{path} tells of {told.game}, not of {game.key}", "Name a manifest of this game.")
    if told.size != size:
        raise UsageError(f"{path} tells of cards of {told.size}, not of {size}", "Print with the same --card-size.")
    return told


def keep(session: Session, job: PrintJob, wanted: Wanted, on: date) -> None:
    """Remembers what is on paper now, and writes its manifest. A catalogue that cannot be written costs a sentence."""
    if wanted.manifest:
        from carddb.read.print_manifest import manifest_text

        with session.catalog() as catalog:
            revision = catalog.revision_hash(job.game, on)
        session.write(wanted.manifest, manifest_text(job, on, revision).encode())
        session.say(f"{wanted.manifest}: what is on paper now, for a later --since {wanted.manifest}")
    if wanted.no_remember:
        return
    try:
        with session.catalog() as catalog:
            catalog.add_print_job(job, on=today(), recorded_at=now())
    except CatalogError as fault:
        session.say(f"this print is not remembered: {fault.message}")


def tell_pulls(session: Session, pulls: Sequence[Pull], title: str, file: Path | None, err: bool) -> None:
    """What to throw away, on the screen and in a file."""
    count = sum(pull.copies for pull in pulls)
    lines = [f"Throw away {show.amount(count, 'card')} of {title}:" if count else f"Throw away nothing of {title}."]
    lines += [f"{pull.copies} {pull.name} [{pull.ref}]  # {pull.why}" for pull in pulls]
    text = "\n".join(lines)
    if count:
        click.echo(text, err=err)
    if file:
        session.write(file, f"{text}\n".encode())
