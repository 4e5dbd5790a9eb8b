"""What may stand in a `carddb.toml`, tested."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from carddb.core.errors import InputError
from carddb.core.names import did_you_mean
from carddb.games.schemas.schemas import ProjectFile


def tested_settings(path: Path, data: bytes) -> dict[str, Any]:
    """The settings of a project file. Raises InputError for one that it may not name, ValueError for no TOML text."""
    values = tomllib.loads(data.decode())
    try:
        return ProjectFile.model_validate(values).model_dump(exclude_unset=True)
    except ValidationError as fault:
        item = fault.errors(include_url=False)[0]
        key = ".".join(map(str, item["loc"]))
        unknown = item["type"] == "extra_forbidden"
        remedy = did_you_mean(key, ProjectFile.model_fields) if unknown else "catalog and game are texts, games a list."
        raise InputError(f"{path}: {key} {'is not known' if unknown else 'has the wrong kind'}", remedy) from fault
