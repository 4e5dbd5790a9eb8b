"""Until when a deck stays legal, by what has been announced."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.cli import show
from carddb.cli.arguments import judging_options
from carddb.cli.clock import DAY
from carddb.cli.judging import checked, circumstances
from carddb.cli.session import Session
from carddb.findings import Finding, Severity, exit_code, verdict


@click.command()
@click.argument("deck", type=click.Path(path_type=Path, allow_dash=True, readable=False))
@click.option("--game", "key", metavar="G", help="The game, where the deck does not say.")
@judging_options
@click.option("--on", "day", type=DAY, help="The day to begin with (default: today).")
@click.option("--until", "last", type=DAY, help="The day to end with (default: the last that was announced).")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def forecast(session: Session, /, deck: Path, last: date | None, json_: bool, **given: Any) -> int:
    """Say on what day, and by which announcement, a deck stops being legal."""
    from carddb.deck.bans import lists_of
    from carddb.deck.forecast import GRAVE, NO_MORE, ahead

    read, context = circumstances(session, deck, **given)
    spec = read.game.spec
    now = [finding for finding in checked(read, context) if finding.severity in GRAVE]
    coming = list(ahead(read.deck, spec, read.pool, context, read.game.ban_check, last or date.max))
    if json_:
        show.as_json(_as_json(read.deck.name, context.on, now, coming))
        return exit_code(now)
    show.findings(now)
    if not now:
        click.echo(f"Legal on {context.on}.")
    for day, found in _by_day(coming):
        by = ", ".join(dict.fromkeys(str(finding.data.get("announcement", "")) for finding in found))
        gravest = min((finding.severity for finding in found), key=GRAVE.index)
        click.echo(click.style(f"{NO_MORE[gravest]} from {day}, by {by}", bold=True))
        for finding in found:
            click.echo(f"  {finding.message}" + (f"\n    fix: {finding.fix}" if finding.fix else ""))
    if not coming:
        until = f" until {last}" if last else ""
        listed = lists_of(read.deck, spec, context)
        click.echo(f"Nothing announced forbids it{until}." if listed else "There is no ban list for its format.")
    return exit_code(now)


def _by_day(coming: list[tuple[date, Finding]]) -> list[tuple[date, list[Finding]]]:
    return [(day, [finding for on, finding in coming if on == day]) for day in dict.fromkeys(day for day, _ in coming)]


def _as_json(name: str, on: date, now: list[Finding], coming: list[tuple[date, Finding]]) -> dict[str, Any]:
    forbidden = [day for day, finding in coming if finding.severity is Severity.ERROR]
    return {
        "schema": "carddb.forecast/1",
        "deck": name,
        "on": on.isoformat(),
        "verdict": verdict(now),
        "not_legal_from": forbidden[0].isoformat() if forbidden and not now else None,
        "findings": [finding.to_json() for finding in now],
        "ahead": [{"from": day.isoformat(), **finding.to_json()} for day, finding in coming],
    }
