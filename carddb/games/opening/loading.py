"""A game from its folder: as it was read when its files last were the same, else read anew."""

from __future__ import annotations

from carddb.core import cache
from carddb.findings import Finding
from carddb.game import game, rule_parts, sheet_parts
from carddb.game import parts as game_parts
from carddb.game.frozen import as_plain, build
from carddb.game.game import GameSpec
from carddb.games.opening.folder import GameFolder
from carddb.games.opening.game import Game

_KIND = "game"
_PARTS = (game, game_parts, rule_parts, sheet_parts)
"""The modules of what a game consists of."""


def load(folder: GameFolder) -> tuple[Game | None, list[Finding]]:
    """A game from its folder, or every fault of its files. Raises InputError where a file cannot be read.

    A game without any fault is kept in the user's cache.
    """
    key = _key(folder)
    spec = _cached_spec(key)
    if spec:
        return Game(folder, spec), []
    from carddb.games.opening.spec_reader import read_spec  # Pydantic and PyYAML, 60 ms, for files that changed

    spec, findings = read_spec(folder)
    if spec is None:
        return None, findings
    if not findings and key == _key(folder):  # nothing was changed meanwhile
        cache.keep_plain(_KIND, key, as_plain(spec))
    return Game(folder, spec), findings


def _key(folder: GameFolder) -> str:
    """The key of a game made from these files by this program; empty where they cannot be read."""
    try:
        files = [part for path in folder.data_files for part in (f"{path.parent.name}/{path.name}", path.read_bytes())]
        return cache.key_of([folder.key, *cache.source_stamps(*_PARTS), *files])
    except OSError:
        return ""


def _cached_spec(key: str) -> GameSpec | None:
    data = cache.fetch_plain(_KIND, key)
    try:
        return build(GameSpec, data) if data else None
    except (AttributeError, TypeError, ValueError):
        return None
