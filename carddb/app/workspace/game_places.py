"""Where games are looked for beside those of carddb: settings, environment, and what the command line names."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from carddb.app.workspace.settings import Settings
from carddb.core.names import did_you_mean
from carddb.games import GameFolder


def environment_folders() -> list[Path]:
    """The folders that the environment names."""
    return [Path(part) for part in os.environ.get("CARDDB_GAMES", "").split(os.pathsep) if part]


def outside_folders(settings: Settings, options: Sequence[Path]) -> list[tuple[Path, bool]]:
    """Every folder outside carddb, and whether its programs may run: not those of a settings file."""
    trusted = [(path, True) for path in (*options, *environment_folders())]
    return [*((path, False) for path in settings.games), *trusted]


def where_games_are(key: str, games: Mapping[str, GameFolder], settings: Settings, options: Sequence[Path]) -> str:
    """What helps who named a game that there is not: the nearest, and where games are looked for."""
    places = {"games of carddb.toml": settings.games, "CARDDB_GAMES": environment_folders(), "--games": options}
    searched = [f"{name} ({', '.join(map(str, paths)) or 'nothing'})" for name, paths in places.items()]
    return f"{did_you_mean(key, games)} Games are looked for in carddb itself, {', '.join(searched)}."
