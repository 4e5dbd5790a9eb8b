"""The cards and ban lists of games on a day, what of them the catalogue lacks, and the chosen options of a game."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import SharedCards, Workspace
from carddb.bans.log import Log
from carddb.cards.cards import Pool
from carddb.core.errors import CarddbError, UsageError
from carddb.core.groups import grouped
from carddb.core.options import as_typed
from carddb.core.plain_text import amount, first_of
from carddb.findings import Finding, Place, has_errors, warning
from carddb.games import Game
from carddb.read.documents.bans import read_bans

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog

_MOST = 5
"""The most cards and announcements that a finding about the catalogue names."""


def bans_not_loaded(game: Game, log: Log, each: bool = False) -> list[Finding]:
    """Returns a warning if the catalogue has no ban list of a game (`log` is empty) whose folder has a `bans.yaml`.

    With `each`, also if announcements of the file are not in `log`. Bundled games have only samples, and no warning.
    """
    path = game.folder.bans_file
    if path is None or game.folder.bundled or (log.lists and not each):
        return []
    message = "the ban lists in this file are not in the catalogue, and no deck is checked against them"
    if log.lists:
        announced = read_bans(game.folder.source(path)).log.announcements
        new = [announcement.id for announcement in announced if log.announcement(announcement.id) is None]
        if not new:
            return []
        message = f"the catalogue lacks {amount(len(new), 'announcement')} of this file: {first_of(new, _MOST)}"
    file = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    return [
        warning("bans_not_loaded", message, Place(file), fix=f"Load the file: carddb load {file} --game {game.key}")
    ]


def types_gone(catalog: Catalog, game: Game) -> list[Finding]:
    """Returns a warning for each type that cards in the catalogue have, but that is no longer in `game.yaml`."""
    gone = catalog.cards_of_other_types(game.key, game.spec.types)
    findings = []
    for kind, cards in grouped((kind, (ref, source)) for kind, ref, source in gone).items():
        refs, sources = [ref for ref, _ in cards], dict.fromkeys(source for _, source in cards)
        cards_ = f"{amount(len(refs), 'card')} in the catalogue: {first_of(refs, _MOST)}"
        message = f"{game.key} no longer has the type {kind!r} of {cards_}"
        fix = (
            f"Give the cards another type in {first_of(list(sources), 2)} and load it again; or remove them from it "
            "and load it with --prune; or put the type back into game.yaml."
        )
        findings.append(warning("card_type_gone", message, Place(next(iter(sources))), fix=fix))
    return findings


def catalogue_gaps(project: Workspace, games: Iterable[Game]) -> list[Finding]:
    """Returns the warnings of `bans_not_loaded` and `types_gone` for some games; none without a usable catalogue."""
    if not project.catalog_path.exists():
        return []
    try:
        with project.catalog() as catalog:
            return [
                finding
                for game in games
                for finding in (
                    *bans_not_loaded(game, catalog.ban_log(game.key), each=True),
                    *types_gone(catalog, game),
                )
            ]
    except CarddbError:  # `doctor` reports this fault when it examines the catalogue
        return []


class DayCards:
    """The cards and ban lists that decks are checked against; those not yet in `shared` are read from the catalogue."""

    def __init__(self, project: Workspace, catalog: Catalog, shared: SharedCards) -> None:
        self.catalog = catalog
        self._project = project
        self._pools, self._bans = shared.pools, shared.bans

    def pool(self, game: Game, on: date) -> Pool:
        """Returns the cards of a game that are in force on a day."""
        key = game.key, on
        if key not in self._pools:
            self._pools[key] = self.catalog.pool(game.spec, day=on)
        return self._pools[key]

    def bans(self, game: Game, on: date) -> Log:
        """Returns the ban lists of a game, with the levels and groups as defined on a day."""
        key = game.key, on
        if key not in self._bans:
            self._bans[key] = self.catalog.ban_log(game.key, day=on)
            self._project.notify_once(bans_not_loaded(game, self._bans[key]))
        return self._bans[key]


@contextmanager
def day_cards(project: Workspace) -> Iterator[DayCards]:
    """Opens the project's catalogue within the block, and yields the cards and ban lists in it."""
    shared = project.shared_cards or SharedCards()
    with project.catalog() as catalog:
        shared.refresh(project.catalog_path, project.settings.keep_samples)
        yield DayCards(project, catalog, shared)


def cards_at_hand(project: Workspace, game: Game) -> Pool:
    """Returns the game's cards in the catalogue, as of today; if there are none, the cards in the game's folder."""
    if not project.has_catalog():
        return game.own_cards
    with project.catalog() as catalog:
        pool = catalog.pool(game.spec, day=today())
    return pool if len(pool) else game.own_cards


def option_texts(project: Workspace, key: str, options: Mapping[str, Any]) -> dict[str, str]:
    """Returns the values of a game's options as texts: those in the project file, overridden by `options`."""
    return as_typed({**project.settings.options.get(key, {}), **options})


def with_options(project: Workspace, game: Game, options: Mapping[str, Any]) -> tuple[Game, tuple[str, ...]]:
    """Returns the game with the chosen values of its options as their defaults, and the names of the changed options.

    `options` override those in the project file. Raises UsageError for an unknown option, or an impossible value.
    """
    spec = game.spec
    values = spec.readings_with(option_texts(project, spec.key, options))
    if check := game.hook("option_values"):  # the rules of the game check the values
        values, findings = check(spec, values)
        codes = game.rule_book.codes
        findings = [finding._replace(fix=finding.fix or codes[finding.code].fix) for finding in findings]
        if has_errors(findings):
            raise UsageError(findings[0].message, findings[0].fix)
        if findings:
            project.notify("option_remarks", "", findings)
    changed = tuple(name for name, option in spec.options.items() if values[name] != option.default)
    return (Game(game.folder, spec.with_defaults(values)), changed) if changed else (game, ())
