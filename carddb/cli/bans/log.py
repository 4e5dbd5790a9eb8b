"""The log of announcements: tested, and out of it."""

from __future__ import annotations

from pathlib import Path

import click

from carddb.app.bans import announcements
from carddb.app.bans.words import made_words
from carddb.app.workspace.words import tally
from carddb.bans.log import Announcement
from carddb.cli import show as display
from carddb.cli.session import Session
from carddb.core.amounts import amount
from carddb.findings import Severity, exit_code

_path = click.Path(path_type=Path, allow_dash=True, readable=False)
_game = click.option("--game", "key", metavar="G", help="The game, where several have ban lists.")
_json = click.option("--json", "json_", is_flag=True, help="As JSON.")


@click.command()
@click.argument("file", type=_path, required=False)
@_game
@_json
@click.pass_obj
def lint(session: Session, file: Path | None, key: str | None, json_: bool) -> int:
    """Test the whole log, or a file before it is loaded: windows, levels, order, unknown cards, idle waivers."""
    findings = announcements.lint(session.project, file, key)
    if json_:
        display.as_json({"schema": "carddb.ban-lint/1", "findings": [finding.to_json() for finding in findings]})
        return exit_code(findings)
    display.findings(findings, least=Severity.WARNING if session.quiet else Severity.INFO)
    session.say(tally(findings))
    return exit_code(findings)


@click.command()
@click.option("-o", "--output", type=_path, metavar="FILE", help="Write the whole log, as YAML or JSON by its ending.")
@_game
@_json
@click.pass_obj
def log(session: Session, output: Path | None, key: str | None, json_: bool) -> int:
    """List every announcement, in the order in which they were made; or write the log to a file that can be loaded."""
    game, whole = announcements.game_log(session.project, key)
    if output:
        session.write(output, announcements.log_file(whole, output.suffix.lower().removeprefix(".")))
        session.say(f"{output}: {amount(len(whole.announcements), 'announcement')}")
        return 0
    if json_:
        display.as_json({"schema": "carddb.ban-log/1", "game": game.key, **announcements.log_json(whole)})
        return 0
    rows = [
        (each.id, made_words(each), each.effective, each.kind, " ".join(whole.touched(each)), _note(each))
        for each in whole.announcements
    ]
    display.table(("id", "made (UTC)", "in force", "kind", "lists", ""), rows)
    return 0 if rows else 1


def _note(announcement: Announcement) -> str:
    notes = {"target": "of", "supersedes": "supersedes", "waiver": "waiver:"}
    words = [f"{word} {text}" for name, word in notes.items() if (text := getattr(announcement, name))]
    count = len(announcement.changes)
    return "; ".join([*([amount(count, "change")] if count else []), *words])
