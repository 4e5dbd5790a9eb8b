"""A game as one table plays it: its options with the values that the project or the caller names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.deck.options import as_typed
from carddb.deck.options import options as values_of
from carddb.findings import has_errors
from carddb.games import Game


def option_texts(project: Workspace, key: str, options: Mapping[str, Any]) -> dict[str, str]:
    """The options that the project file names for a game, and over them those of the caller, as they are typed."""
    return as_typed({**project.settings.options.get(key, {}), **options})


def with_options(project: Workspace, game: Game, options: Mapping[str, Any]) -> tuple[Game, tuple[str, ...]]:
    """A game whose defaults are the values of this table, and which options have another value by that.

    Raises UsageError for an unknown option, and for a value that it cannot have.
    """
    spec = game.spec
    values = _checked(project, game, values_of(spec, option_texts(project, spec.key, options)))
    changed = tuple(name for name, option in spec.options.items() if values[name] != option.default)
    return (Game(game.folder, spec.with_defaults(values)), changed) if changed else (game, ())


def _checked(project: Workspace, game: Game, values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values as the game's rules read them; what these say of them is reported. Raises UsageError for an error."""
    check = game.hook("option_values")
    if check is None:
        return values
    values, findings = check(game.spec, values)
    codes = game.rule_book.codes
    findings = [finding._replace(fix=finding.fix or codes[finding.code].fix) for finding in findings]
    if has_errors(findings):
        raise UsageError(findings[0].message, findings[0].fix)
    if findings:
        project.notify("option_remarks", "", findings)
    return values
