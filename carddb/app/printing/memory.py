"""What is on paper already: what a player owns, and what earlier jobs printed."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from carddb.app.workspace.clock import now, today
from carddb.app.workspace.workspace import Workspace
from carddb.cards.cards import Card
from carddb.cards.print_history import PrintJob, Pull
from carddb.core.amounts import amount
from carddb.core.errors import CatalogError, UsageError
from carddb.core.plain_text import escaped
from carddb.findings import Finding
from carddb.games import Game
from carddb.press.sheets.record import missing
from carddb.read.decks.owned import OwnedFile, owned_cards, read_owned
from carddb.read.documents.print_manifest import manifest_text, read_manifest


def missing_copies(
    project: Workspace, game: Game, copies: Sequence[tuple[Card, int]], file: Path | OwnedFile, on: date
) -> tuple[Sequence[tuple[Card, int]], list[Finding]]:
    """What of a selection is not owned, and what is wrong with the file of owned cards. Raises InputError."""
    with project.catalog() as catalog:
        pool = catalog.pool(game.spec, day=on)
    if isinstance(file, Path):
        project.protect(file)
        owned, findings = read_owned(file, game.spec, pool)
    else:
        owned, findings = owned_cards(file, game.spec, pool)
    return missing(game.spec, copies, owned), findings


def since_words(since: str) -> str:
    """What a print is compared with, in words."""
    return "the last print" if since == "last" else since


def previous_job(project: Workspace, since: str, game: Game, title: str, size: str) -> PrintJob | None:
    """What was on paper: remembered last, on a day, or in a manifest. Raises UsageError, InputError."""
    until = date.max
    if since != "last":
        try:
            until = date.fromisoformat(since)
        except ValueError:
            return _from_manifest(Path(since), game, size)
    with project.catalog() as catalog:
        return catalog.last_print_job(game.key, title, size, until=until)


def remember(project: Workspace, job: PrintJob) -> None:
    """Remembers in the catalogue what is on paper now; a notice where the catalogue cannot be written."""
    try:
        with project.catalog() as catalog:
            catalog.add_print_job(job, on=today(), recorded_at=now())
    except CatalogError as fault:
        project.notify("not_remembered", f"this print is not remembered: {fault.message}")


def manifest(project: Workspace, job: PrintJob, on: date) -> bytes:
    """What is on paper now as a file, for a later comparison."""

    with project.catalog() as catalog:
        revision = catalog.revision_hash(job.game, on)
    return manifest_text(job, on, revision).encode()


def pull_list(pulls: Sequence[Pull], title: str) -> str:
    """What to throw away, a line a card."""
    count = sum(pull.copies for pull in pulls)
    lines = [f"Throw away {amount(count, 'card')} of {title}:" if count else f"Throw away nothing of {title}."]
    lines += [f"{pull.copies} {pull.name} [{pull.ref}]  # {pull.why}" for pull in pulls]
    return escaped("\n".join(lines))


def _from_manifest(path: Path, game: Game, size: str) -> PrintJob:
    if not path.is_file():
        raise UsageError(f"--since {path} is neither `last`, a day as 2026-06-20, nor a file", "Write --since last.")

    job = read_manifest(path)
    if job.game != game.key:
        raise UsageError(f"{path} tells of {job.game}, not of {game.key}", "Name a manifest of this game.")
    if job.size != size:
        raise UsageError(f"{path} tells of cards of {job.size}, not of {size}", "Print with the same --card-size.")
    return job
