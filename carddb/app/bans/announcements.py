"""Announcements of ban lists: loading them from a file, checking them, and writing them to a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from string import ascii_lowercase
from typing import Any, BinaryIO

from carddb.app.bans.lists import ban_logs, every_card
from carddb.app.workspace.ban_file import by_reference, known_cards, put
from carddb.app.workspace.clock import now
from carddb.app.workspace.day_cards import with_options
from carddb.app.workspace.words import user
from carddb.app.workspace.workspace import Workspace
from carddb.bans.lint import faults
from carddb.bans.lint import lint as lint_log
from carddb.bans.log import Announcement, Change, Log, parts_of, plain_announcement, plain_change, replaced_by
from carddb.bans.state import difference, state
from carddb.cards.cards import Pool
from carddb.catalog.announcements import AnnounceResult
from carddb.catalog.store import Catalog
from carddb.core.errors import UsageError
from carddb.core.names import did_you_mean
from carddb.core.plain_text import json_bytes
from carddb.findings import Finding, has_errors
from carddb.games import Game
from carddb.read.cards.export import yaml_bytes
from carddb.read.documents.bans import ReadBans, read_bans
from carddb.read.source import standard_input


@dataclass(frozen=True, slots=True)
class AnnounceReport:
    """The result of adding announcements from a file: what was added, every finding, and all cards of the game."""

    game: str
    result: AnnounceResult
    findings: tuple[Finding, ...]
    pool: Pool
    dry_run: bool

    @property
    def new_days(self) -> list[date]:
        """The days on which the new announcements come into force."""
        return [each.effective for each in self.result.log.announcements if each.id in self.result.added]

    def effects(self) -> Iterator[tuple[date, str, tuple[Change, ...]]]:
        """Yields what the new announcements change: tuples of a day, the key of a list, and its changes on that day.

        A change is given only on its first day. A withdrawal or correction of another announcement may also change a
        list on the day of that announcement. An announced list that stays the same has one entry, without changes.
        """
        before, after, ids = self.result.before, self.result.log, self.result.added
        replaced = [each for name in ids for each in replaced_by(after, name)]
        for key in after.lists:
            own = {each.effective for each in after.announcements if each.id in ids and key in after.touched(each)}
            earlier = {each.effective for each in replaced if key in after.touched(each)}
            days = [
                (day, difference(state(before, key, day), state(after, key, day)))
                for day in sorted(own | {day for day in earlier if own and day > min(own)})
            ]
            changing = [(day, fresh) for (_, last), (day, now) in pairwise([(date.min, ()), *days])
                        if (fresh := tuple(change for change in now if change not in last))]  # fmt: skip
            for day, changes in changing or days[:1]:
                yield day, key, changes

    def to_json(self) -> dict[str, Any]:
        """Returns what `bans announce --json` shows."""
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
    """Adds the announcements in a file to a game's log: all of them, or none if one has an error.

    The report has every fault. Lists and levels in the file are in force from `day` on. Raises InputError.
    """
    read = _read(file)
    with project.catalog(create=True, temporary=dry_run) as catalog:
        game = _game_with_lists(project, catalog, key)
        result = put(catalog, game, read, str(file), user(), day=day, dry_run=dry_run)
        pool = every_card(catalog, game)
    return AnnounceReport(game.key, result, tuple(game.with_rules(result.findings)), pool, dry_run)


@dataclass(frozen=True, slots=True)
class DraftedChange:
    """A change of a card's level as a user fills it in. `list` is a list's key, and `card` a reference."""

    list: str
    card: str
    level: int
    effective: date
    why: str = ""


def with_drafted(project: Workspace, text: str, key: str | None, drafted: DraftedChange) -> str:
    """Returns the text of a draft with a change added to its announcement for the same day, or to a new one.

    An earlier change of the same card on the same list is replaced. Its level before is the one that the card has on
    that day. Raises UsageError if the text cannot be read as announcements, or if the list is unknown.
    """
    read = _read(BytesIO(text.encode())) if text.strip() else None
    if read and has_errors(read.findings):
        raise UsageError("the announcement has errors, so nothing is added to it", "Correct its text, or delete it.")
    game, log = game_log(project, key)
    if drafted.list not in log.lists:
        remedy = did_you_mean(drafted.list, log.lists) or "Load a file with ban lists first: carddb load bans.yaml."
        raise UsageError(f"{game.spec.name} has no ban list {drafted.list!r}", remedy)
    standing = state(log, drafted.list, drafted.effective).cards.get(drafted.card)
    change = Change(drafted.list, drafted.card, "", standing.level if standing else 0, drafted.level, drafted.why)
    announcements = list(read.log.announcements) if read else []
    at = next((at for at, each in enumerate(announcements) if each.effective == drafted.effective), None)
    if at is None:
        at, moment = len(announcements), now().replace(second=0, microsecond=0)
        taken = {each.id for each in (*log.announcements, *announcements)}
        names = (f"{moment.date()}-{letter}" for letter in ascii_lowercase)
        announcements.append(Announcement(next(name for name in names if name not in taken), moment, drafted.effective))
    others = tuple(each for each in announcements[at].changes if each.target != change.target)
    announcements[at] = announcements[at]._replace(changes=(*others, change))
    return yaml_bytes([plain_announcement(each) for each in announcements]).decode()


def last_drafted(text: str) -> DraftedChange | None:
    """Returns the last change of a card's level in a draft; None if there is none, or the draft cannot be read."""
    for announcement in reversed(_read(BytesIO(text.encode())).log.announcements):
        for change in reversed(announcement.changes):
            if change.card and not change.group:
                return DraftedChange(change.list, change.card, change.after, announcement.effective, change.why)
    return None


def lint(project: Workspace, file: Path | None, key: str | None) -> list[Finding]:
    """Returns the faults in `file`; without it, in the stored ban lists of a game (None: of all). Raises InputError."""
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
    """Returns a game and the log of its ban lists. Raises UsageError if `key` is None and several have one."""
    with project.catalog() as catalog:
        game = _game_with_lists(project, catalog, key)
        return game, catalog.ban_log(game.key)


def log_json(log: Log) -> dict[str, Any]:
    """Returns a log as a mapping with the keys of `bans.yaml`."""
    return {**parts_of(log), "announcements": [plain_announcement(each) for each in log.announcements]}


def log_file(log: Log, kind: str) -> bytes:
    """Returns a log as a file that `carddb load` can read: JSON if `kind` is `json`, else YAML."""
    value = log_json(log)
    return json_bytes(value) if kind == "json" else yaml_bytes(value)


def _read(file: Path | BinaryIO) -> ReadBans:
    return read_bans(standard_input() if str(file) == "-" else file)


def _game_with_lists(project: Workspace, catalog: Catalog, key: str | None) -> Game:
    """Returns the game `key`, or else the project's game, or else the only game with ban lists.

    Its options have the values in the project file. Raises UsageError if none is named and several games have some.
    """
    keys = list(ban_logs(project, catalog)) if not key and not project.settings.game else []
    if len(keys) > 1:
        raise UsageError("several games have ban lists", f"Choose the game with --game: {', '.join(keys)}.")
    return with_options(project, project.only_game(keys[0] if keys else key), {})[0]
