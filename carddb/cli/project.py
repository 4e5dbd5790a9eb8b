"""`carddb.toml`: the settings of a project, found by walking up from the working folder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from carddb.errors import InputError
from carddb.names import did_you_mean

FILE = "carddb.toml"
_KEYS = ("catalog", "game", "games", "options")


@dataclass(frozen=True, slots=True)
class Project:
    """What a project file says; paths are taken from its folder."""

    root: Path | None = None
    catalog: Path | None = None
    game: str | None = None
    games: tuple[Path, ...] = ()
    options: dict[str, dict[str, Any]] = field(default_factory=dict)

    @property
    def art_folder(self) -> Path:
        """Where pictures are looked for: the project, else the working folder."""
        return self.root or Path.cwd()


def find_project(start: Path) -> Project:
    """The nearest project file at or above `start`. Raises InputError for one that cannot be read."""
    for folder in (start, *start.parents):
        path = folder / FILE
        if path.is_file():
            return _read(path)
    return Project()


def _read(path: Path) -> Project:
    try:
        data = tomllib.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", "Mend the file, or leave the folder.") from error
    for key in data:
        if key not in _KEYS:
            raise InputError(f"{path} has an unknown key {key!r}", did_you_mean(key, _KEYS))
    root = path.parent
    catalog, game, games, options = (data.get(key) for key in _KEYS)
    if not (
        isinstance(catalog, str | None)
        and isinstance(game, str | None)
        and isinstance(games or [], list)
        and all(isinstance(entry, str) for entry in games or [])
        and isinstance(options or {}, dict)
        and all(isinstance(entry, dict) for entry in (options or {}).values())
    ):
        raise InputError(
            f"{path} has a value of the wrong kind",
            "catalog and game are texts, games a list of texts, options a table per game.",
        )
    return Project(
        root,
        root / catalog if catalog else root / "carddb.db",
        game,
        tuple(root / entry for entry in games or ()),
        options or {},
    )
