"""Announcements: into the log, tested, and out of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show as display
from carddb.cli.announced import put, sums
from carddb.cli.banlists import change_words, effects, every_card, logs
from carddb.cli.clock import DAY
from carddb.cli.session import Session, user
from carddb.errors import UsageError
from carddb.findings import Finding, Severity, exit_code, has_errors

if TYPE_CHECKING:
    from carddb.bans.log import Announcement, Log
    from carddb.cards import Pool
    from carddb.catalog.announcements import AnnounceResult
    from carddb.catalog.store import Catalog
    from carddb.games import Game
    from carddb.read.bans import ReadBans

_path = click.Path(path_type=Path, allow_dash=True, readable=False)
_game = click.option("--game", "key", metavar="G", help="The game, where several have ban lists.")
_json = click.option("--json", "json_", is_flag=True, help="As JSON.")


@click.command()
@click.argument("file", type=_path)
@_game
@click.option("--from", "day", type=DAY, help="The day from which changed lists and levels hold (default: today).")
@click.option("--dry-run", is_flag=True, help="Show the effect, and change nothing.")
@_json
@click.pass_obj
def announce(session: Session, file: Path, key: str | None, day: date | None, dry_run: bool, json_: bool) -> int:
    """Add announcements to the log: all of a file, or nothing of it with every fault at once.

    The file holds one announcement, or a list of them. What was announced is never changed or removed: a mistake is
    mended by a correction or a withdrawal, which are announcements too.
    """
    read = _read(file)
    with session.catalog(create=True, keep=not dry_run) as catalog:
        game = _game_of(session, catalog, key)
        result = put(catalog, game, read, str(file), user(), day=day, dry_run=dry_run)
        pool = every_card(catalog, game)
    found = game.with_rules(result.findings)
    if json_:
        display.as_json(_as_json(result, found, dry_run))
        return exit_code(found)
    display.findings(found, err=True, least=Severity.INFO if session.verbose else Severity.WARNING)
    if result.refused:
        session.say(f"nothing was announced: {display.tally(found)}")
        return 1
    tell_effects(result, pool)
    session.say(f"{file}: {'would be: ' if dry_run else ''}{sums(result)}")
    return 0


def tell_effects(result: AnnounceResult, pool: Pool) -> None:
    """What announcements change, by day and list."""
    for day, key, changes in effects(result.before, result.log, result.added):
        click.echo(click.style(f"{result.log.lists[key].title}, from {day}", bold=True))
        for change in changes:
            click.echo(f"  {change_words(change, pool)}")
        if not changes:
            click.echo("  stays as it is")


def _as_json(result: AnnounceResult, found: Iterable[Finding], dry_run: bool) -> dict[str, Any]:
    from carddb.bans.log_data import plain_change

    told = effects(result.before, result.log, result.added)
    return {
        "schema": "carddb.announce/1",
        "dry_run": dry_run,
        "added": list(result.added),
        "unchanged": list(result.unchanged),
        "effects": [
            {"on": day.isoformat(), "list": key, "changes": [plain_change(change) for change in changes]}
            for day, key, changes in told
        ],
        "findings": [finding.to_json() for finding in found],
    }


@click.command()
@click.argument("file", type=_path, required=False)
@_game
@_json
@click.pass_obj
def lint(session: Session, file: Path | None, key: str | None, json_: bool) -> int:
    """Test the whole log, or a file before it is loaded: windows, levels, order, unknown cards, idle waivers."""
    with session.catalog() as catalog:
        if file:
            games = [_game_of(session, catalog, key)]
        else:
            games = [session.game(name) for name in logs(session, catalog, key)]
        found = [finding for game in games for finding in _lint(catalog, game, _read(file) if file else None)]
    if json_:
        display.as_json({"schema": "carddb.ban-lint/1", "findings": [finding.to_json() for finding in found]})
        return exit_code(found)
    display.findings(found, least=Severity.WARNING if session.quiet else Severity.INFO)
    session.say(display.tally(found))
    return exit_code(found)


def _lint(catalog: Catalog, game: Game, read: ReadBans | None) -> list[Finding]:
    """The faults of a file by the light of the catalogue's log, or of that log itself."""
    from carddb.bans import lint as room

    log, refs = catalog.ban_log(game.key), catalog.refs(game.key)
    if read is None:
        return game.with_rules(room.lint(log, room.KnownCards(refs)))
    known = room.KnownCards(refs, read.places)
    if has_errors(read.findings) and not read.log.announcements:
        return read.findings
    found = room.lint(read.log, known) if read.log.lists else room.faults(log, _new(read, log), known)
    return game.with_rules([*read.findings, *found])


def _new(read: ReadBans, log: Log) -> list[Announcement]:
    """The announcements of a file that are not in the log just so."""
    return [each for each in read.log.announcements if log.announcement(each.id) != each]


@click.command()
@click.option("-o", "--output", type=_path, metavar="FILE", help="Write the whole log, as YAML or JSON by its ending.")
@_game
@_json
@click.pass_obj
def log(session: Session, output: Path | None, key: str | None, json_: bool) -> int:
    """List every announcement, in the order in which they were made; or write the log to a file that can be loaded."""
    with session.catalog() as catalog:
        game = _game_of(session, catalog, key)
        found = catalog.ban_log(game.key)
    if output:
        session.write(output, _written(found, output))
        session.say(f"{output}: {display.amount(len(found.announcements), 'announcement')}")
        return 0
    if json_:
        display.as_json({"schema": "carddb.ban-log/1", "game": game.key, **_plain(found)})
        return 0
    rows = [
        (each.id, f"{each.made:%Y-%m-%d %H:%M}", each.effective, each.kind, " ".join(found.touched(each)), _note(each))
        for each in found.announcements
    ]
    display.table(("id", "made (UTC)", "in force", "kind", "lists", ""), rows)
    return 0 if rows else 1


def _note(announcement: Announcement) -> str:
    notes = {"target": "of", "supersedes": "supersedes", "waiver": "waiver:"}
    said = [f"{word} {text}" for name, word in notes.items() if (text := getattr(announcement, name))]
    count = len(announcement.changes)
    return "; ".join([*([display.amount(count, "change")] if count else []), *said])


def _plain(found: Log) -> dict[str, Any]:
    from carddb.bans.log_data import parts_of, plain_announcement

    return {**parts_of(found), "announcements": [plain_announcement(each) for each in found.announcements]}


def _written(found: Log, output: Path) -> bytes:
    from carddb.read.export import yaml_bytes

    value = _plain(found)
    if output.suffix.lower() == ".json":
        return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
    return yaml_bytes(value)


def _read(file: Path) -> ReadBans:
    from carddb.read.bans import read_bans
    from carddb.read.source import standard_input

    return read_bans(standard_input() if str(file) == "-" else file)


def _game_of(session: Session, catalog: Catalog, key: str | None) -> Game:
    """The game named, else the only one with ban lists, else the project's. Raises UsageError."""
    keys = list(logs(session, catalog)) if not key and not session.project.game else []
    if len(keys) > 1:
        raise UsageError("which game?", f"Name it with --game: {', '.join(keys)}.")
    return session.only_game(keys[0] if keys else key)
