"""Announcements of ban lists: from a file into the catalogue, tested, and out of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

from carddb.app.bans.lists import ban_logs, every_card
from carddb.app.workspace.ban_file import by_reference, known_cards, put
from carddb.app.workspace.day_cards import with_options
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import Workspace
from carddb.bans.lint import faults
from carddb.bans.lint import lint as lint_log
from carddb.bans.log import Announcement, Change, Log, parts_of, plain_announcement, plain_change
from carddb.bans.state import difference, state
from carddb.cards.cards import Pool
from carddb.catalog.announcements import AnnounceResult
from carddb.catalog.store import Catalog
from carddb.core.errors import UsageError
from carddb.core.plain_text import json_bytes
from carddb.findings import Finding, has_errors
from carddb.games import Game
from carddb.read.cards.export import yaml_bytes
from carddb.read.documents.bans import ReadBans, read_bans
from carddb.read.source import standard_input

Effect = tuple[date, str, tuple["Change", ...]]
"""A day, a list, and what changes on it then."""


@dataclass(frozen=True, slots=True)
class AnnounceReport:
    """The result of a file of announcements: what was added, every finding, and the cards that it may name."""

    game: str
    result: AnnounceResult
    findings: tuple[Finding, ...]
    pool: Pool
    dry_run: bool

    @property
    def new_days(self) -> list[date]:
        """The days on which the new announcements come into force."""
        return [each.effective for each in self.result.log.announcements if each.id in self.result.added]

    def effects(self) -> Iterator[Effect]:
        """Yields the changes that the announcements make, by day and list."""
        return effects(self.result.before, self.result.log, self.result.added)

    def to_json(self) -> dict[str, Any]:
        """Returns the shape of `bans announce --json`."""
        return {
            "schema": "carddb.announce/1",
            "dry_run": self.dry_run,
            "added": list(self.result.added),
            "unchanged": list(self.result.unchanged),
            "effects": [
                {"on": day.isoformat(), "list": key, "changes": [plain_change(change) for change in changes]}
                for day, key, changes in self.effects()
            ],
            "findings": [finding.to_json() for finding in self.findings],
        }


def announce(
    project: Workspace, file: Path | BinaryIO, key: str | None, day: date | None, dry_run: bool
) -> AnnounceReport:
    """Adds the announcements of a file to a game's log: all of them, or none with every fault. Raises InputError."""
    read = _read(file)
    with project.catalog(create=True, temporary=dry_run) as catalog:
        game = _game_with_lists(project, catalog, key)
        result = put(catalog, game, read, str(file), user(), day=day, dry_run=dry_run)
        pool = every_card(catalog, game)
    return AnnounceReport(game.key, result, tuple(game.with_rules(result.findings)), pool, dry_run)


def lint(project: Workspace, file: Path | None, key: str | None) -> list[Finding]:
    """Returns the faults of the whole log of every game, or of a file before it is loaded. Raises InputError."""
    with project.catalog() as catalog:
        if file:
            game = _game_with_lists(project, catalog, key)
            read = by_reference(catalog, game, _read(file))
            if has_errors(read.findings) and not read.log.announcements:
                return read.findings
            log, cards = catalog.ban_log(game.key), known_cards(catalog, game, read.places)
            new = [each for each in read.log.announcements if log.announcement(each.id) != each]
            cards = cards._replace(held={each.id for each in read.log.announcements if each not in new})
            findings = lint_log(read.log, cards) if read.log.lists else faults(log, new, cards)
            return game.with_rules([*read.findings, *findings])
        findings = []
        for name in ban_logs(project, catalog, key):
            game, _ = with_options(project, project.game(name), {})
            log = catalog.ban_log(game.key)
            held = known_cards(catalog, game)._replace(held={each.id for each in log.announcements})
            findings += game.with_rules(lint_log(log, held))
        return findings


def game_log(project: Workspace, key: str | None) -> tuple[Game, Log]:
    """Returns the log of a game with ban lists. Raises UsageError."""
    with project.catalog() as catalog:
        game = _game_with_lists(project, catalog, key)
        return game, catalog.ban_log(game.key)


def log_json(log: Log) -> dict[str, Any]:
    """Returns a log in the words of `bans.yaml`."""
    return {**parts_of(log), "announcements": [plain_announcement(each) for each in log.announcements]}


def log_file(log: Log, kind: str) -> bytes:
    """Returns a log as a file that can be loaded: `json`, else YAML."""
    value = log_json(log)
    return json_bytes(value) if kind == "json" else yaml_bytes(value)


def effects(before: Log, after: Log, ids: Sequence[str]) -> Iterator[Effect]:
    """Yields the changes that turn one log into another, by day and list, each change on its first day.

    A withdrawal or correction may change what an announcement was to do on a day of its own.
    """
    for key in after.lists:
        own = {each.effective for each in after.announcements if each.id in ids and key in after.touched(each)}
        earlier = {target.effective for name in ids for target in _undone(after, name) if key in after.touched(target)}
        days = [
            (day, difference(state(before, key, day), state(after, key, day)))
            for day in sorted(own | {day for day in earlier if own and day > min(own)})
        ]
        changing = [(day, fresh) for (_, last), (day, now) in pairwise([(date.min, ()), *days])
                    if (fresh := tuple(change for change in now if change not in last))]  # fmt: skip
        for day, changes in changing or days[:1]:
            yield day, key, changes


def _undone(log: Log, name: str) -> Iterator[Announcement]:
    """Yields the announcements that one withdraws, corrects or supersedes, and what those did so to."""
    seen = {name}
    names = [name]
    while names:
        announcement = log.announcement(names.pop())
        for other in (announcement.target, announcement.supersedes) if announcement else ():
            if other not in seen and (target := log.announcement(other)):
                seen.add(other)
                names.append(other)
                yield target


def _read(file: Path | BinaryIO) -> ReadBans:
    return read_bans(standard_input() if str(file) == "-" else file)


def _game_with_lists(project: Workspace, catalog: Catalog, key: str | None) -> Game:
    """Returns the game with this key, else the only one with ban lists, else the project's, as the table plays it.

    Raises UsageError.
    """
    keys = list(ban_logs(project, catalog)) if not key and not project.settings.game else []
    if len(keys) > 1:
        raise UsageError("which game?", f"Add --game with one of: {', '.join(keys)}.")
    return with_options(project, project.only_game(keys[0] if keys else key), {})[0]
