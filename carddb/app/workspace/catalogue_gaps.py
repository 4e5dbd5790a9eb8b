"""Differences between a catalogue and the folders of its games: ban lists not loaded, card types removed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TYPE_CHECKING

from carddb.app.workspace.day_cards import bans_left_out, no_bans_loaded
from carddb.app.workspace.workspace import Workspace
from carddb.bans.log import Log
from carddb.core.errors import CarddbError
from carddb.core.plain_text import amount, first_of
from carddb.findings import Finding, Place, warning
from carddb.games import Game
from carddb.read.documents.bans import read_bans

if TYPE_CHECKING:
    from carddb.catalog.store import Catalog

_MOST = 5
"""The most cards that a finding names."""


def bans_not_loaded(game: Game, log: Log) -> list[Finding]:
    """Returns the finding that announcements of the `bans.yaml` in a game's folder are not in the game's log of the
    catalogue. Ban lists of bundled games are samples, which make room for others.
    """
    path = game.folder.bans_file
    if path is None or game.folder.bundled or not log.lists:
        return no_bans_loaded(game, log)
    announced = read_bans(game.folder.source(path)).log.announcements
    new = [each.id for each in announced if log.announcement(each.id) is None]
    if not new:
        return []
    message = f"{amount(len(new), 'announcement')} of this file not in the catalogue: {first_of(new, _MOST)}"
    return [bans_left_out(game, path, message)]


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
                for finding in (*bans_not_loaded(game, catalog.ban_log(game.key)), *types_gone(catalog, game))
            ]
    except CarddbError:  # the examination of the catalogue says why
        return []
