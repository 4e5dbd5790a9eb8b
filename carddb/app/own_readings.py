"""A game as one table plays it: its options with the values that the project or the caller names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from carddb.frozen import replaced

if TYPE_CHECKING:
    from carddb.app.project import Project
    from carddb.games import Game


def option_texts(project: Project, key: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The options that the project file names for a game, and over them those of the caller, as they are typed."""
    own = {**project.settings.options.get(key, {}), **options}
    return {name: value if isinstance(value, str) else json.dumps(value) for name, value in own.items()}


def with_options(project: Project, game: Game, options: Mapping[str, Any]) -> tuple[Game, tuple[str, ...]]:
    """A game whose defaults are the values of this table, and which options have another value by that.

    Raises UsageError for an unknown option, and for a value that it cannot have.
    """
    from carddb.deck.options import options as values_of
    from carddb.games import Game

    spec = game.spec
    values = values_of(spec, option_texts(project, spec.key, options))
    changed = tuple(name for name, option in spec.options.items() if values[name] != option.default)
    if not changed:
        return game, ()
    own = {name: replaced(option, default=values[name]) for name, option in spec.options.items()}
    return Game(game.folder, replaced(spec, options=own)), changed
