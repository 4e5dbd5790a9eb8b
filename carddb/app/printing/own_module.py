"""A module of one's own, named by its file where a bundled one is named by its id."""

from __future__ import annotations

from pathlib import Path

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import InputError, UsageError
from carddb.findings import has_errors
from carddb.games import Game
from carddb.play.question import BadInput
from carddb.read.documents.questions import value_of


def with_module(project: Workspace, game: Game, path: Path) -> tuple[Game, str]:
    """A game with the module of a file, and the module's id. Raises UsageError, InputError with every fault told."""
    make = game.hook("own_module")
    if make is None:
        raise UsageError(f"{game.spec.name} has no modules", "See `carddb games KEY`.")
    project.protect(path)
    try:
        document = value_of(path.read_bytes())
        if not isinstance(document, dict):
            raise ValueError("it is no object")
        spec, key, findings = make(game.spec, document, str(path))
    except OSError as fault:
        raise InputError(f"{path} cannot be read: {fault.strerror}") from None
    except BadInput as refusal:
        field = refusal.details.get("field") or refusal.path or "its form"
        raise InputError(f"{path} is no module: {field} is not what it must be") from None
    except ValueError as fault:
        raise InputError(f"{path} is no module: {fault}") from None
    codes = game.rule_book.codes
    findings = [finding._replace(fix=finding.fix or codes[finding.code].fix) for finding in findings]
    if has_errors(findings):
        raise InputError(f"{path} cannot be used as it is", "Mend what is listed above.", findings)
    if findings:
        project.notify("module_remarks", "", findings)
    return Game(game.folder, spec), key
