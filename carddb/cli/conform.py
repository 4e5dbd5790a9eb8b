"""Whether games do what every game must: conform."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from carddb.cli import show
from carddb.cli.arguments import games_option
from carddb.cli.clock import DAY, today
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import Finding, Severity, counts, exit_code
from carddb.names import did_you_mean

if TYPE_CHECKING:
    from carddb.press.conform import Result


@click.command()
@click.argument("keys", nargs=-1, metavar="[GAME]...")
@games_option
@click.option("--on", "day", type=DAY, help="Decks are judged for this day (default: today).")
@click.option("--json", "json_", is_flag=True, help="The report as JSON.")
@click.pass_obj
def conform(
    session: Session, /, keys: tuple[str, ...], game_folders: tuple[Path, ...], day: date | None, json_: bool
) -> int:
    """Put every game that is found, or those named, to the same checks: files, cards, faces, components, codes, bans.

    A game of one's own is put to them as the bundled ones are; its examples lie in `examples` beside its game.yaml.
    """
    from carddb.press.conform import conform as tried

    session.game_folders += game_folders
    folders = session.folders
    for key in keys:
        if key not in folders:
            raise UsageError(f"there is no game {key!r}", did_you_mean(key, folders))
    on = day or today()
    found: list[Finding] = []
    reports = []
    for key in keys or folders:
        with show.progress(key, session.quiet) as step:
            results = []
            for result in tried(folders[key], on):
                step(f"{key}: {result.name}")
                results.append(result)
        found += [finding for result in results for finding in result.findings]
        reports.append(_as_json(key, results))
        if not json_:
            _tell(session, key, results)
    if json_:
        show.as_json({"schema": "carddb.conform/1", "on": on.isoformat(), "games": reports})
    return exit_code(found)


def _tell(session: Session, key: str, results: list[Result]) -> None:
    """One line a check, its findings under it; a game without any is one line."""
    found = [finding for result in results for finding in result.findings]
    click.echo(click.style(key, bold=True) + f": {len(results)} checks, {show.tally(found)}")
    for result in results:
        told = [f for f in result.findings if session.verbose or f.severity is not Severity.INFO]
        if told or session.verbose:
            click.echo(f"  {result.name}: {result.claim}")
        show.findings(told)


def _as_json(key: str, results: list[Result]) -> dict[str, Any]:
    found = [finding for result in results for finding in result.findings]
    checks = [
        {
            "name": result.name,
            "claim": result.claim,
            "counts": counts(result.findings),
            "findings": [finding.to_json() for finding in result.findings],
        }
        for result in results
    ]
    return {"game": key, "ok": exit_code(found) == 0, "counts": counts(found), "checks": checks}
