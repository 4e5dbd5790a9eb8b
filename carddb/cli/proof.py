"""Draw one face alone, to look at it closely."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import click

from carddb.cli import show
from carddb.cli.clock import today
from carddb.cli.paper import paper_options, sheet_options
from carddb.cli.session import Session
from carddb.errors import UsageError
from carddb.findings import exit_code


@click.command()
@click.argument("ref")
@show.output_option("PDF, PNG or SVG by its ending.")
@click.option("--game", "key", metavar="G", help="The game, where several have the reference.")
@click.option("--dpi", type=click.IntRange(30, 1200), default=300, show_default=True, help="Of a PNG.")
@paper_options
@click.pass_obj
def proof(
    session: Session, /, ref: str, output: Path, key: str | None, dpi: int, day: date | None, **paper: Any
) -> int:
    """Draw one face with its trim and safe lines."""
    from carddb.cli.lookup import find
    from carddb.press.proof import proof_bytes
    from carddb.press.workshop import open_workshop

    on = day or today()
    with session.catalog() as catalog:
        game, card = find(session, catalog, ref, key, on)
    kind = output.suffix.lower().removeprefix(".") or "pdf"
    if kind not in ("pdf", "png", "svg"):
        raise UsageError(f"a proof is not written as {kind!r}", "Known: pdf, png, svg.")
    options = sheet_options(paper, on)
    workshop = open_workshop(game, [card], session.project.art_folder, options.lang)
    data, found = proof_bytes(workshop, card, options, kind, dpi)
    session.write(output, data)
    session.say(f"{output}: {card.name} [{card.ref}]")
    show.findings(found, err=True)
    return exit_code(found)
