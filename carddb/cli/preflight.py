"""Before printing: what is wrong with the faces of a selection."""

from __future__ import annotations

from datetime import date
from typing import Any

import click

from carddb.cli import show
from carddb.cli.arguments import QueryCommand, query_argument
from carddb.cli.clock import today
from carddb.cli.paper import paper_options, sheet_options
from carddb.cli.selection import Terms, select
from carddb.cli.session import Session
from carddb.findings import Severity, exit_code, verdict


@click.command(cls=QueryCommand)
@query_argument("selection", required=True)
@click.option("--game", "key", metavar="G", help="The game of a query or reference.")
@click.option("--json", "json_", is_flag=True, help="The report as JSON.")
@paper_options
@click.pass_obj
def preflight(
    session: Session, /, selection: tuple[str, ...], key: str | None, json_: bool, day: date | None, **given: Any
) -> int:
    """Find what is wrong with faces before they are printed; nothing is written.

    Text that does not fit (by how much), under six points, of letters that no font has, too near the cut or too faint
    on its ground; pictures that are missing or too coarse for their size.
    """
    from carddb.press.preflight import preflight as inspected
    from carddb.press.workshop import open_workshop

    on = day or today()
    options = sheet_options(given, on)
    game, copies, title, found, _ = select(session, selection, key, on, Terms())
    cards = list({card.ref: card for card, _ in copies}.values())
    if not cards:
        session.say("no card matches")
        return 1
    with show.progress(f"looking at {len(cards)} cards", session.quiet):
        workshop = open_workshop(game, cards, session.project.art_folder, options.lang)
        faults = [*found, *inspected(workshop, cards, options)]
    if json_:
        counts = {severity.value: sum(f.severity is severity for f in faults) for severity in Severity}
        show.as_json(
            {
                "schema": "carddb.preflight/1",
                "game": game.key,
                "title": title,
                "on": on.isoformat(),
                "cards": len(cards),
                "verdict": verdict(faults),
                "counts": counts,
                "findings": [finding.to_json() for finding in faults],
            }
        )
    else:
        show.findings(faults)
        if not session.quiet:
            clean = "; nothing is wrong" if not faults else ""
            click.echo(f"{show.amount(len(cards), 'card')} looked at{clean}")
    return exit_code(faults)
