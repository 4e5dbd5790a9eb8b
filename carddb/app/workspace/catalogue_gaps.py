"""Where a catalogue differs from the folders of its games: ban lists that are not loaded, card types that are gone."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from carddb.app.workspace.workspace import Workspace
from carddb.bans.log import Log
from carddb.catalog.store import Catalog
from carddb.core.errors import CarddbError
from carddb.core.plain_text import amount, first_of
from carddb.findings import Finding, Place, warning
from carddb.games import Game
from carddb.read.documents.bans import read_bans

_MOST = 5
"""The most cards that a finding names."""


def bans_not_loaded(game: Game, log: Log, thorough: bool = False) -> list[Finding]:
    """Returns the finding that the `bans.yaml` in a game's folder is not in the game's log of the catalogue.

    Without `thorough` the file is only compared if the log is empty, since reading a long one takes a deck's time. Ban
    lists of bundled games are samples, which make room for others.
    """
    path = game.folder.bans_file
    if path is None or game.folder.bundled or (log.lists and not thorough):
        return []
    file = os.path.relpath(path) if path.is_relative_to(Path.cwd()) else str(path)
    message = "the ban lists in this file are not in the catalogue, and no deck is checked against them"
    if log.lists:
        announced = read_bans(game.folder.source(path)).log.announcements
        new = [each.id for each in announced if log.announcement(each.id) is None]
        if not new:
            return []
        message = f"{amount(len(new), 'announcement')} of this file not in the catalogue: {first_of(new, _MOST)}"
    fix = f"Load it: carddb load {file} --game {game.key}"
    return [warning("bans_not_loaded", message, Place(file), fix=fix)]


def tell_bans_not_loaded(project: Workspace, game: Game, log: Log, thorough: bool = False) -> None:
    """Sends the notice that a game's `bans.yaml` is not loaded, once."""
    findings = bans_not_loaded(game, log, thorough)
    if findings and all(notice.findings != (*findings,) for notice in project.notices):
        project.notify("bans_not_loaded", "", findings)


def types_gone(catalog: Catalog, game: Game) -> list[Finding]:
    """Returns a finding for each card type that the catalogue has and the game's `game.yaml` no longer has."""
    by_type: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for kind, ref, source in catalog.cards_of_other_types(game.key, game.spec.types):
        by_type[kind].append((ref, source))
    findings = []
    for kind, cards in by_type.items():
        refs, sources = [ref for ref, _ in cards], dict.fromkeys(source for _, source in cards)
        message = (
            f"{amount(len(refs), 'card')} of the type {kind!r}, which {game.key} no longer has: {first_of(refs, _MOST)}"
        )
        fix = (
            f"Give them another type in {first_of(list(sources), 2)} and load it again, take them out and load with "
            "--prune, or put the type back into game.yaml."
        )
        findings.append(warning("card_type_gone", message, Place(next(iter(sources))), fix=fix))
    return findings


def catalogue_gaps(project: Workspace, games: Iterable[Game]) -> list[Finding]:
    """Returns both kinds of findings for some games; nothing if there is no catalogue, or it cannot be opened."""
    if not project.catalog_path.exists():
        return []
    try:
        with project.catalog() as catalog:
            return [
                finding
                for game in games
                for finding in (
                    *bans_not_loaded(game, catalog.ban_log(game.key), thorough=True),
                    *types_gone(catalog, game),
                )
            ]
    except CarddbError:  # the examination of the catalogue says why
        return []
