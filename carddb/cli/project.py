"""`carddb.toml`: the settings of a project, found by walking up from the working folder."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from carddb.errors import InputError
from carddb.names import did_you_mean

FILE = "carddb.toml"


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
    from carddb.games.schemas import ProjectFile

    try:
        said = ProjectFile.model_validate(data)
    except ValidationError as fault:
        item = fault.errors(include_url=False)[0]
        key = ".".join(map(str, item["loc"]))
        unknown = item["type"] == "extra_forbidden"
        remedy = did_you_mean(key, ProjectFile.model_fields) if unknown else "catalog and game are texts, games a list."
        raise InputError(f"{path}: {key} {'is not known' if unknown else 'has the wrong kind'}", remedy) from fault
    root = path.parent
    return Project(
        root,
        root / (said.catalog or "carddb.db"),
        said.game,
        tuple(root / entry for entry in said.games),
        said.options,
    )
