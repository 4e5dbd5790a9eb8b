"""`carddb.toml`: the settings of a project, found by walking up from the working folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from carddb import cache
from carddb.errors import InputError
from carddb.names import did_you_mean

FILE = "carddb.toml"


class Project(NamedTuple):
    """What a project file says; paths are taken from its folder."""

    root: Path | None = None
    catalog: Path | None = None
    game: str | None = None
    games: tuple[Path, ...] = ()
    options: Mapping[str, Mapping[str, Any]] = MappingProxyType({})

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
    """A project file, as it was read when it last was the same, else read and tested."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _unreadable(path, error) from error
    key = cache.key_of([data])
    said = cache.fetch_plain("project", key)
    if said is None:
        said = _tested(path, data)
        cache.keep_plain("project", key, said)
    root = path.parent
    return Project(
        root,
        root / (said.get("catalog") or "carddb.db"),
        said.get("game"),
        tuple(root / entry for entry in said.get("games", ())),
        said.get("options", {}),
    )


def _tested(path: Path, data: bytes) -> dict[str, Any]:
    """What a project file says, where it says nothing strange."""
    import tomllib

    from pydantic import ValidationError

    from carddb.games.schemas import ProjectFile

    try:
        return ProjectFile.model_validate(tomllib.loads(data.decode())).model_dump(exclude_unset=True)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise _unreadable(path, error) from error
    except ValidationError as fault:
        item = fault.errors(include_url=False)[0]
        key = ".".join(map(str, item["loc"]))
        unknown = item["type"] == "extra_forbidden"
        remedy = did_you_mean(key, ProjectFile.model_fields) if unknown else "catalog and game are texts, games a list."
        raise InputError(f"{path}: {key} {'is not known' if unknown else 'has the wrong kind'}", remedy) from fault


def _unreadable(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} cannot be read: {error}", "Mend the file, or leave the folder.")
