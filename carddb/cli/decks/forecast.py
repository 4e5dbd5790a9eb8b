"""Until when a deck stays legal: forecast."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.forecast import forecast as forecast_deck
from carddb.cli import show
from carddb.cli.decks.check import BY, DECK, check_request
from carddb.cli.options.arguments import DAY, declared_options
from carddb.cli.session import Session
from carddb.deck.check.forecast import GRAVE, NO_MORE
from carddb.findings import VERDICTS, Finding, verdict


@click.command()
@click.argument("deck", type=DECK)
@declared_options(CheckRequest, ("game", *BY, "on"), {"on": "The day to begin with (default: today)."})
@click.option("--until", "last", type=DAY, help="The day to end with (default: the last that was announced).")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.pass_obj
def forecast(session: Session, /, deck: Path, last: date | None, json_: bool, **options: Any) -> int:
    """Say on what day, by which announcement or rotation, a deck stops being legal, and from when it is again."""
    result = forecast_deck(session.project, deck, check_request(options), last)
    if json_:
        show.as_json(result.to_json())
        return result.exit_code
    show.findings(result.findings)
    show.echo(f"{VERDICTS[verdict(result.findings)]} on {result.on}.")
    for day, findings in result.by_day():
        by = ", ".join(dict.fromkeys(map(_source, findings)))
        gravest = min((finding.severity for finding in findings), key=GRAVE.index)
        show.echo(show.style(f"{NO_MORE[gravest]} from {day}, by {by}", bold=True))
        for finding in findings:
            show.echo(f"  {finding.message}" + (f"\n    fix: {finding.fix}" if finding.fix else ""))
    if not result.coming:
        until = f" until {last}" if last else ""
        none = f"Nothing announced forbids it{until}."
        show.echo(none if result.has_list else "There is no ban list for its format.")
    if result.legal_again:
        show.echo(f"Legal again from {result.legal_again}.")
    return result.exit_code


def _source(finding: Finding) -> str:
    """What forbids a deck from a day on: an announcement, a list that several of them made, or its format."""
    data = finding.data
    cause = f"the {data['list']} list" if data.get("list") else "the rotation of its format"
    return str(data.get("announcement") or cause)
